//! What can be wrong with a board, a move or a pattern.

use core::fmt;
use std::error::Error;

use crate::notation::Columns;
use crate::{Board, CELLS_MAX, Direction, Shape};

/// Why a text or a list of tiles is not a board.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BoardError {
    /// A side is shorter than 2, or there are more than 36 cells.
    Shape {
        /// Rows that were asked for.
        rows: usize,
        /// Columns that were asked for.
        cols: usize,
    },
    /// The text has no tile in it.
    Empty,
    /// A word that is neither a number nor a blank.
    Word {
        /// The word as it was read, cut short and without control characters.
        word: String,
        /// Its row, counted from 1.
        row: usize,
        /// Its column, counted from 1.
        col: usize,
        /// Which cell of the whole text it is, counted from 1.
        place: usize,
    },
    /// A row has more or fewer tiles than the first one.
    Ragged {
        /// Which row, counted from 1.
        row: usize,
        /// Tiles in the first row.
        expected: usize,
        /// Tiles in this row.
        found: usize,
    },
    /// The number of cells is not a square, and neither rows nor a shape were given.
    NotSquare {
        /// How many cells were read.
        found: usize,
    },
    /// The board has another number of cells than its shape.
    CellCount {
        /// The shape that was asked for.
        shape: Shape,
        /// How many tiles were read.
        found: usize,
    },
    /// The board has another shape than the goal.
    OtherShape {
        /// Shape of the goal.
        expected: Shape,
        /// Shape of the board.
        found: Shape,
    },
    /// A tile that this board does not have.
    OutOfRange {
        /// The number as it was read.
        tile: u64,
        /// The board's shape.
        shape: Shape,
        /// The cell it stands on, counted from 0.
        cell: usize,
    },
    /// A tile (or the blank, 0) that stands on two cells.
    Repeated {
        /// The tile, 0 for the blank.
        tile: u8,
        /// The first of the two cells, counted from 0.
        first: usize,
        /// The second of the two cells, counted from 0.
        second: usize,
        /// A tile that is missing in its place, 0 for the blank.
        missing: u8,
        /// The board's shape.
        shape: Shape,
    },
    /// The text is one board in one notation and another board in another.
    Ambiguous {
        /// One reading.
        first: Box<Board>,
        /// Another reading.
        second: Box<Board>,
    },
    /// A text or a line that is far longer than any board.
    TooLong {
        /// The largest number of bytes that is read.
        bytes_max: usize,
    },
    /// A JSON object, where an array would be a board.
    Object,
    /// A bracket, a comma or a cell where an array of rows has none.
    Stray {
        /// The character as it was read, [`char::REPLACEMENT_CHARACTER`] for one that does not
        /// print.
        found: char,
    },
    /// An array or a string that does not end.
    Unclosed {
        /// The character that is missing.
        expected: char,
    },
    /// An array of several boards, where one is expected.
    Several {
        /// How many boards it has.
        found: usize,
    },
    /// More lines than the largest board has rows, without anything between them that ends a board.
    TooManyRows {
        /// The largest number of lines that are gathered for a board.
        rows_max: usize,
    },
    /// Rows that follow a bad grid, so that nobody knows where the next board starts.
    Unsure,
    /// A line that is no board, though some of its columns are one.
    MayBeTable {
        /// The columns, and the board that they are.
        first: (Columns, Box<Board>),
        /// Other columns that are a board too.
        second: Option<(Columns, Box<Board>)>,
    },
    /// A text that names no columns of a table.
    Columns {
        /// The text as it was read, cut short and without control characters.
        text: String,
    },
    /// A line of a table with fewer columns than were named.
    NoColumn {
        /// The last column that was named, counted from 1.
        column: usize,
        /// How many columns the line has.
        found: usize,
    },
    /// A text that is no size of a board.
    Size {
        /// The text as it was read, cut short and without control characters.
        text: String,
    },
}

/// "row 3, column 1" for a cell counted from 0, which is 6 on three columns.
struct Place(Shape, usize);

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cols = self.0.cols();
        write!(f, "row {}, column {}", self.1 / cols + 1, self.1 % cols + 1)
    }
}

/// The shapes that a number of cells makes: "2x6, 3x4, 4x3 or 6x2".
struct ShapesOf(usize);

impl ShapesOf {
    fn list(&self) -> Vec<Shape> {
        let sides = 2..=CELLS_MAX / 2;
        let with_rows = |rows| self.0.is_multiple_of(rows).then(|| Shape::new(rows, self.0 / rows));
        sides.filter_map(with_rows).flatten().collect()
    }
}

impl fmt::Display for ShapesOf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shapes = self.list();
        for (index, shape) in shapes.iter().enumerate() {
            f.write_str(match index {
                0 => "",
                _ if index + 1 == shapes.len() => " or ",
                _ => ", ",
            })?;
            write!(f, "{shape}")?;
        }
        Ok(())
    }
}

struct TileName(u8);

impl fmt::Display for TileName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            0 => f.write_str("the blank"),
            tile => write!(f, "tile {tile}"),
        }
    }
}

impl BoardError {
    /// What is wrong with a line of a table.
    fn fmt_of_table(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
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
            Self::NoColumn { column, found } => write!(
                f,
                "the line has {found} {}, but column {column} was named: name those that hold the \
                 cells",
                if *found == 1 { "column" } else { "columns" }
            ),
            Self::Columns { text } => write!(
                f,
                "\"{text}\" names no columns of a table: expected the first and the last of at most \
                 {CELLS_MAX} columns, such as 2..17, or a single one that holds the whole board"
            ),
            _ => unreachable!("the others are shown by Display itself"),
        }
    }
}

impl fmt::Display for BoardError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Shape { rows, cols } => write!(
                f,
                "a board of {rows}x{cols} is not supported: each side needs at least 2 cells and \
                 the board at most {CELLS_MAX}"
            ),
            Self::Empty => f.write_str(
                "the board is empty: write its tiles row by row, such as \"1 2 3/4 5 6/7 8 0\"",
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
            Self::NotSquare { found } if ShapesOf(*found).list().is_empty() => write!(
                f,
                "{found} cells make no board: it has at least 2 rows, at least 2 columns and at most \
                 {CELLS_MAX} cells"
            ),
            Self::NotSquare { found } => write!(
                f,
                "{found} cells make {}: separate the rows with / or give the size",
                ShapesOf(*found)
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
                Place(*shape, *cell),
                shape.cell_count() - 1
            ),
            Self::Repeated { tile, first, second, missing, shape } => write!(
                f,
                "{} stands at {} and again at {}, and {} is missing",
                TileName(*tile),
                Place(*shape, *first),
                Place(*shape, *second),
                TileName(*missing)
            ),
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
            Self::MayBeTable { .. } | Self::Columns { .. } | Self::NoColumn { .. } => {
                self.fmt_of_table(f)
            }
            Self::Size { text } => {
                write!(f, "\"{text}\" is no size: expected rows and columns, such as 4x4")
            }
        }
    }
}

impl Error for BoardError {}

/// Why a sequence of moves cannot be read or played.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MoveError {
    /// A letter that is not one of `U`, `R`, `D`, `L`, or a repeat count that is out of place.
    Letter {
        /// The character as it was read.
        found: char,
        /// Where it stands, counted from 1.
        place: usize,
    },
    /// A word among the numbers of tiles that is no such number.
    Number {
        /// Which word, counted from 1.
        number: usize,
    },
    /// More moves than anybody would write down: [`MOVES_MAX`](crate::notation::MOVES_MAX).
    TooMany,
    /// A move that the board does not allow.
    Illegal {
        /// Which move, counted from 1.
        number: usize,
        /// The move.
        attempt: Attempt,
        /// The board before it.
        board: Board,
    },
}

/// A move that may be impossible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Attempt {
    /// The tile beside the blank is to move in this direction.
    Direction(Direction),
    /// The tile of this number is to move into the blank.
    Tile(u16),
}

impl fmt::Display for MoveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Letter { found, place } => write!(
                f,
                "character {place} of the moves is '{}': expected U, R, D or L, \
                 each with an optional count such as U2",
                found.escape_debug()
            ),
            Self::Number { number } => write!(
                f,
                "word {number} of the moves is no tile: expected the number of a tile, as in the \
                 words before it, or letters alone"
            ),
            Self::TooMany => write!(
                f,
                "these are more than {} moves: expected the moves of one solution",
                crate::notation::MOVES_MAX
            ),
            Self::Illegal { number, attempt, board } => {
                write!(f, "move {number} is impossible: ")?;
                match attempt {
                    Attempt::Direction(direction) => {
                        let side = match direction {
                            Direction::Up => "below",
                            Direction::Right => "to the left of",
                            Direction::Down => "above",
                            Direction::Left => "to the right of",
                        };
                        write!(f, "there is no tile {side} the blank")?;
                    }
                    Attempt::Tile(tile) => write!(f, "tile {tile} is not beside the blank")?,
                }
                let blank = board.blank();
                let neighbours = board.shape().neighbours(blank);
                let tiles: Vec<_> =
                    neighbours.iter().map(|cell| board.tile(cell).to_string()).collect();
                let (last, others) = tiles.split_last().expect("each cell has neighbours");
                write!(
                    f,
                    " on {board}, the board before it; the tiles that can move are {} and {last}",
                    others.join(", ")
                )
            }
        }
    }
}

impl Error for MoveError {}

/// Why a board cannot be brought to the goal by any sequence of moves.
///
/// Each move exchanges the blank with a tile: it changes the parity of the permutation and the
/// parity of the blank's distance together, so the two stay equal (Johnson & Story 1879).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unsolvable {
    /// Whether the permutation from board to goal, the blank included, is odd.
    pub permutation_is_odd: bool,
    /// How many moves the blank is away from its home on the empty board.
    pub blank_distance: u32,
}

impl fmt::Display for Unsolvable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |odd| if odd { "odd" } else { "even" };
        write!(
            f,
            "no sequence of moves leads to the goal: the permutation of tiles and blank is {}, but \
             the blank is {} from its home, which is {}; every move changes both parities, so \
             they must agree",
            name(self.permutation_is_odd),
            match self.blank_distance {
                1 => "1 move".to_owned(),
                moves => format!("{moves} moves"),
            },
            name(self.blank_distance % 2 == 1)
        )
    }
}

impl Error for Unsolvable {}

/// Why a pattern cannot be indexed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum IndexError {
    /// A pattern without tiles, or with so many that none is left for the blank.
    TileCount {
        /// The board's shape.
        shape: Shape,
        /// Tiles in the pattern.
        found: usize,
    },
    /// More entries than this version counts.
    TooLarge {
        /// The board's shape.
        shape: Shape,
        /// Tiles in the pattern.
        tile_count: usize,
    },
}

impl fmt::Display for IndexError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TileCount { shape, found } => write!(
                f,
                "a pattern on a {shape} board has 1 to {} tiles, but this one has {found}",
                (shape.cell_count() - 1).min(crate::PATTERN_TILES_MAX)
            ),
            Self::TooLarge { shape, tile_count } => write!(
                f,
                "a pattern of {tile_count} tiles on a {shape} board has too many entries to \
                 index: use fewer tiles a pattern"
            ),
        }
    }
}

impl Error for IndexError {}
