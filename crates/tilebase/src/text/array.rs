//! Arrays in brackets: JSON, the lists and tuples of Python, and the braces of C and Mathematica.

use std::ops::Range;

use pdb_core::Board;
use pdb_core::excerpt::printable;

use super::frame::Subject;
use super::grid;
use super::lex::{Sign, Token, closing, lex};
use crate::text::error::BoardTextError;
use crate::text::error_kind::TextErrorKind;
use crate::text::format::BoardFormat;

/// Largest depth of arrays: boards, rows, cells.
const DEPTH_MAX: usize = 3;

/// Array that is read token by token.
#[derive(Clone, Debug, Default)]
pub(super) struct Array {
    /// The open brackets.
    open: Vec<char>,
    /// The depth of cells, after the first one.
    pub(super) cell_depth: Option<usize>,
    /// Whether a comma may follow.
    may_separate: bool,
    /// The boards so far, each as rows of cells that end with [`Sign::Slash`]. Line ends within a
    /// row stay, and commas, because one at the end of a line shows that the row goes on.
    boards: Vec<Vec<Token>>,
}

impl Array {
    pub(super) fn depth(&self) -> usize {
        self.open.len()
    }

    /// Returns the missing bracket of a text that ends too early.
    pub(super) fn missing(&self) -> Option<char> {
        self.open.last().copied().map(closing)
    }

    /// Removes the boards so far.
    pub(super) fn take_boards(&mut self) -> Vec<Vec<Token>> {
        let mut boards = std::mem::take(&mut self.boards);
        boards.retain(|board| board.iter().any(|token| token.sign.is_cell()));
        boards
    }

    /// Advances past the token at `at`, unless it is out of place.
    pub(super) fn pass(
        &mut self,
        text: &str,
        tokens: &[Token],
        at: usize,
    ) -> Result<(), TextErrorKind> {
        let token = tokens[at];
        let first = token.of(text).chars().next().unwrap_or(' ');
        let stray = Err(TextErrorKind::Stray { found: printable(first) });
        let depth = self.depth();
        match token.sign {
            Sign::Tab => return Ok(()),
            Sign::Open => {
                if first == '{' && is_object(text, tokens.get(at + 1)) {
                    return Err(TextErrorKind::Object);
                }
                if depth == self.cell_depth.unwrap_or(DEPTH_MAX) {
                    return stray;
                }
                self.open.push(first);
                self.may_separate = false;
                if self.boards.is_empty() || self.cell_depth == Some(depth + 2) {
                    self.boards.push(Vec::new());
                }
                return Ok(());
            }
            Sign::Close => {
                if self.missing() != Some(first) {
                    return if first == '}' { Err(TextErrorKind::Object) } else { stray };
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

/// Array that goes on in the next line.
#[derive(Clone, Debug)]
pub(super) struct OpenArray {
    pub(super) array: Array,
    pub(super) text: String,
    /// The place in the text behind the boards that were given.
    pub(super) start: usize,
    /// The numbers of its lines, where they begin in its text, and where in the whole text.
    pub(super) lines: Vec<(u64, usize, Option<usize>)>,
    pub(super) format: BoardFormat,
    pub(super) subject: Option<Subject>,
    /// Whether boards of it were given.
    pub(super) is_part: bool,
    /// Whether it was too long and is skipped until its end.
    pub(super) is_lost: bool,
}

impl OpenArray {
    pub(super) fn new(format: BoardFormat, subject: Option<Subject>) -> Self {
        let array = Array::default();
        let (text, lines) = (String::new(), Vec::new());
        Self { array, text, start: 0, lines, format, subject, is_part: false, is_lost: false }
    }

    /// Adds a line, and returns its tokens.
    pub(super) fn push(&mut self, line: u64, text: &str, source: Option<usize>) -> Vec<Token> {
        if self.text.is_empty() {
            self.lines.clear();
        }
        let start = self.text.len();
        self.lines.push((line, start, source));
        self.text.push_str(text);
        let mut tokens = Vec::new();
        lex(&self.text, start, &mut tokens);
        let end = self.text.len();
        tokens.push(Token { sign: Sign::LineEnd, start: end, end: end + 1 });
        self.text.push('\n');
        tokens
    }

    /// Forgets what was read so far, but not where it is in the array.
    pub(super) fn clear(&mut self) {
        self.text.clear();
        self.lines.drain(..self.lines.len() - 1);
        self.array.boards.clear();
        self.start = 0;
    }

    /// Returns the lines of a part of the text.
    pub(super) fn lines_of(&self, part: &Range<usize>) -> (u64, u64) {
        let line = |at| {
            let place = self.lines.partition_point(|(_, start, _)| *start <= at);
            self.lines[place.saturating_sub(1)].0
        };
        (line(part.start), line(part.end))
    }

    /// Returns the place in the whole text.
    pub(super) fn source(&self, at: usize) -> Option<usize> {
        let (_, start, source) = self.lines.iter().rfind(|(_, start, _)| *start <= at)?;
        Some((*source)? + at - start)
    }
}

/// Returns the fault of what follows an array on its line, and its place: it is neither another
/// array nor the end of what is around the array.
pub(super) fn fault_after(text: &str, tokens: &[Token]) -> Option<(TextErrorKind, Range<usize>)> {
    let is_end = |token: &&Token| match token.sign {
        Sign::Comma | Sign::Semi | Sign::Tab | Sign::LineEnd => true,
        Sign::Close => token.of(text) == ")",
        _ => false,
    };
    let next = tokens.iter().find(|token| !is_end(token))?;
    let found = next.of(text).chars().next().filter(|_| next.sign != Sign::Open)?;
    let kind = match found {
        '}' => TextErrorKind::Object,
        _ => TextErrorKind::Stray { found: printable(found) },
    };
    Some((kind, next.range()))
}

/// Returns the number of lists of cells that a line is. If something is out of place after several,
/// these count.
pub(super) fn list_count(line: &str) -> usize {
    let mut tokens = Vec::new();
    lex(line, 0, &mut tokens);
    let mut array = Array::default();
    let mut count = 0;
    for (at, token) in tokens.iter().enumerate() {
        let is_outside = array.depth() == 0;
        // Semicolons in a list make a board of it.
        if !is_outside && token.sign == Sign::Semi {
            return 0;
        }
        if array.pass(line, &tokens, at).is_err() {
            return if count > 1 && array.cell_depth == Some(1) { count } else { 0 };
        }
        count += usize::from(is_outside && token.sign == Sign::Open);
    }
    if array.depth() == 0 && array.cell_depth == Some(1) { count } else { 0 }
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
pub(super) fn read(
    text: &str,
    tokens: &[Token],
    format: BoardFormat,
) -> Result<Board, BoardTextError> {
    let is_row = |row: &&[Token]| row.iter().any(|token| token.sign.is_cell());
    let row_count = tokens.split(|token| token.sign == Sign::Slash).filter(is_row).count();
    let lines: Vec<&[Token]> =
        tokens.split(|token| token.sign == Sign::LineEnd).filter(is_row).collect();
    let of = |is_row_end: fn(Sign) -> bool| -> Vec<Token> {
        let kept = tokens.iter().filter(|token| token.sign != Sign::Comma);
        let signs = kept.filter(|token| token.sign != Sign::LineEnd || is_row_end(token.sign));
        signs
            .map(|token| match token.sign {
                Sign::LineEnd => Token { sign: Sign::Slash, ..*token },
                _ => *token,
            })
            .collect()
    };
    let flat = grid::read(text, &of(|_| false), format);
    if row_count > 1 || lines.len() < 2 {
        return flat;
    }
    let goes_on = lines.iter().any(|line| {
        let last = line.iter().rfind(|token| token.sign != Sign::Tab);
        last.is_some_and(|token| token.sign == Sign::Comma)
    });
    match (flat, grid::read(text, &of(|_| true), format)) {
        (Ok(first), Ok(second)) if first != second => {
            let (first, second) = (Box::new(first), Box::new(second));
            Err(TextErrorKind::Ambiguous { first, second }.into())
        }
        (Err(_), Ok(board)) if !goes_on => Ok(board),
        (flat, _) => flat,
    }
}

/// Rows of an array that are boards of their own: their tokens, and the board or the error of each.
pub(super) type RowBoards<'t> = Vec<(&'t [Token], Result<Board, BoardTextError>)>;

/// Returns the rows of an array as boards, unless they are rather rows of one: at most one of
/// several rows of a board looks like a board, but a damaged one may have it twice.
pub(super) fn row_boards<'t>(
    text: &str,
    tokens: &'t [Token],
    format: BoardFormat,
) -> Option<RowBoards<'t>> {
    let rows = tokens.split(|token| token.sign == Sign::Slash);
    let rows = rows.filter(|row| row.iter().any(|token| token.sign.is_cell()));
    let all: RowBoards<'t> = rows.map(|row| (row, read(text, row, format))).collect();
    let good: Vec<&Board> = all.iter().filter_map(|(_, board)| board.as_ref().ok()).collect();
    let has_copy = (1..good.len()).any(|at| good[..at].contains(&good[at]));
    let is_list = good.len() == all.len()
        || 2 * (good.len() - usize::from(has_copy)) > all.len()
        || format.shape.is_some() && !good.is_empty();
    (all.len() > 1 && is_list).then_some(all)
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
