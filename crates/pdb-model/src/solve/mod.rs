//! Solvers of integer programs, and the question that is asked of them: how many moves does a board need?
//!
//! [`solver`] finds a solver by its name: one that is compiled in, or a program of this machine. Any other
//! one is a [`Solver`] as soon as it takes a [`Model`](crate::Model). [`solve`] asks it for one horizon after
//! the other. Nothing that a solver says is believed: values are held against all rows, and moves are made
//! on the board. Only that a model has no solution is taken from it, and `tilebase model --solve` holds that
//! against a search.

mod error;
mod external;
#[cfg(feature = "highs")]
mod highs;
mod horizons;
#[cfg(feature = "microlp")]
mod microlp;
mod names;
mod record;
mod solver;

pub use error::SolveError;
pub use external::External;
#[cfg(feature = "highs")]
pub use highs::Highs;
pub use horizons::{Event, Horizon, HorizonStatus, Outcome, Question, Status, solve};
#[cfg(feature = "microlp")]
pub use microlp::MicroLp;
pub use names::{DEFAULT, built_in, names, solver};
pub use record::{HorizonRecord, SolveRecord};
pub use solver::{Found, Limits, Progress, Run, Solver, Stop, Watch};
