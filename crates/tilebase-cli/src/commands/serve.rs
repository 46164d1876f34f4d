//! `tilebase serve`: the tables over HTTP, and a page in the browser.

use std::net::{IpAddr, Ipv4Addr, SocketAddr, UdpSocket};
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use pdb_serve::{BuildAccess, Limits, Server, Settings, missing_lesson_specs};
use qrcode::render::unicode::Dense1x2;
use qrcode::{EcLevel, QrCode};
use tilebase::{Shelf, Watch};

use crate::args::{self, MemoryArg, Threads};
use crate::failure::Verdict;
use crate::folder::Folder;
use crate::help;
use crate::interrupt;
use crate::progress::Progress;

/// Longest time that a request may ask for where only this machine reaches the server.
const DAY: Duration = Duration::from_hours(24);

/// Arguments of `tilebase serve`.
#[derive(Debug, clap::Args)]
#[command(after_help = help::examples(&[
    ("a page to play, solve, draw and learn with, in the browser", "tilebase serve --open"),
    ("another port, with a line for each request on standard error", "tilebase serve --listen 9000 --log"),
    ("for a class in the network: the tables of all lessons, an address to type or scan", "tilebase serve --class"),
]))]
#[allow(clippy::struct_excessive_bools, reason = "each is an option of its own")]
pub(crate) struct Args {
    /// Where to listen: an address and a port, or a port of this machine alone (with --class of all
    /// interfaces); port 0 takes a free one [default: 127.0.0.1:8015, with --class 0.0.0.0:8015]
    #[arg(long, value_name = "ADDRESS", value_parser = address, help_heading = help::SERVER)]
    listen: Option<Address>,
    /// Serve a class: build the tables of the lessons first, listen on all interfaces, show the address as
    /// text and as a QR code, and let nobody build
    #[arg(long, conflicts_with = "builds", help_heading = help::SERVER)]
    class: bool,
    /// Open the page in the browser
    #[arg(long, help_heading = help::SERVER)]
    open: bool,
    /// A name that the server may be called by, beside localhost and numbers; several times for several
    #[arg(long = "host", value_name = "NAME", help_heading = help::SERVER)]
    names: Vec<String>,
    /// An origin such as `https://app.example` whose pages may ask this server, too; several times for
    /// several
    #[arg(long = "allow-origin", value_name = "ORIGIN", value_parser = origin, help_heading = help::SERVER)]
    origins: Vec<String>,
    /// Whether clients may build tables [default: those on this machine, and nobody with --host or
    /// another address]
    #[arg(long, value_enum, value_name = "WHETHER", help_heading = help::SERVER)]
    builds: Option<Choice>,
    /// Write a line for each request to standard error, a JSON object
    #[arg(long, help_heading = help::SERVER)]
    log: bool,
    /// Longest time for a request, waiting included [default: 60s; if only this machine reaches the
    /// server, a request may ask for up to a day]
    #[arg(long, value_name = "TIME", value_parser = args::duration, help_heading = help::SERVER)]
    time_limit: Option<Duration>,
    /// Most nodes to generate for a request
    #[arg(long, value_name = "N", default_value_t = Limits::default().nodes,
        help_heading = help::SERVER)]
    node_limit: u64,
    /// Most requests that wait in each lane, of quick searches, long ones and reports; a client beyond
    /// that is told to come back
    #[arg(long, value_name = "N", default_value_t = Limits::default().queue,
        value_parser = count, help_heading = help::SERVER)]
    queue: usize,
    /// Most connections at once
    #[arg(long, value_name = "N", default_value_t = Limits::default().connections,
        value_parser = count, help_heading = help::SERVER)]
    connections: usize,
    /// How many answers are remembered; 0 for none
    #[arg(long, value_name = "N", default_value_t = Limits::default().remembered,
        help_heading = help::SERVER)]
    remember: usize,
    /// Take tables as they are, without holding them against their digests
    #[arg(long, help_heading = help::TABLES)]
    trust_tables: bool,
    #[command(flatten)]
    memory: MemoryArg,
    #[command(flatten)]
    threads: Threads,
    #[command(flatten)]
    folder: Folder,
}

/// Yes or no.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Choice {
    Yes,
    No,
}

/// An address to listen to.
#[derive(Clone, Copy, Debug)]
enum Address {
    /// A port alone.
    Port(u16),
    Whole(SocketAddr),
}

impl Address {
    /// The address to listen to. A port alone is a port of all interfaces for a class.
    fn of(self, is_class: bool) -> SocketAddr {
        let interface = if is_class { Ipv4Addr::UNSPECIFIED } else { Ipv4Addr::LOCALHOST };
        match self {
            Self::Port(port) => (interface, port).into(),
            Self::Whole(address) => address,
        }
    }
}

/// Reads an address with a port, or a port alone.
fn address(text: &str) -> Result<Address, String> {
    if let Ok(port) = text.strip_prefix(':').unwrap_or(text).parse::<u16>() {
        return Ok(Address::Port(port));
    }
    let number = text.replace("localhost:", "127.0.0.1:").parse();
    number
        .map(Address::Whole)
        .map_err(|_| "expected an address with a port such as 127.0.0.1:8015, or a port".to_owned())
}

/// Reads an origin: what a browser sends, without a path.
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

/// Reads a number from 1.
fn count(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(number) if (1..=1_000_000).contains(&number) => Ok(number),
        _ => Err("expected a number from 1 to 1000000".to_owned()),
    }
}

impl Args {
    pub(crate) fn run(self, progress: Progress) -> anyhow::Result<Verdict> {
        let folder = self.folder.path()?;
        let missing = missing_lesson_specs(&folder)?;
        if self.class {
            let shelf = Shelf {
                memory: self.memory.memory(),
                thread_count: self.threads.count(),
                watch: Watch::new(progress.watcher()),
                cancel: interrupt::cancel(),
                ..Shelf::new(&folder)
            };
            for spec in &missing {
                interrupt::orderly(|| shelf.build_all(&spec.name, &spec.plan, false))?;
            }
        }
        let listen = self.listen.unwrap_or(Address::Port(Settings::PORT)).of(self.class);
        // Under a name of its own a server is behind a reverse proxy: others reach it.
        let is_private = listen.ip().is_loopback() && self.names.is_empty();
        let builds = match self.builds {
            Some(Choice::Yes) => BuildAccess::Anyone,
            None if is_private && !self.class => BuildAccess::Local,
            Some(Choice::No) | None => BuildAccess::Nobody,
        };
        let settings = Settings {
            listen,
            names: self.names.clone(),
            origins: self.origins,
            memory: self.memory.memory(),
            builds,
            trusts_tables: self.trust_tables,
            thread_count: self.threads.count(),
            limits: Limits {
                time: self.time_limit.unwrap_or(Limits::default().time),
                // A proxy that does not show itself looks like this machine.
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
        progress.note(format_args!("listening on {url}"));
        if !is_private {
            let allows_builds = builds == BuildAccess::Anyone;
            let builds = if allows_builds { ", and build tables on it" } else { "" };
            progress.note(format_args!(
                "note: whoever reaches {} can search on this machine, see which tables it has{builds}; \
                 nothing is encrypted, and nobody is asked for a password",
                server.address()
            ));
        }
        if self.class {
            let port = server.address().port();
            let url = match self.names.first() {
                Some(name) => format!("http://{name}:{port}"),
                None => {
                    format!("http://{}", SocketAddr::new(number_for_others(server.address()), port))
                }
            };
            progress.note(format_args!("for the class: {url}"));
            if let Some(code) = qr_code(&url) {
                progress.note(code);
            }
        } else if !missing.is_empty() {
            let names: Vec<&str> = missing.iter().map(|spec| &*spec.name).collect();
            let folder = self.folder.named().map(|folder| format!("--db {} ", folder.display()));
            progress.note(format_args!(
                "note: tables of the page's lessons are missing; build them with: tilebase build {}{}",
                folder.unwrap_or_default(),
                names.join(" ")
            ));
        }
        if self.open {
            open(&url, progress);
        }
        interrupt::orderly(|| server.run(&interrupt::cancel()));
        Ok(Verdict::Ended)
    }
}

/// The number that others in the network reach a server by.
fn number_for_others(address: SocketAddr) -> IpAddr {
    if !address.ip().is_unspecified() {
        return address.ip();
    }
    // The system says which of its addresses it would send from. Nothing is sent.
    let from = |to: &str| {
        let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)).ok()?;
        socket.connect((to, 9)).ok()?;
        Some(socket.local_addr().ok()?.ip())
    };
    // An address of documentation, by the default route; then those of private networks.
    let known = ["192.0.2.1", "192.168.0.1", "10.0.0.1", "172.16.0.1"].into_iter().find_map(from);
    known.unwrap_or(address.ip())
}

/// A text as a QR code of half blocks, for a light text on a dark terminal, as most are. Readers of codes
/// take the opposite as well.
fn qr_code(text: &str) -> Option<String> {
    let code = QrCode::with_error_correction_level(text, EcLevel::L).ok()?;
    let mut renderer = code.render::<Dense1x2>();
    Some(renderer.dark_color(Dense1x2::Light).light_color(Dense1x2::Dark).build())
}

/// Opens a page in the browser of the desktop.
fn open(url: &str, progress: Progress) {
    let opener = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };
    let mut command = Command::new(opener);
    command.arg(url).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    match command.spawn() {
        Ok(mut child) => {
            // Somebody has to wait for it, and the server does not.
            let _ = thread::Builder::new().spawn(move || child.wait());
        }
        Err(error) => {
            progress
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
    fn a_qr_code_is_shown_on_a_terminal_as_it_is_drawn() {
        let code = qr_code("http://192.0.2.17:8015").unwrap();
        assert!(code.lines().count() >= 16, "{code}");
        assert_eq!(terminal_text(&code), code);
    }
}
