//! Sliding-tile puzzles as integer programs, and as planning problems.
//!
//! [`encode`] formulates a board as an integer linear program, in one of two forms: [`neos()`], the
//! model of a published case study, and [`flow()`], a strict form that solvers finish much sooner.
//! The model is data: variables and rows. [`files`] writes it as a file, and [`solve`] runs solvers
//! on it, or takes a solution that another solver found. [`BoardModel::moves_of`] converts the
//! values of a solver to moves, after it has checked all rows and made the moves.
//!
//! ```
//! use pdb_core::{Board, Goal};
//! use tilebase_model::{Form, encode, files, horizon};
//!
//! let board: Board = "1 2 3/0 4 5".parse()?;
//! let goal = Goal::blank_last(board.shape());
//! let board_model = encode(Form::Flow, &board, &goal, horizon::least(&board, &goal)?)?;
//! assert!(files::write_lp(&board_model.model).contains("go_3_4_1"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`pddl`] writes a board for planners.
//!
//! This crate does not search, and opens no file.
//!
//! Read next: [`Model`], then [`flow()`] and its rows; `docs/integer-program.md` has both forms
//! written out.

mod board_model;
mod builder;
mod encode;
mod error;
pub mod files;
mod flow;
mod form;
pub mod horizon;
mod model;
mod neos;
pub mod pddl;
mod remaining;
pub mod solve;

pub use board_model::BoardModel;
pub use encode::encode;
pub use error::ModelError;
pub use flow::flow;
pub use form::{Form, UnknownForm, VARIABLE_COUNT_MAX};
pub use model::{Family, Model, Row, Sense, Term, Variable};
pub use neos::neos;
