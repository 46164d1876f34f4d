//! Columns of a table that hold the cells of a board.

use std::fmt;
use std::str::FromStr;

use pdb_core::excerpt::{WORD_CHARS_MAX, excerpt};
use pdb_core::{Board, BoardError, CELLS_MAX, Shape};

use crate::text::cells::{choose, read_one};
use crate::text::error::BoardTextError;
use crate::text::error_kind::TextErrorKind;
use crate::text::format::BoardFormat;
use crate::text::frame::{Subject, is_goal, is_name, narrow};
use crate::text::readings::Reading;

/// Consecutive columns of a table that hold the cells of a board, row by row; or a single column
/// with a whole board in any notation.
///
/// Columns are separated by spaces, tabs, commas or semicolons, and counted from 1.
///
/// ```
/// use tilebase::text::Columns;
///
/// let columns: Columns = "2..10".parse()?;
/// let board = columns.read("17 8 6 7 2 5 4 3 0 1 31", None)?;
/// assert_eq!(board.to_string(), "8 6 7/2 5 4/3 0 1");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Columns {
    first: usize,
    last: usize,
}

impl Columns {
    /// Creates the columns from `first` to `last`, both included and counted from 1.
    ///
    /// # Errors
    /// [`TextErrorKind::Columns`] when there is no such column, or more columns than a board has
    /// cells.
    pub fn new(first: usize, last: usize) -> Result<Self, BoardTextError> {
        if first == 0 || last < first || last - first >= CELLS_MAX {
            return Err(TextErrorKind::Columns { text: format!("{first}..{last}") }.into());
        }
        Ok(Self { first, last })
    }

    /// Returns the first column, counted from 1.
    pub fn first(self) -> usize {
        self.first
    }

    /// Returns the number of columns.
    pub fn count(self) -> usize {
        self.last - self.first + 1
    }

    /// Checks that these columns can hold a board of `shape`, or a square one without a shape.
    ///
    /// # Errors
    /// [`BoardError::CellCount`] or [`TextErrorKind::NotSquare`].
    pub fn check(self, shape: Option<Shape>) -> Result<(), BoardTextError> {
        let found = self.count();
        match shape {
            _ if found == 1 => Ok(()),
            Some(shape) if shape.cell_count() != found => {
                Err(BoardError::CellCount { shape, found }.into())
            }
            None if found.isqrt().pow(2) != found => Err(TextErrorKind::NotSquare { found }.into()),
            _ => Ok(()),
        }
    }

    /// Reads the board in these columns of a line. It has the shape of the format, or is
    /// square.
    ///
    /// # Errors
    /// A [`BoardTextError`]: the line has too few columns ([`TextErrorKind::NoColumn`]), or these
    /// hold no board.
    pub fn read(self, line: &str, format: impl Into<BoardFormat>) -> Result<Board, BoardTextError> {
        let format = format.into();
        if self.count() == 1 {
            let fields = whole_fields(line);
            let text = fields.get(self.first - 1).ok_or_else(|| self.missing(fields.len()))?;
            return read_one(text, format);
        }
        let words = words(line);
        let cells =
            words.get(self.first - 1..self.last).ok_or_else(|| self.missing(words.len()))?;
        choose(line, &[Reading::new(vec![cells.to_vec()])], format)
    }

    /// Returns the columns that each hold a whole board, if the line has several columns.
    pub(super) fn of_boards(
        line: &str,
        format: BoardFormat,
    ) -> impl Iterator<Item = (Self, Board)> + '_ {
        let fields = Some(whole_fields(line)).filter(|fields| fields.len() > 1);
        (1..).zip(fields.unwrap_or_default()).filter_map(move |(column, text)| {
            Some((Self { first: column, last: column }, read_one(text, format).ok()?))
        })
    }

    /// Returns the column that a line of names calls a board, if there are others.
    ///
    /// Two such names may be a board and its goal, so they are no choice.
    pub(crate) fn named(line: &str) -> Option<Self> {
        Self::called(line, |name| !is_goal(name))
    }

    /// Returns the column that a line of names calls a goal, if there are others. Words between
    /// spaces may be a sentence about the board below.
    pub(crate) fn of_goals(line: &str) -> Option<Self> {
        let line = narrow(line);
        // A column `solved` holds answers.
        let calls_goal = |name: &str| is_goal(name) && !name.eq_ignore_ascii_case("solved");
        if fields(&line).len() > 1 { Self::called(&line, calls_goal) } else { None }
    }

    /// Returns the only column of a line of names whose name is that of a board or a goal, and of
    /// this kind.
    fn called(line: &str, is_kind: impl Fn(&str) -> bool) -> Option<Self> {
        // One name of several words: `Goal state`, `Initial state:`.
        if fields(line).len() == 1 && (is_name(line) || line.trim_end().ends_with(':')) {
            return None;
        }
        let fields = whole_fields(line);
        let are_names = fields.iter().all(|name| name.starts_with(char::is_alphabetic));
        let mut found = (1..).zip(&fields).filter(|(_, name)| is_name(name) && is_kind(name));
        let (column, _) = found.next()?;
        let is_certain = are_names && found.next().is_none() && fields.len() > 1;
        is_certain.then_some(Self { first: column, last: column })
    }

    /// Returns the text in the first of these columns, unless it is empty.
    pub(crate) fn text(self, line: &str) -> Option<String> {
        let line = narrow(line);
        let text = whole_fields(&line).get(self.first - 1).copied();
        text.filter(|text| !text.is_empty()).map(str::to_owned)
    }

    /// Returns whether a line may be the header: each of these columns starts with a letter and
    /// does not look like a board. The name of a single column has no digit, because a single
    /// column may contain a whole board.
    pub(super) fn may_be_header(self, line: &str) -> bool {
        let is_whole = self.count() == 1;
        let words = if is_whole { fields(line) } else { words(line) };
        let is_name = |word: &&str| {
            word.starts_with(char::is_alphabetic)
                && !word.contains(|c: char| "[](){}/|".contains(c))
                && !(is_whole && word.contains(|c: char| c.is_ascii_digit()))
        };
        let named: Vec<&str> =
            words.iter().skip(self.first - 1).take(self.count()).copied().collect();
        !named.is_empty() && named.iter().all(is_name)
    }

    /// Returns the subject that the names of these columns call.
    pub(super) fn subject(self, names: &str) -> Subject {
        let words = words(names);
        let names: Vec<&str> =
            words.iter().skip(self.first - 1).take(self.count()).copied().collect();
        Subject::of(&names.join(" "))
    }

    /// Returns whether the names of these columns may be those of cells row by row: names without
    /// numbers, or all with the place of the cell. This is one number from 0 or 1 on, or its row
    /// and its column: `r1c1`, `x0y0`, `a11`.
    pub(super) fn are_in_order(self, names: &str) -> bool {
        let words = words(names);
        let numbered: Vec<(String, Vec<usize>)> = words
            .iter()
            .skip(self.first - 1)
            .take(self.count())
            .map(|name| numbers(name))
            .collect();
        if self.count() == 1 || numbered.iter().filter(|(_, of)| !of.is_empty()).count() < 2 {
            return true;
        }
        let (letters, start) = &numbered[0];
        let is_alike =
            |(of, numbers): &(String, Vec<usize>)| of == letters && numbers.len() == start.len();
        let follow = |places: &[(usize, usize)]| {
            let (row, col) = places[0];
            let width = places.iter().filter(|(of, _)| *of == row).count();
            let expected = |at: usize| (row + at / width, col + at % width);
            row < 2 && col < 2 && (0..places.len()).all(|at| places[at] == expected(at))
        };
        let places = |place: &dyn Fn(&[usize]) -> (usize, usize)| -> Vec<(usize, usize)> {
            numbered.iter().map(|(_, numbers)| place(numbers)).collect()
        };
        let is_column_first = letters.starts_with(['c', 'x']);
        numbered.iter().all(is_alike)
            && match start[..] {
                [_] => {
                    follow(&places(&|of| (0, of[0])))
                        || follow(&places(&|of| (of[0] / 10, of[0] % 10)))
                }
                [_, _] if is_column_first => follow(&places(&|of| (of[1], of[0]))),
                [_, _] => follow(&places(&|of| (of[0], of[1]))),
                _ => false,
            }
    }

    fn missing(self, found: usize) -> BoardTextError {
        TextErrorKind::NoColumn { column: self.last, found }.into()
    }
}

/// Writes `2..17`, or `2` for a single column.
impl fmt::Display for Columns {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.count() {
            1 => write!(f, "{}", self.first),
            _ => write!(f, "{}..{}", self.first, self.last),
        }
    }
}

/// Reads `2..17`, `2-17`, or `2`.
impl FromStr for Columns {
    type Err = BoardTextError;

    fn from_str(text: &str) -> Result<Self, BoardTextError> {
        let number = |text: &str| text.trim().parse::<usize>().ok();
        let ends = text.split_once("..").or_else(|| text.split_once('-')).unwrap_or((text, text));
        let columns = number(ends.0).zip(number(ends.1));
        columns
            .and_then(|(first, last)| Self::new(first, last).ok())
            .ok_or_else(|| TextErrorKind::Columns { text: excerpt(text, WORD_CHARS_MAX) }.into())
    }
}

/// Returns the letters of a name in lower case and the numbers in it.
fn numbers(name: &str) -> (String, Vec<usize>) {
    let is_letter = |c: char| !c.is_ascii_digit();
    let letters = name.chars().filter(|c| c.is_alphabetic()).collect::<String>().to_lowercase();
    let numbers = name.split(is_letter).filter(|digits| !digits.is_empty());
    (letters, numbers.map(|digits| digits.parse().unwrap_or(usize::MAX)).collect())
}

/// Returns the columns of a line, cell by cell. An empty part between two commas is a column too.
pub(super) fn words(line: &str) -> Vec<&str> {
    let is_space = |c: char| c.is_whitespace() || c == ',';
    let mut words = Vec::new();
    for field in fields(line) {
        let count = words.len();
        words.extend(field.split(is_space).map(unquoted).filter(|word| !word.is_empty()));
        if words.len() == count {
            words.push(field);
        }
    }
    words
}

/// Returns the columns of a line that may each hold a whole board.
pub(super) fn whole_fields(line: &str) -> Vec<&str> {
    let fields = fields(line);
    // Only spaces separate the columns, so no column has spaces.
    if fields.len() > 1 { fields } else { words(line) }
}

/// Returns the columns of a line between separators that allow spaces: tabs, else semicolons, else
/// commas. Separators in double quotes or brackets do not count.
fn fields(line: &str) -> Vec<&str> {
    let outside = |wanted: char| {
        let (mut is_quoted, mut depth) = (false, 0usize);
        move |c: char| {
            is_quoted ^= c == '"';
            match c {
                '[' | '(' | '{' if !is_quoted => depth += 1,
                ']' | ')' | '}' if !is_quoted => depth = depth.saturating_sub(1),
                _ => {}
            }
            c == wanted && !is_quoted && depth == 0
        }
    };
    let separator = ['\t', ';', ','].into_iter().find(|&c| line.contains(outside(c)));
    match separator {
        Some(separator) => line.split(outside(separator)).map(unquoted).collect(),
        None => vec![unquoted(line)],
    }
}

/// Returns a text without the spaces and the quotes around it.
fn unquoted(text: &str) -> &str {
    let text = text.trim();
    let inner = |quote| text.strip_prefix(quote).and_then(|text| text.strip_suffix(quote));
    inner('"').or_else(|| inner('\'')).unwrap_or(text).trim()
}

#[cfg(test)]
mod tests {
    use super::Columns;

    #[test]
    fn words_above_a_board_call_no_column_of_goals() {
        for line in ["Goal state", "Goal state:", "Final board", "the end position", "goal"] {
            assert_eq!(Columns::of_goals(line), None, "{line}");
        }
        assert_eq!(Columns::of_goals("start,goal state"), Columns::new(2, 2).ok());
    }
}
