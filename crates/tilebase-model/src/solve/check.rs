//! Checks of the values that solvers return.

use super::{RunResult, SolveError};
use crate::Model;

/// Solvers satisfy integrality to within about 1e-6.
const TOLERANCE: f64 = 1e-5;
/// All bounds of variables are well below this magnitude.
const VALUE_MAX: f64 = 1e15;

/// Rounds a value that must be a whole number.
pub(super) fn whole(solver: &str, variable: &str, value: f64) -> Result<i64, SolveError> {
    if value.abs() <= VALUE_MAX && (value - value.round()).abs() <= TOLERANCE {
        return Ok(value.round() as i64);
    }
    let (solver, variable) = (solver.to_owned(), variable.to_owned());
    Err(SolveError::NotWhole { solver, variable, value })
}

/// Returns the result of a run that found values, after checking them against the model.
pub(super) fn solution(
    solver: &str,
    model: &Model,
    values: Vec<i64>,
    is_optimal: bool,
) -> Result<RunResult, SolveError> {
    model.check(&values).map_err(|source| SolveError::no_solution(solver, source))?;
    Ok(RunResult::Solution { values, is_optimal: is_optimal || model.objective.is_empty() })
}

/// Does the same as [`solution`], but rounds the values first.
#[cfg(feature = "microlp")]
pub(super) fn rounded_solution(
    solver: &str,
    model: &Model,
    values: impl IntoIterator<Item = f64>,
    is_optimal: bool,
) -> Result<RunResult, SolveError> {
    let values = model.variables.iter().zip(values);
    let values = values.map(|(variable, value)| whole(solver, &variable.name, value));
    solution(solver, model, values.collect::<Result<_, _>>()?, is_optimal)
}
