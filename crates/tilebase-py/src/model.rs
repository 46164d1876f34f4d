//! Boards as integer programs.

use std::path::PathBuf;

use pyo3::prelude::*;
use pyo3::types::PyByteArray;
use tilebase::pdb_gen::write_output;
use tilebase::text::{letters, parse_moves};
use tilebase_model::{BoardModel, Form, ModelError, Sense, encode, files, horizon};

use crate::arrays::bytes_of;
use crate::board::{Board, Goal};
use crate::errors::{ErrorClass, Failure, Result, named, raise};

impl From<ModelError> for Failure {
    fn from(error: ModelError) -> Self {
        let kind = match error {
            ModelError::Unsolvable(_) => ErrorClass::UnsolvableError,
            ModelError::OtherShape { .. } => ErrorClass::BoardError,
            ModelError::TooLarge { .. } => ErrorClass::LimitError,
            _ => ErrorClass::ModelError,
        };
        raise(kind, error.to_string())
    }
}

/// A function that writes a model in a format of files.
type Writer = fn(&tilebase_model::Model) -> String;

/// The model of a board.
#[pyclass(frozen, module = "tilebase._tilebase")]
#[derive(Debug)]
pub(crate) struct Program(BoardModel);

#[pymethods]
impl Program {
    #[new]
    fn new(
        py: Python<'_>,
        board: &Board,
        goal: &Goal,
        form: &str,
        horizon: Option<u32>,
    ) -> Result<Self> {
        let form: Form = form.parse().map_err(|error| {
            raise(ErrorClass::ArgumentError, ModelError::from(error).to_string())
        })?;
        let (board, goal) = (board.0, goal.0);
        let make = || {
            let horizon = horizon.map_or_else(|| horizon::least(&board, &goal), Ok)?;
            encode(form, &board, &goal, horizon)
        };
        Ok(Self(py.detach(make)?))
    }

    #[getter]
    fn horizon(&self) -> u32 {
        self.0.horizon()
    }

    #[getter]
    fn form(&self) -> &'static str {
        self.0.form().name()
    }

    /// Returns the names of the variables, and of the rows.
    fn names(&self) -> (Vec<&str>, Vec<&str>) {
        let model = &self.0.model;
        let variables = model.variables.iter().map(|variable| &*variable.name).collect();
        (variables, model.rows.iter().map(|row| &*row.name).collect())
    }

    /// Returns the least and the greatest value of each variable, and its factor in the objective;
    /// 8 bytes each.
    fn variables(&self, py: Python<'_>) -> [Py<PyByteArray>; 3] {
        let model = &self.0.model;
        let factors = model.costs();
        let lows = model.variables.iter().map(|variable| variable.low as f64);
        let highs = model.variables.iter().map(|variable| variable.high as f64);
        let bytes = f64::to_le_bytes;
        [bytes_of(py, lows, bytes), bytes_of(py, highs, bytes), bytes_of(py, factors, bytes)]
    }

    /// Returns the matrix by its rows, 8 bytes a number: where rows begin, columns, factors, the
    /// least and the greatest left sides.
    fn rows(&self, py: Python<'_>) -> [Py<PyByteArray>; 5] {
        let rows = &self.0.model.rows;
        let mut ends = vec![0i64];
        let (mut columns, mut factors) = (Vec::new(), Vec::new());
        for terms in rows.iter().map(|row| &row.terms) {
            columns.extend(terms.iter().map(|term| term.variable as i64));
            factors.extend(terms.iter().map(|term| term.factor as f64));
            ends.push(columns.len() as i64);
        }
        let low = |row: &tilebase_model::Row| match row.sense {
            Sense::AtMost => f64::NEG_INFINITY,
            Sense::AtLeast | Sense::Equal => row.right as f64,
        };
        let high = |row: &tilebase_model::Row| match row.sense {
            Sense::AtLeast => f64::INFINITY,
            Sense::AtMost | Sense::Equal => row.right as f64,
        };
        [
            bytes_of(py, ends, i64::to_le_bytes),
            bytes_of(py, columns, i64::to_le_bytes),
            bytes_of(py, factors, f64::to_le_bytes),
            bytes_of(py, rows.iter().map(low), f64::to_le_bytes),
            bytes_of(py, rows.iter().map(high), f64::to_le_bytes),
        ]
    }

    /// Returns the letters of the moves that values stand for.
    fn moves_of(&self, py: Python<'_>, values: Vec<i64>) -> Result<String> {
        Ok(letters(&py.detach(|| self.0.moves_of(&values))?))
    }

    /// Returns the values that stand for moves.
    fn values_of(&self, moves: &str) -> Result<Vec<i64>> {
        Ok(self.0.values_of(&parse_moves(moves, false)?)?)
    }

    /// Writes the model to a file, which is replaced as a whole.
    fn write(&self, py: Python<'_>, path: PathBuf, format: &str) -> Result<()> {
        let text = self.text(py, format)?;
        py.detach(|| write_output(&path, text.as_bytes()))
            .map_err(|error| raise(ErrorClass::FileError, error.to_string()))
    }

    /// Returns the model in a format of files.
    fn text(&self, py: Python<'_>, format: &str) -> Result<String> {
        let formats = [
            ("lp", files::write_lp as Writer),
            ("mps", files::write_mps),
            ("gams", files::write_gams),
            ("json", files::write_json),
        ];
        let write = named("a format", format, &formats)?;
        Ok(py.detach(|| write(&self.0.model)))
    }
}
