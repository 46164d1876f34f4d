//! Slow, plain, obviously right answers for tests.
//!
//! This crate judges the others, so it shares nothing with them: no code, no types, no tricks. A
//! board is a slice of `rows * cols` tiles in row order, 0 for the blank; cells are counted from 0
//! at the top left. Answers come from searching everything, in ordered maps, so that tests can walk
//! through them.
//!
//! ```
//! use pdb_oracle::{distances, replay};
//!
//! let goal = [1, 2, 3, 4, 5, 6, 7, 8, 0];
//! let all = distances(3, 3, &goal);
//! assert_eq!(all.len(), 181_440);
//!
//! let board = replay(3, 3, &goal, "DDRR").expect("the moves are possible");
//! assert_eq!(all[&board], 4);
//! ```
//!
//! Read next: [`additive_pattern_distances`] and [`plain_pattern_distances`], which every pattern
//! table is held against.
#![forbid(unsafe_code)]

mod board;
mod matching;
mod pattern;
mod random;
mod search;
mod solutions;
mod walking;

pub use board::{Distances, distances, is_solvable, manhattan, replay};
pub use matching::largest_matching;
pub use pattern::{
    PatternDistances, additive_pattern_distances, collapsed, plain_pattern_distances,
};
pub use random::Random;
pub use search::ida_star_md;
pub use solutions::{shortest_solution_counts, solutions_of_length};
pub use walking::{WalkingDistances, WalkingState, walking_distance_of, walking_distances};

/// Returns whether tests take the time for all that they could try, which `TILEBASE_LONG_TESTS`
/// asks for: what takes minutes more and has never failed where the rest passed. Each of them says
/// what it leaves out.
pub fn are_long() -> bool {
    std::env::var_os("TILEBASE_LONG_TESTS").is_some_and(|value| !value.is_empty())
}
