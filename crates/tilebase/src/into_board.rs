//! Conversion of texts and boards to boards.

use pdb_core::{Board, Shape};

use crate::error::Error;
use crate::text::read_board;

/// A board, or a text that can be read as one.
pub trait IntoBoard {
    /// Converts to a board. A text without row separators has `shape`, or is square.
    ///
    /// # Errors
    /// [`Error::Text`] when the text is not a board.
    fn into_board(self, shape: Option<Shape>) -> Result<Board, Error>;
}

impl IntoBoard for Board {
    fn into_board(self, _: Option<Shape>) -> Result<Board, Error> {
        Ok(self)
    }
}

impl IntoBoard for &Board {
    fn into_board(self, _: Option<Shape>) -> Result<Board, Error> {
        Ok(*self)
    }
}

impl IntoBoard for &str {
    fn into_board(self, shape: Option<Shape>) -> Result<Board, Error> {
        Ok(read_board(self, shape)?)
    }
}

impl IntoBoard for String {
    fn into_board(self, shape: Option<Shape>) -> Result<Board, Error> {
        self.as_str().into_board(shape)
    }
}

impl IntoBoard for &String {
    fn into_board(self, shape: Option<Shape>) -> Result<Board, Error> {
        self.as_str().into_board(shape)
    }
}
