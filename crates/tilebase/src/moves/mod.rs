//! The moves of a board: the distance after each, a check of given moves, all solutions.

mod check;
mod solutions;
mod values;

pub use check::MoveCheck;
pub use solutions::{LengthCount, SolutionOptions, SolutionSet};
pub use values::{MoveValue, MoveValues};
