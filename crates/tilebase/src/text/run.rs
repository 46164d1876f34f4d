//! Rows that stand together, and the kinds of boards that they may be.

use std::ops::Range;

use pdb_core::Board;

use super::grid::{self, WrittenBoard};
use super::lex::{Sign, Token, lex};
use super::table::{Columns, TableLine};
use crate::text::error::BoardTextError;
use crate::text::error_kind::TextErrorKind;
use crate::text::format::BoardFormat;

/// Line that may be a row or a board.
#[derive(Clone, Debug)]
pub(super) struct Row {
    /// Number of the line.
    pub(super) line: u64,
    /// Its place in the text of the rows, and its tokens there.
    text: Range<usize>,
    tokens: Range<usize>,
    /// The place of the line in the whole text, if it stands there as it is.
    source: Option<usize>,
    /// The line as a board of its own.
    pub(super) alone: Option<WrittenBoard>,
    /// Whether the line has each number of a board, which a row of a larger one does not.
    is_whole: bool,
    /// Whether a line of dashes is directly above it.
    pub(super) is_ruled: bool,
    /// Whether it may be the title of the rows below.
    pub(super) is_title: bool,
}

/// Consecutive rows: their text, with a line end after each, and their tokens.
#[derive(Clone, Debug, Default)]
pub(super) struct Rows {
    text: String,
    tokens: Vec<Token>,
    pub(super) list: Vec<Row>,
}

/// Boards or errors of rows, with the rows of each.
pub(super) type Findings = Vec<(Range<usize>, Result<Board, BoardTextError>)>;

/// Kind of the rows of a run, as far as it matters for what may follow them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// One board.
    Board,
    /// Boards of the same height below each other.
    Stack,
    /// A board on each line.
    List,
    /// Lines of a table with a board in these columns, and the number of all columns.
    Table(Columns, usize),
    /// No board.
    Wrong,
}

impl Rows {
    /// Adds a line.
    pub(super) fn push(
        &mut self,
        line: u64,
        written: &str,
        source: Option<usize>,
        is_ruled: bool,
        format: BoardFormat,
    ) {
        let (start, first) = (self.text.len(), self.tokens.len());
        self.text.push_str(written);
        lex(&self.text, start, &mut self.tokens);
        let (text, tokens) = (start..self.text.len(), first..self.tokens.len());
        self.text.push('\n');
        self.tokens.push(Token { sign: Sign::LineEnd, start: text.end, end: text.end + 1 });
        let own = &self.tokens[tokens.clone()];
        let alone = grid::board(&self.text, own, format);
        let is_whole = alone.is_some() || TableLine::of(&self.text, own).is_whole();
        let is_title = false;
        let row = Row { line, text, tokens, source, alone, is_whole, is_ruled, is_title };
        self.list.push(row);
    }

    /// Reads each row as a board of its own again, in another format.
    pub(super) fn read_alone(&mut self, format: BoardFormat) {
        for at in 0..self.list.len() {
            let alone = self.written(at..at + 1, format);
            self.list[at].alone = alone;
        }
    }

    /// Returns whether a row certainly has several rows.
    pub(super) fn has_rows(&self, at: usize) -> bool {
        has_rows(self.tokens(at))
    }

    pub(super) fn has_title(&self) -> bool {
        self.list.iter().any(|row| row.is_title)
    }

    /// Reads rows with titles among them: each of their parts is one board, with its blank if a
    /// title is below it. Otherwise a title is a wrong row of one board.
    fn parts(&self, rows: Range<usize>, format: BoardFormat) -> Option<Findings> {
        let titles = rows.clone().filter(|at| self.list[*at].is_title);
        let mut start = rows.start;
        let mut boards = Vec::new();
        for end in titles.chain([rows.end]) {
            // Of several lines of words, the first is the title.
            if end > start || [rows.start, rows.end].contains(&end) {
                let written = self.written(start..end, format)?;
                if end < rows.end && !written.has_blank {
                    return None;
                }
                boards.push((start..end, Ok(written.board)));
            }
            start = end + 1;
        }
        Some(boards)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    pub(super) fn clear(&mut self) {
        self.text.clear();
        self.tokens.clear();
        self.list.clear();
    }

    /// Removes the first rows.
    pub(super) fn drop_first(&mut self, count: usize) {
        if count >= self.list.len() {
            return self.clear();
        }
        let (text, tokens) = (self.list[count].text.start, self.list[count].tokens.start);
        self.text.drain(..text);
        self.tokens.drain(..tokens);
        self.list.drain(..count);
        for token in &mut self.tokens {
            token.start -= text;
            token.end -= text;
        }
        for row in &mut self.list {
            row.text = row.text.start - text..row.text.end - text;
            row.tokens = row.tokens.start - tokens..row.tokens.end - tokens;
        }
    }

    /// Removes the rows from the given one on, and returns them.
    pub(super) fn split_off(&mut self, at: usize) -> Self {
        if at == 0 {
            return std::mem::take(self);
        }
        let mut rest = self.clone();
        rest.drop_first(at);
        while self.list.len() > at {
            self.pop();
        }
        rest
    }

    /// Removes the last row.
    pub(super) fn pop(&mut self) -> Option<Row> {
        let row = self.list.pop()?;
        self.text.truncate(row.text.start);
        self.tokens.truncate(row.tokens.start);
        Some(row)
    }

    /// Returns the text of a row.
    pub(super) fn text(&self, at: usize) -> &str {
        &self.text[self.list[at].text.clone()]
    }

    pub(super) fn tokens(&self, at: usize) -> &[Token] {
        &self.tokens[self.list[at].tokens.clone()]
    }

    /// Returns the number of words of a row.
    pub(super) fn word_count(&self, at: usize) -> usize {
        self.tokens(at).iter().filter(|token| token.sign.is_cell()).count()
    }

    /// Returns the number of cells of a row.
    pub(super) fn width(&self, at: usize) -> usize {
        grid::width(&self.text, self.tokens(at))
    }

    /// Returns the text of rows in one line.
    pub(super) fn joined(&self, rows: Range<usize>) -> String {
        rows.map(|at| self.text(at).trim()).collect::<Vec<_>>().join("/")
    }

    /// Reads rows as one board.
    pub(super) fn read(
        &self,
        rows: Range<usize>,
        format: BoardFormat,
    ) -> Result<Board, BoardTextError> {
        let Some(last) = rows.end.checked_sub(1).filter(|last| *last >= rows.start) else {
            return Err(TextErrorKind::Empty.into());
        };
        let tokens = self.list[rows.start].tokens.start..self.list[last].tokens.end;
        let read = grid::read(&self.text, &self.tokens[tokens], format);
        read.map_err(|error| {
            let of_row = |at: usize| {
                let row = self.list.iter().find(|row| row.text.end >= at)?;
                Some(row.source? + at.checked_sub(row.text.start)?)
            };
            error.at(of_row)
        })
    }

    /// Returns the columns of a row.
    pub(super) fn table_line(&self, at: usize) -> TableLine<'_> {
        TableLine::of(&self.text, self.tokens(at))
    }

    /// Returns whether a row is a certain board, whatever comes next. Four cells may be the first
    /// row of a larger board, and so may a line whose blank is not written.
    pub(super) fn is_certain(&self, at: usize, format: BoardFormat) -> bool {
        let row = &self.list[at];
        row.alone.is_some_and(|written| {
            let cell_count = written.board.shape().cell_count();
            format.shape.is_some() || self.has_rows(at) || written.has_blank && cell_count != 4
        })
    }

    /// Returns whether two different rows of one length are each a whole board. No rows of one
    /// board are, because the first of them has the smallest numbers.
    pub(super) fn are_list(&self, from: usize) -> bool {
        let mut whole = (from..self.list.len()).filter(|at| self.list[*at].is_whole);
        let Some(first) = whole.next() else { return false };
        let is_other = |at: usize| {
            self.text(at).trim() != self.text(first).trim() && self.width(at) == self.width(first)
        };
        whole.any(is_other)
    }

    /// Reads the rows from the first of these on, as the first kind of board that they are. Among
    /// boards, lines with other numbers beside their cells are rather wrong.
    pub(super) fn classify(
        &self,
        from: usize,
        format: BoardFormat,
        is_among_boards: bool,
    ) -> (Kind, Findings) {
        let all = from..self.list.len();
        let whole = self.read(all.clone(), format);
        let error = match whole {
            Ok(board) => return (Kind::Board, vec![(all, Ok(board))]),
            Err(error) => error,
        };
        if self.has_title() {
            return match self.parts(all.clone(), format) {
                Some(boards) if !is_among_boards => (Kind::List, boards),
                _ => (Kind::Wrong, vec![(all, Err(error))]),
            };
        }
        let is_ambiguous = matches!(error.kind(), TextErrorKind::Ambiguous { .. });
        if is_ambiguous && (all.len() == 1 || format.shape.is_some()) {
            return (Kind::Wrong, vec![(all, Err(error))]);
        }
        if all.len() > 1 && format.shape.is_none() {
            match self.stack(all.clone(), format) {
                Some(Ok(boards)) if !is_ambiguous => {
                    let kind = if boards.len() == all.len() { Kind::List } else { Kind::Stack };
                    return (kind, boards);
                }
                Some(Err(error)) => return (Kind::Wrong, vec![(all, Err(error))]),
                _ => {}
            }
        }
        if is_ambiguous {
            return (Kind::Wrong, vec![(all, Err(error))]);
        }
        let each = |kind| {
            let boards = all.clone().map(|at| (at..at + 1, self.read_line(at, format)));
            (kind, boards.collect())
        };
        if all.len() > 1 && self.are_list(from) {
            return each(Kind::List);
        }
        if let Some(table) = self.table(all.clone(), format, is_among_boards) {
            return table;
        }
        let is_like_board = |at: usize| {
            let row = &self.list[at];
            self.has_rows(at)
                || self.is_wide(at, format)
                || row.alone.is_none()
                    && (grid::is_like_square(&self.text, self.tokens(at), format.blank)
                        || self.table_line(at).fault(format).is_some())
        };
        let has_column = |at: usize| !self.table_line(at).whole_boards(format).is_empty();
        let has_names =
            all.len() > 1 && self.table_line(from).is_header_of(&self.table_line(from + 1));
        let are_boards = all.clone().all(is_like_board)
            || is_among_boards && all.clone().all(|at| self.list[at].alone.is_none())
            || all.clone().all(|at| self.list[at].alone.is_none()) && all.clone().any(has_column);
        if are_boards {
            let (kind, mut boards): (Kind, Findings) = each(Kind::Wrong);
            boards.drain(..usize::from(has_names));
            return (kind, boards);
        }
        (Kind::Wrong, vec![(all, Err(error))])
    }

    /// Returns whether a row has about the length of a whole board of the known shape.
    pub(super) fn is_wide(&self, at: usize, format: BoardFormat) -> bool {
        format.shape.is_some_and(|shape| {
            let width = match self.word_count(at) {
                1 => self.width(at),
                count => count,
            };
            2 * width >= shape.cols() + shape.cell_count()
        })
    }

    /// Returns the board that rows are, if they are one.
    pub(super) fn written(&self, rows: Range<usize>, format: BoardFormat) -> Option<WrittenBoard> {
        let ([first, .., last] | [first @ last]) = self.list.get(rows)? else { return None };
        let tokens = first.tokens.start..last.tokens.end;
        grid::board(&self.text, &self.tokens[tokens], format)
    }

    /// Reads a row as a board of its own. Without one, the error is that of a line of a table, if
    /// some columns of it are a board.
    pub(super) fn read_line(
        &self,
        at: usize,
        format: BoardFormat,
    ) -> Result<Board, BoardTextError> {
        self.read(at..at + 1, format).map_err(|error| match error.kind() {
            TextErrorKind::Ambiguous { .. } => error,
            _ => self.table_line(at).fault(format).unwrap_or(error),
        })
    }

    /// Reads rows as several boards of one shape below each other.
    fn stack(
        &self,
        rows: Range<usize>,
        format: BoardFormat,
    ) -> Option<Result<Findings, BoardTextError>> {
        let mut found: Option<Findings> = None;
        for height in (1..=rows.len() / 2).filter(|height| rows.len().is_multiple_of(*height)) {
            let starts = rows.clone().step_by(height);
            let boards: Option<Findings> = starts
                .map(|start| {
                    let own = start..start + height;
                    let board = match height {
                        1 => self.list[start].alone?.board,
                        _ => self.read(own.clone(), format).ok()?,
                    };
                    Some((own, Ok(board)))
                })
                .collect();
            let shape_of =
                |finding: &(_, Result<Board, _>)| finding.1.as_ref().ok().map(Board::shape);
            let Some(boards) = boards else { continue };
            if boards.iter().any(|board| shape_of(board) != shape_of(&boards[0])) {
                continue;
            }
            if let Some([(_, Ok(first)), ..]) = found.as_deref()
                && let [(_, Ok(second)), ..] = &boards[..]
            {
                let (first, second) = (Box::new(*first), Box::new(*second));
                return Some(Err(TextErrorKind::Ambiguous { first, second }.into()));
            }
            found = Some(boards);
        }
        found.map(Ok)
    }

    /// Reads rows as a table, which they are if most of them, and at least two different ones, are
    /// a board in the same columns and in no others.
    fn table(
        &self,
        rows: Range<usize>,
        format: BoardFormat,
        is_among_boards: bool,
    ) -> Option<(Kind, Findings)> {
        if format.blank.is_some() {
            return None;
        }
        let lines: Vec<TableLine<'_>> = rows.clone().map(|at| self.table_line(at)).collect();
        let ranges: Vec<Vec<(Columns, Board)>> =
            lines.iter().map(|line| line.cell_ranges(format.shape)).collect();
        let mut candidates: Vec<Columns> = Vec::new();
        for (columns, _) in ranges.iter().flatten() {
            if !candidates.contains(columns) {
                candidates.push(*columns);
            }
        }
        let has_names = lines.len() > 1
            && lines[0].cells.iter().all(|cell| grid::number(cell).is_none())
            && ranges[0].is_empty();
        let body = usize::from(has_names)..lines.len();
        let board_at = |at: usize, columns: Columns| {
            ranges[at].iter().find(|(of, _)| *of == columns).map(|(_, board)| *board)
        };
        let is_table = |columns: Columns| {
            let boards = body.clone().filter_map(|at| Some((at, board_at(at, columns)?)));
            let boards: Vec<(usize, Board)> = boards.collect();
            let width = lines[boards.first().map_or(0, |(at, _)| *at)].cells.len();
            let is_alike = |(at, _): &(usize, Board)| lines[*at].cells.len() == width;
            let mut clear = boards.iter().filter(|(at, _)| ranges[*at].len() == 1);
            let first = clear.next();
            let is_confirmed =
                first.is_some_and(|(_, first)| clear.any(|(_, board)| board != first));
            let is_certain =
                |(at, _): &(usize, Board)| ranges[*at].len() == 1 && lines[*at].is_certain(columns);
            let is_table = boards.iter().any(is_certain)
                || is_confirmed && !is_among_boards && 2 * boards.len() > body.len();
            (boards.iter().all(is_alike) && is_table).then_some(width)
        };
        let mut tables = candidates.iter().filter_map(|of| Some((*of, is_table(*of)?)));
        let (columns, width) = tables.next().filter(|_| tables.next().is_none())?;
        let names = if has_names { lines[0].check_names(columns) } else { Ok(()) };
        let boards = body.map(|at| {
            let board = match board_at(at, columns) {
                Some(_) if names.is_err() => Err(names.clone().expect_err("names").into()),
                _ => self.read_table_line(rows.start + at, &lines[at], columns, format),
            };
            (rows.start + at..rows.start + at + 1, board)
        });
        Some((Kind::Table(columns, width), boards.collect()))
    }

    /// Reads a row as a line of a table that is known, which may be wrong.
    pub(super) fn read_table_line(
        &self,
        at: usize,
        line: &TableLine<'_>,
        columns: Columns,
        format: BoardFormat,
    ) -> Result<Board, BoardTextError> {
        if line.is_goal() {
            return Err(TextErrorKind::CalledGoal.into());
        }
        if let Some(board) = line.plain_board(columns, format.shape) {
            return Ok(board);
        }
        match line.board(columns, format) {
            // The other lines write the blank as 0.
            Ok(_) => self.read_line(at, format),
            Err(error) => Err(error),
        }
    }
}

/// Returns whether the tokens of a line certainly have several rows.
fn has_rows(tokens: &[Token]) -> bool {
    let parts = |sign: Sign| {
        let parts = tokens.split(|token| token.sign == sign);
        parts.filter(|part| part.iter().any(|token| token.sign.is_cell())).count()
    };
    let has = |sign: Sign| tokens.iter().any(|token| token.sign == sign);
    // Semicolons may separate cells.
    let has_cells = || {
        tokens
            .split(|token| token.sign == Sign::Semi)
            .any(|part| part.iter().filter(|token| token.sign.is_cell()).count() > 1)
    };
    has(Sign::Slash) && parts(Sign::Slash) > 1
        || has(Sign::Semi) && parts(Sign::Semi) > 1 && has_cells()
}
