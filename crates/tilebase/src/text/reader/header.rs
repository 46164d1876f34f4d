//! Lines above boards: their size or their number.
//!
//! A line of one or two numbers is held back until the lines after it decide what it is:
//!
//! 1. `4`, `3 4` or `3x4` is a size if a board of that size follows, in rows or on one line. It is
//!    then also the size of the boards below, until the next such line. The size of a board of one
//!    line has the sign, as in `1x5`.
//! 2. Otherwise a single number above a line of several cells is the number of boards. At the end,
//!    it is an error if neither the number nor the size of the boards was right.
//! 3. A number of boards may stand above a size.
//! 4. Everything else is rows. A size is never a row of a board: its number of rows or its only
//!    number stands on the board below it once more.
//! 5. The number of boards is the first line. A size is a first line or below a blank one, unless
//!    the first board has a header. Elsewhere a damaged row may look like a header.
//! 6. After a size or a number of boards, a line of zeros is the end of the boards. A single zero
//!    above a line of one cell is a cell.

use pdb_core::Shape;

use super::{BoardReader, Ending, RowCandidate};
use crate::text::cells::{LineFeatures, read_one};
use crate::text::error_kind::TextErrorKind;
use crate::text::format::BoardFormat;

/// Longest number above boards, in digits.
const DIGITS_MAX: usize = 6;

/// State of the lines above boards.
#[derive(Clone, Debug, Default)]
pub(super) struct HeaderReader {
    /// Lines that are held back, with their numbers: a possible header and what follows it.
    held: Vec<(u64, String)>,
    /// The size that the last header states.
    pub(super) stated: Option<Shape>,
    /// The number of boards that a header announces.
    announced: Option<Announced>,
    /// Whether there was a header.
    pub(super) is_used: bool,
    /// Whether there was a line other than a header.
    pub(super) has_lines: bool,
}

/// A number above boards, which is their number or the side of each of them.
#[derive(Clone, Debug)]
struct Announced {
    number: usize,
    text: String,
    /// Number of boards since then.
    found: usize,
    /// The last line of the last one.
    last_line: u64,
    /// Whether all of them are squares with that side.
    are_of_side: bool,
}

/// Numbers that may be a header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Header {
    first: usize,
    second: Option<usize>,
    /// Whether the sign `x` is between two numbers.
    has_sign: bool,
}

/// Meaning of the lines that are held back.
enum Meaning {
    /// The next line decides.
    Unknown,
    Rows,
    /// The first lines are headers.
    Headers {
        count: usize,
        announced: Option<usize>,
        stated: Option<Shape>,
    },
}

/// Relation of a size to the lines after it.
enum Fit {
    Unknown,
    No,
    Yes(Shape),
}

impl Header {
    fn of(line: &str) -> Option<Self> {
        let line = line.trim().trim_end_matches(':');
        let is_between = |c: char| c.is_whitespace() || c == ',';
        let sides = line.split_once(['x', 'X', '×']);
        let has_sign = sides.is_some();
        let parts: Vec<&str> = match sides {
            Some((rows, cols)) => vec![rows.trim(), cols.trim()],
            None => line.split(is_between).filter(|part| !part.is_empty()).collect(),
        };
        let number = |part: &str| {
            let is_number = part.len() <= DIGITS_MAX && part.bytes().all(|b| b.is_ascii_digit());
            part.parse::<usize>().ok().filter(|_| is_number)
        };
        match parts[..] {
            [first] => Some(Self { first: number(first)?, second: None, has_sign }),
            [first, second] => {
                let (first, second) = (number(first)?, Some(number(second)?));
                Some(Self { first, second, has_sign })
            }
            _ => None,
        }
    }

    fn shape(self) -> Option<Shape> {
        let shape = Shape::new(self.first, self.second.unwrap_or(self.first)).ok();
        shape.filter(|shape| self.has_sign || !shape.is_line())
    }

    /// Returns whether this is a size or a number of boards.
    fn is_possible(self) -> bool {
        self.shape().is_some() || self.second.is_none() && self.first > 0
    }

    fn is_end(self) -> bool {
        self.first == 0 && self.second.unwrap_or(0) == 0
    }
}

/// Returns whether a line may be a single cell.
fn is_cell(line: &str) -> bool {
    (1..3).contains(&line.len()) && !line.contains(char::is_whitespace)
}

/// Returns whether a text may be the size of boards, such as `4x4`.
pub(super) fn is_size(text: &str) -> bool {
    Header::of(text).is_some_and(|header| header.second.is_some() && header.shape().is_some())
}

impl BoardReader {
    /// Reads a line if it is or may be above boards, or if lines before it wait for it.
    pub(super) fn push_header(&mut self, line: &str) -> bool {
        let is_blank = line.trim().is_empty();
        if let Some((_, last)) = self.header.held.last() {
            if !is_blank || !last.is_empty() {
                self.header.held.push((self.line, line.trim().to_owned()));
                self.decide_header(false);
            }
            return true;
        }
        let Some(header) = Header::of(line).filter(|_| self.array.is_none()) else {
            return false;
        };
        self.release_table();
        let are_rows_open = !self.rows.is_empty() && !self.has_all_rows();
        if are_rows_open || self.run.skipped.is_some() {
            return false;
        }
        if header.is_end() && self.header.is_used && !self.is_column_without_zero() {
            self.header.held.push((self.line, line.trim().to_owned()));
            return true;
        }
        let is_in_place = self.header.is_used || self.run.first_line.is_none();
        let may_be_header =
            is_in_place && header.is_possible() && read_one(line, self.format).is_err();
        if may_be_header {
            self.header.held.push((self.line, line.trim().to_owned()));
        }
        may_be_header
    }

    /// Returns whether the rows are a column of cells whose blank is their number, so that a zero
    /// below is a cell of a larger board.
    fn is_column_without_zero(&self) -> bool {
        let is_blank = |row: &RowCandidate| row.look.greatest == self.rows.len();
        self.rows.iter().all(|row| row.look.cells == 1) && self.rows.iter().any(is_blank)
    }

    /// Ends the lines that wait, because no other line follows.
    pub(super) fn end_header_lines(&mut self) {
        while !self.header.held.is_empty() {
            self.decide_header(true);
        }
    }

    fn decide_header(&mut self, is_at_end: bool) {
        let count = match self.meaning(is_at_end) {
            Meaning::Unknown => return,
            Meaning::Rows => 0,
            Meaning::Headers { count, announced, stated } => {
                self.interrupt(Ending::Free);
                self.header.is_used = true;
                self.around.is_framed = true;
                self.header.stated = stated;
                if let Some(number) = announced {
                    let text = self.header.held[0].1.clone();
                    self.header.announced = Some(Announced {
                        number,
                        text,
                        found: 0,
                        last_line: self.header.held[0].0,
                        are_of_side: true,
                    });
                }
                count
            }
        };
        let now = self.line;
        let mut may_be_header = false;
        for (line, text) in std::mem::take(&mut self.header.held).drain(..).skip(count) {
            self.line = line;
            if may_be_header {
                self.push_body(&text);
            } else {
                self.push_line(&text);
            }
            // A size may stand below a blank line.
            may_be_header |= text.is_empty();
        }
        self.line = now;
    }

    fn meaning(&self, is_at_end: bool) -> Meaning {
        let held = &self.header.held;
        let Some(first) = Header::of(&held[0].1) else { return Meaning::Rows };
        if first.is_end() {
            return match held.get(1) {
                // The first cell of a board that has one on each line.
                Some((_, line)) if first.second.is_none() && is_cell(line) => Meaning::Rows,
                None if !is_at_end => Meaning::Unknown,
                _ => Meaning::Headers { count: 1, announced: None, stated: self.header.stated },
            };
        }
        match self.fit(0, first, is_at_end) {
            Fit::Unknown => return Meaning::Unknown,
            Fit::Yes(shape) => {
                return Meaning::Headers { count: 1, announced: None, stated: Some(shape) };
            }
            Fit::No if first.second.is_some() || self.header.has_lines => {
                return Meaning::Rows;
            }
            Fit::No => {}
        }
        let Some(next) = (1..held.len()).find(|&at| !held[at].1.is_empty()) else {
            return if is_at_end { Meaning::Rows } else { Meaning::Unknown };
        };
        let announced = Some(first.first);
        if let Some(second) = Header::of(&held[next].1).filter(|second| second.is_possible()) {
            match self.fit(next, second, is_at_end) {
                Fit::Unknown => return Meaning::Unknown,
                Fit::Yes(shape) => {
                    return Meaning::Headers { count: next + 1, announced, stated: Some(shape) };
                }
                Fit::No => {}
            }
        }
        // A column of tiles, or rows of digits, has more such lines.
        let (header, line) = (&held[0].1, &held[next].1);
        let is_tile = line.len() < 3 && line.bytes().all(|byte| byte.is_ascii_digit());
        let is_digits = line.len() == header.len() && !line.contains(char::is_whitespace);
        if is_tile || is_digits || LineFeatures::of(line, self.format.blank).cells < 2 {
            return Meaning::Rows;
        }
        Meaning::Headers { count: 1, announced, stated: None }
    }

    /// Returns whether a board of this size follows one of the lines.
    fn fit(&self, at: usize, header: Header, is_at_end: bool) -> Fit {
        let held = &self.header.held;
        let format = |shape| BoardFormat { shape: Some(shape), ..self.format };
        let is_given = |shape: &Shape| self.format.shape.is_none_or(|given| given == *shape);
        let Some(shape) = header.shape().filter(is_given) else { return Fit::No };
        let unknown = if is_at_end { Fit::No } else { Fit::Unknown };
        let mut body = held[at + 1..].iter().map(|(_, line)| line.as_str()).peekable();
        while body.next_if_eq(&"").is_some() {}
        let Some(first) = body.peek() else { return unknown };
        let is_single = header.second.is_none();
        if read_one(first, format(shape)).is_ok() {
            // Four cells may be the first row of a larger board.
            return if is_single && shape.cell_count() == 4 { Fit::No } else { Fit::Yes(shape) };
        }
        // One cell on each line, or rows.
        let is_column = is_cell(first);
        let count = if is_column { shape.cell_count() } else { shape.rows() };
        let fits = |line: &&str| {
            if is_column {
                is_cell(line)
            } else {
                LineFeatures::of(line, self.format.blank).cells == shape.cols()
            }
        };
        let rows: Vec<&str> = body.take(count).take_while(|line| !line.is_empty()).collect();
        if !rows.iter().all(fits) {
            return Fit::No;
        }
        // Rows of two cells look like the header.
        let looks_like_row = !is_single && shape.cols() == 2;
        let is_board = |rows: &[&str]| read_one(&rows.join("\n"), format(shape)).is_ok();
        if looks_like_row
            && is_board(&[&[held[at].1.as_str()], &rows[..rows.len().min(count - 1)]].concat())
        {
            return Fit::No;
        }
        if rows.len() < count {
            let is_ended = held.last().is_some_and(|(_, line)| line.is_empty());
            return if is_ended { Fit::No } else { unknown };
        }
        let is_certain = is_board(&rows) || !is_single && !looks_like_row && !is_column;
        if is_certain { Fit::Yes(shape) } else { Fit::No }
    }

    /// Counts a board for the number that a header announces.
    pub(super) fn count_board(&mut self, last_line: u64, shape: Option<Shape>) {
        if let Some(announced) = &mut self.header.announced {
            announced.found += 1;
            announced.last_line = last_line;
            let side = announced.number;
            announced.are_of_side &= shape.is_none_or(|s| (s.rows(), s.cols()) == (side, side));
        }
    }

    /// Checks the number of boards at the end, and forgets all headers.
    pub(super) fn end_announced(&mut self) {
        let header = std::mem::take(&mut self.header);
        if let Some(Announced { number, text, found, last_line, are_of_side }) = header.announced
            && number != found
            && !are_of_side
        {
            self.give(last_line, &text, Err(TextErrorKind::Announced { number, found }.into()));
        }
    }
}
