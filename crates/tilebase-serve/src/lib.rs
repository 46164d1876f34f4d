//! Tilebase over HTTP: an interface for programs, and a page for people.
//!
//! ```no_run
//! use tilebase_serve::{Server, Settings};
//! use tilebase::Cancel;
//! use tilebase::shelf::Shelf;
//!
//! let server = Server::listen(Settings::new(Shelf::usual_folder()?))?;
//! println!("http://{}", server.address());
//! server.run(&Cancel::new());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! 1. `server` accepts connections, and limits their number and slowness.
//! 2. `guard` checks the host and the origin of every request.
//! 3. `routes` passes requests on to [`tilebase_api`], which reads their parameters, and sends
//!    records and events.
//! 4. `worker_pool` has the threads that all requests share: for quick searches, for long searches,
//!    and for work without search.
//! 5. `place` gives `tilebase_api` the folder of the tables; `builds` builds tables.
//!
//! Requests cannot name files: specs are named, or sent as text.
//!
//! Read next: `docs/server.md`, then `routes/api.rs`, then `tilebase-api`.

mod builds;
mod guard;
mod lessons;
mod log;
mod metrics;
mod place;
mod response;
mod routes;
mod server;
mod settings;
mod state;
mod worker_pool;

use std::io;
use std::net::SocketAddr;

pub use lessons::{LESSON_SPECS, missing_lesson_specs};
pub use server::Server;
pub use settings::{BuildAccess, Limits, Settings};

/// Reason why a server cannot start.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServeError {
    /// The server cannot listen on the address.
    #[error(
        "cannot listen to {address}: {source}; {}",
        advice(source, "name another with --listen")
    )]
    Listen {
        /// The address.
        address: SocketAddr,
        /// The system's error.
        source: io::Error,
    },
    /// The system refuses threads or files.
    #[error(
        "cannot start the server: {}; {}", .0, advice(.0, "raise the limit on processes (ulimit -u)")
    )]
    Runtime(#[source] io::Error),
    /// A worker thread cannot start.
    #[error(transparent)]
    Threads(#[from] tilebase::Error),
}

/// Returns the advice for an error: the limit on open files if it was reached, else `usual`.
fn advice(error: &io::Error, usual: &'static str) -> &'static str {
    #[cfg(unix)]
    let is_of_files = [rustix::io::Errno::MFILE, rustix::io::Errno::NFILE]
        .iter()
        .any(|errno| error.raw_os_error() == Some(errno.raw_os_error()));
    #[cfg(windows)]
    let is_of_files = {
        // Windows has no limit but memory.
        let _ = error;
        false
    };
    if is_of_files { "raise the limit on open files (ulimit -n)" } else { usual }
}
