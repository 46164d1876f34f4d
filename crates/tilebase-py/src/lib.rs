//! The Python package `tilebase`: what the library does, for numpy and notebooks.
//!
//! This is the compiled half, `tilebase._tilebase`. It turns Python's objects and bytes into boards, lets
//! Python's other threads run while the library works, and turns what comes of it into Python's objects
//! and exceptions. The half that people import is in `python/tilebase/`: there are the arrays, the names
//! and the documentation. Neither searches, opens or draws anything itself.
//!
//! Without the feature `python` this library is empty, so that nobody needs Python to build Tilebase.
//! `pip install ./crates/tilebase-py` asks for it.
//!
//! ```text
//! >>> import tilebase
//! >>> tables = tilebase.Tables.ensure("8/whole")
//! >>> tilebase.Solver(tables).solve("8 6 7/2 5 4/3 0 1").length
//! 31
//! ```
//!
//! Read next: `docs/python.md`, then `python/tilebase/__init__.py`, which lists what there is; of this half
//! `wait.rs`, which everything goes through that takes long.
#![forbid(unsafe_code)]
#![cfg_attr(
    feature = "python",
    allow(
        clippy::needless_pass_by_value,
        clippy::trivially_copy_pass_by_ref,
        reason = "functions that Python calls own what they make of its objects, and only see objects of ours"
    )
)]

#[cfg(feature = "python")]
mod arrays;
#[cfg(feature = "python")]
mod board;
#[cfg(feature = "python")]
mod errors;
#[cfg(feature = "python")]
mod files;
#[cfg(feature = "python")]
mod handle;
#[cfg(feature = "python")]
mod model;
#[cfg(feature = "python")]
mod module;
#[cfg(feature = "python")]
mod picture;
#[cfg(feature = "python")]
mod sets;
#[cfg(feature = "python")]
mod spec;
#[cfg(feature = "python")]
mod stream;
#[cfg(feature = "python")]
mod wait;
