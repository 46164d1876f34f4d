//! Boards and moves as text.

mod boards;
mod errors;
mod hostile;
mod moves;
mod page;
mod reader;
mod table;

use pdb_core::{Board, BoardError};

fn parse(text: &str) -> Result<Board, BoardError> {
    text.parse()
}

/// The board that a text in the plainest notation is.
#[track_caller]
fn board(text: &str) -> Board {
    parse(text).expect("the tests draw good boards")
}
