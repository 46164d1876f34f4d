//! Frames around boards: labels, titles, remarks, code, and what they call a board.

use pdb_core::{CELLS_MAX, Shape};

use super::grid;
use super::lex::{closing, is_array, is_bar};

/// Longest label, in bytes.
const LABEL_BYTES_MAX: usize = 80;
/// Words that call the board to solve.
const STARTS: &str = "start initial begin starting";
/// Words that call a goal.
const GOALS: &str = "goal goals target final finish desired solved ziel end";
/// Words that call any board, alone or after one of those above.
const NOUNS: &str =
    "board boards state position puzzle grid configuration node zustand stellung brett";
/// Labels of moves.
const MOVES: &str = "move moves bestmoves solution optimalsolution solutionpath path sequence \
                     answer scramble lösung lösungsweg zug züge";
/// Labels of properties that no board has.
const WALLS: &str = "walls obstacles";
const PRICES: &str = "costs tilecosts weights prices";

/// The thing that a label, a column's name or the code before a text names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Subject {
    Board,
    Goal,
    /// Moves, if it is a list without rows.
    Moves,
    /// A property that no board has.
    Other(&'static str),
}

impl Subject {
    /// Returns the subject of a whole label, whose words may be joined in any way; `None` if it is
    /// a title like any other.
    pub(super) fn of(label: &str) -> Option<Self> {
        if label.len() > LABEL_BYTES_MAX {
            return None;
        }
        let letters = label.chars().filter(|c| c.is_alphabetic());
        let name: String = letters.flat_map(char::to_lowercase).collect();
        let is_of = |known: &str, name: &str| known.split(' ').any(|word| word == name);
        let is_called = |known: &str| {
            let mut stems = NOUNS.split(' ').filter_map(|noun| name.strip_suffix(noun));
            is_of(known, &name) || stems.any(|stem| is_of(known, stem))
        };
        match &*name {
            // A lone `end` is that of a board.
            "" | "end" => None,
            _ if is_called(STARTS) || is_of(NOUNS, &name) => Some(Self::Board),
            _ if is_called(GOALS) => Some(Self::Goal),
            _ if is_of(MOVES, &name) => Some(Self::Moves),
            _ if is_of(WALLS, &name) => Some(Self::Other("called walls")),
            _ if is_of(PRICES, &name) => Some(Self::Other("called prices of tiles")),
            _ => None,
        }
    }

    /// Returns the subject of a column's name.
    pub(super) fn of_column(name: &str) -> Option<Self> {
        if name.eq_ignore_ascii_case("end") { Some(Self::Goal) } else { Self::of(name) }
    }

    /// Returns the subject of code before a board: one of its names is such a label. A `final`
    /// before other names is a keyword.
    fn of_code(code: &str) -> Option<Self> {
        let is_of_name = |c: char| c.is_alphanumeric() || c == '_';
        let names = code.split(|c| !is_of_name(c)).filter(|name| !name.is_empty());
        let names: Vec<&str> = names.collect();
        let is_keyword = |at: usize| names[at] == "final" && at + 1 < names.len();
        let named = (0..names.len()).filter(|at| !is_keyword(*at));
        let mut subjects = named.filter_map(|at| Self::of(names[at]));
        Self::of(&names.concat()).or_else(|| subjects.find(|subject| *subject != Self::Board))
    }
}

/// Text before or above a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Label {
    /// A name, and what it calls.
    Name(Option<Subject>),
    /// The size of the boards below: `4x4:`.
    Size(Shape),
    /// The row of a board: `Row 1`.
    Row,
    /// A number in a list, or its sign: `1.`, `-`. It is one only before a whole board.
    Item,
}

impl Label {
    /// Returns the label that a name is: `Row 1`, `Row A`, or what it calls.
    fn of(name: &str) -> Self {
        let word = name.trim().split(|c: char| !c.is_alphabetic()).next();
        let is_row = word.is_some_and(|word| word.eq_ignore_ascii_case("row"));
        if is_row { Self::Row } else { Self::Name(Subject::of(name)) }
    }
}

fn is_number(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Returns the known label that a line is, without the signs around it and with at most one number:
/// `## Goal`, `**Start**`, `<goal>`, `Goal ->`, `9 moves`.
pub(super) fn known_label(line: &str) -> Option<Label> {
    let name = line.trim_matches(|c: char| c.is_whitespace() || "#*<>/-=_~:`".contains(c));
    let is_of_words = |c: char| c.is_alphanumeric() || " _#".contains(c);
    let numbers = name.split(|c: char| !c.is_ascii_digit()).filter(|part| !part.is_empty());
    if name.len() > LABEL_BYTES_MAX || !name.chars().all(is_of_words) || numbers.count() > 1 {
        return None;
    }
    let subject = Subject::of(name);
    let is_end = name.eq_ignore_ascii_case("end");
    (is_end || subject.is_some()).then_some(Label::Name(subject))
}

/// Returns the label of a line, and the text after it.
pub(super) fn label(line: &str) -> Option<(Label, &str)> {
    let text = line.trim();
    let line = line.trim_start();
    if !text.contains([':', '.', ')', '#', ' ']) || begins_with_cells(text) {
        return None;
    }
    if let Some(rest) = line.strip_prefix(['-', '*', '+', '•'])
        && rest.starts_with(' ')
    {
        return Some((Label::Item, rest));
    }
    let signed_size = |name: &str| {
        let mut words = name.split_whitespace().filter(|word| word.contains(['x', 'X']));
        words.find_map(size)
    };
    // A label alone, which has a colon or a number behind it.
    let is_of_words = |text: &str| text.chars().all(|c| c.is_alphabetic() || " #".contains(c));
    let before_number = text.rsplit_once([' ', '#']).filter(|(_, number)| is_number(number));
    let names = [
        text.strip_suffix(':'),
        before_number.map(|(name, _)| name).filter(|name| is_of_words(name)),
    ];
    if let Some(name) = names.into_iter().flatten().find(|name| has_long_word(name))
        && text.len() <= LABEL_BYTES_MAX
        && !grid::is_of_numbers(name.trim())
    {
        return Some((signed_size(name).map_or_else(|| Label::of(name), Label::Size), ""));
    }
    let at = line.find(|c: char| !(c.is_alphanumeric() || " _-#".contains(c)))?;
    let (name, rest) = line.split_at(at);
    if !name.is_empty() && is_number(name) {
        let after = rest.strip_prefix(['.', ':', ')']).filter(|after| after.starts_with(' '));
        return after.map(|after| (Label::Item, after));
    }
    // Two colons are code.
    let rest = rest.strip_prefix(':').filter(|rest| !rest.starts_with(':'))?;
    if let Some(size) = signed_size(name) {
        return Some((Label::Size(size), rest));
    }
    let name = name.trim();
    let is_name = name.len() <= LABEL_BYTES_MAX
        && name.contains(char::is_alphabetic)
        && name.chars().filter(|c| c.is_alphanumeric()).count() > 1;
    is_name.then(|| (Label::of(name), rest))
}

/// Returns whether a line begins with numbers that may be the cells of a row or a board with a
/// remark: `7 8 0 moves: 3`, `820461375 moves: 14`, but not `9 moves:`.
fn begins_with_cells(line: &str) -> bool {
    let mut numbers = line.split_whitespace().take_while(|word| is_number(word));
    let first = numbers.next();
    first.is_some_and(|number| number.len() > 3) || numbers.next().is_some()
}

/// Returns the size that a text is, `3 4` or `3x4`, or the side of a square. A board of one line
/// has the sign.
pub(super) fn size(text: &str) -> Option<Shape> {
    let text = text.trim();
    if text.len() > 12 {
        return None;
    }
    let signed = text.split_once(['x', 'X', '×']);
    let (rows, cols) = signed
        .or_else(|| text.split_once(|c: char| c.is_whitespace() || c == ','))
        .unwrap_or((text, text));
    let shape = shape(rows, cols.trim_start_matches(','))?;
    (signed.is_some() || !shape.is_line()).then_some(shape)
}

/// Returns the shape with these numbers of rows and columns.
fn shape(rows: &str, cols: &str) -> Option<Shape> {
    let [rows, cols] = [rows, cols].map(|side| Some(side.trim()).filter(|side| is_number(side)));
    Shape::new(rows?.parse().ok()?, cols?.parse().ok()?).ok()
}

/// Returns the number that a line is, as it stands above boards.
pub(super) fn lone_number(line: &str) -> Option<usize> {
    let line = line.trim();
    line.parse().ok().filter(|_| line.len() < 7 && is_number(line))
}

/// Returns whether a text has a word of three letters, which is no cell.
pub(super) fn has_long_word(text: &str) -> bool {
    let has_letters = |word: &str| word.chars().filter(|c| c.is_alphabetic()).count() > 2;
    text.split(|c: char| c.is_whitespace() || c == '#').any(has_letters)
}

/// Returns whether a line of words may be a title: `Easy`, `15-puzzle`, `Puzzle A (easy)`.
pub(super) fn is_title(line: &str) -> bool {
    if line.contains('\t') || !has_long_word(line) || is_array(line) {
        return false;
    }
    let is_of_letters = |part: &str| part.chars().all(|c| c.is_alphabetic() || "'’".contains(c));
    let trimmed = |word: &'_ str| word.trim_matches(|c| "'’,.!?():;".contains(c)).to_owned();
    let words: Vec<String> = line.split(' ').map(trimmed).filter(|word| !word.is_empty()).collect();
    let is_word = |word: &&String| {
        is_number(word)
            || (is_of_letters(word) || has_long_word(word))
                && word.split('-').all(|part| is_number(part) || is_of_letters(part))
    };
    words.iter().all(|word| is_word(&word))
        && words.iter().filter(|word| is_number(word)).count() < 2
        && !matches!(&words[..], [word] if has_letters_of_board(word))
}

/// Returns whether a word may be the letters of a board with some wrong ones.
fn has_letters_of_board(word: &str) -> bool {
    if word.len() > CELLS_MAX {
        return false;
    }
    let is_wrong = |(at, c): &(usize, char)| {
        let letter = c.to_digit(36).map_or(usize::MAX, |digit| digit as usize);
        letter > 9 + word.len() || word[..*at].contains(*c)
    };
    let wrong_count = word.char_indices().filter(is_wrong).count();
    wrong_count < 2 || 3 * wrong_count < word.len()
}

/// Returns whether a line is decoration: `+---+---+`, `|---|---|`, `├───┼───┤`, `-----`, a line
/// around code in Markdown, or a remark in PDDL.
///
/// Dashes and underscores also stand for the blank, but no row has two blanks.
pub(super) fn is_ruler(line: &str) -> bool {
    let line = line.trim();
    let is_lisp_remark = |text: &str| text.chars().take(2).all(char::is_alphabetic);
    if line.starts_with("```")
        || line.starts_with(";;")
        || line.strip_prefix("; ").is_some_and(is_lisp_remark)
    {
        return true;
    }
    let is_box = |c: char| ('\u{2500}'..='\u{257f}').contains(&c);
    if !line.chars().all(|c| c.is_whitespace() || "|+-=_:".contains(c) || is_box(c)) {
        return false;
    }
    let is_dash = |c: &char| "-_".contains(*c);
    line.contains(|c| "+=".contains(c) || is_box(c) && !is_bar(c))
        || line.contains("--")
        || line.contains("__")
        || line.contains(is_bar) && line.chars().filter(is_dash).count() >= 2
}

/// Returns whether a ruler is a plain line of dashes.
pub(super) fn is_dashes(ruler: &str) -> bool {
    ruler.trim().chars().all(|c| "-=_".contains(c))
}

/// Returns the place of the remark on a line: after `#`, or after `//` or `%` if the remark begins
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
        is_word && before.ends_with(char::is_whitespace) || before.trim().is_empty()
    };
    let hash = line.find('#').filter(|at| !is_of_label(*at));
    let others =
        ["//", "%"].into_iter().filter_map(|sign| line.match_indices(sign).find(is_remark));
    hash.into_iter().chain(others.map(|(at, _)| at)).min()
}

/// Returns whether a line begins a model of a planner in PDDL.
pub(super) fn is_model(line: &str) -> bool {
    let Some(rest) = line.trim_start().strip_prefix('(') else { return false };
    let rest = rest.trim_start().to_ascii_lowercase();
    ["define", ":init", ":objects"].iter().any(|name| rest.starts_with(name))
}

/// Board or row in a line of code, without the code around it.
pub(super) struct Value<'a> {
    pub(super) text: &'a str,
    /// The thing that the code names.
    pub(super) subject: Option<Subject>,
    /// The shape that the code gives it.
    pub(super) shape: Option<Shape>,
}

/// Returns the value that a line of code assigns or passes, an array or a string, or the text that
/// a line quotes. Returns other lines as they are.
pub(super) fn value(line: &str) -> Value<'_> {
    let plain = |text| Value { text, subject: None, shape: None };
    let text = line.trim();
    let text = text.strip_prefix("> ").unwrap_or(text);
    let digits = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X"));
    if let Some(digits) = digits
        && digits.len() > 3
        && digits.bytes().all(|byte| byte.is_ascii_hexdigit())
    {
        return plain(digits);
    }
    // Tabs at the ends of a line may separate empty cells.
    let line = if text.len() == line.trim().len() { line } else { text };
    let is_closed = |text: &&str| text.ends_with([']', ')', '}']);
    let text = text.strip_suffix('.').filter(is_closed).unwrap_or(text);
    let is_name = |name: &str| {
        let is_of_code = |c: char| c.is_alphanumeric() || " _.:;!&<>[],*$".contains(c);
        // A row may have a value behind it.
        let begins_with_digit = name.trim_start().starts_with(|c: char| c.is_ascii_digit());
        name.contains(char::is_alphabetic) && name.chars().all(is_of_code) && !begins_with_digit
    };
    // 1. The name before the value.
    let assigned = text.split_once("<-").or_else(|| text.split_once('='));
    let assigned = assigned.filter(|(name, _)| is_name(name));
    let value = assigned.map_or(text, |(_, value)| value).trim();
    // 2. A function or a type before its brackets. Empty brackets belong to a type.
    let is_open = |&(at, c): &(usize, char)| {
        "[({".contains(c) && !value[at + 1..].trim_start().starts_with(closing(c))
    };
    let open = value.char_indices().find(is_open).map(|(at, _)| at);
    let before = &value[..open.unwrap_or(0)];
    let is_call = is_name(before) && (assigned.is_some() || !before.contains(' '));
    if assigned.is_none() && !is_call {
        return plain(if line.trim().len() == text.len() { line } else { text });
    }
    let subject = Subject::of_code(assigned.map_or(before, |(name, _)| name));
    let mut shape = assigned.and_then(|(name, _)| declared_shape(name));
    let mut value = if is_call { &value[before.len()..] } else { value };
    if let Some((array, call)) = value.split_once(".reshape(") {
        let Some(reshaped) = reshaped(call) else { return plain(line) };
        (value, shape) = (array, shape.or(Some(reshaped)));
    }
    // 3. The end of the statement, but not of a row in an open array.
    let end = value.trim_end_matches([';', ',']).trim_end();
    let is_whole = open.is_none() || end.ends_with(|c: char| "])}\"'".contains(c));
    Value { text: if is_whole { end } else { value }, subject, shape }
}

/// Returns the shape of `int b[2][8]`.
fn declared_shape(name: &str) -> Option<Shape> {
    let (rest, cols) = name.trim().strip_suffix(']')?.rsplit_once('[')?;
    let (_, rows) = rest.trim_end().strip_suffix(']')?.rsplit_once('[')?;
    shape(rows, cols)
}

/// Returns the shape in the rest of a call: `3, 4)`, `(3, 4))`.
fn reshaped(call: &str) -> Option<Shape> {
    let sides = call.trim_matches(|c: char| "()[];, ".contains(c));
    let (rows, cols) = sides.split_once(',')?;
    shape(rows, cols)
}
