//! Shapes, boards and goals.

use std::borrow::Cow;

use pyo3::exceptions::{PyException, PyIndexError, PyOverflowError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyInt, PyIterator, PyString, PyTuple};
use tilebase::IntoBoard;
use tilebase::names::{GoalChoice, goal_name};
use tilebase::pdb_core::{BoardError, CELLS_MAX};
use tilebase::text::{BlankSign, BoardFormat, WrittenMoves, letters, read_board};
use tilebase::{Direction, Error};
use tilebase_draw::{Colouring, Theme, pictures};

use crate::errors::{ErrorClass, Failure, Result, raise};

/// Rows and columns of a board. It is a sequence of two numbers and equal to the tuple of them, as
/// the shape of an array is.
///
/// >>> Shape(3, 4)
/// Shape(3, 4)
/// >>> Shape(3, 4).cells, str(Shape(3, 4))
/// (12, '3x4')
/// >>> rows, cols = Shape(3, 4)
/// >>> Shape(3, 4) == (rows, cols)
/// True
#[pyclass(frozen, module = "tilebase", from_py_object)]
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shape(pub(crate) tilebase::Shape);

impl Shape {
    pub(crate) fn of(rows: usize, cols: usize) -> Result<tilebase::Shape> {
        Ok(tilebase::Shape::new(rows, cols)?)
    }

    fn tuple<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        (self.0.rows(), self.0.cols()).into_pyobject(py)
    }
}

/// Formats a text as Python does, such as with the format ">20".
fn formatted<'py>(py: Python<'py>, text: String, format: &str) -> PyResult<Bound<'py, PyAny>> {
    PyString::new(py, &text).call_method1("__format__", (format,))
}

/// A number of rows or columns.
#[derive(Clone, Copy, Debug)]
struct Side(usize);

impl<'a, 'py> FromPyObject<'a, 'py> for Side {
    type Error = Failure;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> Result<Self> {
        match object.extract::<usize>() {
            Ok(side) => Ok(Self(side)),
            Err(error) if error.is_instance_of::<PyOverflowError>(object.py()) => {
                let found = object.repr()?;
                let message = format!("expected a number of rows and of columns, found {found}");
                Err(raise(ErrorClass::BoardError, message))
            }
            Err(error) => Err(error.into()),
        }
    }
}

#[pymethods]
impl Shape {
    #[new]
    fn new(rows: Side, cols: Side) -> Result<Self> {
        Ok(Self(Self::of(rows.0, cols.0)?))
    }

    /// Rows of the board.
    #[getter]
    fn rows(&self) -> usize {
        self.0.rows()
    }

    /// Columns of the board.
    #[getter]
    fn cols(&self) -> usize {
        self.0.cols()
    }

    /// Cells of the board, including the blank's.
    #[getter]
    fn cells(&self) -> usize {
        self.0.cell_count()
    }

    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        Ok(self.tuple(py)?.len())
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        self.tuple(py)?.try_iter()
    }

    fn __getitem__<'py>(&self, index: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.tuple(index.py())?.as_any().get_item(index)
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> PyResult<bool> {
        match other.cast::<Self>() {
            Ok(other) => Ok(self.0 == other.get().0),
            Err(_) => self.tuple(other.py())?.eq(other),
        }
    }

    /// The hash of the tuple, as both are equal.
    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        self.tuple(py)?.hash()
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __format__<'py>(&self, py: Python<'py>, format: &str) -> PyResult<Bound<'py, PyAny>> {
        formatted(py, self.__str__(), format)
    }

    fn __repr__(&self) -> String {
        format!("Shape({}, {})", self.0.rows(), self.0.cols())
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<PickleParts<'py>> {
        let Self(shape) = slf.get();
        pickle_parts(slf, (shape.rows(), shape.cols()))
    }
}

/// Longest excerpt of an object's text in an error, in characters.
pub(crate) const EXCERPT_CHARS_MAX: usize = 200;

/// Returns the start of an object's representation.
fn excerpt(object: &Bound<'_, PyAny>) -> String {
    let text = object.repr().map(|text| text.to_string()).unwrap_or_default();
    text.chars().take(EXCERPT_CHARS_MAX).collect()
}

/// Returns the characters of a text that is read as a board, a shape or a goal.
fn characters<'a>(text: &'a Bound<'_, PyString>) -> Result<Cow<'a, str>> {
    text.to_cow().map_err(|_| {
        let found = excerpt(text);
        let message = format!("expected a text in Unicode, found lone surrogates in {found}");
        raise(ErrorClass::BoardError, message)
    })
}

/// The class of an object and the arguments that make it anew, for pickle.
pub(crate) type PickleParts<'py> = (Bound<'py, PyAny>, Bound<'py, PyTuple>);

pub(crate) fn pickle_parts<'py, T>(
    object: &Bound<'py, T>,
    arguments: impl IntoPyObject<'py, Target = PyTuple, Output = Bound<'py, PyTuple>, Error = PyErr>,
) -> PyResult<PickleParts<'py>> {
    Ok((object.as_any().get_type().into_any(), arguments.into_pyobject(object.py())?))
}

/// An argument that is a shape: a Shape, two numbers, or a text such as "3x4".
#[derive(Clone, Copy, Debug)]
pub(crate) struct ShapeLike(pub(crate) tilebase::Shape);

impl<'a, 'py> FromPyObject<'a, 'py> for ShapeLike {
    type Error = Failure;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> Result<Self> {
        if let Ok(shape) = object.cast::<Shape>() {
            return Ok(Self(shape.get().0));
        }
        if let Ok(text) = object.cast::<PyString>() {
            match characters(&text)?.parse() {
                Ok(shape) => return Ok(Self(shape)),
                Err(BoardError::Size { .. }) => (),
                Err(error) => return Err(error.into()),
            }
        } else if let Ok([rows, cols]) = object.extract::<[i64; 2]>() {
            // A negative side is as wrong as one that is too large.
            let side = |side: i64| usize::try_from(side).unwrap_or(0);
            return Ok(Self(Shape::of(side(rows), side(cols))?));
        }
        let message = format!(
            "expected a shape such as (3, 4), \"3x4\" or Shape(3, 4), found {}",
            excerpt(&object)
        );
        match object.try_iter() {
            Ok(_) => Err(raise(ErrorClass::BoardError, message)),
            Err(_) => Err(PyTypeError::new_err(message).into()),
        }
    }
}

/// A board: a tile on each cell, 0 for the blank, each tile once.
///
/// It is made of a text in any usual notation, of numbers row by row, or of rows. Without rows a
/// board has the `shape` that is given, or is square. Boards never change; they can be hashed,
/// compared and pickled.
///
/// >>> board = Board("8 6 7/2 5 4/3 0 1")
/// >>> board == Board([[8, 6, 7], [2, 5, 4], [3, 0, 1]])
/// True
/// >>> board.shape, board.blank, board.tiles
/// (Shape(3, 3), 7, (8, 6, 7, 2, 5, 4, 3, 0, 1))
/// >>> Board([1, 2, 3, 4, 0, 5], shape=(2, 3))
/// Board('1 2 3/4 0 5')
///
/// `blank` is the only sign of the blank in a text or among numbers: a number or a character.
/// Beside it, tiles may count from 0; the board counts them from 1.
///
/// >>> Board([[0, 1], [2, -1]], blank=-1)
/// Board('1 2/3 0')
///
/// It is a sequence of its tiles row by row, and `board[row, col]` is the tile on a cell. Its text
/// is one line; `grid` returns the rows.
///
/// >>> board[0], board[2, 1], board[-1, -1], len(board), list(board)[:3]
/// (8, 0, 1, 9, [8, 6, 7])
/// >>> f"{board:>20}"
/// '   8 6 7/2 5 4/3 0 1'
#[pyclass(frozen, eq, hash, module = "tilebase", from_py_object)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Board(pub(crate) tilebase::Board);

impl Board {
    /// Reads a board from any object; it must have the shape, if one is given.
    pub(crate) fn read(
        object: &Bound<'_, PyAny>,
        shape: Option<tilebase::Shape>,
    ) -> Result<tilebase::Board> {
        Self::with_shape(Self::read_with_default(object, shape)?, shape)
    }

    /// Returns a board if it has the shape that is given.
    pub(crate) fn with_shape(
        board: tilebase::Board,
        shape: Option<tilebase::Shape>,
    ) -> Result<tilebase::Board> {
        match shape {
            Some(expected) if expected != board.shape() => {
                let found = board.shape();
                let message = format!("expected a {expected} board, found a {found} one: {board}");
                Err(raise(ErrorClass::BoardError, message))
            }
            _ => Ok(board),
        }
    }

    /// Reads a board from any object. Numbers without rows have the default shape; boards and rows
    /// have their own.
    pub(crate) fn read_with_default(
        object: &Bound<'_, PyAny>,
        default: Option<tilebase::Shape>,
    ) -> Result<tilebase::Board> {
        if let Ok(board) = object.cast::<Self>() {
            Ok(board.get().0)
        } else if let Ok(goal) = object.cast::<Goal>() {
            Ok(*goal.get().0.board())
        } else if let Ok(text) = object.cast::<PyString>() {
            Ok((&*characters(text)?).into_board(default)?)
        } else {
            Self::of_numbers(object, default)
        }
    }

    /// Reads a board from numbers row by row, or from rows of numbers.
    fn of_numbers(
        object: &Bound<'_, PyAny>,
        shape: Option<tilebase::Shape>,
    ) -> Result<tilebase::Board> {
        let Numbers { numbers, row_lens } = Numbers::read(object)?;
        let shape = match (&row_lens[..], shape) {
            ([], Some(shape)) => shape,
            ([], None) => square(numbers.len())?,
            ([first, others @ ..], _) if others.iter().all(|other| other == first) => {
                Shape::of(row_lens.len(), *first)?
            }
            _ => {
                let message = format!("expected rows of one length, found {row_lens:?}");
                return Err(raise(ErrorClass::BoardError, message));
            }
        };
        let tiles = numbers.iter().enumerate().map(|(cell, number)| tile_of(number, shape, cell));
        Ok(tilebase::Board::new(shape, &tiles.collect::<Result<Vec<_>>>()?)?)
    }
}

/// Largest number of numbers that are read, to name the size of what is too large for a board.
const NUMBERS_MAX: usize = 1000;

/// The numbers of an object, and the length of each row if they come in rows.
#[derive(Default)]
struct Numbers<'py> {
    numbers: Vec<Bound<'py, PyAny>>,
    row_lens: Vec<usize>,
}

impl<'py> Numbers<'py> {
    fn read(object: &Bound<'py, PyAny>) -> Result<Self> {
        let py = object.py();
        // The numbers of an array as Python's own.
        let object = match object.getattr("tolist") {
            Ok(to_list) => &to_list.call0()?,
            Err(_) => object,
        };
        let no_iterator = |error: PyErr| {
            if error.is_instance_of::<PyTypeError>(py) { no_board(object) } else { error }
        };
        let items = object.try_iter().map_err(no_iterator)?;
        let mut read = Self::default();
        for item in items {
            let item = item?;
            // Most items are integers, and to iterate over one costs an exception.
            let is_number = item.is_instance_of::<PyInt>() || item.is_instance_of::<PyString>();
            match (!is_number).then(|| item.try_iter()).transpose() {
                Ok(Some(row)) => {
                    let before = read.numbers.len();
                    for number in row {
                        read.add(number?)?;
                    }
                    read.row_lens.push(read.numbers.len() - before);
                }
                // An interrupt says nothing about the board.
                Err(error) if !error.is_instance_of::<PyException>(py) => return Err(error.into()),
                Ok(None) | Err(_) => read.add(item)?,
            }
        }
        Ok(read)
    }

    /// Returns the numbers as the text of a board.
    fn text(&self) -> Result<String> {
        let mut cells = self.numbers.iter();
        let lens = if self.row_lens.is_empty() { &[usize::MAX][..] } else { &self.row_lens };
        let row = |&len: &usize| -> PyResult<String> {
            let cells = cells.by_ref().take(len).map(|cell| Ok(cell.str()?.to_string()));
            Ok(cells.collect::<PyResult<Vec<_>>>()?.join(" "))
        };
        Ok(lens.iter().map(row).collect::<PyResult<Vec<_>>>()?.join("/"))
    }

    fn add(&mut self, number: Bound<'py, PyAny>) -> Result<()> {
        self.numbers.push(number);
        if self.numbers.len() > NUMBERS_MAX {
            let message = format!("expected up to {CELLS_MAX} numbers, found over {NUMBERS_MAX}");
            return Err(raise(ErrorClass::BoardError, message));
        }
        Ok(())
    }
}

/// The exception for an object of a type that no board has.
fn no_board(object: &Bound<'_, PyAny>) -> PyErr {
    let found = object.get_type().name().map(|name| name.to_string());
    let found = found.unwrap_or_else(|_| "something else".into());
    PyTypeError::new_err(format!(
        "expected a board as a text, as numbers row by row or as rows of numbers, found {found}"
    ))
}

/// Reads the number on a cell. Other numbers than a board of the shape has are named.
fn tile_of(number: &Bound<'_, PyAny>, shape: tilebase::Shape, cell: usize) -> Result<u8> {
    let py = number.py();
    let message = match number.extract::<u8>() {
        Ok(tile) => return Ok(tile),
        Err(error) if error.is_instance_of::<PyOverflowError>(py) => format!(
            "row {}, column {} holds {}: a {shape} board has tiles 1 to {} and the blank, 0",
            cell / shape.cols() + 1,
            cell % shape.cols() + 1,
            excerpt(number),
            shape.cell_count() - 1
        ),
        Err(error) if error.is_instance_of::<PyException>(py) => {
            format!("expected tiles as integers, found {}", excerpt(number))
        }
        Err(interrupt) => return Err(interrupt.into()),
    };
    Err(raise(ErrorClass::BoardError, message))
}

/// Returns the square shape with this number of cells.
pub(crate) fn square(cells: usize) -> Result<tilebase::Shape> {
    let side = cells.isqrt();
    if side * side == cells && side >= 2 {
        return Shape::of(side, side);
    }
    let message = format!(
        "expected 4, 9, 16, 25, 36, 49 or 64 numbers, as a square board has, found {cells}; give a \
         board of another shape as rows of numbers"
    );
    Err(raise(ErrorClass::BoardError, message))
}

/// Draws a board on its own, coloured by the rows of the usual goal.
fn svg_of(board: &tilebase::Board) -> String {
    let goal = tilebase::Goal::blank_last(board.shape());
    pictures::board(board, &goal, &Colouring::Plain, false, None).to_svg(Theme::Auto)
}

#[pymethods]
impl Board {
    #[new]
    #[pyo3(signature = (board, shape=None, *, blank=None))]
    fn new(
        board: &Bound<'_, PyAny>,
        shape: Option<ShapeLike>,
        blank: Option<&Bound<'_, PyAny>>,
    ) -> Result<Self> {
        let shape = shape.map(|ShapeLike(shape)| shape);
        let Some(blank) = blank else { return Self::read(board, shape).map(Self) };
        let text = match board.cast::<PyString>() {
            Ok(text) => characters(text)?.into_owned(),
            Err(_) => Numbers::read(board)?.text()?,
        };
        let blank = blank.str()?;
        let blank: BlankSign = characters(&blank)?.parse().map_err(Error::from)?;
        let format = BoardFormat { shape, blank: Some(blank) };
        Self::with_shape(read_board(&text, format).map_err(Error::from)?, shape).map(Self)
    }

    /// Rows and columns.
    #[getter]
    fn shape(&self) -> Shape {
        Shape(self.0.shape())
    }

    /// The tiles row by row, 0 for the blank.
    #[getter]
    fn tiles<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.0.tiles())
    }

    /// The cell of the blank, from 0, row by row.
    #[getter]
    fn blank(&self) -> usize {
        self.0.blank().into()
    }

    /// The directions in which a tile can move, of "U", "R", "D" and "L".
    ///
    /// >>> Board("1 2 3/4 5 6/7 8 0").legal
    /// 'RD'
    #[getter]
    fn legal(&self) -> String {
        let is_legal = |direction: &Direction| self.0.moved(*direction).is_some();
        letters(&Direction::ALL.into_iter().filter(is_legal).collect::<Vec<_>>())
    }

    /// The board after moves: letters for directions of tiles, or numbers of tiles.
    ///
    /// >>> Board("1 2 3/4 5 6/0 7 8").after("LL")
    /// Board('1 2 3/4 5 6/7 8 0')
    fn after(&self, moves: &str) -> Result<Self> {
        Ok(Self(WrittenMoves::parse(moves, false)?.make(&self.0).map_err(Error::from)?.1))
    }

    /// The board as lines of text: a line for each row, and `.` for the blank.
    ///
    /// >>> print(Board("8 6 7/2 5 4/3 0 1").grid())
    /// 8 6 7
    /// 2 5 4
    /// 3 . 1
    fn grid(&self) -> String {
        let width = (self.0.tiles().len() - 1).to_string().len();
        let word = |tile: &u8| match tile {
            0 => format!("{:>width$}", "."),
            tile => format!("{tile:>width$}"),
        };
        let rows = self.0.tiles().chunks(self.0.shape().cols());
        let line = |row: &[u8]| row.iter().map(word).collect::<Vec<_>>().join(" ");
        rows.map(line).collect::<Vec<_>>().join("\n")
    }

    fn __len__(&self) -> usize {
        self.0.tiles().len()
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        self.tiles(py)?.try_iter()
    }

    /// The tile on a cell, from 0, or on a row and column, from 0; or the tiles of a slice.
    fn __getitem__<'py>(&self, index: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let tiles = self.tiles(index.py())?;
        let Ok(place) = index.cast::<PyTuple>() else { return tiles.as_any().get_item(index) };
        let (row, col): (isize, isize) = place.extract()?;
        let place_in = |index: isize, count: usize| {
            let from_end = usize::try_from(index).or(usize::try_from(index + count as isize));
            from_end.ok().filter(|&place| place < count)
        };
        let shape = self.0.shape();
        let (Some(row), Some(col)) = (place_in(row, shape.rows()), place_in(col, shape.cols()))
        else {
            let message = format!("row {row}, column {col} is no cell of a {shape} board");
            return Err(PyIndexError::new_err(message));
        };
        tiles.get_item(row * shape.cols() + col)
    }

    /// The tiles as an array: `numpy.asarray(board)` has the shape `(rows, cols)` and the type
    /// `uint8`.
    #[pyo3(signature = (dtype=None, copy=None))]
    fn __array__<'py>(
        &self,
        py: Python<'py>,
        dtype: Option<&Bound<'py, PyAny>>,
        copy: Option<bool>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if copy == Some(false) {
            return Err(pyo3::exceptions::PyValueError::new_err(
                "a board is no array: its tiles are always copied",
            ));
        }
        // Tuples, as lists of bytes would be bytes, which are no numbers.
        let rows = self.0.tiles().chunks(self.0.shape().cols()).map(|row| PyTuple::new(py, row));
        let rows = rows.collect::<PyResult<Vec<_>>>()?;
        let kwargs = PyDict::new(py);
        match dtype {
            Some(dtype) => kwargs.set_item("dtype", dtype)?,
            None => kwargs.set_item("dtype", "uint8")?,
        }
        py.import("numpy")?.getattr("array")?.call((rows,), Some(&kwargs))
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __format__<'py>(&self, py: Python<'py>, format: &str) -> PyResult<Bound<'py, PyAny>> {
        formatted(py, self.__str__(), format)
    }

    fn __repr__(&self) -> String {
        format!("Board('{}')", self.0)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<PickleParts<'py>> {
        pickle_parts(slf, (slf.get().0.to_string(),))
    }

    fn _repr_svg_(&self) -> String {
        svg_of(&self.0)
    }
}

/// A goal: the home cells of every tile and of the blank.
///
/// It is "blank-last" (the default), "blank-first" or "snail" for boards of a shape, or drawn as a
/// board.
///
/// >>> Goal("blank-first", shape=(2, 3)).board
/// Board('0 1 2/3 4 5')
/// >>> Goal("1 2 3/4 5 6/7 8 0").name
/// 'blank-last'
/// >>> Goal("blank-last", (3, 3)).is_solvable(Board("2 1 3/4 5 6/7 8 0"))
/// False
#[pyclass(frozen, eq, hash, module = "tilebase", from_py_object)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Goal(pub(crate) tilebase::Goal);

#[pymethods]
impl Goal {
    #[new]
    #[pyo3(signature = (goal=None, shape=None))]
    fn new(goal: Option<GoalLike>, shape: Option<ShapeLike>) -> Result<Self> {
        let shape = shape.map(|ShapeLike(shape)| shape);
        let usual = || GoalLike::Text("blank-last".to_owned());
        let choice = goal.unwrap_or_else(usual).choice(shape)?;
        let Some(shape) = shape.or(choice.shape()) else {
            let message = "say the shape of the goal's boards, such as shape=(4, 4)";
            return Err(raise(ErrorClass::BoardError, message));
        };
        Ok(Self(choice.goal(shape)?))
    }

    /// The goal as a board.
    #[getter]
    fn board(&self) -> Board {
        Board(*self.0.board())
    }

    /// Rows and columns.
    #[getter]
    fn shape(&self) -> Shape {
        Shape(self.0.shape())
    }

    /// The goal's name, or the goal as a text.
    #[getter]
    fn name(&self) -> String {
        goal_name(&self.0)
    }

    /// Whether a board is the goal.
    fn is_goal(&self, board: &Bound<'_, PyAny>) -> Result<bool> {
        Ok(Board::read(board, Some(self.0.shape()))? == *self.0.board())
    }

    /// Whether moves lead from a board to the goal.
    fn is_solvable(&self, board: &Bound<'_, PyAny>) -> Result<bool> {
        let board = Board::read(board, Some(self.0.shape()))?;
        Ok(self.0.check_solvable(&board).is_ok())
    }

    fn __str__(&self) -> String {
        goal_name(&self.0)
    }

    fn __format__<'py>(&self, py: Python<'py>, format: &str) -> PyResult<Bound<'py, PyAny>> {
        formatted(py, self.__str__(), format)
    }

    fn __repr__(&self) -> String {
        format!("Goal('{}')", self.0.board())
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<PickleParts<'py>> {
        pickle_parts(slf, (slf.get().0.board().to_string(),))
    }

    fn _repr_svg_(&self) -> String {
        svg_of(self.0.board())
    }
}

/// An argument that is a goal: a Goal, a Board, or a text.
#[derive(Clone, Debug)]
pub(crate) enum GoalLike {
    Goal(tilebase::Goal),
    Text(String),
}

impl GoalLike {
    /// Returns the goal; `shape` is that of boards that do not show their own.
    pub(crate) fn choice(&self, shape: Option<tilebase::Shape>) -> Result<GoalChoice> {
        match self {
            Self::Goal(goal) => Ok(GoalChoice::Drawn(*goal)),
            Self::Text(text) => Ok(GoalChoice::read(text, shape)?),
        }
    }
}

impl<'a, 'py> FromPyObject<'a, 'py> for GoalLike {
    type Error = Failure;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> Result<Self> {
        if let Ok(goal) = object.cast::<Goal>() {
            Ok(Self::Goal(goal.get().0))
        } else if let Ok(board) = object.cast::<Board>() {
            Ok(Self::Goal(tilebase::Goal::new(board.get().0)))
        } else if let Ok(text) = object.cast::<PyString>() {
            Ok(Self::Text(characters(&text)?.into_owned()))
        } else if object.hasattr("tolist")? {
            Ok(Self::Goal(tilebase::Goal::new(Board::read_with_default(&object, None)?)))
        } else {
            let found = object.get_type().name()?;
            let message = format!(
                "expected a Goal, a Board, an array, a name such as \"blank-first\" or a drawn goal, found {found}"
            );
            Err(PyTypeError::new_err(message).into())
        }
    }
}
