//! The better and better solutions of one board.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use std::{mem, panic, process};

use pyo3::prelude::*;
use pyo3::types::PyDict;
use tilebase::event::{Event, SolutionState, Watch};
use tilebase::text::letters;
use tilebase::{Answer, Cancel, Error, Metric, Search, Tilebase};

use crate::board::{Board, Goal};
use crate::errors::{ErrorClass, Result, raise};
use crate::handle::{Handle, SearchOptions, engine_of};
use crate::own::Call;
use crate::record::of_answer;
use crate::wait::{Events, Message, Running};

/// A solution that is better than all before.
#[derive(Debug)]
struct Improvement {
    board: tilebase::Board,
    goal: tilebase::Goal,
    metric: Metric,
    spec: String,
    length: usize,
    moves: String,
    lower_bound: u32,
    elapsed: Duration,
    is_checked: bool,
}

/// Answers for one board: each better solution, and the final answer.
#[pyclass(frozen, module = "tilebase._tilebase")]
pub(crate) struct Improvements {
    /// None once it was dropped.
    running: Option<Running<Improvement, Result<Answer, Error>>>,
    /// Whether `close` was called.
    closed: AtomicBool,
    process: u32,
    /// The call of a heuristic of the caller, for as long as the search runs.
    call: Call,
}

#[pymethods]
impl Improvements {
    /// Starts the search.
    #[new]
    fn new(
        py: Python<'_>,
        handle: &Handle,
        board: &Bound<'_, PyAny>,
        options: &SearchOptions,
    ) -> Result<Self> {
        let board = handle.board(py, board)?.0;
        let (tables, cancel) = (handle.open(py)?, Cancel::new());
        let search = options.search(&tables, cancel.clone());
        handle.check_room_for(py, board, search.within)?;
        let call = handle.exceptions.call(&cancel);
        let work = move |events| search_with_events(&tables, board, search, events);
        let running = Running::start(&cancel, work)?;
        let (closed, process) = (AtomicBool::new(false), process::id());
        Ok(Self { running: Some(running), closed, process, call })
    }

    /// Returns the fields of the next answer, or None after the final one.
    fn next<'py>(&self, py: Python<'py>) -> Result<Option<Bound<'py, PyAny>>> {
        if self.process != process::id() {
            let message = "these answers belong to the process that asked for them: ask again here";
            return Err(raise(ErrorClass::TableError, message));
        }
        let Some(running) = &self.running else { return Ok(None) };
        let message = running.next(py).inspect_err(|_| running.stop(py))?;
        if self.closed.load(Ordering::Relaxed) {
            return Ok(None);
        }
        match message {
            Some(Message::Event(better)) => Ok(Some(better.fields(py)?.into_any())),
            Some(Message::Done(answer)) => {
                let answer = answer.unwrap_or_else(|panic| panic::resume_unwind(panic));
                self.call.check(py)?;
                Ok(Some(of_answer(py, &answer?)?))
            }
            None => Ok(None),
        }
    }

    /// Ends the search. A thread that waits for an answer gets none.
    fn close(&self, py: Python<'_>) {
        self.closed.store(true, Ordering::Relaxed);
        if self.process == process::id()
            && let Some(running) = &self.running
        {
            running.stop(py);
        }
    }
}

impl Drop for Improvements {
    fn drop(&mut self) {
        let Some(running) = self.running.take() else { return };
        if self.process == process::id() {
            Python::attach(|py| running.stop(py));
        } else {
            // The child of a fork has no copy of the thread that searches.
            mem::forget(running);
        }
    }
}

fn search_with_events(
    tables: &Tilebase,
    board: tilebase::Board,
    search: Search,
    events: Events<Improvement, Result<Answer, Error>>,
) -> Result<Answer, Error> {
    let Some(engine) = engine_of(tables, board, &search)? else {
        return tables.solve_with(board, &search);
    };
    let (goal, spec) = (*engine.goal(), engine.name().to_owned());
    let is_checked = !engine.is_trusted();
    let watch = Watch::new(move |event| {
        if let Event::Solution(state) = event {
            let SolutionState { board, moves, metric, lower_bound, elapsed, .. } = *state;
            let (spec, moves, length) = (spec.clone(), letters(moves), state.length());
            events.send(Improvement {
                board,
                goal,
                metric,
                spec,
                length,
                moves,
                lower_bound,
                elapsed,
                is_checked,
            });
        }
    });
    tables.solve_with(board, &Search { watch: Some(watch), ..search })
}

impl Improvement {
    /// Returns the fields of Python's class `Answer`.
    fn fields(self, py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
        let fields = PyDict::new(py);
        fields.set_item("board", Board(self.board))?;
        fields.set_item("goal", Goal(self.goal))?;
        fields.set_item("spec", self.spec)?;
        fields.set_item("status", "solved")?;
        fields.set_item("metric", self.metric.name())?;
        fields.set_item("length", self.length)?;
        fields.set_item("moves", self.moves)?;
        fields.set_item("lower_bound", self.lower_bound)?;
        fields.set_item("seconds", self.elapsed.as_secs_f64())?;
        fields.set_item("tables_checked", self.is_checked)?;
        Ok(fields)
    }
}
