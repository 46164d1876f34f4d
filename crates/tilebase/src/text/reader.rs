//! Many boards, line by line.
//!
//! Lines without a blank line, a label or an array between them are a run. Its first rows decide
//! what it is:
//!
//! 1. A line that is a board and can be no row of a larger one makes the run a list: each line is
//!    a board or an error of its own, at once. So do two different lines that are boards.
//! 2. Other rows wait for the end of the run, for at most [`ROWS_MAX`] lines. With a shape, they
//!    are a board as soon as there are enough. The [kinds](super::run::Kind) are tried in their
//!    order.
//! 3. A line of one or two numbers above rows is their size if a board of that size follows.
//! 4. A title ends the rows above it, but it may also be a wrong row: they are a board only if the
//!    rows below it are exactly one.
//! 5. After an error, the rest of the run is skipped up to a line that is certainly a board.

use std::ops::Range;

use pdb_core::excerpt::{excerpt, printable};
use pdb_core::{Board, CELLS_MAX, Shape};

use super::array::{self, Nesting, read_tokens};
use super::found::FoundBoard;
use super::frame::{self, Label, Subject, is_ruler, is_title};
use super::grid;
use super::lex::{Sign, Token, ends_line, lex, narrow};
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
    run: Run,
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
    /// The row above a line, if it has a number.
    row: Option<usize>,
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

/// Way in which the lines of a run are read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Mode {
    /// The rows wait.
    #[default]
    Open,
    /// Each line is a board. The first of the rows is the last board, if it may also be a row.
    List,
    /// The lines are skipped.
    Lost,
}

/// Lines without a blank line between them.
#[derive(Clone, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each says one thing of the lines above")]
struct Run {
    mode: Mode,
    rows: Rows,
    /// Number of boards that were returned.
    board_count: usize,
    /// The last line of dashes.
    dashes: Option<u64>,
    /// Whether a line was a board.
    has_line: bool,
    /// Whether the first of the rows was returned as a board, but may also be a row.
    has_given: bool,
    /// Whether the lines of the list are boards without separated rows.
    is_flat: bool,
    /// Whether a line of words is above the rows.
    is_titled: bool,
    /// That line, while it may be a row of letters.
    title: Option<(u64, String)>,
    /// The rows above the title: the boards, and the error that they are if none follows.
    above: Option<(Vec<FoundBoard>, FoundBoard)>,
    /// Whether the rows are below a size.
    is_below_head: bool,
    /// Whether a blank line is below the first row, which is a number or a size.
    is_head_apart: bool,
    /// Whether a blank line is above the last rows, whose labels go on: the first of them.
    gap: Option<usize>,
    /// The lines that were skipped: the first, the last, and the text of the first.
    skipped: Option<(u64, u64, String)>,
}

/// Array that is not closed.
#[derive(Clone, Debug)]
struct OpenArray {
    text: String,
    tokens: Vec<Token>,
    /// The numbers of its lines, where they begin in its text, and where in the whole text.
    lines: Vec<(u64, usize, Option<usize>)>,
    nesting: Nesting,
    /// Number of brackets around the first token.
    depth: usize,
    format: BoardFormat,
    subject: Option<Subject>,
    /// Whether it was too long and is skipped until its end.
    is_lost: bool,
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
            run: Run::default(),
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
            self.end_run(true);
            self.give_line(text, Err(too_long()));
            self.run.has_line = true;
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
        self.run.is_head_apart = false;
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
        self.whole.is_none() && self.run.rows.list.len() == 1 && self.head().is_some()
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
        if self.array.is_none() && self.run.gap.is_none() && is_plain(line) && !self.has_columns() {
            return self.push_body(line, source);
        }
        if self.array.is_none() && !self.has_columns() {
            if Instance::begins(line) && self.run.rows.list.len() == 1 {
                let head = self.run.rows.text(0).to_owned();
                let first = self.run.rows.list[0].line;
                self.run = Run::default();
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
            self.end_run(true);
            self.whole = Some(Whole::Model);
            return self.give_line(line, Err(TextErrorKind::Model.into()));
        }
        let (label, rest) = match frame::label(line).filter(|label| self.is_label(label, line)) {
            Some((label, rest)) => (Some(label), rest),
            None => (None, line),
        };
        if self.run.gap.is_some_and(|gap| gap == self.run.rows.list.len())
            && !matches!(label, Some(Label::Row(_)))
        {
            self.run.gap = None;
            self.pause();
        }
        if let Some(label) = label {
            self.push_label(label, line);
            if rest.trim().is_empty() || self.run.mode == Mode::Lost {
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
        if array::is_array(value.text) && (value.shape.is_some() || !is_row(value.text)) {
            let at = value.text.as_ptr().addr() - line.as_ptr().addr();
            return self.open_array(value.text, value.shape, source.map(|source| source + at));
        }
        let text = value.text.trim_end_matches([',', ';']);
        let is_list = array::is_array(text);
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
        let last = self.run.rows.list.len().checked_sub(1);
        let width = || grid::width(&line, &tokens_of(&line));
        !(has_rows && alone(&line)
            || self.array.is_none() && last.is_some_and(|at| self.run.rows.width(at) == width()))
    }

    /// Returns whether the start of a line is a label, not a part of the board.
    fn is_label(&self, (label, rest): &(Label, &str), line: &str) -> bool {
        // A board may have its length beside it.
        let has_column = || TableLine::new(line).fault(self.format()).is_some();
        *label != Label::Item && (!rest.is_empty() || line.trim().ends_with(':') || !has_column())
            || *label == Label::Item && array::is_array(rest)
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
        let above = std::mem::replace(&mut self.known.row, number);
        let goes_on = above.or(number).is_none()
            || above.zip(number).is_some_and(|(above, number)| number == above + 1);
        if goes_on {
            return;
        }
        if number.is_some_and(|number| number < 2) {
            self.run.gap = self.run.gap.filter(|gap| *gap < self.run.rows.list.len());
            self.pause();
            self.known.row = number;
            return;
        }
        let rows = &self.run.rows;
        let first = rows.list.first().map_or(self.line, |row| row.line);
        let text = [&rows.joined(0..rows.list.len()), line].join("/");
        self.run.rows.clear();
        self.run.gap = None;
        self.give((first, self.line), &text, Err(TextErrorKind::RowOrder.into()), None);
        self.run.mode = Mode::Lost;
    }

    fn push_blank(&mut self) {
        let rows = self.run.rows.list.len();
        let may_go_on = self.run.gap.is_none_or(|gap| gap == rows);
        if self.array.is_none() && self.known.row.is_some() && rows > 0 && may_go_on {
            // The next line may go on from the labels.
            self.run.gap = Some(rows);
            return;
        }
        if self.array.is_none() && self.head().is_some() && rows == 1 {
            self.run.is_head_apart = true;
            return;
        }
        self.pause();
    }

    /// Ends the array and the run.
    fn pause(&mut self) {
        self.end_array();
        self.end_run(false);
        self.run = Run::default();
        self.known.row = None;
    }

    /// Reads a line without a frame.
    fn push_body(&mut self, line: &str, source: Option<usize>) {
        self.known.has_content = true;
        if is_ruler(line) {
            if frame::is_dashes(line) {
                self.run.dashes = Some(self.line);
            }
            return;
        }
        if line.chars().all(|c| c.is_whitespace() || ",;/".contains(c)) {
            return;
        }
        let is_ruled = self.run.dashes == Some(self.line - 1);
        let format = self.format();
        self.run.rows.push(self.line, line, source, is_ruled, format);
        let at = self.run.rows.list.len() - 1;
        if self.push_known(at) {
            return;
        }
        let is_board = self.run.rows.list[at].alone.is_some();
        let is_row_of_letters = at == 0 && self.run.title.is_some() && self.is_like_title(line);
        let is_words = !is_board
            && !is_row_of_letters
            && is_title(line)
            && self.run.rows.table_line(at).whole_boards(format).is_empty();
        if is_words && self.push_title(at, line) {
            return;
        }
        match self.run.mode {
            Mode::Lost => self.skip(at),
            Mode::List if is_board => {
                if self.run.is_flat || self.run.rows.is_certain(at, format) {
                    self.push_to_list(at);
                }
            }
            Mode::List => {}
            Mode::Open => self.push_row(at),
        }
        if self.run.rows.list.len() > ROWS_MAX {
            self.end_long_run();
        }
    }

    /// Returns whether a row is a line of a table that is known.
    fn push_known(&mut self, at: usize) -> bool {
        let Some((columns, width)) = self.known.table else { return false };
        let line = self.run.rows.table_line(at);
        let format = self.format();
        let is_alone = self.run.rows.list[at].alone.is_some();
        if line.cells.len() != width
            || is_alone && line.cell_ranges(format.shape).iter().all(|(of, _)| *of != columns)
        {
            return false;
        }
        let own = self.run.rows.split_off(at);
        self.end_run(false);
        self.run.mode = Mode::List;
        let board = own.read_table_line(0, columns, format);
        let line = own.text(0).to_owned();
        self.give_line(&line, board);
        true
    }

    /// Holds a title, and returns whether the line is one.
    fn push_title(&mut self, at: usize, line: &str) -> bool {
        let is_first = at == 0;
        match self.run.mode {
            Mode::Lost => return false,
            Mode::List if self.run.is_titled => {
                self.run.rows.pop();
                self.end_run(false);
                return true;
            }
            _ if self.run.has_line && !self.run.is_titled => return false,
            Mode::List => return false,
            Mode::Open => {}
        }
        if is_first && self.run.above.is_none() {
            self.run.rows.clear();
            self.run.title.get_or_insert_with(|| (self.line, line.to_owned()));
            self.known.words.get_or_insert_with(|| (self.line, line.to_owned()));
            self.run.is_titled = true;
            return true;
        }
        if is_first {
            // Of several lines of words, the first is the title.
            self.run.rows.clear();
            return true;
        }
        // The rows above are a board only if they have its blank and one follows.
        let Err(wrong) = self.run.rows.read(0..at + 1, self.format()) else { return false };
        let row = self.run.rows.pop();
        let format = self.format();
        let (kind, findings) = self.run.rows.classify(0, format, self.run.has_line);
        let has_blank =
            || self.run.rows.written(0..at, format).is_some_and(|board| board.has_blank);
        let is_good = findings.iter().all(|(_, board)| board.is_ok())
            && match kind {
                Kind::Board => has_blank(),
                Kind::List | Kind::Table(..) => true,
                Kind::Stack | Kind::Wrong => false,
            };
        if !is_good {
            if let Some(row) = row {
                self.run.rows.push(row.line, line, None, false, format);
            }
            return false;
        }
        let (first, last) = (self.run.rows.list[0].line, self.line);
        let text = format!("{}/{}", self.run.rows.joined(0..at), line.trim());
        let above = self.run.above.take();
        let boards = self.found_of(&findings);
        self.run.rows.clear();
        if let Some((good, _)) = above {
            self.found.extend(good);
        }
        self.run.above = Some((boards, found(first, last, &text, Err(wrong))));
        self.run.title = Some((self.line, line.to_owned()));
        self.run.is_titled = true;
        true
    }

    /// Adds a board to a list.
    fn push_to_list(&mut self, at: usize) {
        let own = self.run.rows.split_off(at);
        self.end_rows(false);
        let format = self.format();
        let row = &own.list[0];
        let may_be_row = format.shape.is_none() && !row.has_rows;
        if let Some(written) = row.alone {
            self.give_rows(&own, 0..1, Ok(written.board));
        }
        self.run.rows = own;
        self.run.has_line = true;
        self.run.has_given = may_be_row;
        if !may_be_row {
            self.run.rows.clear();
        }
        // With a shape, its rows may follow.
        if format.shape.is_some() {
            self.run.mode = Mode::Open;
        }
    }

    /// Skips a row after an error, unless it is certainly a board.
    fn skip(&mut self, at: usize) {
        if self.run.rows.is_certain(at, self.format()) {
            self.end_skipped();
            self.run.mode = Mode::List;
            return self.push_to_list(at);
        }
        let line = self.run.rows.list[at].line;
        let text = self.run.rows.text(at).to_owned();
        let skipped = self.run.skipped.get_or_insert((line, line, text));
        skipped.1 = line;
        self.run.rows.pop();
    }

    fn end_skipped(&mut self) {
        if let Some((first, last, text)) = self.run.skipped.take() {
            self.give((first, last), &text, Err(TextErrorKind::Unsure.into()), None);
        }
    }

    /// Adds a row to those that wait.
    fn push_row(&mut self, at: usize) {
        let format = self.format();
        if at == 0 && self.run.title.is_some() && !self.take_title_as_row() {
            return;
        }
        let at = self.run.rows.list.len() - 1;
        if self.run.rows.is_certain(at, format) {
            let own = self.run.rows.split_off(at);
            if at == 1
                && let Some((_, number)) = self.head()
            {
                let line = self.run.rows.list[0].line;
                self.announce(number, line);
                self.run.rows.clear();
            }
            self.end_rows(false);
            self.end_skipped();
            self.run.mode = Mode::List;
            self.run.rows = own;
            return self.push_to_list(0);
        }
        if let Some((_, number)) = self.head() {
            let cols = self.format.shape.map(Shape::cols);
            let words = self.run.rows.word_count(at);
            let is_number = cols.is_some_and(|cols| cols > 1 && words == cols);
            if at != 1 || !is_number || number.is_none() {
                return self.push_below_head();
            }
            let line = self.run.rows.list[0].line;
            self.announce(number, line);
            self.run.rows.drop_first(1);
        }
        match format.shape {
            Some(shape) => self.push_to_shape(shape),
            None if self.run.rows.are_list(0) => {
                let (kind, findings) = self.run.rows.classify(0, format, self.run.has_line);
                if matches!(kind, Kind::List) {
                    self.run.is_flat = true;
                    self.give_findings(&findings);
                    self.run.rows.clear();
                    self.run.has_line = true;
                    self.run.mode = Mode::List;
                }
            }
            None => {}
        }
    }

    /// Returns whether a row directly below a title is like it, in characters without spaces.
    fn is_like_title(&self, row: &str) -> bool {
        let is_compact = |text: &str| !text.contains(char::is_whitespace);
        self.run.title.as_ref().is_some_and(|(line, title)| {
            let (title, row) = (title.trim(), row.trim());
            line + 1 == self.line
                && is_compact(title)
                && is_compact(row)
                && title.chars().count() == row.chars().count()
        })
    }

    /// Makes a title a row if it may be one like the first row below it, in characters without
    /// spaces. Returns whether the rows go on.
    fn take_title_as_row(&mut self) -> bool {
        let text = self.run.rows.text(0).trim().to_owned();
        let is_alike = self.is_like_title(&text);
        let Some((line, title)) = self.run.title.take().filter(|_| is_alike) else { return true };
        let format = self.format();
        self.run.rows.clear();
        if let Some((_, wrong)) = self.run.above.take() {
            self.found.push(wrong);
            self.run.mode = Mode::Lost;
            return false;
        }
        self.run.rows.push(line, &title, None, false, format);
        self.run.rows.push(self.line, &text, None, false, format);
        self.run.is_titled = false;
        true
    }

    /// Returns the size and the number that the first row may be.
    fn head(&self) -> Option<(Option<Shape>, Option<usize>)> {
        let rows = &self.run.rows;
        if rows.is_empty() || self.run.mode != Mode::Open || rows.list[0].alone.is_some() {
            return None;
        }
        let is_given = |shape: &Shape| self.format.shape.is_none_or(|given| given == *shape);
        let size = frame::size(rows.text(0)).filter(is_given);
        let number = frame::lone_number(rows.text(0)).filter(|_| rows.tokens(0).len() == 1);
        (!self.run.is_below_head)
            .then_some((size, number))
            .filter(|(size, number)| size.is_some() || number.is_some())
    }

    /// Reads the rows below a size as soon as there are enough of them.
    fn push_below_head(&mut self) {
        let count = self.run.rows.list.len();
        for above in 1..count.min(3) {
            let Some(shape) = frame::size(self.run.rows.text(above - 1)) else { continue };
            if self.format.shape.is_some_and(|given| given != shape) {
                continue;
            }
            let format = BoardFormat { shape: Some(shape), ..self.format };
            let is_single = frame::lone_number(self.run.rows.text(above - 1)).is_some();
            let needed = rows_needed(&self.run.rows, above, shape);
            let below = count - above;
            // Rows of two cells look like a size.
            let is_row = !is_single
                && shape.cols() == 2
                && count > shape.rows()
                && self.run.rows.read(above - 1..above - 1 + shape.rows(), format).is_ok();
            if is_row {
                self.run.is_below_head = true;
                return self.push_row(count - 1);
            }
            let is_line = below == 1 && !(is_single && shape.cell_count() == 4);
            if (below == needed || is_line) && self.run.rows.read(above..count, format).is_ok() {
                if above == 2 && frame::lone_number(self.run.rows.text(0)).is_none() {
                    continue;
                }
                let number = frame::lone_number(self.run.rows.text(0));
                let last_line = self.run.rows.list[0].line;
                self.announce(number, last_line);
                self.known.shape = Some(shape);
                self.run.rows.drop_first(above);
                self.run.is_head_apart = false;
                self.run.is_below_head = true;
                let is_whole = below == 1 && needed > 1;
                if is_whole {
                    let (kind, findings) =
                        self.run.rows.classify(0, self.format(), self.run.has_line);
                    debug_assert_ne!(kind, Kind::Wrong);
                    self.give_findings(&findings);
                    self.run.rows.clear();
                    self.run.mode = Mode::List;
                }
                return;
            }
        }
    }

    fn announce(&mut self, number: Option<usize>, last_line: u64) {
        let Some(number) = number else { return };
        // Numbers above several boards, or 0, are values of them.
        self.known.has_numbers |= self.known.announced.is_some() || number == 0;
        self.known.announced = (!self.known.has_numbers).then_some(Announced {
            number,
            found: 0,
            last_line,
            are_of_side: true,
        });
    }

    /// Reads the rows as soon as they are a board of the expected shape.
    fn push_to_shape(&mut self, shape: Shape) {
        let count = self.run.rows.list.len();
        let needed = rows_needed(&self.run.rows, 0, shape);
        let is_given = self.format.shape.is_some();
        // A number that is no row of this shape may be the size of the next boards.
        if !is_given
            && count == needed + 1
            && needed == shape.rows()
            && self.run.rows.word_count(needed) != shape.cols()
            && (frame::size(self.run.rows.text(needed)).is_some())
            && self.run.rows.word_count(needed) < 3
        {
            let head = self.run.rows.split_off(needed);
            self.end_run(false);
            self.run = Run { rows: head, ..Run::default() };
            return;
        }
        // A line as long as a board is one by itself, or a line of a table.
        let is_wide = [0, count - 1].map(|at| self.run.rows.is_wide(at, self.format()));
        if is_wide[0] != is_wide[1] {
            let own = self.run.rows.split_off(count - 1);
            self.end_rows(true);
            if self.run.mode == Mode::Lost && is_wide[0] {
                self.run.mode = Mode::Open;
            }
            self.run.rows = own;
            if self.run.mode == Mode::Lost {
                self.skip(0);
            }
            return;
        }
        if self.run.is_titled || is_wide[0] {
            return;
        }
        let complete = if is_given { needed } else { 2 * needed };
        if count < complete {
            return;
        }
        // Without a caller's shape, the size may be smaller than a board, so the rows of the next
        // one decide.
        let format = self.format();
        let mut rows = std::mem::take(&mut self.run.rows);
        let is_next = |cell: &&str| {
            grid::number(cell).is_none_or(|number| number <= shape.cell_count() as u64)
        };
        let next = count > needed && !rows.table_line(needed).cells.iter().all(is_next);
        let end = if next { count } else { needed };
        let board = rows.read(0..end, format);
        let is_good = board.is_ok();
        self.give_rows(&rows, 0..end, board);
        rows.drop_first(end);
        let is_next_good = rows.is_empty() || rows.read(0..rows.list.len(), format).is_ok();
        self.run.rows = rows;
        if !is_good || !is_given && !is_next_good {
            self.lose();
        }
    }

    /// Skips the rows that are left and those that follow.
    fn lose(&mut self) {
        self.run.mode = Mode::Lost;
        let rows = std::mem::take(&mut self.run.rows);
        if let [first, .., last] | [first @ last] = &rows.list[..] {
            self.run.skipped = Some((first.line, last.line, rows.text(0).to_owned()));
        }
    }

    /// Ends a run that is too long for a board, but may be a list or a table.
    fn end_long_run(&mut self) {
        let format = self.format();
        let from = usize::from(std::mem::take(&mut self.run.has_given));
        let (kind, findings) = self.run.rows.classify(from, format, self.run.has_line);
        let rows = std::mem::take(&mut self.run.rows);
        match kind {
            Kind::Table(columns, width) => {
                self.known.table = Some((columns, width));
                self.run.mode = Mode::List;
                self.give_all(&rows, &findings);
            }
            Kind::List => {
                self.run.mode = Mode::List;
                self.give_all(&rows, &findings);
            }
            _ if self.run.mode == Mode::List => self.give_all(&rows, &findings),
            _ => {
                let error = TextErrorKind::TooManyRows { rows_max: ROWS_MAX }.into();
                self.give_rows(&rows, 0..rows.list.len(), Err(error));
                self.run.mode = Mode::Lost;
            }
        }
    }

    /// Ends the rows of the run; `is_wrong` if something follows that is no board, so that they may
    /// be the first rows of a larger one.
    fn end_run(&mut self, is_wrong: bool) {
        self.end_skipped();
        self.end_rows(is_wrong);
        if let Some((good, wrong)) = self.run.above.take() {
            // A title without a board below it is a wrong row.
            let _ = good;
            self.found.push(wrong);
        }
        self.end_skipped();
    }

    fn end_rows(&mut self, is_wrong: bool) {
        let format = self.format();
        if self.run.mode == Mode::List {
            return self.end_list(format);
        }
        self.drop_end_mark();
        if self.run.rows.is_empty() || self.run.mode == Mode::Lost {
            return;
        }
        let from = self.end_head();
        if from >= self.run.rows.list.len() {
            self.run.rows.clear();
            return;
        }
        let format = if self.known.shape.is_some() { self.format() } else { format };
        let (mut kind, mut findings) = self.run.rows.classify(from, format, self.run.has_line);
        let all = from..self.run.rows.list.len();
        let are_good = findings.iter().all(|(_, board)| board.is_ok());
        if is_wrong && are_good && kind != Kind::List && !matches!(kind, Kind::Table(..)) {
            kind = Kind::Wrong;
            findings = vec![(all.clone(), Err(TextErrorKind::Unended.into()))];
        }
        if let Some(gap) = self.run.gap.take().filter(|gap| from < *gap && *gap < all.end) {
            let parts = [from..gap, gap..all.end]
                .map(|part| (part.clone(), self.run.rows.read(part, format)));
            let are_boards = parts.iter().all(|(_, board)| board.is_ok());
            findings = if are_boards {
                parts.to_vec()
            } else {
                vec![(all.clone(), Err(TextErrorKind::RowOrder.into()))]
            };
        }
        if self.run.is_titled && kind == Kind::Stack {
            findings = vec![(all, self.run.rows.read(from..self.run.rows.list.len(), format))];
            kind = Kind::Wrong;
        }
        if let Kind::Table(columns, width) = kind {
            self.known.table = Some((columns, width));
        }
        let is_good = findings.iter().all(|(_, board)| board.is_ok());
        if let Some((good, wrong)) = self.run.above.take() {
            if is_good {
                self.found.extend(good);
            } else {
                self.found.push(wrong);
            }
        }
        self.give_findings(&findings);
        self.run.rows.clear();
        if kind == Kind::Wrong {
            self.run.mode = Mode::Lost;
        }
    }

    /// Removes zeros at the end of boards below a size.
    fn drop_end_mark(&mut self) {
        let count = self.run.rows.list.len();
        let Some(shape) = self.known.shape.filter(|_| count > 0) else { return };
        let is_zero = matches!(self.run.rows.text(count - 1).trim(), "0" | "0 0");
        let needed = rows_needed(&self.run.rows, 0, shape);
        if !is_zero || count <= needed || !(count - 1).is_multiple_of(needed) {
            return;
        }
        // A column may go on after its number of cells.
        let above = count - 1 - needed..count - 1;
        let written = self.run.rows.written(above, self.format());
        if written.is_none_or(|written| written.has_blank || needed < shape.cell_count()) {
            self.run.rows.pop();
        }
    }

    /// Ends the lines of a list below its last board.
    fn end_list(&mut self, format: BoardFormat) {
        let rows = std::mem::take(&mut self.run.rows);
        let from = usize::from(std::mem::take(&mut self.run.has_given));
        let all = 0..rows.list.len();
        if all.len() <= from {
            return;
        }
        // The last board may also be the first row of a larger one.
        if from == 1
            && let Some(first) = rows.list[0].alone
            && let Ok(second) = rows.read(all.clone(), format)
        {
            let (first, second) = (Box::new(first.board), Box::new(second));
            let error = TextErrorKind::Ambiguous { first, second };
            return self.give_rows(&rows, all, Err(error.into()));
        }
        let (kind, findings) = rows.classify(from, format, self.run.has_line);
        if let Kind::Table(columns, width) = kind {
            self.known.table = Some((columns, width));
        }
        self.give_all(&rows, &findings);
    }

    /// Decides what the first row is at the end of a run: a size or a number above the others, or a
    /// row. Returns where the rows begin.
    fn end_head(&mut self) -> usize {
        let Some((size, number)) = self.head() else { return 0 };
        let (rows, is_apart) = (&self.run.rows, self.run.is_head_apart);
        let count = rows.list.len();
        if count == 1 {
            let is_end = matches!(rows.text(0).trim(), "0" | "0 0") && self.known.shape.is_some();
            return usize::from(is_end);
        }
        let format = self.format();
        if !is_apart && rows.read(0..count, format).is_ok() {
            return 0;
        }
        let line = rows.list[0].line;
        // The first is the size of these rows, right or wrong, or the second is.
        for above in 1..count.min(3) {
            let size = if above == 1 { size } else { number.and(frame::size(rows.text(1))) };
            let Some(shape) = size else { continue };
            let is_board = {
                let format = BoardFormat { shape: Some(shape), ..self.format };
                rows.read(above..count, format).is_ok()
            };
            let is_wrong = above == 1
                && number.is_none()
                && shape.cols() != 2
                && count - 1 == shape.rows()
                && (1..count).all(|at| rows.width(at) == shape.cols());
            if is_board || is_wrong {
                self.known.shape = Some(shape);
                self.announce(number, line);
                return above;
            }
        }
        let (first, next) = (rows.text(0).trim(), rows.text(1).trim());
        let is_tile = next.len() < 3 && next.bytes().all(|byte| byte.is_ascii_digit());
        let is_digits = next.len() == first.len() && rows.word_count(1) == 1;
        let (kind, _) = rows.classify(1, format, self.run.has_line);
        if number.is_some() && (is_apart || !is_tile && !is_digits && kind != Kind::Wrong) {
            self.announce(number, line);
            return 1;
        }
        usize::from(is_apart)
    }

    /// Opens an array.
    fn open_array(&mut self, text: &str, shape: Option<Shape>, source: Option<usize>) {
        self.known.has_content = true;
        if self.run.rows.list.len() == 1
            && let Some((Some(size), None)) = self.head()
        {
            self.known.shape = Some(size);
            self.run = Run::default();
        }
        let format = self.format();
        self.array = Some(OpenArray {
            text: String::new(),
            tokens: Vec::new(),
            lines: Vec::new(),
            nesting: Nesting::default(),
            depth: 0,
            format: BoardFormat { shape: shape.or(format.shape), ..format },
            subject: self.known.subject.take(),
            is_lost: false,
        });
        if are_lists(text) {
            let text = text.trim_end();
            let lists = format!(
                "[{}]",
                text.trim_end_matches(|c: char| c.is_whitespace() || ",;".contains(c))
            );
            let is_board = read_tokens(&lists, &tokens_of(&lists), format).is_ok();
            if text.ends_with(',') && is_board {
                self.array = None;
                // The next line may have more rows.
                let error = TextErrorKind::Stray { found: ',' }.into();
                return self.give_array((self.line, self.line), text, Err(error));
            }
            return self.push_array(&lists, None);
        }
        self.push_array(text, source);
    }

    /// Reads a line of the open array.
    fn push_array(&mut self, line: &str, source: Option<usize>) {
        let Some(mut open) = self.array.take() else { return };
        // A board that is no part of an array ends an open one.
        let tokens = tokens_of(line);
        let is_first = open.lines.is_empty();
        let has_bracket =
            tokens.iter().any(|t| matches!(t.sign, Sign::Open | Sign::Close | Sign::Comma));
        if !is_first
            && !has_bracket
            && tokens.iter().any(|token| token.sign == Sign::Slash)
            && grid::board(line, &tokens, self.format()).is_some()
        {
            self.array = Some(open);
            self.end_array();
            return self.push_line(line, None);
        }
        let mut at = open.tokens.len();
        let before = open.nesting.clone();
        let line_start = open.text.len();
        open.lines.push((self.line, line_start, source));
        open.text.push_str(line);
        lex(&open.text, line_start, &mut open.tokens);
        let end = open.text.len();
        open.tokens.push(Token { sign: Sign::LineEnd, start: end, end: end + 1 });
        open.text.push('\n');
        // The boards before this token were given.
        let mut start = 0;
        while at < open.tokens.len() {
            let token = open.tokens[at];
            let passed = open.nesting.pass(&open.text, &open.tokens, at);
            let mut fault = passed.err().map(|kind| match kind {
                TextErrorKind::Unclosed { .. } => (kind, token.start..end),
                _ => (kind, token.range()),
            });
            at += 1;
            let is_closed = open.nesting.depth() == 0 && token.sign == Sign::Close;
            if is_closed && fault.is_none() {
                fault = open.fault_after(at);
            }
            if let Some((kind, mark)) = fault {
                // A line that is right by itself ends an array without an end.
                let is_right = || read_tokens(line, &tokens, self.format()).is_ok();
                if !is_first && is_right() {
                    open.nesting = before;
                    open.lines.pop();
                    self.array = Some(open);
                    self.end_array();
                    return self.push_line(line, None);
                }
                if !open.is_lost {
                    let error = BoardTextError::new(kind, &open.text, &[mark]);
                    let error = error.at(|at| open.source(at));
                    self.known.subject = open.subject;
                    let lines = (open.first_line(), self.line);
                    self.give_array(lines, open.text.trim_end(), Err(error));
                }
                return;
            }
            if is_closed {
                self.give_boards(&open, start..at);
                start = at;
                if open.tokens[at..].iter().all(|token| token.sign != Sign::Open) {
                    return;
                }
                open.nesting = Nesting::default();
                open.depth = 0;
            }
        }
        if open.nesting.depth() == 1 && open.nesting.cell_depth == Some(3) {
            self.give_boards(&open, start..open.tokens.len());
            open.depth = 1;
            start = open.tokens.len();
        }
        if start > 0 {
            open.drop_first(start);
            open.lines = vec![(self.line, 0, None)];
        }
        if open.text.len() > TEXT_BYTES_MAX && !open.is_lost {
            let (first, text) = (open.first_line(), open.text.clone());
            open.is_lost = true;
            self.give_array((first, self.line), &text, Err(too_long()));
        }
        if open.is_lost {
            open.text.clear();
            open.tokens.clear();
            open.lines.clear();
            open.lines.push((self.line, 0, None));
        }
        self.array = Some(open);
    }

    /// Gives the boards in these tokens of an array.
    fn give_boards(&mut self, open: &OpenArray, of: Range<usize>) {
        if open.is_lost {
            return;
        }
        let depth = open.nesting.cell_depth.unwrap_or(1);
        let boards = array::boards(&open.text, &open.tokens[of.clone()], depth, open.depth);
        let whole = open.tokens[of.start].start..open.tokens[of.end - 1].end;
        let is_whole = open.depth + open.nesting.depth() == 0 && boards.len() < 2;
        if boards.is_empty() && is_whole {
            self.give_part(open, whole.clone(), Err(TextErrorKind::Empty.into()));
        }
        for tokens in &boards {
            let board = array::read(&open.text, tokens, open.format);
            let board = board.map_err(|error| error.at(|at| open.source(at)));
            let is_fault =
                board.as_ref().is_err_and(|e| !matches!(e.kind(), TextErrorKind::Ambiguous { .. }));
            let rows = array::row_boards(&open.text, tokens, open.format).filter(|_| is_fault);
            if is_whole && rows.is_none() {
                return self.give_part(open, whole, board);
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
        let lines = (open.line_at(part.start), open.line_at(part.end));
        self.give_array(lines, &open.text[part], board);
    }

    /// Ends an array that has no end.
    fn end_array(&mut self) {
        let Some(open) = self.array.take() else { return };
        if let Some(expected) = open.nesting.missing().filter(|_| !open.is_lost) {
            let last = open.lines.last().map_or(self.line, |(line, ..)| *line);
            self.known.subject = open.subject;
            let error = TextErrorKind::Unclosed { expected };
            self.give_array((open.first_line(), last), open.text.trim_end(), Err(error.into()));
        }
    }

    /// Gives a board or an error of an array, which ends the rows above it.
    fn give_array(&mut self, lines: (u64, u64), text: &str, board: Result<Board, BoardTextError>) {
        let is_unclosed =
            |error: &BoardTextError| matches!(error.kind(), TextErrorKind::Unclosed { .. });
        let may_go_on = board.as_ref().is_err_and(|error| !is_unclosed(error));
        let was_lost = self.run.mode == Mode::Lost;
        let subject = self.known.subject.take();
        self.end_run(board.is_err());
        self.known.subject = subject;
        self.give(lines, text, board, None);
        let board_count = self.run.board_count;
        let was_lost = was_lost || self.run.mode == Mode::Lost;
        self.run = Run { board_count, ..Run::default() };
        if was_lost || may_go_on && self.format().shape.is_none() {
            // The rows below it may be those of the same board.
            self.run.mode = Mode::Lost;
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
                self.run.title = Some((at, header));
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
        if let (Ok(_), Some((_, names))) = (&board, &self.run.title) {
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

    fn give_findings(&mut self, findings: &Findings) {
        let rows = std::mem::take(&mut self.run.rows);
        self.give_all(&rows, findings);
        self.run.rows = rows;
    }

    fn give_all(&mut self, rows: &Rows, findings: &Findings) {
        for (of, board) in findings {
            self.give_rows(rows, of.clone(), board.clone());
        }
    }

    /// Returns the boards of rows that wait for those below a title.
    fn found_of(&mut self, findings: &Findings) -> Vec<FoundBoard> {
        let before = std::mem::take(&mut self.found);
        self.give_findings(findings);
        std::mem::replace(&mut self.found, before)
    }

    fn give_rows(&mut self, rows: &Rows, of: Range<usize>, board: Result<Board, BoardTextError>) {
        let own = &rows.list[of.clone()];
        let [first, ..] = own else { return };
        // Dashes between the rows of a board are decoration.
        let is_ruled = first.is_ruled && !own[1..].iter().any(|row| row.is_ruled);
        let is_below = is_ruled
            && self.run.board_count > 0
            && self.known.subject.is_none()
            && !self.allows_goals;
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
            Some(Subject::Walls) => Err(TextErrorKind::Walls.into()),
            Some(Subject::Prices) => Err(TextErrorKind::Prices.into()),
            _ => board,
        };
        self.run.board_count += usize::from(board.is_ok());
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

impl OpenArray {
    fn first_line(&self) -> u64 {
        self.lines.first().map_or(0, |(line, ..)| *line)
    }

    /// Removes the first tokens and their text.
    fn drop_first(&mut self, count: usize) {
        let text = self.tokens[count - 1].end;
        self.tokens.drain(..count);
        self.text.drain(..text);
        for token in &mut self.tokens {
            token.start -= text;
            token.end -= text;
        }
    }

    /// Returns the line of a place in the text.
    fn line_at(&self, at: usize) -> u64 {
        let place = self.lines.partition_point(|(_, start, _)| *start <= at);
        self.lines[place.saturating_sub(1)].0
    }

    /// Returns the place in the whole text.
    fn source(&self, at: usize) -> Option<usize> {
        let (_, start, source) = self.lines.iter().rfind(|(_, start, _)| *start <= at)?;
        Some((*source)? + at - start)
    }

    /// Returns the token behind an array that has no place there: neither another array nor the end
    /// of what is around the array.
    fn next_after(&self, at: usize) -> Option<&Token> {
        let is_end = |token: &&Token| match token.sign {
            Sign::Comma | Sign::Semi | Sign::Tab | Sign::LineEnd => true,
            Sign::Close => token.of(&self.text) == ")",
            _ => false,
        };
        let next = self.tokens[at..].iter().find(|token| !is_end(token))?;
        (next.sign != Sign::Open).then_some(next)
    }

    /// Returns the fault of what follows an array, and its place.
    fn fault_after(&self, at: usize) -> Option<(TextErrorKind, Range<usize>)> {
        let next = self.next_after(at)?;
        let first = next.of(&self.text).chars().next()?;
        let kind = match first {
            '}' => TextErrorKind::Object,
            _ => TextErrorKind::Stray { found: printable(first) },
        };
        Some((kind, next.range()))
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
    let tokens = tokens_of(line);
    let ended = tokens.iter().rposition(|t| !matches!(t.sign, Sign::Comma | Sign::Semi));
    let Some(last) = ended.filter(|last| *last > 1) else { return false };
    let (first, inner) = (tokens[0].of(line), &tokens[1..last]);
    let is_closed = tokens[last].sign == Sign::Close
        && first.chars().next().map(array::closing) == tokens[last].of(line).chars().next();
    // An array has no empty cells, but a comma may end it.
    let mut may_separate = false;
    is_closed
        && inner.iter().any(|token| token.sign == Sign::Cell)
        && inner.iter().all(|token| match token.sign {
            Sign::Cell => {
                may_separate = true;
                !token.of(line).contains([':', '"', '\''])
            }
            Sign::Comma => std::mem::take(&mut may_separate),
            Sign::Tab => true,
            _ => false,
        })
}

/// Returns whether a line begins with several lists of cells, and ends outside of them unless
/// something is out of place.
fn are_lists(line: &str) -> bool {
    let tokens = tokens_of(line);
    let mut nesting = Nesting::default();
    let mut count = 0;
    for (at, token) in tokens.iter().enumerate() {
        let is_outside = nesting.depth() == 0;
        // Semicolons in a list make a board of it.
        if !is_outside && matches!(token.sign, Sign::Semi | Sign::Slash) {
            return false;
        }
        if nesting.pass(line, &tokens, at).is_err() {
            return count > 1 && nesting.cell_depth == Some(1);
        }
        count += usize::from(is_outside && token.sign == Sign::Open);
    }
    count > 1 && nesting.depth() == 0 && nesting.cell_depth == Some(1)
}

/// Returns the number of rows of a shape. A column of cells has a row for each of them.
fn rows_needed(rows: &Rows, from: usize, shape: Shape) -> usize {
    let is_column =
        (from..rows.list.len()).all(|at| rows.word_count(at) == 1 && rows.width(at) == 1);
    if is_column && from < rows.list.len() { shape.cell_count() } else { shape.rows() }
}

/// Returns whether the text of a board has rows of several cells.
fn has_rows(text: &str, board: &Board) -> bool {
    let parts = text.split(|c| "/;[({\n".contains(c));
    let count = parts.filter(|part| part.contains(char::is_alphanumeric)).count();
    (2..board.shape().cell_count()).contains(&count)
}
