//! Settings and limits of a server.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::time::Duration;

use tilebase::shelf::{Memory, core_count};
use tilebase_api::Client;

/// Reason why a client may not build tables.
const BUILD_REFUSAL: &str = "this server builds tables only for clients on its machine, without reverse proxy: \
    use the page there, or name another spec; or start it with --builds yes";

/// Settings of a server.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Address to listen on. Port 0 means any free port. Default: 127.0.0.1:8015, for clients on
    /// this machine.
    pub listen: SocketAddr,
    /// Host names of the server, beside `localhost` and addresses. Requests for other hosts are
    /// refused. Otherwise a foreign page could let its own host name point to this server, and then
    /// send requests to it (DNS rebinding).
    pub names: Vec<String>,
    /// Origins, such as `https://app.example`, whose pages may use the server.
    pub origins: Vec<String>,
    /// Folder of the tables.
    pub folder: PathBuf,
    /// Memory for tables and builds.
    pub memory: Memory,
    /// Clients that may build tables.
    pub builds: BuildAccess,
    /// Whether tables are used without a check of their digests.
    pub trusts_tables: bool,
    /// Number of threads of each group: quick searches, long searches, and reports. A build uses as
    /// many.
    pub thread_count: usize,
    /// Limits of requests.
    pub limits: Limits,
    /// Whether each request is logged on standard error. Lines are dropped if the program that
    /// reads them is too slow.
    pub logs: bool,
}

/// Whether a request comes directly from this machine. The middleware `guard` adds it to each
/// request.
#[derive(Clone, Copy, Debug)]
pub(crate) struct IsLocal(pub(crate) bool);

/// Clients that may build tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BuildAccess {
    /// No client.
    Nobody,
    /// Clients on the server's machine that use no reverse proxy. Their requests arrive over the
    /// loopback interface, name `localhost` or a loopback address as host, and have no headers of a
    /// proxy.
    Local,
    /// All clients.
    Anyone,
}

impl BuildAccess {
    fn allows(self, IsLocal(is_local): IsLocal) -> bool {
        self == Self::Anyone || (self == Self::Local && is_local)
    }
}

/// Limits of requests and connections.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Time limit of a request, including time in a queue. A request may ask for less.
    pub time: Duration,
    /// Largest time limit that a request from this machine may ask for; ignored if it is not larger
    /// than [`time`](Self::time). A request with a larger time limit than that has a node limit
    /// that is larger in proportion.
    pub local_time_max: Option<Duration>,
    /// Largest number of generated nodes of a request.
    pub nodes: u64,
    /// Memory limit of a request for counting solutions, for a search that keeps boards, and for
    /// the improvement of a solution, in bytes.
    pub memory_bytes: u64,
    /// Memory limit of all requests together for the same, in bytes. A request gets at most half of
    /// what the others have left.
    pub searches_memory_bytes: u64,
    /// Largest number of requests that wait for each group of threads: for quick searches, long
    /// searches, and reports, which are requests without a search.
    pub queue: usize,
    /// Largest number of open connections.
    pub connections: usize,
    /// Largest body of a request, in bytes.
    pub body_bytes: usize,
    /// Time limit for sending a request or taking a response, after which the connection is closed.
    pub transfer: Duration,
    /// Largest number of cached responses.
    pub remembered: usize,
    /// Time that open requests have to finish after the server was cancelled.
    pub grace: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        let tilebase_api::Limits { time, nodes, memory_bytes, .. } = tilebase_api::Limits::USUAL;
        Self {
            time,
            local_time_max: None,
            nodes,
            memory_bytes,
            searches_memory_bytes: 512 << 20,
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
    /// Returns the limits of a client's requests.
    fn of_client(&self, IsLocal(is_local): IsLocal) -> tilebase_api::Limits {
        let local = self.local_time_max.filter(|_| is_local);
        tilebase_api::Limits {
            time: self.time,
            time_max: local.unwrap_or_default().max(self.time),
            nodes: self.nodes,
            memory_bytes: self.memory_bytes,
        }
    }
}

impl Settings {
    /// Default port.
    pub const PORT: u16 = 8015;

    /// Returns the rights of a client.
    pub(crate) fn client(&self, is_local: IsLocal) -> Client {
        let limits = self.limits.of_client(is_local);
        let build_refusal = (!self.builds.allows(is_local)).then_some(BUILD_REFUSAL);
        Client { limits, build_refusal }
    }

    /// Returns settings that serve only clients on this machine. They may build tables in the
    /// folder.
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
