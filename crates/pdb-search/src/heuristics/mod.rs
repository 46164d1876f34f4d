//! The heuristics that need no table, one file each.
//!
//! Each is admissible; which of them are consistent, what they cost and where they come from is
//! said with each. Each also tells the parts of a board's estimate, for people to read. [`Max`](pdb_core::Max) and [`Sum`](pdb_core::Sum) put two of them together.

mod corner_tiles;
mod gaschnig;
mod inversion;
mod last_moves;
mod linear_conflict;
mod manhattan;
mod misplaced;
mod pairwise;
mod refined;

pub use corner_tiles::{CornerTiles, Corners, WrongCorner};
pub use gaschnig::{Cycles, Gaschnig, JumpCycle};
pub use inversion::{InversionAxis, InversionDistance, Inversions, Reading, inversion_distance};
pub use last_moves::{Ending, Endings, LastMoves};
pub use linear_conflict::{ConflictNode, Line, LineCodes, LineConflict, LinearConflict};
pub use manhattan::Manhattan;
pub use misplaced::Misplaced;
pub use pairwise::{LINE_LEN_MAX, LineTooLong, PairGain, Pairs, PairsNode, Pairwise};
pub use refined::{Addition, Refined, RefinedNode, RefinedState};
