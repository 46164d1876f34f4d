//! Arrays that span lines, and arrays of boards.

use std::ops::Range;

use pdb_core::Board;

use super::{BoardReader, Ending, FoundBoard, count_without_copy, too_long};
use crate::text::TEXT_BYTES_MAX;
use crate::text::array::{self, Boards, Nesting, Token, Tokens, is_array};
use crate::text::cells::{choose, place, read_one, readings_of_array};
use crate::text::error::BoardTextError;
use crate::text::error_kind::TextErrorKind;
use crate::text::frame::Subject;

/// Depth of the cells of several boards in one array.
const CELLS_OF_BOARDS: usize = 3;

/// Array that does not end on its line.
#[derive(Clone, Debug)]
pub(super) struct OpenArray {
    /// The line that `text` starts on.
    first_line: u64,
    /// The text since the last board.
    text: String,
    nesting: Nesting,
    /// Whether no board of it has ended yet.
    is_at_first: bool,
    /// Whether it was too long and is skipped until its end.
    is_lost: bool,
    /// What its boards are called.
    subject: Subject,
}

/// Extent of an array on a line.
enum Reach {
    /// To the end of a board, in bytes of the line.
    Board(usize),
    /// Beyond the line.
    Beyond,
    /// To a fault.
    Fault(BoardTextError),
}

impl OpenArray {
    fn new(first_line: u64, subject: Subject) -> Self {
        Self {
            first_line,
            text: String::new(),
            nesting: Nesting::default(),
            is_at_first: true,
            is_lost: false,
            subject,
        }
    }

    /// Skips a line, but counts it.
    pub(super) fn skip_line(&mut self) {
        self.text.push('\n');
    }

    fn reach(&mut self, line: &str) -> Reach {
        for (place, token) in Tokens::new(line) {
            if let Err(error) = self.nesting.pass(token, &line[place.clone()]) {
                return Reach::Fault(BoardTextError::new(error, line, &[place]));
            }
            let ends_board = match self.nesting.depth() {
                0 => true,
                depth => depth == 1 && self.nesting.cell_depth == Some(CELLS_OF_BOARDS),
            };
            if ends_board && matches!(token, Token::Close(_)) {
                return Reach::Board(place.end);
            }
        }
        Reach::Beyond
    }
}

impl BoardReader {
    /// Reads a line that starts or continues an array.
    pub(super) fn push_array(&mut self, line: &str) {
        if self.array.is_none() && are_lists(line) {
            // The rows of a board, or boards, without the brackets around them.
            self.around.is_framed = true;
            let lists = format!("[{}]", line.trim_end_matches(is_between));
            // After a comma, the next line may have more rows.
            if line.trim_end().ends_with(',') && read_one(&lists, self.format()).is_ok() {
                let error = Err(TextErrorKind::Stray { found: ',' }.into());
                return self.give_of_array((self.line, self.line), &lists, error);
            }
            return self.push_array(&lists);
        }
        let mut rest = line;
        let subject = self.array.as_ref().map_or(self.around.subject, |open| open.subject);
        loop {
            let mut open = if let Some(open) = self.array.take() {
                open
            } else {
                rest = rest.trim_start_matches(is_between);
                // One error per line is enough.
                let is_bad =
                    |found: &FoundBoard| found.last_line == self.line && found.board.is_err();
                // Code around an array ends with other brackets.
                if rest.trim_matches(|c| is_between(c) || c == ')').is_empty()
                    || self.found.iter().any(is_bad)
                {
                    return;
                }
                OpenArray::new(self.line, subject)
            };
            let before = open.nesting.clone();
            match open.reach(rest) {
                Reach::Board(len) => {
                    open.text.push_str(&rest[..len]);
                    let fault = fault_after(rest, len, open.nesting.clone());
                    rest = &rest[len..];
                    if let Some(error) = fault {
                        if !open.is_lost {
                            let lines = (open.first_line, self.line);
                            self.give_of_array(lines, &open.text, Err(error));
                        }
                        return;
                    }
                    if before.cell_depth != Some(CELLS_OF_BOARDS) || open.nesting.depth() > 0 {
                        self.give_array(&open);
                    }
                    if open.nesting.depth() > 0 {
                        open.first_line = self.line;
                        open.text.clear();
                        open.is_at_first = false;
                        open.is_lost = false;
                        self.array = Some(open);
                    }
                }
                Reach::Beyond => {
                    if !open.is_lost {
                        open.text.push_str(rest);
                        open.skip_line();
                    }
                    if open.text.len() > TEXT_BYTES_MAX {
                        let lines = (open.first_line, self.line);
                        self.give_of_array(lines, &open.text, Err(too_long()));
                        open.is_lost = true;
                        open.text.clear();
                    }
                    self.array = Some(open);
                    return;
                }
                Reach::Fault(error) => {
                    // A line that is right by itself ends an array without an end.
                    let is_first = open.text.is_empty() && !open.is_lost;
                    let alone = if is_array(rest) {
                        array::read(rest).is_ok()
                    } else {
                        read_one(rest, self.format()).is_ok()
                    };
                    if alone && !is_first {
                        open.nesting = before;
                        self.array = Some(open);
                        self.end_array();
                        return self.push_text(rest);
                    }
                    if !open.is_lost {
                        open.text.push_str(rest);
                        self.give_of_array((open.first_line, self.line), &open.text, Err(error));
                    }
                    return;
                }
            }
        }
    }

    /// Ends an array that has no end.
    pub(super) fn end_array(&mut self) {
        if let Some(open) = self.array.take()
            && let Some(expected) = open.nesting.missing()
            && !open.is_lost
        {
            let last_line = open.first_line + line_ends(open.text.trim_end());
            let error = TextErrorKind::Unclosed { expected };
            self.give_of_array((open.first_line, last_line), &open.text, Err(error.into()));
        }
    }

    /// Returns a board or an error of an array, which ends the rows above the array.
    fn give_of_array(
        &mut self,
        lines: (u64, u64),
        text: &str,
        board: Result<Board, BoardTextError>,
    ) {
        let is_unclosed =
            |error: &BoardTextError| matches!(error.kind(), TextErrorKind::Unclosed { .. });
        let may_go_on = board.as_ref().is_err_and(|error| !is_unclosed(error));
        self.interrupt(Ending::of(&board));
        self.give_lines(lines, text, board);
        if may_go_on && self.shape().is_none() {
            // The rows below it may be those of the same board.
            self.run.skipped.get_or_insert_default();
        }
    }

    /// Returns the board or boards that have just ended.
    fn give_array(&mut self, open: &OpenArray) {
        if open.is_lost {
            return;
        }
        let mut text = open.text.trim_start_matches(is_between);
        if open.nesting.depth() > 0 && open.is_at_first {
            // The bracket before the first of several boards.
            text = text[1..].trim_start_matches(is_between);
        }
        let skipped = &open.text[..open.text.len() - text.len()];
        let first_line = open.first_line + line_ends(skipped);
        let boards = match array::read(text) {
            Ok(boards) => boards,
            Err((error, mark)) => {
                let error = BoardTextError::new(error, text, mark.as_slice());
                return self.give_of_array((first_line, self.line), text, Err(error));
            }
        };
        for (cells, board) in self.boards_of(text, boards) {
            let lines = (
                first_line + line_ends(&text[..cells.start]),
                first_line + line_ends(&text[..cells.end]),
            );
            self.around.subject = open.subject;
            self.give_of_array(lines, &text[cells], board);
        }
    }

    /// Returns the boards of an array with their ranges: the rows are one board, or one board each.
    fn boards_of<'a>(
        &self,
        text: &'a str,
        boards: Boards<'a>,
    ) -> Vec<(Range<usize>, Result<Board, BoardTextError>)> {
        let read = |rows| choose(text, &readings_of_array(rows), self.format());
        let mut found = Vec::new();
        for rows in boards {
            let whole = read(rows.clone());
            let is_fault =
                whole.as_ref().is_err_and(|e| !matches!(e.kind(), TextErrorKind::Ambiguous { .. }));
            if is_fault && rows.len() > 1 {
                let alone: Vec<_> = rows.iter().map(|row| read(vec![row.clone()])).collect();
                let good: Vec<&Board> = alone.iter().flatten().collect();
                // At most one of several rows of a board looks like a board.
                if good.len() == rows.len()
                    || 2 * count_without_copy(&good) > rows.len()
                    || self.shape().is_some() && !good.is_empty()
                {
                    found.extend(rows.iter().map(|row| extent(text, row)).zip(alone));
                    continue;
                }
            }
            found.push((0..text.len(), whole));
        }
        found
    }
}

/// Returns whether a line begins with several lists of cells, and ends outside of them unless
/// something is out of place.
fn are_lists(line: &str) -> bool {
    let mut nesting = Nesting::default();
    let mut count = 0;
    for (place, token) in Tokens::new(line) {
        let is_outside = nesting.depth() == 0;
        // Semicolons in a list make a board of it.
        if !is_outside && matches!(token, Token::Semicolon) {
            return false;
        }
        if nesting.pass(token, &line[place]).is_err() {
            return count > 1 && nesting.cell_depth == Some(1);
        }
        count += usize::from(is_outside && matches!(token, Token::Open(_)));
    }
    count > 1 && nesting.depth() == 0 && nesting.cell_depth == Some(1)
}

/// Returns the range from the first cell of a row to the end of the last.
fn extent(text: &str, row: &[&str]) -> Range<usize> {
    let at = |cell: Option<&&str>| cell.map_or(0..0, |cell| place(text, cell));
    at(row.first()).start..at(row.last()).end
}

/// Returns the error of a line whose array ends at byte `end`, if something follows there that is
/// neither another array nor the end of what is around the array.
fn fault_after(line: &str, end: usize, mut nesting: Nesting) -> Option<BoardTextError> {
    for (place, token) in Tokens::new(&line[end..]) {
        let place = end + place.start..end + place.end;
        let written = &line[place.clone()];
        let fault = match token {
            Token::Open(_) => return None,
            Token::Comma | Token::Semicolon | Token::Close(')') if nesting.depth() == 0 => None,
            _ => nesting.pass(token, written).err(),
        };
        if let Some(kind) = fault {
            return Some(BoardTextError::new(kind, line, &[place]));
        }
    }
    None
}

/// Returns whether a character may stand between arrays or empty cells.
pub(super) fn is_between(c: char) -> bool {
    c.is_whitespace() || ",;".contains(c)
}

fn line_ends(text: &str) -> u64 {
    text.bytes().filter(|&byte| byte == b'\n').count() as u64
}
