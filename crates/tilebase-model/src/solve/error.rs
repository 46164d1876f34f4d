//! Errors of solvers.

use std::io;
use std::path::PathBuf;

use crate::ModelError;

/// Reason why a solver returned no answer, or an answer that does not count.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SolveError {
    /// No solver has this name.
    #[error(
        "there is no solver `{name}`: expected one of {known}, NAME=PATH for a program in another place, or \
         the path of a program with such a name"
    )]
    Unknown {
        /// The name as given.
        name: String,
        /// All names, separated by commas.
        known: String,
    },
    /// The solver is not compiled in.
    #[error(
        "{name} is not part of this build: build with the feature `{feature}`, or name another solver"
    )]
    NotBuilt {
        /// The solver's name.
        name: &'static str,
        /// The feature that compiles it in.
        feature: &'static str,
    },
    /// The program does not exist.
    #[error(
        "{solver} is not installed: expected the program {program}, found none; {install}, or name another solver"
    )]
    Missing {
        /// The solver's name.
        solver: &'static str,
        /// The program's path or name.
        program: PathBuf,
        /// How to install it.
        install: &'static str,
    },
    /// The program exists, but cannot be run.
    #[error("{solver} cannot be run: {program}: {source}; name an executable program")]
    NotRun {
        /// The solver's name.
        solver: &'static str,
        /// The program's path.
        program: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// An operation on the temporary folder failed.
    #[error("{solver} gets its model in a temporary folder, but {doing} failed: {source}")]
    Folder {
        /// The solver's name.
        solver: &'static str,
        /// The operation.
        doing: &'static str,
        /// The system's error.
        source: io::Error,
    },
    /// The program ended with an error.
    #[error("{solver} failed: expected exit status 0, found {status}{log}")]
    Failed {
        /// The solver's name.
        solver: &'static str,
        /// The exit status.
        status: String,
        /// Excerpt of the log, after a semicolon; empty if the log is empty.
        log: String,
    },
    /// The program ended without error, but neither log nor solution file contains a result.
    #[error(
        "{solver} gave no answer: expected a solution, or that there is none, found neither{log}"
    )]
    NoAnswer {
        /// The solver's name.
        solver: &'static str,
        /// Excerpt of the log, after a semicolon; empty if the log is empty.
        log: String,
    },
    /// The program's output exceeds a limit.
    #[error(
        "{solver} was ended: expected at most {limit_bytes} bytes of {what}, found more; is it the right program?"
    )]
    TooMuch {
        /// The solver's name.
        solver: &'static str,
        /// The output that is too long.
        what: &'static str,
        /// The limit.
        limit_bytes: u64,
    },
    /// The solution file has a syntax error.
    #[error(
        "the solution file of {solver} cannot be read: line {line}: expected {expected}, found {found}; its answer does not count"
    )]
    Solution {
        /// The solver's name.
        solver: &'static str,
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
    #[error("{solver} failed: {reason}; name another solver")]
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
    /// Returns a function that makes the error of an operation on the temporary folder.
    pub(super) fn folder(
        solver: &'static str,
        doing: &'static str,
    ) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::Folder { solver, doing, source }
    }

    pub(super) fn no_solution(solver: &str, source: ModelError) -> Self {
        Self::NoSolution { solver: solver.to_owned(), source: Box::new(source) }
    }
}
