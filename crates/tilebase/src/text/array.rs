//! Arrays in brackets: JSON, the lists and tuples of Python, and the braces of C and Mathematica.

use std::ops::Range;

use pdb_core::Board;
use pdb_core::excerpt::printable;

use super::frame::Subject;
use super::grid;
use super::lex::{Sign, Token, closing, tokens_of};
use crate::text::TEXT_BYTES_MAX;
use crate::text::error::BoardTextError;
use crate::text::error_kind::TextErrorKind;
use crate::text::format::BoardFormat;

/// Largest depth of arrays: boards, rows, cells.
const DEPTH_MAX: usize = 3;

/// Brackets of an array, which is read token by token.
#[derive(Clone, Debug, Default)]
struct Array {
    /// The open brackets.
    open: Vec<char>,
    /// The depth of cells, after the first one.
    cell_depth: Option<usize>,
    /// Whether a comma may follow.
    may_separate: bool,
    /// The boards so far, each as rows of cells that end with [`Sign::Slash`]. Line ends within a
    /// row stay, and commas, because one at the end of a line shows that the row goes on.
    boards: Vec<Vec<Token>>,
}

impl Array {
    /// Returns the missing bracket of a text that ends too early.
    fn missing(&self) -> Option<char> {
        self.open.last().copied().map(closing)
    }

    /// Returns whether there are several lists of cells beside each other.
    fn has_lists(&self) -> bool {
        let ends_row = |token: &&Token| token.sign == Sign::Slash;
        let has_two = |board: &Vec<Token>| board.iter().filter(ends_row).nth(1).is_some();
        self.cell_depth == Some(1) && self.boards.last().is_some_and(has_two)
    }

    /// Removes the boards so far.
    fn take_boards(&mut self) -> Vec<Vec<Token>> {
        let mut boards = std::mem::take(&mut self.boards);
        boards.retain(|board| board.iter().any(|token| token.sign.is_cell()));
        boards
    }

    /// Advances past the token at `at`, unless it is out of place.
    fn pass(&mut self, text: &str, tokens: &[Token], at: usize) -> Result<(), TextErrorKind> {
        let token = tokens[at];
        let first = token.of(text).chars().next().unwrap_or(' ');
        let stray = Err(TextErrorKind::Stray { found: printable(first) });
        let depth = self.open.len();
        match token.sign {
            Sign::Tab => return Ok(()),
            Sign::Open => {
                if depth == self.cell_depth.unwrap_or(DEPTH_MAX)
                    || first == '{' && is_object(text, tokens.get(at + 1))
                {
                    return stray;
                }
                self.open.push(first);
                self.may_separate = false;
                if self.boards.is_empty() || self.cell_depth == Some(depth + 2) {
                    self.boards.push(Vec::new());
                }
                return Ok(());
            }
            // The bracket of a call around the array.
            Sign::Close if depth == 0 && first == ')' && !self.boards.is_empty() => return Ok(()),
            Sign::Close => {
                if self.missing() != Some(first) {
                    return stray;
                }
                self.open.pop();
                self.may_separate = true;
            }
            // Also allowed after the whole array, which may be a part of a larger one.
            Sign::Comma | Sign::Semi => {
                if !std::mem::take(&mut self.may_separate) {
                    return stray;
                }
            }
            Sign::Cell | Sign::Text if is_name(text, tokens, at) => return Ok(()),
            Sign::Cell | Sign::Text => {
                if token.of(text).starts_with(['"', '\'']) {
                    return Err(TextErrorKind::Unclosed { expected: first });
                }
                if depth == 0 || *self.cell_depth.get_or_insert(depth) != depth {
                    return stray;
                }
                self.may_separate = true;
            }
            Sign::LineEnd => {}
            Sign::Bar | Sign::Slash => return stray,
        }
        if self.cell_depth == Some(depth)
            && let Some(board) = self.boards.last_mut()
        {
            let ends_row = matches!(token.sign, Sign::Close | Sign::Semi);
            board.push(Token { sign: if ends_row { Sign::Slash } else { token.sign }, ..token });
        }
        Ok(())
    }
}

/// Board or error of a part of an array.
pub(super) struct Part {
    /// The first and the last line.
    pub(super) lines: (u64, u64),
    pub(super) text: String,
    pub(super) board: Result<Board, BoardTextError>,
}

/// Boards or errors with their tokens.
type TokenBoards<'t> = Vec<(&'t [Token], Result<Board, BoardTextError>)>;

/// Array that may go on in the next line, or several arrays in one.
#[derive(Clone, Debug)]
pub(super) struct OpenArray {
    array: Array,
    text: String,
    /// The numbers of its first and last line, and the place of the first in the whole text.
    line: u64,
    last_line: u64,
    source: Option<usize>,
    format: BoardFormat,
    pub(super) subject: Option<Subject>,
    /// Whether boards of it were given.
    is_part: bool,
}

impl OpenArray {
    pub(super) fn new(
        (line, source): (u64, Option<usize>),
        format: BoardFormat,
        subject: Option<Subject>,
    ) -> Self {
        Self {
            array: Array::default(),
            text: String::new(),
            line,
            last_line: line,
            source,
            format,
            subject,
            is_part: false,
        }
    }

    /// Reads the next line. Returns the boards that are certain now, and whether the array goes on.
    pub(super) fn push(&mut self, line: u64, text: &str) -> (Vec<Part>, bool) {
        let begin = self.text.len();
        self.line = if begin == 0 { line } else { self.line };
        self.last_line = line;
        self.text.push_str(text);
        self.text.push('\n');
        let mut tokens = tokens_of(&self.text[begin..]);
        for token in &mut tokens {
            (token.start, token.end) = (begin + token.start, begin + token.end);
        }
        for (at, token) in tokens.iter().enumerate() {
            if let Err(kind) = self.array.pass(&self.text, &tokens, at) {
                let error = BoardTextError::new(kind, &self.text, &[token.range()]);
                return (vec![self.fault(error.at(|at| self.source(at)))], false);
            }
        }
        // A comma behind several lists shows that more rows follow.
        let last = tokens.iter().rfind(|token| !matches!(token.sign, Sign::Tab | Sign::LineEnd));
        let goes_on =
            || last.is_some_and(|last| last.sign == Sign::Comma) && self.array.has_lists();
        let mut parts = Vec::new();
        match self.array.open.len() {
            0 if !goes_on() => return (self.boards(), false),
            // The boards of an array of boards are certain at the end of a line.
            1 if self.array.cell_depth == Some(DEPTH_MAX) => {
                parts = self.boards();
                (self.is_part, self.source) = (true, None);
                self.text.clear();
            }
            _ => {}
        }
        if self.text.len() > TEXT_BYTES_MAX {
            let error = TextErrorKind::TooLong { bytes_max: TEXT_BYTES_MAX };
            return (vec![self.fault(error.into())], false);
        }
        (parts, true)
    }

    /// Ends an array below which there is something else.
    pub(super) fn end(&self) -> Part {
        let kind = self.array.missing().map(|expected| TextErrorKind::Unclosed { expected });
        self.fault(kind.unwrap_or(TextErrorKind::Unsure).into())
    }

    /// Takes the boards so far.
    fn boards(&mut self) -> Vec<Part> {
        let boards = self.array.take_boards();
        if boards.is_empty() && self.is_part {
            return Vec::new();
        }
        let whole = 0..self.text.trim_end().len();
        let is_whole = !self.is_part && self.array.open.is_empty() && boards.len() < 2;
        let mut parts = Vec::new();
        for tokens in &boards {
            let rows = match self.read(tokens) {
                Err(error) if !matches!(error.kind(), TextErrorKind::Ambiguous { .. }) => {
                    self.boards_of_rows(tokens).unwrap_or_else(|| vec![(tokens, Err(error))])
                }
                board => vec![(&tokens[..], board)],
            };
            let is_whole = is_whole && rows.len() == 1;
            for (tokens, board) in rows {
                let mut cells = tokens.iter().filter(|token| token.sign.is_cell());
                let from = cells.next().map_or(0, |token| token.start);
                let to = cells.next_back().map_or(from, |token| token.end);
                let of = if is_whole { whole.clone() } else { from..to };
                parts.push(self.part(of, board));
            }
        }
        if boards.is_empty() {
            parts.push(self.part(whole, Err(TextErrorKind::Empty.into())));
        }
        parts
    }

    fn read(&self, tokens: &[Token]) -> Result<Board, BoardTextError> {
        read(&self.text, tokens, self.format).map_err(|error| error.at(|at| self.source(at)))
    }

    /// Reads the rows of an array as boards of their own, if all of them are.
    fn boards_of_rows<'t>(&self, tokens: &'t [Token]) -> Option<TokenBoards<'t>> {
        let rows = tokens.split(|token| token.sign == Sign::Slash);
        let rows = rows.filter(|row| row.iter().any(|token| token.sign.is_cell()));
        let all = rows.map(|row| self.read(row).ok().map(|board| (row, Ok(board))));
        all.collect::<Option<Vec<_>>>().filter(|all| all.len() > 1)
    }

    /// Returns the error of the whole array.
    fn fault(&self, error: BoardTextError) -> Part {
        self.part(0..self.text.trim_end().len(), Err(error))
    }

    fn part(&self, of: Range<usize>, board: Result<Board, BoardTextError>) -> Part {
        let line_ends = |at: usize| self.text[..at].matches('\n').count() as u64;
        let line = |at: usize| self.last_line.min(self.line + line_ends(at));
        Part { lines: (line(of.start), line(of.end)), text: self.text[of].to_owned(), board }
    }

    /// Returns the place in the whole text, of the first line.
    fn source(&self, at: usize) -> Option<usize> {
        self.source.filter(|_| !self.text[..at].contains('\n')).map(|source| source + at)
    }
}

/// Returns whether a line is a single list of plain cells, which may be a row.
pub(super) fn is_row(text: &str, tokens: &[Token]) -> bool {
    let Some(close) = tokens.iter().position(|token| token.sign == Sign::Close) else {
        return false;
    };
    let bracket = |at: usize| tokens[at].of(text).chars().next();
    let is_cell =
        |token: &Token| token.sign == Sign::Cell && !token.of(text).contains([':', '"', '\'']);
    let fits = |at: usize| match tokens[at].sign {
        Sign::Comma => is_cell(&tokens[at - 1]),
        _ => is_cell(&tokens[at]) || tokens[at].sign == Sign::Tab,
    };
    let is_end = |token: &Token| matches!(token.sign, Sign::Comma | Sign::Semi | Sign::Tab);
    close > 1
        && bracket(0).map(closing) == bracket(close)
        && (1..close).all(fits)
        && tokens[close + 1..].iter().all(is_end)
}

/// Returns whether an object follows a brace: nothing, or a key with a colon.
fn is_object(text: &str, next: Option<&Token>) -> bool {
    next.is_some_and(|token| match token.sign {
        Sign::Close => true,
        Sign::Cell => token.of(text).contains(':'),
        _ => false,
    })
}

/// Returns whether a word is the name of a function or a type before a bracket: `vec!`, `List.of`.
fn is_name(text: &str, tokens: &[Token], at: usize) -> bool {
    let word = tokens[at].of(text);
    let next = tokens.get(at + 1);
    next.is_some_and(|next| next.sign == Sign::Open && next.start == tokens[at].end)
        && word.starts_with(char::is_alphabetic)
        && word.chars().all(|c| c.is_alphanumeric() || "_.:!".contains(c))
}

/// Reads rows of an array as one board. A row on several lines may also be as many rows.
fn read(text: &str, tokens: &[Token], format: BoardFormat) -> Result<Board, BoardTextError> {
    let is_row = |row: &&[Token]| row.iter().any(|token| token.sign.is_cell());
    let count = |sign| tokens.split(|token| token.sign == sign).filter(is_row).count();
    let of = |line_end: Option<Sign>| -> Vec<Token> {
        let kept = tokens.iter().filter(|token| token.sign != Sign::Comma);
        let sign = |sign| if sign == Sign::LineEnd { line_end } else { Some(sign) };
        kept.filter_map(|token| Some(Token { sign: sign(token.sign)?, ..*token })).collect()
    };
    let flat = grid::read(text, &of(None), format);
    if count(Sign::Slash) > 1 || count(Sign::LineEnd) < 2 {
        return flat;
    }
    let lines = tokens.split(|token| token.sign == Sign::LineEnd).filter(is_row);
    let last = |line: &[Token]| line.iter().rfind(|token| token.sign != Sign::Tab).map(|t| t.sign);
    let goes_on = lines.into_iter().any(|line| last(line) == Some(Sign::Comma));
    match (flat, grid::read(text, &of(Some(Sign::Slash)), format)) {
        (Ok(first), Ok(second)) if first != second => {
            let (first, second) = (Box::new(first), Box::new(second));
            Err(TextErrorKind::Ambiguous { first, second }.into())
        }
        (Err(_), Ok(board)) if !goes_on => Ok(board),
        (flat, _) => flat,
    }
}

/// Reads the board of a field: an array, or cells.
pub(super) fn read_tokens(
    text: &str,
    tokens: &[Token],
    format: BoardFormat,
) -> Result<Board, BoardTextError> {
    if tokens.first().is_none_or(|token| token.sign != Sign::Open) {
        return grid::read(text, tokens, format);
    }
    let mut array = Array::default();
    for (at, token) in tokens.iter().enumerate() {
        let passed = array.pass(text, tokens, at);
        passed.map_err(|kind| BoardTextError::new(kind, text, &[token.range()]))?;
    }
    if let Some(expected) = array.missing() {
        return Err(TextErrorKind::Unclosed { expected }.into());
    }
    match &array.take_boards()[..] {
        [] => Err(TextErrorKind::Empty.into()),
        [board] => read(text, board, format),
        boards => Err(TextErrorKind::Several { found: boards.len() }.into()),
    }
}
