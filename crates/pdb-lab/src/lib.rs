//! Every heuristic and every search by its name, opened once and used from any number of threads.
//!
//! A [`HeuristicName`] is read from text; [`Engine::open`] makes it a heuristic with its tables open,
//! which can be searched with in every way there is ([`SearchName`]). This crate is the one place
//! where searches are compiled for the types of heuristics. It opens no file: tables come from
//! whoever asks for an engine.
//!
//! ```
//! use pdb_core::{Board, Goal};
//! use pdb_lab::{Engine, EngineError, HeuristicName};
//! use pdb_search::{Status, Work};
//!
//! let board: Board = "8 6 7/2 5 4/3 0 1".parse()?;
//! let goal = Goal::blank_last(board.shape());
//! let name = HeuristicName::parse("max(linear-conflict, inversion)", goal.shape(), &|_| None)?;
//! // There is no table to open.
//! let open = &mut |_: &str, _: &_| -> Result<_, EngineError> { unreachable!() };
//! let engine = Engine::open(&name, &goal, open)?;
//! let outcome = engine.solve(&board, &Work::default())?;
//! assert!(matches!(outcome.status, Status::Optimal { moves } if moves.len() == 31));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Read next: [`Engine`], then [`HeuristicName`] and [`SearchName`].
#![forbid(unsafe_code)]

mod engine;
mod error;
mod heuristic_name;
mod kind;
mod max;
mod order;
mod search_name;
mod searches;
mod walking_inversion;

pub use engine::Engine;
pub use error::EngineError;
pub use heuristic_name::{Basic, FindSpec, HeuristicName, ReadNet};
pub use kind::Open;
pub use search_name::SearchName;

/// A maximum has so many parts at most.
pub(crate) const PARTS_MAX: usize = 4;
