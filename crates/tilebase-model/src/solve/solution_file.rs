//! Solutions that other programs have found.

use std::collections::BTreeMap;

use pdb_core::excerpt::printable_text;

use super::check::{solution, whole};
use super::{Run, SolveError, Solver, SolverLimits, SolverProgress, Watch};
use crate::Model;

/// Longest excerpt of a solution file in an error, in characters.
const EXCERPT_CHARS_MAX: usize = 80;

/// The solution file of a solver that has read the model of a board from a file.
///
/// Solvers write different files, but all of them write the name of a variable before its value,
/// with at most a `*` between. Everything else is skipped: cbc writes a number before the name,
/// SCIP a factor after the value, and glpsol the value of a long name on the next line. A variable
/// without a name in the file is 0, because some solvers leave out zeros.
#[derive(Clone, Debug)]
pub struct SolutionFile {
    name: String,
    text: String,
}

impl SolutionFile {
    /// Creates a solution from the name and the text of its file.
    pub fn new(name: String, text: String) -> Self {
        Self { name, text }
    }

    /// Returns the values in the order of the variables.
    fn values(&self, model: &Model) -> Result<Vec<i64>, SolveError> {
        let names = model.variables.iter().map(|variable| &variable.name[..]);
        let places: BTreeMap<&str, usize> =
            names.enumerate().map(|(place, name)| (name, place)).collect();
        let mut values = vec![None; model.variables.len()];
        let lines = self.text.lines().enumerate();
        let mut words =
            lines.flat_map(|(i, line)| line.split_whitespace().map(move |word| (i + 1, word)));
        while let Some((line, name)) = words.next() {
            let Some(&place) = places.get(name) else { continue };
            let word = words.find(|&(_, word)| word != "*").map_or("", |(_, word)| word);
            let Ok(value) = word.parse() else {
                return Err(self.error(line, format!("the value of {name}"), word));
            };
            if values[place].replace(whole(&self.name, name, value)?).is_some() {
                return Err(self.error(line, "each variable once".to_owned(), name));
            }
        }
        if values.iter().all(Option::is_none) {
            let first = self.text.lines().next().unwrap_or_default();
            let variable = model.variables.first().map_or("", |variable| &variable.name);
            let expected =
                format!("variables of this model and their values, such as {variable} 1");
            return Err(self.error(1, expected, first));
        }
        Ok(values.into_iter().map(Option::unwrap_or_default).collect())
    }

    fn error(&self, line: usize, expected: String, found: &str) -> SolveError {
        let excerpt: String = found.chars().take(EXCERPT_CHARS_MAX).collect();
        let found = if excerpt.is_empty() {
            "nothing".to_owned()
        } else {
            format!("`{}`", printable_text(&excerpt))
        };
        SolveError::Solution { file: self.name.clone(), line, expected, found }
    }
}

impl Solver for SolutionFile {
    fn name(&self) -> &str {
        &self.name
    }

    fn solve(&self, model: &Model, _: SolverLimits, _: &mut Watch<'_>) -> Result<Run, SolveError> {
        let result = solution(&self.name, model, self.values(model)?, false)?;
        Ok(Run { result, progress: SolverProgress::default() })
    }
}
