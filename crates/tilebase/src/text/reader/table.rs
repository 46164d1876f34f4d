//! Lines of a table: a board in some columns, and other numbers in the others.
//!
//! With named columns, each line is a board in these columns. Otherwise a table is recognised only
//! if it is certain, and only among lines that cannot be anything else:
//!
//! 1. The line has something that is in no row of a board: a repeated number, a number beyond every
//!    tile, or a word. And it is not a board in any other notation. So without this rule it is an
//!    error.
//! 2. Some consecutive columns are each number of a board once, with the blank as 0. They are the
//!    whole board: no larger board has its numbers in these columns and others. (The first nine
//!    cells of a 2x5 board may be a 3x3 board.) The board has the given shape, or is a square of at
//!    least nine cells, because fewer numbers are a board by chance.
//! 3. Only one choice of columns is a board in this line and in all lines of the table before it.
//! 4. The columns beside the board are not part of it. A board with an extra number looks like a
//!    board beside a column, and so does a part of a larger board with a wrong number. Two
//!    different lines with the same columns are enough if something beside the board is not a tile
//!    of it. At most two numbers may be tiles of a larger one. Otherwise three lines are needed. A
//!    single line is certain only with two numbers that no board has. A line with other readings,
//!    and one that is a larger board with an extra tile, does not count. Nor do lines whose other
//!    columns may all be tiles, unless one of these columns numbers the lines.
//!
//! Uncertain lines are held back. If they stay uncertain, each is an error that shows the possible
//! columns. A later line that does not fit the columns is an error too. If other columns are a
//! board in it, the table is uncertain from there on, and needs three lines again.

use std::ops::Range;

use pdb_core::{Board, CELLS_MAX, Shape};

use super::{BoardReader, Ending, ROWS_MAX};
use crate::text::array::is_array;
use crate::text::cells::read_one;
use crate::text::columns::{Columns, whole_fields, words};
use crate::text::error::BoardTextError;
use crate::text::error_kind::TextErrorKind;
use crate::text::frame::{Subject, is_goal};
use crate::text::readings::is_ruler;

/// Smallest board that is recognised, in cells.
const CELLS_MIN: usize = 6;
/// Largest number of columns of a line, unless they are named.
const WIDTH_MAX: usize = 256;

/// Number of columns of a line that may each hold a whole board.
const WHOLE_COLUMNS_MAX: usize = 8;

/// State of the table that the lines may belong to.
#[derive(Clone, Debug, Default)]
pub(super) struct TableReader {
    /// The columns that hold the cells, and the number of all columns.
    known: Option<(Columns, usize)>,
    /// Held lines that may belong to a table, in order.
    held: Vec<HeldLine>,
    /// The columns that are a board in each of them.
    common: Vec<Columns>,
    /// The column that the first line calls a board.
    pub(super) named: Option<Columns>,
    /// The column of goals, which the caller compares.
    goals: Option<Columns>,
    /// The number of names on that line, until the next line.
    name_count: Option<usize>,
    /// Whether something other than a remark was read.
    has_begun: bool,
    /// The names of the columns.
    names: Option<String>,
    /// Whether the text is no file, so that it is no table.
    pub(super) is_off: bool,
    /// Whether lines contradicted each other.
    is_doubtful: bool,
}

/// Held line.
#[derive(Clone, Debug)]
struct HeldLine {
    line: u64,
    text: String,
    width: usize,
    /// The columns that are a board in it; empty for a possible header.
    readings: Vec<(Columns, Board)>,
}

impl TableReader {
    /// Returns the held lines without the header.
    fn lines(&self) -> impl Iterator<Item = &HeldLine> {
        self.held.iter().filter(|held| !held.readings.is_empty())
    }

    /// Returns whether the held lines make these columns certain. Before the end of the table, the
    /// next line has to confirm the first.
    fn is_certain(&self, columns: Columns, is_at_end: bool) -> bool {
        let lines: Vec<Vec<&str>> = self.lines().map(|held| words(&held.text)).collect();
        let is_numbered = are_numbered(&lines, columns);
        let mut different: Vec<(&str, bool)> = Vec::new();
        let mut needed = if is_at_end { 1 } else { 2 };
        for (held, line) in self.lines().zip(&lines) {
            if different.iter().any(|(text, _)| *text == held.text) {
                continue;
            }
            let is_clear = held.readings.len() == 1
                && (is_numbered || !may_be_cells(line, columns))
                && !is_larger_board(line, columns);
            if is_clear {
                needed = needed.max(lines_needed(line, columns));
            }
            different.push((&held.text, is_clear));
        }
        if self.is_doubtful {
            needed = 3;
        } else if different.len() > 1 {
            needed = needed.max(2);
        }
        different.iter().filter(|(_, is_clear)| *is_clear).count() >= needed
    }
}

/// Cells of the largest board that is usual in tables. A larger number beside a board is rather a
/// length or a count than a tile of a larger board.
const USUAL_CELLS_MAX: usize = 36;

/// Returns the words of a line beside these columns.
fn beside<'a>(words: &[&'a str], columns: Columns) -> impl Iterator<Item = &'a str> {
    let (before, rest) = words.split_at(columns.first() - 1);
    before.iter().chain(&rest[columns.count()..]).copied()
}

/// Returns whether all words beside these columns may be tiles of the board in them.
fn may_be_cells(words: &[&str], columns: Columns) -> bool {
    let is_tile = |word| number(word).is_some_and(|number| number < columns.count());
    beside(words, columns).all(is_tile)
}

/// Returns whether a line is a larger board than these columns, with one more tile.
fn is_larger_board(words: &[&str], columns: Columns) -> bool {
    let count = words.len() - 1;
    let mut seen = vec![false; count];
    for number in words.iter().filter_map(|word| number(word)).filter(|number| *number < count) {
        seen[number] = true;
    }
    count > columns.count() && has_shape(count) && seen.iter().all(|seen| *seen)
}

/// Returns whether a column beside these numbers the lines: each number follows the one above.
fn are_numbered(lines: &[Vec<&str>], columns: Columns) -> bool {
    let numbers: Vec<Vec<Option<usize>>> =
        lines.iter().map(|line| beside(line, columns).map(number).collect()).collect();
    let is_next = |at: usize| {
        numbers
            .windows(2)
            .all(|pair| pair[0][at].is_some_and(|above| pair[1][at] == Some(above + 1)))
    };
    (0..numbers.first().map_or(0, Vec::len)).any(is_next)
}

/// Returns the number of lines like this that make these columns certain.
fn lines_needed(words: &[&str], columns: Columns) -> usize {
    let is_of_larger = |word: &&str| {
        number(word).is_some_and(|number| (columns.count()..tiles_max(words)).contains(&number))
    };
    let is_beyond = |word: &&str| is_beyond(word, tiles_max(words));
    if may_be_cells(words, columns) || beside(words, columns).filter(is_of_larger).count() > 2 {
        3
    } else if beside(words, columns).filter(is_beyond).count() < 2 {
        2
    } else {
        1
    }
}

/// Reads digits. A number beyond the range is beyond every tile like any other.
fn number(word: &str) -> Option<usize> {
    let is_number = !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| word.parse().unwrap_or(usize::MAX))
}

/// Returns the largest number that may be a tile on a line: a line longer than every board may be
/// a larger one.
fn tiles_max(words: &[&str]) -> usize {
    words.len().max(USUAL_CELLS_MAX)
}

/// Returns whether a word is a number that no board has: too large, or a fraction.
fn is_beyond(word: &str, tiles_max: usize) -> bool {
    match number(word) {
        Some(number) => number > tiles_max,
        None => word
            .split_once('.')
            .is_some_and(|(whole, fraction)| number(whole).is_some() && number(fraction).is_some()),
    }
}

/// Returns whether no row of any board has these words.
fn are_no_row(words: &[&str]) -> bool {
    let mut seen = [false; CELLS_MAX + 1];
    words.iter().any(|word| match number(word) {
        Some(number) if number <= CELLS_MAX => std::mem::replace(&mut seen[number], true),
        Some(_) => true,
        // A letter may be a tile, and a dot the blank.
        None => word.chars().nth(1).is_some(),
    })
}

/// Returns whether a line has no sign of another notation.
fn is_plain(line: &str) -> bool {
    // Semicolons may separate rows.
    let mut rows = line.split(';').map(|row| words(row).len());
    let width = rows.next().unwrap_or(0);
    let has_rows = line.contains(';') && width > 1 && rows.all(|row| row == width);
    !has_rows
        && !line.contains(|c: char| "/|[](){}".contains(c))
        && !is_ruler(line)
        && !is_array(line)
}

impl BoardReader {
    /// Reads a line in the named columns.
    pub(super) fn push_columns(&mut self, line: &str, columns: Columns) {
        if line.trim().is_empty() || is_ruler(line) {
            return;
        }
        let board = columns.read(line, self.format());
        let board = board.and_then(|board| self.only_board(line, columns, board));
        let board = board.and_then(|board| self.in_order(columns, board));
        let may_be_header = columns.may_be_header(line);
        if !std::mem::replace(&mut self.table.has_begun, true) && may_be_header {
            // Letters are the columns' names or a board, depending on the next line.
            let readings = board.ok().map(|board| (columns, board)).into_iter().collect();
            let text = line.to_owned();
            self.table.names = Some(text.clone());
            self.table.held.push(HeldLine { line: self.line, text, width: 0, readings });
            return;
        }
        if may_be_header {
            self.end_header();
        }
        self.table.held.clear();
        self.give(self.line, line, board);
    }

    /// Reads a first line with names of columns, one of which is `board`: that column holds whole
    /// boards.
    pub(super) fn push_names(&mut self, line: &str) -> bool {
        let has_begun = self.table.has_begun || self.header.has_lines;
        let named = if has_begun { None } else { Columns::named(line) };
        self.table.has_begun |= named.is_some();
        if named.is_some() {
            self.table.named = named;
            self.table.name_count = Some(whole_fields(line).len());
        }
        named.is_some()
    }

    /// Returns the column that the first line calls a board, if the next line has as many columns
    /// and is no row of cells. Otherwise the names were words above a board.
    pub(super) fn named_column(&mut self, line: &str) -> Option<Columns> {
        if !line.trim().is_empty()
            && let Some(count) = self.table.name_count.take()
            && let fields = whole_fields(line)
            && (count != fields.len() || fields.iter().all(|field| field.len() < 3))
        {
            self.table.named = None;
        }
        self.table.named
    }

    /// Sets the column of goals below the first line of names. The caller compares them.
    pub(crate) fn set_goals(&mut self, column: Columns) {
        self.table.goals = Some(column);
    }

    /// Returns the board in the column that the first line calls so, unless another column is a
    /// board of its size, which may be its goal.
    fn only_board(
        &self,
        line: &str,
        columns: Columns,
        board: Board,
    ) -> Result<Board, BoardTextError> {
        let may_be_goal = |(column, other): &(Columns, Board)| {
            let is_known = [Some(columns), self.table.goals].contains(&Some(*column));
            !is_known && other.shape() == board.shape()
        };
        let is_named = self.columns.is_none();
        let others = is_named.then(|| Columns::of_boards(line, self.format()));
        let Some((column, other)) = others.and_then(|mut others| others.find(may_be_goal)) else {
            return Ok(board);
        };
        let first = (columns.to_string(), Box::new(board));
        let second = Some((column.to_string(), Box::new(other)));
        Err(TextErrorKind::MayBeTable { first, second }.into())
    }

    /// Returns the board in these columns, unless their names are in another order, or call a goal
    /// or moves in columns that the caller did not choose.
    fn in_order(&self, columns: Columns, board: Board) -> Result<Board, BoardTextError> {
        let Some(names) = &self.table.names else { return Ok(board) };
        let chosen = self.columns.or(self.table.named);
        let subject = chosen.map_or_else(|| columns.subject(names), |_| Subject::Board);
        Err(match subject {
            Subject::Goal => TextErrorKind::CalledGoal,
            Subject::Moves | Subject::MovesUnlessRows => TextErrorKind::CalledMoves,
            Subject::Board if columns.are_in_order(names) => return Ok(board),
            Subject::Board => TextErrorKind::ColumnOrder,
        }
        .into())
    }

    /// Returns the error of a line that is no board, although a column of it is one.
    pub(super) fn of_column(&self, line: &str) -> Option<BoardTextError> {
        let boards = Columns::of_boards(line, self.format());
        let boards = boards.take_while(|(column, _)| column.first() <= WHOLE_COLUMNS_MAX).take(2);
        may_be_table(&boards.collect::<Vec<_>>())
    }

    /// Returns the error of a line that is no board, although some columns of it are one.
    pub(super) fn of_columns(&self, line: &str) -> Option<BoardTextError> {
        let of_cells = || {
            let readings = if is_plain(line) { self.readings(&words(line)) } else { Vec::new() };
            may_be_table(&readings)
        };
        self.of_column(line).or_else(of_cells)
    }

    /// Returns a first line that was a possible header as a board.
    fn end_header(&mut self) {
        for held in std::mem::take(&mut self.table.held) {
            if let [(_, board)] = held.readings[..] {
                self.give(held.line, &held.text, Ok(board));
            }
        }
    }

    /// Reads a line if it belongs or may belong to a table.
    pub(super) fn push_table(&mut self, line: &str) -> bool {
        let is_blank = line.trim().is_empty();
        let is_first = !self.table.has_begun;
        self.table.has_begun |= !is_blank;
        if is_blank || self.array.is_some() || !is_plain(line) {
            self.release_table();
            return false;
        }
        let words = words(line);
        if self.table.lines().next().is_none()
            && !self.table.held.is_empty()
            && self.of_columns(line).is_some()
            && read_one(line, self.format()).is_err()
        {
            // The names of columns need no error beside that of this line.
            self.table.held.clear();
        }
        if self.table.held.last().is_some_and(|last| last.width != words.len()) {
            self.release_table();
        }
        if let Some((columns, width)) = self.table.known {
            return words.len() == width && self.push_known(line, &words, columns);
        }
        // Among rows, this is a bad row.
        let may_be_table = self.rows.is_empty()
            && self.run.skipped.is_none()
            && (CELLS_MIN + 1..=WIDTH_MAX).contains(&words.len())
            && are_no_row(&words);
        let mut readings = if may_be_table { self.readings(&words) } else { Vec::new() };
        if !readings.is_empty() && read_one(line, self.format()).is_ok() {
            readings.clear();
        }
        let held =
            HeldLine { line: self.line, text: line.to_owned(), width: words.len(), readings };
        if !held.readings.is_empty() {
            self.hold(held);
            return true;
        }
        self.release_table();
        if let Some((columns, width)) = self.table.known {
            return words.len() == width && self.push_known(line, &words, columns);
        }
        let is_header = is_first
            && (may_be_table || whole_fields(line).len() > 1)
            && !words.iter().any(|word| number(word).is_some())
            && read_one(line, self.format()).is_err();
        if is_header {
            self.table.names = Some(line.to_owned());
            self.table.held.push(held);
        }
        is_header
    }

    /// Reads a line as wide as the known table.
    fn push_known(&mut self, line: &str, words: &[&str], columns: Columns) -> bool {
        let cells = &words[columns.first() - 1..columns.first() - 1 + columns.count()];
        let whole = read_one(line, self.format());
        let board = match (self.board_of(cells), whole) {
            (Some(first), Ok(second)) if first != second => {
                let (first, second) = (Box::new(first), Box::new(second));
                Err(TextErrorKind::Ambiguous { first, second }.into())
            }
            (Some(board), _) => self.in_order(columns, board),
            (None, Ok(_)) => return false,
            // It may be a row of another board.
            (None, Err(_)) if !are_no_row(words) => return false,
            (None, Err(problem)) => {
                let readings = self.readings(words);
                if !readings.is_empty() {
                    self.table.known = None;
                    self.table.is_doubtful = true;
                    self.give_held(&HeldLine {
                        line: self.line,
                        text: line.to_owned(),
                        width: 0,
                        readings,
                    });
                    return true;
                }
                match columns.read(line, self.format()) {
                    // The other lines write the blank as 0.
                    Ok(_) => Err(problem),
                    error => error,
                }
            }
        };
        self.give_line(self.line, line, board);
        true
    }

    /// Holds a line back, unless it makes the held lines certain.
    fn hold(&mut self, held: HeldLine) {
        let columns: Vec<Columns> = held.readings.iter().map(|(columns, _)| *columns).collect();
        if self.table.lines().next().is_none() {
            self.table.common = columns;
        } else {
            self.table.common.retain(|common| columns.contains(common));
            if self.table.common.is_empty() {
                self.table.is_doubtful = true;
                self.release_table();
                self.table.common = columns;
            }
        }
        let width = held.width;
        self.table.held.push(held);
        if let [columns] = self.table.common[..]
            && self.table.is_certain(columns, false)
        {
            self.table.known = Some((columns, width));
            for held in std::mem::take(&mut self.table.held) {
                // The header is skipped.
                if let Some((_, board)) = held.readings.iter().find(|(of, _)| *of == columns) {
                    self.give_line(held.line, &held.text, self.in_order(columns, *board));
                }
            }
        } else if self.table.held.len() > ROWS_MAX {
            self.release_table();
        }
    }

    /// Returns a line of a table, which ends all rows before it.
    fn give_line(&mut self, line: u64, text: &str, board: Result<Board, BoardTextError>) {
        let is_good = board.is_ok();
        self.interrupt(Ending::of(&board));
        if words(text).into_iter().any(is_goal) {
            self.around.subject = Subject::Goal;
        }
        self.give(line, text, board);
        self.run.last_board_row = None;
        if is_good {
            self.run.has_boards = true;
            self.run.skipped = None;
            self.run.is_doubtful = false;
        }
    }

    /// Returns the columns that are a board, and not part of a larger one.
    fn readings(&self, words: &[&str]) -> Vec<(Columns, Board)> {
        let numbers: Vec<Option<usize>> = words.iter().map(|word| number(word)).collect();
        // The whole line is a board that may be too large.
        if is_each_once(&numbers) {
            return Vec::new();
        }
        let mut found: Vec<Range<usize>> = Vec::new();
        let counts = CELLS_MIN..=CELLS_MAX.min(words.len() - 1);
        for count in counts.rev().filter(|count| has_shape(*count)) {
            for (start, cells) in numbers.windows(count).enumerate() {
                let place = start..start + count;
                let is_within =
                    |other: &Range<usize>| other.start <= place.start && place.end <= other.end;
                if is_each_once(cells) && !found.iter().any(is_within) {
                    found.push(place);
                }
            }
        }
        let is_count = |count: usize| match self.shape() {
            Some(shape) => shape.cell_count() == count,
            None => count >= 9 && count.isqrt().pow(2) == count,
        };
        let reading = |place: &Range<usize>| {
            let columns = Columns::new(place.start + 1, place.end).ok()?;
            Some((columns, self.board_of(&words[place.clone()])?))
        };
        let found = found.iter().filter(|place| is_count(place.len()));
        found.filter_map(reading).collect()
    }

    /// Returns the board with these numbers on its cells.
    fn board_of(&self, cells: &[&str]) -> Option<Board> {
        let tile = |word: &&str| number(word).and_then(|number| u8::try_from(number).ok());
        let tiles: Vec<u8> = cells.iter().map(tile).collect::<Option<_>>()?;
        let side = tiles.len().isqrt();
        let shape = self.shape().or_else(|| Shape::new(side, side).ok())?;
        Board::new(shape, &tiles).ok()
    }

    /// Releases the held lines, which stay uncertain.
    pub(super) fn release_table(&mut self) {
        if self.table.held.is_empty() {
            return;
        }
        let now = self.line;
        if let [columns] = self.table.common[..]
            && self.table.is_certain(columns, true)
        {
            self.table.known = Some((columns, self.table.held[0].width));
        }
        self.table.common.clear();
        for held in std::mem::take(&mut self.table.held) {
            match held.readings[..] {
                [] => {
                    self.line = held.line;
                    self.push_text(&held.text);
                }
                [(columns, board)] if self.table.known.is_some() => {
                    self.give_line(held.line, &held.text, self.in_order(columns, board));
                }
                _ => self.give_held(&held),
            }
        }
        self.line = now;
    }

    /// Returns a line that may belong to a table, but not certainly.
    fn give_held(&mut self, held: &HeldLine) {
        let error = may_be_table(&held.readings);
        let error = error.expect("the columns of a line that is kept back are a board");
        self.give_line(held.line, &held.text, Err(error));
    }

    /// Forgets the table.
    pub(super) fn end_table(&mut self) {
        if self.columns.or(self.table.named).is_some() {
            self.end_header();
        }
        self.release_table();
        self.table = TableReader::default();
    }
}

/// Returns the error of a line whose columns are a board.
fn may_be_table(readings: &[(Columns, Board)]) -> Option<BoardTextError> {
    let mut readings =
        readings.iter().map(|(columns, board)| (columns.to_string(), Box::new(*board)));
    let first = readings.next()?;
    Some(TextErrorKind::MayBeTable { first, second: readings.next() }.into())
}

/// Returns whether a board may have that many cells.
fn has_shape(count: usize) -> bool {
    (2..8).any(|rows| count.is_multiple_of(rows) && count / rows > 1)
}

/// Returns whether cells hold each number of a board of that size once, with the blank as 0.
fn is_each_once(cells: &[Option<usize>]) -> bool {
    let mut seen = vec![false; cells.len()];
    for cell in cells {
        match cell {
            Some(number) if *number < cells.len() => seen[*number] = true,
            _ => return false,
        }
    }
    seen.iter().all(|seen| *seen)
}
