//! Errors of solvers.

use crate::ModelError;

/// Reason why a solver returned no answer, or an answer that does not count.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SolveError {
    /// A solution file has no values of the model.
    #[error("cannot read the solution in {file}: line {line}: expected {expected}, found {found}")]
    Solution {
        /// The file's name.
        file: String,
        /// The line, from 1.
        line: usize,
        /// Expected text.
        expected: String,
        /// Text of the file.
        found: String,
    },
    /// The solver says two things of which one is wrong.
    #[error("{solver} contradicts itself: {first}, {second}; its answer does not count")]
    Contradiction {
        /// The solver's name.
        solver: String,
        /// One statement.
        first: String,
        /// The other statement.
        second: String,
    },
    /// A value is not a whole number.
    #[error(
        "{solver} says that {variable} is {value}: expected a whole number; its answer does not count"
    )]
    NotWhole {
        /// The solver's name.
        solver: String,
        /// The variable's name.
        variable: String,
        /// The value.
        value: f64,
    },
    /// The values do not satisfy the model, or their moves do not solve the board.
    #[error("the solution of {solver} is wrong, so it does not count: {source}")]
    NoSolution {
        /// The solver's name.
        solver: String,
        /// The failed check.
        source: Box<ModelError>,
    },
    /// A solver that is compiled in failed.
    #[error("{solver} failed: {reason}; give the model to another solver")]
    Internal {
        /// The solver's name.
        solver: &'static str,
        /// The solver's own error.
        reason: String,
    },
    /// The caller asked for any solution, but named no horizon.
    #[error("a first solution needs a horizon: name the number of moves")]
    NoHorizon,
    /// The model cannot be made.
    #[error(transparent)]
    Model(#[from] ModelError),
}

impl SolveError {
    pub(super) fn no_solution(solver: &str, source: ModelError) -> Self {
        Self::NoSolution { solver: solver.to_owned(), source: Box::new(source) }
    }
}
