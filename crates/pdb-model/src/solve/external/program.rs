//! What one program does in another way than the next.

use pdb_core::notation::printable_text;

use super::super::{Limits, Progress, SolveError};
use super::values::Answer;
use crate::Model;

/// A program that solves integer programs.
#[derive(Debug)]
pub(in super::super) struct Program {
    /// The program's usual name.
    pub(super) name: &'static str,
    /// How it is installed.
    pub(super) install: &'static str,
    /// Writes the model, in the format that the program reads best.
    pub(super) write: fn(&Model) -> String,
    /// How the model's file is called.
    pub(super) model_file: &'static str,
    /// The words of the command line.
    pub(super) arguments: fn(&Job<'_>) -> Vec<String>,
    /// Looks at a line of the log.
    pub(super) line: fn(&str, &mut Said),
    /// Reads the solution file.
    pub(super) read: fn(&str, &Model) -> Result<Answer, Mistake>,
    /// What its solution file says.
    pub(super) solution_file: SolutionFile,
}

/// What the solution file of a program says; what it does not say is in the log alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SolutionFile {
    /// What came of the model, and values where there are any.
    All,
    /// The same, but a model that has no solution may be one of which nothing is known.
    NotInfeasible,
    /// Values. There is no file without a solution.
    Values,
}

/// What a command line is made of. Files are in the folder that the program runs in.
pub(super) struct Job<'a> {
    /// The model.
    pub(super) model: &'a str,
    /// Where the solution goes.
    pub(super) solution: &'a str,
    /// Limits.
    pub(super) limits: Limits,
    /// What else was asked for.
    pub(super) options: &'a [String],
}

impl Job<'_> {
    /// The limit of time in seconds.
    pub(super) fn seconds(&self) -> Option<f64> {
        self.limits.time.map(|time| time.as_secs_f64())
    }
}

/// What a log has said so far.
#[derive(Clone, Copy, Debug, Default)]
pub(in super::super) struct Said {
    pub(in super::super) progress: Progress,
    pub(in super::super) verdict: Option<Verdict>,
}

/// What a program says of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum Verdict {
    /// There is a solution, and none is better.
    Optimal,
    /// There is a solution.
    Feasible,
    /// There is none.
    Infeasible,
    /// It ended before it knew.
    Stopped,
}

impl Verdict {
    pub(super) fn text(self) -> &'static str {
        match self {
            Self::Optimal => "that an optimal solution was found",
            Self::Feasible => "that a solution was found",
            Self::Infeasible => "that there is no solution",
            Self::Stopped => "that it was stopped",
        }
    }

    /// Whether a solution goes with it.
    pub(super) fn has_solution(self) -> bool {
        matches!(self, Self::Optimal | Self::Feasible)
    }
}

/// What is wrong with a solution file.
#[derive(Debug)]
pub(super) enum Mistake {
    /// A line that is not what it should be: its number, what was expected, and what is there.
    Line(usize, String, String),
    /// A value that is not a whole number.
    NotWhole(String, f64),
}

impl Mistake {
    pub(super) fn line(line: usize, expected: impl Into<String>, found: &str) -> Self {
        let found: String = if found.is_empty() {
            "nothing".to_owned()
        } else {
            format!("`{}`", printable_text(&found.chars().take(80).collect::<String>()))
        };
        Self::Line(line, expected.into(), found)
    }

    pub(super) fn error(self, solver: &'static str) -> SolveError {
        match self {
            Self::Line(line, expected, found) => {
                SolveError::Solution { solver, line, expected, found }
            }
            Self::NotWhole(variable, value) => {
                SolveError::NotWhole { solver: solver.to_owned(), variable, value }
            }
        }
    }
}

/// A number of a log, such as `12`, `1.5e+02`, `12k`, `3.5%` or `0.1s`.
pub(super) fn number(text: &str) -> Option<f64> {
    let text = text.trim().trim_end_matches(['%', 's', ',', ')']);
    let (digits, factor) = match text.strip_suffix('k') {
        Some(digits) => (digits, 1e3),
        None => match text.strip_suffix('m').or_else(|| text.strip_suffix('M')) {
            Some(digits) => (digits, 1e6),
            None => (text, 1.0),
        },
    };
    // Some programs write 1e+50 for what they do not know.
    let value: f64 = digits.parse().ok()?;
    Some(value * factor).filter(|value| value.abs() < 1e30)
}

/// The number of a log after some words.
pub(super) fn number_after(line: &str, words: &str) -> Option<f64> {
    let (_, rest) = line.split_once(words)?;
    number(rest.split_whitespace().next()?)
}
