//! Many boards, line by line.
//!
//! A line can be a board or a row of one, and only what stands around it tells. These rules decide:
//!
//! 1. A blank line ends every board. Remarks and rulers are passed over.
//! 2. A line that is a board and can be no row of a larger one is given out at once. With a shape
//!    that is any line that is a board. Without one, a line of four cells and a line whose blank is
//!    not written may be the first row of a larger board, so they wait. (So may a longer line, but
//!    whoever types boards shall not have to wait for that. If it turns out to be a row, there is an
//!    error that shows both readings.)
//! 3. A line that is no board and can be no row either is an error at once. But without a shape,
//!    nobody knows whether the rows before it are complete, so it counts as one of them.
//! 4. Other lines are rows. With a shape they are a board as soon as there are enough; without one,
//!    when a blank line, the end or a line that is no row comes. Then they are one board, or several
//!    of the same height, whichever has no error.
//! 5. If neither is without error, there is one error for all the rows, or each line is a board or an
//!    error of its own. The latter needs evidence: more than half of the lines have each number of a
//!    board, which the rows of a larger one do not; or all their numbers fit a board of the line's
//!    length; or the lines around them are boards, and none of these alone is one.
//! 6. Rows after bad ones are passed over until a blank line or a line that is a board, for nobody
//!    knows where among them the next board starts. After any other bad line, rows are a board only
//!    if there are just as many as it has.
//!
//! Before all that, [a table](table) is looked for among the lines that these rules would refuse.

mod arrays;
mod table;

use super::TEXT_BYTES_MAX;
use super::array::is_array;
use super::cells::{Fit, Look, read_board};
use super::columns::Columns;
use super::drawn::is_ruler;
use super::text_error::BoardTextError;
use crate::shown::shortened;
use crate::{Board, BoardError, CELLS_MAX, Shape};
use arrays::OpenArray;
use table::Table;

/// More lines are never gathered for one board.
pub const ROWS_MAX: usize = CELLS_MAX;

/// The longest row: a board has at least two of them.
const ROW_CELLS_MAX: usize = CELLS_MAX / 2;

/// So much of the text of a board is shown.
const SHOWN_CHARS_MAX: usize = 80;

/// A board among lines, or lines that are none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundBoard {
    /// The board's first line, counted from 1.
    pub first_line: u64,
    /// The board's last line, counted from 1.
    pub last_line: u64,
    /// The board, or why there is none.
    pub board: Result<Board, BoardTextError>,
    /// What was read, for showing: in one line, cut short and without control characters.
    pub text: String,
}

/// Reads boards from lines that are pushed into it, in whatever notation each is written.
///
/// A board is given out with the line that completes it, if that is certain then. What is kept
/// meanwhile is bounded: at most [`ROWS_MAX`] lines of a grid, or [`TEXT_BYTES_MAX`] bytes of an
/// array and a line.
///
/// ```
/// use pdb_core::notation::BoardReader;
///
/// let mut reader = BoardReader::new(None);
/// let mut boards = Vec::new();
/// for line in "# two boards\n1 2/3 0\n\n1 2 3\n4 5 6\n7 8 0".lines() {
///     boards.extend(reader.push(line));
/// }
/// boards.extend(reader.end());
/// assert_eq!(boards.len(), 2);
/// assert_eq!((boards[1].first_line, boards[1].last_line), (4, 6));
/// assert_eq!(boards[1].board, Ok("1 2 3/4 5 6/7 8 0".parse()?));
/// # Ok::<(), pdb_core::BoardError>(())
/// ```
#[derive(Clone, Debug)]
pub struct BoardReader {
    shape: Option<Shape>,
    /// Lines pushed so far.
    line: u64,
    /// Rows that may become a board.
    rows: Vec<Row>,
    /// The array that is open.
    array: Option<OpenArray>,
    /// What the lines since the last blank one were.
    run: Run,
    /// The columns that hold the cells, if somebody has named them.
    columns: Option<Columns>,
    /// The table that the lines may belong to.
    table: Table,
    found: Vec<FoundBoard>,
}

/// A line that may be a row.
#[derive(Clone, Debug)]
struct Row {
    line: u64,
    text: String,
    look: Look,
    /// What the line is without the others.
    alone: Result<Board, BoardTextError>,
}

/// What is known of the lines since the last blank one.
#[derive(Clone, Debug, Default)]
struct Run {
    /// Some line was a board.
    has_boards: bool,
    /// Two lines had each number of a board, so such lines are no rows.
    has_whole_lines: bool,
    /// The last line, if it was given out as a board and yet may have been a row.
    given: Option<Row>,
    /// Something since the last board was bad. It may have been the first row of one, so the rows
    /// after it are certain only if there are as many as a board has.
    is_doubtful: bool,
    /// The rows that are passed over, since others before them were bad.
    passed: Option<Passed>,
}

/// Rows that were passed over.
#[derive(Clone, Debug, Default)]
struct Passed {
    /// The lines of the first and the last; none so far.
    lines: Option<(u64, u64)>,
    /// The first of them.
    text: String,
}

impl Passed {
    fn push(&mut self, row: Row) {
        if let Some((_, last)) = &mut self.lines {
            *last = row.line;
        } else {
            self.lines = Some((row.line, row.line));
            self.text = row.text;
        }
    }
}

impl Row {
    fn is_whole(&self) -> bool {
        self.look.fit == Fit::Whole
    }
}

impl BoardReader {
    /// A reader of boards of one shape, or of any.
    #[must_use]
    pub fn new(shape: Option<Shape>) -> Self {
        Self {
            shape,
            line: 0,
            rows: Vec::new(),
            array: None,
            run: Run::default(),
            columns: None,
            table: Table::default(),
            found: Vec::new(),
        }
    }

    /// A reader of a table: each line holds a board of that shape, or a square one, in these columns.
    /// A first line that has names in them is passed over.
    ///
    /// # Errors
    /// As [`Columns::check`].
    pub fn of_table(columns: Columns, shape: Option<Shape>) -> Result<Self, BoardError> {
        columns.check(shape)?;
        Ok(Self { columns: Some(columns), ..Self::new(shape) })
    }

    /// Reads the next line, with its end or without, and gives the boards that are certain now.
    ///
    /// A line of more than [`TEXT_BYTES_MAX`] bytes is an error, of which the caller may as well
    /// give the beginning alone: one byte more than that.
    #[must_use]
    pub fn push(&mut self, line: &str) -> Vec<FoundBoard> {
        self.line += 1;
        let line = line.strip_suffix('\n').unwrap_or(line);
        let line = line.strip_suffix('\r').unwrap_or(line);
        let line = if self.line == 1 { line.trim_start_matches('\u{feff}') } else { line };
        if line.len() > TEXT_BYTES_MAX {
            self.release_table();
            self.end_array();
            self.interrupt(true);
            self.give(self.line, line, Err(too_long()));
        } else {
            // One piece a line, so that a text of several lines can only be an array's or a grid's.
            let line = line.replace('\n', " ");
            let (line, is_remark) = match line.split_once('#') {
                Some((line, _)) => (line, line.trim().is_empty()),
                None => (line.as_str(), false),
            };
            if let (Some(columns), false) = (self.columns, is_remark) {
                self.push_columns(line, columns);
            } else if !is_remark {
                if !self.push_table(line) {
                    self.push_text(line);
                }
            } else if let Some(array) = &mut self.array {
                array.skip_line();
            }
        }
        std::mem::take(&mut self.found)
    }

    /// Gives what is left after the last line. The reader can then begin another file.
    #[must_use]
    pub fn end(&mut self) -> Vec<FoundBoard> {
        self.end_table();
        self.pause();
        self.line = 0;
        std::mem::take(&mut self.found)
    }

    /// Ends every board that is not complete, and forgets what the lines before were.
    fn pause(&mut self) {
        self.end_array();
        self.end_rows(false);
        self.end_passed();
        self.run = Run::default();
    }

    fn push_text(&mut self, line: &str) {
        if line.trim().is_empty() {
            self.pause();
            return;
        }
        // An array that never ends shall not swallow a board that is no part of one.
        if self.array.is_some()
            && !line.contains(is_of_array)
            && read_board(line, self.shape).is_ok()
        {
            self.end_array();
        }
        if self.array.is_some() || is_array(line) {
            self.interrupt(false);
            self.run.given = None;
            self.push_array(line);
        } else if !is_ruler(line) {
            self.push_row(line);
        }
    }

    fn push_row(&mut self, line: &str) {
        let look = Look::of(line);
        let alone = read_board(line, self.shape);
        let row = Row { line: self.line, text: line.to_owned(), look, alone };
        if self.is_board(&row) {
            let is_good = row.alone.is_ok();
            let may_be_row = self.shape.is_none() && is_good && !has_slash(line);
            self.interrupt(true);
            if is_good {
                self.run.has_boards = true;
                self.run.passed = None;
                self.run.is_doubtful = false;
            }
            self.give(row.line, line, row.alone.clone());
            self.run.given = may_be_row.then_some(row);
            return;
        }
        if self.shape.is_some_and(|shape| self.rows.len() == shape.rows()) {
            // It was in doubt whether they are the rows of one board, and now it still is.
            let rows = std::mem::take(&mut self.rows);
            self.give_rows(&rows, Err(BoardError::Unsure.into()));
            self.run.passed = Some(Passed::default());
        }
        if let Some(passed) = &mut self.run.passed {
            return passed.push(row);
        }
        self.rows.push(row);
        let is_in_range = |row: &Row| row.look.fit >= Fit::InRange;
        if self.shape.is_none()
            && self.rows.iter().filter(|row| row.is_whole()).count() == 2
            && self.rows.iter().all(is_in_range)
        {
            // No two rows of one board have the same numbers, and in the rows of several there are
            // larger ones.
            self.run.has_whole_lines = true;
            self.end_rows(true);
        } else if self.shape.is_some_and(|shape| self.rows.len() == shape.rows()) {
            if !self.run.is_doubtful {
                self.interrupt(false);
            }
        } else if self.rows.len() > ROWS_MAX {
            let rows = std::mem::take(&mut self.rows);
            let error = BoardError::TooManyRows { rows_max: ROWS_MAX };
            self.give_rows(&rows, Err(error.into()));
            self.run.passed = Some(Passed::default());
        }
    }

    /// Whether a line is a board by itself, be it a good or a bad one, whatever comes next.
    fn is_board(&self, row: &Row) -> bool {
        let look = row.look;
        match (&row.alone, self.shape) {
            (Ok(_), Some(_)) => true,
            (Ok(_), None) => {
                has_slash(&row.text)
                    || look.has_blank && look.cells != 4
                    || self.run.has_whole_lines
            }
            (Err(_), _) if has_slash(&row.text) => true,
            // It may be a bad row, and then those before it are no board.
            (Err(_), None) if look.fit == Fit::Noise => self.rows.is_empty(),
            (Err(_), Some(_)) if look.fit == Fit::Noise => true,
            // A bad row is as long as the rows rather than as the board.
            (Err(_), Some(shape)) => 2 * look.cells >= shape.cols() + shape.cell_count(),
            (Err(_), None) => {
                look.cells > ROW_CELLS_MAX
                    || look.cells >= 9 && look.is_like_square()
                    || row.is_whole() && self.run.has_whole_lines
            }
        }
    }

    /// Ends the rows that were gathered, and passes over the next ones if these were bad: they may
    /// belong to them.
    fn interrupt(&mut self, are_boards: bool) {
        let was_lost = self.run.passed.is_some();
        self.end_passed();
        let count = self.found.len();
        self.end_rows(are_boards);
        if was_lost || self.found[count..].iter().any(|found| found.board.is_err()) {
            self.run.passed = Some(Passed::default());
        }
    }

    /// Ends the rows that were gathered. `are_boards` says that a line by itself follows.
    fn end_rows(&mut self, are_boards: bool) {
        let rows = std::mem::take(&mut self.rows);
        let given = if rows.is_empty() { None } else { self.run.given.take() };
        let read = |rows: &[Row]| read_board(&joined(rows, "\n"), self.shape);
        let whole = match rows.as_slice() {
            [] => return,
            [row] => row.alone.clone(),
            _ => read(&rows),
        };
        let error = match whole {
            Ok(board) => return self.give_rows(&rows, Ok(board)),
            Err(error) => error,
        };
        if let BoardError::Ambiguous { .. } = error.error() {
            return self.give_rows(&rows, Err(error));
        }
        if let Some(given) = given
            && let Ok(first) = &given.alone
        {
            let first = Box::new(*first);
            let rows = [std::slice::from_ref(&given), &rows].concat();
            if let Ok(second) = read(&rows) {
                let error = BoardError::Ambiguous { first, second: Box::new(second) };
                return self.give_rows(&rows, Err(error.into()));
            }
        }
        if self.shape.is_none()
            && let Some(boards) = stacked(&rows)
        {
            match boards {
                Ok(boards) => {
                    let height = rows.len() / boards.len();
                    for (rows, board) in rows.chunks(height).zip(boards) {
                        self.give_rows(rows, Ok(board));
                    }
                }
                Err(error) => self.give_rows(&rows, Err(error)),
            }
            return;
        }
        // A row that alone is a board is a wrong one if it belongs to a grid. No board has more than
        // one such row, and has others too.
        let whole_count = rows.iter().filter(|row| row.is_whole()).count();
        let is_said = are_boards || self.run.has_boards || self.run.has_whole_lines;
        let is_seen =
            2 * whole_count > rows.len() || rows.iter().all(|row| row.look.is_like_square());
        let are_boards =
            self.shape.is_none() && is_seen || is_said && rows.iter().all(|row| row.alone.is_err());
        if are_boards || rows.len() == 1 {
            for row in rows {
                self.give(row.line, &row.text, row.alone);
            }
            return;
        }
        self.give_rows(&rows, Err(error));
    }

    fn end_passed(&mut self) {
        if let Some(Passed { lines: Some((first, last)), text }) = self.run.passed.take() {
            self.give_lines((first, last), &text, Err(BoardError::Unsure.into()));
        }
    }

    fn give_rows(&mut self, rows: &[Row], board: Result<Board, BoardTextError>) {
        if let [first, .., last] = rows {
            self.give_lines((first.line, last.line), &joined(rows, "/"), board);
        } else if let [row] = rows {
            self.give(row.line, &row.text, board);
        }
    }

    fn give(&mut self, line: u64, text: &str, board: Result<Board, BoardTextError>) {
        self.give_lines((line, line), text, board);
    }

    fn give_lines(
        &mut self,
        (first_line, last_line): (u64, u64),
        text: &str,
        board: Result<Board, BoardTextError>,
    ) {
        self.run.is_doubtful |= board.is_err();
        let text = shortened(text.trim(), SHOWN_CHARS_MAX);
        self.found.push(FoundBoard { first_line, last_line, board, text });
    }
}

fn too_long() -> BoardTextError {
    BoardError::TooLong { bytes_max: TEXT_BYTES_MAX }.into()
}

/// Whether a character is one that an array has on nearly each of its lines.
fn is_of_array(c: char) -> bool {
    "[](){},\"'".contains(c)
}

/// Whether a line has rows that nothing but rows can be.
fn has_slash(line: &str) -> bool {
    let is_empty = |row: &str| row.trim().is_empty();
    line.split(['/', ';']).filter(|row| !is_empty(row)).count() > 1
}

fn joined(rows: &[Row], separator: &str) -> String {
    let texts: Vec<&str> = rows.iter().map(|row| row.text.as_str()).collect();
    texts.join(separator)
}

/// Reads rows as several boards of one shape, one after the other without anything between.
fn stacked(rows: &[Row]) -> Option<Result<Vec<Board>, BoardTextError>> {
    let mut found: Option<Vec<Board>> = None;
    let heights = (1..=rows.len() / 2).filter(|height| rows.len().is_multiple_of(*height));
    for height in heights {
        let boards = rows.chunks(height).map(|rows| read_board(&joined(rows, "\n"), None).ok());
        let Some(boards) = boards.collect::<Option<Vec<Board>>>() else {
            continue;
        };
        if boards.iter().any(|board| board.shape() != boards[0].shape()) {
            continue;
        }
        if let Some(others) = &found {
            let (first, second) = (Box::new(others[0]), Box::new(boards[0]));
            return Some(Err(BoardError::Ambiguous { first, second }.into()));
        }
        found = Some(boards);
    }
    found.map(Ok)
}
