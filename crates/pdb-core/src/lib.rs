//! The sliding-tile puzzle as arithmetic: boards, moves, parity, symmetry, patterns, regions,
//! ranking, plans and the two contracts of heuristics, [`Heuristic`] and [`Estimator`].
//!
//! This crate does no I/O, reads no clock and starts no thread, and depends on nothing.
//!
//! ```
//! use pdb_core::{Board, Goal};
//!
//! let board: Board = "0 12 9 13/15 11 10 14/3 7 2 5/4 8 6 1".parse()?;
//! let goal = Goal::blank_last(board.shape());
//! goal.check_solvable(&board)?;
//! assert_eq!(goal.manhattan_distance(&board), 58);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Read next: [`index`], which numbers the states of a pattern, then [`plan`], which lists the
//! tables of a partition.

mod board;
mod branching;
pub mod colours;
mod distances;
mod drawing;
mod dual;
mod estimator;
pub mod excerpt;
mod heuristic;
pub mod index;
mod metric;
pub mod notation;
pub mod numbers;
pub mod plan;
pub mod processor;
mod ranking;
pub mod region;
mod root_error;
mod shape;
mod slide_heuristic;
mod symmetry;
mod threads;

pub use board::{Attempt, BLANK, Board, Direction, Goal, IllegalMove, Unsolvable};
pub use colours::{ColourIndex, ColourKey, ColourState};
pub use distances::TileDistances;
pub use dual::Dual;
pub use estimator::{AsHeuristic, Estimator, Expansion, FirstLook, Memo, NOTES_MAX};
pub use heuristic::{Heuristic, Slide};
pub use index::{
    BlankMode, IndexError, PATTERN_TILES_MAX, PatternIndex, PatternState, binomial, factorial,
};
pub use metric::{Axis, Metric};
pub use plan::{DualPlan, PatternKey, Plan, PlanError, PlanKind, TableKey, WalkingKey};
pub use root_error::RootError;
pub use shape::{BoardError, CELLS_MAX, Cell, CellSet, Shape};
pub use slide_heuristic::SlideHeuristic;
pub use symmetry::Symmetry;
pub use threads::{STACK_BYTES, lock, thread_builder};
