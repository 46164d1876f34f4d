//! Board of a text, with its lines.

use pdb_core::Board;

use crate::text::error::BoardTextError;

/// Board among lines, or lines that are not a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundBoard {
    /// The board's first line, counted from 1.
    pub first_line: u64,
    /// The board's last line, counted from 1.
    pub last_line: u64,
    /// The board, or the error.
    pub board: Result<Board, BoardTextError>,
    /// The board's goal, if the text has one: a board, or the name of a goal.
    pub goal: Option<String>,
    /// The text in one line, cut short and without control characters.
    pub text: String,
}
