//! Many boards as bytes: what is asked of arrays and needs no tables.
//!
//! Bytes come in and go out, which numpy reads and writes without a loop; `python/tilebase/_arrays.py` says
//! what shape and type they have. Bytes of Python do not change, so they can be read while its other threads
//! run. Large arrays come in parts, so that signals are heard between two of them; `first` is the place of a
//! part's first row among all.

use std::panic::resume_unwind;
use std::sync::{Mutex, PoisonError};
use std::thread;

use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyByteArray, PyBytes};
use tilebase::{Cancel, Direction, core_count};

use crate::board::{Goal, Shape, square};
use crate::errors::{self, Kind, raise};
use crate::wait;

/// A thread is worth its start for so many boards.
const BOARDS_OF_THREAD: usize = 1 << 15;

/// After so many boards it is asked whether the work is still wanted.
const BOARDS_OF_STEP: usize = 1 << 12;

/// So many bytes are handed to Python at once: to copy them takes no time that anybody would notice.
const BYTES_OF_PART: usize = 1 << 20;

/// A row, and what is wrong with it.
type Wrong = (usize, String);

/// Boards of one shape, a byte a tile.
pub(crate) struct Cells {
    bytes: PyBackedBytes,
    shape: tilebase::Shape,
    first: usize,
}

impl Cells {
    pub(crate) fn new(bytes: PyBackedBytes, shape: &Shape, first: usize) -> PyResult<Self> {
        let cells = shape.0.cell_count();
        if !bytes.len().is_multiple_of(cells) {
            let found = bytes.len();
            let message = format!("expected boards of {cells} bytes, found {found} bytes");
            return Err(raise(Kind::Board, message, None));
        }
        Ok(Self { bytes, shape: shape.0, first })
    }

    fn rows(&self) -> impl Iterator<Item = &[u8]> {
        self.bytes.chunks_exact(self.shape.cell_count())
    }

    /// How many boards there are.
    fn count(&self) -> usize {
        self.bytes.len() / self.shape.cell_count()
    }

    /// Each board, or what is wrong with it and where.
    fn boards(&self) -> impl Iterator<Item = Result<tilebase::Board, Wrong>> {
        let board = |(row, tiles)| {
            let board = tilebase::Board::new(self.shape, tiles);
            board.map_err(|error| (self.first + row, error.to_string()))
        };
        self.rows().enumerate().map(board)
    }

    /// All boards, checked on all cores while other threads of Python run, and as long as nobody presses
    /// Ctrl-C.
    pub(crate) fn read(self, py: Python<'_>) -> PyResult<Vec<tilebase::Board>> {
        let cancel = Cancel::new();
        let boards = if self.count() <= BOARDS_OF_THREAD {
            py.detach(|| self.read_on(1, &cancel))
        } else {
            let stop = cancel.clone();
            wait::work(py, &cancel, move || self.read_on(core_count(), &stop))?
        };
        boards.map_err(at_row)
    }

    fn read_on(&self, thread_count: usize, cancel: &Cancel) -> Result<Vec<tilebase::Board>, Wrong> {
        let cells = self.shape.cell_count();
        let part = self.count().div_ceil(thread_count).max(BOARDS_OF_THREAD);
        let mut parts = self.bytes.chunks(part * cells).enumerate();
        let read = |(nth, bytes): (usize, &[u8])| {
            let rows = bytes.chunks_exact(cells).enumerate();
            // Of work that is not wanted any more, nobody sees what came of it.
            let is_wanted =
                |row: usize| !row.is_multiple_of(BOARDS_OF_STEP) || !cancel.is_cancelled();
            let board = |(row, tiles)| {
                let board = tilebase::Board::new(self.shape, tiles);
                board.map_err(|error| (self.first + nth * part + row, error.to_string()))
            };
            rows.take_while(|(row, _)| is_wanted(*row)).map(board).collect::<Result<Vec<_>, _>>()
        };
        let first = parts.next();
        thread::scope(|scope| {
            let others: Vec<_> = parts.map(|part| scope.spawn(move || read(part))).collect();
            let mut boards = first.map_or_else(|| Ok(Vec::new()), read)?;
            for other in others {
                let others = other.join().unwrap_or_else(|panic| resume_unwind(panic))?;
                if !cancel.is_cancelled() {
                    boards.extend(others);
                }
            }
            Ok(boards)
        })
    }

    /// A value for each board.
    fn map<T: Send>(
        &self,
        py: Python<'_>,
        value: impl Fn(&tilebase::Board) -> T + Send + Sync,
    ) -> PyResult<Vec<T>> {
        py.detach(|| self.boards().map(|board| Ok(value(&board?))).collect::<Result<Vec<_>, _>>())
            .map_err(at_row)
    }
}

fn at_row((row, problem): Wrong) -> PyErr {
    raise(Kind::Board, format!("row {row}: {problem}"), Some(row))
}

/// Numbers as bytes in the order of little ends.
pub(crate) fn bytes_of<const N: usize, T: Copy>(
    py: Python<'_>,
    numbers: impl IntoIterator<Item = T>,
    bytes: fn(T) -> [u8; N],
) -> Py<PyByteArray> {
    let numbers = numbers.into_iter();
    let mut all = Vec::with_capacity(N * numbers.size_hint().0);
    for number in numbers {
        all.extend_from_slice(&bytes(number));
    }
    PyByteArray::new(py, &all).unbind()
}

/// The shape of boards of so many cells that are square.
#[pyfunction]
pub(crate) fn shape_of_cells(cells: usize) -> PyResult<Shape> {
    square(cells).map(Shape)
}

/// Refuses bytes that are no boards.
#[pyfunction]
pub(crate) fn check_boards(
    py: Python<'_>,
    cells: PyBackedBytes,
    shape: &Shape,
    first: usize,
) -> PyResult<()> {
    Cells::new(cells, shape, first)?.map(py, |_| ()).map(drop)
}

/// Of each board the board after each of four moves, and whether that move is possible; where it is not,
/// the board itself.
#[pyfunction]
pub(crate) fn neighbours(
    py: Python<'_>,
    cells: PyBackedBytes,
    shape: &Shape,
    first: usize,
) -> PyResult<(Py<PyByteArray>, Py<PyByteArray>)> {
    let cells = Cells::new(cells, shape, first)?;
    let make = || {
        let mut boards = Vec::with_capacity(cells.bytes.len() * Direction::ALL.len());
        let mut legal = Vec::with_capacity(cells.count() * Direction::ALL.len());
        for board in cells.boards() {
            let board = board?;
            for direction in Direction::ALL {
                let moved = board.moved(direction);
                legal.push(u8::from(moved.is_some()));
                boards.extend_from_slice(moved.unwrap_or(board).tiles());
            }
        }
        Ok((boards, legal))
    };
    let (boards, legal) = py.detach(make).map_err(at_row)?;
    Ok((PyByteArray::new(py, &boards).unbind(), PyByteArray::new(py, &legal).unbind()))
}

/// Whether each board is the goal.
#[pyfunction]
pub(crate) fn is_goal(
    py: Python<'_>,
    cells: PyBackedBytes,
    goal: &Goal,
    first: usize,
) -> PyResult<Py<PyByteArray>> {
    let of = goal.0;
    let cells = Cells::new(cells, &Shape(of.shape()), first)?;
    let found = cells.map(py, |board| u8::from(board == of.board()))?;
    Ok(PyByteArray::new(py, &found).unbind())
}

/// Whether moves lead from each board to the goal.
#[pyfunction]
pub(crate) fn is_solvable(
    py: Python<'_>,
    cells: PyBackedBytes,
    goal: &Goal,
    first: usize,
) -> PyResult<Py<PyByteArray>> {
    let of = goal.0;
    let cells = Cells::new(cells, &Shape(of.shape()), first)?;
    let found = cells.map(py, |board| u8::from(of.check_solvable(board).is_ok()))?;
    Ok(PyByteArray::new(py, &found).unbind())
}

/// The shape's number of ranks.
fn rank_count(shape: tilebase::Shape) -> PyResult<u64> {
    shape.rank_count().ok_or_else(|| {
        let message =
            format!("boards of {shape} have no ranks: they are for boards of up to 20 cells");
        raise(Kind::Limit, message, None)
    })
}

/// The rank of each board, 8 bytes each.
#[pyfunction]
pub(crate) fn rank(
    py: Python<'_>,
    cells: PyBackedBytes,
    shape: &Shape,
    first: usize,
) -> PyResult<Py<PyByteArray>> {
    rank_count(shape.0)?;
    let of = |board: &tilebase::Board| board.rank().expect("the shape has ranks");
    let ranks = Cells::new(cells, shape, first)?.map(py, of)?;
    Ok(bytes_of(py, ranks, u64::to_le_bytes))
}

/// The board of each rank, which has 8 bytes.
#[pyfunction]
pub(crate) fn unrank(
    py: Python<'_>,
    ranks: PyBackedBytes,
    shape: &Shape,
    first: usize,
) -> PyResult<Py<PyByteArray>> {
    let (shape, count) = (shape.0, rank_count(shape.0)?);
    let make = || {
        let mut boards = Vec::new();
        for (row, bytes) in ranks.as_chunks().0.iter().enumerate() {
            let rank = i64::from_le_bytes(*bytes);
            let board = u64::try_from(rank).ok();
            let Some(board) = board.and_then(|rank| tilebase::Board::of_rank(shape, rank)) else {
                let problem = format!("expected a rank from 0 to {}, found {rank}", count - 1);
                return Err((first + row, problem));
            };
            boards.extend_from_slice(board.tiles());
        }
        Ok(boards)
    };
    let boards = py.detach(make).map_err(at_row)?;
    Ok(PyByteArray::new(py, &boards).unbind())
}

/// The distance of each board from the goal in the order of ranks, a byte each. They are taken part by part,
/// because of half a gigabyte that is copied at once Python's other threads would notice, and memory, too.
#[pyclass(frozen, module = "tilebase._tilebase")]
pub(crate) struct Distances(Mutex<Vec<u8>>);

#[pymethods]
impl Distances {
    #[new]
    fn new(py: Python<'_>, goal: &Goal) -> PyResult<Self> {
        let (goal, cancel) = (goal.0, Cancel::new());
        let stop = cancel.clone();
        let found = wait::work(py, &cancel, move || tilebase::distances(&goal, &stop))?;
        Ok(Self(Mutex::new(found.map_err(errors::of)?)))
    }

    /// How many are left.
    fn __len__(&self) -> usize {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).len()
    }

    /// Takes some of those at the end; none are left after none were taken.
    fn take_last<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        let mut left = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let first = left.len().saturating_sub(BYTES_OF_PART);
        let taken = PyBytes::new(py, &left[first..]);
        left.truncate(first);
        left.shrink_to_fit();
        taken
    }
}

/// Boards as bytes, one after another.
pub(crate) fn cells_of(boards: impl IntoIterator<Item = tilebase::Board>) -> Vec<u8> {
    let mut cells = Vec::new();
    for board in boards {
        cells.extend_from_slice(board.tiles());
    }
    cells
}
