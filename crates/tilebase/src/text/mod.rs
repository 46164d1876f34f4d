//! Boards, moves and times as text.
//!
//! People write boards in many notations, and a program that reads them must not guess. So a text
//! is read in every notation, and the readings that are boards are counted: a single one is the
//! board, and several are [`TextErrorKind::Ambiguous`]. `docs/boards.md` lists the notations.
//!
//! [`read_board`] reads one board. [`BoardReader`] reads the lines of a file with many boards.
//! [`Columns`] are the columns of a table that hold a board. [`WrittenMoves`] reads moves.
//! [`read_time`] reads times.

mod array;
mod cells;
mod columns;
mod error;
mod error_kind;
mod format;
mod frame;
mod moves;
mod reader;
mod readings;
mod single;
mod time;

pub use pdb_core::notation::{MoveNaming, MoveStyle, format_moves, letters};

pub use columns::Columns;
pub use error::BoardTextError;
pub use error_kind::TextErrorKind;
pub use format::{BlankSign, BoardFormat};
pub(crate) use frame::is_remark;
pub use moves::{ImpossibleMoves, MOVES_MAX, MoveTextError, Replay, WrittenMoves, parse_moves};
pub use reader::{BoardReader, FoundBoard, ROWS_MAX};
pub use single::read_board;
pub use time::{TimeTextError, read_time};

/// Largest size of a text or line, in bytes. The longest board in the simplest notation has less
/// than a hundredth of it.
pub const TEXT_BYTES_MAX: usize = 64 << 10;
