//! Moves of a board: the distance after each, checks of given moves, and all solutions.

mod check;
mod solutions;
mod values;

pub use check::MoveCheck;
pub use solutions::{LengthCount, SolutionOptions, SolutionSet};
pub use values::{MoveValue, MoveValues};
