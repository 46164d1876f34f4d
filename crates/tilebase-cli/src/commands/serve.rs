//! `tilebase serve`: the tables over HTTP, and a page in the browser.

use std::env;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, UdpSocket};
use std::process::{Command, Stdio};
use std::time::Duration;

use qrcode::render::unicode::Dense1x2;
use qrcode::{EcLevel, QrCode};
use tilebase_serve::{BuildAccess, Limits, Server, Settings, missing_lesson_specs};

use crate::args::{self, Machine};
use crate::choices::one_of;
use crate::console::Console;
use crate::failure::Verdict;
use crate::help;
use crate::interrupt;
use crate::output::shown;

/// Largest time limit of a request if only this machine reaches the server.
const DAY: Duration = Duration::from_hours(24);
/// Upper limit on the capacity of a queue and on the number of connections.
const COUNT_MAX: usize = 1_000_000;

/// Arguments of `tilebase serve`.
#[derive(Debug, clap::Args)]
#[command(after_help = help::examples(&[
    ("a page to play, solve, draw and learn with, in the browser", "tilebase serve --open"),
    ("another port, with a line for each request on standard error", "tilebase serve --listen 9000 --log"),
    ("for a class in the network: the tables of all lessons, an address to type or scan", "tilebase serve --class"),
]))]
#[allow(clippy::struct_excessive_bools, reason = "each is an option of its own")]
#[command(next_help_heading = help::SERVER)]
pub(crate) struct Args {
    /// Address and port to listen on, or a port of this machine only (with --class: of all
    /// interfaces); port 0 takes a free port [default: 127.0.0.1:8015, with --class 0.0.0.0:8015]
    #[arg(long, value_name = "ADDRESS", value_parser = address)]
    listen: Option<Address>,
    /// Serve a class: build the tables of the lessons first, listen on all interfaces, show the
    /// address as text and as a QR code, and allow no builds
    #[arg(long, conflicts_with = "builds")]
    class: bool,
    /// Open the page in the browser
    #[arg(long)]
    open: bool,
    /// Host name of the server, beside localhost and IP addresses; may be repeated
    #[arg(long = "host", value_name = "NAME")]
    names: Vec<String>,
    /// An origin such as `https://app.example` whose pages may send requests to this server; may be
    /// repeated
    #[arg(long = "allow-origin", value_name = "ORIGIN", value_parser = origin)]
    origins: Vec<String>,
    /// Whether clients may build tables [default: only clients on this machine; with --host or
    /// another address, no client]
    #[arg(long, value_parser = one_of(&[("yes", "Every client", true), ("no", "No client", false)]),
        value_name = "WHETHER")]
    builds: Option<bool>,
    /// Print a JSON object for each request on standard error
    #[arg(long)]
    log: bool,
    /// Time limit per request, including its time in the queue [default: 60s; if only this machine
    /// reaches the server, a request may ask for up to a day]
    #[arg(long, value_name = "TIME", value_parser = args::time)]
    time_limit: Option<Duration>,
    /// Limit on generated nodes per request
    #[arg(long, value_name = "N", default_value_t = Limits::default().nodes,
        value_parser = args::number::<u64>(1..=u64::MAX))]
    node_limit: u64,
    /// Capacity of each queue (quick searches, long searches, reports); when it is full, clients
    /// are asked to retry later
    #[arg(long, value_name = "N", default_value_t = Limits::default().queue,
        value_parser = args::number::<usize>(1..=COUNT_MAX))]
    queue: usize,
    /// Limit on simultaneous connections
    #[arg(long, value_name = "N", default_value_t = Limits::default().connections,
        value_parser = args::number::<usize>(1..=COUNT_MAX))]
    connections: usize,
    /// Number of answers in the cache; 0 for no cache
    #[arg(long, value_name = "N", default_value_t = Limits::default().remembered,
        value_parser = args::number::<usize>(0..=usize::MAX))]
    remember: usize,
    /// Do not check tables against their digests
    #[arg(long, help_heading = help::TABLES)]
    trust_tables: bool,
    #[command(flatten)]
    machine: Machine,
}

/// Address to listen on: the port, and the interface if it is named.
type Address = (Option<IpAddr>, u16);

/// Reads an address with a port, or a port alone.
fn address(text: &str) -> Result<Address, String> {
    if let Ok(port) = text.strip_prefix(':').unwrap_or(text).parse() {
        return Ok((None, port));
    }
    let address = text.replace("localhost:", "127.0.0.1:").parse::<SocketAddr>();
    address
        .map(|address| (Some(address.ip()), address.port()))
        .map_err(|_| "expected an address with a port such as 127.0.0.1:8015, or a port".to_owned())
}

/// Reads an origin in the form of browsers, without a path.
fn origin(text: &str) -> Result<String, String> {
    let host = text.strip_prefix("https://").or(text.strip_prefix("http://"));
    let is_host = |host: &str| {
        let is_part = |byte: u8| byte.is_ascii_alphanumeric() || b".-:[]_".contains(&byte);
        !host.is_empty() && host.bytes().all(is_part)
    };
    match host.filter(|host| is_host(host)) {
        Some(_) => Ok(text.to_ascii_lowercase()),
        None => {
            Err("expected a scheme and a host such as https://app.example, without a path".into())
        }
    }
}

impl Args {
    pub(crate) fn run(self, console: &mut Console) -> anyhow::Result<Verdict> {
        let folder = self.machine.folder.path()?;
        let missing = missing_lesson_specs(&folder)?;
        if self.class {
            let shelf = self.machine.shelf()?;
            let search = self.machine.search(console.progress);
            for spec in &missing {
                interrupt::orderly(|| shelf.build_all(&spec.name, &spec.plan, false, &search))?;
            }
        }
        let (ip, port) = self.listen.unwrap_or((None, Settings::PORT));
        let usual = if self.class { Ipv4Addr::UNSPECIFIED } else { Ipv4Addr::LOCALHOST };
        let listen = SocketAddr::new(ip.unwrap_or(usual.into()), port);
        // A server with a host name is behind a reverse proxy, so other machines reach it.
        let is_private = listen.ip().is_loopback() && self.names.is_empty();
        let builds = match self.builds {
            Some(true) => BuildAccess::Anyone,
            None if is_private && !self.class => BuildAccess::Local,
            Some(false) | None => BuildAccess::Nobody,
        };
        let settings = Settings {
            listen,
            names: self.names.clone(),
            origins: self.origins,
            memory: self.machine.memory(),
            builds,
            trusts_tables: self.trust_tables,
            thread_count: self.machine.thread_count(),
            limits: Limits {
                time: self.time_limit.unwrap_or(Limits::default().time),
                // A reverse proxy on this machine would look like a local client.
                local_time_max: (self.time_limit.is_none() && builds == BuildAccess::Local)
                    .then_some(DAY),
                nodes: self.node_limit,
                queue: self.queue,
                connections: self.connections,
                remembered: self.remember,
                ..Limits::default()
            },
            logs: self.log,
            ..Settings::new(folder)
        };
        let server = Server::listen(settings)?;
        let url = format!("http://{}", server.address());
        console.note(format_args!("listening on {url}"));
        if !is_private {
            let allows_builds = builds == BuildAccess::Anyone;
            let builds = if allows_builds { ", and build tables" } else { "" };
            console.note(format_args!(
                "note: every machine that reaches {} can search on this one and list its tables{builds}; \
                 there is no encryption and no password",
                server.address()
            ));
        }
        if self.class {
            let port = server.address().port();
            let url = match self.names.first() {
                Some(name) => format!("http://{name}:{port}"),
                None => {
                    format!("http://{}", SocketAddr::new(ip_for_others(server.address()), port))
                }
            };
            console.note(format_args!("for the class: {url}"));
            if let Some(code) = qr_code(&url) {
                console.note(code);
            }
        } else if !missing.is_empty() {
            let names: Vec<&str> = missing.iter().map(|spec| &*spec.name).collect();
            let folder =
                self.machine.folder.named().map(|folder| format!("--db {} ", shown(folder)));
            console.note(format_args!(
                "note: tables of the page's lessons are missing; build them: tilebase build {}{}",
                folder.unwrap_or_default(),
                names.join(" ")
            ));
        }
        if self.open {
            open(&url, console);
        }
        interrupt::orderly(|| server.run(&interrupt::cancel()));
        Ok(Verdict::Ended)
    }
}

/// Returns the IP address by which other machines in the network reach a server.
fn ip_for_others(address: SocketAddr) -> IpAddr {
    if !address.ip().is_unspecified() {
        return address.ip();
    }
    // The system chooses the address from which it would send. Nothing is sent.
    let from = |to: &str| {
        let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)).ok()?;
        socket.connect((to, 9)).ok()?;
        Some(socket.local_addr().ok()?.ip())
    };
    // An address reserved for documentation, by the default route; then those of private networks.
    let known = ["192.0.2.1", "192.168.0.1", "10.0.0.1", "172.16.0.1"].into_iter().find_map(from);
    known.unwrap_or(address.ip())
}

/// Returns a QR code of half blocks, for light text on a dark terminal. Readers of codes also
/// accept the inverse.
fn qr_code(text: &str) -> Option<String> {
    let code = QrCode::with_error_correction_level(text, EcLevel::L).ok()?;
    let mut renderer = code.render::<Dense1x2>();
    Some(renderer.dark_color(Dense1x2::Light).light_color(Dense1x2::Dark).build())
}

/// Opens a page in the browser of the desktop.
fn open(url: &str, console: &Console) {
    let opener = match env::consts::OS {
        "macos" => "open",
        "windows" => "explorer",
        _ => "xdg-open",
    };
    let mut command = Command::new(opener);
    command.arg(url).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    match command.spawn() {
        Ok(mut child) => {
            // A thread waits for the process, so that it leaves no zombie.
            let _ = pdb_core::thread_builder().spawn(move || child.wait());
        }
        Err(error) => {
            console
                .note(format_args!("note: cannot start {opener} ({error}): open {url} yourself"));
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test ends where something is not as it should be")]

    use super::*;
    use crate::output::terminal_text;

    #[test]
    fn qr_code_contains_no_characters_that_a_terminal_escapes() {
        let code = qr_code("http://192.0.2.17:8015").unwrap();
        assert!(code.lines().count() >= 16, "{code}");
        assert_eq!(terminal_text(&code), code);
    }
}
