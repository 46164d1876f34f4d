//! The clock of searches and builds, also in a browser.
//!
//! [`Instant`] is the standard library's on every system with a clock. The target
//! `wasm32-unknown-unknown` has none: there, the program hands one in by `set_clock` before it
//! searches or builds.
//!
//! ```
//! use pdb_clock::Instant;
//!
//! let begun = Instant::now();
//! assert!(Instant::now() >= begun);
//! ```
//!
//! It has no other job: it knows no calendar and waits for nothing. Read next: `tilebase-web`,
//! whose page has the clock.

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
mod host;

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub use host::{Instant, set_clock};
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub use std::time::Instant;
