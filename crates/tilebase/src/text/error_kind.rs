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
    /// An empty cell that cannot be the blank.
    #[error(
        "a cell is empty, but it cannot be the blank: the board has another blank or another \
         number of cells; write a number there or remove a separator"
    )]
    EmptyCell,
    /// All tiles of a board are there, and one cell is missing.
    #[error(
        "a cell is missing: write 0 for the blank, because a {shape} board has {} cells and {} were \
         given",
        shape.cell_count(),
        shape.cell_count() - 1
    )]
    MissingCell {
        /// The shape of the board with that cell.
        shape: Shape,
    },
    /// A word that looks like a number in print, or a digit where all other tiles are letters.
    #[error("row {row}, column {col} holds \"{word}\"{}", misread(meant.as_deref()))]
    Misread {
        /// The word.
        word: String,
        /// The number that it looks like; `None` for a digit among letters.
        meant: Option<String>,
        /// Its row, counted from 1.
        row: usize,
        /// Its column, counted from 1.
        col: usize,
    },
    /// A blank written as -1 beside a tile 0.
    #[error(
        "-1 and 0 cannot both be the blank: if the tiles are numbered from 0, add 1 to every number"
    )]
    TilesFromZero,
    /// No cell is the blank that was named.
    #[error("no cell is {blank}, which was named as the blank: write it there or name another")]
    NoBlank {
        /// The named blank.
        blank: String,
    },
    /// A text that cannot be the sign of a blank.
    #[error("\"{text}\" is no sign of a blank: expected a number such as -1, or one character")]
    Blank {
        /// The text, cut short and without control characters.
        text: String,
    },
    /// Tiles that look the same, as in puzzles with colours.
    #[error(
        "several tiles are \"{word}\", but boards with equal tiles are not supported: give each \
         tile a number of its own"
    )]
    EqualTiles {
        /// The tile, cut short and without control characters.
        word: String,
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
    /// A bracket, comma or cell at the wrong place in an array, or an object.
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
    /// Several boards, where one is expected.
    #[error("the text holds {found} boards, where one is expected")]
    Several {
        /// Number of boards in the text.
        found: usize,
    },
    /// A number above boards that is neither their number nor their size.
    #[error(
        "the number {number} above the boards is neither how many follow, {found}, nor the size of \
         each: remove or correct it"
    )]
    Announced {
        /// The number.
        number: usize,
        /// Number of boards below it.
        found: usize,
    },
    /// A board that is called a goal.
    #[error("this is called a goal: a file holds boards alone, so give the goal apart")]
    CalledGoal,
    /// A board below another and a line of dashes.
    #[error(
        "this may be the goal of the board above, because of the line of dashes: give the goal \
         apart, or separate boards by blank lines"
    )]
    BelowDashes,
    /// A text that is something else, such as moves, walls, or a model of a planner.
    #[error(
        "this is {what}, not a board: remove it, or write the tiles row by row without that name"
    )]
    NotBoard {
        /// The thing.
        what: &'static str,
    },
    /// Rows with labels, or columns whose names do not number the cells row by row.
    #[error(
        "rows are read without labels, and columns with names that number the cells row by row: put \
         the cells in this order, and remove the names"
    )]
    Order,
    /// An instance of the tile files of other programs that cannot be read.
    #[error(
        "this instance has no board: expected the size of a square, or the size given, then the cell \
         of each tile from 0 on, and those of the goal below \"goal positions\""
    )]
    Instance,
    /// Rows of which it is not certain where a board begins or ends: after a wrong board, above
    /// something that is no board, or too many without a blank line.
    #[error(
        "it is unsure where a board begins or ends among these rows: put a blank line after each \
         board, or give the size"
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

/// Returns the shapes that a number of cells makes, without those of one line.
fn shapes_of(cell_count: usize) -> Vec<Shape> {
    let with_rows = |rows| {
        let cols = cell_count.is_multiple_of(rows).then(|| cell_count / rows)?;
        Shape::new(rows, cols).ok().filter(|shape| !shape.is_line())
    };
    (2..=CELLS_MAX / 2).filter_map(with_rows).collect()
}

/// Returns the message about a number of cells that is not a square.
fn not_square(found: usize) -> String {
    let shapes: Vec<String> = shapes_of(found).iter().map(Shape::to_string).collect();
    let Some((last, others)) = shapes.split_last() else {
        if found > CELLS_MAX {
            return format!("{found} cells make no board: it has at most {CELLS_MAX} cells");
        }
        return format!(
            "{found} cells make no board of at least 2 rows and 2 columns: for a board of one line, \
             1x{found} or {found}x1, give the size"
        );
    };
    let others = others.join(", ");
    let or = if others.is_empty() { "" } else { " or " };
    format!("{found} cells make {others}{or}{last}: separate the rows with / or give the size")
}

/// Returns the end of the message about a word that looks like a number, or a digit among letters.
fn misread(meant: Option<&str>) -> String {
    match meant {
        Some(meant) => format!(": did you mean {meant}?"),
        None => " among letters: expected a letter, or 0, . or _ for the blank".to_owned(),
    }
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
    let is_cells = columns.contains("..");
    let (is, say) = if is_cells {
        (["columns ", " are"], "say which columns hold the cells")
    } else {
        (["column ", " is"], "say which column holds the board")
    };
    let are =
        |columns: &str, board: &Board| format!("{}{columns}{} the board {board}", is[0], is[1]);
    let first = are(columns, board);
    match second {
        None => format!("this is no board, but its {first}: if it is a line of a table, {say}"),
        Some((columns, board)) => format!(
            "this can be read as a line of a table in which {first}, and as one in which {}: {say}",
            are(columns, board)
        ),
    }
}
