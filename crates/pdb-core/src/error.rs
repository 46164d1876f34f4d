//! Errors of boards, moves and patterns.

use core::fmt;
use std::error::Error;

use crate::{Board, CELLS_MAX, Direction, Shape};

/// Failure of a text or a list of tiles to be a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BoardError {
    /// A side is shorter than 2, or there are more than 36 cells.
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

/// "row 3, column 1" for a cell counted from 0, which is 6 on three columns.
struct CellPosition(Shape, usize);

impl fmt::Display for CellPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cols = self.0.cols();
        write!(f, "row {}, column {}", self.1 / cols + 1, self.1 % cols + 1)
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
                CellPosition(*shape, *cell),
                shape.cell_count() - 1
            ),
            Self::Repeated { tile, first, second, missing, shape } => write!(
                f,
                "{} stands at {} and again at {}, and {} is missing",
                TileName(*tile),
                CellPosition(*shape, *first),
                CellPosition(*shape, *second),
                TileName(*missing)
            ),
            Self::Size { text } => {
                write!(f, "\"{text}\" is no size: expected rows and columns, such as 4x4")
            }
        }
    }
}

impl Error for BoardError {}

/// A move that the board before it does not allow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IllegalMove {
    /// The position of the move in its sequence, counted from 1.
    pub number: usize,
    /// The move.
    pub attempt: Attempt,
    /// The board before the move.
    pub board: Board,
}

/// A move as a sequence names it: it may be impossible on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Attempt {
    /// The tile beside the blank moves in this direction.
    Direction(Direction),
    /// The tile of this number moves into the blank.
    Tile(u16),
}

impl fmt::Display for IllegalMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { number, attempt, board } = self;
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
        let neighbours = board.shape().neighbours(board.blank());
        let tiles: Vec<_> = neighbours.iter().map(|cell| board.tile(cell).to_string()).collect();
        let (last, others) = tiles.split_last().expect("each cell has neighbours");
        write!(
            f,
            " on {board}, the board before it; the tiles that can move are {} and {last}",
            others.join(", ")
        )
    }
}

impl Error for IllegalMove {}

/// Parity of a board that no sequence of moves brings to the goal.
///
/// Each move exchanges the blank with a tile: it changes the parity of the permutation and the
/// parity of the blank's distance together, so the two stay equal (Johnson & Story 1879).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unsolvable {
    /// Whether the permutation from board to goal, the blank included, is odd.
    pub permutation_is_odd: bool,
    /// Distance of the blank from its home on the empty board, in moves.
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

/// Failure to index a pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum IndexError {
    /// The pattern is empty, or leaves no cell for the blank, or is larger than
    /// [`PATTERN_TILES_MAX`](crate::PATTERN_TILES_MAX).
    TileCount {
        /// The board's shape.
        shape: Shape,
        /// Number of tiles in the pattern.
        found: usize,
    },
    /// The index has too many entries.
    TooLarge {
        /// The board's shape.
        shape: Shape,
        /// Number of tiles in the pattern.
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
