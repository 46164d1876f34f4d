//! The searches and the heuristics beside what is slow and obvious.

#![allow(clippy::unwrap_used, reason = "a test fails where it unwraps")]

mod common;
mod heuristics;
mod ida;
mod packets;
mod parts;
mod searches;
mod solutions;
mod solver;
mod weight;
