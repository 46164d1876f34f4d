//! The compiled half of the Python package `tilebase`, `tilebase._tilebase`.
//!
//! It turns Python's objects and bytes into boards, lets Python's other threads run while the
//! library works, and turns the results into Python's objects and exceptions. The other half,
//! `python/tilebase/`, has the arrays, the public names and the documentation. Neither half
//! searches, opens or draws anything itself.
//!
//! Without the feature `python` this library is empty, so that building Tilebase does not need
//! Python. `pip install ./crates/tilebase-py` enables it.
//!
//! ```text
//! >>> import tilebase
//! >>> tables = tilebase.Tables.ensure("8/whole")
//! >>> tilebase.Solver(tables).solve("8 6 7/2 5 4/3 0 1").length
//! 31
//! ```
//!
//! Read next: `docs/python.md`, then `python/tilebase/__init__.py`, which lists the public names;
//! in this half `wait.rs`, which runs all long work.
#![cfg(feature = "python")]
#![allow(
    clippy::needless_pass_by_value,
    clippy::trivially_copy_pass_by_ref,
    reason = "functions that Python calls own what they make of its objects, and only see objects of ours"
)]

mod arrays;
mod board;
mod errors;
mod files;
mod handle;
mod improvements;
mod model;
mod module;
mod own;
mod picture;
mod record;
mod sets;
mod spec;
mod stream;
mod wait;
