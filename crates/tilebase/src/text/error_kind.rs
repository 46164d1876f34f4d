//! Kinds of faults of a text that is not a board.

use pdb_core::{Board, BoardError, CELLS_MAX, Shape};
use thiserror::Error;

/// Fault of a text that is not a board, or not the columns of a table.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum TextErrorKind {
    /// The numbers of the text are not a board.
    #[error(transparent)]
    Board(#[from] BoardError),
    /// The text has no tile.
    #[error("the board is empty: write its tiles row by row, such as \"1 2 3/4 5 6/7 8 0\"")]
    Empty,
    /// The number of cells is not a square, and neither rows nor a shape are given.
    #[error("{}", not_square(*found))]
    NotSquare {
        /// Number of cells in the text.
        found: usize,
    },
    /// The text is one board in one notation and another board in another.
    #[error("this can be read as {first} and as {second}: {}", separate(first, second))]
    Ambiguous {
        /// One reading.
        first: Box<Board>,
        /// Another reading.
        second: Box<Board>,
    },
    /// A text or a line is far longer than any board.
    #[error("the text has more than {bytes_max} bytes: no board is that long")]
    TooLong {
        /// The largest number of bytes that is read.
        bytes_max: usize,
    },
    /// A JSON object, where an array would be a board.
    #[error(
        "an object in braces is no board: give its array of rows, such as [[1,2,3],[4,5,6],[7,8,0]]"
    )]
    Object,
    /// A bracket, comma or cell at the wrong place in an array.
    #[error(
        "\"{found}\" is out of place in an array: write rows of cells, such as \
         [[1,2,3],[4,5,6],[7,8,0]]"
    )]
    Stray {
        /// The character, [`char::REPLACEMENT_CHARACTER`] for one that does not print.
        found: char,
    },
    /// An array or a string that does not end.
    #[error("the array has no end: a {expected} is missing")]
    Unclosed {
        /// The character that is missing.
        expected: char,
    },
    /// An array of several boards, where one is expected.
    #[error("the array holds {found} boards, where one is expected")]
    Several {
        /// Number of boards in the array.
        found: usize,
    },
    /// More lines than the largest board has rows, without a line that ends a board.
    #[error(
        "{rows_max} lines without a blank one make no board: put a blank line after each board or \
         give the size"
    )]
    TooManyRows {
        /// The largest number of lines that are collected for a board.
        rows_max: usize,
    },
    /// Rows after a wrong grid, so that the start of the next board is unknown.
    #[error(
        "these rows follow a board that is wrong, so where the next one starts is unsure: put a \
         blank line after each board"
    )]
    Unsure,
    /// A line that is not a board, although some of its columns are one.
    #[error("{}", may_be_table(first, second.as_ref()))]
    MayBeTable {
        /// The columns, as `2..17`, and the board that they are.
        first: (String, Box<Board>),
        /// Other columns that are a board too.
        second: Option<(String, Box<Board>)>,
    },
    /// A text that does not name columns of a table.
    #[error(
        "\"{text}\" names no columns of a table: expected the first and the last of at most \
         {CELLS_MAX} columns, such as 2..17, or a single one that holds the whole board"
    )]
    Columns {
        /// The text, cut short and without control characters.
        text: String,
    },
    /// A line of a table with fewer columns than were named.
    #[error(
        "the line has {found} {}, but column {column} was named: name those that hold the cells",
        if *found == 1 { "column" } else { "columns" }
    )]
    NoColumn {
        /// The last column that was named, counted from 1.
        column: usize,
        /// Number of columns of the line.
        found: usize,
    },
}

/// Returns the shapes that a number of cells makes.
fn shapes_of(cell_count: usize) -> Vec<Shape> {
    let with_rows = |rows| {
        let cols = cell_count.is_multiple_of(rows).then(|| cell_count / rows)?;
        Shape::new(rows, cols).ok()
    };
    (2..=CELLS_MAX / 2).filter_map(with_rows).collect()
}

/// Returns the message about a number of cells that is not a square.
fn not_square(found: usize) -> String {
    let shapes: Vec<String> = shapes_of(found).iter().map(Shape::to_string).collect();
    let Some((last, others)) = shapes.split_last() else {
        return format!(
            "{found} cells make no board: it has at least 2 rows, at least 2 columns and at most \
             {CELLS_MAX} cells"
        );
    };
    let others = others.join(", ");
    let or = if others.is_empty() { "" } else { " or " };
    format!("{found} cells make {others}{or}{last}: separate the rows with / or give the size")
}

/// Returns the advice for a text with two readings.
fn separate(first: &Board, second: &Board) -> &'static str {
    if first.shape() == second.shape() {
        "separate the cells with spaces and the rows with /"
    } else {
        "give the size, or separate the cells with spaces and the rows with /"
    }
}

/// Returns the message about a line whose columns are a board, or two boards.
fn may_be_table(
    (columns, board): &(String, Box<Board>),
    second: Option<&(String, Box<Board>)>,
) -> String {
    match second {
        None => format!(
            "this is no board, but its columns {columns} are the board {board}: if it is a line of \
             a table, say which columns hold the cells"
        ),
        Some((others, other)) => format!(
            "this can be read as a line of a table in which columns {columns} are the board \
             {board}, and as one in which columns {others} are the board {other}: say which \
             columns hold the cells"
        ),
    }
}
