//! Tilebase in a browser: the solver behind the page, as WebAssembly.
//!
//! A worker of the page owns a [`PageSolver`]. The page's script gives it requests with the
//! addresses of the server and gets the same records, errors and events. Tables are built in memory
//! and kept by the script; the solver reads one when a board needs it, and checks its digests.
//!
//! ```
//! use std::sync::{Arc, Mutex};
//!
//! use tilebase_web::{Host, PageSolver};
//!
//! /// A page that stores nothing, and keeps the last response.
//! #[derive(Debug, Default)]
//! struct Page(Mutex<String>);
//!
//! impl Host for Page {
//!     fn start(&self, status: u16, _: &str) {
//!         *self.0.lock().unwrap() = format!("{status} ");
//!     }
//!     fn send(&self, part: &[u8]) {
//!         self.0.lock().unwrap().push_str(str::from_utf8(part).unwrap());
//!     }
//!     fn store(&self, _: &str, _: &[u8]) {}
//!     fn read(&self, _: &str, _: usize) -> Option<Vec<u8>> {
//!         None
//!     }
//!     fn known_digest(&self, _: &str) -> Option<String> {
//!         None
//!     }
//!     fn random(&self) -> u64 {
//!         7
//!     }
//! }
//!
//! let page = Arc::new(Page::default());
//! let solver = PageSolver::new(page.clone());
//! let url = "/v1/moves?board=1,2,3/4,5,6/0,7,8";
//! solver.answer(&format!(r#"{{"method":"GET","url":"{url}","accept":"","body":""}}"#));
//! assert!(page.0.lock().unwrap().starts_with("200 {\"board\":\"1 2 3/4 5 6/0 7 8\""));
//! ```
//!
//! It draws nothing, stores nothing, and needs no thread. The functions that a script calls, and
//! those that it provides, are in `exports.rs`, for WebAssembly alone. Read next: `place.rs`, then
//! the crate `tilebase-api`, which answers.

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub mod exports;
mod host;
mod place;
mod solver;
mod tables;

pub use host::Host;
pub use solver::PageSolver;
