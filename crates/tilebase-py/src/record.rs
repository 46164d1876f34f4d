//! Records of the library as objects of Python.

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use serde::Serialize;
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
    static LOADS: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let text = serde_json::to_string(record).expect("texts and numbers are JSON");
    LOADS.import(py, "json", "loads")?.call1((text,))
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
