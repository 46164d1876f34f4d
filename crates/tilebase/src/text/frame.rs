//! Frames around boards: labels, code, and brackets around a single row.

use std::borrow::Cow;

use crate::text::array::{begins_list, closing};

/// Longest label, in bytes.
const LABEL_BYTES_MAX: usize = 80;
/// Words that call a board.
const BOARD_NAMES: [&str; 9] =
    ["board", "boards", "puzzle", "position", "state", "start", "initial", "grid", "begin"];
/// Words that call a goal, or the end of a board, with [endings](ENDINGS).
const GOAL_NAMES: [&str; 8] =
    ["goal", "target", "final", "finish", "finished", "ziel", "end", "solved"];
/// Words that call moves.
const MOVES_NAMES: [&str; 5] = ["solution", "path", "sequence", "answer", "lösung"];
/// Words that call moves, but only a list of them if a number is beside the word: `31 moves` is a
/// title, and `Move 3` the label of a board on the way.
const COUNTED_NAMES: [&str; 5] = ["move", "action", "scramble", "zug", "züge"];
/// Endings of these words: `goals`, `goalstate`, `Zielzustand`, `Lösungsweg`.
const ENDINGS: [&str; 15] = [
    "", "s", "en", "state", "states", "board", "boards", "position", "grid", "list", "zustand",
    "stellung", "brett", "folge", "sweg",
];
/// Signs before the words of a remark, besides `#`.
const REMARK_SIGNS: [&str; 2] = ["//", "%"];

/// Text before a board on its line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Label<'a> {
    /// A name and a colon, or a word and a number: `Board:`, `4x4:`, `Board 1`.
    Name(&'a str),
    /// The number of a board in a list: `1.`, `1)`.
    Number,
    /// The sign of a board in a list: `-`, `*`.
    Bullet,
}

/// Kind of a text, by the name before or above it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Subject {
    #[default]
    Board,
    Goal,
    Moves,
    /// Moves if it is a list, or a board if it has rows: `Move 3`.
    MovesUnlessRows,
}

impl Subject {
    /// Returns the subject that a label, a title or the code before a text names.
    pub(super) fn of(name: &str) -> Self {
        let words = words(name);
        let has_one = |known: &[&str]| words.iter().any(|word| is_one(word, known));
        if has_one(&GOAL_NAMES) {
            Self::Goal
        } else if has_one(&MOVES_NAMES) {
            Self::Moves
        } else if !has_one(&COUNTED_NAMES) {
            Self::Board
        } else if name.contains(|c: char| c.is_ascii_digit()) {
            Self::MovesUnlessRows
        } else {
            Self::Moves
        }
    }

    /// Returns the subject that code names. A `final` before a type is a keyword there.
    pub(super) fn of_code(code: &str) -> Self {
        if let Some((before, after)) = code.split_once("final ")
            && (before.is_empty() || before.ends_with(' '))
            && let name = after.split(['=', '<']).next().unwrap_or_default()
            && name.contains(char::is_alphabetic)
            && !is_name(name)
        {
            return Self::of(&[before, after].concat());
        }
        Self::of(code)
    }

    pub(super) fn is_moves(self) -> bool {
        matches!(self, Self::Moves | Self::MovesUnlessRows)
    }
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
    if !text.contains(|c| ascii(c) != c || is_sign_of_key(c)) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.chars().filter(|c| !is_sign_of_key(*c)).map(ascii).collect())
}

/// Returns a line that calls a board, a goal or moves without the signs around it: `## Goal`,
/// `**Solution**`, `<goal>`, `Goal ->`.
pub(super) fn without_signs(line: &str) -> &str {
    let name = line.trim_matches(|c: char| c.is_whitespace() || "#*<>/-=_~:`".contains(c));
    let calls_moves = || {
        let is_moves = |word: &String| is_one(word, &MOVES_NAMES) || is_one(word, &COUNTED_NAMES);
        name.chars().all(|c| c.is_alphabetic() || c == ' ') && words(name).iter().all(is_moves)
    };
    let calls = !name.is_empty() && (is_name(name) || calls_moves());
    if calls { name } else { line }
}

/// Returns the label of a line, and the text after it.
pub(super) fn label(line: &str) -> Option<(Label<'_>, &str)> {
    let line = line.trim_start();
    if is_name(line) {
        return Some((Label::Name(line), ""));
    }
    if let Some(name) = line.trim_end().strip_suffix(':')
        && has_long_word(name)
        && name.len() <= LABEL_BYTES_MAX
    {
        return Some((Label::Name(name.trim()), ""));
    }
    if let Some(rest) = line.strip_prefix(['-', '*', '+', '•'])
        && rest.starts_with(' ')
    {
        return Some((Label::Bullet, rest));
    }
    if let Some((word, number)) = line.trim_end().rsplit_once([' ', '#'])
        && has_long_word(word)
        && word.chars().all(|c| c.is_alphabetic() || " #".contains(c))
        && number.bytes().all(|byte| byte.is_ascii_digit())
    {
        return Some((Label::Name(line), ""));
    }
    if let Some((number, word)) = line.trim_end().split_once(' ')
        && number.bytes().all(|byte| byte.is_ascii_digit())
        && is_one(&word.to_lowercase(), &COUNTED_NAMES)
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

/// Returns whether a text has a word of three letters, which is no cell.
pub(super) fn has_long_word(text: &str) -> bool {
    let has_letters = |word: &str| word.chars().filter(|c| c.is_alphabetic()).count() > 2;
    text.split(|c: char| c.is_whitespace() || c == '#').any(has_letters)
}

/// Returns whether a line or a column's name is the name of a board or a goal: `START`, `Goal
/// state`, `goal_state`.
pub(super) fn is_name(line: &str) -> bool {
    let words = line.split(|c: char| c.is_whitespace() || "_-".contains(c));
    let mut words = words.filter(|word| !word.is_empty()).peekable();
    let is_known = |word: &str| {
        let word = word.to_lowercase();
        BOARD_NAMES.contains(&word.as_str()) || is_one(&word, &GOAL_NAMES)
    };
    words.peek().is_some() && words.all(is_known)
}

/// Returns whether a label or the code before a board calls a goal: `Goal state`, `goal_state = `,
/// `endState`.
pub(super) fn is_goal(name: &str) -> bool {
    Subject::of(name) == Subject::Goal
}

/// Returns the words of a name in lower case: `goal_state` and `goalState` have two.
fn words(name: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut before = ' ';
    for c in name.chars() {
        let before = std::mem::replace(&mut before, c);
        if !c.is_alphabetic() {
            continue;
        }
        if !before.is_alphabetic() || before.is_lowercase() && c.is_uppercase() {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut() {
            word.extend(c.to_lowercase());
        }
    }
    words
}

/// Returns whether a word in lower case is one of these with an ending.
fn is_one(word: &str, known: &[&str]) -> bool {
    known.iter().filter_map(|known| word.strip_prefix(known)).any(|end| ENDINGS.contains(&end))
}

/// Returns whether a label calls a row of a board.
pub(super) fn is_row(name: &str) -> bool {
    name.get(..3).is_some_and(|word| word.eq_ignore_ascii_case("row"))
}

/// Returns the number in the label of a row: `Row 1`, `row #1`. `Row A` is 1.
pub(super) fn row_number(name: &str) -> Option<usize> {
    let text = name.get(3..)?;
    let place = text.trim_start_matches(|c: char| !c.is_alphanumeric());
    let end = place.find(|c: char| !c.is_ascii_digit()).unwrap_or(place.len());
    match place.as_bytes() {
        [letter] if letter.is_ascii_alphabetic() && place.len() < text.len() => {
            Some(usize::from(letter.to_ascii_uppercase() - b'A') + 1)
        }
        _ => place[..end].parse().ok(),
    }
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
    // Tabs at the ends of a line may separate empty cells.
    let line = if text.len() == line.trim().len() { line } else { text };
    // 1. The name before the value.
    let is_name = |name: &str| name.contains(char::is_alphabetic) && name.chars().all(is_of_code);
    let assigned = text.split_once("<-").or_else(|| text.split_once('='));
    let assigned = assigned.filter(|(name, _)| is_name(name)).map(|(_, text)| text);
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
    let is_list = open != '{' || begins_list(cells);
    // Strings may be whole rows.
    let mut strings = cells.split(['"', '\'']).skip(1).step_by(2);
    let has_rows = strings.any(|string| string.trim().contains(char::is_whitespace));
    (is_flat && is_list && !has_rows && cells.contains(char::is_alphanumeric)).then_some(cells)
}

/// Returns the place of the remark on a line: after `#`, or after another sign if the remark begins
/// with a word or the line with the sign. A `#` before a number belongs to a label: `Case #1:`.
pub(super) fn remark(line: &str) -> Option<usize> {
    let is_of_label = |at: usize| {
        line[..at].trim_end().ends_with(char::is_alphabetic)
            && line[at + 1..].starts_with(|c: char| c.is_ascii_digit())
            && label(line).is_some()
    };
    let is_remark = |(at, sign): &(usize, &str)| {
        let text = line[at + sign.len()..].trim_start();
        let is_word = text.chars().take(2).filter(|c| c.is_alphabetic()).count() == 2;
        let before = &line[..*at];
        before.trim().is_empty() || is_word && before.ends_with(char::is_whitespace)
    };
    let hash = line.find('#').filter(|at| !is_of_label(*at));
    let others = REMARK_SIGNS.into_iter().flat_map(|sign| line.match_indices(sign));
    hash.into_iter().chain(others.filter(is_remark).map(|(at, _)| at)).min()
}

/// Returns whether a line is blank or nothing but a remark.
pub(crate) fn is_remark(line: &str) -> bool {
    line[..remark(line).unwrap_or(line.len())].trim().is_empty()
}

/// Returns a line without the full stop behind its last bracket, as in Prolog.
pub(super) fn without_stop(line: &str) -> &str {
    let ends_array = |text: &&str| text.ends_with([']', ')', '}']);
    line.trim_end().strip_suffix('.').filter(ends_array).unwrap_or(line)
}

/// Returns code such as `np.array([1, 2, 3, 0]).reshape(2, 2)` with the rows of that shape in
/// brackets.
pub(super) fn reshaped(line: &str) -> Option<String> {
    let (array, after) = line.split_once(".reshape(")?;
    let (sides, rest) = after.trim_start_matches(['(', '[']).split_once(')')?;
    let mut sides = sides.trim_end_matches(']').split(',').map(|side| side.trim().parse().ok());
    let (rows, cols): (usize, usize) = (sides.next()??, sides.next()??);
    let (before, cells) = array.split_once('[')?;
    let (cells, end) = cells.split_once(']')?;
    let cells: Vec<&str> = cells.split(',').collect();
    if sides.next().is_some() || rows.checked_mul(cols) != Some(cells.len()) {
        return None;
    }
    let rows: Vec<String> = cells.chunks(cols).map(|row| row.join(",")).collect();
    Some(format!("{before}[[{}]]{end}{}", rows.join("],["), rest.trim_start_matches(')')))
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
