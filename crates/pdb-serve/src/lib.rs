//! Tilebase over HTTP: an interface for programs, and a page for people.
//!
//! ```no_run
//! use pdb_serve::{Server, Settings};
//! use tilebase::{Cancel, Shelf};
//!
//! let server = Server::listen(Settings::new(Shelf::usual_folder()?))?;
//! println!("http://{}", server.address());
//! server.run(&Cancel::new());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! 1. `server` takes connections, as many as there may be and as slow as they may be.
//! 2. `guard` looks at every request: which host it is meant for, and which page it comes from.
//! 3. `routes` read the parameters, have them answered, and write records.
//! 4. `desk` is the pool of threads that all requests share: for quick searches, for long ones behind
//!    them, and for what searches nothing.
//! 5. `tables` keeps handles of tables by the names of spec and goal; `builds` builds tables.
//!
//! Nothing that a request says leads to a file: specs are named, or sent as text.
//!
//! Read next: `docs/server.md`, then `routes`.
#![forbid(unsafe_code)]

mod builds;
mod desk;
mod guard;
mod lessons;
mod log;
mod memory;
mod metrics;
mod params;
mod problem;
mod routes;
mod server;
mod settings;
mod state;
mod tables;

use std::io;
use std::net::SocketAddr;

pub use lessons::{LESSON_SPECS, missing_lesson_specs};
pub use server::Server;
pub use settings::{BuildAccess, Limits, Settings};

/// Why there is no server.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServeError {
    /// An address that cannot be listened to.
    #[error(
        "cannot listen to {address}: {source}; {}",
        advice(source, "name another with --listen")
    )]
    Listen {
        /// The address.
        address: SocketAddr,
        /// What the operating system said.
        source: io::Error,
    },
    /// The system starts no threads, or opens no more files.
    #[error(
        "cannot start the server: {}; {}", .0, advice(.0, "raise the limit on processes (ulimit -u)")
    )]
    Runtime(#[source] io::Error),
    /// The pool of searches cannot be started.
    #[error(transparent)]
    Threads(#[from] tilebase::Error),
}

/// What to do about an error: raise the limit on open files if that was reached, else what is usual.
fn advice(error: &io::Error, usual: &'static str) -> &'static str {
    let is_of_files = [rustix::io::Errno::MFILE, rustix::io::Errno::NFILE]
        .iter()
        .any(|errno| error.raw_os_error() == Some(errno.raw_os_error()));
    if is_of_files { "raise the limit on open files (ulimit -n)" } else { usual }
}
