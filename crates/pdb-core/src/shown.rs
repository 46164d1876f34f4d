//! Texts that somebody else wrote, as errors show them.

/// So much of a word is shown.
pub(crate) const WORD_CHARS_MAX: usize = 20;

/// The character, unless it could do something to a terminal or hide on it.
pub(crate) fn printable(c: char) -> char {
    // `escape_debug` knows what does not print, such as the characters that turn the direction of
    // writing. Quotes and the backslash do, and so do accents on the letter before.
    let is_escaped = c.escape_debug().nth(1).is_some();
    let is_mark = c.is_control() || c.escape_debug().nth(1) == Some('u');
    if is_escaped && is_mark { char::REPLACEMENT_CHARACTER } else { c }
}

/// A text of somebody else's without the characters that could do something to a terminal or a page, or hide
/// on it.
pub fn printable_text(text: &str) -> String {
    text.chars().map(printable).collect()
}

/// A text cut to so many characters, without those that do not print.
pub(crate) fn shortened(text: &str, chars_max: usize) -> String {
    let end = text.char_indices().nth(chars_max).map_or(text.len(), |(end, _)| end);
    let mut short: String = text[..end].chars().map(printable).collect();
    if end < text.len() {
        short.push_str("...");
    }
    short
}
