//! Excerpts of foreign texts for error messages.

/// Longest excerpt of a word in an error, in characters.
pub const WORD_CHARS_MAX: usize = 20;

/// Returns the character, or the replacement character for one that could affect a terminal or
/// hide on it.
pub fn printable(c: char) -> char {
    // `escape_debug` knows what does not print, such as the characters that turn the direction of
    // writing. Quotes and the backslash do, and so do accents on the letter before.
    let is_escaped = c.escape_debug().nth(1).is_some();
    let is_mark = c.is_control() || c.escape_debug().nth(1) == Some('u');
    if is_escaped && is_mark { char::REPLACEMENT_CHARACTER } else { c }
}

/// Replaces the characters of a foreign text that could affect a terminal or a page, or hide on it.
pub fn printable_text(text: &str) -> String {
    text.chars().map(printable).collect()
}

/// Cuts a foreign text to `chars_max` characters and replaces those that do not print.
pub fn excerpt(text: &str, chars_max: usize) -> String {
    let end = text.char_indices().nth(chars_max).map_or(text.len(), |(end, _)| end);
    let mut excerpt = printable_text(&text[..end]);
    if end < text.len() {
        excerpt.push_str("...");
    }
    excerpt
}
