//! Arrays in brackets: JSON, the lists and tuples of Python, and the braces of C and Mathematica.

use std::ops::Range;

use pdb_core::excerpt::printable;

use crate::text::error_kind::TextErrorKind;

/// Largest depth of arrays: boards, rows, cells.
const DEPTH_MAX: usize = 3;

/// Boards of rows of cells, each a slice of the text. A flat array is a single row.
pub(super) type Boards<'a> = Vec<Vec<Vec<&'a str>>>;

/// Fault of a text, and its range.
pub(super) type Fault = (TextErrorKind, Option<Range<usize>>);

/// Returns whether a text starts like an array or an object.
pub(super) fn is_array(text: &str) -> bool {
    text.trim_start().starts_with(['[', '(', '{'])
}

/// Returns the closing bracket of an opening one.
pub(super) fn closing(open: char) -> char {
    match open {
        '[' => ']',
        '(' => ')',
        _ => '}',
    }
}

/// Token of an array.
#[derive(Clone, Copy, Debug)]
pub(super) enum Token<'a> {
    Open(char),
    Close(char),
    Comma,
    /// A semicolon, which separates rows.
    Semicolon,
    /// A cell without quotes; empty for `null` and `None`.
    Cell(&'a str),
    /// A brace that does not start a list: the text contains an object.
    Brace,
    /// A string without an end, with its quote.
    OpenString(char),
}

/// Returns whether a list follows a brace. An object would follow with a key and a colon.
pub(super) fn begins_list(rest: &str) -> bool {
    let rest = rest.trim_start();
    let item = rest.split([',', '{', '}', '[', ']', '(', ')']).next().unwrap_or_default();
    rest.is_empty() || rest.starts_with('{') || !item.is_empty() && !item.contains(':')
}

/// Returns a text without the function or type before its first bracket: `vec![`, `List.of(`.
fn without_name(text: &str) -> &str {
    let is_of_name = |c: char| c.is_alphanumeric() || "_.:!".contains(c);
    let rest = text.trim_start_matches(is_of_name);
    let is_name = text.starts_with(char::is_alphabetic) && is_array(rest);
    if is_name && !rest.starts_with(char::is_whitespace) { rest } else { text }
}

/// Tokens of a text with their ranges.
pub(super) struct Tokens<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Tokens<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { text, at: 0 }
    }
}

impl<'a> Iterator for Tokens<'a> {
    type Item = (Range<usize>, Token<'a>);

    fn next(&mut self) -> Option<Self::Item> {
        let rest = without_name(self.text[self.at..].trim_start());
        let start = self.text.len() - rest.len();
        let first = rest.chars().next()?;
        let (len, token) = match first {
            '[' | '(' => (1, Token::Open(first)),
            ']' | ')' | '}' => (1, Token::Close(first)),
            '{' if begins_list(&rest[1..]) => (1, Token::Open(first)),
            '{' => (1, Token::Brace),
            ',' => (1, Token::Comma),
            ';' => (1, Token::Semicolon),
            '"' | '\'' => match rest[1..].find(first) {
                Some(len) if rest[len + 2..].trim_start().starts_with(':') => {
                    (len + 2, Token::Brace)
                }
                Some(len) => (len + 2, Token::Cell(rest[1..=len].trim())),
                None => (rest.len(), Token::OpenString(first)),
            },
            _ => {
                let ends = |c: char| c.is_whitespace() || "[](){},;\"'".contains(c);
                let word = &rest[..rest.find(ends).unwrap_or(rest.len())];
                let is_blank = ["null", "None"].contains(&word);
                (word.len(), Token::Cell(if is_blank { &word[..0] } else { word }))
            }
        };
        self.at = start + len;
        Some((start..self.at, token))
    }
}

/// Position of a reader in nested arrays.
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

    /// Advances past a token, unless it is out of place.
    pub(super) fn pass(&mut self, token: Token<'_>, written: &str) -> Result<(), TextErrorKind> {
        let found = written.chars().next().map_or(' ', printable);
        let stray = Err(TextErrorKind::Stray { found });
        let depth = self.depth();
        match token {
            Token::Open(open) => {
                if depth == self.cell_depth.unwrap_or(DEPTH_MAX) {
                    return stray;
                }
                self.open.push(open);
                self.may_separate = false;
            }
            Token::Close(close) => {
                if self.missing() != Some(close) {
                    return if close == '}' { Err(TextErrorKind::Object) } else { stray };
                }
                self.open.pop();
                self.may_separate = true;
            }
            // Also allowed after the whole array, which may be an excerpt of a larger one.
            Token::Comma | Token::Semicolon => {
                if !self.may_separate {
                    return stray;
                }
                self.may_separate = false;
            }
            Token::Cell(_) => {
                if depth == 0 || *self.cell_depth.get_or_insert(depth) != depth {
                    return stray;
                }
                self.may_separate = true;
            }
            Token::Brace => return Err(TextErrorKind::Object),
            Token::OpenString(quote) => return Err(TextErrorKind::Unclosed { expected: quote }),
        }
        Ok(())
    }
}

/// Reads the only array of a text.
pub(super) fn read(text: &str) -> Result<Boards<'_>, Fault> {
    // 1. The depth of the cells determines what the arrays around them are.
    let mut nesting = Nesting::default();
    let mut is_done = false;
    for (place, token) in Tokens::new(text) {
        let written = &text[place.clone()];
        let passed = match token {
            Token::Open(found) if is_done => Err(TextErrorKind::Stray { found }),
            _ => nesting.pass(token, written),
        };
        passed.map_err(|error| (error, Some(place)))?;
        is_done |= nesting.depth() == 0;
    }
    if let Some(expected) = nesting.missing() {
        return Err((TextErrorKind::Unclosed { expected }, None));
    }
    // 2. Each array of that depth is a row, and an array of rows is a board.
    let Some(cell_depth) = nesting.cell_depth else {
        return Err((TextErrorKind::Empty, None));
    };
    let mut depth = 0;
    let mut begins_row = false;
    let mut boards: Boards<'_> = Vec::new();
    for (_, token) in Tokens::new(text) {
        match token {
            Token::Open(_) => {
                depth += 1;
                begins_row = false;
                if depth + 1 == cell_depth || boards.is_empty() {
                    boards.push(Vec::new());
                }
                if depth == cell_depth {
                    boards.last_mut().expect("a row is in a board").push(Vec::new());
                }
            }
            Token::Close(_) => depth -= 1,
            Token::Semicolon => begins_row = depth == cell_depth,
            Token::Cell(cell) => {
                if std::mem::take(&mut begins_row) {
                    boards.last_mut().expect("a row is in a board").push(Vec::new());
                }
                let row = boards.last_mut().and_then(|rows| rows.last_mut());
                row.expect("a cell is in a row").push(cell);
            }
            _ => {}
        }
    }
    // Removes the brackets around all boards.
    boards.retain(|rows| !rows.is_empty());
    Ok(boards)
}
