//! Titles: lines of words above boards.
//!
//! A title ends the board above it, as a blank line would, but it may also be a wrong row. So the
//! board above waits until a board follows, the rows below are certain only if they are exactly a
//! board, and characters without spaces stay a row above as many others. In a list of a board on
//! each line, words are a wrong line unless the first board has a title, or they say that what
//! follows is no board to solve.

use super::{BoardReader, Ending, RowCandidate};
use crate::text::array::is_array;
use crate::text::cells::is_blank_among_numbers;
use crate::text::frame::{Subject, has_long_word};

/// Title of the next board.
#[derive(Clone, Debug)]
pub(super) struct HeldTitle {
    row: RowCandidate,
    /// The rows of the board directly above it.
    above: Vec<RowCandidate>,
}

impl BoardReader {
    /// Holds a row that is a title, and returns whether it is.
    pub(super) fn push_title(&mut self, row: &RowCandidate) -> bool {
        let is_title = row.alone.is_err()
            && is_title(&row.text)
            && self.of_column(&row.text).is_none()
            && self.run.skipped.is_none()
            && (Subject::of(&row.text) != Subject::Board || self.may_have_title());
        let has_blank = || self.rows.iter().any(|row| row.look.has_blank);
        let ends_board = || has_blank() && self.read_rows(&self.rows).is_ok();
        if !is_title || !self.rows.is_empty() && !ends_board() {
            return false;
        }
        self.around.is_framed = true;
        self.around.has_titles |= !self.run.has_boards;
        if self.around.subject != Subject::Board {
            self.pause();
        } else if !self.rows.is_empty() {
            self.end_title(Ending::Board);
        }
        // Of several lines of words, the first is the title.
        let above = std::mem::take(&mut self.rows);
        self.title.get_or_insert_with(|| HeldTitle { row: row.clone(), above });
        self.around.subject = Subject::of(&row.text);
        self.run.is_doubtful = true;
        true
    }

    /// Returns whether words may be the title of a board to solve.
    fn may_have_title(&self) -> bool {
        (self.around.has_titles || !self.run.has_boards)
            && (self.title.is_some() || !self.run.is_doubtful)
    }

    /// Takes back a title that may be a row like the one below it, in characters without spaces.
    pub(super) fn release_title(&mut self, next: &RowCandidate) {
        let is_compact = |text: &str| text.chars().all(char::is_alphanumeric);
        let is_alike = |text: &str| {
            is_compact(text) && is_compact(&next.text) && text.len() == next.text.len()
        };
        let title = self
            .title
            .take_if(|title| title.row.line + 1 == next.line && is_alike(title.row.text.trim()));
        if let Some(title) = title {
            self.rows = title.above;
            self.rows.push(title.row);
        }
    }

    /// Ends a title directly above a blank line.
    pub(super) fn pause_title(&mut self) {
        if self.title.as_ref().is_some_and(|title| !title.above.is_empty()) {
            self.end_title(Ending::Free);
        }
    }

    /// Ends the title above the next board. If there is none, it is a wrong row of the board above.
    pub(super) fn end_title(&mut self, ending: Ending) {
        let Some(mut title) = self.title.take() else { return };
        let subject = std::mem::take(&mut self.around.subject);
        let is_row = !title.above.is_empty() && ending == Ending::Wrong;
        if is_row || ending == Ending::Free {
            title.above.push(title.row);
        }
        if !title.above.is_empty() {
            let board = self.read_rows(&title.above);
            self.give_rows(&title.above, board);
        }
        self.around.subject = subject;
    }
}

/// Returns whether a line of words may be a title: `Easy`, `15-puzzle`, `Puzzle A (easy)`.
fn is_title(line: &str) -> bool {
    let is_word = |word: &str| {
        let word = word.trim_matches(|c| "'’,.!?()".contains(c));
        let is_number = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        let is_of_letters =
            |part: &str| part.chars().all(|c| c.is_alphabetic() || "'’".contains(c));
        let mut parts = word.split('-');
        word.contains(char::is_alphabetic)
            && (is_of_letters(word) || has_long_word(word))
            && parts.all(|part| is_number(part) || is_of_letters(part))
    };
    let words: Vec<&str> = line.split(' ').filter(|word| !word.is_empty()).collect();
    // A single word may be the letters of a board with some wrong ones.
    let has_letters_of_board = |word: &str| {
        let is_wrong = |(at, c): &(usize, char)| {
            let letter = c.to_digit(36).map_or(usize::MAX, |digit| digit as usize);
            letter > 9 + word.len() || word[..*at].contains(*c)
        };
        let wrong_count = word.char_indices().filter(is_wrong).count();
        wrong_count < 2 || 3 * wrong_count < word.len()
    };
    has_long_word(line)
        && !is_array(line)
        && words.iter().all(|word| is_word(word))
        && !words.iter().all(|word| is_blank_among_numbers(word))
        && !matches!(words[..], [word] if has_letters_of_board(word))
}
