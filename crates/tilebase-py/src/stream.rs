//! Streams of answers.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::task::Poll;

use pyo3::exceptions::{PyException, PyStopIteration};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyByteArray, PyDict};
use tilebase::names::{GoalChoice, goal_name};
use tilebase::record::{Failure, FailureKind};
use tilebase::sets::{InputBoard, InputBoards, InputOptions};
use tilebase::{Answer, Answers, Cancel, Error, Tilebase};

use crate::arrays::{Cells, bytes_of};
use crate::board::{Board, EXCERPT_CHARS_MAX, Shape};
use crate::errors::{self, ErrorClass, Result, at_row, of_other_process, raise};
use crate::handle::{Handle, SearchOptions};
use crate::own::Call;
use crate::record::of_answer;
use crate::wait::{OfProcess, POLL, lock};

/// The statuses of answers; a column has their indices.
pub(crate) const STATUSES: [&str; 6] =
    ["optimal", "solved", "limit", "unsolvable", "invalid", "failed"];

/// The source of the boards.
#[derive(FromPyObject)]
pub(crate) enum BoardSource {
    /// The boards' cells, a byte each, and their shape.
    Cells(PyBackedBytes, Py<Shape>),
    /// A kind ("words", "file" or "iterator"), and the object.
    Named(String, Py<PyAny>),
}

/// Answers in the order of the boards. Threads that share a stream take turns.
#[pyclass(frozen, module = "tilebase._tilebase")]
pub(crate) struct Stream {
    answers: OfProcess<Answers>,
    cancel: Cancel,
    /// Whether `close` was called.
    closed: AtomicBool,
    /// Whether a thread was told the end, or raised an exception.
    ended: AtomicBool,
    raises: bool,
    /// The call of a heuristic of the caller, for as long as the stream exists.
    call: Call,
    /// The call of the flag that stops it.
    _stopped: Option<Call>,
    /// An exception of the iterator of boards.
    raised: Arc<Mutex<Option<PyErr>>>,
}

/// The boards of an iterator of Python, read on demand by the thread that reads boards.
struct FromPython {
    iterator: Py<PyAny>,
    /// The shape that all boards must have.
    only: Option<tilebase::Shape>,
    /// The shape of boards that do not show theirs.
    default: Option<tilebase::Shape>,
    raised: Arc<Mutex<Option<PyErr>>>,
}

impl Iterator for FromPython {
    type Item = Result<InputBoard, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        // Without an interpreter, which may be ending, there are no more boards.
        Python::try_attach(|py| match self.next_board(py) {
            Ok(given) => Some(given),
            Err(error) => {
                if !error.is_instance_of::<PyStopIteration>(py) {
                    *lock(&self.raised) = Some(error);
                }
                None
            }
        })
        .flatten()
    }
}

impl FromPython {
    fn next_board(&self, py: Python<'_>) -> PyResult<Result<InputBoard, Error>> {
        let item = self.iterator.bind(py).call_method0("__next__")?;
        let board = Board::read_with_default(&item, self.default);
        let board = board.and_then(|board| Board::with_shape(board, self.only));
        match board.map_err(PyErr::from) {
            Ok(board) => Ok(Ok(board.into())),
            // An interrupt says nothing about the board.
            Err(error) if !error.is_instance_of::<PyException>(py) => Err(error),
            Err(error) => {
                let text = item.str().map(|text| text.to_string()).unwrap_or_default();
                let text = text.chars().take(EXCERPT_CHARS_MAX).collect();
                let problem = error.value(py).to_string();
                Ok(Err(Error::Invalid { text, line: None, problem, remedy: None }))
            }
        }
    }
}

impl BoardSource {
    fn boards(
        self,
        py: Python<'_>,
        tables: &Tilebase,
        only: Option<tilebase::Shape>,
        default: Option<tilebase::Shape>,
        raised: &Arc<Mutex<Option<PyErr>>>,
    ) -> Result<InputBoards> {
        let (kind, what) = match self {
            Self::Cells(cells, shape) => {
                let boards = Cells::new(cells, shape.get(), 0)?.read(py)?;
                return Ok(Box::new(boards.into_iter().map(|board| Ok(board.into()))));
            }
            Self::Named(kind, what) => (kind, what),
        };
        let naming = || {
            let goal = tables.shape().and_then(|shape| tables.goal(shape).ok());
            InputOptions {
                shape: default,
                goal: goal.map(GoalChoice::Drawn),
                tables: Some(tables.clone()),
                ..InputOptions::default()
            }
        };
        let named = match &*kind {
            "words" => naming().words(&[what.extract(py)?]),
            "file" => naming().file(&what.extract::<PathBuf>(py)?),
            _ => {
                let raised = Arc::clone(raised);
                return Ok(Box::new(FromPython { iterator: what, only, default, raised }));
            }
        }?;
        if let Some(own) = named.goal
            && tables.goal(own.shape()).ok() != Some(own)
        {
            let name = goal_name(&own);
            let message = format!(
                "these boards lead to {name}, but the tables lead elsewhere: open them with goal={name:?}"
            );
            return Err(raise(ErrorClass::SpecError, message));
        }
        Ok(named.boards)
    }
}

#[pymethods]
impl Stream {
    #[new]
    fn new(
        py: Python<'_>,
        handle: &Handle,
        source: BoardSource,
        shape: Option<&Shape>,
        options: &SearchOptions,
        raises: bool,
    ) -> Result<Self> {
        let tables = handle.open(py)?;
        let (cancel, raised) = (Cancel::new(), Arc::default());
        let only = shape.map(|shape| shape.0);
        let default = only.or(handle.default_shape(py)?);
        let boards = source.boards(py, &tables, only, default, &raised)?;
        let search = options.search(cancel.clone());
        let call = handle.calls.call(&cancel);
        let stopped = options.stop.as_ref().map(|stop| stop.call(&cancel));
        let answers = py.detach(|| tables.solve_input(boards, search));
        Ok(Self {
            answers: OfProcess::new(answers),
            cancel,
            closed: AtomicBool::new(false),
            ended: AtomicBool::new(false),
            raises,
            call,
            _stopped: stopped,
            raised,
        })
    }

    /// Returns the fields of the next answer, or None after the last one.
    fn next<'py>(&self, py: Python<'py>) -> Result<Option<Bound<'py, PyAny>>> {
        Ok(match self.advance(py)? {
            Some(Ok(answer)) => Some(of_answer(py, &answer)?),
            Some(Err(error)) => Some(invalid(py, error)?.into_any()),
            None => None,
        })
    }

    /// Returns the remaining answers as columns: status, length, lower bound, nodes generated,
    /// nodes expanded and seconds, in 1, 2, 2, 8, 8 and 8 bytes each. A status is its index in
    /// `STATUSES`; -1 stands for no length and no bound.
    fn columns(&self, py: Python<'_>) -> Result<[Py<PyByteArray>; 6]> {
        let (mut statuses, mut lengths, mut bounds) = (Vec::new(), Vec::new(), Vec::new());
        let (mut generated, mut expanded, mut seconds) = (Vec::new(), Vec::new(), Vec::new());
        let number = |number: Option<u32>| number.map_or(-1, |number| number as i16);
        while let Some(item) = self.advance(py)? {
            let status = match &item {
                Ok(answer) => answer.status.kind().name(),
                Err(error) => FailureKind::of(error).name(),
            };
            let place = STATUSES.iter().position(|known| *known == status);
            statuses.push(place.expect("every status is listed") as u8);
            let answer = item.ok();
            let answer = answer.as_ref();
            lengths.push(number(answer.and_then(|answer| Some(answer.length()? as u32))));
            bounds.push(number(answer.and_then(Answer::lower_bound)));
            generated.push(answer.map_or(0, |answer| answer.generated as i64));
            expanded.push(answer.map_or(0, |answer| answer.expanded as i64));
            seconds.push(answer.map_or(0.0, |answer| answer.elapsed.as_secs_f64()));
        }
        Ok([
            PyByteArray::new(py, &statuses).unbind(),
            bytes_of(py, lengths, i16::to_le_bytes),
            bytes_of(py, bounds, i16::to_le_bytes),
            bytes_of(py, generated, i64::to_le_bytes),
            bytes_of(py, expanded, i64::to_le_bytes),
            bytes_of(py, seconds, f64::to_le_bytes),
        ])
    }

    /// Ends the searches. A thread that waits for an answer gets none.
    fn close(&self) {
        self.closed.store(true, Ordering::Relaxed);
        self.cancel.cancel();
        if let Some(answers) = self.answers.get() {
            answers.stop();
        }
    }

    /// Returns the number of boards that were searched, nodes generated, look-ups, and seconds.
    fn totals(&self) -> (u64, u64, u64, f64) {
        let totals = self.answers.get().map(Answers::totals).unwrap_or_default();
        (totals.boards, totals.generated, totals.lookups, totals.seconds)
    }
}

impl Stream {
    /// Returns the next answer, or None after the last one. The problem of a board is an answer
    /// too, unless the stream raises it.
    fn advance(&self, py: Python<'_>) -> Result<Option<Result<Answer, Error>>> {
        let answers = self.answers.get().ok_or_else(of_other_process)?;
        if self.ended.load(Ordering::Relaxed) {
            return Ok(None);
        }
        let next = self.wait_for_next(py, answers);
        if !matches!(next, Ok(Some(_))) {
            self.ended.store(true, Ordering::Relaxed);
            self.cancel.cancel();
            // After an exception of the function, no search of this stream may call it again.
            let has_raised = self.call.has_raised();
            // The threads of the searches may wait for the interpreter.
            py.detach(|| if has_raised { answers.finish() } else { answers.stop() });
        }
        next
    }

    fn wait_for_next(
        &self,
        py: Python<'_>,
        answers: &Answers,
    ) -> Result<Option<Result<Answer, Error>>> {
        let is_closed = || self.closed.load(Ordering::Relaxed);
        let next = loop {
            match py.detach(|| answers.poll_next(POLL)) {
                Poll::Ready(next) => break next,
                Poll::Pending => py.check_signals()?,
            }
        };
        if is_closed() {
            return Ok(None);
        }
        // The thread that met the end cancels the searches.
        let is_ended = self.ended.load(Ordering::Relaxed);
        self.call.check(py)?;
        match next {
            Some((row, Err(error))) if !error.is_of_board() || self.raises => {
                Err(failure_at(error, row as usize))
            }
            Some((_, item)) => Ok(Some(item)),
            None => match lock(&self.raised).take() {
                Some(error) => Err(error.into()),
                // The rest of the boards has no answers.
                None if self.cancel.is_cancelled() && !is_closed() && !is_ended => {
                    Err(Error::Interrupted.into())
                }
                None => Ok(None),
            },
        }
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        self.cancel.cancel();
        if let Some(answers) = self.answers.take() {
            // The threads of the searches may wait for the interpreter.
            Python::attach(|py| py.detach(|| drop(answers)));
        }
    }
}

/// Makes the exception for the error of one board.
fn failure_at(error: Error, row: usize) -> errors::Failure {
    match error {
        Error::Invalid { .. } => at_row(ErrorClass::BoardError, &errors::message(&error), row),
        error if error.is_of_board() => Error::OfMany { place: row, problem: error.into() }.into(),
        error => error.into(),
    }
}

/// Returns the fields of an answer that is the problem of a board.
fn invalid(py: Python<'_>, error: Error) -> PyResult<Bound<'_, PyDict>> {
    let fields = PyDict::new(py);
    let board = match error {
        Error::NoEngine { board, .. } => Some(Board(board)),
        _ => None,
    };
    let message = errors::message(&error);
    let Failure { board: text, kind, error } = Failure::of_error(error, message);
    fields.set_item("status", kind.name())?;
    fields.set_item("board", board)?;
    fields.set_item("text", text)?;
    fields.set_item("error", error)?;
    Ok(fields)
}
