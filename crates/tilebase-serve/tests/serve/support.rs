//! A server for one test, and a minimal HTTP client.
//!
//! ```text
//! let fixture = Fixture::new();                        with the tables of 8/whole and 5/whole
//! let fixture = Fixture::with(|settings| settings.limits.queue = 1);
//! let reply = fixture.get("/v1/moves?board=123456708");     one request on a connection of its own
//! let reply = fixture.post("/v1/builds", "application/json", b"..");
//! let text = fixture.raw("GET / HTTP/1.1\r\n..");        bytes there, bytes back
//! let mut client = fixture.client();                    many requests on one connection
//! let events = fixture.events("/v1/solve?board=..");    an iterator of events
//! let stream = fixture.connect();                       any bytes; read_reply reads responses
//! ```
//!
//! All responses and events are checked against `openapi.json`, except those of `read_reply`.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use serde_json::Value;
use tempfile::TempDir;
use tilebase::{Cancel, Tilebase};
use tilebase_serve::{Server, Settings};

use crate::description::{check_event, check_reply};

/// Specs of [`Fixture::new`].
pub(crate) const BUILT: [&str; 2] = ["5/whole", "8/whole"];
/// Longest time of a response.
const PATIENCE: Duration = Duration::from_mins(1);

/// A server in a thread, with its own folder of tables. It ends when it is dropped.
pub(crate) struct Fixture {
    address: SocketAddr,
    cancel: Cancel,
    thread: Option<JoinHandle<()>>,
    folder: TempDir,
}

impl Fixture {
    /// Starts a server with two threads and the tables of [`BUILT`].
    pub(crate) fn new() -> Self {
        Self::with(|_| ())
    }

    /// Does the same as [`new`](Self::new), with other settings.
    pub(crate) fn with(change: impl FnOnce(&mut Settings)) -> Self {
        Self::of(&BUILT, change)
    }

    /// Starts a server with the tables of some specs.
    pub(crate) fn of(specs: &[&str], change: impl FnOnce(&mut Settings)) -> Self {
        let folder = tempfile::tempdir().unwrap();
        for spec in specs {
            Tilebase::builder().spec(spec).folder(folder.path()).ensure().unwrap();
        }
        let mut settings = Settings::new(folder.path().to_owned());
        settings.listen = "127.0.0.1:0".parse().unwrap();
        settings.thread_count = 2;
        change(&mut settings);
        let server = Server::listen(settings).unwrap();
        let address = server.address();
        let cancel = Cancel::new();
        let of_thread = cancel.clone();
        let thread = Some(thread::spawn(move || server.run(&of_thread)));
        Self { address, cancel, thread, folder }
    }

    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    /// Returns the folder of the tables.
    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Opens a connection.
    pub(crate) fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream.set_write_timeout(Some(PATIENCE)).unwrap();
        stream.set_nodelay(true).unwrap();
        stream
    }

    /// Opens a connection for several requests.
    pub(crate) fn client(&self) -> Client {
        Client { stream: BufReader::new(self.connect()), address: self.address() }
    }

    /// Sends a GET request on a new connection.
    pub(crate) fn get(&self, path: &str) -> Reply {
        self.client().get(path)
    }

    /// Sends a request on a new connection.
    pub(crate) fn send(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: &[u8],
    ) -> Reply {
        self.client().send(method, path, headers, body)
    }

    /// Sends a POST request on a new connection.
    pub(crate) fn post(&self, path: &str, kind: &str, body: &[u8]) -> Reply {
        self.send("POST", path, &[("content-type", kind)], body)
    }

    /// Builds tables, and returns the last event.
    pub(crate) fn build(&self, request: &Value) -> Value {
        let build = self.post("/v1/builds", "application/json", request.to_string().as_bytes());
        assert_eq!(build.status, 202, "{build:?}");
        let events = self.events(&format!("/v1/builds/{}", build.json()["id"]));
        let states: Vec<Value> = events.map(|event| event.data).collect();
        assert!(states.is_sorted_by_key(|state| state["share"].as_f64().unwrap()), "{states:?}");
        states.into_iter().next_back().unwrap()
    }

    /// Sends a request that asks to close the connection, and returns all that the server sends.
    pub(crate) fn raw(&self, request: impl AsRef<[u8]>) -> String {
        let mut stream = self.connect();
        // The server may close the connection before it has read all bytes.
        let _ = stream.write_all(request.as_ref());
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        String::from_utf8_lossy(&answer).into_owned()
    }

    /// Returns the events of a stream.
    pub(crate) fn events(&self, path: &str) -> Events {
        self.client().events(path)
    }

    /// Stops the server, and waits for its end.
    pub(crate) fn end(&mut self) {
        self.cancel.cancel();
        if let Some(thread) = self.thread.take() {
            let ended = thread.join();
            assert!(ended.is_ok() || thread::panicking(), "the server panicked");
        }
    }
}

impl Drop for Fixture {
    fn drop(&mut self) {
        self.end();
    }
}

/// A response.
#[derive(Clone, Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    /// Headers in order, with lowercase names.
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

impl Reply {
    /// Returns a header, which must not be repeated. The name is in lowercase.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        header(&self.headers, name)
    }

    pub(crate) fn text(&self) -> &str {
        str::from_utf8(&self.body).expect("the body is text")
    }

    /// Returns the body as JSON.
    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body)
            .unwrap_or_else(|error| panic!("{error} in {:?}", String::from_utf8_lossy(&self.body)))
    }

    /// Returns a value of the metrics, by its name and labels.
    pub(crate) fn metric(&self, name: &str) -> f64 {
        let line = self.text().lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
        line.unwrap_or_else(|| panic!("{name} is a metric")).parse().unwrap()
    }
}

fn header<'a>(headers: &'a [(String, String)], name: &str) -> Option<&'a str> {
    let mut all = headers.iter().filter(|(known, _)| known == name);
    let first = all.next().map(|(_, value)| value.as_str());
    assert_eq!(all.next(), None, "{name} is there twice");
    first
}

/// A connection for several requests.
pub(crate) struct Client {
    stream: BufReader<TcpStream>,
    address: SocketAddr,
}

impl Client {
    pub(crate) fn get(&mut self, path: &str) -> Reply {
        self.send("GET", path, &[("accept", "application/json")], b"")
    }

    /// Sends a request, reads the response, and checks it against the description. The host is the
    /// server's address, unless `headers` name another.
    pub(crate) fn send(
        &mut self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: &[u8],
    ) -> Reply {
        self.ask(method, path, headers, body);
        let reply = read_reply(&mut self.stream, method);
        let reply = reply.unwrap_or_else(|error| panic!("{method} {path}: {error}"));
        if let Err(problem) = check_reply(method, path, &reply) {
            panic!("{method} {path}: {problem}\n{reply:?}");
        }
        reply
    }

    /// Sends a request without reading the response.
    fn ask(&mut self, method: &str, path: &str, headers: &[(&str, &str)], body: &[u8]) {
        let address = self.address.to_string();
        let length = body.len().to_string();
        let mut lines = vec![format!("{method} {path} HTTP/1.1")];
        let mut line = |name: &str, value: &str| lines.push(format!("{name}: {value}"));
        if headers.iter().all(|(name, _)| !name.eq_ignore_ascii_case("host")) {
            line("host", &address);
        }
        for (name, value) in headers {
            line(name, value);
        }
        if !body.is_empty() {
            line("content-length", &length);
        }
        let head = format!("{}\r\n\r\n", lines.join("\r\n"));
        let bytes = [head.as_bytes(), body].concat();
        self.stream.get_mut().write_all(&bytes).unwrap();
    }

    /// Requests a stream of events.
    pub(crate) fn events(mut self, path: &str) -> Events {
        self.ask("GET", path, &[("accept", "text/event-stream")], b"");
        let (status, headers) = read_head(&mut self.stream).unwrap();
        assert_eq!(status, 200, "{path}");
        assert_eq!(header(&headers, "content-type"), Some("text/event-stream"), "{path}");
        let (path, text) = (path.to_owned(), String::new());
        Events { stream: self.stream, path, text, has_ended: false }
    }
}

/// Events of a stream, until its regular end. Dropping it closes the connection.
pub(crate) struct Events {
    stream: BufReader<TcpStream>,
    path: String,
    text: String,
    has_ended: bool,
}

/// One event.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Event {
    pub(crate) name: String,
    pub(crate) data: Value,
}

impl Iterator for Events {
    type Item = Event;

    fn next(&mut self) -> Option<Event> {
        loop {
            if let Some((event, rest)) = self.text.split_once("\n\n") {
                let event = read_event(event);
                self.text = rest.to_owned();
                if let Err(problem) = check_event(&self.path, &event) {
                    panic!("{}: {problem}\n{event:?}", self.path);
                }
                return Some(event);
            }
            if self.has_ended {
                assert_eq!(self.text, "", "an event was cut short");
                return None;
            }
            let chunk = read_chunk(&mut self.stream).expect("the stream goes on to its end");
            self.has_ended = chunk.is_empty();
            self.text += str::from_utf8(&chunk).expect("events are text");
        }
    }
}

fn read_event(text: &str) -> Event {
    let lines = text.split_once('\n').expect("an event has two lines");
    let name = lines.0.strip_prefix("event: ").expect("the first line names the event");
    let data = lines.1.strip_prefix("data: ").expect("the second line has the data");
    let data = serde_json::from_str(data).expect("the data are JSON on one line");
    Event { name: name.to_owned(), data }
}

/// Reads a response. A response to HEAD has no body.
///
/// # Errors
/// If the connection ends, is silent for too long, or sends no HTTP.
pub(crate) fn read_reply(stream: &mut impl BufRead, method: &str) -> io::Result<Reply> {
    let (status, headers) = read_head(stream)?;
    let mut body = Vec::new();
    if method == "HEAD" || status == 204 || status == 304 {
        return Ok(Reply { status, headers, body });
    }
    if header(&headers, "transfer-encoding") == Some("chunked") {
        loop {
            let chunk = read_chunk(stream)?;
            if chunk.is_empty() {
                break;
            }
            body.extend(chunk);
        }
    } else {
        let length = header(&headers, "content-length").and_then(|text| text.parse().ok());
        body.resize(length.ok_or_else(|| invalid("an answer without a length"))?, 0);
        stream.read_exact(&mut body)?;
    }
    Ok(Reply { status, headers, body })
}

fn invalid(what: impl Into<String>) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what.into())
}

fn read_line(stream: &mut impl BufRead) -> io::Result<String> {
    let mut line = String::new();
    stream.read_line(&mut line)?;
    let ended = line.strip_suffix("\r\n").ok_or_else(|| invalid(format!("the line {line:?}")))?;
    Ok(ended.to_owned())
}

/// Reads the status and the headers of a response.
fn read_head(stream: &mut impl BufRead) -> io::Result<(u16, Vec<(String, String)>)> {
    let line = read_line(stream)?;
    let status = line.strip_prefix("HTTP/1.1 ").and_then(|rest| rest.get(..3)?.parse().ok());
    let status = status.ok_or_else(|| invalid(format!("the status line {line:?}")))?;
    let mut headers = Vec::new();
    loop {
        let line = read_line(stream)?;
        if line.is_empty() {
            return Ok((status, headers));
        }
        let pair = line.split_once(':').ok_or_else(|| invalid(format!("the header {line:?}")))?;
        headers.push((pair.0.to_ascii_lowercase(), pair.1.trim().to_owned()));
    }
}

/// Reads a chunk of a body. The last one is empty.
fn read_chunk(stream: &mut impl BufRead) -> io::Result<Vec<u8>> {
    let line = read_line(stream)?;
    let length = usize::from_str_radix(&line, 16).map_err(|error| invalid(error.to_string()))?;
    let mut chunk = vec![0; length];
    stream.read_exact(&mut chunk)?;
    match read_line(stream)?.as_str() {
        "" => Ok(chunk),
        line => Err(invalid(format!("{line:?} after a chunk"))),
    }
}

/// Returns an address with encoded parameters.
pub(crate) fn path(route: &str, params: &[(&str, &str)]) -> String {
    let query = form_urlencoded::Serializer::new(String::new()).extend_pairs(params).finish();
    format!("{route}?{query}")
}
