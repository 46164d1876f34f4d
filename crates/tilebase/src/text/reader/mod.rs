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
//! 4. Other lines are rows. With the caller's shape they are a board as soon as there are enough.
//!    Otherwise they wait for their [end](Ending), and are a board only if that is good: a blank
//!    line, a label or a size, a line that begins another board by itself, or the end of the file.
//!    If something wrong follows, they may be the first rows of a larger board. Rows that end well
//!    are one board, or several of the same height, whichever has no error.
//! 5. If neither is without error, there is one error for all the rows, or each line is a board or
//!    an error of its own. The latter needs evidence of one of three kinds. More than half of the
//!    lines have each number of a board, which the rows of a larger one do not. Or all their
//!    numbers fit a board of the line's length. Or the lines around them are boards, and none of
//!    these alone is one.
//! 6. Rows after bad ones are skipped until a blank line or a line that is a board, because the
//!    start of the next board is unknown. So are rows about as wide as one of several rows of a bad
//!    line. After any other bad line, rows are a board only if their number is exactly the board's.
//!
//! Before that, [frames](crate::text::frame) are removed, lines [above boards](header) give their
//! size or their number, [titles](titles) end them, and lines that these rules would refuse are
//! tried as rows of [a table](table).

mod arrays;
mod header;
mod table;
mod titles;

use pdb_core::excerpt::excerpt;
use pdb_core::{Board, CELLS_MAX, Shape};

use crate::text::TEXT_BYTES_MAX;
use crate::text::array::is_array;
use crate::text::cells::{Fit, LineFeatures, place, read_one};
use crate::text::columns::{Columns, words};
use crate::text::error::BoardTextError;
use crate::text::error_kind::TextErrorKind;
use crate::text::format::BoardFormat;
use crate::text::frame::{self, Label, Subject, is_model, narrow};
use crate::text::readings::is_ruler;
use arrays::{OpenArray, is_between};
use header::{HeaderReader, is_size};
use table::TableReader;
use titles::HeldTitle;

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
    format: BoardFormat,
    /// Number of lines so far.
    line: u64,
    /// Rows that may become a board.
    rows: Vec<RowCandidate>,
    /// The open array.
    array: Option<OpenArray>,
    /// State of the lines since the last blank one.
    run: RunState,
    /// The columns that hold the cells, if the caller names them.
    columns: Option<Columns>,
    /// The lines above boards.
    header: HeaderReader,
    /// Frames, models and goals around boards so far.
    around: Surroundings,
    /// The table that the lines may belong to.
    table: TableReader,
    /// The title of the next board.
    title: Option<HeldTitle>,
    found: Vec<FoundBoard>,
}

/// Frames, models and goals around boards.
#[derive(Clone, Debug, Default)]
struct Surroundings {
    /// Whether something was removed there.
    is_framed: bool,
    /// Kind of text that the next board is called.
    subject: Subject,
    /// Whether a line since the last blank one was a title.
    has_titles: bool,
    /// The labelled rows above the line.
    labels: RowLabels,
    /// Whether the file is a model of a planner, whose other lines are skipped.
    is_model: bool,
}

/// Labels of the rows above a line.
#[derive(Clone, Copy, Debug, Default)]
struct RowLabels {
    /// The number in the last one.
    number: Option<usize>,
    /// Whether a blank line below them waits for the next line, which may go on from them.
    has_gap: bool,
    /// Whether the next row goes on from them below a blank line.
    is_below_gap: bool,
}

/// Line that may be a row.
#[derive(Clone, Debug)]
struct RowCandidate {
    line: u64,
    text: String,
    /// Whether a line of dashes is directly above it.
    is_ruled: bool,
    /// Whether its label goes on from the rows above a blank line.
    is_below_gap: bool,
    look: LineFeatures,
    /// The line as a board of its own.
    alone: Result<Board, BoardTextError>,
}

/// State of the lines since the last blank one.
#[derive(Clone, Debug, Default)]
struct RunState {
    /// Whether some line was a board.
    has_boards: bool,
    /// The first line.
    first_line: Option<u64>,
    /// Number of boards that were returned.
    board_count: usize,
    /// The last line of dashes.
    last_dashes: Option<u64>,
    /// Whether two lines had each number of a board, so that such lines are not rows.
    has_whole_lines: bool,
    /// The last line, if it was returned as a board but may also be a row.
    last_board_row: Option<RowCandidate>,
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
    /// If they follow a line of several rows: the numbers of cells of its rows. The first one has
    /// one of them.
    widths: Option<Vec<usize>>,
}

/// What ends the collected rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ending {
    /// A blank line, a line above boards, or the end.
    Free,
    /// A board.
    Board,
    /// An error, so the rows may be part of a larger board.
    Wrong,
}

impl Ending {
    /// Returns the ending of rows above a board or an error.
    fn of(board: &Result<Board, BoardTextError>) -> Self {
        if board.is_ok() { Self::Board } else { Self::Wrong }
    }
}

impl SkippedRows {
    fn push(&mut self, row: RowCandidate) {
        if let Some((_, last)) = &mut self.lines {
            *last = row.line;
        } else {
            self.lines = Some((row.line, row.line));
            self.text = row.text;
        }
    }
}

impl RowCandidate {
    fn is_whole(&self) -> bool {
        self.look.fit == Fit::Whole
    }
}

impl BoardReader {
    /// Creates a reader of boards of one format, which may be a shape alone, or of any.
    #[must_use]
    pub fn new(format: impl Into<BoardFormat>) -> Self {
        Self {
            format: format.into(),
            line: 0,
            rows: Vec::new(),
            array: None,
            run: RunState::default(),
            columns: None,
            header: HeaderReader::default(),
            around: Surroundings::default(),
            table: TableReader::default(),
            title: None,
            found: Vec::new(),
        }
    }

    /// Creates a reader of a table: each line holds a board of that shape, or a square one, in
    /// these columns. A first line with names in them is skipped.
    ///
    /// # Errors
    /// Those of [`Columns::check`].
    pub fn of_table(
        columns: Columns,
        format: impl Into<BoardFormat>,
    ) -> Result<Self, BoardTextError> {
        let format = format.into();
        columns.check(format.shape)?;
        Ok(Self { columns: Some(columns), ..Self::new(format) })
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
        if self.around.is_model {
            return Vec::new();
        }
        if line.len() > TEXT_BYTES_MAX {
            self.refuse(line);
        } else {
            // Replaces line ends, so that only arrays and grids have several lines.
            let line = narrow(line).replace('\n', " ");
            let is_of_rows = self.array.is_none() && self.columns.or(self.table.named).is_none();
            let line = if is_of_rows { frame::without_signs(&line) } else { &line };
            let (line, is_remark) = self.without_remark(line);
            let reshaped = frame::reshaped(line);
            let line = frame::without_stop(reshaped.as_deref().unwrap_or(line));
            // Spreadsheets write a blank line as a row of empty cells.
            let is_empty = self.array.is_none() && line.chars().all(is_between);
            let line = if is_empty { "" } else { line };
            if is_remark {
                if let Some(array) = &mut self.array {
                    array.skip_line();
                }
            } else if let Some(columns) = self.columns.or_else(|| self.named_column(line)) {
                self.push_columns(line, columns);
            } else {
                self.push_framed(line);
            }
        }
        std::mem::take(&mut self.found)
    }

    /// Counts a line that the caller refuses, so that rows above it are incomplete, and returns the
    /// boards that are certain now.
    pub(crate) fn push_refused(&mut self) -> Vec<FoundBoard> {
        self.line += 1;
        if self.around.is_model {
            return Vec::new();
        }
        self.refuse("");
        // The caller has its own error.
        self.found.pop();
        std::mem::take(&mut self.found)
    }

    /// Gives the error of a line that is no row of a board.
    fn refuse(&mut self, line: &str) {
        self.end_header_lines();
        self.release_table();
        self.end_array();
        self.interrupt(Ending::Wrong);
        self.give(self.line, line, Err(too_long()));
    }

    /// Returns the boards after the last line. The reader can then start another file.
    #[must_use]
    pub fn end(&mut self) -> Vec<FoundBoard> {
        self.end_header_lines();
        self.end_table();
        self.pause();
        self.end_title(Ending::Free);
        self.end_announced();
        self.line = 0;
        self.around = Surroundings::default();
        std::mem::take(&mut self.found)
    }

    /// Reads a whole text without tables. Returns its boards, and whether something was around
    /// them.
    pub(super) fn read(mut self, text: &str) -> (Vec<FoundBoard>, bool) {
        self.table.is_off = true;
        let mut boards: Vec<_> = text.split('\n').flat_map(|line| self.push(line)).collect();
        self.end_header_lines();
        let is_framed = self.around.is_framed;
        boards.extend(self.end());
        (boards, is_framed)
    }

    /// Ends every incomplete board, and forgets the lines before.
    fn pause(&mut self) {
        self.end_array();
        self.end_rows(Ending::Free);
        self.pause_title();
        self.end_skipped();
        self.run = RunState::default();
        self.around.has_titles = false;
        self.around.labels = RowLabels::default();
    }

    /// Returns a line without its remark, and whether it is nothing but a remark.
    ///
    /// Signs of remarks that are a part of a board, or may be a cell of it, are no remark.
    fn without_remark<'a>(&self, line: &'a str) -> (&'a str, bool) {
        let Some(at) = frame::remark(line) else { return (line, false) };
        let (before, rest) = line.split_at(at);
        let is_remark = match rest.strip_prefix('#') {
            Some(after) => !self.is_cell(before, after),
            None => before.trim().is_empty() || read_one(line, self.format()).is_err(),
        };
        if is_remark { (before, before.trim().is_empty()) } else { (line, false) }
    }

    /// Returns whether a `#` between these texts looks like the blank: only cells follow, and the
    /// line would be a board, or a row below others.
    fn is_cell(&self, before: &str, after: &str) -> bool {
        let is_of_cells = |c: char| c.is_ascii_digit() || c.is_whitespace() || ",;/|".contains(c);
        if !after.chars().all(is_of_cells) || !after.contains(|c: char| c.is_ascii_digit()) {
            return false;
        }
        let line = format!("{before}0{after}");
        let has_rows = !before.trim().is_empty() || has_slash(&line);
        let cells = LineFeatures::of(&line, self.format.blank).cells;
        has_rows && read_one(&line, self.format()).is_ok()
            || self.rows.last().is_some_and(|row| row.look.cells == cells)
    }

    /// Reads a line without its label and the code around it.
    fn push_framed(&mut self, line: &str) {
        if self.array.is_some() {
            return self.push_line(line);
        }
        if self.push_names(line) {
            return;
        }
        if line.trim().is_empty() && self.around.labels.number.is_some() && !self.rows.is_empty() {
            self.around.labels.has_gap = true;
            return;
        }
        let has_gap = std::mem::take(&mut self.around.labels.has_gap);
        let label = frame::label(line).filter(|(label, rest)| self.is_label(*label, rest));
        let (label, rest) = label.map_or((None, line), |(label, rest)| (Some(label), rest));
        let value = frame::hexadecimal(rest).unwrap_or_else(|| frame::value(rest));
        let code = &rest[..place(rest, value).start];
        self.around.is_framed |= value.len() < line.len();
        if has_gap {
            let goes_on = |name: &str| frame::is_row(name) && frame::row_number(name) > Some(1);
            self.around.labels.is_below_gap =
                matches!(label, Some(Label::Name(name)) if goes_on(name));
            if !self.around.labels.is_below_gap {
                self.push_body("");
            }
        }
        if let Some(Label::Name(name)) = label {
            let has_size = is_size(name) && !rest.trim().is_empty();
            if has_size {
                self.push_body(name);
            } else if is_size(name) {
                return self.push_body(name);
            } else if !frame::is_row(name) {
                self.push_body("");
                let is_code = code.contains('=');
                let subject = if is_code { Subject::of_code(name) } else { Subject::of(name) };
                self.around.subject = subject;
                if subject.is_moves() && is_count(rest) {
                    self.around.subject = Subject::MovesUnlessRows;
                    return;
                }
            } else if !self.push_row_number(frame::row_number(name)) {
                return self.give_bad_row(line);
            }
            if rest.trim().is_empty() {
                return;
            }
        }
        let subject = Subject::of_code(code);
        if subject != Subject::Board {
            self.push_body("");
            self.around.subject = subject;
        }
        self.push_body(value);
    }

    /// Returns whether the label of a row goes on from the one above, or begins a board.
    fn push_row_number(&mut self, number: Option<usize>) -> bool {
        let above = std::mem::replace(&mut self.around.labels.number, number);
        match (above, number) {
            (Some(above), Some(number)) if number == above + 1 => true,
            (_, Some(0 | 1)) => {
                self.push_body("");
                self.around.labels.number = number;
                true
            }
            (above, number) => above.or(number).is_none(),
        }
    }

    /// Returns the error of a row out of order and the rows above it. The rows after it are
    /// skipped.
    fn give_bad_row(&mut self, line: &str) {
        self.end_header_lines();
        self.release_table();
        let rows = std::mem::take(&mut self.rows);
        self.interrupt(Ending::Wrong);
        let first_line = rows.first().map_or(self.line, |row| row.line);
        let text = rows.iter().map(|row| row.text.as_str()).chain([line]);
        let text = text.collect::<Vec<_>>().join("/");
        self.give_lines((first_line, self.line), &text, Err(TextErrorKind::RowOrder.into()));
        self.run.skipped = Some(SkippedRows::default());
    }

    /// Returns whether the start of a line is a label, not a part of the board.
    fn is_label(&self, label: Label<'_>, rest: &str) -> bool {
        match label {
            // A board may have its length beside it.
            Label::Name(name) => {
                is_size(name)
                    || name.contains(char::is_alphabetic) && self.of_column(name).is_none()
            }
            Label::Number => is_array(rest) || read_one(rest, self.format()).is_ok(),
            // It may be the blank of a row.
            Label::Bullet => {
                let has_blank = || LineFeatures::of(rest, self.format.blank).has_blank;
                is_array(rest) || has_blank() && read_one(rest, self.format()).is_ok()
            }
        }
    }

    /// Reads a line without a frame.
    fn push_body(&mut self, line: &str) {
        if !self.push_header(line) {
            self.push_line(line);
        }
    }

    fn push_line(&mut self, line: &str) {
        if !line.trim().is_empty() {
            self.header.has_lines = true;
            self.run.first_line.get_or_insert(self.line);
        }
        // Tables are recognised by their blank, 0.
        let may_be_table = !self.table.is_off && self.format.blank.is_none();
        if !may_be_table || !self.push_table(line) {
            self.push_text(line);
        }
    }

    /// Returns the shape that the caller or a line above the boards gives.
    fn shape(&self) -> Option<Shape> {
        self.format.shape.or(self.header.stated)
    }

    /// Returns the format with this shape.
    fn format(&self) -> BoardFormat {
        BoardFormat { shape: self.shape(), ..self.format }
    }

    fn push_text(&mut self, line: &str) {
        if is_model(line) {
            self.interrupt(Ending::Wrong);
            self.around.is_model = true;
            return self.give(self.line, line, Err(TextErrorKind::Model.into()));
        }
        if line.trim().is_empty() {
            self.pause();
            return;
        }
        // A board that is not part of an array ends an open array.
        if self.array.is_some()
            && !line.contains(is_of_array)
            && read_one(line, self.format()).is_ok()
        {
            self.end_array();
        }
        let line = if self.array.is_some() { line } else { frame::row(line).unwrap_or(line) };
        if self.array.is_some() || is_array(line) {
            self.push_array(line);
            self.run.last_board_row = None;
        } else if !is_ruler(line) {
            self.push_row(line);
        } else if line.trim().chars().all(|c| "-=_".contains(c)) {
            self.run.last_dashes = Some(self.line);
        }
    }

    fn push_row(&mut self, line: &str) {
        let look = LineFeatures::of(line, self.format.blank);
        let alone = read_one(line, self.format());
        let is_ruled = self.run.last_dashes == Some(self.line - 1);
        let is_below_gap = std::mem::take(&mut self.around.labels.is_below_gap);
        let (line_number, text) = (self.line, line.to_owned());
        let row = RowCandidate { line: line_number, text, is_ruled, is_below_gap, look, alone };
        if self.push_title(&row) {
            return;
        }
        self.release_title(&row);
        if self.is_board(&row) {
            let is_good = row.alone.is_ok();
            let may_be_row = self.shape().is_none() && is_good && !has_slash(line);
            self.interrupt(Ending::of(&row.alone));
            if is_good {
                self.run.has_boards = true;
                self.run.skipped = None;
                self.run.is_doubtful = false;
            }
            self.give_rows(std::slice::from_ref(&row), row.alone.clone());
            if !is_good && self.shape().is_none() && has_slash(&row.text) {
                // The rows below it may be those of the same board.
                let parts = row.text.split(['/', ';']);
                // A wrong cell may make characters of the words.
                let widths = parts.flat_map(|part| {
                    [LineFeatures::of(part, self.format.blank).cells, words(part).len()]
                });
                let widths = Some(widths.collect());
                self.run.skipped = Some(SkippedRows { widths, ..SkippedRows::default() });
            }
            self.run.last_board_row = may_be_row.then_some(row);
            return;
        }
        if self.has_all_rows() && !self.run.is_doubtful {
            if !self.may_be_next_row(&row) {
                self.rows.push(row);
                return self.interrupt(Ending::Free);
            }
        } else if self.has_all_rows() {
            // It is still unknown whether they are the rows of one board.
            let rows = std::mem::take(&mut self.rows);
            self.give_rows(&rows, Err(TextErrorKind::Unsure.into()));
            self.run.skipped = Some(SkippedRows::default());
        }
        if let Some(skipped) = &mut self.run.skipped {
            let is_first = skipped.lines.is_none();
            // The row may have a cell too many or too few.
            let is_as_wide = |width: &usize| width.abs_diff(row.look.cells) < 2;
            if !is_first
                || skipped.widths.as_ref().is_none_or(|widths| widths.iter().any(is_as_wide))
            {
                return skipped.push(row);
            }
            self.run.skipped = None;
        }
        self.rows.push(row);
        let is_in_range = |row: &RowCandidate| row.look.fit >= Fit::InRange;
        let needed = self.rows_needed().unwrap_or(0);
        if self.shape().is_none()
            && whole_count(&self.rows) == 2
            && self.rows.iter().all(is_in_range)
        {
            // No two rows of one board have the same numbers, and rows of larger boards have larger
            // numbers.
            self.run.has_whole_lines = true;
            self.end_rows(Ending::Board);
        } else if self.has_all_rows() {
            // A size in the text may be smaller than a board, so the rows of the next one decide.
            let is_certain = self.format.shape.is_some() || self.read_rows(&self.rows).is_err();
            if !self.run.is_doubtful && is_certain {
                self.interrupt(Ending::Free);
            }
        } else if self.rows.len() == 2 * needed {
            let next = self.rows.split_off(needed);
            self.interrupt(Ending::Board);
            match &mut self.run.skipped {
                Some(skipped) => next.into_iter().for_each(|row| skipped.push(row)),
                None => self.rows = next,
            }
        } else if self.rows.len() > ROWS_MAX.max(2 * needed) {
            let rows = std::mem::take(&mut self.rows);
            let error = TextErrorKind::TooManyRows { rows_max: ROWS_MAX };
            self.give_rows(&rows, Err(error.into()));
            self.run.skipped = Some(SkippedRows::default());
        }
    }

    /// Returns the number of rows of the expected shape. A column of cells has a row for each of
    /// them.
    fn rows_needed(&self) -> Option<usize> {
        let is_column = self.rows.iter().all(|row| row.look.cells == 1);
        self.shape().map(|shape| if is_column { shape.cell_count() } else { shape.rows() })
    }

    /// Returns whether the rows are as many as those of the expected shape.
    fn has_all_rows(&self) -> bool {
        self.rows_needed() == Some(self.rows.len())
    }

    /// Reads rows as one board.
    fn read_rows(&self, rows: &[RowCandidate]) -> Result<Board, BoardTextError> {
        read_one(&joined(rows, "\n"), self.format())
    }

    /// Returns whether a row may be the first one of a board of the expected shape.
    fn may_be_next_row(&self, row: &RowCandidate) -> bool {
        // The number of cells may stand for the blank, but not in the column of a larger board.
        let is_column = usize::from(row.look.cells == 1);
        self.shape().is_some_and(|shape| {
            row.look.fit > Fit::Noise && row.look.greatest + is_column <= shape.cell_count()
        })
    }

    /// Returns whether a line is a board by itself, right or wrong, whatever comes next.
    fn is_board(&self, row: &RowCandidate) -> bool {
        let look = row.look;
        if row.alone.is_err() && self.may_be_boards() {
            // It may be a bad row of the rows before it.
            return false;
        }
        match (&row.alone, self.shape()) {
            (Ok(_), Some(_)) => true,
            (Ok(_), None) => {
                has_slash(&row.text)
                    || look.has_blank && look.cells != 4
                    || self.run.has_whole_lines
            }
            (Err(_), _) if has_slash(&row.text) => true,
            (Err(_), _) if look.fit == Fit::Noise => true,
            // A bad row has about the length of a row, not of the board.
            (Err(_), Some(shape)) => 2 * look.cells >= shape.cols() + shape.cell_count(),
            (Err(_), None) => {
                look.cells > ROW_CELLS_MAX
                    || look.cells >= 9 && look.is_like_square()
                    || row.is_whole() && self.run.has_whole_lines
            }
        }
    }

    /// Returns whether the collected rows are a board if they end well.
    fn may_be_boards(&self) -> bool {
        !self.rows.is_empty() && self.shape().is_none_or(|_| self.has_all_rows())
    }

    /// Ends the collected rows, and skips the next ones if these were wrong: they may belong
    /// together.
    fn interrupt(&mut self, ending: Ending) {
        let was_lost = self.run.skipped.is_some();
        self.end_skipped();
        let count = self.found.len();
        self.end_rows(ending);
        if was_lost || self.found[count..].iter().any(|found| found.board.is_err()) {
            self.run.skipped = Some(SkippedRows::default());
        }
    }

    /// Ends the collected rows.
    fn end_rows(&mut self, ending: Ending) {
        let rows = std::mem::take(&mut self.rows);
        let given = if rows.is_empty() { None } else { self.run.last_board_row.take() };
        let whole = match rows.as_slice() {
            [] => return,
            [row] => row.alone.clone(),
            _ => self.read_rows(&rows),
        };
        let error = match whole {
            Ok(_) if ending == Ending::Wrong => {
                return self.give_rows(&rows, Err(TextErrorKind::Unended.into()));
            }
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
            if let Ok(second) = self.read_rows(&rows) {
                let error = TextErrorKind::Ambiguous { first, second: Box::new(second) };
                return self.give_rows(&rows, Err(error.into()));
            }
        }
        if self.shape().is_none()
            && let Some(boards) = stacked(&rows, self.format)
        {
            match boards {
                Ok(_) if ending == Ending::Wrong => {
                    self.give_rows(&rows, Err(TextErrorKind::Unended.into()));
                }
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
        let whole_count = whole_count(&rows);
        let is_among_boards =
            ending == Ending::Board || self.run.has_boards || self.run.has_whole_lines;
        let is_board_like =
            2 * whole_count > rows.len() || rows.iter().all(|row| row.look.is_like_square());
        let are_of_table = rows.iter().all(|row| row.alone.is_err())
            && (rows.iter().any(|row| self.of_column(&row.text).is_some())
                || rows.iter().all(|row| self.of_columns(&row.text).is_some()));
        let are_boards = self.shape().is_none() && is_board_like
            || are_of_table
            || is_among_boards && rows.iter().all(|row| row.alone.is_err());
        if are_boards || rows.len() == 1 {
            for row in rows {
                self.give_rows(std::slice::from_ref(&row), row.alone.clone());
            }
            return;
        }
        self.give_rows(&rows, Err(error));
    }

    fn end_skipped(&mut self) {
        if let Some(SkippedRows { lines: Some((first, last)), text, .. }) = self.run.skipped.take()
        {
            self.give_lines((first, last), &text, Err(TextErrorKind::Unsure.into()));
        }
    }

    fn give_rows(&mut self, rows: &[RowCandidate], board: Result<Board, BoardTextError>) {
        // Dashes between the rows of a board are decoration.
        let is_ruled = rows.first().is_some_and(|row| row.is_ruled)
            && !rows.iter().skip(1).any(|row| row.is_ruled);
        let board = match board {
            Ok(_)
                if is_ruled && self.run.board_count > 0 && self.around.subject != Subject::Goal =>
            {
                Err(TextErrorKind::BelowDashes.into())
            }
            Ok(_) if rows.iter().skip(1).any(|row| row.is_below_gap) => {
                Err(TextErrorKind::RowOrder.into())
            }
            board => board,
        };
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
        self.end_title(Ending::of(&board));
        let subject = std::mem::take(&mut self.around.subject);
        let board = match board {
            _ if subject == Subject::Moves => Err(TextErrorKind::CalledMoves.into()),
            Ok(_) if subject == Subject::Goal => Err(TextErrorKind::CalledGoal.into()),
            Ok(board) if subject == Subject::MovesUnlessRows && !has_rows(text, &board) => {
                Err(TextErrorKind::CalledMoves.into())
            }
            Err(error) if first_line == last_line && !error.kind().is_of_file() => {
                Err(self.of_columns(text).unwrap_or(error))
            }
            board => board,
        };
        self.run.board_count += usize::from(board.is_ok());
        self.count_board(last_line, board.as_ref().ok().map(Board::shape));
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
    let has_rows =
        |separator: &[char]| line.split(separator).filter(|row| !row.trim().is_empty()).count() > 1;
    // Semicolons may separate cells.
    let has_cells = || line.split(';').any(|row| row.trim().contains([' ', ',', '\t']));
    has_rows(&['/']) || has_rows(&[';']) && has_cells()
}

/// Returns whether the text of a board has rows of several cells.
fn has_rows(text: &str, board: &Board) -> bool {
    let parts = text.split(|c| "/;[({\n".contains(c));
    let count = parts.filter(|part| part.contains(char::is_alphanumeric)).count();
    (2..board.shape().cell_count()).contains(&count)
}

/// Returns whether a text is a number of moves.
fn is_count(text: &str) -> bool {
    let text = text.trim();
    (1..4).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Returns the number of rows with each number of a board.
fn whole_count(rows: &[RowCandidate]) -> usize {
    let whole = rows.iter().filter(|row| row.is_whole());
    count_without_copy(&whole.map(|row| row.text.trim()).collect::<Vec<_>>())
}

/// Returns the number of items without a copy of another: a damaged board may have one of its rows
/// twice.
fn count_without_copy<T: PartialEq>(items: &[T]) -> usize {
    let is_copy = |at: usize| items[..at].contains(&items[at]);
    items.len() - usize::from((0..items.len()).any(is_copy))
}

fn joined(rows: &[RowCandidate], separator: &str) -> String {
    let texts: Vec<&str> = rows.iter().map(|row| row.text.as_str()).collect();
    texts.join(separator)
}

/// Reads rows as several consecutive boards of one shape.
fn stacked(
    rows: &[RowCandidate],
    format: BoardFormat,
) -> Option<Result<Vec<Board>, BoardTextError>> {
    let mut found: Option<Vec<Board>> = None;
    let heights = (1..=rows.len() / 2).filter(|height| rows.len().is_multiple_of(*height));
    for height in heights {
        let boards = rows.chunks(height).map(|rows| read_one(&joined(rows, "\n"), format).ok());
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
