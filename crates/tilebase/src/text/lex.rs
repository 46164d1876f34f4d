//! Tokens of a text: a plain line is cut once, and every reading of it takes its cells from them.

use std::borrow::Cow;
use std::ops::Range;

/// Kind of a token. Spaces are no tokens: they only separate cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sign {
    /// A word without its quotes. A quoted cell may be empty.
    Cell,
    /// A string with several cells in it.
    Text,
    Comma,
    Semi,
    Tab,
    Bar,
    Slash,
    LineEnd,
    Open,
    Close,
}

impl Sign {
    /// Returns whether a token is a cell or a string.
    pub(super) fn is_cell(self) -> bool {
        matches!(self, Self::Cell | Self::Text)
    }
}

/// Part of a text, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) sign: Sign,
    pub(super) start: usize,
    pub(super) end: usize,
}

impl Token {
    pub(super) fn of(self, text: &str) -> &str {
        &text[self.start..self.end]
    }

    pub(super) fn range(self) -> Range<usize> {
        self.start..self.end
    }
}

/// Signs around a cell that are no part of it, besides quotes.
const BOLD: [&str; 3] = ["**", "`", "__"];

/// Returns whether a character is a vertical line of a box.
pub(super) fn is_bar(c: char) -> bool {
    "|│┃┆┇┊┋╎╏║".contains(c)
}

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

/// Returns the kind of a separator or a bracket.
fn sign_of(c: char) -> Option<Sign> {
    Some(match c {
        ',' => Sign::Comma,
        ';' => Sign::Semi,
        '\t' => Sign::Tab,
        '/' => Sign::Slash,
        '\n' => Sign::LineEnd,
        '[' | '(' | '{' => Sign::Open,
        ']' | ')' | '}' => Sign::Close,
        _ if is_bar(c) => Sign::Bar,
        _ => return None,
    })
}

fn ends_word(c: char) -> bool {
    c.is_whitespace() || sign_of(c).is_some()
}

/// Cuts a text.
pub(super) fn tokens_of(text: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    lex(text, 0, &mut tokens);
    tokens
}

/// Cuts the text from byte `from` on.
pub(super) fn lex(text: &str, from: usize, tokens: &mut Vec<Token>) {
    let mut at = from;
    while let Some(c) = text[at..].chars().next() {
        let start = at;
        at += c.len_utf8();
        if let Some(sign) = sign_of(c) {
            tokens.push(Token { sign, start, end: at });
        } else if let Some((string, end)) = string(text, start, c) {
            at = end;
            tokens.push(string);
        } else if !c.is_whitespace() {
            at = text[start..].find(ends_word).map_or(text.len(), |len| start + len);
            let word = &text[start..at];
            let bold = |sign: &&&str| {
                let inner = word.strip_prefix(**sign).and_then(|word| word.strip_suffix(**sign));
                inner.is_some_and(|inner| !inner.is_empty())
            };
            let around = BOLD.iter().find(bold).map_or(0, |sign| sign.len());
            tokens.push(Token { sign: Sign::Cell, start: start + around, end: at - around });
        }
    }
}

/// Returns the string that begins at byte `start`, without its quotes and the spaces in them, and
/// its end.
fn string(text: &str, start: usize, quote: char) -> Option<(Token, usize)> {
    if !"\"'".contains(quote) {
        return None;
    }
    let rest = &text[start + 1..];
    let (inner, after) = rest.split_at(rest.find([quote, '\n'])?);
    if !after.starts_with(quote) || after[1..].chars().next().is_some_and(|c| !ends_word(c)) {
        return None;
    }
    let cell = inner.trim();
    let sign = if cell.contains(ends_word) { Sign::Text } else { Sign::Cell };
    let first = start + 1 + inner.len() - inner.trim_start().len();
    Some((Token { sign, start: first, end: first + cell.len() }, start + inner.len() + 2))
}

/// Returns whether a character ends a line: the ends of lines of all systems and of Unicode.
pub(super) fn ends_line(c: char) -> bool {
    matches!(c, '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

/// Returns ASCII in place of a full-width or typographic character.
fn ascii(c: char) -> char {
    match c {
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(c) - (0xff01 - 0x21)).unwrap_or(c),
        '“' | '”' | '„' | '«' | '»' => '"',
        '‘' | '’' => '\'',
        '\u{2212}' => '-',
        '、' => ',',
        '【' => '[',
        '】' => ']',
        _ => c,
    }
}

/// Returns a line with ASCII in place of full-width and typographic characters, and of digits on
/// keys.
pub(super) fn narrow(text: &str) -> Cow<'_, str> {
    // They turn the character before them into a key or a picture.
    let is_sign_of_key = |c: char| ['\u{fe0f}', '\u{20e3}'].contains(&c);
    if text.is_ascii() || !text.contains(|c| ascii(c) != c || is_sign_of_key(c)) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.chars().filter(|c| !is_sign_of_key(*c)).map(ascii).collect())
}
