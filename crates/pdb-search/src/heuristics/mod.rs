//! The heuristics that need no table, one file each: [`Estimator`](pdb_core::Estimator)s.
//!
//! Each is admissible; which of them are consistent, what they cost and where they come from is
//! said with each. Each also tells the parts of a board's estimate, for people to read.

mod corner_tiles;
mod gaschnig;
mod inversion;
mod last_moves;
mod linear_conflict;
mod manhattan;
mod misplaced;
mod pairwise;

pub use corner_tiles::{CornerTiles, WrongCorner};
pub use gaschnig::{Gaschnig, JumpCycle};
pub use inversion::{InversionAxis, InversionDistance, Inversions};
pub use last_moves::{Ending, LastMoves};
pub use linear_conflict::{Line, LineConflict, LinearConflict};
pub use manhattan::Manhattan;
pub use misplaced::Misplaced;
pub use pairwise::{LINE_LEN_MAX, LineTooLong, PairGain, Pairs, Pairwise};
