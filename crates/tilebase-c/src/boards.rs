//! Boards of both sides.

use tilebase::pdb_core::notation::read_board;
use tilebase::pdb_core::{BoardError, MoveError};
use tilebase::{Shape, parse_moves};

use crate::failure::Failure;
use crate::{Board, Code, TILEBASE_CELLS_MAX};

/// A failure, and where in the caller's data it is.
pub(crate) struct Located {
    pub(crate) failure: Failure,
    pub(crate) position: Option<usize>,
}

impl Located {
    fn at(failure: impl Into<Failure>, position: Option<usize>) -> Self {
        Self { failure: failure.into(), position }
    }
}

impl<F: Into<Failure>> From<F> for Located {
    fn from(failure: F) -> Self {
        Self::at(failure, None)
    }
}

/// The cell that an error is about, counted from 0.
fn cell_of(error: &BoardError) -> Option<usize> {
    match error {
        BoardError::OutOfRange { cell, .. } => Some(*cell),
        BoardError::Repeated { second, .. } => Some(*second),
        _ => None,
    }
}

impl Board {
    pub(crate) fn of(board: &tilebase::Board) -> Self {
        let shape = board.shape();
        let mut cells = [0; TILEBASE_CELLS_MAX];
        cells[..shape.cell_count()].copy_from_slice(board.tiles());
        Self { rows: shape.rows() as u8, cols: shape.cols() as u8, cells }
    }
}

/// The shape that rows and columns make; nothing where both are 0.
pub(crate) fn shape_of(rows: usize, cols: usize) -> Result<Option<Shape>, Failure> {
    match (rows, cols) {
        (0, 0) => Ok(None),
        _ => Shape::new(rows, cols).map(Some).map_err(|error| Failure::argument(error.to_string())),
    }
}

pub(crate) fn parse(text: &str, rows: usize, cols: usize) -> Result<Board, Located> {
    let board = read_board(text, shape_of(rows, cols)?).map_err(|error| {
        let position = error.position();
        Located::at(error.into_error(), position)
    })?;
    // Rows of the text may make another shape than was asked for.
    match shape_of(rows, cols)? {
        Some(expected) if expected != board.shape() => {
            Err(BoardError::OtherShape { expected, found: board.shape() }.into())
        }
        _ => Ok(Board::of(&board)),
    }
}

pub(crate) fn from_cells(shape: Shape, cells: &[u8]) -> Result<Board, Located> {
    let board = tilebase::Board::new(shape, cells).map_err(|error| {
        let position = cell_of(&error);
        Located::at(error, position)
    })?;
    Ok(Board::of(&board))
}

pub(crate) fn apply(begin: &tilebase::Board, moves: &str) -> Result<Board, Located> {
    let moves = parse_moves(moves, false).map_err(|error| {
        let position = match &error {
            MoveError::Letter { place, .. } => {
                moves.char_indices().nth(place - 1).map(|(at, _)| at)
            }
            _ => None,
        };
        Located::at(error, position)
    })?;
    let end = begin.after(&moves).map_err(|error| {
        let position = match &error {
            MoveError::Illegal { number, .. } => Some(number - 1),
            _ => None,
        };
        Located::at(error, position)
    })?;
    Ok(Board::of(&end))
}

/// A board of a shape from cells of the caller's that follow each other.
pub(crate) fn of_shape(shape: Shape, cells: &[u8]) -> Result<tilebase::Board, Failure> {
    tilebase::Board::new(shape, cells)
        .map_err(|error| Failure::new(Code::TilebaseErrorBoard, error.to_string()))
}
