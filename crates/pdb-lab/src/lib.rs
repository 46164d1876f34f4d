//! The laboratory: every heuristic and every search by its name, for comparison, teaching and
//! study.
//!
//! - [`heuristics`]: the heuristics of the literature that need no pattern database.
//! - [`searches`]: the searches that keep boards, and the search for all solutions.
//! - [`parts`]: the parts of an estimate, in the same form for every heuristic.
//! - `networks`: learned heuristics, with the feature `net`.
//! - `pattern_cost`: values of patterns without a table, with the feature `rate`.
//! - [`HeuristicName`] and [`SearchName`] read names; a [`SearchRow`] has the properties of a
//!   search; [`Engine`] is an open heuristic with all searches. IDA* is compiled here for each form
//!   of tables, and nowhere else.
//!
//! This crate opens no file: tables come from the caller.
//!
//! ```
//! use pdb_core::{Board, Goal};
//! use pdb_lab::{Engine, EngineError, HeuristicName};
//! use pdb_search::{Status, Work};
//!
//! let board: Board = "8 6 7/2 5 4/3 0 1".parse()?;
//! let goal = Goal::blank_last(board.shape());
//! let list = "max(linear-conflict, inversion)";
//! let names = HeuristicName::parse_list(list, goal.shape(), &|_| None, &|_| None)?;
//! // There is no table to open.
//! let open = &mut |_: &str, _: &_| -> Result<_, EngineError> { unreachable!() };
//! let engine = Engine::open(&names[0], &goal, open)?;
//! let outcome = engine.solve(&board, &Work::default())?;
//! assert!(matches!(outcome.status, Status::Optimal { moves } if moves.len() == 31));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Read next: [`Engine`], then [`heuristics`].

mod engine;
mod error;
mod excess;
mod forms;
mod heuristic_name;
pub mod heuristics;
#[cfg(feature = "net")]
pub mod networks;
mod open_heuristic;
mod orders;
mod own;
pub mod parts;
#[cfg(feature = "rate")]
pub mod pattern_cost;
mod registry;
mod search_name;
pub mod searches;

pub use engine::Engine;
pub use error::EngineError;
pub use heuristic_name::{FindSpec, HeuristicName, ReadNet};
pub use heuristics::Basic;
pub use open_heuristic::Open;
pub use orders::learned_order;
pub use own::OwnHeuristic;
pub use registry::{Estimates, Param, Proof, SearchRow};
pub use search_name::SearchName;
