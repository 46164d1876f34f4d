//! The heuristics that need no table, one file each, and what makes two heuristics one.

mod both;
mod manhattan;

pub use both::{Both, Combine, Larger, Max, Sum, Together};
pub use manhattan::Manhattan;
