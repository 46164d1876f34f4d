//! The heuristics that need no table, one file each.

mod manhattan;

pub use manhattan::Manhattan;
