//! Board shapes, cells and sets of cells.

use core::fmt;
use std::error::Error;
use std::str::FromStr;

use crate::excerpt::{WORD_CHARS_MAX, excerpt};

/// Largest number of cells of a board: 8 x 8. A set of cells is a word of 64 bits.
pub const CELLS_MAX: usize = 64;

/// Position on the board: `row * cols + col`, from 0 at the top left.
pub type Cell = u8;

/// Rows and columns of a board: at least 2 cells, and at most [`CELLS_MAX`]. A board of a single
/// row or column is a [line](Self::is_line).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Shape {
    rows: u8,
    cols: u8,
}

impl Shape {
    /// Creates a shape of `rows` x `cols` cells.
    ///
    /// # Errors
    /// [`BoardError::Shape`] when the board has fewer than 2 cells or more than 64.
    pub fn new(rows: usize, cols: usize) -> Result<Self, BoardError> {
        if !(2..=CELLS_MAX).contains(&rows.saturating_mul(cols)) {
            return Err(BoardError::Shape { rows, cols });
        }
        Ok(Self { rows: rows as u8, cols: cols as u8 })
    }

    /// Returns the number of rows.
    pub fn rows(self) -> usize {
        usize::from(self.rows)
    }

    /// Returns the number of columns.
    pub fn cols(self) -> usize {
        usize::from(self.cols)
    }

    /// Returns the number of cells, the blank's included.
    pub fn cell_count(self) -> usize {
        self.rows() * self.cols()
    }

    /// Returns whether the board is a single row or column, on which no tile passes another.
    pub fn is_line(self) -> bool {
        self.rows == 1 || self.cols == 1
    }

    /// Returns row and column of a cell.
    pub fn row_col(self, cell: Cell) -> (usize, usize) {
        (usize::from(cell) / self.cols(), usize::from(cell) % self.cols())
    }

    /// Returns the cell at a row and a column.
    pub fn cell(self, row: usize, col: usize) -> Cell {
        debug_assert!(row < self.rows() && col < self.cols());
        (row * self.cols() + col) as Cell
    }

    /// Returns the shape with rows and columns exchanged.
    #[must_use]
    pub fn transposed(self) -> Self {
        Self { rows: self.cols, cols: self.rows }
    }

    /// Returns the number of moves between two cells on the empty board.
    pub fn distance(self, a: Cell, b: Cell) -> u32 {
        let ((ar, ac), (br, bc)) = (self.row_col(a), self.row_col(b));
        (ar.abs_diff(br) + ac.abs_diff(bc)) as u32
    }

    /// Returns every cell of the board.
    pub fn all_cells(self) -> CellSet {
        CellSet(u64::MAX >> (CELLS_MAX - self.cell_count()))
    }

    /// Returns the cells that share a side with a cell of `set`, and `set` itself.
    #[must_use]
    pub fn grown(self, set: CellSet) -> CellSet {
        Growth::new(self).grown(set)
    }

    /// Returns the cells that share a side with `cell`.
    pub fn neighbours(self, cell: Cell) -> CellSet {
        let one = CellSet::single(cell);
        self.grown(one).without(one)
    }
}

/// 4x4, the size of boards where nothing names one.
impl Default for Shape {
    fn default() -> Self {
        Self { rows: 4, cols: 4 }
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.rows, self.cols)
    }
}

/// Reads rows and columns: `3x4`, `3X4`, `3×4` or `3 x 4`.
impl FromStr for Shape {
    type Err = BoardError;

    fn from_str(text: &str) -> Result<Self, BoardError> {
        // A number beyond 64 bits is out of range like any other.
        let side = |text: &str| {
            let text = text.trim();
            let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
            is_number.then(|| text.parse().unwrap_or(usize::MAX))
        };
        text.split_once(['x', 'X', '×'])
            .and_then(|(rows, cols)| Some((side(rows)?, side(cols)?)))
            .ok_or_else(|| BoardError::Size { text: excerpt(text, WORD_CHARS_MAX) })
            .and_then(|(rows, cols)| Self::new(rows, cols))
    }
}

/// Masks of [`Shape::grown`], for many sets on one board.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Growth {
    cols: usize,
    not_first_column: u64,
    not_last_column: u64,
    all: u64,
}

impl Growth {
    pub(crate) fn new(shape: Shape) -> Self {
        let first_column: CellSet = (0..shape.rows()).map(|row| shape.cell(row, 0)).collect();
        let cols = shape.cols();
        Self {
            // A row of 64 cells has nothing above or below, and a word is not shifted by 64.
            cols: cols % CELLS_MAX,
            not_first_column: !first_column.0,
            not_last_column: !(first_column.0 << (cols - 1)),
            all: shape.all_cells().0,
        }
    }

    #[inline]
    pub(crate) fn grown(&self, set: CellSet) -> CellSet {
        let s = set.0;
        let across = (s & self.not_last_column) << 1 | (s & self.not_first_column) >> 1;
        CellSet((s | across | s << self.cols | s >> self.cols) & self.all)
    }
}

/// Set of cells, one bit per cell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CellSet(pub u64);

impl CellSet {
    /// The empty set.
    pub const EMPTY: Self = Self(0);

    /// Returns the set of one cell.
    #[inline]
    pub fn single(cell: Cell) -> Self {
        Self(1 << cell)
    }

    /// Returns whether `cell` is in the set.
    #[inline]
    pub fn contains(self, cell: Cell) -> bool {
        self.0 >> cell & 1 == 1
    }

    /// Returns the number of cells in the set.
    #[inline]
    pub fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Returns whether the set has no cell.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns the number of cells of the set before `cell`.
    #[inline]
    pub fn position(self, cell: Cell) -> usize {
        (self.0 & ((1 << cell) - 1)).count_ones() as usize
    }

    /// Returns the cells of this set that are not in `other`.
    #[must_use]
    pub fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Returns the smallest cell of the set.
    pub fn first(self) -> Option<Cell> {
        (self.0 != 0).then(|| self.0.trailing_zeros() as Cell)
    }

    /// Returns the cells in ascending order.
    pub fn iter(self) -> impl DoubleEndedIterator<Item = Cell> {
        Cells(self)
    }
}

/// Iterator over the cells of a set.
struct Cells(CellSet);

impl Iterator for Cells {
    type Item = Cell;

    #[inline]
    fn next(&mut self) -> Option<Cell> {
        let cell = self.0.first()?;
        self.0.0 &= self.0.0 - 1;
        Some(cell)
    }
}

impl DoubleEndedIterator for Cells {
    #[inline]
    fn next_back(&mut self) -> Option<Cell> {
        let cell = self.0.0.checked_ilog2()?;
        self.0.0 &= !(1 << cell);
        Some(cell as Cell)
    }
}

impl FromIterator<Cell> for CellSet {
    fn from_iter<I: IntoIterator<Item = Cell>>(cells: I) -> Self {
        Self(cells.into_iter().fold(0, |set, cell| set | 1 << cell))
    }
}

/// Failure of a text or a list of tiles to be a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BoardError {
    /// There are fewer than 2 cells, or more than 64.
    Shape {
        /// Number of rows.
        rows: usize,
        /// Number of columns.
        cols: usize,
    },
    /// A word is neither a number nor a blank.
    Word {
        /// The word, cut short and without control characters.
        word: String,
        /// Its row, counted from 1.
        row: usize,
        /// Its column, counted from 1.
        col: usize,
        /// Its position among all cells of the text, counted from 1.
        place: usize,
    },
    /// A row has more or fewer tiles than the first one.
    Ragged {
        /// The row, counted from 1.
        row: usize,
        /// Number of tiles in the first row.
        expected: usize,
        /// Number of tiles in this row.
        found: usize,
    },
    /// A board of one line is written without its size.
    OneLine {
        /// The shape.
        shape: Shape,
    },
    /// The board has another number of cells than its shape.
    CellCount {
        /// The expected shape.
        shape: Shape,
        /// Number of tiles.
        found: usize,
    },
    /// The board has another shape than the goal.
    OtherShape {
        /// Shape of the goal.
        expected: Shape,
        /// Shape of the board.
        found: Shape,
    },
    /// The board has no such tile.
    OutOfRange {
        /// The number.
        tile: u64,
        /// The board's shape.
        shape: Shape,
        /// The cell it stands on, counted from 0.
        cell: usize,
    },
    /// A tile, or the blank, stands on two cells.
    Repeated {
        /// The tile, 0 for the blank.
        tile: u8,
        /// The first of the two cells, counted from 0.
        first: usize,
        /// The second of the two cells, counted from 0.
        second: usize,
        /// A tile that is missing, 0 for the blank.
        missing: u8,
        /// The board's shape.
        shape: Shape,
    },
    /// A text is not the size of a board.
    Size {
        /// The text, cut short and without control characters.
        text: String,
    },
}

/// Returns "row 3, column 1" for a cell counted from 0, which is 6 on three columns.
fn position(shape: Shape, cell: usize) -> String {
    format!("row {}, column {}", cell / shape.cols() + 1, cell % shape.cols() + 1)
}

fn named(tile: u8) -> String {
    if tile == 0 { "the blank".to_owned() } else { format!("tile {tile}") }
}

impl fmt::Display for BoardError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Shape { rows, cols } => write!(
                f,
                "a board of {rows}x{cols} is not supported: a board has at least 2 cells and at \
                 most {CELLS_MAX}"
            ),
            Self::Word { word, row, col, .. } => write!(
                f,
                "row {row}, column {col} holds \"{word}\": expected a tile's number, or 0, . or _ \
                 for the blank"
            ),
            Self::Ragged { row, expected, found } => write!(
                f,
                "row {row} has {found} {} where the first row has {expected}: \
                 give every row as many cells",
                if *found == 1 { "cell" } else { "cells" }
            ),
            Self::OneLine { shape } => write!(
                f,
                "a {shape} board is one line, which is read only with its size: write {shape} and a \
                 colon before the tiles, or give the size"
            ),
            Self::CellCount { shape, found } => write!(
                f,
                "a {shape} board has {} cells, but {found} {} given",
                shape.cell_count(),
                if *found == 1 { "was" } else { "were" }
            ),
            Self::OtherShape { expected, found } => {
                write!(f, "expected a {expected} board, found one of {found}")
            }
            Self::OutOfRange { tile, shape, cell } => write!(
                f,
                "{} holds tile {tile}: a {shape} board has tiles 1 to {} and the blank, 0",
                position(*shape, *cell),
                shape.cell_count() - 1
            ),
            Self::Repeated { tile, first, second, missing, shape } => write!(
                f,
                "{} stands at {} and again at {}, and {} is missing",
                named(*tile),
                position(*shape, *first),
                position(*shape, *second),
                named(*missing)
            ),
            Self::Size { text } => {
                write!(f, "\"{text}\" is no size: expected rows and columns, such as 4x4")
            }
        }
    }
}

impl Error for BoardError {}
