//! Reading of solution files.

use std::collections::BTreeMap;

use pdb_core::excerpt::printable_text;

use super::super::SolveError;
use super::super::check::whole;
use crate::Model;

/// Longest excerpt of a solution file in an error, in characters.
const EXCERPT_CHARS_MAX: usize = 80;

/// The result of a model, as a log or a solution file reports it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum SolverVerdict {
    /// There is a solution, and it is optimal.
    Optimal,
    /// There is a solution.
    Feasible,
    /// There is no solution.
    Infeasible,
    /// The program stopped before it knew.
    Stopped,
}

impl SolverVerdict {
    pub(super) fn text(self) -> &'static str {
        match self {
            Self::Optimal => "that an optimal solution was found",
            Self::Feasible => "that a solution was found",
            Self::Infeasible => "that there is no solution",
            Self::Stopped => "that it was stopped",
        }
    }

    /// Returns whether a solution belongs to this verdict.
    pub(super) fn has_solution(self) -> bool {
        matches!(self, Self::Optimal | Self::Feasible)
    }
}

/// The content of a solution file.
#[derive(Debug)]
pub(super) struct ReportedSolution {
    pub(super) verdict: SolverVerdict,
    /// Values in the order of the variables, if the file has some.
    pub(super) values: Option<Vec<i64>>,
}

/// A solution file that is read line by line, and the values read so far.
pub(super) struct SolutionReader<'a> {
    solver: &'static str,
    lines: std::str::Lines<'a>,
    line_number: usize,
    pub(super) model: &'a Model,
    places: BTreeMap<&'a str, usize>,
    values: Vec<Option<i64>>,
}

impl<'a> SolutionReader<'a> {
    pub(super) fn new(solver: &'static str, text: &'a str, model: &'a Model) -> Self {
        let names = model.variables.iter().map(|variable| &variable.name[..]);
        Self {
            solver,
            lines: text.lines(),
            line_number: 0,
            model,
            places: names.enumerate().map(|(place, name)| (name, place)).collect(),
            values: vec![None; model.variables.len()],
        }
    }

    /// Returns the next line, or `None` at the end.
    pub(super) fn next(&mut self) -> Option<&'a str> {
        self.line_number += 1;
        self.lines.next()
    }

    /// Returns the next line, which must exist.
    pub(super) fn expect(&mut self, expected: &str) -> Result<&'a str, SolveError> {
        self.next().ok_or_else(|| self.error(expected, "the end"))
    }

    /// Reads a line with exactly this text.
    pub(super) fn expect_text(&mut self, text: &str) -> Result<(), SolveError> {
        let expected = format!("`{text}`");
        let line = self.expect(&expected)?;
        if line == text { Ok(()) } else { Err(self.error(expected, line)) }
    }

    /// Returns the error of the last line that was read.
    pub(super) fn error(&self, expected: impl Into<String>, found: &str) -> SolveError {
        let found = if found.is_empty() {
            "nothing".to_owned()
        } else {
            let excerpt: String = found.chars().take(EXCERPT_CHARS_MAX).collect();
            format!("`{}`", printable_text(&excerpt))
        };
        let (solver, line) = (self.solver, self.line_number);
        SolveError::Solution { solver, line, expected: expected.into(), found }
    }

    /// Takes the value of a variable from the last line.
    pub(super) fn set(&mut self, name: &str, value: &str) -> Result<(), SolveError> {
        match self.places.get(name) {
            Some(&place) => self.set_at(place, value),
            None => Err(self.error("a variable of the model", name)),
        }
    }

    /// Takes the value of the variable at a place from the last line.
    pub(super) fn set_at(&mut self, place: usize, value: &str) -> Result<(), SolveError> {
        let number = value.parse().map_err(|_| self.error("the value of a variable", value))?;
        let name = &self.model.variables[place].name;
        if self.values[place].replace(whole(self.solver, name, number)?).is_some() {
            return Err(self.error("each variable once", name));
        }
        Ok(())
    }

    /// Reads a line with the name and the value of a variable.
    pub(super) fn set_named(&mut self, line: &str) -> Result<(), SolveError> {
        match line.split_once(' ') {
            Some((name, value)) => self.set(name, value.trim()),
            None => Err(self.error("a name and a value", line)),
        }
    }

    /// Returns the answer of a format that lists every variable.
    pub(super) fn answer(mut self, verdict: SolverVerdict) -> Result<ReportedSolution, SolveError> {
        let missing = self.values.iter().position(Option::is_none);
        if let Some(place) = missing.filter(|_| verdict.has_solution()) {
            self.line_number += 1;
            let expected = format!("a value of {}", self.model.variables[place].name);
            return Err(self.error(expected, "the end"));
        }
        let values = verdict.has_solution().then(|| self.values.into_iter().flatten().collect());
        Ok(ReportedSolution { verdict, values })
    }

    /// Returns the answer of a format that leaves out variables of value 0.
    pub(super) fn sparse_answer(self, verdict: SolverVerdict) -> ReportedSolution {
        let values = self.values.into_iter().map(Option::unwrap_or_default).collect();
        ReportedSolution { verdict, values: Some(values) }
    }
}
