//! IDA*: plain, weighted, on many threads, and in parts that can be saved; and beams, which find
//! solutions without a proof.
//!
//! A search takes any implementation of [`Heuristic`](pdb_core::Heuristic), so it does not depend
//! on files or maps: the crates that own tables provide heuristics. This crate does no I/O; it
//! reads the clock for time limits, and starts the number of threads that the caller names.
//!
//! [`Solver`] searches one board or many: each thread runs several depth-first searches (*lanes*)
//! in turn, and changes to another one when a lane waits for memory. [`Solver::ida_star`] is plain
//! IDA*, with the node counts of the literature. Neither keeps boards, so they need hardly any
//! memory. [`weighted_ida_star`] trades length for time. [`Solver::try_claims`] decides whether a
//! board's distance is equal to a given lower bound. A board that takes hours is searched in
//! [`packets`]: parts of the search that can be saved, distributed and continued.
//! [`solve_by_lines`] has a long solution of every board at once. Beams make it shorter beside the
//! proof ([`Improvement`]), in an order that a network may give ([`LearnedOrder`]).
//!
//! ```
//! use pdb_core::{Board, Goal};
//! use pdb_search::{KORF_BLANK_LAST, Manhattan, Options, Solver, Status};
//!
//! let board: Board = "1 2 3/4 5 6/0 7 8".parse()?;
//! let goal = Goal::blank_last(board.shape());
//! let solver = Solver::new(Manhattan::new(&goal), &goal, KORF_BLANK_LAST)?;
//! let outcome = solver.ida_star(&board, &Options::default())?;
//! let Status::Optimal { moves } = outcome.status else {
//!     panic!("this board can be solved");
//! };
//! assert_eq!(pdb_core::notation::letters(&moves), "LL");
//! assert_eq!((outcome.generated, outcome.expanded), (3, 2));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Read next: [`Solver`], and [`Solver::ida_star`], which says what is counted. The heuristics of
//! the literature and the searches that keep boards are in `pdb-lab`.

mod beam;
mod beam_search;
pub mod checks;
mod claims;
mod counts;
mod error;
mod ida;
mod improver;
mod improving;
mod lane;
#[cfg(feature = "serde")]
pub mod letters;
pub mod limits;
mod lines;
mod manhattan;
mod mixed;
mod moves;
mod options;
mod order;
mod outcome;
pub mod packets;
mod pool;
mod progress;
mod rules;
mod run;
mod slide_lane;
mod slide_manhattan;
mod solver;
mod tree;
mod weight;
mod weighted_ida;

pub use beam::LayerTrace;
pub use beam_search::{beam_by_order, beam_search};
pub use claims::{Claim, Verdict};
pub use error::SearchError;
pub use improver::{AnySolution, Improvement};
pub use limits::{Guard, LimitKind, Limits};
pub use lines::solve_by_lines;
pub use manhattan::Manhattan;
pub use options::{KORF_BLANK_FIRST, KORF_BLANK_LAST, Options};
pub use order::{LazyOrder, LearnedOrder, OrderError, OrderHead, OrderNetwork};
pub use outcome::{Outcome, Status, StatusKind};
pub use pool::{Account, BoardList, Boards, Next, on_threads};
pub use progress::{BoundCount, Progress};
pub use slide_manhattan::{AxisDistances, SlideManhattan};
pub use solver::{Sharing, Solver, Work, solve_each};
pub use weight::{Weight, WeightError};
pub use weighted_ida::weighted_ida_star;
