//! The clock of searches and builds, also in a browser.
//!
//! [`Instant`] reads the system's clock, unless the program hands in another by [`set_clock`]
//! before it searches or builds. The target `wasm32-unknown-unknown` has none, so its program does
//! that; a test does it to search for times of its own.
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

mod clock;

pub use clock::{Instant, set_clock};
