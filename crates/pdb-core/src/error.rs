//! What can be wrong with a board, a move or a pattern.

use core::fmt;
use std::error::Error;

use crate::{CELLS_MAX, Cell, Shape};

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
        /// The word as it was read.
        word: String,
        /// Which number it should have been, counted from 1.
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
    /// The number of tiles is not a square, and no shape was given.
    NotSquare {
        /// How many tiles were read.
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
        /// The largest tile of the board.
        max: usize,
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
    },
}

/// "place 7" for a cell counted from 0, which would be 6.
struct Place(usize);

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "place {}", self.0 + 1)
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
            Self::Word { word, place } => write!(
                f,
                "place {place} holds \"{word}\": expected a number, or 0, . or _ for the blank"
            ),
            Self::Ragged { row, expected, found } => write!(
                f,
                "row {row} has {found} cells where the first row has {expected}: \
                 give every row as many cells"
            ),
            Self::NotSquare { found } => write!(
                f,
                "{found} cells make no square board: separate the rows with / or give the size"
            ),
            Self::CellCount { shape, found } => write!(
                f,
                "a {shape} board has {} cells, but {found} were given",
                shape.cell_count()
            ),
            Self::OtherShape { expected, found } => {
                write!(f, "expected a {expected} board, found one of {found}")
            }
            Self::OutOfRange { tile, max, cell } => write!(
                f,
                "{} holds tile {tile}: this board has tiles 1 to {max} and the blank, 0",
                Place(*cell)
            ),
            Self::Repeated { tile, first, second, missing } => write!(
                f,
                "{} stands at {} and again at {}, and {} is missing",
                TileName(*tile),
                Place(*first),
                Place(*second),
                TileName(*missing)
            ),
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
    /// There is no tile that could move into the blank in that direction.
    Edge {
        /// Which move, counted from 1.
        place: usize,
        /// The blank's cell at that time.
        blank: Cell,
    },
}

impl fmt::Display for MoveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Letter { found, place } => write!(
                f,
                "character {place} of the moves is '{found}': expected U, R, D or L, \
                 each with an optional count such as U2"
            ),
            Self::Edge { place, blank } => write!(
                f,
                "move {place} is impossible: no tile can move that way into the blank at cell {blank}"
            ),
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
             the blank is {} moves from its home, which is {}; every move changes both parities, so \
             they must agree",
            name(self.permutation_is_odd),
            self.blank_distance,
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
