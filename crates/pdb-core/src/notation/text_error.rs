//! An error that can point at the cell that is wrong.

use core::fmt;
use std::error::Error;
use std::ops::Range;

use crate::BoardError;
use crate::shown::printable;

/// So much of a line is shown, for it shall fit a terminal with the dots on both sides.
const LINE_CHARS_MAX: usize = 70;
/// So much of it stands before the first mark.
const BEFORE_MARK_CHARS_MAX: usize = 40;
/// Where the lines that are shown begin.
const INDENT: &str = "  ";

/// Why a text is no board, and where in the text.
///
/// It displays as its [`BoardError`] does, in one line. [`drawing`](Self::drawing) also shows the
/// line of the text and marks the cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardTextError {
    error: BoardError,
    /// Where the first thing that is wrong stands in the text, in bytes.
    position: Option<usize>,
    /// Pairs of lines: what was read, and carets under what is wrong in it.
    marked: Vec<(String, String)>,
}

impl BoardTextError {
    /// The error that the bytes at `marks` make; they are in the order of the text.
    pub(super) fn new(error: BoardError, text: &str, marks: &[Range<usize>]) -> Self {
        let mut marked = Vec::new();
        let mut rest = marks;
        while let Some(mark) = rest.first() {
            let start = text[..mark.start].rfind('\n').map_or(0, |at| at + 1);
            let end = text[mark.start..].find('\n').map_or(text.len(), |at| mark.start + at);
            let (here, after) = rest.split_at(rest.partition_point(|mark| mark.start <= end));
            marked.push(marked_line(&text[start..end], start, here));
            rest = after;
        }
        Self { error, position: marks.first().map(|mark| mark.start), marked }
    }

    /// The same for a text that so many bytes were taken away from in front.
    pub(super) fn after(self, len: usize) -> Self {
        Self { position: self.position.map(|position| position + len), ..self }
    }

    /// What is wrong.
    pub fn error(&self) -> &BoardError {
        &self.error
    }

    /// What is wrong, without the place.
    #[must_use]
    pub fn into_error(self) -> BoardError {
        self.error
    }

    /// Where the first thing that is wrong stands in the text of the board, counted in bytes from 0; nothing
    /// where no single place is wrong.
    pub fn position(&self) -> Option<usize> {
        self.position
    }

    /// The message and, where that helps, the line of the text with carets under what is wrong.
    ///
    /// This is for a terminal: the lines are cut to its width and hold no control characters. There
    /// is no line end after the last one.
    #[must_use]
    pub fn drawing(&self) -> String {
        let mut drawing = self.error.to_string();
        for (line, carets) in &self.marked {
            for part in ["\n", INDENT, line, "\n", INDENT, carets] {
                drawing.push_str(part);
            }
        }
        drawing
    }
}

impl From<BoardError> for BoardTextError {
    fn from(error: BoardError) -> Self {
        Self { error, position: None, marked: Vec::new() }
    }
}

impl fmt::Display for BoardTextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.error.fmt(f)
    }
}

impl Error for BoardTextError {}

/// A line, which starts at byte `start` of the text, and carets under the marks in it.
fn marked_line(line: &str, start: usize, marks: &[Range<usize>]) -> (String, String) {
    let line = line.trim_end();
    let chars: Vec<(usize, char)> = line.char_indices().collect();
    let is_marked = |at: usize| {
        // What is empty gets a caret too.
        marks.iter().any(|mark| (mark.start..mark.end.max(mark.start + 1)).contains(&(start + at)))
    };
    let mut first = 0;
    if chars.len() > LINE_CHARS_MAX {
        let mark = chars.iter().position(|&(at, _)| is_marked(at)).unwrap_or(chars.len());
        first = mark.saturating_sub(BEFORE_MARK_CHARS_MAX);
    }
    let end = chars.len().min(first + LINE_CHARS_MAX);
    let mut shown = String::new();
    let mut carets = String::new();
    if first > 0 {
        shown.push_str("...");
        carets.push_str("   ");
    }
    for &(at, c) in &chars[first..end] {
        shown.push(if c == '\t' { ' ' } else { printable(c) });
        carets.push(if is_marked(at) { '^' } else { ' ' });
    }
    if end < chars.len() {
        shown.push_str("...");
    } else if is_marked(line.len()) {
        // What is missing at the end of the line.
        carets.push('^');
    }
    carets.truncate(carets.trim_end().len());
    (shown, carets)
}
