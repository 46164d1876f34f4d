//! Errors that mark the wrong cell.

use std::ops::Range;

use pdb_core::BoardError;
use pdb_core::excerpt::marked_line;
use thiserror::Error;

use crate::text::error_kind::TextErrorKind;

/// Indentation of lines.
const INDENT: &str = "  ";

/// Error of a text that is not a board, with its place in the text.
///
/// It displays as its [`TextErrorKind`], in one line. [`drawing`](Self::drawing) also shows the
/// line of the text and marks the cell.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{kind}")]
pub struct BoardTextError {
    kind: TextErrorKind,
    /// The position of the fault in the text, in bytes.
    position: Option<usize>,
    /// Pairs of lines: the text, and carets under its faults.
    marked: Vec<(String, String)>,
}

impl BoardTextError {
    /// Creates the error of the bytes at `marks`, which are in the order of the text.
    pub(super) fn new(kind: impl Into<TextErrorKind>, text: &str, marks: &[Range<usize>]) -> Self {
        let mut marked = Vec::new();
        let mut rest = marks;
        while let Some(mark) = rest.first() {
            let start = text[..mark.start].rfind('\n').map_or(0, |at| at + 1);
            let end = text[mark.start..].find('\n').map_or(text.len(), |at| mark.start + at);
            let (here, after) = rest.split_at(rest.partition_point(|mark| mark.start <= end));
            marked.push(marked_line(&text[start..end], start, here));
            rest = after;
        }
        Self { kind: kind.into(), position: marks.last().map(|mark| mark.start), marked }
    }

    /// Moves the position to where the text came from; `None` where it is not the same.
    pub(super) fn at(self, source: impl FnOnce(usize) -> Option<usize>) -> Self {
        Self { position: self.position.and_then(source), ..self }
    }

    /// Returns what is wrong, without the place.
    pub fn kind(&self) -> &TextErrorKind {
        &self.kind
    }

    /// Returns the position of the fault in the text, in bytes from 0: of a repeated tile, the
    /// second copy. Returns `None` where no single place is wrong.
    pub fn position(&self) -> Option<usize> {
        self.position
    }

    /// Returns the message and, if it helps, the line of the text with carets under its faults.
    ///
    /// The lines fit a terminal and have no control characters. There is no line end after the last
    /// one.
    #[must_use]
    pub fn drawing(&self) -> String {
        let mut drawing = self.kind.to_string();
        for (line, carets) in &self.marked {
            for part in ["\n", INDENT, line, "\n", INDENT, carets] {
                drawing.push_str(part);
            }
        }
        drawing
    }
}

impl From<TextErrorKind> for BoardTextError {
    fn from(kind: TextErrorKind) -> Self {
        Self { kind, position: None, marked: Vec::new() }
    }
}

impl From<BoardError> for BoardTextError {
    fn from(error: BoardError) -> Self {
        TextErrorKind::from(error).into()
    }
}
