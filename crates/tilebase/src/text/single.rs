//! A text that is a single board, with what a file may have beside its boards.

use pdb_core::Board;

use crate::text::TEXT_BYTES_MAX;
use crate::text::error::BoardTextError;
use crate::text::error_kind::TextErrorKind;
use crate::text::format::BoardFormat;

use crate::text::found::FoundBoard;
use crate::text::reader::BoardReader;

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
    if text.len() > TEXT_BYTES_MAX {
        return Err(TextErrorKind::TooLong { bytes_max: TEXT_BYTES_MAX }.into());
    }
    let mut found = BoardReader::new(format).read(text);
    match &mut found[..] {
        [] => Err(TextErrorKind::Empty.into()),
        [FoundBoard { goal: Some(_), board: Ok(_), .. }] => Err(TextErrorKind::CalledGoal.into()),
        [one] => one.board.clone(),
        _ => match found.iter().find_map(|found| found.board.as_ref().err()) {
            Some(error) => Err(error.clone()),
            None => Err(TextErrorKind::Several { found: found.len() }.into()),
        },
    }
}
