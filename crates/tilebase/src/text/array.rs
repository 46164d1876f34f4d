//! Arrays in brackets: JSON, the lists and tuples of Python, and the braces of C and Mathematica.

use pdb_core::Board;
use pdb_core::excerpt::printable;

use super::grid;
use super::lex::{Sign, Token};
use crate::text::error::BoardTextError;
use crate::text::error_kind::TextErrorKind;
use crate::text::format::BoardFormat;

/// Largest depth of arrays: boards, rows, cells.
const DEPTH_MAX: usize = 3;

/// Returns the closing bracket of an opening one.
pub(super) fn closing(open: char) -> char {
    match open {
        '[' => ']',
        '(' => ')',
        _ => '}',
    }
}

/// Returns whether a text starts like an array or an object.
pub(super) fn is_array(text: &str) -> bool {
    text.trim_start().starts_with(['[', '(', '{'])
}

/// Position in nested arrays.
#[derive(Clone, Debug, Default)]
pub(super) struct Nesting {
    /// The open brackets.
    open: Vec<char>,
    /// The depth of cells, after the first one.
    pub(super) cell_depth: Option<usize>,
    /// Whether a comma may follow.
    may_separate: bool,
}

impl Nesting {
    pub(super) fn depth(&self) -> usize {
        self.open.len()
    }

    /// Returns the missing bracket of a text that ends too early.
    pub(super) fn missing(&self) -> Option<char> {
        self.open.last().copied().map(closing)
    }

    /// Advances past the token at `at`, unless it is out of place.
    pub(super) fn pass(
        &mut self,
        text: &str,
        tokens: &[Token],
        at: usize,
    ) -> Result<(), TextErrorKind> {
        let written = tokens[at].of(text);
        let first = written.chars().next().unwrap_or(' ');
        let stray = Err(TextErrorKind::Stray { found: printable(first) });
        let depth = self.depth();
        match tokens[at].sign {
            Sign::Tab | Sign::LineEnd => {}
            Sign::Open => {
                if first == '{' && is_object(text, tokens.get(at + 1)) {
                    return Err(TextErrorKind::Object);
                }
                if depth == self.cell_depth.unwrap_or(DEPTH_MAX) {
                    return stray;
                }
                self.open.push(first);
                self.may_separate = false;
            }
            Sign::Close => {
                if self.missing() != Some(first) {
                    return if first == '}' { Err(TextErrorKind::Object) } else { stray };
                }
                self.open.pop();
                self.may_separate = true;
            }
            // Also allowed after the whole array, which may be a part of a larger one.
            Sign::Comma | Sign::Semi | Sign::Slash => {
                if !self.may_separate {
                    return stray;
                }
                self.may_separate = false;
            }
            Sign::Cell | Sign::Text if is_name(text, tokens, at) => {}
            Sign::Cell | Sign::Text => {
                if written.starts_with(['"', '\'']) {
                    return Err(TextErrorKind::Unclosed { expected: first });
                }
                if depth == 0 || *self.cell_depth.get_or_insert(depth) != depth {
                    return stray;
                }
                self.may_separate = true;
            }
            Sign::Bar => return stray,
        }
        Ok(())
    }
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

/// Returns the boards of an array, each as rows of cells that end with [`Sign::Slash`]. Line ends
/// within a row stay. The array begins inside of `depth` brackets.
pub(super) fn boards(
    text: &str,
    tokens: &[Token],
    cell_depth: usize,
    mut depth: usize,
) -> Vec<Vec<Token>> {
    let mut boards: Vec<Vec<Token>> = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        let board = boards.last_mut();
        match token.sign {
            Sign::Open => {
                depth += 1;
                if depth + 1 == cell_depth || boards.is_empty() {
                    boards.push(Vec::new());
                }
            }
            Sign::Close => {
                if let Some(board) = board.filter(|_| depth == cell_depth) {
                    board.push(Token { sign: Sign::Slash, ..*token });
                }
                depth -= 1;
            }
            Sign::Semi | Sign::Slash | Sign::LineEnd => {
                let sign = if token.sign == Sign::LineEnd { Sign::LineEnd } else { Sign::Slash };
                if let Some(board) = board.filter(|_| depth == cell_depth) {
                    board.push(Token { sign, ..*token });
                }
            }
            Sign::Cell | Sign::Text if !is_name(text, tokens, at) => {
                if let Some(board) = board {
                    board.push(*token);
                }
            }
            // A comma at the end of a line shows that the array goes on.
            Sign::Comma => {
                if let Some(board) = board.filter(|_| depth == cell_depth) {
                    board.push(*token);
                }
            }
            _ => {}
        }
    }
    boards.retain(|board| board.iter().any(|token| token.sign.is_cell()));
    boards
}

/// Reads the rows that [`boards`] returns as one board. A row on several lines may also be as many
/// rows.
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
    let mut nesting = Nesting::default();
    for (at, token) in tokens.iter().enumerate() {
        let passed = nesting.pass(text, tokens, at);
        passed.map_err(|kind| BoardTextError::new(kind, text, &[token.range()]))?;
    }
    if let Some(expected) = nesting.missing() {
        return Err(TextErrorKind::Unclosed { expected }.into());
    }
    let Some(depth) = nesting.cell_depth else { return Err(TextErrorKind::Empty.into()) };
    match &boards(text, tokens, depth, 0)[..] {
        [] => Err(TextErrorKind::Empty.into()),
        [board] => read(text, board, format),
        boards => Err(TextErrorKind::Several { found: boards.len() }.into()),
    }
}
