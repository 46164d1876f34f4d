//! Values that a solver found, as whole numbers.

use std::collections::BTreeMap;

use super::super::SolveError;
use super::program::{Mistake, Verdict};
use crate::Model;

/// Solvers keep whole numbers to within 1e-6 or so.
const TOLERANCE: f64 = 1e-5;
/// No variable of ours has larger values.
const LARGEST: f64 = 1e15;

/// What a solution file says.
#[derive(Debug)]
pub(super) struct Answer {
    pub(super) verdict: Verdict,
    /// The values in the order of the variables, where there are any.
    pub(super) values: Option<Vec<i64>>,
}

/// A value that should be a whole number.
pub(in super::super) fn whole(solver: &str, variable: &str, value: f64) -> Result<i64, SolveError> {
    rounded(value).ok_or_else(|| SolveError::NotWhole {
        solver: solver.to_owned(),
        variable: variable.to_owned(),
        value,
    })
}

fn rounded(value: f64) -> Option<i64> {
    let is_whole = value.abs() <= LARGEST && (value - value.round()).abs() <= TOLERANCE;
    is_whole.then(|| value.round() as i64)
}

/// The values of named variables, each of which is told at most once.
pub(super) struct Values<'a> {
    places: BTreeMap<&'a str, usize>,
    names: Vec<&'a str>,
    found: Vec<Option<i64>>,
}

impl<'a> Values<'a> {
    pub(super) fn of(model: &'a Model) -> Self {
        let names: Vec<&str> = model.variables.iter().map(|v| v.name.as_str()).collect();
        let places = names.iter().enumerate().map(|(place, &name)| (name, place)).collect();
        Self { places, found: vec![None; names.len()], names }
    }

    /// Takes the value of a variable from a line.
    pub(super) fn set(&mut self, line: usize, name: &str, value: &str) -> Result<(), Mistake> {
        let Some(&place) = self.places.get(name) else {
            return Err(Mistake::line(line, "a variable of the model", name));
        };
        self.set_at(line, place, value)
    }

    /// Takes the value of the variable at a place.
    pub(super) fn set_at(&mut self, line: usize, place: usize, value: &str) -> Result<(), Mistake> {
        let Some(slot) = self.found.get_mut(place) else {
            let expected = format!("one of {} variables", self.names.len());
            return Err(Mistake::line(line, expected, &(place + 1).to_string()));
        };
        let number: f64 =
            value.parse().map_err(|_| Mistake::line(line, "the value of a variable", value))?;
        let name = self.names[place];
        let whole = rounded(number).ok_or_else(|| Mistake::NotWhole(name.to_owned(), number))?;
        if slot.replace(whole).is_some() {
            return Err(Mistake::line(line, "each variable once", name));
        }
        Ok(())
    }

    /// All values; `line` is where the file ends.
    pub(super) fn all(self, line: usize) -> Result<Vec<i64>, Mistake> {
        let missing = self.found.iter().position(Option::is_none);
        if let Some(place) = missing {
            let expected = format!("a value of {}", self.names[place]);
            return Err(Mistake::line(line, expected, "the end"));
        }
        Ok(self.found.into_iter().flatten().collect())
    }

    /// All values, of formats that leave out what is 0.
    pub(super) fn all_or_0(self) -> Vec<i64> {
        self.found.into_iter().map(Option::unwrap_or_default).collect()
    }
}

/// The lines of a file with their numbers.
pub(super) struct Lines<'a> {
    lines: std::str::Lines<'a>,
    /// The number of the last line that was taken.
    pub(super) number: usize,
}

impl<'a> Lines<'a> {
    pub(super) fn of(text: &'a str) -> Self {
        Self { lines: text.lines(), number: 0 }
    }

    /// The next line, or nothing at the end.
    pub(super) fn next(&mut self) -> Option<&'a str> {
        self.number += 1;
        self.lines.next()
    }

    /// The next line, which must be there.
    pub(super) fn expect(&mut self, what: &str) -> Result<&'a str, Mistake> {
        let number = self.number + 1;
        self.next().ok_or_else(|| Mistake::line(number, what, "the end"))
    }

    /// The mistake of the line that was taken last.
    pub(super) fn mistake(&self, expected: impl Into<String>, found: &str) -> Mistake {
        Mistake::line(self.number, expected, found)
    }
}
