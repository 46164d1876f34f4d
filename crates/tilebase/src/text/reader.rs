//! Many boards, line by line.
//!
//! 1. A line loses its remark, its label and the code around it ([`frame`]).
//! 2. A line that is a board and can be no row of a larger one is returned at once. It makes its
//!    block a list, in which each line is a board or an error. Arrays end with their bracket.
//! 3. Other lines are rows. They wait for the end of the block, which is a blank line, a label, an
//!    array or a board on a line, for at most [`ROWS_MAX`] lines.
//! 4. At the end of the block, they are read as the first [kind](super::kind) that they are.
//! 5. After an error, rows are skipped up to the end of the block or a certain board.

use pdb_core::excerpt::excerpt;
use pdb_core::{Board, CELLS_MAX, Shape};

use super::array::{self, OpenArray, Part};
use super::found::FoundBoard;
use super::frame::{self, Label, Subject, Value};
use super::grid;
use super::instance::Instance;
use super::kind::{self, Around, Kind, Reading};
use super::lex::{ends_line, is_array, is_bar, narrow, tokens_of};
use super::row::{self, Row};
use super::table::{Columns, NamedColumns, TableLine};
use crate::text::TEXT_BYTES_MAX;
use crate::text::error::BoardTextError;
use crate::text::error_kind::TextErrorKind;
use crate::text::format::BoardFormat;

/// Largest number of lines that are collected for one board.
pub const ROWS_MAX: usize = CELLS_MAX;
/// Longest excerpt of a board's text, in characters.
const SHOWN_CHARS_MAX: usize = 80;
/// Byte order mark, which some editors write before a text.
const MARK: char = '\u{feff}';

/// Reader of boards from lines, each in any notation.
///
/// The reader returns a certain board on one line, and an array, with the line that completes it.
/// Rows wait for the end of their block. It keeps at most [`ROWS_MAX`] lines of a grid, or
/// [`TEXT_BYTES_MAX`] bytes of an array and a line.
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
    /// The columns that the caller names.
    columns: Option<Columns>,
    /// Whether boards may be called goals.
    allows_goals: bool,
    /// Number of lines so far, and their length in bytes.
    line: u64,
    byte: usize,
    known: Known,
    block: Block,
    array: Option<OpenArray>,
    /// A file in which all lines belong to one thing.
    whole: Option<Whole>,
    found: Vec<FoundBoard>,
}

/// Facts about a file that hold beyond its blank lines.
#[derive(Clone, Debug, Default)]
struct Known {
    /// Whether there was a line with content.
    has_content: bool,
    /// The size that stands above the boards.
    shape: Option<Shape>,
    /// The numbers that stand above the boards.
    numbers: Numbers,
    /// The columns of a table that was recognised, and the number of all columns.
    table: Option<(Columns, usize)>,
    /// The columns that the first line names, and whether a line of their table is below.
    named: Option<(NamedColumns, bool)>,
    /// The names of the columns that the caller names.
    names: Option<String>,
    /// The name of the next board.
    subject: Option<Subject>,
    /// A line of words, a number or a size that no board is below yet.
    above: Option<Above>,
}

/// Line above boards, and a blank line below it.
#[derive(Clone, Debug)]
struct Above {
    line: u64,
    text: String,
    size: Option<Shape>,
}

/// Numbers that stand above boards.
#[derive(Clone, Debug, Default)]
enum Numbers {
    #[default]
    None,
    /// One, which is the number of the boards or the side of each of them.
    Announced {
        number: usize,
        /// Number of boards since then, and the last line of the last one.
        found: usize,
        last_line: u64,
        /// Whether all of them are squares with that side.
        are_of_side: bool,
    },
    /// Several, which are values of the boards.
    Values,
}

/// File that is not boards.
#[derive(Clone, Debug)]
enum Whole {
    /// A model in PDDL, whose other lines are skipped.
    Model,
    Instance(Instance),
}

/// Lines without a blank line between them, and what is known of them.
#[derive(Clone, Debug, Default)]
struct Block {
    mode: Mode,
    /// The rows that wait.
    rows: Vec<Row>,
    /// Whether a title is above the rows.
    is_titled: bool,
    /// The rows that were skipped: the first, the last, and the text of the first.
    skipped: Option<(u64, u64, String)>,
    /// Whether a board or an error was returned.
    has_given: bool,
    /// The last line of dashes.
    dashes: Option<u64>,
}

/// Kind of the lines of a block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Mode {
    #[default]
    Rows,
    /// Boards on a line each.
    List,
    /// No boards, after an error.
    Lost,
}

/// What ends waiting rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    /// The end of the block.
    Block,
    /// A board on a line or an array.
    Board,
    /// Something wrong, so that they may be the first rows of a larger board.
    Cut,
    /// More rows than a board has.
    Long,
}

impl BoardReader {
    /// Creates a reader of boards of one format, which may be a shape alone, or of any.
    #[must_use]
    pub fn new(format: impl Into<BoardFormat>) -> Self {
        Self {
            format: format.into(),
            columns: None,
            allows_goals: false,
            line: 0,
            byte: 0,
            known: Known::default(),
            block: Block::default(),
            array: None,
            whole: None,
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
        let mut text = line.trim_end_matches(ends_line);
        let mut start = self.byte;
        if self.line == 1 {
            text = text.trim_start_matches(MARK);
            start += line.trim_end_matches(ends_line).len() - text.len();
        }
        self.byte += line.len() + usize::from(!line.ends_with('\n'));
        if matches!(self.whole, Some(Whole::Model)) {
            return Vec::new();
        }
        if text.len() > TEXT_BYTES_MAX {
            self.end_array();
            self.end_rows(End::Cut);
            let error = TextErrorKind::TooLong { bytes_max: TEXT_BYTES_MAX };
            self.give_line(text, Err(error.into()));
            self.block.mode = Mode::List;
        } else {
            let narrowed = narrow(text);
            let is_same = matches!(narrowed, std::borrow::Cow::Borrowed(_));
            // Only line ends within the line make several of it.
            for part in narrowed.split(ends_line) {
                let at = part.as_ptr().addr() - narrowed.as_ptr().addr();
                self.push_line(part, is_same.then_some(start + at));
            }
        }
        std::mem::take(&mut self.found)
    }

    /// Returns the boards after the last line. The reader can then start another file.
    #[must_use]
    pub fn end(&mut self) -> Vec<FoundBoard> {
        if let Some(Whole::Instance(instance)) = self.whole.take() {
            self.found.push(instance.end());
        }
        self.pause();
        if let Some(above) = self.known.above.take() {
            self.known.numbers = Numbers::None;
            self.give_above(&above);
        }
        if let Numbers::Announced { number, found, last_line, are_of_side } = self.known.numbers
            && number != found
            && !are_of_side
        {
            let error = TextErrorKind::Announced { number, found }.into();
            self.give((last_line, last_line), &number.to_string(), Err(error), None);
        }
        (self.line, self.byte) = (0, 0);
        (self.known, self.whole) = (Known::default(), None);
        std::mem::take(&mut self.found)
    }

    /// Reads a whole text, which is no table unless its columns are named.
    pub(super) fn read(mut self, text: &str) -> Vec<FoundBoard> {
        let mut boards: Vec<_> = text.split('\n').flat_map(|line| self.push(line)).collect();
        boards.extend(self.end());
        boards
    }

    /// Reads boards that are called goals like others.
    pub(crate) fn allow_goals(&mut self) {
        self.allows_goals = true;
    }

    /// Returns whether boards have goals beside them.
    pub(crate) fn has_goals(&self) -> bool {
        self.known.named.is_some_and(|(named, _)| named.goal.is_some())
            || matches!(self.whole, Some(Whole::Instance(_)))
    }

    /// Returns whether the next line shows whether boards have goals: it may begin an instance.
    pub(crate) fn may_have_goals(&self) -> bool {
        self.whole.is_none()
            && matches!(&self.block.rows[..], [row] if row.number().is_some() || row.size().is_some())
    }

    /// Returns whether there was a line with content.
    pub(crate) fn has_content(&self) -> bool {
        self.known.has_content
    }

    /// Returns the format with the shape that stands above the boards.
    fn format(&self) -> BoardFormat {
        BoardFormat { shape: self.format.shape.or(self.known.shape), ..self.format }
    }

    /// Returns whether each line is one of a table whose columns are named.
    fn has_columns(&self) -> bool {
        self.columns.is_some() || self.known.named.is_some_and(|(_, is_certain)| is_certain)
    }

    /// Reads a line without its end.
    fn push_line(&mut self, line: &str, source: Option<usize>) {
        if let Some(Whole::Instance(instance)) = &mut self.whole {
            return instance.push(self.line, line);
        }
        let is_outside = self.array.is_none() && !self.has_columns();
        if is_outside && self.known.named.is_none() && is_plain(line) {
            return self.push_row(line, source);
        }
        if is_outside && Instance::begins(line) && self.block.rows.len() == 1 {
            let head = std::mem::take(&mut self.block).rows.remove(0);
            self.whole = Some(Whole::Instance(Instance::new(head.line, &head.text, self.format)));
            return;
        }
        if let Some(label) = frame::known_label(line).filter(|_| is_outside)
            && !self.begins_table(line)
        {
            return self.push_label(label);
        }
        let line = match frame::remark(line).filter(|at| self.is_remark(line, *at)) {
            Some(at) if line[..at].trim().is_empty() => return self.push_array(""),
            Some(at) => &line[..at],
            None => line,
        };
        // Spreadsheets write a blank line as a row of empty cells.
        if line.chars().all(|c| c.is_whitespace() || self.array.is_none() && ",;".contains(c)) {
            return self.push_blank();
        }
        if self.array.is_some() {
            return self.push_array(line);
        }
        if self.has_columns() || self.begins_table(line) {
            return self.push_columns(line);
        }
        if frame::is_model(line) {
            self.end_rows(End::Cut);
            self.whole = Some(Whole::Model);
            let what = "a planning model in PDDL";
            return self.give_line(line, Err(TextErrorKind::NotBoard { what }.into()));
        }
        self.push_framed(line, source);
    }

    /// Takes the names of columns on the first line. Returns whether this line is the first one of
    /// their table; otherwise they were words above a board.
    fn begins_table(&mut self, line: &str) -> bool {
        if !self.known.has_content && self.columns.is_none() {
            let named = TableLine::of(line, &tokens_of(line)).named();
            self.known.named = named.map(|named| (named, false));
            return false;
        }
        let Some((named, false)) = self.known.named else { return false };
        let is_table = TableLine::of(line, &tokens_of(line)).is_below(named);
        self.known.named = is_table.then_some((named, true));
        if is_table {
            self.block = Block::default();
            (self.known.subject, self.known.above) = (None, None);
        }
        is_table
    }

    /// Reads a line that may have a label and code around its cells.
    fn push_framed(&mut self, line: &str, source: Option<usize>) {
        let (label, rest) = match frame::label(line).filter(|label| self.is_label(label, line)) {
            Some((label, rest)) => (Some(label), rest),
            None => (None, line),
        };
        if label == Some(Label::Row) {
            return self.push_labelled(line);
        }
        if let Some(label) = label {
            self.push_label(label);
            if rest.trim().is_empty() {
                return;
            }
        }
        let Value { text, subject, shape } = frame::value(rest);
        if subject.is_some_and(|subject| subject != Subject::Board) {
            self.pause();
            self.known.subject = subject;
        }
        let tokens = tokens_of(text);
        // A number beside a name is a count or a value.
        let is_beside = matches!(label, Some(Label::Name(_))) || text.len() < rest.trim().len();
        if is_beside
            && frame::lone_number(text).is_some()
            && grid::board(text, &tokens, self.format()).is_none()
        {
            return self.pause();
        }
        let place =
            |part: &str| Some(source? + part.as_ptr().addr().wrapping_sub(line.as_ptr().addr()));
        if !is_array(text) {
            return self.push_row(text, place(text));
        }
        if shape.is_some() || !array::is_row(text, &tokens) {
            return self.open_array(text, shape, place(text));
        }
        let row = text.split([']', ')', '}']).next().unwrap_or(text);
        let row = row.trim_start().trim_start_matches(['[', '(', '{']);
        self.push_row(row, place(row));
    }

    /// Refuses a row with a label, and all rows below.
    fn push_labelled(&mut self, line: &str) {
        self.known.has_content = true;
        if self.block.mode != Mode::Lost {
            self.end_rows(End::Cut);
            self.give_line(line, Err(TextErrorKind::Order.into()));
            self.block.mode = Mode::Lost;
        }
    }

    /// Returns whether a part of a line is a remark, not a part of a board.
    fn is_remark(&self, line: &str, at: usize) -> bool {
        let (before, rest) = line.split_at(at);
        let alone = |text: &str| grid::board(text, &tokens_of(text), self.format()).is_some();
        let Some(after) = rest.strip_prefix('#') else {
            return before.trim().is_empty() || !alone(line);
        };
        // A sign between cells looks like the blank.
        let is_of_cells = |c: char| c.is_ascii_digit() || c.is_whitespace() || ",;/|".contains(c);
        if !after.chars().all(is_of_cells) || !after.contains(|c: char| c.is_ascii_digit()) {
            return true;
        }
        let line = format!("{before}0{after}");
        let has_rows = !before.trim().is_empty() || line.contains('/');
        let is_row = |row: &Row| row.width() == grid::width(&line, &tokens_of(&line));
        !(has_rows && alone(&line)
            || self.array.is_none() && self.block.rows.last().is_some_and(is_row))
    }

    /// Returns whether the start of a line is a label, not a part of the board.
    fn is_label(&self, (label, rest): &(Label, &str), line: &str) -> bool {
        // A board may have its length beside it.
        let has_column = || TableLine::of(line, &tokens_of(line)).fault(self.format()).is_some();
        match label {
            Label::Item => {
                let written = grid::board(rest, &tokens_of(rest), self.format());
                is_array(rest) || written.is_some_and(|written| written.has_blank)
            }
            _ => !rest.is_empty() || line.trim().ends_with(':') || !has_column(),
        }
    }

    fn push_label(&mut self, label: Label) {
        self.known.has_content = true;
        match label {
            Label::Item | Label::Row => {}
            Label::Size(shape) => {
                self.pause();
                self.known.shape = Some(shape);
            }
            Label::Name(subject) => {
                self.pause();
                self.known.subject = subject;
            }
        }
    }

    fn push_blank(&mut self) {
        // Names of columns may be above it.
        if self.array.is_some() || !matches!(self.known.named, Some((_, false))) {
            self.pause();
        }
    }

    /// Ends the array and the block.
    fn pause(&mut self) {
        self.end_array();
        self.end_rows(End::Block);
        self.block = Block::default();
    }

    /// Reads a line without a frame.
    fn push_row(&mut self, line: &str, source: Option<usize>) {
        self.known.has_content = true;
        if frame::is_ruler(line) {
            if frame::is_dashes(line) {
                self.block.dashes = Some(self.line);
            }
            return;
        }
        let is_lone_bar = || line.trim().chars().map(is_bar).eq([true]);
        if line.chars().all(|c| c.is_whitespace() || ",;/".contains(c)) || is_lone_bar() {
            return;
        }
        let format = self.format();
        let mut row = Row::new(self.line, line, source, format);
        row.is_ruled = self.block.dashes == Some(self.line - 1);
        // Words are a wrong line of a list, unless the list has a title.
        row.is_title &= self.block.is_titled || self.block.mode != Mode::List;
        if self.push_known(&row) {
            return;
        }
        if row.is_certain(format) {
            return self.push_to_list(row);
        }
        if self.block.mode == Mode::Lost {
            return self.skip(&row.text);
        }
        self.block.rows.push(row);
        if self.block.rows.len() > ROWS_MAX {
            self.end_rows(End::Long);
        }
    }

    /// Reads a row as a line of a table that is known. Returns whether it is one.
    fn push_known(&mut self, row: &Row) -> bool {
        let Some((columns, width)) = self.known.table else { return false };
        let (line, format) = (row.table_line(), self.format());
        let has_columns =
            || line.cell_ranges(format.shape).iter().any(|(found, _)| *found == columns);
        if line.cell_count() != width || row.alone.is_some() && !has_columns() {
            return false;
        }
        self.end_rows(End::Board);
        self.block.mode = Mode::List;
        self.give_line(&row.text, kind::read_table_line(row, columns, format));
        true
    }

    /// Ends the rows above a row that is a board by itself, and gives it.
    fn push_to_list(&mut self, row: Row) {
        let format = self.format();
        if matches!(&self.block.rows[..], [names] if names.are_names_of(&row)) {
            self.block.rows.clear();
        }
        self.end_rows(End::Board);
        let size = self.known.above.as_ref().and_then(|above| above.size);
        if size.is_some_and(|size| !row.has_rows() && size.cell_count() == row.width()) {
            (self.known.shape, self.known.above) = (size, None);
        }
        if self.format() != format {
            // The rows above have the size of the next boards.
            return self.push_row(&row.text, row.source);
        }
        self.block.mode = Mode::List;
        if let Some(written) = row.alone {
            self.give_rows(&[row], Ok(written.board));
        }
    }

    /// Skips this line after an error.
    fn skip(&mut self, text: &str) {
        self.block.skipped.get_or_insert((self.line, self.line, text.to_owned())).1 = self.line;
    }

    /// Gives the boards or the errors of the rows that wait and of those that were skipped.
    fn end_rows(&mut self, end: End) {
        if let Some((first, last, text)) = self.block.skipped.take() {
            self.give((first, last), &text, Err(TextErrorKind::Unsure.into()), None);
        }
        let mut rows = std::mem::take(&mut self.block.rows);
        if rows.is_empty() {
            return;
        }
        name_letters(&mut rows);
        let titles = rows.iter().take_while(|row| row.is_title).count();
        let is_given = |size: &Shape| self.format.shape.is_none_or(|given| given == *size);
        let (number, size) = match &rows[titles..] {
            [row] => (row.number(), row.size().filter(is_given)),
            _ => (None, None),
        };
        let is_name = !self.block.has_given && matches!(&rows[titles..], [row] if row.is_name());
        let is_above =
            titles == rows.len() || is_name || number.or(size.map(Shape::rows)).is_some();
        if is_above {
            let Row { line, text, .. } = &rows[0];
            let size = size.filter(|_| number.is_none());
            self.known.above.get_or_insert(Above { line: *line, text: text.clone(), size });
        }
        self.block.is_titled |= titles > 0;
        rows.drain(..titles);
        if let Some(number) = number {
            self.announce(number, rows[0].line);
        }
        if is_above {
            return;
        }
        let around = Around {
            format: self.format(),
            given: self.format.shape,
            is_among_boards: end == End::Board || self.block.mode == Mode::List,
            is_titled: self.block.is_titled,
            goes_on: end == End::Long,
        };
        let mut reading = kind::read(&rows, around);
        let has_board = reading.findings.iter().any(|(_, board)| board.is_ok());
        // The first finding whose rows may be those of a larger board.
        let unsure = match (end, reading.kind) {
            (End::Cut, Kind::Grid) if around.given.is_some() => Some(reading.findings.len() - 1),
            (End::Cut, Kind::Grid) => Some(0),
            (End::Long, Kind::Grid) if reading.rest == rows.len() => Some(0),
            (End::Long, Kind::Wrong) if reading.rest == rows.len() && !has_board => Some(0),
            _ => None,
        };
        if let Some(unsure) = unsure {
            let first = reading.findings.drain(unsure..).next();
            let rows = first.map_or(0, |(of, _)| of.start)..rows.len();
            reading.findings.push((rows, Err(TextErrorKind::Unsure.into())));
            reading.kind = Kind::Wrong;
        }
        self.give_reading(rows, reading);
    }

    fn give_reading(&mut self, mut rows: Vec<Row>, reading: Reading) {
        if let Some(number) = reading.number {
            self.announce(number, rows[0].line);
        }
        self.known.shape = reading.shape.or(self.known.shape);
        for (of, board) in reading.findings {
            self.give_rows(&rows[of], board);
        }
        self.block.mode = match reading.kind {
            Kind::Grid => self.block.mode,
            Kind::List => Mode::List,
            Kind::Table(columns, width) => {
                self.known.table = Some((columns, width));
                Mode::List
            }
            Kind::Wrong if self.block.mode == Mode::List => Mode::List,
            Kind::Wrong => Mode::Lost,
        };
        self.block.rows = rows.split_off(reading.rest);
    }

    /// Takes a number that stands above boards.
    fn announce(&mut self, number: usize, line: u64) {
        // Numbers above several boards, or 0, are values of them.
        self.known.numbers = match self.known.numbers {
            Numbers::None if number > 0 => {
                Numbers::Announced { number, found: 0, last_line: line, are_of_side: true }
            }
            _ => Numbers::Values,
        };
    }

    /// Opens an array.
    fn open_array(&mut self, text: &str, shape: Option<Shape>, source: Option<usize>) {
        self.known.has_content = true;
        if let [row] = &self.block.rows[..]
            && let (None, Some(size)) = (row.number(), row.size())
        {
            self.known.shape = Some(size);
            self.block = Block::default();
        }
        let format = self.format();
        let format = BoardFormat { shape: shape.or(format.shape), ..format };
        let subject = self.known.subject.take();
        self.array = Some(OpenArray::new((self.line, source), format, subject));
        self.push_array(text);
    }

    /// Reads a line of the open array, if there is one.
    fn push_array(&mut self, line: &str) {
        let Some(mut open) = self.array.take() else { return };
        let (parts, is_open) = open.push(self.line, line);
        self.give_parts(&open, parts);
        self.array = Some(open).filter(|_| is_open);
    }

    /// Ends the open array.
    fn end_array(&mut self) {
        if let Some(open) = self.array.take() {
            self.give_parts(&open, vec![open.end()]);
        }
    }

    fn give_parts(&mut self, open: &OpenArray, parts: Vec<Part>) {
        for part in parts {
            self.known.subject = open.subject;
            self.give_part(part);
        }
    }

    /// Gives a board or an error of an array, which ends the rows above it.
    fn give_part(&mut self, Part { lines, text, board }: Part) {
        let may_go_on = board
            .as_ref()
            .is_err_and(|error| !matches!(error.kind(), TextErrorKind::Unclosed { .. }));
        let subject = self.known.subject.take();
        let was_lost = self.block.mode == Mode::Lost;
        self.end_rows(if board.is_ok() { End::Board } else { End::Cut });
        let was_lost = was_lost || self.block.mode == Mode::Lost;
        self.known.subject = subject;
        self.give(lines, &text, board, None);
        // The rows below a wrong array may be those of the same board.
        let is_lost = was_lost || may_go_on;
        let mode = if is_lost { Mode::Lost } else { Mode::Rows };
        self.block = Block { mode, has_given: true, ..Block::default() };
    }

    /// Reads a line of a table whose columns are named.
    fn push_columns(&mut self, line: &str) {
        if frame::is_ruler(line) {
            return;
        }
        let is_first = !std::mem::replace(&mut self.known.has_content, true);
        let (tokens, format) = (tokens_of(line), self.format());
        let table_line = TableLine::of(line, &tokens);
        let named = self.known.named.map(|(named, _)| named);
        let Some(columns) = self.columns.or(named.map(NamedColumns::columns)) else { return };
        let mut board = table_line.board(columns, format);
        // A single word may also be a board of letters.
        let may_be_names = board.is_err() || columns.count() > 1;
        if is_first && may_be_names && table_line.has_names(columns) {
            self.known.names = Some(line.to_owned());
            return;
        }
        if let (Some(named), Ok(first)) = (named, &board) {
            let is_other = |(of, other): &(Columns, Board)| {
                ![Some(columns.first()), named.goal].contains(&Some(of.first()))
                    && other.shape() == first.shape()
            };
            let other = table_line.whole_boards(format).into_iter().find(is_other);
            if let Some((of, other)) = other {
                let first = (columns.to_string(), Box::new(*first));
                let second = Some((of.to_string(), Box::new(other)));
                board = Err(TextErrorKind::MayBeTable { first, second }.into());
            }
        }
        if let (Ok(_), Some(names)) = (&board, &self.known.names)
            && let Err(kind @ TextErrorKind::Order) =
                TableLine::of(names, &tokens_of(names)).check_names(columns)
        {
            board = Err(kind.into());
        }
        let goal = named.and_then(|named| table_line.field(named.goal?));
        let goal = goal.map(|goal| goal.trim_matches(['"', '\'']).to_owned());
        self.give((self.line, self.line), line, board, goal);
    }

    fn give_rows(&mut self, rows: &[Row], board: Result<Board, BoardTextError>) {
        let [first, others @ ..] = rows else { return };
        // Dashes between the rows of a board are decoration.
        let is_ruled = first.is_ruled && !others.iter().any(|row| row.is_ruled);
        let is_below =
            is_ruled && self.block.has_given && self.known.subject.is_none() && !self.allows_goals;
        let board =
            if is_below && board.is_ok() { Err(TextErrorKind::BelowDashes.into()) } else { board };
        let last = others.last().unwrap_or(first);
        let lines = (first.line, last.line);
        match others {
            [] => self.give(lines, &first.text, board, None),
            _ => self.give(lines, &row::joined(rows), board, None),
        }
    }

    /// Gives the error of a line above boards that has none.
    fn give_above(&mut self, Above { line, text, .. }: &Above) {
        let error = grid::read(text, &tokens_of(text), self.format());
        let subject = self.known.subject.take();
        self.give((*line, *line), text, error, None);
        self.known.subject = subject;
    }

    fn give_line(&mut self, text: &str, board: Result<Board, BoardTextError>) {
        self.give((self.line, self.line), text, board, None);
    }

    fn give(
        &mut self,
        (first_line, last_line): (u64, u64),
        text: &str,
        board: Result<Board, BoardTextError>,
        goal: Option<String>,
    ) {
        if let Some(above) = self.known.above.take()
            && let Some(size) = above.size
        {
            if board.as_ref().is_ok_and(|board| board.shape() == size) {
                self.known.shape = Some(size);
            } else {
                self.give_above(&above);
            }
        }
        self.block.has_given = true;
        let is_list = || match &board {
            Ok(board) => !has_rows(text, board),
            Err(_) => !text.contains(['/', ';', '\n']),
        };
        let error = match self.known.subject.take() {
            Some(Subject::Goal) if board.is_ok() && !self.allows_goals => {
                Some(TextErrorKind::CalledGoal)
            }
            Some(Subject::Moves) if is_list() => {
                Some(TextErrorKind::NotBoard { what: "called moves" })
            }
            Some(Subject::Other(what)) => Some(TextErrorKind::NotBoard { what }),
            _ => None,
        };
        let board = error.map_or(board, |error| Err(error.into()));
        if let Numbers::Announced { number, found, last_line: last, are_of_side } =
            &mut self.known.numbers
        {
            *found += 1;
            *last = last_line;
            let is_of_side = |board: &Board| {
                let shape = board.shape();
                shape.rows() == *number && shape.cols() == *number
            };
            *are_of_side &= board.as_ref().ok().is_none_or(is_of_side);
        }
        let text = excerpt(text.trim(), SHOWN_CHARS_MAX);
        self.found.push(FoundBoard { first_line, last_line, board, goal, text });
    }
}

/// Makes titles rows that may be rows of letters: they have no spaces, and as many letters as the
/// row above or below.
fn name_letters(rows: &mut [Row]) {
    let letters = |row: &Row| {
        let text = row.text.trim();
        (!text.contains(char::is_whitespace)).then(|| text.chars().count())
    };
    for at in (0..rows.len()).filter(|at| rows[*at].is_title).collect::<Vec<usize>>() {
        let beside = [at.checked_sub(1), Some(at + 1)].into_iter().flatten();
        let is_alike =
            |other: usize| rows.get(other).is_some_and(|row| letters(row) == letters(&rows[at]));
        rows[at].is_title = letters(&rows[at]).is_none() || !beside.into_iter().any(is_alike);
    }
}

/// Returns whether a line has no sign of a frame: only digits and what separates them.
fn is_plain(line: &str) -> bool {
    line.as_bytes().first().is_some_and(u8::is_ascii_digit)
        && line
            .bytes()
            .all(|b| b.is_ascii_digit() || b == b' ' || b == b'/' || b == b',' || b == b'\t')
        && !line.contains("//")
}

/// Returns whether the text of a board has rows of several cells.
fn has_rows(text: &str, board: &Board) -> bool {
    let parts = text.split(|c| "/;[({\n".contains(c));
    let count = parts.filter(|part| part.contains(char::is_alphanumeric)).count();
    (2..board.shape().cell_count()).contains(&count)
}
