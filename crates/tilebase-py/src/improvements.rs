//! The better and better solutions of one board.

use std::panic;
use std::sync::atomic::{AtomicBool, Ordering};

use pyo3::prelude::*;
use tilebase::event::{Event, Watch};
use tilebase::{Answer, Cancel, Error, Search, Status, Tilebase};

use crate::errors::{Result, of_other_process};
use crate::handle::{Handle, SearchOptions, engine_of};
use crate::own::Call;
use crate::record::of_answer;
use crate::wait::{Events, Message, OfProcess, Running};

/// Answers for one board: each better solution, and the final answer.
#[pyclass(frozen, module = "tilebase._tilebase")]
pub(crate) struct Improvements {
    running: OfProcess<Running<Answer, Result<Answer, Error>>>,
    /// Whether `close` was called.
    closed: AtomicBool,
    /// The call of a heuristic of the caller, for as long as the search runs.
    call: Call,
    /// The call of the flag that stops it.
    _stopped: Option<Call>,
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
        let (search, stop) = (options.search(cancel.clone()), options.stop.as_ref());
        let call = handle.calls.call(&cancel);
        let stopped = stop.map(|stop| stop.call(&cancel));
        let work = move |events| search_with_events(&tables, board, search, events);
        let running = Running::start(&cancel, work)?;
        let (closed, running) = (AtomicBool::new(false), OfProcess::new(running));
        Ok(Self { running, closed, call, _stopped: stopped })
    }

    /// Returns the fields of the next answer, or None after the final one.
    fn next<'py>(&self, py: Python<'py>) -> Result<Option<Bound<'py, PyAny>>> {
        let running = self.running.get().ok_or_else(of_other_process)?;
        let message = running.next(py).inspect_err(|_| running.stop(py))?;
        if self.closed.load(Ordering::Relaxed) {
            return Ok(None);
        }
        match message {
            Some(Message::Event(better)) => {
                let fields = of_answer(py, &better)?;
                // Its nodes were not counted.
                fields.del_item("generated")?;
                fields.del_item("expanded")?;
                Ok(Some(fields))
            }
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
        if let Some(running) = self.running.get() {
            running.stop(py);
        }
    }
}

impl Drop for Improvements {
    fn drop(&mut self) {
        if let Some(running) = self.running.take() {
            Python::attach(|py| running.stop(py));
        }
    }
}

fn search_with_events(
    tables: &Tilebase,
    board: tilebase::Board,
    search: Search,
    events: Events<Answer, Result<Answer, Error>>,
) -> Result<Answer, Error> {
    let Some(engine) = engine_of(tables, board, &search)? else {
        return tables.solve_with(board, &search);
    };
    let (goal, spec) = (*engine.goal(), engine.name().to_owned());
    let is_checked = !engine.is_trusted();
    let watch = Watch::new(move |event| {
        if let Event::Solution(state) = event {
            let (moves, lower_bound) = (state.moves.to_vec(), state.lower_bound);
            let status = Status::Solved { moves, lower_bound, limit: None };
            let mut answer = Answer::of_status(state.board, goal, status);
            answer.metric = state.metric;
            answer.spec = Some(spec.clone());
            answer.is_checked = is_checked;
            answer.elapsed = state.elapsed;
            events.send(answer);
        }
    });
    tables.solve_with(board, &Search { watch: Some(watch), ..search })
}
