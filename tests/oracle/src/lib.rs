//! Slow and simple reference answers for tests.
//!
//! This crate checks the others, so it shares no code, types or tricks with them. A board is a
//! slice of `rows * cols` tiles in row order, 0 for the blank; cells are counted from 0 at the top
//! left. Answers come from exhaustive searches and are in ordered maps, so that tests can iterate
//! over them.
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
//! Read next: [`additive_pattern_distances`] and [`plain_pattern_distances`]. Every pattern table
//! is compared with them.

mod alone;
mod board;
mod matching;
mod pattern;
mod random;
mod slides;
mod solutions;
mod walking;

pub use alone::is_alone;
pub use board::{Distances, distances, is_solvable, manhattan, replay};
pub use matching::largest_matching;
pub use pattern::{
    PatternDistances, additive_pattern_distances, collapsed, plain_pattern_distances,
};
pub use random::Random;
pub use slides::{SlideDistances, slide_distances};
pub use solutions::{shortest_solution_counts, solutions_of_length};
pub use walking::{WalkingDistances, WalkingState, walking_distances};

/// Returns whether the environment variable `TILEBASE_LONG_TESTS` asks for long tests. They try
/// every case, take minutes more, and have never failed where the short ones passed. Each test
/// documents the cases that it otherwise skips.
pub fn are_long() -> bool {
    std::env::var_os("TILEBASE_LONG_TESTS").is_some_and(|value| !value.is_empty())
}
