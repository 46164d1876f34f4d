//! Frames around boards: labels, code, and brackets around a single row.

use std::borrow::Cow;

use crate::text::array::closing;

/// Longest label, in bytes.
const LABEL_BYTES_MAX: usize = 40;

/// Text before a board on its line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Label<'a> {
    /// A name and a colon, or a word and a number: `Board:`, `4x4:`, `Board 1`.
    Name(&'a str),
    /// The number of a board in a list: `1.`, `1)`.
    Number,
}

/// Returns a line with ASCII in place of full-width characters.
pub(super) fn narrow(text: &str) -> Cow<'_, str> {
    let is_wide = |c: char| ('\u{ff01}'..='\u{ff5e}').contains(&c);
    if !text.contains(is_wide) {
        return Cow::Borrowed(text);
    }
    let narrow = |c: char| {
        let shift = if is_wide(c) { 0xff01 - 0x21 } else { 0 };
        char::from_u32(u32::from(c) - shift).unwrap_or(c)
    };
    Cow::Owned(text.chars().map(narrow).collect())
}

/// Returns the label of a line, and the text after it.
pub(super) fn label(line: &str) -> Option<(Label<'_>, &str)> {
    let line = line.trim_start();
    if let Some((word, number)) = line.trim_end().rsplit_once([' ', '#'])
        && word.trim_end().chars().filter(|c| c.is_alphabetic()).count() > 2
        && word.chars().all(|c| c.is_alphabetic() || " #".contains(c))
        && number.bytes().all(|byte| byte.is_ascii_digit())
    {
        return Some((Label::Name(line), ""));
    }
    let at = line.find(|c: char| ".:)".contains(c) || !is_of_label(c))?;
    let (name, rest) = (&line[..at], &line[at + line[at..].chars().next()?.len_utf8()..]);
    if name.len() > LABEL_BYTES_MAX {
        return None;
    }
    if !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_digit()) {
        let is_number = line[at..].starts_with(['.', ':', ')']) && rest.starts_with(' ');
        return is_number.then_some((Label::Number, rest));
    }
    let is_name = name.chars().filter(|c| c.is_alphanumeric()).count() > 1;
    // Two colons are code.
    let is_label = line[at..].starts_with(':') && is_name && !rest.starts_with(':');
    is_label.then(|| (Label::Name(name.trim()), rest))
}

fn is_of_label(c: char) -> bool {
    c.is_alphanumeric() || " _-#".contains(c)
}

/// Returns the value that a line of code assigns or passes, an array or a string, or the text that
/// a line quotes. Returns other lines as they are.
pub(super) fn value(line: &str) -> &str {
    let text = line.trim();
    let text = text.strip_prefix("> ").unwrap_or(text);
    if let Some(quote) = text.chars().next().filter(|c| "\"'".contains(*c))
        && let Some(inner) = text[1..].strip_suffix(quote)
        && !inner.contains(quote)
        // A quoted blank is no blank line.
        && !inner.trim().is_empty()
    {
        return inner;
    }
    let line = text;
    // 1. The name before the value.
    let is_name = |name: &str| name.contains(char::is_alphabetic) && name.chars().all(is_of_code);
    let assigned = text.split_once('=').filter(|(name, _)| is_name(name)).map(|(_, text)| text);
    let text = assigned.unwrap_or(text).trim();
    // 2. A function or a type before its brackets. Empty brackets belong to a type.
    let open = text
        .char_indices()
        .find(|&(at, c)| "[({".contains(c) && !text[at + 1..].trim_start().starts_with(closing(c)));
    let before = open.map_or("", |(at, _)| &text[..at]);
    let is_call = is_name(before) && (assigned.is_some() || !before.contains(' '));
    if assigned.is_none() && !is_call {
        return line;
    }
    let text = if is_call { &text[before.len()..] } else { text };
    // 3. The end of the statement, but not of a row in an open array.
    let end = text.trim_end_matches([';', ',']).trim_end();
    let is_whole = open.is_none() || end.ends_with(|c: char| "])}\"'".contains(c));
    if is_whole { end.trim_matches(['"', '\'']) } else { text }
}

fn is_of_code(c: char) -> bool {
    c.is_alphanumeric() || " _.:;!&<>[],*$".contains(c)
}

/// Returns the cells of a list without lists or strings in it, on one line.
pub(super) fn row(line: &str) -> Option<&str> {
    let text = line.trim().trim_end_matches([',', ';']).trim_end();
    let open = text.chars().next().filter(|c| "[({".contains(*c))?;
    let cells = text[1..].strip_suffix(closing(open))?;
    // An array has no empty cells, but a comma may end it.
    let mut parts = cells.split(',').rev().skip_while(|cell| cell.trim().is_empty());
    let has_gap = parts.any(|cell| cell.trim().is_empty());
    let is_flat = !has_gap && !cells.contains(|c: char| "[](){};".contains(c));
    // Other braces hold objects.
    let is_list = open != '{' || cells.trim_start().starts_with(|c: char| c.is_ascii_digit());
    // Strings may be whole rows.
    let mut strings = cells.split(['"', '\'']).skip(1).step_by(2);
    let has_rows = strings.any(|string| string.trim().contains(char::is_whitespace));
    (is_flat && is_list && !has_rows && cells.contains(char::is_alphanumeric)).then_some(cells)
}

/// Returns a line without the remark after `#`, and whether it is nothing but a remark. A `#`
/// before a number belongs to a label: `Case #1:`.
pub(super) fn without_remark(line: &str) -> (&str, bool) {
    match line.split_once('#') {
        Some((before, after))
            if before.trim_end().ends_with(char::is_alphabetic)
                && after.starts_with(|c: char| c.is_ascii_digit())
                && label(line).is_some() =>
        {
            (line, false)
        }
        Some((before, _)) => (before, before.trim().is_empty()),
        None => (line, false),
    }
}

/// Returns whether a line begins a model of a planner in PDDL.
pub(super) fn is_model(line: &str) -> bool {
    let rest = line.trim_start().strip_prefix('(').unwrap_or_default().trim_start();
    let is_section = [":init", ":objects"].iter().any(|name| rest.starts_with(name));
    is_section || rest.get(..6).is_some_and(|word| word.eq_ignore_ascii_case("define"))
}

/// Returns the digits after the prefix of a hexadecimal number.
pub(super) fn hexadecimal(line: &str) -> Option<&str> {
    let digits = line.trim().strip_prefix("0x").or_else(|| line.trim().strip_prefix("0X"))?;
    digits.bytes().all(|byte| byte.is_ascii_hexdigit()).then_some(digits)
}
