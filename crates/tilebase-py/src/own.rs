//! Heuristics that are functions of Python.
//!
//! A search calls the function on its own threads, attached to the interpreter, with many boards at
//! once where it can. A search cannot return an exception: the function's exception cancels all
//! calls under way, and each of them raises it when its search has ended.
//!
//! A search cannot look at its limits or at Ctrl-C while the function runs. So the function never
//! gets more boards at once than it estimates in [`CALL_TIME`], and is not called again once all
//! calls under way are cancelled.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use pyo3::exceptions::PyBaseException;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::PyBytes;
use tilebase::pdb_core::{Estimator, Expansion, Memo, RootError, Slide};
use tilebase::pdb_lab::HeuristicName;
use tilebase::{Board, Cancel};

use crate::arrays::cells_of;
use crate::errors::Result;
use crate::wait::lock;

/// Time that is aimed at for one call of a function.
const CALL_TIME: Duration = Duration::from_millis(50);

/// Number of boards that are always estimated together, and of the first call of a function.
const BOARDS_AT_LEAST: usize = 8;

/// The fields of Python's class `Heuristic`.
#[derive(Debug, FromPyObject)]
pub(crate) struct OwnHeuristic {
    name: String,
    admissible: bool,
    /// The method that converts the bytes of boards to the bytes of estimates.
    #[pyo3(attribute("_estimates"))]
    estimates: Py<PyAny>,
}

impl OwnHeuristic {
    /// Returns the library's name of the heuristic; its exceptions go to `calls`.
    pub(crate) fn into_name(self, calls: Arc<Calls>) -> HeuristicName {
        let name = self.name.clone();
        let boards_at_once = AtomicUsize::new(BOARDS_AT_LEAST);
        let function = Arc::new(Function { heuristic: self, calls, boards_at_once });
        HeuristicName::own(&name, move |_| Arc::clone(&function) as _)
    }
}

/// An estimator that calls the function.
#[derive(Debug)]
struct Function {
    heuristic: OwnHeuristic,
    calls: Arc<Calls>,
    /// Number of boards that take [`CALL_TIME`] by the last call, at most twice the number before.
    boards_at_once: AtomicUsize,
}

impl Function {
    /// Returns the estimates of boards; the rest are 0 after an exception, once all calls are
    /// cancelled, or when the interpreter ends.
    fn call(&self, boards: &[Board]) -> Vec<u32> {
        let mut estimates = Vec::with_capacity(boards.len());
        Python::try_attach(|py| {
            while estimates.len() < boards.len() && !self.calls.are_calls_cancelled() {
                let rest = &boards[estimates.len()..];
                let at_once = self.boards_at_once.load(Ordering::Relaxed);
                let part = &rest[..rest.len().min(at_once)];
                let begun = Instant::now();
                match self.call_once(py, part) {
                    Ok(bytes) => {
                        estimates
                            .extend(bytes.as_chunks().0.iter().map(|&e| u32::from_le_bytes(e)));
                    }
                    Err(error) => {
                        self.calls.add(py, error);
                        break;
                    }
                }
                let fitting = fitting_count(at_once, part.len(), begun.elapsed());
                self.boards_at_once.store(fitting, Ordering::Relaxed);
            }
        });
        estimates.resize(boards.len(), 0);
        estimates
    }

    /// Calls the function; returns four bytes for each estimate.
    fn call_once(&self, py: Python<'_>, boards: &[Board]) -> PyResult<PyBackedBytes> {
        let cells = PyBytes::new(py, &cells_of(boards.iter().copied()));
        Ok(self.heuristic.estimates.call1(py, (cells, boards.len()))?.extract(py)?)
    }

    fn memo(&self, board: &Board) -> Memo {
        Memo::new(self.call(&[*board])[0], &[])
    }
}

/// Returns the number of boards for the next call, which should take [`CALL_TIME`], after a call
/// with `count` boards, of up to `at_once`, that took `taken`.
fn fitting_count(at_once: usize, count: usize, taken: Duration) -> usize {
    let fitting = count as u128 * CALL_TIME.as_nanos() / taken.as_nanos().max(1);
    // A call with few boards does not tell how long many of them take.
    let most = if count < at_once { at_once } else { at_once.saturating_mul(2) };
    usize::try_from(fitting).unwrap_or(most).min(most).max(BOARDS_AT_LEAST)
}

impl Estimator for Function {
    fn root(&self, board: &Board) -> Result<Memo, RootError> {
        Ok(self.memo(board))
    }

    fn child(&self, board: &Board, _: &Memo, _: Slide) -> Memo {
        self.memo(board)
    }

    fn children(&self, parents: &[Expansion], memos: &mut [Memo]) {
        let boards = parents.iter().flat_map(|parent| parent.boards().map(|(board, _)| board));
        let boards: Vec<Board> = boards.collect();
        for (memo, estimate) in memos.iter_mut().zip(self.call(&boards)) {
            *memo = Memo::new(estimate, &[]);
        }
    }

    fn estimates(&self, boards: &[Board]) -> Result<Vec<u32>, (usize, RootError)> {
        Ok(self.call(boards))
    }

    fn is_batched(&self) -> bool {
        true
    }

    fn is_admissible(&self) -> bool {
        self.heuristic.admissible
    }
}

/// The calls under way that end together, and the exceptions of a function that they use. Locked
/// only while the interpreter is held, so that no fork copies it locked.
#[derive(Debug, Default)]
pub(crate) struct Calls(Mutex<CallState>);

#[derive(Debug, Default)]
struct CallState {
    last: Option<Py<PyBaseException>>,
    /// Number of exceptions so far.
    count: u64,
    /// Number of calls so far.
    call_count: u64,
    /// The number of each call under way, and the handle that stops it.
    calls: Vec<(u64, Cancel)>,
}

impl Calls {
    /// Adds an exception, and stops all calls under way.
    fn add(&self, py: Python<'_>, error: PyErr) {
        // Making and dropping an exception may let another thread run, so neither is done under the
        // lock.
        let error = error.into_value(py);
        let before = {
            let mut state = lock(&self.0);
            state.count += 1;
            state.calls.iter().for_each(|(_, cancel)| cancel.cancel());
            state.last.replace(error)
        };
        drop(before);
    }

    /// Returns whether nobody waits for estimates any more.
    fn are_calls_cancelled(&self) -> bool {
        let state = lock(&self.0);
        !state.calls.is_empty() && state.calls.iter().all(|(_, cancel)| cancel.is_cancelled())
    }

    /// Stops all calls under way.
    pub(crate) fn cancel_all(&self) {
        lock(&self.0).calls.iter().for_each(|(_, cancel)| cancel.cancel());
    }

    /// Registers a call that `cancel` stops.
    pub(crate) fn call(self: &Arc<Self>, cancel: &Cancel) -> Call {
        let mut state = lock(&self.0);
        state.call_count += 1;
        let call = Call { calls: Arc::clone(self), number: state.call_count, before: state.count };
        state.calls.push((call.number, cancel.clone()));
        call
    }
}

/// A call that may use the function.
#[derive(Debug)]
pub(crate) struct Call {
    calls: Arc<Calls>,
    number: u64,
    /// Number of exceptions before the call.
    before: u64,
}

impl Call {
    /// Returns whether there was an exception during the call.
    pub(crate) fn has_raised(&self) -> bool {
        lock(&self.calls.0).count > self.before
    }

    /// Raises the last exception, if there was one during the call.
    pub(crate) fn check(&self, py: Python<'_>) -> Result<()> {
        let error = {
            let state = lock(&self.calls.0);
            let last = state.last.as_ref().filter(|_| state.count > self.before);
            last.map(|error| error.clone_ref(py))
        };
        match error {
            Some(error) => Err(PyErr::from_value(error.into_bound(py).into_any()).into()),
            None => Ok(()),
        }
    }
}

impl Drop for Call {
    fn drop(&mut self) {
        lock(&self.calls.0).calls.retain(|(number, _)| *number != self.number);
    }
}

/// Stops builds and searches from another thread.
///
/// Give one to a `Solver`, or to the calls that build and verify tables. `cancel` ends all their
/// work within milliseconds: the answer of a single board has the `limit` "interrupt", and other
/// calls and streams of answers raise `CancelledError`. It stays set until `reset`.
///
/// >>> cancel = Cancel()
/// >>> cancel.cancel()
/// >>> cancel.is_cancelled
/// True
#[pyclass(frozen, name = "Cancel", module = "tilebase", from_py_object)]
#[derive(Clone, Debug, Default)]
pub(crate) struct StopFlag {
    is_set: Arc<AtomicBool>,
    calls: Arc<Calls>,
}

impl StopFlag {
    /// Registers a call that `cancel` stops, and stops it if the flag is set.
    pub(crate) fn call(&self, cancel: &Cancel) -> Call {
        let call = self.calls.call(cancel);
        if self.is_cancelled() {
            cancel.cancel();
        }
        call
    }
}

#[pymethods]
impl StopFlag {
    #[new]
    fn new() -> Self {
        Self::default()
    }

    /// Ends all present and future work that has this object.
    fn cancel(&self) {
        self.is_set.store(true, Ordering::Relaxed);
        self.calls.cancel_all();
    }

    /// Makes the object usable again.
    fn reset(&self) {
        self.is_set.store(false, Ordering::Relaxed);
    }

    /// Whether `cancel` was called.
    #[getter]
    pub(crate) fn is_cancelled(&self) -> bool {
        self.is_set.load(Ordering::Relaxed)
    }

    fn __repr__(&self) -> String {
        format!("<Cancel: {}>", if self.is_cancelled() { "set" } else { "not set" })
    }
}
