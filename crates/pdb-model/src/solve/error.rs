//! Why a solver gave no answer.

use std::io;
use std::path::PathBuf;

use crate::ModelError;

/// Why a solver gave no answer, or one that is none.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SolveError {
    /// A name that no solver has.
    #[error(
        "there is no solver `{name}`: expected one of {known}, NAME=PATH for a program that is elsewhere, or \
         the path of a program with such a name"
    )]
    Unknown {
        /// The name as it was given.
        name: String,
        /// All names, with commas between them.
        known: String,
    },
    /// A solver that was not compiled in.
    #[error(
        "{name} is not part of this build: build with the feature `{feature}`, or name another solver"
    )]
    NotBuilt {
        /// The solver's name.
        name: &'static str,
        /// The feature that it takes.
        feature: &'static str,
    },
    /// The program is not there.
    #[error(
        "{solver} is not installed: expected the program {program}, found none; {install}, or name another solver"
    )]
    Missing {
        /// The solver's name.
        solver: &'static str,
        /// The program that was to be run.
        program: PathBuf,
        /// How it is installed.
        install: &'static str,
    },
    /// The program is there, but cannot be run.
    #[error("{solver} cannot be run: {program}: {source}; name a program that can")]
    NotRun {
        /// The solver's name.
        solver: &'static str,
        /// The program that was to be run.
        program: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// The model, or what the solver makes of it, cannot be written or read.
    #[error("{solver} gets its model in a temporary folder, but {doing} failed: {source}")]
    Folder {
        /// The solver's name.
        solver: &'static str,
        /// What was tried.
        doing: &'static str,
        /// What the system says.
        source: io::Error,
    },
    /// The program ended with an error.
    #[error("{solver} failed: expected it to end well, found {status}{said}")]
    Failed {
        /// The solver's name.
        solver: &'static str,
        /// How the program ended.
        status: String,
        /// The last that it printed, after a semicolon; nothing if it printed nothing.
        said: String,
    },
    /// The program ended well, but neither its log nor its file says what came of the model.
    #[error(
        "{solver} gave no answer: expected a solution, or that there is none, found neither{said}"
    )]
    NoAnswer {
        /// The solver's name.
        solver: &'static str,
        /// The last that it printed, after a semicolon; nothing if it printed nothing.
        said: String,
    },
    /// The program prints without end.
    #[error(
        "{solver} was ended: expected at most {limit_bytes} bytes of {what}, found more; is it the right program?"
    )]
    TooMuch {
        /// The solver's name.
        solver: &'static str,
        /// What is so long.
        what: &'static str,
        /// How long it may be.
        limit_bytes: u64,
    },
    /// The solution file is not what it should be.
    #[error(
        "the solution file of {solver} cannot be read: line {line}: expected {expected}, found {found}; its answer does not count"
    )]
    Solution {
        /// The solver's name.
        solver: &'static str,
        /// The line, from 1 on.
        line: usize,
        /// What should be there.
        expected: String,
        /// What is there.
        found: String,
    },
    /// The log says one thing, the solution file another one.
    #[error(
        "{solver} contradicts itself: its log says {log}, its solution file {file}; its answer does not count"
    )]
    Contradiction {
        /// The solver's name.
        solver: &'static str,
        /// What the log says.
        log: &'static str,
        /// What the file says.
        file: &'static str,
    },
    /// It says that there is no solution, and then finds one.
    #[error(
        "{solver} contradicts itself: it said that the horizon {ruled_out} has no solution, and found one of \
         length {found}; its answer does not count"
    )]
    Contradicts {
        /// The solver's name.
        solver: String,
        /// The horizon that has no solution, as it said.
        ruled_out: u32,
        /// The moves of the solution that it found.
        found: usize,
    },
    /// A value that is not a whole number.
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
    /// The values that it found are no solution.
    #[error("what {solver} found is no solution, so its answer does not count: {source}")]
    NoSolution {
        /// The solver's name.
        solver: String,
        /// What is wrong with it.
        source: Box<ModelError>,
    },
    /// A solver that is compiled in could not go on.
    #[error("{solver} could not go on: {reason}; name another solver")]
    Internal {
        /// The solver's name.
        solver: &'static str,
        /// What it says.
        reason: String,
    },
    /// A number of moves, for which any solution would do, was not named.
    #[error(
        "the first solution of which horizon? Expected a number of moves that there is room for, found none: name one"
    )]
    NoHorizon,
    /// There is no such model.
    #[error(transparent)]
    Model(#[from] ModelError),
}
