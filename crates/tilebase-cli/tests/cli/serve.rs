//! The server as a process: its first lines and its end.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::ChildStderr;

#[cfg(unix)]
use rustix::process::Signal;

use crate::{Running, TestFolder};

/// Starts a server. Returns it with its address and the rest of its output.
fn start(place: &TestFolder, arguments: &[&str]) -> (Running, BufReader<ChildStderr>, String) {
    let is_named = arguments.contains(&"--listen");
    let listen = if is_named { &[][..] } else { &["--listen", "0"] };
    let mut child = place.start(&[&["serve"], listen, arguments].concat());
    let mut said = BufReader::new(child.stderr.take().unwrap());
    let mut line = String::new();
    said.read_line(&mut line).unwrap();
    let address = line.trim_end().strip_prefix("listening on http://").map(str::to_owned);
    (child, said, address.unwrap_or_else(|| panic!("no address in {line:?}")))
}

fn get(address: &str, path: &str) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    write!(stream, "GET {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

#[cfg(unix)]
#[test]
fn server_prints_its_address_and_ends_by_signal() {
    let place = TestFolder::new();
    for signal in [Signal::TERM, Signal::INT] {
        let (child, mut said, address) = start(&place, &["--log"]);
        assert!(address.starts_with("127.0.0.1:"), "{address}");
        assert!(get(&address, "/").contains("<title>Tilebase</title>"));
        let moves = get(&address, "/v1/moves?board=1,2,3/4,5,6/0,7,8");
        assert!(moves.contains("\"distance\":2"), "{moves}");
        child.send(signal);
        assert_eq!(child.code(), Some(0), "{signal:?}");
        let mut log = String::new();
        said.read_to_string(&mut log).unwrap();
        let lines: Vec<&str> = log.lines().collect();
        // The first line is a note on the tables of the lessons.
        assert_eq!(lines.len(), 3, "{log}");
        assert!(lines[2].contains("\"path\":\"/v1/moves\",\"status\":200"), "{log}");
    }
}

#[cfg(unix)]
#[test]
fn too_few_open_files_name_the_limit() {
    let place = TestFolder::new();
    // A server needs more open files than these, beside its standard streams.
    for limit in ["6", "7"] {
        let script = format!("ulimit -n {limit}; exec \"$0\" serve --listen 0");
        let mut command = std::process::Command::new("sh");
        let command = command.args(["-c", &script, env!("CARGO_BIN_EXE_tilebase")]);
        let output = command.env("TILEBASE_DB", place.db()).output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{said}");
        assert!(said.contains("raise the limit on open files (ulimit -n)"), "{limit}: {said}");
        assert!(!said.contains("ulimit -u"), "{limit}: {said}");
    }
}

#[test]
fn allowed_origin_must_be_scheme_and_host() {
    let place = TestFolder::new();
    for wrong in ["*", "null", "app.example", "https://", "https://app.example/", "ftp://a", ""] {
        place.run(&["serve", "--allow-origin", wrong]).says(2, "https://app.example");
    }
    let origin = ["--allow-origin", "https://App.example", "--allow-origin", "http://[::1]:80"];
    let (_server, _, address) = start(&place, &origin);
    assert!(get(&address, "/healthz").contains("vary: Origin\r\n"));
}

#[test]
fn server_lists_missing_tables_of_lessons() {
    let place = TestFolder::new();
    for (built, missing) in
        [(None, "15/walking-distance 15/7-8"), (Some("15/walking-distance"), "15/7-8")]
    {
        if let Some(built) = built {
            assert_eq!(place.run(&["build", built]).code, Some(0));
        }
        let (_server, mut said, _) = start(&place, &[]);
        let mut line = String::new();
        said.read_line(&mut line).unwrap();
        let build = format!("build them: tilebase build {missing}\n");
        assert_eq!(line, format!("note: tables of the page's lessons are missing; {build}"));
    }
}

#[test]
fn class_builds_all_tables_before_it_listens() {
    // Only the table of Walking Distance is missing.
    let place = TestFolder::with_tables("15/7-8");
    // The larger tables do not fit, so the server does not listen.
    let refused = TestFolder::new().run(&["serve", "--class", "--listen", "0", "--memory", "10M"]);
    assert!(refused.code == Some(1) && !refused.stderr.contains("listening"), "{refused:?}");
    assert_eq!(place.run(&["serve", "--class", "--builds", "yes"]).code, Some(2));
    let mut child = place.start(&["serve", "--class", "--listen", "0"]);
    let mut said = BufReader::new(child.stderr.take().unwrap()).lines().map(Result::unwrap);
    let mut before = said.by_ref().take_while(|line| !line.starts_with("for the class: "));
    let listening = before
        .find_map(|line| line.strip_prefix("listening on http://0.0.0.0:").map(str::to_owned));
    let port = listening.expect("it listens on all interfaces");
    let notes: Vec<String> = before.collect();
    assert!(
        notes.iter().all(|note| note.starts_with("note: every machine that reaches")),
        "{notes:?}"
    );
    // A code of at least 25 x 25 squares with a margin, two squares per character.
    let code: Vec<String> = said.by_ref().take(16).collect();
    let is_drawn =
        |line: &String| line.chars().all(|square| " \u{2580}\u{2584}\u{2588}".contains(square));
    assert!(code.iter().all(|line| is_drawn(line) && line.chars().count() >= 33), "{code:?}");
    let server = format!("127.0.0.1:{port}");
    assert!(get(&server, "/v1/builds").contains("\"allowed\":false"));
    let board = "7,12,1,2/5,10,0,8/14,11,6,4/3,15,13,9";
    let explained = get(&server, &format!("/v1/explain?board={board}"));
    for name in ["walking-distance", "15/7-8"] {
        assert!(explained.contains(&format!("\"name\":\"{name}\"")), "{explained}");
    }
    assert!(explained.contains("\"left_out\":[]"), "{explained}");

    // The server listens to the named address.
    let (_server, _, address) = start(&place, &["--class", "--listen", "localhost:0"]);
    assert!(address.starts_with("127.0.0.1:"), "{address}");
}

#[test]
fn unavailable_address_names_the_option() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let run = TestFolder::new().run(&["serve", "--listen", &address]);
    run.says(1, &format!("cannot listen to {address}")).says(1, "--listen");
    for wrong in ["somewhere", "127.0.0.1", "1.2.3.4.5:80", "99999", "::::80", ""] {
        TestFolder::new().run(&["serve", "--listen", wrong]).says(2, "error: ");
    }
}

#[test]
fn reachable_server_says_so_and_builds_for_others_only_if_allowed() {
    let place = TestFolder::new();
    for (options, is_private, allowed) in [
        (&["--builds", "no"][..], true, false),
        (&[], true, true),
        (&["--host", "tiles.example", "--builds", "yes"], false, true),
        (&["--host", "tiles.example"], false, false),
        (&["--listen", "0.0.0.0:0"], false, false),
    ] {
        let (_server, mut said, address) = start(&place, options);
        let builds = get(&address, "/v1/builds");
        assert!(builds.contains(&format!("\"allowed\":{allowed}")), "{options:?}: {builds}");
        let mut note = String::new();
        said.read_line(&mut note).unwrap();
        let reached = format!("note: every machine that reaches {address} ");
        assert_eq!(note.starts_with(&reached), !is_private, "{options:?}: {note}");
        let end = "there is no encryption and no password\n";
        assert_eq!(note.ends_with(end), !is_private, "{options:?}: {note}");
        let is_told = note.contains(", and build tables");
        assert_eq!(is_told, allowed && !is_private, "{options:?}: {note}");
    }
}
