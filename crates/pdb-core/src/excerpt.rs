//! Excerpts of foreign texts for error messages.

use core::ops::Range;

/// Longest excerpt of a word in an error, in characters.
pub const WORD_CHARS_MAX: usize = 20;
/// Longest excerpt of a line, in characters, so that it fits a terminal with dots on both sides.
const LINE_CHARS_MAX: usize = 70;
/// Longest part of it before the first mark, in characters.
const BEFORE_MARK_CHARS_MAX: usize = 40;

/// Returns the character, or the replacement character for one that could affect a terminal or
/// hide on it.
pub fn printable(c: char) -> char {
    // `escape_debug` knows what does not print, such as the characters that turn the direction of
    // writing. Quotes and the backslash do, and so do accents on the letter before.
    let hides = c.is_control() || c.escape_debug().nth(1) == Some('u');
    if hides { char::REPLACEMENT_CHARACTER } else { c }
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

/// Returns an excerpt of a line, which starts at byte `start` of its text, and carets under the
/// marks in it.
pub fn marked_line(line: &str, start: usize, marks: &[Range<usize>]) -> (String, String) {
    let line = line.trim_end();
    let chars: Vec<(usize, char)> = line.char_indices().collect();
    let is_marked = |at: usize| {
        // An empty mark gets a caret too.
        marks.iter().any(|mark| (mark.start..mark.end.max(mark.start + 1)).contains(&(start + at)))
    };
    let mut first = 0;
    if chars.len() > LINE_CHARS_MAX {
        let mark = chars.iter().position(|&(at, _)| is_marked(at)).unwrap_or(chars.len());
        first = mark.saturating_sub(BEFORE_MARK_CHARS_MAX);
    }
    let end = chars.len().min(first + LINE_CHARS_MAX);
    let mut shown = String::new();
    let mut carets = String::new();
    if first > 0 {
        shown.push_str("...");
        carets.push_str("   ");
    }
    for &(at, c) in &chars[first..end] {
        shown.push(if c == '\t' { ' ' } else { printable(c) });
        carets.push(if is_marked(at) { '^' } else { ' ' });
    }
    if end < chars.len() {
        shown.push_str("...");
    } else if is_marked(line.len()) {
        // Something is missing at the end of the line.
        carets.push('^');
    }
    carets.truncate(carets.trim_end().len());
    (shown, carets)
}
