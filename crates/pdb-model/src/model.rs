//! An integer program as data: variables, rows, and what they are for.

use std::fmt;

use crate::ModelError;

/// An integer linear program that is to be minimised.
///
/// Rows and variables are in an order that depends on the board, the goal and the form alone, so that the
/// same call gives the same bytes everywhere.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Model {
    /// What it is called: letters, digits and `_`, beginning with a letter.
    pub name: String,
    /// Lines of text that say what it is, for the head of a file.
    pub comments: Vec<String>,
    /// The variables; rows name them by their places here.
    pub variables: Vec<Variable>,
    /// The rows, family by family.
    pub rows: Vec<Row>,
    /// What the families of rows are, in the order of the rows.
    pub families: Vec<Family>,
    /// What is minimised: variables with their factors. Nothing where any solution will do.
    pub objective: Vec<Term>,
}

/// A variable, which takes whole numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// Its name, unlike any other variable's: letters, digits and `_`, beginning with a letter. Every
    /// format of file takes it as it is.
    pub name: String,
    /// The least value.
    pub low: i64,
    /// The greatest value. A variable from 0 to 1 is binary.
    pub high: i64,
}

/// A factor, and the place of a variable in [`Model::variables`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Term {
    /// The factor, which is not 0.
    pub factor: i64,
    /// The variable's place.
    pub variable: usize,
}

/// How the two sides of a row compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sense {
    /// The left side is at most the right one.
    AtMost,
    /// The left side is at least the right one.
    AtLeast,
    /// Both are equal.
    Equal,
}

/// A row: a sum of terms on the left, a number on the right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Its name, unlike any other row's.
    pub name: String,
    /// The place of its family in [`Model::families`].
    pub family: usize,
    /// The left side; no variable is there twice.
    pub terms: Vec<Term>,
    /// How the sides compare.
    pub sense: Sense,
    /// The right side.
    pub right: i64,
}

/// Rows that say the same of different tiles, cells or periods.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Family {
    /// Its name, which the names of its rows begin with.
    pub name: String,
    /// One line that says what its rows mean.
    pub meaning: String,
}

impl Model {
    /// Whether values, in the order of the variables, keep all bounds and rows.
    pub fn is_feasible(&self, values: &[i64]) -> bool {
        self.check(values).is_ok()
    }

    /// What keeps values, in the order of the variables, from being a solution.
    ///
    /// # Errors
    /// [`ModelError::ValueCount`], [`ModelError::OutOfBounds`] for the first variable that is out of its
    /// bounds, [`ModelError::Broken`] for the first row that does not hold.
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

    /// What the objective comes to.
    pub fn objective_of(&self, values: &[i64]) -> i64 {
        sum(&self.objective, values) as i64
    }
}

impl Row {
    /// Whether values, in the order of the variables, keep it.
    pub fn holds(&self, values: &[i64]) -> bool {
        let (left, right) = (sum(&self.terms, values), i128::from(self.right));
        match self.sense {
            Sense::AtMost => left <= right,
            Sense::AtLeast => left >= right,
            Sense::Equal => left == right,
        }
    }
}

/// Values come from solvers, so that nothing is said about their size.
fn sum(terms: &[Term], values: &[i64]) -> i128 {
    let product = |term: &Term| i128::from(term.factor) * i128::from(values[term.variable]);
    terms.iter().map(product).sum()
}

impl Variable {
    /// Whether it is 0 or 1.
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
