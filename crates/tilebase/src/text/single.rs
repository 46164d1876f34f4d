//! A text that is a single board, with what a file may have beside its boards.

use pdb_core::Board;

use crate::text::TEXT_BYTES_MAX;
use crate::text::cells::read_one;
use crate::text::error::BoardTextError;
use crate::text::error_kind::TextErrorKind;
use crate::text::format::BoardFormat;
use crate::text::frame::narrow;
use crate::text::reader::{BoardReader, FoundBoard};

/// Reads a board in any notation of `docs/boards.md`: a grid, one line, digits and letters without
/// spaces, a JSON array.
///
/// A text without row separators has the shape of the format, which may be a shape alone; without a
/// shape it is square. What a file may have beside its boards, such as a line with the size, may
/// stand here too.
///
/// # Errors
/// A [`BoardTextError`], which can show the line of the text and mark the wrong cells.
pub fn read_board(text: &str, format: impl Into<BoardFormat>) -> Result<Board, BoardTextError> {
    let format = format.into();
    if text.len() > TEXT_BYTES_MAX {
        return Err(TextErrorKind::TooLong { bytes_max: TEXT_BYTES_MAX }.into());
    }
    let text = narrow(text);
    match read_one(&text, format) {
        Err(error) if !matches!(error.kind(), TextErrorKind::Ambiguous { .. }) => {
            read_as_file(&text, format, error)
        }
        read => read,
    }
}

/// Reads a text as a file of a single board; `error` is that of the text as a board.
///
/// It is a function of its own, so that a page which opens does not load what only such texts need.
#[inline(never)]
fn read_as_file(
    text: &str,
    format: BoardFormat,
    error: BoardTextError,
) -> Result<Board, BoardTextError> {
    let (found, is_framed) = BoardReader::new(format).read(text);
    if let [FoundBoard { board: Ok(board), .. }] = found[..] {
        return Ok(board);
    }
    if found.len() > 1 && found.iter().all(|found| found.board.is_ok()) {
        return Err(TextErrorKind::Several { found: found.len() }.into());
    }
    let errors = found.into_iter().filter_map(|found| found.board.err());
    let better = errors.into_iter().find(|error| is_framed || error.kind().is_of_file());
    Err(better.map_or(error, BoardTextError::without_position))
}
