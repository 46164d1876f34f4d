//! Tests that need more than one crate. They are one program, so it is linked once, and both cores
//! have work until the last test.

#![allow(clippy::unwrap_used, reason = "a test fails where it unwraps")]
#![allow(clippy::print_stdout, reason = "tests say what they leave out")]

mod cut_files;
mod damaged_payloads;
mod data;
mod every_board;
mod explanations;
mod goldens;
mod heuristics_page;
mod korf_nodes;
mod larger_boards;
mod limits;
mod memory;
mod oracle;
mod sharing;
mod signatures;
mod solutions;
mod specs_page;
mod watching;
