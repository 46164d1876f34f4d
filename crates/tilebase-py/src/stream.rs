//! Answers of many boards, as they come.

use std::mem;
use std::process;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};
use std::thread::{self, ThreadId};
use std::time::Duration;

use pyo3::exceptions::{PyException, PyStopIteration};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyByteArray, PyDict};
use tilebase::{
    Answer, Answers, BoardsGiven, Cancel, Error, Given, GoalChoice, Naming, Status, Tilebase,
    Totals,
};

use crate::arrays::{Cells, bytes_of};
use crate::board::{Board, Shape};
use crate::errors::{self, Kind, raise};
use crate::handle::{Handle, Searching, check_room, fields};
use crate::wait::POLL;

/// How long a thread waits for another one that asks for the same answers.
const PAUSE: Duration = Duration::from_millis(2);

/// The statuses of answers, in the order of their numbers in columns.
pub(crate) const STATUSES: [&str; 6] =
    ["optimal", "solved", "limit", "unsolvable", "invalid", "failed"];

/// Status, length, lower bound, nodes generated, nodes expanded and seconds of many answers: 1, 2, 2, 8,
/// 8 and 8 bytes each.
type Columns = (
    Py<PyByteArray>,
    Py<PyByteArray>,
    Py<PyByteArray>,
    Py<PyByteArray>,
    Py<PyByteArray>,
    Py<PyByteArray>,
);

/// Where boards come from.
#[derive(FromPyObject)]
pub(crate) enum Source {
    /// A byte a tile, and their shape.
    Cells(PyBackedBytes, Py<Shape>),
    /// A kind ("words", "file" or "iterator"), and what it is.
    Named(String, Py<PyAny>),
}

/// Answers in the order of the boards.
#[pyclass(frozen, module = "tilebase._tilebase")]
pub(crate) struct Stream {
    /// Whoever asks for the next answer holds it while others run, so nobody else may wait for it.
    state: Mutex<Option<State>>,
    /// The thread that holds it. Like the next field, it is locked only while the interpreter is held, and let go of
    /// before.
    holder: Mutex<Option<ThreadId>>,
    /// The totals as the holder of the state last saw them.
    latest: Mutex<Totals>,
    cancel: Cancel,
    /// Whether `close` was called.
    closed: AtomicBool,
    raises: bool,
    process: u32,
    /// What the iterator that boards come from has raised.
    raised: Arc<Mutex<Option<PyErr>>>,
}

struct State {
    answers: Option<Answers>,
    row: usize,
    /// The tables, and the most bytes that they may take, where there is such a limit.
    limited: Option<(Tilebase, u64)>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The shapes of boards that are given.
#[derive(Clone, Copy)]
struct Shapes {
    /// That of all boards.
    only: Option<tilebase::Shape>,
    /// That of boards that do not show theirs.
    usual: Option<tilebase::Shape>,
}

/// The boards of an iterator of Python's, read as they are needed on the thread that reads boards.
struct FromPython {
    iterator: Py<PyAny>,
    shapes: Shapes,
    raised: Arc<Mutex<Option<PyErr>>>,
}

impl Iterator for FromPython {
    type Item = Result<Given, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        // An interpreter that ends hands nothing out.
        Python::try_attach(|py| {
            let item = self.iterator.bind(py).call_method0("__next__");
            let given = item.and_then(|item| {
                read(&item, self.shapes).or_else(|error| match error {
                    // Ctrl-C says nothing about the board.
                    error if !error.is_instance_of::<PyException>(py) => Err(error),
                    error => Ok(Err(no_board(&item, &error))),
                })
            });
            match given {
                Ok(given) => Some(given),
                Err(error) => {
                    if !error.is_instance_of::<PyStopIteration>(py) {
                        *lock(&self.raised) = Some(error);
                    }
                    None
                }
            }
        })
        .flatten()
    }
}

/// The board that an object is.
fn read(item: &Bound<'_, PyAny>, shapes: Shapes) -> PyResult<Result<Given, Error>> {
    let board = match shapes.only {
        Some(only) => Board::read(item, Some(only)),
        None => Board::read_usual(item, shapes.usual),
    };
    Ok(Ok(board?.into()))
}

/// What is wrong with an object that is no board.
fn no_board(item: &Bound<'_, PyAny>, error: &PyErr) -> Error {
    let text = item.str().map(|text| text.to_string()).unwrap_or_default();
    let problem = error.value(item.py()).to_string();
    Error::Invalid { text: text.chars().take(200).collect(), line: None, problem }
}

impl Source {
    fn boards(
        self,
        py: Python<'_>,
        tables: &Tilebase,
        shapes: Shapes,
        raised: &Arc<Mutex<Option<PyErr>>>,
    ) -> PyResult<BoardsGiven> {
        let (kind, what) = match self {
            Self::Cells(cells, shape) => {
                let boards = Cells::new(cells, shape.get(), 0)?.read(py)?;
                return Ok(Box::new(boards.into_iter().map(|board| Ok(board.into()))));
            }
            Self::Named(kind, what) => (kind, what),
        };
        let naming = || {
            let goal = tables.shape().and_then(|shape| tables.goal(shape).ok());
            Naming {
                shape: shapes.only.or(shapes.usual),
                goal: goal.map(GoalChoice::Drawn),
                tables: Some(tables.clone()),
                ..Naming::default()
            }
        };
        let named = match &*kind {
            "words" => naming().words(&[what.extract(py)?]),
            "file" => naming().file(&what.extract::<std::path::PathBuf>(py)?),
            _ => {
                let raised = Arc::clone(raised);
                return Ok(Box::new(FromPython { iterator: what, shapes, raised }));
            }
        };
        let named = named.map_err(errors::of)?;
        if let Some(own) = named.goal
            && tables.goal(own.shape()).ok() != Some(own)
        {
            let name = tilebase::goal_name(&own);
            let message = format!(
                "these boards lead to {name}, but the tables lead elsewhere: open them with goal={name:?}"
            );
            return Err(raise(Kind::Spec, message, None));
        }
        Ok(named.boards)
    }
}

#[pymethods]
impl Stream {
    #[new]
    #[pyo3(signature = (handle, source, shape, searching, raises))]
    fn new(
        py: Python<'_>,
        handle: &Handle,
        source: Source,
        shape: Option<&Shape>,
        searching: &Searching,
        raises: bool,
    ) -> PyResult<Self> {
        let tables = handle.open(py)?;
        let (cancel, raised) = (Cancel::new(), Arc::default());
        let usual = handle.usual_shape(py)?;
        let shapes = Shapes { only: shape.map(|shape| shape.0), usual };
        let boards = source.boards(py, &tables, shapes, &raised)?;
        let search = searching.search(&tables, cancel.clone());
        let answers = py.detach(|| tables.solve_given(boards, search));
        let limited = handle.memory_bytes().map(|memory_bytes| (tables, memory_bytes));
        let state = State { answers: Some(answers), row: 0, limited };
        let state = Mutex::new(Some(state));
        let (holder, latest) = (Mutex::default(), Mutex::default());
        let closed = AtomicBool::new(false);
        let process = process::id();
        Ok(Self { state, holder, latest, cancel, closed, raises, process, raised })
    }

    /// The fields of the next answer; nothing after the last one.
    fn next<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        match self.advance(py)? {
            Some(Ok(answer)) => fields(py, &answer).map(Some),
            Some(Err(error)) => invalid(py, error).map(Some),
            None => Ok(None),
        }
    }

    /// All answers that are left, as columns. A status is its place in `STATUSES`; -1 stands for no
    /// length and no bound.
    fn columns(&self, py: Python<'_>) -> PyResult<Columns> {
        let (mut statuses, mut lengths, mut bounds) = (Vec::new(), Vec::new(), Vec::new());
        let (mut generated, mut expanded, mut seconds) = (Vec::new(), Vec::new(), Vec::new());
        let number = |number: Option<u32>| number.map_or(-1, |number| number as i16);
        while let Some(item) = self.advance(py)? {
            let status = match &item {
                Ok(answer) => match answer.status {
                    Status::Optimal { .. } => "optimal",
                    Status::Solved { .. } => "solved",
                    Status::Unsolvable(_) => "unsolvable",
                    _ => "limit",
                },
                Err(error) => status_of(error),
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
        Ok((
            PyByteArray::new(py, &statuses).unbind(),
            bytes_of(py, lengths, i16::to_le_bytes),
            bytes_of(py, bounds, i16::to_le_bytes),
            bytes_of(py, generated, i64::to_le_bytes),
            bytes_of(py, expanded, i64::to_le_bytes),
            bytes_of(py, seconds, f64::to_le_bytes),
        ))
    }

    /// Ends the searches. A thread that waits for an answer gets none and lets go of them.
    fn close(&self, py: Python<'_>) {
        self.closed.store(true, Ordering::Relaxed);
        self.cancel.cancel();
        if self.process == process::id()
            && let Ok(mut state) = self.state.try_lock()
            && let Some(State { answers, .. }) = &mut *state
        {
            let answers = answers.take();
            if let Some(answers) = &answers {
                *lock(&self.latest) = answers.totals();
            }
            py.detach(|| drop(answers));
        }
    }

    /// Boards that were searched, nodes generated, look-ups, and seconds.
    fn totals(&self) -> (u64, u64, u64, f64) {
        let mut totals = *lock(&self.latest);
        if self.process == process::id()
            && let Ok(state) = self.state.try_lock()
            && let Some(State { answers: Some(answers), .. }) = &*state
        {
            totals = answers.totals();
        }
        (totals.boards, totals.generated, totals.lookups, totals.seconds)
    }
}

impl Stream {
    /// The next answer, or what is wrong with a board where that is an answer too; nothing after the
    /// last one.
    fn advance(&self, py: Python<'_>) -> PyResult<Option<Result<Answer, Error>>> {
        if self.process != process::id() {
            let message = "these answers belong to the process that asked for them: ask again here";
            return Err(raise(Kind::Table, message, None));
        }
        let mut turn = self.turn(py)?;
        let Some(State { answers, row, limited }) = &mut *turn.state else { return Ok(None) };
        let is_closed = || self.closed.load(Ordering::Relaxed);
        let Some(waiting) = answers else { return Ok(None) };
        while !waiting.is_ready() && !py.detach(|| waiting.wait_until_ready(POLL)) {
            *lock(&self.latest) = waiting.totals();
            if is_closed() {
                break;
            }
            if let Err(error) = py.check_signals() {
                self.cancel.cancel();
                *answers = None;
                return Err(error);
            }
        }
        if is_closed() {
            let answers = answers.take();
            py.detach(|| drop(answers));
            return Ok(None);
        }
        let item = py.detach(|| waiting.next());
        *lock(&self.latest) = waiting.totals();
        let this_row = *row;
        *row += 1;
        if let (Some(Ok(answer)), Some((tables, memory_bytes))) = (&item, limited)
            && answer.spec.is_some()
        {
            // It is open, as it has searched for this answer.
            let engine = tables.engine(&answer.goal).map_err(errors::of)?;
            if let Err(error) = check_room(&engine, Some(*memory_bytes)) {
                self.cancel.cancel();
                *answers = None;
                return Err(error);
            }
        }
        match item {
            Some(Err(error)) if !error.is_of_board() || self.raises => {
                self.cancel.cancel();
                *answers = None;
                Err(at_row(error, this_row))
            }
            Some(item) => Ok(Some(item)),
            None => {
                *answers = None;
                lock(&self.raised).take().map_or(Ok(None), Err)
            }
        }
    }

    /// Waits for the turn of this thread: threads that ask for the same answers take turns.
    fn turn(&self, py: Python<'_>) -> PyResult<Turn<'_>> {
        let this = thread::current().id();
        loop {
            let state = match self.state.try_lock() {
                Ok(state) => state,
                Err(TryLockError::Poisoned(state)) => state.into_inner(),
                Err(TryLockError::WouldBlock) => {
                    if *lock(&self.holder) == Some(this) {
                        let message = "this thread waits for the next of these answers already, so what runs \
                            meanwhile, such as a handler of signals, cannot ask for it: ask elsewhere";
                        return Err(raise(Kind::Other, message, None));
                    }
                    py.detach(|| thread::sleep(PAUSE));
                    py.check_signals()?;
                    continue;
                }
            };
            *lock(&self.holder) = Some(this);
            return Ok(Turn { state, holder: &self.holder });
        }
    }
}

/// The turn of a thread.
struct Turn<'a> {
    state: MutexGuard<'a, Option<State>>,
    holder: &'a Mutex<Option<ThreadId>>,
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        *lock(self.holder) = None;
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        self.cancel.cancel();
        if self.process != process::id() {
            // In the child of a fork there are no threads that could be told.
            // Nor do they let go of what they held.
            let state = self.state.get_mut().unwrap_or_else(PoisonError::into_inner);
            mem::forget(state.take());
        }
    }
}

/// The error of one board, with its place among them.
fn at_row(error: Error, row: usize) -> PyErr {
    match error {
        Error::Invalid { line, problem, .. } => {
            let line = line.map(|line| format!("line {line}: ")).unwrap_or_default();
            raise(Kind::Board, format!("row {row}: {line}{problem}"), Some(row))
        }
        error if error.is_of_board() => {
            errors::of(Error::OfMany { place: row, problem: error.into() })
        }
        error => errors::of(error),
    }
}

/// The status of an answer that says what is wrong with a board.
fn status_of(error: &Error) -> &'static str {
    if matches!(error, Error::NoEngine { .. }) { "failed" } else { "invalid" }
}

/// The fields of an answer that says what is wrong with a board.
fn invalid(py: Python<'_>, error: Error) -> PyResult<Bound<'_, PyDict>> {
    let fields = PyDict::new(py);
    let status = status_of(&error);
    let (board, text, problem) = match error {
        Error::Invalid { text, problem, line } => {
            let line = line.map(|line| format!("line {line}: ")).unwrap_or_default();
            (None, text, format!("{line}{problem}"))
        }
        Error::NoEngine { board, problem } => {
            (Some(Board(board)), board.to_string(), errors::message(&problem))
        }
        error => (None, String::new(), error.to_string()),
    };
    fields.set_item("board", board)?;
    fields.set_item("status", status)?;
    fields.set_item("text", text)?;
    fields.set_item("error", problem)?;
    Ok(fields)
}
