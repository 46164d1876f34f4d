//! What a server may do, and how much of it.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::time::Duration;

use tilebase::{Memory, core_count};

/// What a server may do, and how much of it.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Where it listens; port 0 takes one that is free. Default: 127.0.0.1:8015, which only this machine
    /// reaches.
    pub listen: SocketAddr,
    /// The names, beside `localhost` and numbers, that clients may call it by. A request under another
    /// name is refused, so that no other page can reach the server through a name of its own.
    pub names: Vec<String>,
    /// Origins such as `https://app.example` whose pages may ask the server, beside its own.
    pub origins: Vec<String>,
    /// The folder of the tables.
    pub folder: PathBuf,
    /// The memory that tables and builds may use.
    pub memory: Memory,
    /// The clients that may build tables.
    pub builds: BuildAccess,
    /// Whether tables are taken as they are, without holding them against their digests.
    pub trusts_tables: bool,
    /// How many threads search, and how many build.
    pub thread_count: usize,
    /// How much a request may take, and all of them.
    pub limits: Limits,
    /// Whether a line is written to standard error for each request. Where nobody reads them, or not as
    /// fast, some are left out.
    pub logs: bool,
}

/// Whether a request comes straight from this machine. The guard adds it to each request.
#[derive(Clone, Copy, Debug)]
pub(crate) struct IsLocal(pub(crate) bool);

/// The clients that may build tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BuildAccess {
    /// None.
    Nobody,
    /// Those on the server's machine that do not come through a reverse proxy: a request over the
    /// loopback interface, for `localhost` or a loopback number, without headers of a proxy.
    Local,
    /// All.
    Anyone,
}

impl BuildAccess {
    pub(crate) fn allows(self, IsLocal(is_local): IsLocal) -> bool {
        self == Self::Anyone || (self == Self::Local && is_local)
    }
}

/// How much a request may take, and all of them together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The time of a request that names none, waiting included. A request may ask for less.
    pub time: Duration,
    /// The longest time that a request from this machine may ask for, if that is more than
    /// [`time`](Self::time). Its node limit grows in proportion.
    pub local_time_max: Option<Duration>,
    /// The most nodes that are generated for a request.
    pub nodes: u64,
    /// The most bytes that counting the solutions of a board may use.
    pub memory_bytes: u64,
    /// The most requests that wait in each lane: quick searches, long ones, and reports.
    pub queue: usize,
    /// The most connections at once.
    pub connections: usize,
    /// The largest body of a request, in bytes.
    pub body_bytes: usize,
    /// The longest time to send or to take what is due, before a connection is closed.
    pub transfer: Duration,
    /// How many answers are remembered.
    pub remembered: usize,
    /// How long requests may go on after the server was told to end.
    pub grace: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            time: Duration::from_mins(1),
            local_time_max: None,
            nodes: 20_000_000_000,
            memory_bytes: 256 << 20,
            queue: 256,
            connections: 2000,
            body_bytes: 64 << 10,
            transfer: Duration::from_secs(10),
            remembered: 1 << 16,
            grace: Duration::from_secs(3),
        }
    }
}

impl Limits {
    /// The longest time that a request may ask for.
    pub(crate) fn time_max(&self, IsLocal(is_local): IsLocal) -> Duration {
        let local = self.local_time_max.filter(|_| is_local);
        local.unwrap_or_default().max(self.time)
    }

    /// The most nodes for a request of some time: more of both where it is longer than others.
    pub(crate) fn nodes_within(&self, time: Duration) -> u64 {
        let times = (time.as_secs_f64() / self.time.as_secs_f64()).ceil();
        self.nodes.saturating_mul(times as u64).max(self.nodes)
    }
}

impl Settings {
    /// The usual port.
    pub const PORT: u16 = 8015;

    /// A server for this machine alone, with the tables of a folder, which may build.
    pub fn new(folder: PathBuf) -> Self {
        Self {
            listen: (Ipv4Addr::LOCALHOST, Self::PORT).into(),
            names: Vec::new(),
            origins: Vec::new(),
            folder,
            memory: Memory::ALL,
            builds: BuildAccess::Local,
            trusts_tables: false,
            thread_count: core_count(),
            limits: Limits::default(),
            logs: false,
        }
    }
}
