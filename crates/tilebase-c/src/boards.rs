//! Boards of both sides.

use std::mem::MaybeUninit;

use tilebase::Shape;
use tilebase::pdb_core::BoardError;
use tilebase::text::{MoveTextError, parse_moves, read_board};

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

    /// Writes the position, or `SIZE_MAX` without one, and returns the failure.
    pub(crate) fn report(self, position: Option<&mut MaybeUninit<usize>>) -> Failure {
        if let Some(place) = position {
            place.write(self.position.unwrap_or(usize::MAX));
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

/// Returns the shape of rows and columns, or nothing where both are 0.
pub(crate) fn shape_of(rows: usize, cols: usize) -> Result<Option<Shape>, Failure> {
    match (rows, cols) {
        (0, 0) => Ok(None),
        _ => Shape::new(rows, cols).map(Some).map_err(|error| Failure::argument(error.to_string())),
    }
}

pub(crate) fn parse(text: &str, rows: usize, cols: usize) -> Result<Board, LocatedFailure> {
    let shape = shape_of(rows, cols)?;
    let board =
        read_board(text, shape).map_err(|error| LocatedFailure::at(error.position(), error))?;
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
            MoveTextError::Letter { place, .. } => {
                moves.char_indices().nth(place - 1).map(|(at, _)| at)
            }
            _ => None,
        };
        LocatedFailure::at(position, error)
    })?;
    let end = begin.after(&moves).map_err(|error| {
        let position = error.number - 1;
        LocatedFailure::at(Some(position), error)
    })?;
    Ok(Board::of(&end))
}
