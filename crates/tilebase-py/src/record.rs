//! Records of the library as objects of Python.

use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use serde::Serialize;
use serde_json::Value;
use tilebase::record::Record;
use tilebase::text::MoveStyle;
use tilebase::{Answer, KnownLength, Status};

use crate::board::{Board, Goal};
use crate::errors::{Result, metric_of};

/// Converts a record: objects become dictionaries.
pub(crate) fn of_record<'py>(
    py: Python<'py>,
    record: &impl Serialize,
) -> PyResult<Bound<'py, PyAny>> {
    object(py, &serde_json::to_value(record).expect("texts and numbers are JSON"))
}

/// Converts a list of records.
pub(crate) fn of_records(
    py: Python<'_>,
    records: impl IntoIterator<Item = Value>,
) -> PyResult<Bound<'_, PyAny>> {
    object(py, &records.into_iter().collect())
}

fn object<'py>(py: Python<'py>, value: &Value) -> PyResult<Bound<'py, PyAny>> {
    match value {
        Value::Null => Ok(py.None().into_bound(py)),
        Value::Bool(value) => value.into_bound_py_any(py),
        Value::Number(number) => match (number.as_u64(), number.as_i64()) {
            (Some(number), _) => number.into_bound_py_any(py),
            (_, Some(number)) => number.into_bound_py_any(py),
            _ => number.as_f64().into_bound_py_any(py),
        },
        Value::String(text) => text.into_bound_py_any(py),
        Value::Array(items) => {
            let items: PyResult<Vec<_>> = items.iter().map(|item| object(py, item)).collect();
            Ok(PyList::new(py, items?)?.into_any())
        }
        Value::Object(fields) => {
            let record = PyDict::new(py);
            for (name, value) in fields {
                record.set_item(name, object(py, value)?)?;
            }
            Ok(record.into_any())
        }
    }
}

/// Converts a result that has a record.
pub(crate) fn of_result<'py, T>(py: Python<'py>, result: &T) -> PyResult<Bound<'py, PyAny>>
where
    for<'a> Record<'a, T>: Serialize,
{
    of_record(py, &Record::new(result, MoveStyle::default()))
}

/// Returns the fields of Python's class `Answer`: the record, with what records leave out.
pub(crate) fn of_answer<'py>(py: Python<'py>, answer: &Answer) -> PyResult<Bound<'py, PyAny>> {
    let fields = of_result(py, answer)?;
    fields.set_item("board", Board(answer.board))?;
    fields.set_item("goal", Goal(answer.goal))?;
    fields.set_item("metric", answer.metric.name())?;
    fields.set_item("lower_bound", answer.lower_bound())?;
    let proved = answer.length().filter(|_| matches!(answer.status, Status::Optimal { .. }));
    let optimum = answer.optimum.map(|optimum| optimum as usize);
    fields.set_item("optimum", optimum.or(proved))?;
    fields.set_item("tables_checked", answer.is_checked)?;
    Ok(fields)
}

/// Returns the words for a length, by what is proved of it.
#[pyfunction]
pub(crate) fn length_words(
    metric: &str,
    length: Option<u32>,
    lower_bound: u32,
    optimum: Option<u32>,
) -> Result<String> {
    let metric = metric_of(metric)?;
    Ok(KnownLength { metric, length, lower_bound, optimum }.to_string())
}
