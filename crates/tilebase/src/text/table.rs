//! Columns of a table that hold boards.
//!
//! A table is recognised by its numbers if most of its lines, and at least two different ones, have
//! each number of a board once in the same columns and in no others, with the blank as 0. They are
//! the whole board: no larger board has its numbers in these columns and others.

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use pdb_core::excerpt::{WORD_CHARS_MAX, excerpt};
use pdb_core::{Board, BoardError, CELLS_MAX, Shape};

use super::array::read_tokens;
use super::frame::Subject;
use super::grid;
use super::lex::{Sign, Token, narrow, tokens_of};
use crate::text::error::BoardTextError;
use crate::text::error_kind::TextErrorKind;
use crate::text::format::BoardFormat;

/// Smallest part of a line that may belong to a larger board, in cells.
const CELLS_MIN: usize = 6;
/// Number of boards that a line may hold, each in a column or in columns of its own.
const WHOLE_COLUMNS_MAX: usize = 8;

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
        let line = narrow(line);
        TableLine::of(&line, &tokens_of(&line)).board(self, format.into())
    }

    fn range(self) -> Range<usize> {
        self.first - 1..self.last
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

/// Line of a table.
pub(super) struct TableLine<'a> {
    text: &'a str,
    tokens: &'a [Token],
    /// The tokens of each column that may hold a whole board: between tabs, else semicolons, else
    /// commas, else spaces. Separators in quotes or brackets do not count.
    fields: Vec<Range<usize>>,
    /// The cells, one in each column. A field without cells is an empty one.
    cells: Vec<&'a str>,
}

impl<'a> TableLine<'a> {
    pub(super) fn of(text: &'a str, tokens: &'a [Token]) -> Self {
        let separator = [Sign::Tab, Sign::Semi, Sign::Comma].into_iter().find_map(|sign| {
            let separators = outside(tokens).filter(|at| tokens[*at].sign == sign);
            Some(separators.collect::<Vec<usize>>()).filter(|list| !list.is_empty())
        });
        let is_cell = |at: &usize| tokens[*at].sign.is_cell();
        let fields: Vec<Range<usize>> = match separator {
            Some(mut ends) => {
                ends.push(tokens.len());
                let starts = [0].into_iter().chain(ends.iter().map(|end| end + 1));
                starts.zip(&ends).map(|(start, end)| start..*end).collect()
            }
            None => (0..tokens.len()).filter(is_cell).map(|at| at..at + 1).collect(),
        };
        let mut cells = Vec::with_capacity(tokens.len());
        for field in &fields {
            let count = cells.len();
            cells.extend(field.clone().filter(is_cell).map(|at| tokens[at].of(text)));
            if cells.len() == count {
                cells.push("");
            }
        }
        Self { text, tokens, fields, cells }
    }

    /// Returns the number of columns that may each hold a whole board.
    pub(super) fn width(&self) -> usize {
        self.fields.len()
    }

    /// Returns the number of columns of one cell.
    pub(super) fn cell_count(&self) -> usize {
        self.cells.len()
    }

    /// Returns the text of a column, counted from 1.
    pub(super) fn field(&self, column: usize) -> Option<&'a str> {
        let field = &self.tokens[self.fields.get(column - 1)?.clone()];
        Some(&self.text[field.first()?.start..field.last()?.end])
    }

    /// Reads the board in these columns.
    pub(super) fn board(
        &self,
        columns: Columns,
        format: BoardFormat,
    ) -> Result<Board, BoardTextError> {
        let found = if columns.count() == 1 { self.fields.len() } else { self.cells.len() };
        if columns.last > found {
            return Err(TextErrorKind::NoColumn { column: columns.last, found }.into());
        }
        if columns.count() == 1 {
            return self.read(&self.fields[columns.first - 1], format);
        }
        let place = |cell: &&str| {
            // An empty cell is no part of the text.
            let address = |text: &str| text.as_ptr().addr();
            let start = if cell.is_empty() { 0 } else { address(cell) - address(self.text) };
            Token { sign: Sign::Cell, start, end: start + cell.len() }
        };
        let tokens: Vec<Token> = self.cells[columns.range()].iter().map(place).collect();
        grid::read(self.text, &tokens, format)
    }

    fn read(&self, field: &Range<usize>, format: BoardFormat) -> Result<Board, BoardTextError> {
        read_tokens(self.text, &self.tokens[field.clone()], format)
    }

    /// Returns the columns that each hold a whole board, if the line has several columns.
    pub(super) fn whole_boards(&self, format: BoardFormat) -> Vec<(Columns, Board)> {
        let fields = self.fields.iter().take(WHOLE_COLUMNS_MAX).zip(1..);
        let is_long = |field: &Range<usize>| {
            let mut tokens = self.tokens[field.clone()].iter();
            field.len() > 3 || tokens.any(|token| token.end - token.start > 3)
        };
        let boards = fields.filter(|(field, _)| self.fields.len() > 1 && is_long(field));
        let read = |(field, column): (&Range<usize>, usize)| {
            Some((Columns { first: column, last: column }, self.read(field, format).ok()?))
        };
        boards.filter_map(read).collect()
    }

    /// Returns the numbers of the line, without those that no board has.
    fn numbers(&self) -> Vec<Option<usize>> {
        let number = |cell: &&str| {
            grid::number(cell).map(|number| usize::try_from(number).unwrap_or(usize::MAX))
        };
        self.cells.iter().map(number).collect()
    }

    /// Returns whether the line has each number of a board of its length once.
    pub(super) fn is_whole(&self) -> bool {
        is_board_length(self.cells.len()) && is_each_once(&self.numbers())
    }

    /// Returns whether a cell calls the line a goal.
    pub(super) fn is_goal(&self) -> bool {
        let is_goal = |cell: &&str| {
            cell.contains(char::is_alphabetic) && Subject::of(cell) == Some(Subject::Goal)
        };
        self.cells.iter().any(is_goal)
    }

    /// Returns the columns that are each number of a board once, and not a part of a larger board.
    pub(super) fn cell_ranges(&self, shape: Option<Shape>) -> Vec<(Columns, Board)> {
        let numbers = self.numbers();
        // The whole line is a board, which may be too large.
        if self.is_whole() || numbers.len() > CELLS_MAX && is_each_once(&numbers) {
            return Vec::new();
        }
        let reading = |window: &Range<usize>| {
            let columns = Columns { first: window.start + 1, last: window.end };
            Some((columns, self.plain_board(columns, shape)?))
        };
        windows(&numbers).iter().filter_map(reading).take(WHOLE_COLUMNS_MAX).collect()
    }

    /// Returns the board in these columns, which is a square of nine cells or more without a shape,
    /// if it is written in numbers with the blank as 0.
    pub(super) fn plain_board(&self, columns: Columns, shape: Option<Shape>) -> Option<Board> {
        let side = columns.count().isqrt();
        let shape = shape.or_else(|| Shape::new(side, side).ok().filter(|_| side > 2))?;
        let tile = |cell: &&str| u8::try_from(grid::number(cell)?).ok();
        let cells = self.cells.get(columns.range())?;
        Board::new(shape, &cells.iter().map(tile).collect::<Option<Vec<u8>>>()?).ok()
    }

    /// Returns whether a single line makes these columns certain: two of its other numbers are
    /// greater than the tile of any board that the line may be.
    pub(super) fn is_certain(&self, columns: Columns) -> bool {
        let tile_max = self.cells.len().max(36) as u64;
        let is_beyond = |cell: &&str| match grid::number(cell) {
            Some(number) => number > tile_max,
            None => cell
                .split_once('.')
                .is_some_and(|(a, b)| grid::number(a).is_some() && grid::number(b).is_some()),
        };
        let range = columns.range();
        let beside = self.cells[..range.start].iter().chain(&self.cells[range.end..]);
        beside.filter(|cell| is_beyond(cell)).count() > 1
    }

    /// Returns the error of a line that is no board, although some of its columns are one.
    pub(super) fn fault(&self, format: BoardFormat) -> Option<BoardTextError> {
        let mut boards = self.whole_boards(format);
        if boards.is_empty() && format.blank.is_none() {
            boards = self.cell_ranges(format.shape);
        }
        let named = |(columns, board): (Columns, Board)| (columns.to_string(), Box::new(board));
        let mut boards = boards.into_iter().map(named);
        let first = boards.next()?;
        Some(TextErrorKind::MayBeTable { first, second: boards.next() }.into())
    }

    /// Returns the names in these columns: of each cell, or of a whole board.
    fn names(&self, columns: Columns) -> Vec<&'a str> {
        let names = match columns.count() {
            1 => self.field(columns.first).into_iter().collect(),
            _ => self.cells.get(columns.range()).unwrap_or_default().to_vec(),
        };
        names.into_iter().map(|name| name.trim_matches(['"', '\''])).collect()
    }

    /// Returns whether these columns have names, no cells: each begins with a letter.
    pub(super) fn has_names(&self, columns: Columns) -> bool {
        let names = self.names(columns);
        let is_name = |name: &&str| {
            name.starts_with(char::is_alphabetic) && (names.len() > 1 || is_name(name))
        };
        !names.is_empty() && names.iter().all(is_name)
    }

    /// Returns whether a line has names where another line has numbers, so that it is the header.
    pub(super) fn is_header_of(&self, next: &TableLine<'_>) -> bool {
        let is_number = |cell: &str| cell.starts_with(|c: char| c.is_ascii_digit());
        self.cells.iter().zip(&next.cells).any(|(name, cell)| is_name(name) && is_number(cell))
    }

    /// Returns the columns that hold boards and goals, if these are names of columns, and one of
    /// them is a name of boards.
    pub(super) fn named(&self) -> Option<NamedColumns> {
        let names: Vec<&str> = (1..=self.width()).filter_map(|at| self.field(at)).collect();
        let is_name = |name: &&str| name.trim_matches(['"', '\'']).starts_with(char::is_alphabetic);
        if names.len() != self.width() || names.len() < 2 || !names.iter().all(is_name) {
            return None;
        }
        let of = |subject| {
            let mut called = (1..).zip(&names).filter(|(_, name)| {
                Subject::of_column(name) == Some(subject) && !name.eq_ignore_ascii_case("solved")
            });
            let first = called.next().map(|(column, _)| column);
            first.filter(|_| called.next().is_none())
        };
        Some(NamedColumns {
            board: of(Subject::Board)?,
            goal: of(Subject::Goal),
            width: names.len(),
        })
    }

    /// Returns whether this line, below the names of columns, is a line of their table.
    pub(super) fn is_below(&self, named: NamedColumns) -> bool {
        let is_long = |at: usize| self.field(at).is_some_and(|field| field.len() > 2);
        self.width() == named.width && (1..=named.width).any(is_long)
    }

    /// Checks that the names of these columns are those of cells row by row.
    pub(super) fn check_names(&self, columns: Columns) -> Result<(), TextErrorKind> {
        let names = self.names(columns);
        match names.first().and_then(|name| Subject::of(name)) {
            Some(Subject::Goal) => Err(TextErrorKind::CalledGoal),
            Some(Subject::Moves) => Err(TextErrorKind::NotBoard { what: "called moves" }),
            _ if columns.count() == 1 || names.is_empty() || are_in_order(&names) => Ok(()),
            _ => Err(TextErrorKind::Order),
        }
    }
}

/// Returns the places of the tokens outside brackets.
fn outside(tokens: &[Token]) -> impl Iterator<Item = usize> {
    let mut depth = 0usize;
    (0..tokens.len()).filter(move |at| {
        match tokens[*at].sign {
            Sign::Open => depth += 1,
            Sign::Close => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0
    })
}

/// Columns that the first line of a table names, counted from 1.
#[derive(Clone, Copy, Debug)]
pub(super) struct NamedColumns {
    pub(super) board: usize,
    pub(super) goal: Option<usize>,
    /// Number of columns.
    width: usize,
}

impl NamedColumns {
    pub(super) fn columns(self) -> Columns {
        Columns { first: self.board, last: self.board }
    }
}

fn is_name(cell: &str) -> bool {
    cell.starts_with(char::is_alphabetic) && !cell.contains(|c: char| c.is_ascii_digit())
}

/// Returns the widest windows that hold each number below their length once, and have the length of
/// a board.
fn windows(numbers: &[Option<usize>]) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    for start in 0..numbers.len() {
        let mut seen = 0u64;
        let mut widest = 0;
        for (end, number) in (start + 1..).zip(&numbers[start..]) {
            let bit = number.filter(|number| *number < CELLS_MAX).map_or(0, |number| 1 << number);
            if bit == 0 || seen & bit != 0 {
                break;
            }
            seen |= bit;
            if seen.trailing_ones() as usize == end - start && is_board_length(end - start) {
                widest = end;
            }
        }
        if widest > found.last().map_or(0, |last| last.end) {
            found.push(start..widest);
        }
    }
    found
}

/// Returns whether a board may have that many cells, and is no chance.
fn is_board_length(count: usize) -> bool {
    let has_sides = |rows: usize| count.is_multiple_of(rows) && count / rows > 1;
    (CELLS_MIN..=CELLS_MAX).contains(&count) && (2..=8).any(has_sides)
}

fn is_each_once(numbers: &[Option<usize>]) -> bool {
    let mut seen = vec![false; numbers.len()];
    let is_new = |number: &Option<usize>| {
        let place = number.and_then(|number| seen.get_mut(number));
        place.is_some_and(|seen| !std::mem::replace(seen, true))
    };
    numbers.iter().all(is_new)
}

/// Returns whether names of columns may be those of cells row by row: names without numbers, or one
/// name with numbers that ascend: `p0`, `a11`, `r1c1`, `x0y0`.
fn are_in_order(names: &[&str]) -> bool {
    let letters = |name: &str| -> String { name.chars().filter(|c| c.is_alphabetic()).collect() };
    let first = letters(names[0]).to_lowercase();
    let place = |name: &&str| -> Vec<usize> {
        let digits = name.split(|c: char| !c.is_ascii_digit());
        let mut place: Vec<usize> = digits.filter_map(|digits| digits.parse().ok()).collect();
        // The column stands before the row.
        if place.len() == 2 && first.starts_with(['c', 'x']) {
            place.reverse();
        }
        place
    };
    let places: Vec<Vec<usize>> = names.iter().map(place).collect();
    places.iter().filter(|place| !place.is_empty()).count() < 2
        || names.iter().all(|name| letters(name).to_lowercase() == first)
            && places.windows(2).all(|pair| pair[0] < pair[1])
}
