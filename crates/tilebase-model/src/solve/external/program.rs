//! The description of an external solver.

use std::process::Command;

use super::super::{SolveError, SolverLimits, SolverProgress};
use super::solution::{ReportedSolution, SolutionReader, SolverVerdict};
use crate::Model;

/// Name of the solution file in the folder that a program runs in.
pub(super) const SOLUTION: &str = "solution";

/// A program that solves integer programs.
#[derive(Debug)]
pub(in super::super) struct SolverProgram {
    /// The program's usual name.
    pub(super) name: &'static str,
    /// How to install it.
    pub(super) install: &'static str,
    /// Writes the model in the format that the program reads best.
    pub(super) write: fn(&Model) -> String,
    /// Name of the model's file.
    pub(super) model_file: &'static str,
    /// Adds the arguments of the command line.
    pub(super) add_arguments: fn(&mut Command, &ProgramInput<'_>),
    /// Reads a line of the log.
    pub(super) line: fn(&str, &mut LogState),
    /// Reads the solution file.
    pub(super) read: fn(SolutionReader<'_>) -> Result<ReportedSolution, SolveError>,
    /// Content of the solution file.
    pub(super) solution_file: SolutionFile,
}

/// Content of a program's solution file. Only the log has the rest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SolutionFile {
    /// The verdict, and values if there is a solution.
    All,
    /// The same, but the file of a model without a solution may have the verdict of a stopped run.
    NotInfeasible,
    /// Values. Without a solution there is no file.
    Values,
}

/// Input of a command line. Files are in the folder that the program runs in.
pub(super) struct ProgramInput<'a> {
    /// The model's file.
    pub(super) model: &'a str,
    pub(super) limits: SolverLimits,
    /// Arguments from the user.
    pub(super) options: &'a [String],
}

impl ProgramInput<'_> {
    /// Returns the time limit in seconds.
    pub(super) fn seconds(&self) -> Option<f64> {
        self.limits.time.map(|time| time.as_secs_f64())
    }
}

/// State that a log has reported so far.
#[derive(Clone, Copy, Debug, Default)]
pub(in super::super) struct LogState {
    pub(in super::super) progress: SolverProgress,
    pub(in super::super) verdict: Option<SolverVerdict>,
}

/// Parses a number of a log, such as `12`, `1.5e+02`, `12k`, `3.5%` or `0.1s`.
pub(super) fn number(text: &str) -> Option<f64> {
    let text = text.trim().trim_end_matches(['%', 's', ',', ')']);
    let factor = match text.chars().next_back() {
        Some('k') => 1e3,
        Some('m' | 'M') => 1e6,
        _ => 1.0,
    };
    // Some programs write 1e+50 for an unknown value.
    let value: f64 = text.trim_end_matches(['k', 'm', 'M']).parse().ok()?;
    Some(value * factor).filter(|value| value.abs() < 1e30)
}

/// Parses the number that follows a text in a line of a log.
pub(super) fn number_after(line: &str, text: &str) -> Option<f64> {
    let (_, rest) = line.split_once(text)?;
    number(rest.split_whitespace().next()?)
}

/// Parses a percentage as a fraction.
pub(super) fn percentage(text: &str) -> Option<f64> {
    number(text).map(|percent| percent / 100.0)
}
