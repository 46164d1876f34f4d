//! Boards of both sides.

use tilebase::pdb_core::BoardError;
use tilebase::text::{
    BoardFormat, BoardTextError, MoveTextError, WrittenMoves, parse_moves, read_board,
};
use tilebase::{Error, Shape};

use crate::failure::Failure;
use crate::types::{Board, TILEBASE_CELLS_MAX};

/// A failure, and the place in the caller's data that caused it.
pub(crate) struct LocatedFailure {
    failure: Failure,
    position: Option<usize>,
}

impl LocatedFailure {
    pub(crate) fn at(position: Option<usize>, failure: impl Into<Failure>) -> Self {
        Self { failure: failure.into(), position }
    }

    /// Writes the position, if there is one, and returns the failure.
    pub(crate) fn report(self, place: Option<&mut usize>) -> Failure {
        if let (Some(place), Some(position)) = (place, self.position) {
            *place = position;
        }
        self.failure
    }
}

impl<F: Into<Failure>> From<F> for LocatedFailure {
    fn from(failure: F) -> Self {
        Self::at(None, failure)
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

/// Returns the shape of rows and columns.
pub(crate) fn shape_of(rows: usize, cols: usize) -> Result<Shape, Failure> {
    Shape::new(rows, cols).map_err(|error| Failure::argument(error.to_string()))
}

/// Returns the shape of rows and columns, or nothing where both are 0.
pub(crate) fn optional_shape(rows: usize, cols: usize) -> Result<Option<Shape>, Failure> {
    if (rows, cols) == (0, 0) { Ok(None) } else { shape_of(rows, cols).map(Some) }
}

pub(crate) fn parse(
    text: &str,
    rows: usize,
    cols: usize,
    blank: Option<&str>,
) -> Result<Board, LocatedFailure> {
    let shape = optional_shape(rows, cols)?;
    let blank = blank.map(str::parse).transpose();
    let blank = blank.map_err(|error: BoardTextError| Failure::argument(error.to_string()))?;
    let format = BoardFormat { shape, blank };
    let board =
        read_board(text, format).map_err(|error| LocatedFailure::at(error.position(), error))?;
    // The text's own rows may give another shape.
    match shape {
        Some(expected) if expected != board.shape() => {
            Err(BoardError::OtherShape { expected, found: board.shape() }.into())
        }
        _ => Ok(Board::of(&board)),
    }
}

pub(crate) fn from_cells(shape: Shape, cells: &[u8]) -> Result<Board, LocatedFailure> {
    let board = tilebase::Board::new(shape, cells).map_err(|error| {
        let cell = match &error {
            BoardError::OutOfRange { cell, .. } => Some(*cell),
            BoardError::Repeated { second, .. } => Some(*second),
            _ => None,
        };
        LocatedFailure::at(cell, error)
    })?;
    Ok(Board::of(&board))
}

pub(crate) fn apply(begin: &tilebase::Board, moves: &str) -> Result<Board, LocatedFailure> {
    let moves = parse_moves(moves, false).map_err(|error| {
        let position = match &error {
            MoveTextError::Letter { place, .. }
            | MoveTextError::Mixed { place, .. }
            | MoveTextError::Count { place, .. } => {
                moves.char_indices().nth(place - 1).map(|(at, _)| at)
            }
            _ => None,
        };
        LocatedFailure::at(position, error)
    })?;
    let (_, end) = WrittenMoves::from(moves.as_slice())
        .make(begin)
        .map_err(|error| LocatedFailure::at(Some(error.illegal.number - 1), Error::from(error)))?;
    Ok(Board::of(&end))
}
