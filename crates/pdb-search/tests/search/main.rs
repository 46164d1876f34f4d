//! IDA* compared with breadth-first search.

#![allow(clippy::unwrap_used, reason = "a test fails where it unwraps")]

mod beams;
mod claims;
mod common;
mod ida;
mod improving;
mod lines;
mod order;
mod packets;
mod slides;
mod solver;
mod weight;
