//! Lines that may be rows or boards, and what is read of consecutive ones.

use std::borrow::Cow;

use pdb_core::{Board, CELLS_MAX, Shape};

use super::frame;
use super::grid::{self, WrittenBoard};
use super::lex::{Sign, Token, tokens_of};
use super::table::TableLine;
use crate::text::error::BoardTextError;
use crate::text::format::BoardFormat;

/// Line that may be a row, a board, a title or a size.
#[derive(Clone, Debug)]
pub(super) struct Row {
    /// Number of the line.
    pub(super) line: u64,
    pub(super) text: String,
    tokens: Vec<Token>,
    /// The place of the line in the whole text, if it stands there as it is.
    pub(super) source: Option<usize>,
    /// The line as a board of its own.
    pub(super) alone: Option<WrittenBoard>,
    /// Whether it may be a title.
    pub(super) is_title: bool,
    /// Whether a line of dashes is directly above it.
    pub(super) is_ruled: bool,
}

impl Row {
    pub(super) fn new(line: u64, text: &str, source: Option<usize>, format: BoardFormat) -> Self {
        let tokens = tokens_of(text);
        let alone = grid::board(text, &tokens, format);
        let has_column = || !TableLine::of(text, &tokens).whole_boards(format).is_empty();
        let may_be_title = alone.is_none() && frame::is_title(text) && !has_column();
        let text = text.to_owned();
        let row = Self { line, text, tokens, source, alone, is_title: false, is_ruled: false };
        Self { is_title: may_be_title && row.has_words(), ..row }
    }

    /// Returns the number of words.
    pub(super) fn word_count(&self) -> usize {
        self.tokens.iter().filter(|token| token.sign.is_cell()).count()
    }

    /// Returns the cell that the line is, if it is a single word.
    pub(super) fn only_cell(&self) -> Option<&str> {
        match &self.tokens[..] {
            [token] if token.sign == Sign::Cell => Some(token.of(&self.text)),
            _ => None,
        }
    }

    /// Returns the number of cells.
    pub(super) fn width(&self) -> usize {
        grid::width(&self.text, &self.tokens)
    }

    pub(super) fn table_line(&self) -> TableLine<'_> {
        TableLine::of(&self.text, &self.tokens)
    }

    /// Returns whether the line has each number of a board, which no row of a larger one has.
    pub(super) fn is_whole(&self) -> bool {
        self.alone.is_some() || self.table_line().is_whole()
    }

    /// Returns whether the line is a certain board, whatever comes next. Four cells may be the
    /// first row of a larger board, and so may a line whose blank is not written.
    pub(super) fn is_certain(&self, format: BoardFormat) -> bool {
        self.alone.is_some_and(|written| {
            let cell_count = written.board.shape().cell_count();
            format.shape.is_some() || self.has_rows() || written.has_blank && cell_count != 4
        })
    }

    /// Returns whether the line certainly has several rows.
    pub(super) fn has_rows(&self) -> bool {
        let parts = |sign: Sign| self.tokens.split(move |token| token.sign == sign);
        let words = |part: &[Token]| part.iter().filter(|token| token.sign.is_cell()).count();
        let count = |sign: Sign| parts(sign).filter(|part| words(part) > 0).count();
        // Semicolons may separate cells.
        count(Sign::Slash) > 1
            || count(Sign::Semi) > 1 && parts(Sign::Semi).any(|part| words(part) > 1)
    }

    /// Returns whether the line has about the length of a whole board of this shape.
    pub(super) fn is_wide(&self, shape: Shape) -> bool {
        let width = match self.word_count() {
            1 => self.width(),
            count => count,
        };
        2 * width >= shape.cols() + shape.cell_count()
    }

    fn cells(&self) -> impl Iterator<Item = &str> {
        let cells = self.tokens.iter().filter(|token| token.sign.is_cell());
        cells.map(|token| token.of(&self.text))
    }

    /// Returns whether a cell is neither a whole number nor the blank of numbers.
    pub(super) fn has_words(&self) -> bool {
        self.cells().any(|cell| !grid::is_of_numbers(cell))
    }

    /// Returns whether the cells are letters in their order, as many as another line has cells.
    pub(super) fn are_names_of(&self, other: &Self) -> bool {
        let count = self.word_count();
        let is_letter =
            |(letter, cell): (char, &str)| cell.eq_ignore_ascii_case(&letter.to_string());
        count > 3 && count == other.word_count() && ('A'..='Z').zip(self.cells()).all(is_letter)
    }

    /// Returns whether a line is a title of the board whose first row is below it, and no wrong row
    /// of a larger board: a name with or without a number, or a number with a dot; or several
    /// words, of which at most half may be cells.
    pub(super) fn is_title_above(&self, row: &Self) -> bool {
        let Some(word) = self.only_cell() else {
            let (numbers, others): (Vec<&str>, Vec<&str>) =
                self.cells().partition(|cell| grid::is_of_numbers(cell));
            let words = others.iter().filter(|cell| frame::has_long_word(cell)).count();
            return words >= numbers.len() && words > 0 && !self.has_rows();
        };
        // Rows may be digits or letters without spaces.
        self.is_name() && row.only_cell().is_none_or(|row| row.len() != word.len())
    }

    /// Returns whether the line is a short name with or without a number, or a number with a dot. A
    /// long word may be a board of letters.
    pub(super) fn is_name(&self) -> bool {
        let Some(word) = self.only_cell() else { return false };
        let letters = word.trim_end_matches(|c: char| c.is_ascii_digit());
        let is_word = !letters.is_empty() && letters.chars().all(char::is_alphabetic);
        let is_short = word.len() < 4 && grid::meant(word).is_none();
        is_word && is_short && !grid::is_of_numbers(word)
            || word.strip_suffix(['.', ')']).is_some_and(|word| grid::number(word).is_some())
    }

    /// Returns the number that the line is, as it stands above boards.
    pub(super) fn number(&self) -> Option<usize> {
        let is_cell = self.alone.is_none() && self.tokens.len() == 1;
        frame::lone_number(&self.text).filter(|_| is_cell)
    }

    /// Returns the size that the line may be, as it stands above boards.
    pub(super) fn size(&self) -> Option<Shape> {
        frame::size(&self.text).filter(|_| self.alone.is_none())
    }

    /// Returns whether the line may end the boards below a size.
    pub(super) fn is_end_mark(&self) -> bool {
        matches!(self.text.trim(), "0" | "0 0")
    }
}

/// Returns the text of rows in lines, and their tokens.
fn lines(rows: &[Row]) -> (Cow<'_, str>, Cow<'_, [Token]>) {
    if let [row] = rows {
        return (Cow::Borrowed(&row.text), Cow::Borrowed(&row.tokens));
    }
    let (mut text, mut tokens) = (String::new(), Vec::new());
    for row in rows {
        let start = text.len();
        let moved =
            |token: &Token| Token { start: start + token.start, end: start + token.end, ..*token };
        tokens.extend(row.tokens.iter().map(moved));
        text.push_str(&row.text);
        tokens.push(Token { sign: Sign::LineEnd, start: text.len(), end: text.len() + 1 });
        text.push('\n');
    }
    (Cow::Owned(text), Cow::Owned(tokens))
}

/// Reads rows as one board.
pub(super) fn read(rows: &[Row], format: BoardFormat) -> Result<Board, BoardTextError> {
    let (text, tokens) = lines(rows);
    grid::read(&text, &tokens, format).map_err(|error| {
        error.at(|mut at| {
            for row in rows {
                if at <= row.text.len() {
                    return Some(row.source? + at);
                }
                at -= row.text.len() + 1;
            }
            None
        })
    })
}

/// Returns the board that rows are, if they are one.
pub(super) fn written(rows: &[Row], format: BoardFormat) -> Option<WrittenBoard> {
    if rows.is_empty() || rows.len() > CELLS_MAX {
        return None;
    }
    let (text, tokens) = lines(rows);
    grid::board(&text, &tokens, format)
}

/// Returns the text of rows in one line.
pub(super) fn joined(rows: &[Row]) -> String {
    rows.iter().map(|row| row.text.trim()).collect::<Vec<_>>().join("/")
}
