//! Small, strict readers of the formats.

mod gams;
mod json;

use std::collections::BTreeMap;

use tilebase_model::Model;

pub(crate) use gams::gams;
pub(crate) use json::json;

/// A sum: factors by the names of variables.
pub(crate) type Sum = BTreeMap<String, i64>;

/// An integer program, in no order.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Program {
    /// The least and the greatest value of each variable, all of which take whole numbers.
    pub(crate) variables: BTreeMap<String, (i64, i64)>,
    /// Left side, comparison and right side of each row.
    pub(crate) rows: BTreeMap<String, (Sum, String, i64)>,
    /// The objective to minimise.
    pub(crate) objective: Sum,
}

impl Program {
    pub(crate) fn of(model: &Model) -> Self {
        let sum = |terms: &[tilebase_model::Term]| {
            let named = |term: &tilebase_model::Term| {
                (model.variables[term.variable].name.clone(), term.factor)
            };
            terms.iter().map(named).collect::<Sum>()
        };
        let rows = model
            .rows
            .iter()
            .map(|row| (row.name.clone(), (sum(&row.terms), row.sense.to_string(), row.right)));
        let variables = model.variables.iter();
        Self {
            variables: variables.map(|v| (v.name.clone(), (v.low, v.high))).collect(),
            rows: rows.collect(),
            objective: sum(&model.objective),
        }
    }

    /// Adds a variable, which must be new.
    fn add_variable(&mut self, name: &str, bounds: (i64, i64)) {
        assert_eq!(self.variables.insert(name.to_owned(), bounds), None, "{name} is there twice");
    }

    /// Adds a row, which must be new and have terms.
    fn add_row(&mut self, name: &str, row: (Sum, String, i64)) {
        assert!(!row.0.is_empty(), "{name} is empty");
        assert_eq!(self.rows.insert(name.to_owned(), row), None, "{name} is there twice");
    }

    /// Checks that all variables of rows and objective are declared.
    fn checked(self) -> Self {
        let sums = self.rows.values().map(|row| &row.0).chain([&self.objective]);
        for name in sums.flat_map(Sum::keys) {
            assert!(self.variables.contains_key(name), "{name} is not declared");
        }
        self
    }
}

/// Returns whether a word is a name.
fn is_name(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_alphabetic())
        && word.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// Reads words such as `- 3*x + y`.
fn sum<'a>(words: impl IntoIterator<Item = &'a str>) -> Sum {
    let mut sum = Sum::new();
    let mut sign = None;
    for word in words {
        match word {
            "+" | "-" => {
                assert_eq!(sign, None, "a sign where a term should be");
                sign = Some(if word == "-" { -1 } else { 1 });
            }
            _ => {
                // Only the first term may go without a sign.
                assert!(sign.is_some() || sum.is_empty(), "{word} has no sign");
                let (factor, name) = word.split_once('*').unwrap_or(("1", word));
                assert!(is_name(name), "{name} is no name");
                let value = sign.take().unwrap_or(1) * factor.parse::<i64>().unwrap();
                assert_eq!(sum.insert(name.to_owned(), value), None, "{name} is there twice");
            }
        }
    }
    assert_eq!(sign, None, "the sum does not end");
    // 0 times a variable says nothing.
    sum.retain(|_, factor| *factor != 0);
    sum
}
