//! Heuristics compared with true distances, searches compared with simple ones, names, networks.
#![allow(clippy::unwrap_used, reason = "a test fails where it unwraps")]

#[path = "../../../pdb-search/tests/search/common.rs"]
mod common;
mod heuristics;
mod inversion;
mod max;
mod names;
#[cfg(feature = "net")]
mod networks;
mod orders;
mod parts;
#[cfg(feature = "rate")]
mod pattern_cost;
mod searches;
mod solutions;
