//! Solvers of integer programs, and shortest solutions found with them.
//!
//! The solver `MicroLp` is compiled in. Other solvers implement [`Solver`], or read a model from a
//! [file](crate::files) and write a [`SolutionFile`]. [`solve`] tries one horizon after the other.
//! Answers of solvers are checked: values against all rows, and moves on the board. Only the proof
//! that a model has no solution is not checked; `tilebase model --solve` compares it with a search.

mod check;
mod error;
mod horizons;
#[cfg(feature = "microlp")]
mod microlp;
mod record;
mod solution_file;
mod solver;

pub use error::SolveError;
pub use horizons::{Horizon, HorizonEvent, HorizonStatus, Outcome, Question, Status, solve};
#[cfg(feature = "microlp")]
pub use microlp::MicroLp;
pub use record::SolveRecord;
pub use solution_file::SolutionFile;
pub use solver::{Run, RunResult, Solver, SolverLimits, SolverProgress, StopReason, Watch};
