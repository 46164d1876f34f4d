//! Heuristics that are functions of Python.
//!
//! A search calls the function on its own threads, attached to the interpreter, with many boards at
//! once where it can. A search cannot return an exception: the function's exception cancels all
//! calls under way, and each of them raises it when its search has ended.

use std::sync::{Arc, Mutex};

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
    /// Returns the library's name of the heuristic; its exceptions go to `exceptions`.
    pub(crate) fn into_name(self, exceptions: Arc<Exceptions>) -> HeuristicName {
        let name = self.name.clone();
        let function = Arc::new(Function { heuristic: self, exceptions });
        HeuristicName::own(&name, move |_| Arc::clone(&function) as _)
    }
}

/// An estimator that calls the function.
#[derive(Debug)]
struct Function {
    heuristic: OwnHeuristic,
    exceptions: Arc<Exceptions>,
}

impl Function {
    /// Returns the estimates of boards; all are 0 after an exception, or when the interpreter ends.
    fn call(&self, boards: &[Board]) -> Vec<u32> {
        let cells = cells_of(boards.iter().copied());
        let estimates = Python::try_attach(|py| {
            let estimates = &self.heuristic.estimates;
            let bytes = estimates.call1(py, (PyBytes::new(py, &cells), boards.len()));
            let bytes = bytes.and_then(|bytes| Ok(bytes.extract::<PyBackedBytes>(py)?));
            match bytes {
                Ok(bytes) => bytes.as_chunks().0.iter().map(|&e| u32::from_le_bytes(e)).collect(),
                Err(error) => {
                    self.exceptions.add(py, error);
                    Vec::new()
                }
            }
        });
        let mut estimates = estimates.unwrap_or_default();
        estimates.resize(boards.len(), 0);
        estimates
    }

    fn memo(&self, board: &Board) -> Memo {
        Memo::new(self.call(&[*board])[0], &[])
    }
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

/// The exceptions of a function, and the calls under way. Locked only while the interpreter is
/// held, so that no fork copies it locked.
#[derive(Debug, Default)]
pub(crate) struct Exceptions(Mutex<CallState>);

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

impl Exceptions {
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

    /// Registers a call that `cancel` stops.
    pub(crate) fn call(self: &Arc<Self>, cancel: &Cancel) -> Call {
        let mut state = lock(&self.0);
        state.call_count += 1;
        let call =
            Call { exceptions: Arc::clone(self), number: state.call_count, before: state.count };
        state.calls.push((call.number, cancel.clone()));
        call
    }
}

/// A call that may use the function.
#[derive(Debug)]
pub(crate) struct Call {
    exceptions: Arc<Exceptions>,
    number: u64,
    /// Number of exceptions before the call.
    before: u64,
}

impl Call {
    /// Returns whether there was an exception during the call.
    pub(crate) fn has_raised(&self) -> bool {
        lock(&self.exceptions.0).count > self.before
    }

    /// Raises the last exception, if there was one during the call.
    pub(crate) fn check(&self, py: Python<'_>) -> Result<()> {
        let error = {
            let state = lock(&self.exceptions.0);
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
        lock(&self.exceptions.0).calls.retain(|(number, _)| *number != self.number);
    }
}
