//! Boards, moves and times as text.
//!
//! People write boards in many notations, and a program that reads them must not guess. So a text
//! is read in every notation, and the readings that are boards are counted: a single one is the
//! board, and several are [`TextErrorKind::Ambiguous`]. `docs/boards.md` lists the notations.
//!
//! A line is cut into tokens (`lex`) after its label and the code around it were taken off
//! (`frame`). `reader` collects the lines of a block, and `kind` reads them as the first kind that
//! they are: a grid, a list, a table. `grid` reads the cells of one board by a table of layouts,
//! `array` those in brackets, and `table` the columns of a line.
//!
//! [`read_board`] reads one board. [`BoardReader`] reads the lines of a file with many boards.
//! [`Columns`] are the columns of a table that hold a board. [`WrittenMoves`] reads moves.
//! [`read_time`] reads times.

mod array;
mod error;
mod error_kind;
mod format;
mod found;
mod frame;
mod grid;
mod instance;
mod kind;
mod lex;
mod moves;
mod reader;
mod row;
mod single;
mod table;
mod time;

pub use pdb_core::notation::{MoveNaming, MoveStyle, format_moves, letters};

pub use error::BoardTextError;
pub use error_kind::TextErrorKind;
pub use format::{BlankSign, BoardFormat};
pub use found::FoundBoard;
pub use moves::{ImpossibleMoves, MOVES_MAX, MoveTextError, Replay, WrittenMoves, parse_moves};
pub use reader::{BoardReader, ROWS_MAX};
pub use single::read_board;
pub use table::Columns;
pub use time::{TimeTextError, read_time};

/// Largest size of a text or line, in bytes. The longest board in the simplest notation has less
/// than a hundredth of it.
pub const TEXT_BYTES_MAX: usize = 64 << 10;
