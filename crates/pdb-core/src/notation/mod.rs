//! Boards and moves as text.
//!
//! People write boards in many ways, and a program that reads them must not guess. So a text is read
//! in every way that one of the notations gives, and the readings that are boards are counted: a
//! single one is the board, and several are [`BoardError::Ambiguous`]. `docs/boards.md` lists the
//! notations.
//!
//! [`Board::parse`] reads a text that is one board. [`read_board`] does the same and can point at
//! the cell that is wrong. [`BoardReader`] reads the lines of a file that holds many. [`Columns`] are those of a table that
//! hold a board.

mod array;
mod cells;
mod columns;
mod drawn;
mod moves;
mod reader;
mod text_error;

use core::fmt;
use std::str::FromStr;

use crate::{Board, BoardError, Shape};

pub use cells::read_board;
pub use columns::Columns;
pub use moves::{
    MOVES_MAX, MoveNaming, MoveStyle, Replay, WrittenMoves, format_moves, letters, parse_moves,
};
pub use reader::{BoardReader, FoundBoard, ROWS_MAX};
pub use text_error::BoardTextError;

pub use crate::shown::printable_text;

/// A longer text or line is refused, in bytes. The longest board in the plainest notation has less
/// than a hundredth of it.
pub const TEXT_BYTES_MAX: usize = 64 << 10;

/// Rows separated by `/`, tiles by spaces; the blank is 0.
impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (cell, tile) in self.tiles().iter().enumerate() {
            if cell > 0 {
                f.write_str(if cell % self.shape().cols() == 0 { "/" } else { " " })?;
            }
            write!(f, "{tile}")?;
        }
        Ok(())
    }
}

impl FromStr for Board {
    type Err = BoardError;

    fn from_str(text: &str) -> Result<Self, BoardError> {
        Self::parse(text, None)
    }
}

impl Board {
    /// Reads a board in any notation of `docs/boards.md`: a grid, one line, digits and letters
    /// without spaces, a JSON array.
    ///
    /// A text without row separators takes `shape`, or is square where none is given.
    ///
    /// # Errors
    /// A [`BoardError`] that names the row and the column that are wrong, or
    /// [`BoardError::Ambiguous`] when the text is more than one board.
    pub fn parse(text: &str, shape: Option<Shape>) -> Result<Self, BoardError> {
        read_board(text, shape).map_err(BoardTextError::into_error)
    }
}
