//! Boards as integer programs.

use pdb_model::{Form, ModelError, Sense, encode, files, horizon};
use pyo3::prelude::*;
use pyo3::types::PyByteArray;
use tilebase::letters;

use crate::arrays::bytes_of;
use crate::board::{Board, Goal};
use crate::errors::{Kind, raise};

fn problem(error: ModelError) -> PyErr {
    let kind = match error {
        ModelError::Unsolvable(_) => Kind::Unsolvable,
        ModelError::OtherShape { .. } => Kind::Board,
        ModelError::TooLarge { .. } => Kind::Limit,
        _ => Kind::Model,
    };
    raise(kind, error.to_string(), None)
}

/// The model of a board.
#[pyclass(frozen, module = "tilebase._tilebase")]
#[derive(Debug)]
pub(crate) struct Encoded(pdb_model::Encoded);

/// A matrix by its rows, each array 8 bytes a number: where rows begin, columns, factors, the least and the
/// greatest left sides.
type Rows = (Py<PyByteArray>, Py<PyByteArray>, Py<PyByteArray>, Py<PyByteArray>, Py<PyByteArray>);

#[pymethods]
impl Encoded {
    #[new]
    fn new(
        py: Python<'_>,
        board: &Board,
        goal: &Goal,
        form: &str,
        horizon: Option<u32>,
    ) -> PyResult<Self> {
        let (board, goal) = (board.0, goal.0);
        let form: Form = form.parse().map_err(problem)?;
        let make = || {
            let horizon = horizon.map_or_else(|| horizon::least(&board, &goal), Ok)?;
            encode(form, &board, &goal, horizon)
        };
        py.detach(make).map(Self).map_err(problem)
    }

    #[getter]
    fn horizon(&self) -> u32 {
        self.0.horizon()
    }

    #[getter]
    fn form(&self) -> &'static str {
        self.0.form().name()
    }

    /// The names of the variables, and of the rows.
    fn names(&self) -> (Vec<&str>, Vec<&str>) {
        let model = &self.0.model;
        let variables = model.variables.iter().map(|variable| &*variable.name).collect();
        (variables, model.rows.iter().map(|row| &*row.name).collect())
    }

    /// The least and the greatest value of each variable, and its factor in the objective; 8 bytes each.
    fn variables(&self, py: Python<'_>) -> (Py<PyByteArray>, Py<PyByteArray>, Py<PyByteArray>) {
        let model = &self.0.model;
        let mut factors = vec![0.0; model.variables.len()];
        for term in &model.objective {
            factors[term.variable] += term.factor as f64;
        }
        let lows = model.variables.iter().map(|variable| variable.low as f64);
        let highs = model.variables.iter().map(|variable| variable.high as f64);
        let bytes = f64::to_le_bytes;
        (bytes_of(py, lows, bytes), bytes_of(py, highs, bytes), bytes_of(py, factors, bytes))
    }

    fn rows(&self, py: Python<'_>) -> Rows {
        let rows = &self.0.model.rows;
        let mut ends = vec![0i64];
        let (mut columns, mut factors) = (Vec::new(), Vec::new());
        for term in rows.iter().map(|row| &row.terms) {
            columns.extend(term.iter().map(|term| term.variable as i64));
            factors.extend(term.iter().map(|term| term.factor as f64));
            ends.push(columns.len() as i64);
        }
        let low = |row: &pdb_model::Row| match row.sense {
            Sense::AtMost => f64::NEG_INFINITY,
            Sense::AtLeast | Sense::Equal => row.right as f64,
        };
        let high = |row: &pdb_model::Row| match row.sense {
            Sense::AtLeast => f64::INFINITY,
            Sense::AtMost | Sense::Equal => row.right as f64,
        };
        (
            bytes_of(py, ends, i64::to_le_bytes),
            bytes_of(py, columns, i64::to_le_bytes),
            bytes_of(py, factors, f64::to_le_bytes),
            bytes_of(py, rows.iter().map(low), f64::to_le_bytes),
            bytes_of(py, rows.iter().map(high), f64::to_le_bytes),
        )
    }

    /// The letters of the moves that values stand for.
    fn moves_of(&self, py: Python<'_>, values: Vec<i64>) -> PyResult<String> {
        let moves = py.detach(|| self.0.moves_of(&values)).map_err(problem)?;
        Ok(letters(&moves))
    }

    /// The values that stand for moves.
    fn values_of(&self, moves: &str) -> PyResult<Vec<i64>> {
        let moves = tilebase::parse_moves(moves, false)
            .map_err(|error| raise(Kind::Board, error.to_string(), None))?;
        self.0.values_of(&moves).map_err(problem)
    }

    /// The model in a format of files.
    fn text(&self, py: Python<'_>, format: &str) -> PyResult<String> {
        let write = match format {
            "lp" => files::write_lp,
            "mps" => files::write_mps,
            "gams" => files::write_gams,
            "json" => files::write_json,
            _ => {
                let message = format!("expected a format lp, mps, gams or json, found {format:?}");
                return Err(raise(Kind::Model, message, None));
            }
        };
        Ok(py.detach(|| write(&self.0.model)))
    }
}
