//! An integer program as data: variables and rows, with their meaning.

use std::fmt;

use serde::Serialize;

use crate::ModelError;

/// An integer linear program that is to be minimised.
///
/// The order of rows and variables depends only on the board, the goal and the form, so the same
/// call gives the same bytes everywhere.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Model {
    /// Name: letters, digits and `_`, beginning with a letter.
    pub name: String,
    /// Description, for the head of a file.
    pub comments: Vec<String>,
    /// Variables. Rows refer to their indices.
    pub variables: Vec<Variable>,
    /// Rows, family by family.
    pub rows: Vec<Row>,
    /// Families of rows, in the order of the rows.
    pub families: Vec<Family>,
    /// The objective to minimise. Empty if any solution will do.
    #[serde(rename = "minimise")]
    pub objective: Vec<Term>,
}

/// An integer variable.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Variable {
    /// Unique name: letters, digits and `_`, beginning with a letter. Every file format accepts it.
    pub name: String,
    /// The least value.
    pub low: i64,
    /// The greatest value. A variable from 0 to 1 is binary.
    pub high: i64,
}

/// A variable with a factor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(into = "(i64, usize)")]
pub struct Term {
    /// The factor, which is not 0.
    pub factor: i64,
    /// The variable's index in [`Model::variables`].
    pub variable: usize,
}

impl From<Term> for (i64, usize) {
    fn from(term: Term) -> Self {
        (term.factor, term.variable)
    }
}

/// Comparison of the two sides of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub enum Sense {
    /// The left side is at most the right one.
    #[serde(rename = "<=")]
    AtMost,
    /// The left side is at least the right one.
    #[serde(rename = ">=")]
    AtLeast,
    /// Both are equal.
    #[serde(rename = "=")]
    Equal,
}

/// A row: a sum of terms on the left, a number on the right.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Row {
    /// Unique name.
    pub name: String,
    /// Index of the family in [`Model::families`].
    pub family: usize,
    /// The left side. It has no variable twice.
    pub terms: Vec<Term>,
    /// The comparison.
    pub sense: Sense,
    /// The right side.
    pub right: i64,
}

/// Rows with the same meaning for different tiles, cells or periods.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Family {
    /// Name, which is the prefix of its rows' names.
    pub name: String,
    /// Meaning of its rows, in one line.
    pub meaning: String,
}

impl Model {
    /// Checks that values, in the order of the variables, satisfy all bounds and rows.
    ///
    /// # Errors
    /// [`ModelError::ValueCount`], [`ModelError::OutOfBounds`] for the first variable out of its
    /// bounds, [`ModelError::Broken`] for the first violated row.
    pub fn check(&self, values: &[i64]) -> Result<(), ModelError> {
        if values.len() != self.variables.len() {
            let (expected, found) = (self.variables.len(), values.len());
            return Err(ModelError::ValueCount { expected, found });
        }
        for (variable, &found) in self.variables.iter().zip(values) {
            let Variable { name, low, high } = variable;
            if !(*low..=*high).contains(&found) {
                let (variable, low, high) = (name.clone(), *low, *high);
                return Err(ModelError::OutOfBounds { variable, low, high, found });
            }
        }
        match self.rows.iter().find(|row| !row.holds(values)) {
            None => Ok(()),
            Some(row) => Err(ModelError::Broken {
                row: row.name.clone(),
                meaning: self.families[row.family].meaning.clone(),
                left: sum(&row.terms, values),
                expected: format!("{} {}", row.sense, row.right),
            }),
        }
    }

    /// Returns each variable's factor in the objective.
    pub fn costs(&self) -> Vec<f64> {
        let mut costs = vec![0.0; self.variables.len()];
        for term in &self.objective {
            costs[term.variable] += term.factor as f64;
        }
        costs
    }
}

impl Row {
    /// Returns whether values, in the order of the variables, satisfy the row.
    pub fn holds(&self, values: &[i64]) -> bool {
        let (left, right) = (sum(&self.terms, values), i128::from(self.right));
        match self.sense {
            Sense::AtMost => left <= right,
            Sense::AtLeast => left >= right,
            Sense::Equal => left == right,
        }
    }
}

/// Sums up in 128 bits, because values from a solver may be of any size.
fn sum(terms: &[Term], values: &[i64]) -> i128 {
    let product = |term: &Term| i128::from(term.factor) * i128::from(values[term.variable]);
    terms.iter().map(product).sum()
}

impl Variable {
    /// Returns whether the bounds are 0 and 1.
    pub fn is_binary(&self) -> bool {
        (self.low, self.high) == (0, 1)
    }
}

/// `<=`, `>=` or `=`.
impl fmt::Display for Sense {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::AtMost => "<=",
            Self::AtLeast => ">=",
            Self::Equal => "=",
        })
    }
}
