//! Kinds of faults of a text that is not a board.

use std::fmt;

use pdb_core::{Board, BoardError, CELLS_MAX, Shape};

/// Fault of a text that is not a board, or not the columns of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TextErrorKind {
    /// The numbers of the text are not a board.
    Board(BoardError),
    /// The text has no tile.
    Empty,
    /// The number of cells is not a square, and neither rows nor a shape are given.
    NotSquare {
        /// Number of cells in the text.
        found: usize,
    },
    /// The text is one board in one notation and another board in another.
    Ambiguous {
        /// One reading.
        first: Box<Board>,
        /// Another reading.
        second: Box<Board>,
    },
    /// A text or a line is far longer than any board.
    TooLong {
        /// The largest number of bytes that is read.
        bytes_max: usize,
    },
    /// A JSON object, where an array would be a board.
    Object,
    /// A bracket, comma or cell at the wrong place in an array.
    Stray {
        /// The character, [`char::REPLACEMENT_CHARACTER`] for one that does not print.
        found: char,
    },
    /// An array or a string that does not end.
    Unclosed {
        /// The character that is missing.
        expected: char,
    },
    /// An array of several boards, where one is expected.
    Several {
        /// Number of boards in the array.
        found: usize,
    },
    /// More lines than the largest board has rows, without a line that ends a board.
    TooManyRows {
        /// The largest number of lines that are collected for a board.
        rows_max: usize,
    },
    /// Rows after a wrong grid, so that the start of the next board is unknown.
    Unsure,
    /// A line that is not a board, although some of its columns are one.
    MayBeTable {
        /// The columns, as `2..17`, and the board that they are.
        first: (String, Box<Board>),
        /// Other columns that are a board too.
        second: Option<(String, Box<Board>)>,
    },
    /// A text that does not name columns of a table.
    Columns {
        /// The text, cut short and without control characters.
        text: String,
    },
    /// A line of a table with fewer columns than were named.
    NoColumn {
        /// The last column that was named, counted from 1.
        column: usize,
        /// Number of columns of the line.
        found: usize,
    },
}

impl From<BoardError> for TextErrorKind {
    fn from(error: BoardError) -> Self {
        Self::Board(error)
    }
}

/// Returns the shapes that a number of cells makes.
fn shapes_of(cell_count: usize) -> Vec<Shape> {
    let with_rows = |rows| {
        let cols = cell_count.is_multiple_of(rows).then(|| cell_count / rows)?;
        Shape::new(rows, cols).ok()
    };
    (2..=CELLS_MAX / 2).filter_map(with_rows).collect()
}

impl fmt::Display for TextErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Board(error) => error.fmt(f),
            Self::Empty => f.write_str(
                "the board is empty: write its tiles row by row, such as \"1 2 3/4 5 6/7 8 0\"",
            ),
            Self::NotSquare { found } => {
                let shapes: Vec<String> = shapes_of(*found).iter().map(Shape::to_string).collect();
                match shapes.split_last() {
                    None => write!(
                        f,
                        "{found} cells make no board: it has at least 2 rows, at least 2 columns and \
                         at most {CELLS_MAX} cells"
                    ),
                    Some((last, others)) => {
                        let others = others.join(", ");
                        let or = if others.is_empty() { "" } else { " or " };
                        write!(
                            f,
                            "{found} cells make {others}{or}{last}: separate the rows with / or give \
                             the size"
                        )
                    }
                }
            }
            Self::Ambiguous { first, second } => {
                write!(f, "this can be read as {first} and as {second}: ")?;
                f.write_str(if first.shape() == second.shape() {
                    "separate the cells with spaces and the rows with /"
                } else {
                    "give the size, or separate the cells with spaces and the rows with /"
                })
            }
            Self::TooLong { bytes_max } => {
                write!(f, "the text has more than {bytes_max} bytes: no board is that long")
            }
            Self::Object => f.write_str(
                "an object in braces is no board: give its array of rows, such as \
                 [[1,2,3],[4,5,6],[7,8,0]]",
            ),
            Self::Stray { found } => write!(
                f,
                "\"{found}\" is out of place in an array: write rows of cells, such as \
                 [[1,2,3],[4,5,6],[7,8,0]]"
            ),
            Self::Unclosed { expected } => {
                write!(f, "the array has no end: a {expected} is missing")
            }
            Self::Several { found } => {
                write!(f, "the array holds {found} boards, where one is expected")
            }
            Self::TooManyRows { rows_max } => write!(
                f,
                "{rows_max} lines without a blank one make no board: put a blank line after each \
                 board or give the size"
            ),
            Self::Unsure => f.write_str(
                "these rows follow a board that is wrong, so where the next one starts is \
                 unsure: put a blank line after each board",
            ),
            Self::MayBeTable { first: (columns, board), second: None } => write!(
                f,
                "this is no board, but its columns {columns} are the board {board}: if it is a line \
                 of a table, say which columns hold the cells"
            ),
            Self::MayBeTable { first: (columns, board), second: Some((others, other)) } => write!(
                f,
                "this can be read as a line of a table in which columns {columns} are the board \
                 {board}, and as one in which columns {others} are the board {other}: say which \
                 columns hold the cells"
            ),
            Self::Columns { text } => write!(
                f,
                "\"{text}\" names no columns of a table: expected the first and the last of at most \
                 {CELLS_MAX} columns, such as 2..17, or a single one that holds the whole board"
            ),
            Self::NoColumn { column, found } => write!(
                f,
                "the line has {found} {}, but column {column} was named: name those that hold the \
                 cells",
                if *found == 1 { "column" } else { "columns" }
            ),
        }
    }
}
