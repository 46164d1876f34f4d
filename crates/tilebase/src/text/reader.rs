//! Many boards, line by line.
//!
//! Lines without a blank line, a label or an array between them are a block. Its rows wait, for at
//! most [`ROWS_MAX`] lines, until they are certain:
//!
//! 1. A row that is a board and can be no row of a larger one is returned at once. It ends the rows
//!    above it, and makes the block a list. So do two different rows that are boards.
//! 2. A first row of one or two numbers is the size of the rows below it if they are a board of it.
//! 3. Rows of a known shape are a board as soon as there are enough.
//! 4. At the end of the block, the [kinds](super::run::Kind) are tried in their order.
//! 5. After an error, rows are skipped up to the end of the block or a row that is certainly a
//!    board.

use std::ops::Range;

use pdb_core::excerpt::excerpt;
use pdb_core::{Board, CELLS_MAX, Shape};

use super::array::{self, Array, OpenArray, read_tokens};
use super::found::FoundBoard;
use super::frame::{self, Label, Subject, is_ruler, is_title};
use super::grid;
use super::lex::{Sign, Token, ends_line, is_array, lex, narrow};
use super::run::{Findings, Kind, Rows};
use super::table::{Columns, NamedColumns, TableLine};
use super::tile::Instance;
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
    /// The number that stands above the boards.
    announced: Option<Announced>,
    /// Whether several boards have numbers above them, so that no number is that of all boards.
    has_numbers: bool,
    /// The columns of a table that was recognised, and the number of all columns.
    table: Option<(Columns, usize)>,
    /// The columns that the first line names.
    named: Option<NamedColumns>,
    /// A first line of a table that may be the names of its columns.
    header: Option<(u64, String)>,
    /// The name of the next board.
    subject: Option<Subject>,
    /// A line of words that no board is below yet.
    words: Option<(u64, String)>,
}

/// A number above boards, which is their number or the side of each of them.
#[derive(Clone, Debug)]
struct Announced {
    number: usize,
    /// Number of boards since then, and the last line of the last one.
    found: usize,
    last_line: u64,
    /// Whether all of them are squares with that side.
    are_of_side: bool,
}

impl Announced {
    // Compiled in its place, the comparison comes first and reads the fields of `None`, too, which
    // valgrind reports.
    #[inline(never)]
    fn is_wrong(&self) -> bool {
        self.number != self.found && !self.are_of_side
    }
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
#[expect(clippy::struct_excessive_bools, reason = "each says one thing of the lines above")]
struct Block {
    /// The rows that wait.
    rows: Rows,
    /// Whether a line of it was a board, so that it is a list.
    is_list: bool,
    /// Whether the lines of the list are boards without separated rows.
    is_flat: bool,
    /// Whether the first of the rows was returned as a board, but may also be a row.
    is_given: bool,
    /// Whether a line of words is above the rows.
    is_titled: bool,
    /// That line, while it may be a row of letters.
    title: Option<(u64, String)>,
    /// Whether the first row is none that names a size, as it was decided.
    is_sized: bool,
    /// Whether a blank line is below the last row, which may go on: a size, or rows with labels.
    has_gap: bool,
    /// The number in the label of the last row.
    label: Option<usize>,
    /// Whether rows are skipped after an error.
    is_lost: bool,
    /// The rows that were skipped: the first, the last, and the text of the first.
    skipped: Option<(u64, u64, String)>,
    /// Whether a board or an error was returned.
    has_given: bool,
    /// The last line of dashes.
    dashes: Option<u64>,
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
            self.end_block(true);
            self.give_line(text, Err(too_long()));
            self.block.is_list = true;
        } else {
            let narrowed = narrow(text);
            let is_same =
                narrowed.len() == text.len() && matches!(narrowed, std::borrow::Cow::Borrowed(_));
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
        self.give_header();
        if let Some((at, line)) = self.known.words.take() {
            let error = grid::read(&line, &tokens_of(&line), self.format());
            self.give((at, at), &line, error, None);
        }
        if let Some(announced) = self.known.announced.take().filter(Announced::is_wrong) {
            let Announced { number, found, last_line, .. } = announced;
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
        self.known.named.is_some_and(|named| named.goal.is_some())
            || matches!(self.whole, Some(Whole::Instance(_)))
    }

    /// Returns whether the next line shows whether boards have goals: it may begin an instance.
    pub(crate) fn may_have_goals(&self) -> bool {
        self.whole.is_none() && self.block.rows.list.len() == 1 && self.head().is_some()
    }

    /// Returns whether there was a line with content.
    pub(crate) fn has_content(&self) -> bool {
        self.known.has_content
    }

    /// Returns whether the caller or the first line names columns.
    fn has_columns(&self) -> bool {
        self.columns.is_some() || self.known.named.is_some()
    }

    /// Returns the format with the shape that stands above the boards.
    fn format(&self) -> BoardFormat {
        BoardFormat { shape: self.format.shape.or(self.known.shape), ..self.format }
    }

    /// Reads a line without its end.
    fn push_line(&mut self, line: &str, source: Option<usize>) {
        if let Some(Whole::Instance(instance)) = &mut self.whole {
            instance.push(self.line, line);
            return;
        }
        if self.array.is_none() && !self.block.has_gap && is_plain(line) && !self.has_columns() {
            return self.push_body(line, source);
        }
        if self.array.is_none() && !self.has_columns() {
            if Instance::begins(line) && self.block.rows.list.len() == 1 {
                let head = self.block.rows.text(0).to_owned();
                let first = self.block.rows.list[0].line;
                self.block = Block::default();
                self.whole = Some(Whole::Instance(Instance::new(first, &head, self.format)));
                return;
            }
            if let Some(label) = frame::whole_label(line) {
                return self.push_label(label, line);
            }
        }
        let line = match frame::remark(line).filter(|at| self.is_remark(line, *at)) {
            Some(at) if line[..at].trim().is_empty() => return,
            Some(at) => &line[..at],
            None => line,
        };
        // Spreadsheets write a blank line as a row of empty cells.
        if line.chars().all(|c| c.is_whitespace() || self.array.is_none() && ",;".contains(c)) {
            return self.push_blank();
        }
        if self.array.is_some() {
            return self.push_array(line, source);
        }
        if self.has_columns() {
            return self.push_columns(line);
        }
        if !self.known.has_content
            && let Some(named) = TableLine::new(line).named()
        {
            self.known.named = Some(named);
            self.known.header = Some((self.line, line.to_owned()));
            return;
        }
        if frame::is_model(line) {
            self.end_block(true);
            self.whole = Some(Whole::Model);
            return self.give_line(line, Err(TextErrorKind::Model.into()));
        }
        let (label, rest) = match frame::label(line).filter(|label| self.is_label(label, line)) {
            Some((label, rest)) => (Some(label), rest),
            None => (None, line),
        };
        if self.block.has_gap && self.block.label.is_some() && !matches!(label, Some(Label::Row(_)))
        {
            self.pause();
        }
        if let Some(label) = label {
            let was_lost = self.block.is_lost;
            self.push_label(label, line);
            if rest.trim().is_empty() {
                return;
            }
            if self.block.is_lost && matches!(label, Label::Row(_)) {
                if was_lost {
                    self.skip(rest);
                }
                return;
            }
        }
        let value = frame::value(rest);
        if value.subject.is_some_and(|subject| subject != Subject::Board) {
            self.pause();
            self.known.subject = value.subject;
        }
        // A number beside a name is a count or a value.
        let is_beside = label.is_some_and(|label| matches!(label, Label::Name(_)))
            || value.text.len() < rest.trim().len();
        if is_beside
            && frame::lone_number(value.text).is_some()
            && read_tokens(value.text, &tokens_of(value.text), self.format()).is_err()
        {
            return self.pause();
        }
        if is_array(value.text) && (value.shape.is_some() || !is_row(value.text)) {
            let at = value.text.as_ptr().addr() - line.as_ptr().addr();
            return self.open_array(value.text, value.shape, source.map(|source| source + at));
        }
        let text = value.text.trim_end_matches([',', ';']);
        let is_list = is_array(text);
        let body = if is_list {
            let inner = text.trim().trim_start_matches(['[', '(', '{']);
            inner.trim_end_matches([']', ')', '}'])
        } else {
            value.text
        };
        let at = body.as_ptr().addr().wrapping_sub(line.as_ptr().addr());
        self.push_body(body, source.map(|source| source + at));
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
        let last = self.block.rows.list.len().checked_sub(1);
        let width = || grid::width(&line, &tokens_of(&line));
        !(has_rows && alone(&line)
            || self.array.is_none() && last.is_some_and(|at| self.block.rows.width(at) == width()))
    }

    /// Returns whether the start of a line is a label, not a part of the board.
    fn is_label(&self, (label, rest): &(Label, &str), line: &str) -> bool {
        // A board may have its length beside it.
        let has_column = || TableLine::new(line).fault(self.format()).is_some();
        *label != Label::Item && (!rest.is_empty() || line.trim().ends_with(':') || !has_column())
            || *label == Label::Item && is_array(rest)
            || grid::board(rest, &tokens_of(rest), self.format())
                .is_some_and(|written| written.has_blank)
    }

    fn push_label(&mut self, label: Label, line: &str) {
        self.known.has_content = true;
        match label {
            Label::Item => {}
            Label::Row(number) => self.push_row_label(number, line),
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

    /// Checks that the label of a row goes on from the one above, or begins a board.
    fn push_row_label(&mut self, number: Option<usize>, line: &str) {
        let above = std::mem::replace(&mut self.block.label, number);
        let has_gap = std::mem::take(&mut self.block.has_gap);
        let is_next = above.zip(number).is_some_and(|(above, number)| number == above + 1);
        if !has_gap && (is_next || above.or(number).is_none()) {
            return;
        }
        if number.is_some_and(|number| number < 2) {
            self.pause();
            self.block.label = number;
            return;
        }
        if self.block.is_lost {
            return;
        }
        let rows = std::mem::take(&mut self.block.rows);
        let first = rows.list.first().map_or(self.line, |row| row.line);
        let text = [&rows.joined(0..rows.list.len()), line].join("/");
        self.give((first, self.line), &text, Err(TextErrorKind::RowOrder.into()), None);
        self.block.is_lost = true;
    }

    fn push_blank(&mut self) {
        let rows = self.block.rows.list.len();
        let may_go_on = match self.block.label {
            Some(_) => rows > 0,
            None => rows == 1 && self.head().is_some(),
        };
        if self.array.is_none() && may_go_on {
            self.block.has_gap = true;
        } else {
            self.pause();
        }
    }

    /// Ends the array and the block.
    fn pause(&mut self) {
        self.end_array();
        self.end_block(false);
        self.block = Block::default();
    }

    /// Reads a line without a frame.
    fn push_body(&mut self, line: &str, source: Option<usize>) {
        self.known.has_content = true;
        if is_ruler(line) {
            if frame::is_dashes(line) {
                self.block.dashes = Some(self.line);
            }
            return;
        }
        if line.chars().all(|c| c.is_whitespace() || ",;/".contains(c)) {
            return;
        }
        let format = self.format();
        let is_letters = self.take_letters(line);
        let is_ruled = self.block.dashes == Some(self.line - 1);
        self.block.rows.push(self.line, line, source, is_ruled, format);
        let at = self.block.rows.list.len() - 1;
        if self.push_known(at) {
            return;
        }
        if is_letters || !self.push_title(at, line) {
            self.push_row(at);
        }
        if self.block.rows.list.len() > ROWS_MAX {
            self.end_rows(true);
        }
    }

    /// Makes the title above a line a row, if both may be rows of letters: they have no spaces and
    /// the same length. Returns whether they do.
    fn take_letters(&mut self, line: &str) -> bool {
        let letters = |text: &str| {
            let text = text.trim();
            (!text.contains(char::is_whitespace)).then(|| text.chars().count())
        };
        let (rows, here) = (&mut self.block.rows, self.line);
        if let Some(row) = rows.list.last_mut().filter(|row| row.is_title) {
            let (line_above, at) = (row.line, rows.list.len() - 1);
            let is_alike = line_above + 1 == here
                && letters(line).is_some()
                && letters(rows.text(at)) == letters(line);
            rows.list[at].is_title &= !is_alike;
            return is_alike;
        }
        let Some((at, title)) = self.block.title.take().filter(|_| rows.is_empty()) else {
            return false;
        };
        let is_alike =
            at + 1 == here && letters(line).is_some() && letters(&title) == letters(line);
        if is_alike {
            let format = self.format();
            self.block.rows.push(at, &title, None, false, format);
            self.block.is_titled = false;
        }
        is_alike
    }

    /// Reads a row as a line of a table that is known. Returns whether it is one.
    fn push_known(&mut self, at: usize) -> bool {
        let Some((columns, width)) = self.known.table else { return false };
        let line = self.block.rows.table_line(at);
        let format = self.format();
        let is_alone = self.block.rows.list[at].alone.is_some();
        if line.cells.len() != width
            || is_alone && line.cell_ranges(format.shape).iter().all(|(of, _)| *of != columns)
        {
            return false;
        }
        let board = self.block.rows.read_table_line(at, &line, columns, format);
        let own = self.block.rows.split_off(at);
        self.end_block(false);
        (self.block.is_list, self.block.is_lost) = (true, false);
        self.give_line(own.text(0), board);
        true
    }

    /// Reads a line of words as a title. Returns whether it may be one.
    fn push_title(&mut self, at: usize, line: &str) -> bool {
        let format = self.format();
        let rows = &mut self.block.rows;
        // A complete board of a known shape may be above it.
        let may_be_title = rows.list[at].alone.is_none()
            && is_title(line)
            && !self.block.is_lost
            && format.shape.is_none_or(|shape| at == 0 || at == rows_needed(rows, 0..at, shape))
            && rows.table_line(at).whole_boards(format).is_empty();
        if !may_be_title {
            return false;
        }
        if self.block.is_list && self.block.is_titled {
            rows.pop();
            self.end_rows(false);
        } else if at == 0 && !self.block.is_list {
            rows.clear();
            self.block.title = Some((self.line, line.to_owned()));
            self.known.words.get_or_insert_with(|| (self.line, line.to_owned()));
            self.block.is_titled = true;
        } else {
            rows.list[at].is_title = true;
        }
        true
    }

    /// Reads the last row: a board by itself, or a row of those that wait.
    fn push_row(&mut self, at: usize) {
        let format = self.format();
        let rows = &mut self.block.rows;
        let is_flat = self.block.is_flat && !self.block.is_lost;
        if rows.is_certain(at, format) || is_flat && rows.list[at].alone.is_some() {
            return self.push_to_list(at);
        }
        if self.block.is_lost {
            let row = self.block.rows.split_off(at);
            return self.skip(row.text(0));
        }
        if self.block.is_list && format.shape.is_none() {
            return;
        }
        if let Some((_, number)) = self.head() {
            let cols = self.format.shape.map(Shape::cols).filter(|cols| *cols > 1);
            let is_row = at == 1 && cols == Some(self.block.rows.word_count(1));
            if is_row && number.is_some() {
                self.take_head(1, None, number);
            } else if !self.end_head(false) {
                return;
            }
            let rows = &self.block.rows;
            if rows.list.len() <= at && self.block.is_sized {
                // The rows below a size wait for the next ones.
                let last = rows.list.len() - 1;
                if rows.is_certain(last, self.format()) {
                    self.push_to_list(last);
                }
                return;
            }
        }
        let rows = &self.block.rows;
        match format.shape {
            Some(shape) => self.push_to_shape(shape),
            None if !rows.has_title() && rows.are_list(0) => {
                let (kind, findings) = rows.classify(0, format, self.block.is_list);
                if kind == Kind::List {
                    let rows = std::mem::take(&mut self.block.rows);
                    self.give_all(&rows, findings);
                    (self.block.is_flat, self.block.is_list) = (true, true);
                }
            }
            None => {}
        }
    }

    /// Ends the rows above a row that is a board by itself, and gives it.
    fn push_to_list(&mut self, at: usize) {
        let own = self.block.rows.split_off(at);
        if at == 1
            && let Some((_, number)) = self.head()
        {
            self.take_head(1, None, number);
        }
        self.end_block(false);
        (self.block.is_list, self.block.is_lost) = (true, false);
        let Some(written) = own.list[0].alone else { return };
        self.give_rows(&own, 0..1, Ok(written.board));
        if self.format().shape.is_none() && !own.has_rows(0) {
            self.block.is_given = true;
            self.block.rows = own;
        }
    }

    /// Skips this line after an error.
    fn skip(&mut self, text: &str) {
        self.block.skipped.get_or_insert((self.line, self.line, text.to_owned())).1 = self.line;
    }

    fn end_skipped(&mut self) {
        if let Some((first, last, text)) = self.block.skipped.take() {
            self.give((first, last), &text, Err(TextErrorKind::Unsure.into()), None);
        }
    }

    /// Returns the size and the number that the first row may be.
    fn head(&self) -> Option<(Option<Shape>, Option<usize>)> {
        let Block { rows, is_sized, is_lost, is_list, .. } = &self.block;
        let is_list = *is_list && self.format().shape.is_none();
        let first = rows.list.first().filter(|first| first.alone.is_none())?;
        if *is_sized || *is_lost || is_list || first.is_title {
            return None;
        }
        let is_given = |shape: &Shape| self.format.shape.is_none_or(|given| given == *shape);
        let size = frame::size(rows.text(0)).filter(is_given);
        let number = frame::lone_number(rows.text(0)).filter(|_| rows.tokens(0).len() == 1);
        (size.is_some() || number.is_some()).then_some((size, number))
    }

    /// Removes the lines with a size and a number above the rows.
    fn take_head(&mut self, above: usize, shape: Option<Shape>, number: Option<usize>) {
        let line = self.block.rows.list[0].line;
        if let Some(number) = number {
            // Numbers above several boards, or 0, are values of them.
            self.known.has_numbers |= self.known.announced.is_some() || number == 0;
            self.known.announced = (!self.known.has_numbers).then_some(Announced {
                number,
                found: 0,
                last_line: line,
                are_of_side: true,
            });
        }
        self.known.shape = shape.or(self.known.shape);
        self.block.rows.drop_first(above);
        self.block.rows.read_alone(self.format());
        self.block.is_sized |= shape.is_some();
        self.block.has_gap = false;
    }

    /// Decides whether the first row, or the second below a number, is the size of the rows below:
    /// they are a board of it, right or, at the end, wrong. At the end, the first row may also be a
    /// number above any boards. Returns whether it is decided.
    fn end_head(&mut self, is_end: bool) -> bool {
        let Some((size, number)) = self.head() else { return false };
        let rows = &self.block.rows;
        let has_gap = self.block.has_gap && self.block.label.is_none();
        let count = rows.list.len();
        if is_end && count == 1 {
            let is_end_mark = matches!(rows.text(0).trim(), "0" | "0 0");
            if is_end_mark && self.known.shape.is_some() {
                self.block.rows.clear();
            }
            return true;
        }
        if is_end && !has_gap && rows.read(0..count, self.format()).is_ok() {
            return true;
        }
        for above in 1..count.min(3) {
            let is_given = |shape: &Shape| self.format.shape.is_none_or(|given| given == *shape);
            let size = if above == 1 {
                size
            } else {
                number.and(frame::size(rows.text(1)).filter(is_given))
            };
            let Some(shape) = size else { continue };
            let format = BoardFormat { shape: Some(shape), ..self.format };
            let is_single = frame::lone_number(rows.text(above - 1)).is_some();
            let below = count - above;
            // Rows of two cells look like a size.
            if !is_end
                && !is_single
                && shape.cols() == 2
                && count > shape.rows()
                && rows.read(above - 1..above - 1 + shape.rows(), format).is_ok()
            {
                self.block.is_sized = true;
                return true;
            }
            let is_line = below == 1 && !(is_single && shape.cell_count() == 4);
            let is_due = is_end || is_line || below == rows_needed(rows, above..count, shape);
            let is_wrong = || {
                is_end
                    && above == 1
                    && number.is_none()
                    && shape.cols() != 2
                    && below == shape.rows()
                    && (1..count).all(|at| rows.width(at) == shape.cols())
            };
            if is_due && rows.read(above..count, format).is_ok() || is_wrong() {
                self.take_head(above, Some(shape), number);
                return true;
            }
        }
        if !is_end {
            return false;
        }
        let (first, next) = (rows.text(0).trim(), rows.text(1).trim());
        let is_tile = next.len() < 3 && next.bytes().all(|byte| byte.is_ascii_digit());
        let is_digits = next.len() == first.len() && rows.word_count(1) == 1;
        let is_above = number.is_some()
            && !is_tile
            && !is_digits
            && !rows.has_title()
            && rows.classify(1, self.format(), self.block.is_list).0 != Kind::Wrong;
        if is_above {
            self.take_head(1, None, number);
        } else if has_gap {
            // The first row is none of those below the blank line.
            let below = self.block.rows.split_off(1);
            (self.block.is_sized, self.block.has_gap) = (true, false);
            self.end_rows(false);
            self.block.is_lost = false;
            self.block.rows = below;
        }
        true
    }

    /// Reads the rows as soon as they are a board of the expected shape.
    fn push_to_shape(&mut self, shape: Shape) {
        let format = self.format();
        let rows = &self.block.rows;
        let count = rows.list.len();
        let needed = rows_needed(rows, 0..rows.list.len(), shape);
        let is_given = self.format.shape.is_some();
        // A number that is no row of this shape may be the size of the next boards.
        if !is_given
            && count == needed + 1
            && needed == shape.rows()
            && rows.word_count(needed) != shape.cols()
            && rows.word_count(needed) < 3
            && frame::size(rows.text(needed)).is_some()
        {
            let head = self.block.rows.split_off(needed);
            self.pause();
            self.block.rows = head;
            return;
        }
        // A line as long as a board is one by itself, or a line of a table.
        let is_wide = [0, count - 1].map(|at| rows.is_wide(at, format));
        if is_wide[0] != is_wide[1] {
            let own = self.block.rows.split_off(count - 1);
            self.end_rows(true);
            self.block.is_lost &= !is_wide[0];
            if self.block.is_lost {
                self.skip(own.text(0));
            } else {
                self.block.rows = own;
            }
            return;
        }
        // Without a caller's shape, the size may be smaller than a board, so the rows of the next
        // one decide.
        let complete = if is_given { needed } else { 2 * needed };
        if self.block.is_titled || is_wide[0] || rows.has_title() || count < complete {
            return;
        }
        let is_beyond = |cell: &&str| {
            grid::number(cell).is_some_and(|number| number > shape.cell_count() as u64)
        };
        let is_next_beyond = count > needed && rows.table_line(needed).cells.iter().any(is_beyond);
        let end = if is_next_beyond { count } else { needed };
        let mut rows = std::mem::take(&mut self.block.rows);
        let board = rows.read(0..end, format);
        let is_good = board.is_ok();
        self.give_rows(&rows, 0..end, board);
        rows.drop_first(end);
        let is_next_good =
            is_given || rows.is_empty() || rows.read(0..rows.list.len(), format).is_ok();
        self.block.rows = rows;
        if !is_good || !is_next_good {
            self.block.is_lost = true;
            let rows = std::mem::take(&mut self.block.rows);
            if let [first, .., last] | [first @ last] = &rows.list[..] {
                self.block.skipped = Some((first.line, last.line, rows.text(0).to_owned()));
            }
        }
    }

    /// Ends the rows of the block, skipped ones too.
    fn end_block(&mut self, is_cut: bool) {
        self.end_skipped();
        self.end_rows(is_cut);
    }

    /// Gives the boards or the errors of the rows that wait. `is_cut` if they may be the first rows
    /// of a larger board: something follows that is none, or more rows than a board has.
    fn end_rows(&mut self, is_cut: bool) {
        self.drop_end_mark();
        self.end_head(true);
        let format = self.format();
        let rows = std::mem::take(&mut self.block.rows);
        let from = usize::from(std::mem::take(&mut self.block.is_given));
        let all = 0..rows.list.len();
        if all.len() <= from {
            return;
        }
        // The last board of a list may also be the first row of a larger one.
        if from == 1
            && let Some(first) = rows.list[0].alone
            && let Ok(second) = rows.read(all.clone(), format)
        {
            let (first, second) = (Box::new(first.board), Box::new(second));
            let error = TextErrorKind::Ambiguous { first, second };
            return self.give_rows(&rows, all, Err(error.into()));
        }
        let all = from..all.end;
        let (mut kind, mut findings) = rows.classify(from, format, self.block.is_list);
        let is_board = matches!(kind, Kind::Board | Kind::Stack);
        let is_long = all.len() > ROWS_MAX && kind == Kind::Wrong && !self.block.is_list;
        let error = if is_cut && (is_board || is_long) {
            Some(TextErrorKind::Unsure.into())
        } else if self.block.is_titled && kind == Kind::Stack {
            rows.read(all.clone(), format).err()
        } else {
            None
        };
        if let Some(error) = error {
            (kind, findings) = (Kind::Wrong, vec![(all, Err(error))]);
        }
        if let Kind::Table(columns, width) = kind {
            self.known.table = Some((columns, width));
        }
        self.give_all(&rows, findings);
        self.block.is_lost = kind == Kind::Wrong && !self.block.is_list;
        self.block.is_list |= matches!(kind, Kind::Table(..) | Kind::List);
    }

    /// Removes zeros at the end of boards below a size.
    fn drop_end_mark(&mut self) {
        let rows = &self.block.rows;
        let count = rows.list.len();
        let Some(shape) = self.known.shape.filter(|_| count > 0) else { return };
        let is_zero = matches!(rows.text(count - 1).trim(), "0" | "0 0");
        let needed = rows_needed(rows, 0..rows.list.len(), shape);
        if !is_zero || count <= needed || !(count - 1).is_multiple_of(needed) {
            return;
        }
        // A column may go on after its number of cells.
        let written = rows.written(count - 1 - needed..count - 1, self.format());
        if written.is_none_or(|written| written.has_blank || needed < shape.cell_count()) {
            self.block.rows.pop();
        }
    }

    /// Opens an array.
    fn open_array(&mut self, text: &str, shape: Option<Shape>, source: Option<usize>) {
        self.known.has_content = true;
        if self.block.rows.list.len() == 1
            && let Some((Some(size), None)) = self.head()
        {
            self.known.shape = Some(size);
            self.block = Block::default();
        }
        let format = self.format();
        let shape = shape.or(format.shape);
        let subject = self.known.subject.take();
        self.array = Some(OpenArray::new(BoardFormat { shape, ..format }, subject));
        if array::list_count(text) < 2 {
            return self.push_array(text, source);
        }
        let inner = text.trim_end_matches(|c: char| c.is_whitespace() || ",;".contains(c));
        let lists = format!("[{inner}]");
        if text.trim_end().ends_with(',') && read_tokens(&lists, &tokens_of(&lists), format).is_ok()
        {
            // The next line may have more rows.
            self.array = None;
            let error = TextErrorKind::Stray { found: ',' }.into();
            return self.give_array((self.line, self.line), text, Err(error));
        }
        self.push_array(&lists, None);
    }

    /// Reads a line of the open array.
    fn push_array(&mut self, line: &str, source: Option<usize>) {
        let Some(mut open) = self.array.take() else { return };
        let is_first = open.lines.is_empty();
        let missing = open.array.missing();
        let tokens = open.push(self.line, line, source);
        for (at, token) in tokens.iter().enumerate() {
            let passed = open.array.pass(&open.text, &tokens, at);
            let is_closed = open.array.depth() == 0 && token.sign == Sign::Close;
            let fault = match passed {
                Err(kind @ TextErrorKind::Unclosed { .. }) => {
                    Some((kind, token.start..open.text.len() - 1))
                }
                Err(kind) => Some((kind, token.range())),
                Ok(()) if is_closed => array::fault_after(&open.text, &tokens[at + 1..]),
                Ok(()) => None,
            };
            if let Some((kind, mark)) = fault {
                // A line that is right by itself ends an array without an end.
                let own = tokens_of(line);
                if let Some(expected) = missing.filter(|_| !is_first)
                    && read_tokens(line, &own, self.format()).is_ok()
                {
                    let end = tokens[0].start;
                    self.give_open(&open, end, TextErrorKind::Unclosed { expected }.into());
                    return self.push_line(line, None);
                }
                let error = BoardTextError::new(kind, &open.text, &[mark]);
                let error = error.at(|at| open.source(at));
                return self.give_open(&open, open.text.len(), error);
            }
            if is_closed {
                self.give_boards(&mut open, token.end);
                (open.start, open.is_part) = (token.end, false);
                if tokens[at + 1..].iter().all(|token| token.sign != Sign::Open) {
                    return;
                }
                open.array = Array::default();
            }
        }
        // The boards of an array of boards are certain at the end of a line.
        if open.array.depth() == 1 && open.array.cell_depth == Some(3) {
            let end = open.text.len();
            self.give_boards(&mut open, end);
            open.is_part = true;
            open.clear();
        }
        if open.text.len() > TEXT_BYTES_MAX {
            self.give_open(&open, open.text.len(), too_long());
            open.is_lost = true;
        }
        if open.is_lost {
            open.clear();
        }
        self.array = Some(open);
    }

    /// Gives the boards of an array up to this place in its text.
    fn give_boards(&mut self, open: &mut OpenArray, end: usize) {
        let of = open.start..end;
        let boards = open.array.take_boards();
        if open.is_lost {
            return;
        }
        let is_whole = !open.is_part && open.array.depth() == 0 && boards.len() < 2;
        if boards.is_empty() && is_whole {
            self.give_part(open, of.clone(), Err(TextErrorKind::Empty.into()));
        }
        for tokens in &boards {
            let board = array::read(&open.text, tokens, open.format);
            let board = board.map_err(|error| error.at(|at| open.source(at)));
            let is_fault =
                board.as_ref().is_err_and(|e| !matches!(e.kind(), TextErrorKind::Ambiguous { .. }));
            let rows = array::row_boards(&open.text, tokens, open.format).filter(|_| is_fault);
            if is_whole && rows.is_none() {
                return self.give_part(open, of, board);
            }
            for (tokens, board) in rows.unwrap_or_else(|| vec![(&tokens[..], board)]) {
                let mut cells = tokens.iter().filter(|token| token.sign.is_cell());
                let from = cells.next().map_or(0, |token| token.start);
                let to = cells.next_back().map_or(from, |token| token.end);
                self.give_part(open, from..to, board);
            }
        }
    }

    /// Gives a board or an error of a part of an array.
    fn give_part(
        &mut self,
        open: &OpenArray,
        part: Range<usize>,
        board: Result<Board, BoardTextError>,
    ) {
        self.known.subject = open.subject;
        self.give_array(open.lines_of(&part), &open.text[part], board);
    }

    /// Gives the error of an array up to this place in its text.
    fn give_open(&mut self, open: &OpenArray, end: usize, error: BoardTextError) {
        if !open.is_lost {
            let end = open.text[..end].trim_end().len().max(open.start);
            self.give_part(open, open.start..end, Err(error));
        }
    }

    /// Ends an array that has no end.
    fn end_array(&mut self) {
        if let Some(open) = self.array.take()
            && let Some(expected) = open.array.missing()
        {
            self.give_open(&open, open.text.len(), TextErrorKind::Unclosed { expected }.into());
        }
    }

    /// Gives a board or an error of an array, which ends the rows above it.
    fn give_array(&mut self, lines: (u64, u64), text: &str, board: Result<Board, BoardTextError>) {
        let is_unclosed =
            |error: &BoardTextError| matches!(error.kind(), TextErrorKind::Unclosed { .. });
        let may_go_on = board.as_ref().is_err_and(|error| !is_unclosed(error));
        let was_lost = self.block.is_lost;
        let subject = self.known.subject.take();
        self.end_block(board.is_err());
        self.known.subject = subject;
        self.give(lines, text, board, None);
        let was_lost = was_lost || self.block.is_lost;
        self.block = Block { has_given: true, ..Block::default() };
        if was_lost || may_go_on && self.format().shape.is_none() {
            // The rows below it may be those of the same board.
            self.block.is_lost = true;
        }
    }

    /// Reads a line of a table whose columns are named.
    fn push_columns(&mut self, line: &str) {
        if is_ruler(line) {
            return;
        }
        let format = self.format();
        let table_line = TableLine::new(line);
        if let Some(named) = self.known.named.filter(|_| !self.known.has_content) {
            // Otherwise the names were words above a board.
            let is_table = table_line.width() == named.width
                && (1..=named.width).any(|at| table_line.field(at).is_some_and(|f| f.len() > 2));
            if !is_table {
                let (at, names) = self.known.header.take().unwrap_or_default();
                self.known.named = None;
                let now = std::mem::replace(&mut self.line, at);
                self.known.has_content = true;
                self.push_line(&names, None);
                self.line = now;
                return self.push_line(line, None);
            }
            self.known.header = None;
        }
        let is_first = !std::mem::replace(&mut self.known.has_content, true);
        if let Some((at, header)) = self.known.header.take() {
            if TableLine::new(&header).is_header_of(&table_line) {
                self.block.title = Some((at, header));
            } else {
                self.known.header = Some((at, header));
                self.give_header();
            }
        } else if is_first && self.known.named.is_none() && table_line.has_names() {
            self.known.header = Some((self.line, line.to_owned()));
            return;
        }
        let (columns, goal) = match (self.columns, self.known.named) {
            (None, Some(named)) => {
                (named.columns(), named.goal.and_then(|goal| table_line.field(goal)))
            }
            (columns, _) => (columns.unwrap_or(Columns::new(1, 1).expect("a column")), None),
        };
        let mut board = table_line.board(columns, format);
        if self.columns.is_none()
            && let Ok(first) = &board
        {
            let goal_column = self.known.named.and_then(|named| named.goal);
            let is_other = |(of, other): &(Columns, Board)| {
                of.first() != columns.first()
                    && Some(of.first()) != goal_column
                    && other.shape() == first.shape()
            };
            let other = table_line.whole_boards(format).into_iter().find(is_other);
            if let Some((of, other)) = other {
                let first = (columns.to_string(), Box::new(*first));
                let second = Some((of.to_string(), Box::new(other)));
                board = Err(TextErrorKind::MayBeTable { first, second }.into());
            }
        }
        if let (Ok(_), Some((_, names))) = (&board, &self.block.title) {
            let names = TableLine::new(names);
            if let Err(kind @ TextErrorKind::ColumnOrder) = names.check_names(columns) {
                board = Err(kind.into());
            }
        }
        let goal = goal.map(|goal| goal.trim_matches(['"', '\'']).to_owned());
        self.give((self.line, self.line), line, board, goal);
    }

    /// Gives a first line that looked like the names of columns, if it is a board.
    fn give_header(&mut self) {
        let Some((at, line)) = self.known.header.take() else { return };
        let board = |columns| TableLine::new(&line).board(columns, self.format()).ok();
        if let Some(board) = self.columns.and_then(board) {
            self.give((at, at), &line, Ok(board), None);
        }
    }

    fn give_all(&mut self, rows: &Rows, findings: Findings) {
        for (of, board) in findings {
            self.give_rows(rows, of, board);
        }
    }

    fn give_rows(&mut self, rows: &Rows, of: Range<usize>, board: Result<Board, BoardTextError>) {
        let own = &rows.list[of.clone()];
        let [first, ..] = own else { return };
        // Dashes between the rows of a board are decoration.
        let is_ruled = first.is_ruled && !own[1..].iter().any(|row| row.is_ruled);
        let is_below =
            is_ruled && self.block.has_given && self.known.subject.is_none() && !self.allows_goals;
        let board = board.and_then(|board| {
            if is_below { Err(TextErrorKind::BelowDashes.into()) } else { Ok(board) }
        });
        let lines = (first.line, own[own.len() - 1].line);
        self.give(lines, &rows.joined(of), board, None);
    }

    fn give_line(&mut self, text: &str, board: Result<Board, BoardTextError>) {
        self.give((self.line, self.line), text, board, None);
    }

    fn give(
        &mut self,
        (first, last): (u64, u64),
        text: &str,
        board: Result<Board, BoardTextError>,
        goal: Option<String>,
    ) {
        let subject = self.known.subject.take();
        self.known.words = None;
        let is_list = |board: &Result<Board, _>| match board {
            Ok(board) => !has_rows(text, board),
            Err(_) => !text.contains(['/', ';', '\n']),
        };
        let board = match subject {
            Some(Subject::Goal) if board.is_ok() && !self.allows_goals => {
                Err(TextErrorKind::CalledGoal.into())
            }
            Some(Subject::Moves) if is_list(&board) => Err(TextErrorKind::CalledMoves.into()),
            Some(Subject::Other(what)) => Err(TextErrorKind::Unsupported { what }.into()),
            _ => board,
        };
        self.block.has_given = true;
        if let Some(announced) = &mut self.known.announced {
            announced.found += 1;
            announced.last_line = last;
            let side = announced.number;
            let shape = board.as_ref().ok().map(Board::shape);
            announced.are_of_side &= shape.is_none_or(|s| (s.rows(), s.cols()) == (side, side));
        }
        self.found.push(FoundBoard { goal, ..found(first, last, text, board) });
    }
}

fn too_long() -> BoardTextError {
    TextErrorKind::TooLong { bytes_max: TEXT_BYTES_MAX }.into()
}

fn found(
    first_line: u64,
    last_line: u64,
    text: &str,
    board: Result<Board, BoardTextError>,
) -> FoundBoard {
    let text = excerpt(text.trim(), SHOWN_CHARS_MAX);
    FoundBoard { first_line, last_line, board, goal: None, text }
}

fn tokens_of(text: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    lex(text, 0, &mut tokens);
    tokens
}

/// Returns whether a line has no sign of a frame: only digits and what separates them.
fn is_plain(line: &str) -> bool {
    line.as_bytes().first().is_some_and(u8::is_ascii_digit)
        && line
            .bytes()
            .all(|b| b.is_ascii_digit() || b == b' ' || b == b'/' || b == b',' || b == b'\t')
        && !line.contains("//")
}

/// Returns whether a line is a single list of cells, which may be a row.
fn is_row(line: &str) -> bool {
    let is_plain =
        |token: &Token| token.sign != Sign::Text && !token.of(line).contains([':', '"', '\'']);
    array::list_count(line) == 1 && tokens_of(line).iter().all(is_plain)
}

/// Returns the number of rows of a shape. A column of cells has a row for each of them.
fn rows_needed(rows: &Rows, mut of: Range<usize>, shape: Shape) -> usize {
    let is_column = !of.is_empty() && of.all(|at| rows.word_count(at) == 1 && rows.width(at) == 1);
    if is_column { shape.cell_count() } else { shape.rows() }
}

/// Returns whether the text of a board has rows of several cells.
fn has_rows(text: &str, board: &Board) -> bool {
    let parts = text.split(|c| "/;[({\n".contains(c));
    let count = parts.filter(|part| part.contains(char::is_alphanumeric)).count();
    (2..board.shape().cell_count()).contains(&count)
}
