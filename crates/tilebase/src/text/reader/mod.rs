//! Many boards, line by line.
//!
//! A line can be a board or a row of a board, depending on the lines around it. These rules decide:
//!
//! 1. A blank line ends every board. Remarks and rulers are skipped.
//! 2. A line that is a board and cannot be a row of a larger one is returned at once. With a shape,
//!    this holds for any line that is a board. Without one, a line of four cells and a line without
//!    an explicit blank may be the first row of a larger board, so they wait. A longer line may be
//!    such a row too, but a user who types boards should not have to wait for it. If it turns out
//!    to be a row, there is an error that shows both readings.
//! 3. A line that is neither a board nor a row is an error at once. But without a shape, the rows
//!    before it may be incomplete, so it counts as one of them.
//! 4. Other lines are rows. With a shape they are a board as soon as there are enough. Without one,
//!    they wait for a blank line, the end or a line that is not a row. Then they are one board, or
//!    several of the same height, whichever has no error.
//! 5. If neither is without error, there is one error for all the rows, or each line is a board or
//!    an error of its own. The latter needs evidence of one of three kinds. More than half of the
//!    lines have each number of a board, which the rows of a larger one do not. Or all their
//!    numbers fit a board of the line's length. Or the lines around them are boards, and none of
//!    these alone is one.
//! 6. Rows after bad ones are skipped until a blank line or a line that is a board, because the
//!    start of the next board is unknown. After any other bad line, rows are a board only if their
//!    number is exactly the board's.
//!
//! Before that, lines that these rules would refuse are tried as rows of [a table](table).

mod arrays;
mod table;

use pdb_core::excerpt::excerpt;
use pdb_core::{Board, CELLS_MAX, Shape};

use crate::text::TEXT_BYTES_MAX;
use crate::text::array::is_array;
use crate::text::cells::{Fit, LineFeatures, read_board};
use crate::text::columns::Columns;
use crate::text::error::BoardTextError;
use crate::text::error_kind::TextErrorKind;
use crate::text::readings::is_ruler;
use arrays::OpenArray;
use table::Table;

/// Largest number of lines that are collected for one board.
pub const ROWS_MAX: usize = CELLS_MAX;

/// Longest row, in cells: a board has at least two rows.
const ROW_CELLS_MAX: usize = CELLS_MAX / 2;

/// Longest excerpt of a board's text, in characters.
const SHOWN_CHARS_MAX: usize = 80;

/// Board among lines, or lines that are not a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundBoard {
    /// The board's first line, counted from 1.
    pub first_line: u64,
    /// The board's last line, counted from 1.
    pub last_line: u64,
    /// The board, or the error.
    pub board: Result<Board, BoardTextError>,
    /// The text in one line, cut short and without control characters.
    pub text: String,
}

/// Reader of boards from lines, each in any notation.
///
/// The reader returns a board with the line that completes it, if that is certain then. It keeps at
/// most [`ROWS_MAX`] lines of a grid, or [`TEXT_BYTES_MAX`] bytes of an array and a line.
///
/// ```
/// use tilebase::text::BoardReader;
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
/// # Ok::<(), tilebase::pdb_core::BoardError>(())
/// ```
#[derive(Clone, Debug)]
pub struct BoardReader {
    shape: Option<Shape>,
    /// Number of lines so far.
    line: u64,
    /// Rows that may become a board.
    rows: Vec<Row>,
    /// The open array.
    array: Option<OpenArray>,
    /// State of the lines since the last blank one.
    run: RunState,
    /// The columns that hold the cells, if the caller names them.
    columns: Option<Columns>,
    /// The table that the lines may belong to.
    table: Table,
    found: Vec<FoundBoard>,
}

/// Line that may be a row.
#[derive(Clone, Debug)]
struct Row {
    line: u64,
    text: String,
    look: LineFeatures,
    /// The line as a board of its own.
    alone: Result<Board, BoardTextError>,
}

/// State of the lines since the last blank one.
#[derive(Clone, Debug, Default)]
struct RunState {
    /// Whether some line was a board.
    has_boards: bool,
    /// Whether two lines had each number of a board, so that such lines are not rows.
    has_whole_lines: bool,
    /// The last line, if it was returned as a board but may also be a row.
    last_board_row: Option<Row>,
    /// Whether something since the last board was wrong. It may have been the first row of a board,
    /// so the rows after it are certain only if they are exactly a board.
    is_doubtful: bool,
    /// The rows that are skipped after bad ones.
    skipped: Option<SkippedRows>,
}

/// Rows that are skipped.
#[derive(Clone, Debug, Default)]
struct SkippedRows {
    /// The first and the last line, if any.
    lines: Option<(u64, u64)>,
    /// The text of the first one.
    text: String,
}

impl SkippedRows {
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
    /// Creates a reader of boards of one shape, or of any.
    #[must_use]
    pub fn new(shape: Option<Shape>) -> Self {
        Self {
            shape,
            line: 0,
            rows: Vec::new(),
            array: None,
            run: RunState::default(),
            columns: None,
            table: Table::default(),
            found: Vec::new(),
        }
    }

    /// Creates a reader of a table: each line holds a board of that shape, or a square one, in
    /// these columns. A first line with names in them is skipped.
    ///
    /// # Errors
    /// Those of [`Columns::check`].
    pub fn of_table(columns: Columns, shape: Option<Shape>) -> Result<Self, BoardTextError> {
        columns.check(shape)?;
        Ok(Self { columns: Some(columns), ..Self::new(shape) })
    }

    /// Reads the next line, with or without its end, and returns the boards that are certain now.
    ///
    /// A line of more than [`TEXT_BYTES_MAX`] bytes is an error. The caller may pass just its first
    /// [`TEXT_BYTES_MAX`] + 1 bytes.
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
            // Replaces line ends, so that only arrays and grids have several lines.
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

    /// Returns the boards after the last line. The reader can then start another file.
    #[must_use]
    pub fn end(&mut self) -> Vec<FoundBoard> {
        self.end_table();
        self.pause();
        self.line = 0;
        std::mem::take(&mut self.found)
    }

    /// Ends every incomplete board, and forgets the lines before.
    fn pause(&mut self) {
        self.end_array();
        self.end_rows(false);
        self.end_skipped();
        self.run = RunState::default();
    }

    fn push_text(&mut self, line: &str) {
        if line.trim().is_empty() {
            self.pause();
            return;
        }
        // A board that is not part of an array ends an open array.
        if self.array.is_some()
            && !line.contains(is_of_array)
            && read_board(line, self.shape).is_ok()
        {
            self.end_array();
        }
        if self.array.is_some() || is_array(line) {
            self.interrupt(false);
            self.run.last_board_row = None;
            self.push_array(line);
        } else if !is_ruler(line) {
            self.push_row(line);
        }
    }

    fn push_row(&mut self, line: &str) {
        let look = LineFeatures::of(line);
        let alone = read_board(line, self.shape);
        let row = Row { line: self.line, text: line.to_owned(), look, alone };
        if self.is_board(&row) {
            let is_good = row.alone.is_ok();
            let may_be_row = self.shape.is_none() && is_good && !has_slash(line);
            self.interrupt(true);
            if is_good {
                self.run.has_boards = true;
                self.run.skipped = None;
                self.run.is_doubtful = false;
            }
            self.give(row.line, line, row.alone.clone());
            self.run.last_board_row = may_be_row.then_some(row);
            return;
        }
        if self.shape.is_some_and(|shape| self.rows.len() == shape.rows()) {
            // It is still unknown whether they are the rows of one board.
            let rows = std::mem::take(&mut self.rows);
            self.give_rows(&rows, Err(TextErrorKind::Unsure.into()));
            self.run.skipped = Some(SkippedRows::default());
        }
        if let Some(skipped) = &mut self.run.skipped {
            return skipped.push(row);
        }
        self.rows.push(row);
        let is_in_range = |row: &Row| row.look.fit >= Fit::InRange;
        if self.shape.is_none()
            && self.rows.iter().filter(|row| row.is_whole()).count() == 2
            && self.rows.iter().all(is_in_range)
        {
            // No two rows of one board have the same numbers, and rows of larger boards have larger
            // numbers.
            self.run.has_whole_lines = true;
            self.end_rows(true);
        } else if self.shape.is_some_and(|shape| self.rows.len() == shape.rows()) {
            if !self.run.is_doubtful {
                self.interrupt(false);
            }
        } else if self.rows.len() > ROWS_MAX {
            let rows = std::mem::take(&mut self.rows);
            let error = TextErrorKind::TooManyRows { rows_max: ROWS_MAX };
            self.give_rows(&rows, Err(error.into()));
            self.run.skipped = Some(SkippedRows::default());
        }
    }

    /// Returns whether a line is a board by itself, right or wrong, whatever comes next.
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
            // It may be a bad row of the rows before it.
            (Err(_), None) if look.fit == Fit::Noise => self.rows.is_empty(),
            (Err(_), Some(_)) if look.fit == Fit::Noise => true,
            // A bad row has about the length of a row, not of the board.
            (Err(_), Some(shape)) => 2 * look.cells >= shape.cols() + shape.cell_count(),
            (Err(_), None) => {
                look.cells > ROW_CELLS_MAX
                    || look.cells >= 9 && look.is_like_square()
                    || row.is_whole() && self.run.has_whole_lines
            }
        }
    }

    /// Ends the collected rows, and skips the next ones if these were wrong: they may belong
    /// together.
    fn interrupt(&mut self, are_boards: bool) {
        let was_lost = self.run.skipped.is_some();
        self.end_skipped();
        let count = self.found.len();
        self.end_rows(are_boards);
        if was_lost || self.found[count..].iter().any(|found| found.board.is_err()) {
            self.run.skipped = Some(SkippedRows::default());
        }
    }

    /// Ends the collected rows. `are_boards` means that the following line is a board.
    fn end_rows(&mut self, are_boards: bool) {
        let rows = std::mem::take(&mut self.rows);
        let given = if rows.is_empty() { None } else { self.run.last_board_row.take() };
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
        if let TextErrorKind::Ambiguous { .. } = error.kind() {
            return self.give_rows(&rows, Err(error));
        }
        if let Some(given) = given
            && let Ok(first) = &given.alone
        {
            let first = Box::new(*first);
            let rows = [std::slice::from_ref(&given), &rows].concat();
            if let Ok(second) = read(&rows) {
                let error = TextErrorKind::Ambiguous { first, second: Box::new(second) };
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
        // A row that is a board by itself is wrong as a row of a grid. No board has more than one
        // such row, and every board has other rows.
        let whole_count = rows.iter().filter(|row| row.is_whole()).count();
        let is_among_boards = are_boards || self.run.has_boards || self.run.has_whole_lines;
        let is_board_like =
            2 * whole_count > rows.len() || rows.iter().all(|row| row.look.is_like_square());
        let are_boards = self.shape.is_none() && is_board_like
            || is_among_boards && rows.iter().all(|row| row.alone.is_err());
        if are_boards || rows.len() == 1 {
            for row in rows {
                self.give(row.line, &row.text, row.alone);
            }
            return;
        }
        self.give_rows(&rows, Err(error));
    }

    fn end_skipped(&mut self) {
        if let Some(SkippedRows { lines: Some((first, last)), text }) = self.run.skipped.take() {
            self.give_lines((first, last), &text, Err(TextErrorKind::Unsure.into()));
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
        let text = excerpt(text.trim(), SHOWN_CHARS_MAX);
        self.found.push(FoundBoard { first_line, last_line, board, text });
    }
}

fn too_long() -> BoardTextError {
    TextErrorKind::TooLong { bytes_max: TEXT_BYTES_MAX }.into()
}

/// Returns whether arrays have this character on nearly every line.
fn is_of_array(c: char) -> bool {
    "[](){},\"'".contains(c)
}

/// Returns whether a line certainly has several rows.
fn has_slash(line: &str) -> bool {
    let is_empty = |row: &str| row.trim().is_empty();
    line.split(['/', ';']).filter(|row| !is_empty(row)).count() > 1
}

fn joined(rows: &[Row], separator: &str) -> String {
    let texts: Vec<&str> = rows.iter().map(|row| row.text.as_str()).collect();
    texts.join(separator)
}

/// Reads rows as several consecutive boards of one shape.
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
            return Some(Err(TextErrorKind::Ambiguous { first, second }.into()));
        }
        found = Some(boards);
    }
    found.map(Ok)
}
