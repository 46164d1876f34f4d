//! The kind of the rows of a block, and its boards.
//!
//! The kinds are tried in their order ([`KINDS`]). Rows that are none of them are one error.

use std::ops::Range;

use pdb_core::{Board, Shape};

use super::row::{self, Row};
use super::table::{Columns, TableLine};
use crate::text::error::BoardTextError;
use crate::text::error_kind::TextErrorKind;
use crate::text::format::BoardFormat;

/// Boards or errors, with the rows of each.
pub(super) type Findings = Vec<(Range<usize>, Result<Board, BoardTextError>)>;

/// Kind of rows, as far as it matters for what may follow them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// One board, or boards of several rows.
    Grid,
    /// A board on each line.
    List,
    /// Lines of a table with a board in these columns, and the number of all columns.
    Table(Columns, usize),
    /// No board.
    Wrong,
}

/// Facts about rows that are known before they are read.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Around {
    pub(super) format: BoardFormat,
    /// The size that the caller gives, so that no other may stand above boards.
    pub(super) given: Option<Shape>,
    /// Whether boards on lines are above or below, so that lines with other numbers beside their
    /// cells are rather wrong.
    pub(super) is_among_boards: bool,
    /// Whether a title is above them, so that they are no boards below each other.
    pub(super) is_titled: bool,
    /// Whether more rows follow without a blank line.
    pub(super) goes_on: bool,
}

/// Boards of rows.
#[derive(Debug)]
pub(super) struct Reading {
    pub(super) kind: Kind,
    pub(super) findings: Findings,
    /// The size and the number above the boards.
    pub(super) shape: Option<Shape>,
    pub(super) number: Option<usize>,
    /// The first row that waits for others.
    pub(super) rest: usize,
}

impl Reading {
    fn new(kind: Kind, findings: Findings, rows: &[Row]) -> Self {
        Self { kind, findings, shape: None, number: None, rest: rows.len() }
    }

    fn wrong(error: BoardTextError, rows: &[Row]) -> Self {
        Self::new(Kind::Wrong, vec![(0..rows.len(), Err(error))], rows)
    }

    /// Returns the reading of rows that were read without the first ones.
    fn below(mut self, above: usize) -> Self {
        self.rest += above;
        for (of, _) in &mut self.findings {
            *of = of.start + above..of.end + above;
        }
        self
    }
}

/// Reads rows as one kind, if they are it.
type Read = fn(&[Row], Around) -> Option<Reading>;

/// The kinds of rows that are no single board, in the order in which they are tried.
const KINDS: [Read; 9] =
    [titled, below_words, below_size, below_number, stacked, wrong_size, list, table, lines];

/// Reads rows, of which there is at least one, as the first kind that they are.
pub(super) fn read(rows: &[Row], around: Around) -> Reading {
    // No board has more rows than wait.
    let whole = if around.goes_on {
        Err(TextErrorKind::Unsure.into())
    } else {
        row::read(rows, around.format)
    };
    let error = match whole {
        Ok(board) => return Reading::new(Kind::Grid, vec![(0..rows.len(), Ok(board))], rows),
        Err(error) => error,
    };
    if matches!(error.kind(), TextErrorKind::Ambiguous { .. }) {
        return Reading::wrong(error, rows);
    }
    let reading = KINDS.iter().find_map(|kind| kind(rows, around));
    reading.unwrap_or_else(|| Reading::wrong(error, rows))
}

/// Reads rows with titles among them. A title is a wrong row if they are not boards, also among
/// boards of a size.
fn titled(rows: &[Row], around: Around) -> Option<Reading> {
    if !rows.iter().any(|row| row.is_title) {
        return None;
    }
    let error = || row::read(rows, around.format).err();
    let wrong = || Some(Reading::wrong(error()?, rows));
    let sized = || stacked(rows, around).filter(|_| around.given.is_some());
    parts(rows, around).or_else(sized).or_else(|| wrong_size(rows, around)).or_else(wrong)
}

/// Reads rows of numbers below a line that can be none of them: a title of a board with its blank,
/// such as `A` and `Level 1 - easy`, or letters that name the columns.
fn below_words(rows: &[Row], around: Around) -> Option<Reading> {
    let [first, others @ ..] = rows else { return None };
    let next = others.first().filter(|_| !others.iter().any(Row::has_words))?;
    if first.are_names_of(next) {
        let below = read(others, around).below(1);
        return below.findings.iter().all(|(_, board)| board.is_ok()).then_some(below);
    }
    let is_title = !around.goes_on
        && first.is_title_above(next)
        && first.table_line().whole_boards(around.format).is_empty();
    let written = row::written(others, around.format).filter(|_| is_title)?;
    let findings = vec![(1..rows.len(), Ok(written.board))];
    written.has_blank.then(|| Reading::new(Kind::Grid, findings, rows))
}

/// Reads rows with titles among them: each of their parts is one board, with its blank if a title
/// is below it. Otherwise a title is a wrong row of one board.
fn parts(rows: &[Row], around: Around) -> Option<Reading> {
    let titles = (0..rows.len()).filter(|at| rows[*at].is_title);
    let mut start = 0;
    let mut all = Reading::new(Kind::Grid, Vec::new(), rows);
    for end in titles.chain([rows.len()]) {
        if end == rows.len() && around.goes_on {
            // The last board above a title waits for the one below it.
            let (of, _) = all.findings.pop()?;
            all.rest = of.start;
            break;
        }
        // Of several lines of words, the first is the title.
        if end > start || end == rows.len() {
            let format = BoardFormat { shape: around.format.shape.or(all.shape), ..around.format };
            let part = rows.get(start..end).filter(|part| !part.is_empty())?;
            let around = Around { format, is_titled: true, goes_on: false, ..around };
            let reading = read(part, around).below(start);
            let [(of, Ok(_))] = &reading.findings[..] else { return None };
            let format = BoardFormat { shape: format.shape.or(reading.shape), ..format };
            if end < rows.len() && !row::written(&rows[of.clone()], format)?.has_blank {
                return None;
            }
            (all.shape, all.number) = (all.shape.or(reading.shape), all.number.or(reading.number));
            all.findings.extend(reading.findings);
        }
        start = end + 1;
    }
    (!all.findings.is_empty()).then_some(all)
}

/// Reads rows as boards below their size.
fn below_size(rows: &[Row], around: Around) -> Option<Reading> {
    below_sizes(rows, around).find(|reading| reading.kind == Kind::Grid)
}

/// Reads rows as boards below their size, of which some are wrong.
fn wrong_size(rows: &[Row], around: Around) -> Option<Reading> {
    below_sizes(rows, around).next()
}

/// Reads rows below a size, or below a number and a size.
fn below_sizes(rows: &[Row], around: Around) -> impl Iterator<Item = Reading> {
    let number = rows[0].number();
    let size = move |at: usize| {
        let row = rows.get(at)?;
        let is_given = |given: Shape| row.size() == Some(given) && row.word_count() != given.cols();
        // Digits behind a 0 are a row if digits are below them.
        let is_row = row.text.trim().starts_with('0') && rows.get(at + 1)?.number().is_some();
        row.size().filter(|_| !is_row && around.given.is_none_or(is_given))
    };
    let sizes = [size(0), number.and_then(|_| size(1))];
    (1..).zip(sizes).filter_map(move |(above, shape)| {
        Some(Reading { number, ..sized(rows, above, shape?, around)? })
    })
}

/// Reads rows as boards below their number, unless the number is the first cell of a column or a
/// row of digits, of which one may be missing.
fn below_number(rows: &[Row], around: Around) -> Option<Reading> {
    let number = rows[0].number()?;
    let (length, next) = (rows[0].text.trim().len(), rows.get(1)?);
    let next_length = next.number().map(|_| next.text.trim().len());
    let is_row = |next: usize| {
        next < 3 || next == length || next.abs_diff(length) == 1 && rows.len() <= next
    };
    if next_length.is_some_and(is_row) {
        return None;
    }
    let below = read(&rows[1..], around).below(1);
    (below.kind != Kind::Wrong).then_some(Reading { number: Some(number), ..below })
}

/// Reads rows as boards below each other.
fn stacked(rows: &[Row], around: Around) -> Option<Reading> {
    match around.format.shape {
        _ if rows.len() < 2 || around.is_titled => None,
        Some(shape) => sized(rows, 0, shape, around),
        None => stack(rows, around.format),
    }
}

/// Returns the number of rows of the board of this shape that begins with a row: a column of cells,
/// a line with all cells, or its rows.
pub(super) fn rows_needed(row: &Row, shape: Shape) -> usize {
    let cells = shape.cell_count();
    match row.only_cell().map(str::len) {
        Some(length) if length == 1 || length == 2 && shape.cols() != 2 => cells,
        _ if row.width() == cells => 1,
        _ => shape.rows(),
    }
}

/// Reads the rows from one on as boards of a size, or of other sizes that stand between them.
/// Returns `None` if the first of them is no board, unless the size is certain.
fn sized(rows: &[Row], from: usize, shape: Shape, around: Around) -> Option<Reading> {
    let mut boards =
        Sized { rows, around, from, at: from, shape, is_due: false, found: Vec::new() };
    boards.read();
    match boards.found.last().map(|(of, _)| of.clone()) {
        _ if around.is_titled && boards.found.len() > 1 => None,
        Some(last) => boards.reading(last),
        None => boards.wrong(),
    }
}

/// Boards of a size in rows.
struct Sized<'a> {
    rows: &'a [Row],
    around: Around,
    /// The first row below the size, and the first one that is no part of a board.
    from: usize,
    at: usize,
    shape: Shape,
    /// Whether a size stands directly above that row.
    is_due: bool,
    found: Findings,
}

impl Sized<'_> {
    /// Reads boards up to a wrong one.
    fn read(&mut self) {
        let (mut has_blank, mut is_column) = (false, false);
        while let Some(row) = self.rows.get(self.at) {
            if has_blank && !self.is_due {
                if self.at + 1 == self.rows.len() && row.is_end_mark() {
                    self.at += 1;
                    return;
                }
                let words = row.word_count();
                let may_be_size = self.around.given.is_none()
                    && words != self.shape.cols()
                    && !(is_column && words == 1);
                if let Some(next) = row.size().filter(|_| may_be_size) {
                    (self.shape, self.is_due) = (next, true);
                    self.at += 1;
                    continue;
                }
            }
            let of = self.at..self.at + rows_needed(row, self.shape);
            let written =
                self.rows.get(of.clone()).and_then(|own| row::written(own, self.format()));
            let Some(written) = written else { return };
            (has_blank, is_column) = (written.has_blank, of.len() == self.shape.cell_count());
            (self.at, self.is_due) = (of.end, false);
            self.found.push((of, Ok(written.board)));
        }
    }

    fn format(&self) -> BoardFormat {
        BoardFormat { shape: Some(self.shape), ..self.around.format }
    }

    /// Returns the rows of the wrong board, if there are enough for it.
    fn wrong_rows(&self) -> Option<&[Row]> {
        let needed = rows_needed(self.rows.get(self.at)?, self.shape);
        self.rows.get(self.at..self.at + needed).filter(|_| !self.is_due)
    }

    /// Returns the error of the rows from one on: that of the wrong board, or of all of them.
    fn error(&self, from: usize) -> (Range<usize>, Result<Board, BoardTextError>) {
        let own = self.wrong_rows().filter(|_| from == self.at).unwrap_or(&self.rows[from..]);
        let error = row::read(own, self.format()).err();
        (from..self.rows.len(), Err(error.unwrap_or_else(|| TextErrorKind::Unsure.into())))
    }

    /// Returns the error of rows without a board, if their size is certain: the caller gives it, or
    /// the rows have its length and number.
    fn wrong(&self) -> Option<Reading> {
        let (rows, shape) = (&self.rows[self.from..], self.shape);
        let is_row = |row: &Row| row.width() == shape.cols();
        let is_certain = match self.from {
            0 => self.around.given.is_some() && !rows[0].is_wide(shape),
            1 => {
                self.rows[0].number().is_none()
                    && shape.cols() != 2
                    && rows.len() == shape.rows()
                    && rows.iter().all(is_row)
            }
            _ => false,
        };
        self.wrong_rows().filter(|_| is_certain)?;
        let reading = Reading::new(Kind::Wrong, vec![self.error(self.from)], self.rows);
        Some(Reading { shape: Some(shape), ..reading })
    }

    /// Returns the boards, of which the last one has these rows.
    fn reading(mut self, last: Range<usize>) -> Option<Reading> {
        let is_complete = self.wrong_rows().is_some();
        if self.around.goes_on && !self.is_due && !is_complete {
            // The rows below the last board may be more of its rows.
            self.found.pop();
            let reading = Reading::new(Kind::Grid, self.found, self.rows);
            let shape = Some(self.shape).filter(|_| !reading.findings.is_empty())?;
            return Some(Reading { shape: Some(shape), rest: last.start, ..reading });
        }
        if self.at == self.rows.len() && !self.is_due {
            let reading = Reading::new(Kind::Grid, self.found, self.rows);
            return Some(Reading { shape: Some(self.shape), ..reading });
        }
        // A single board may be the first rows of a larger one, unless the caller gives its size.
        let is_given = self.around.given.is_some();
        let is_confirmed = is_given && last.len() == self.shape.rows()
            || self.found.len() > 1 && (is_complete || is_given);
        let error = self.error(if is_confirmed { self.at } else { last.start });
        self.found.truncate(self.found.len() - usize::from(!is_confirmed));
        self.found.push(error);
        // The size of wrong boards is uncertain.
        Some(Reading::new(Kind::Wrong, self.found, self.rows))
    }
}

/// Reads rows as several boards of one height and shape below each other. Boards of two heights are
/// an error.
fn stack(rows: &[Row], format: BoardFormat) -> Option<Reading> {
    let of_height = |height: usize| -> Option<Findings> {
        let starts = (0..rows.len()).step_by(height);
        let board = |start: usize| match height {
            1 => Some(rows[start].alone?.board),
            _ => Some(row::written(&rows[start..start + height], format)?.board),
        };
        let first = board(0)?.shape();
        let found = starts.map(|start| {
            let board = board(start).filter(|board| board.shape() == first)?;
            Some((start..start + height, Ok(board)))
        });
        found.collect()
    };
    let heights = (1..=rows.len() / 2).filter(|height| rows.len().is_multiple_of(*height));
    let mut all = heights.filter_map(of_height);
    let findings = all.next()?;
    if let (Some(other), (_, Ok(first))) = (all.next(), &findings[0])
        && let (_, Ok(second)) = &other[0]
    {
        let (first, second) = (Box::new(*first), Box::new(*second));
        return Some(Reading::wrong(TextErrorKind::Ambiguous { first, second }.into(), rows));
    }
    let kind = if findings.len() == rows.len() { Kind::List } else { Kind::Grid };
    Some(Reading::new(kind, findings, rows))
}

/// Reads each row as a board if two different rows of one length are each a whole board. No rows of
/// one board are, because the first of them has the smallest numbers.
fn list(rows: &[Row], around: Around) -> Option<Reading> {
    let mut whole = rows.iter().filter(|row| row.is_whole());
    let first = whole.next()?;
    let is_other = |row: &Row| row.text.trim() != first.text.trim() && row.width() == first.width();
    whole.any(is_other).then(|| Reading::new(Kind::List, each(rows, around.format), rows))
}

/// Returns the board or the error of each row.
fn each(rows: &[Row], format: BoardFormat) -> Findings {
    (0..rows.len()).map(|at| (at..at + 1, read_line(&rows[at], format))).collect()
}

/// Reads wrong rows as lines of a list or a table: they are as long as a board, or none is a board,
/// but a column of one is.
fn lines(rows: &[Row], around: Around) -> Option<Reading> {
    let format = around.format;
    let is_long = |row: &Row| {
        row.has_rows()
            || format.shape.is_some_and(|shape| row.is_wide(shape))
            || row.alone.is_none() && row.table_line().fault(format).is_some()
    };
    let has_column = |row: &Row| !row.table_line().whole_boards(format).is_empty();
    let is_no_board = rows.iter().all(|row| row.alone.is_none());
    let are_lines = rows.iter().all(is_long)
        || is_no_board && (around.is_among_boards || rows.iter().any(has_column));
    if !are_lines {
        return None;
    }
    let is_header = |pair: &[Row]| pair[0].table_line().is_header_of(&pair[1].table_line());
    let header_count = usize::from(rows.windows(2).next().is_some_and(is_header));
    let mut findings = each(rows, format);
    findings.drain(..header_count);
    Some(Reading::new(Kind::Wrong, findings, rows))
}

/// Reads a row as a board of its own. Without one, the error is that of a line of a table, if some
/// columns of it are a board.
fn read_line(row: &Row, format: BoardFormat) -> Result<Board, BoardTextError> {
    row::read(std::slice::from_ref(row), format).map_err(|error| match error.kind() {
        TextErrorKind::Ambiguous { .. } => error,
        _ => row.table_line().fault(format).unwrap_or(error),
    })
}

/// Reads rows as a table, which they are if most of them, and at least two different ones, are a
/// board in the same columns and in no others.
fn table(rows: &[Row], around: Around) -> Option<Reading> {
    let format = around.format;
    if format.blank.is_some() {
        return None;
    }
    let lines: Vec<TableLine<'_>> = rows.iter().map(Row::table_line).collect();
    let ranges: Vec<Vec<(Columns, Board)>> =
        lines.iter().map(|line| line.cell_ranges(format.shape)).collect();
    let mut candidates: Vec<Columns> = Vec::new();
    for (columns, _) in ranges.iter().flatten() {
        if !candidates.contains(columns) {
            candidates.push(*columns);
        }
    }
    let has_names = lines.len() > 1 && lines[0].is_header_of(&lines[1]);
    let body = usize::from(has_names)..lines.len();
    let board_at = |at: usize, columns: Columns| {
        let range = ranges[at].iter().find(|(of, _)| *of == columns);
        range.map(|(_, board)| (at, *board))
    };
    let is_table = |columns: Columns| {
        let boards = || body.clone().filter_map(|at| board_at(at, columns));
        let width = lines[boards().next()?.0].cell_count();
        let mut clear = boards().filter(|(at, _)| ranges[*at].len() == 1);
        let first = clear.next();
        let is_confirmed = first.is_some_and(|(_, first)| clear.any(|(_, board)| board != first));
        let is_certain =
            |(at, _): (usize, Board)| ranges[at].len() == 1 && lines[at].is_certain(columns);
        let is_table = boards().any(is_certain)
            || is_confirmed && !around.is_among_boards && 2 * boards().count() > body.len();
        (boards().all(|(at, _)| lines[at].cell_count() == width) && is_table).then_some(width)
    };
    let mut tables = candidates.iter().filter_map(|of| Some((*of, is_table(*of)?)));
    let (columns, width) = tables.next().filter(|_| tables.next().is_none())?;
    let names = if has_names { lines[0].check_names(columns) } else { Ok(()) };
    let findings = body.map(|at| {
        let board = match (&names, board_at(at, columns)) {
            (Err(error), Some(_)) => Err(error.clone().into()),
            _ => read_table_line(&rows[at], columns, format),
        };
        (at..at + 1, board)
    });
    Some(Reading::new(Kind::Table(columns, width), findings.collect(), rows))
}

/// Reads a row as a line of a table that is known, which may be wrong.
pub(super) fn read_table_line(
    row: &Row,
    columns: Columns,
    format: BoardFormat,
) -> Result<Board, BoardTextError> {
    let line = row.table_line();
    if line.is_goal() {
        return Err(TextErrorKind::CalledGoal.into());
    }
    if let Some(board) = line.plain_board(columns, format.shape) {
        return Ok(board);
    }
    match line.board(columns, format) {
        // The other lines write the blank as 0.
        Ok(_) => read_line(row, format),
        Err(error) => Err(error),
    }
}
