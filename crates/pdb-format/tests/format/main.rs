//! The meaning of a table's bytes, and damaged bytes.

mod example;
mod header;
#[cfg(feature = "manifest")]
mod manifest;
mod packing;
