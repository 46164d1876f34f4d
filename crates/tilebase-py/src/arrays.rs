//! Arrays of boards as bytes, for all that needs no tables.
//!
//! Bytes come in and go out, which numpy reads and writes without a loop;
//! `python/tilebase/_arrays.py` knows their shapes and types. Python's bytes never change, so they
//! can be read while its other threads run. Large arrays come in parts, and signals are checked
//! between two of them; `first` is the place of a part's first row among all rows.

use std::panic::resume_unwind;
use std::sync::Mutex;
use std::thread;

use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyByteArray, PyBytes};
use tilebase::shelf::core_count;
use tilebase::{Cancel, Direction};

use crate::board::{Goal, Shape, ShapeLike, square};
use crate::errors::{ErrorClass, Failure, Result, at_row, metric_of, raise};
use crate::wait::{self, lock};

/// Least number of boards for which a thread is worth its start.
const BOARDS_PER_THREAD: usize = 1 << 15;

/// Number of boards between two looks at the request to cancel.
const BOARDS_PER_CHECK: usize = 1 << 12;

/// Bytes that are handed to Python at once: copying them takes no noticeable time.
const BYTES_PER_PART: usize = 1 << 20;

/// The number of a row, and the problem with it.
type RowError = (usize, String);

/// Boards of one shape, a byte a tile.
pub(crate) struct Cells {
    bytes: PyBackedBytes,
    shape: tilebase::Shape,
    first: usize,
}

impl Cells {
    pub(crate) fn new(bytes: PyBackedBytes, shape: &Shape, first: usize) -> Result<Self> {
        let cells = shape.0.cell_count();
        if !bytes.len().is_multiple_of(cells) {
            let found = bytes.len();
            let message = format!("expected boards of {cells} bytes, found {found} bytes");
            return Err(raise(ErrorClass::BoardError, message));
        }
        Ok(Self { bytes, shape: shape.0, first })
    }

    /// Returns the number of boards.
    fn count(&self) -> usize {
        self.bytes.len() / self.shape.cell_count()
    }

    /// Reads the boards of a part of the bytes, whose first row is the `first`.
    fn boards_of<'a>(
        &self,
        bytes: &'a [u8],
        first: usize,
    ) -> impl Iterator<Item = Result<tilebase::Board, RowError>> + use<'a> {
        let (shape, first) = (self.shape, self.first + first);
        bytes.chunks_exact(shape.cell_count()).enumerate().map(move |(row, tiles)| {
            tilebase::Board::new(shape, tiles).map_err(|error| (first + row, error.to_string()))
        })
    }

    fn boards(&self) -> impl Iterator<Item = Result<tilebase::Board, RowError>> {
        self.boards_of(&self.bytes, 0)
    }

    /// Reads and checks all boards, on all cores while other threads of Python run. Ctrl-C stops
    /// it.
    pub(crate) fn read(self, py: Python<'_>) -> Result<Vec<tilebase::Board>> {
        let cancel = Cancel::new();
        let boards = if self.count() <= BOARDS_PER_THREAD {
            py.detach(|| self.read_on(1, &cancel))
        } else {
            let stop = cancel.clone();
            wait::work(py, &cancel, move || self.read_on(core_count(), &stop))?
        };
        boards.map_err(row_error)
    }

    fn read_on(
        &self,
        thread_count: usize,
        cancel: &Cancel,
    ) -> Result<Vec<tilebase::Board>, RowError> {
        let part = self.count().div_ceil(thread_count).max(BOARDS_PER_THREAD);
        let read = |(number, bytes): (usize, &[u8])| {
            let boards = self.boards_of(bytes, number * part).enumerate();
            // The boards of cancelled work are not used.
            let goes_on =
                |row: usize| !row.is_multiple_of(BOARDS_PER_CHECK) || !cancel.is_cancelled();
            let boards = boards.take_while(|(row, _)| goes_on(*row)).map(|(_, board)| board);
            boards.collect::<Result<Vec<_>, _>>()
        };
        let mut parts = self.bytes.chunks(part * self.shape.cell_count()).enumerate();
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

    /// Returns a value for each board.
    fn map<T: Send>(
        &self,
        py: Python<'_>,
        value: impl Fn(&tilebase::Board) -> T + Send + Sync,
    ) -> Result<Vec<T>> {
        let values = || self.boards().map(|board| Ok(value(&board?))).collect::<Result<_, _>>();
        py.detach(values).map_err(row_error)
    }
}

fn row_error((row, problem): RowError) -> Failure {
    at_row(ErrorClass::BoardError, &problem, row)
}

/// Writes numbers as bytes in little-endian order.
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

/// Writes boards as bytes, one after another.
pub(crate) fn cells_of(boards: impl IntoIterator<Item = tilebase::Board>) -> Vec<u8> {
    let mut cells = Vec::new();
    for board in boards {
        cells.extend_from_slice(board.tiles());
    }
    cells
}

/// Converts an argument to a shape.
#[pyfunction]
pub(crate) fn shape_of(shape: ShapeLike) -> Shape {
    Shape(shape.0)
}

/// Returns the square shape with this number of cells.
#[pyfunction]
pub(crate) fn shape_of_cells(cells: usize) -> Result<Shape> {
    square(cells).map(Shape)
}

/// Raises an exception if a row is no board.
#[pyfunction]
pub(crate) fn check_boards(
    py: Python<'_>,
    cells: PyBackedBytes,
    shape: &Shape,
    first: usize,
) -> Result<()> {
    Cells::new(cells, shape, first)?.map(py, |_| ()).map(drop)
}

/// Returns the four neighbours of each board, and whether each move is possible; after an
/// impossible one, the board itself stands for the neighbour.
#[pyfunction]
pub(crate) fn neighbours(
    py: Python<'_>,
    cells: PyBackedBytes,
    shape: &Shape,
    first: usize,
) -> Result<(Py<PyByteArray>, Py<PyByteArray>)> {
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
    let (boards, legal) = py.detach(make).map_err(row_error)?;
    Ok((PyByteArray::new(py, &boards).unbind(), PyByteArray::new(py, &legal).unbind()))
}

/// Returns whether each board is the goal.
#[pyfunction]
pub(crate) fn is_goal(
    py: Python<'_>,
    cells: PyBackedBytes,
    goal: &Goal,
    first: usize,
) -> Result<Py<PyByteArray>> {
    let cells = Cells::new(cells, &Shape(goal.0.shape()), first)?;
    let found = cells.map(py, |board| u8::from(board == goal.0.board()))?;
    Ok(PyByteArray::new(py, &found).unbind())
}

/// Returns whether each board can be solved.
#[pyfunction]
pub(crate) fn is_solvable(
    py: Python<'_>,
    cells: PyBackedBytes,
    goal: &Goal,
    first: usize,
) -> Result<Py<PyByteArray>> {
    let cells = Cells::new(cells, &Shape(goal.0.shape()), first)?;
    let found = cells.map(py, |board| u8::from(goal.0.check_solvable(board).is_ok()))?;
    Ok(PyByteArray::new(py, &found).unbind())
}

/// Returns the number of ranks of a shape.
fn rank_count(shape: tilebase::Shape) -> Result<u64> {
    shape.rank_count().ok_or_else(|| {
        let message =
            format!("boards of {shape} have no ranks: they are for boards of up to 20 cells");
        raise(ErrorClass::LimitError, message)
    })
}

/// Returns the rank of each board, 8 bytes each.
#[pyfunction]
pub(crate) fn rank(
    py: Python<'_>,
    cells: PyBackedBytes,
    shape: &Shape,
    first: usize,
) -> Result<Py<PyByteArray>> {
    rank_count(shape.0)?;
    let of = |board: &tilebase::Board| board.rank().expect("the shape has ranks");
    let ranks = Cells::new(cells, shape, first)?.map(py, of)?;
    Ok(bytes_of(py, ranks, u64::to_le_bytes))
}

/// Returns the board of each rank, which has 8 bytes.
#[pyfunction]
pub(crate) fn unrank(
    py: Python<'_>,
    ranks: PyBackedBytes,
    shape: &Shape,
    first: usize,
) -> Result<Py<PyByteArray>> {
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
    let boards = py.detach(make).map_err(row_error)?;
    Ok(PyByteArray::new(py, &boards).unbind())
}

/// The distances of all boards from the goal in the order of ranks, a byte each. Python takes them
/// part by part: a copy of half a gigabyte at once would delay its other threads, and need the
/// memory twice.
#[pyclass(frozen, module = "tilebase._tilebase")]
pub(crate) struct Distances(Mutex<Vec<u8>>);

#[pymethods]
impl Distances {
    #[new]
    fn new(py: Python<'_>, goal: &Goal, metric: &str) -> Result<Self> {
        let (goal, metric, cancel) = (goal.0, metric_of(metric)?, Cancel::new());
        let stop = cancel.clone();
        let distances = move || tilebase::sets::distances(&goal, metric, &stop);
        let distances = wait::work(py, &cancel, distances)??;
        Ok(Self(Mutex::new(distances)))
    }

    /// Number of distances that were not taken.
    fn __len__(&self) -> usize {
        lock(&self.0).len()
    }

    /// Takes some of the last distances; returns none when all were taken.
    fn take_last<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        let mut rest = lock(&self.0);
        let first = rest.len().saturating_sub(BYTES_PER_PART);
        let taken = PyBytes::new(py, &rest[first..]);
        rest.truncate(first);
        rest.shrink_to_fit();
        taken
    }
}
