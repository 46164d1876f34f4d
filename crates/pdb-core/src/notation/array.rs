//! Arrays in brackets: JSON, the lists and tuples of Python, and the braces of C and Mathematica.

use std::ops::Range;

use crate::BoardError;
use crate::shown::printable;

/// How deep arrays are read: boards, rows, cells.
const DEPTH_MAX: usize = 3;

/// Boards of rows of cells, each a part of the text. A flat array is a single row.
pub(super) type Boards<'a> = Vec<Vec<Vec<&'a str>>>;

/// What is wrong, and where.
pub(super) type Fault = (BoardError, Option<Range<usize>>);

/// Whether a text is meant as an array, or as an object.
pub(super) fn is_array(text: &str) -> bool {
    text.trim_start().starts_with(['[', '(', '{'])
}

/// The bracket that ends what this one starts.
fn closing(open: char) -> char {
    match open {
        '[' => ']',
        '(' => ')',
        _ => '}',
    }
}

/// What stands in the text next.
#[derive(Clone, Copy, Debug)]
pub(super) enum Token<'a> {
    Open(char),
    Close(char),
    Comma,
    /// A cell without quotes. One that says that nothing is there is empty.
    Cell(&'a str),
    /// A brace that begins no list: the text is an object, or has one in it.
    Brace,
    /// A string that does not end, and its quote.
    OpenString(char),
}

/// Whether a list follows a brace, and no object: a key of one is a string.
fn begins_list(rest: &str) -> bool {
    rest.trim_start().starts_with(|c: char| c == '{' || c.is_ascii_digit())
}

/// The tokens of a text, each with its place.
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
        let rest = &self.text[self.at..];
        let start = self.at + (rest.len() - rest.trim_start().len());
        let rest = rest.trim_start();
        let first = rest.chars().next()?;
        let (len, token) = match first {
            '[' | '(' => (1, Token::Open(first)),
            ']' | ')' | '}' => (1, Token::Close(first)),
            '{' if begins_list(&rest[1..]) => (1, Token::Open(first)),
            '{' => (1, Token::Brace),
            ',' => (1, Token::Comma),
            '"' | '\'' => match rest[1..].find(first) {
                Some(len) => (len + 2, Token::Cell(rest[1..=len].trim())),
                None => (rest.len(), Token::OpenString(first)),
            },
            _ => {
                let ends = |c: char| c.is_whitespace() || "[](){},\"'".contains(c);
                let word = &rest[..rest.find(ends).unwrap_or(rest.len())];
                let is_blank = ["null", "None"].contains(&word);
                (word.len(), Token::Cell(if is_blank { &word[..0] } else { word }))
            }
        };
        self.at = start + len;
        Some((start..self.at, token))
    }
}

/// Where a reader is in the nested arrays of a text.
#[derive(Clone, Debug, Default)]
pub(super) struct Nesting {
    /// The brackets that are open.
    open: Vec<char>,
    /// How many of them hold each cell, as soon as there is one.
    pub(super) cell_depth: Option<usize>,
    /// Whether something has just ended, after which a comma may stand.
    may_separate: bool,
}

impl Nesting {
    pub(super) fn depth(&self) -> usize {
        self.open.len()
    }

    /// The bracket that is missing where the text ends too early.
    pub(super) fn missing(&self) -> Option<char> {
        self.open.last().copied().map(closing)
    }

    /// Goes past a token, which is written like this, unless it is out of place.
    pub(super) fn pass(&mut self, token: Token<'_>, written: &str) -> Result<(), BoardError> {
        let found = written.chars().next().map_or(' ', printable);
        let stray = Err(BoardError::Stray { found });
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
                    return if close == '}' { Err(BoardError::Object) } else { stray };
                }
                self.open.pop();
                self.may_separate = true;
            }
            // After the whole array too: it may be cut out of a larger one.
            Token::Comma => {
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
            Token::Brace => return Err(BoardError::Object),
            Token::OpenString(quote) => return Err(BoardError::Unclosed { expected: quote }),
        }
        Ok(())
    }
}

/// Reads the only array of a text.
pub(super) fn read(text: &str) -> Result<Boards<'_>, Fault> {
    // 1. How deep the cells are says what the arrays around them are.
    let mut nesting = Nesting::default();
    let mut is_done = false;
    for (place, token) in Tokens::new(text) {
        let written = &text[place.clone()];
        let passed = match token {
            Token::Open(found) if is_done => Err(BoardError::Stray { found }),
            _ => nesting.pass(token, written),
        };
        passed.map_err(|error| (error, Some(place)))?;
        is_done |= nesting.depth() == 0;
    }
    if let Some(expected) = nesting.missing() {
        return Err((BoardError::Unclosed { expected }, None));
    }
    // 2. Each array of that depth is a row, and one around rows a board.
    let Some(cell_depth) = nesting.cell_depth else {
        return Err((BoardError::Empty, None));
    };
    let mut depth = 0;
    let mut boards: Boards<'_> = Vec::new();
    for (_, token) in Tokens::new(text) {
        match token {
            Token::Open(_) => {
                depth += 1;
                if depth + 1 == cell_depth || boards.is_empty() {
                    boards.push(Vec::new());
                }
                if depth == cell_depth {
                    boards.last_mut().expect("a row is in a board").push(Vec::new());
                }
            }
            Token::Close(_) => depth -= 1,
            Token::Cell(cell) => {
                let row = boards.last_mut().and_then(|rows| rows.last_mut());
                row.expect("a cell is in a row").push(cell);
            }
            _ => {}
        }
    }
    // The brackets around all boards.
    boards.retain(|rows| !rows.is_empty());
    Ok(boards)
}
