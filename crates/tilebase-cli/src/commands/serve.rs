//! `tilebase serve`: the tables over HTTP, and a page in the browser.

use std::net::{Ipv4Addr, SocketAddr};
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use pdb_serve::{BuildAccess, Limits, Server, Settings};

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
    ("for others in the network, under the name tiles.local", "tilebase serve --listen 0.0.0.0:8015 --host tiles.local"),
]))]
pub(crate) struct Args {
    /// Where to listen: an address and a port, or a port of this machine alone; port 0 takes a free one
    #[arg(long, value_name = "ADDRESS", default_value = Settings::LISTEN, value_parser = address,
        help_heading = help::SERVER)]
    listen: SocketAddr,
    /// Open the page in the browser
    #[arg(long, help_heading = help::SERVER)]
    open: bool,
    /// A name that the server may be called by, beside localhost and numbers; several times for several
    #[arg(long = "host", value_name = "NAME", help_heading = help::SERVER)]
    names: Vec<String>,
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

/// Reads an address with a port, or a port alone.
fn address(text: &str) -> Result<SocketAddr, String> {
    if let Ok(port) = text.strip_prefix(':').unwrap_or(text).parse::<u16>() {
        return Ok((Ipv4Addr::LOCALHOST, port).into());
    }
    let number = text.replace("localhost:", "127.0.0.1:").parse();
    number
        .map_err(|_| "expected an address with a port such as 127.0.0.1:8015, or a port".to_owned())
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
        // Under a name of its own a server is behind a reverse proxy: others reach it.
        let is_private = self.listen.ip().is_loopback() && self.names.is_empty();
        let builds = match self.builds {
            Some(Choice::Yes) => BuildAccess::Anyone,
            None if is_private => BuildAccess::Local,
            Some(Choice::No) | None => BuildAccess::Nobody,
        };
        let settings = Settings {
            listen: self.listen,
            names: self.names,
            memory: self.memory.memory(),
            builds,
            trusts_tables: self.trust_tables,
            thread_count: self.threads.count(),
            limits: Limits {
                time: self.time_limit.unwrap_or(Limits::default().time),
                local_time_max: (self.time_limit.is_none() && is_private).then_some(DAY),
                nodes: self.node_limit,
                queue: self.queue,
                connections: self.connections,
                remembered: self.remember,
                ..Limits::default()
            },
            logs: self.log,
            ..Settings::new(self.folder.path()?)
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
        if self.open {
            open(&url, progress);
        }
        interrupt::orderly(|| server.run(&interrupt::cancel()));
        Ok(Verdict::Ended)
    }
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
