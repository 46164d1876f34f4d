//! IDA* and its relatives, and the heuristics that need no table.
//!
//! A search takes anything that keeps the [`Heuristic`](pdb_core::Heuristic) contract, so it knows
//! nothing about files or maps: tables come to it from the crates that own them. This crate does no
//! I/O; it reads the clock for time limits, and starts threads only where it is told how many.
//!
//! Two searches for a shortest solution need hardly any memory: [`ida_star`] is plain IDA*, with the
//! node counts of the literature; [`Solver`] is the fast one, for one board or many. Three others keep
//! every board they meet: [`best_first()`], which is A* or one of its weighted and greedy relatives, and
//! [`batch_best_first`], which expands many boards at once;
//! [`bidirectional()`], from both ends; and [`breadth_first()`], without estimates.
//! [`weighted_ida_star`] trades length for time without memory. [`solutions()`] finds all solutions of a
//! length, and [`Solver::try_claims`] says whether a board is as near as it may be. A board that takes hours goes through
//! [`packets`]: a list of pieces of the search that can be written down, shared out and gone on with.
//!
//! ```
//! use pdb_core::{Board, Goal};
//! use pdb_search::{Options, Status, solve_manhattan};
//!
//! let board: Board = "1 2 3/4 5 6/0 7 8".parse()?;
//! let goal = Goal::blank_last(board.shape());
//! let outcome = solve_manhattan(&goal, &board, &Options::default())?;
//! let Status::Optimal { moves } = outcome.status else {
//!     panic!("this board can be solved");
//! };
//! assert_eq!(pdb_core::notation::letters(&moves), "LL");
//! assert_eq!((outcome.generated, outcome.expanded), (3, 2));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Read next: [`ida_star`], which says what is counted and in which order moves are tried, then
//! [`Solver`], [`best_first()`] and [`heuristics`].
#![forbid(unsafe_code)]

mod best_first;
mod bidirectional;
mod breadth_first;
mod claims;
mod counts;
mod depth_first;
mod error;
pub mod heuristics;
mod ida;
mod lane;
mod limits;
mod moves;
mod opening;
mod options;
mod outcome;
pub mod packets;
mod pool;
mod progress;
mod solution;
mod solutions;
mod solver;
mod store;
mod tree;
mod weight;
mod weighted_ida;

pub use best_first::{Ranking, batch_best_first, best_first};
pub use bidirectional::bidirectional;
pub use breadth_first::breadth_first;
pub use claims::{Claim, Verdict};
pub use error::SearchError;
pub use heuristics::Manhattan;
pub use ida::{ida_star, solve_manhattan};
pub use limits::{LimitKind, Limits};
pub use options::{KORF_BLANK_FIRST, KORF_BLANK_LAST, Options};
pub use outcome::{Outcome, Status};
pub use pool::{Boards, Next, on_threads};
pub use progress::{BoundCount, Progress};
pub use solutions::{Enumeration, Further, Tell, Wanted, solutions};
pub use solver::{Sharing, Solver, Work, solve_each};
pub use weight::{Weight, WeightError};
pub use weighted_ida::weighted_ida_star;
