//! What a table's bytes mean, and what happens when they are damaged.

mod example;
mod header;
#[cfg(feature = "manifest")]
mod manifest;
mod packing;
