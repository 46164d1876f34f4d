//! Frames around boards: labels, titles, remarks, code, and what they call a board.

use pdb_core::{CELLS_MAX, Shape};

use super::lex::{closing, is_array, is_bar};

/// Longest label, in bytes.
const LABEL_BYTES_MAX: usize = 80;
/// Words that call the board to solve.
const STARTS: [&str; 4] = ["start", "initial", "begin", "starting"];
/// Words that call a goal.
const GOALS: [&str; 9] =
    ["goal", "goals", "target", "final", "finish", "desired", "solved", "ziel", "end"];
/// Words that call any board, alone or after one of those above.
const NOUNS: [&str; 11] = [
    "board",
    "boards",
    "state",
    "position",
    "puzzle",
    "grid",
    "configuration",
    "node",
    "zustand",
    "stellung",
    "brett",
];
/// Labels of moves, without the numbers in them.
const MOVES: [&str; 14] = [
    "move",
    "moves",
    "best moves",
    "solution",
    "optimal solution",
    "solution path",
    "path",
    "sequence",
    "answer",
    "scramble",
    "lösung",
    "lösungsweg",
    "zug",
    "züge",
];
/// Labels of what boards do not have, and its name.
const OTHERS: [(&str, &str); 6] = [
    ("walls", "walls"),
    ("obstacles", "walls"),
    ("costs", "prices of tiles"),
    ("tile costs", "prices of tiles"),
    ("weights", "prices of tiles"),
    ("prices", "prices of tiles"),
];
/// Signs before the words of a remark, besides `#`.
const REMARK_SIGNS: [&str; 2] = ["//", "%"];

/// The thing that a label, a column's name or the code before a text names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Subject {
    Board,
    Goal,
    /// Moves, if it is a list without rows.
    Moves,
    /// A property that no board has, such as walls.
    Other(&'static str),
}

impl Subject {
    /// Returns the subject of a whole label; `None` if it is a title like any other.
    pub(super) fn of(label: &str) -> Option<Self> {
        if label.len() > LABEL_BYTES_MAX {
            return None;
        }
        let words = words(label);
        // A lone `end` is that of a board.
        if words == ["end"] {
            return None;
        }
        let is_one = |known: &[&str], word: &str| known.contains(&word);
        let calls = |known: &[&str]| match &words[..] {
            [word] => known.iter().any(|known| {
                word.strip_prefix(known).is_some_and(|rest| rest.is_empty() || is_one(&NOUNS, rest))
            }),
            [word, noun] => is_one(known, word) && is_one(&NOUNS, noun),
            _ => false,
        };
        let whole = words.join(" ");
        if calls(&STARTS) || is_one(&NOUNS, &whole) {
            Some(Self::Board)
        } else if calls(&GOALS) {
            Some(Self::Goal)
        } else if is_one(&MOVES, &whole) {
            Some(Self::Moves)
        } else {
            OTHERS.iter().find(|(name, _)| *name == whole).map(|(_, what)| Self::Other(what))
        }
    }

    /// Returns the subject of a column's name.
    pub(super) fn of_column(name: &str) -> Option<Self> {
        if words(name) == ["end"] { Some(Self::Goal) } else { Self::of(name) }
    }

    /// Returns the subject of code before a board: one of its names is such a label. A `final`
    /// before other names is a keyword.
    fn of_code(code: &str) -> Option<Self> {
        let code = code.split_once('=').map_or(code, |(name, _)| name);
        let names: Vec<&str> = code
            .split(|c: char| !c.is_alphanumeric() && c != '_')
            .filter(|name| !name.is_empty())
            .collect();
        let spoken = Self::of(&names.join(" "));
        let is_keyword = |at: usize| names[at] == "final" && at + 1 < names.len();
        let mut subjects =
            (0..names.len()).filter(|at| !is_keyword(*at)).filter_map(|at| Self::of(names[at]));
        spoken.or_else(|| subjects.find(|subject| *subject != Self::Board))
    }
}

/// Returns the words of a name in lower case: `goal_state` and `goalState` have two.
fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
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

/// Text before or above a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Label {
    /// A name, and what it calls.
    Name(Option<Subject>),
    /// The size of the boards below: `4x4:`.
    Size(Shape),
    /// The row of a board, if it is numbered: `Row 1`. `Row A` is 1.
    Row(Option<usize>),
    /// A number in a list, or its sign: `1.`, `-`. It is one only before a whole board.
    Item,
}

/// Returns the whole label that a line is, without the signs around it: `## Goal`, `**Start**`,
/// `<goal>`, `Goal ->`.
pub(super) fn whole_label(line: &str) -> Option<Label> {
    let name = line.trim_matches(|c: char| c.is_whitespace() || "#*<>/-=_~:`".contains(c));
    if !name.starts_with(char::is_alphabetic) || name.len() > LABEL_BYTES_MAX {
        return None;
    }
    let is_end = name.eq_ignore_ascii_case("end");
    let is_of_words = name.chars().all(|c| c.is_alphabetic() || " _".contains(c));
    let subject = Subject::of(name).filter(|_| is_of_words);
    (is_end || subject.is_some()).then_some(Label::Name(subject))
}

/// Returns the label of a line, and the text after it.
pub(super) fn label(line: &str) -> Option<(Label, &str)> {
    let text = line.trim();
    let line = line.trim_start();
    if !text.contains([':', '.', ')', '#', ' ']) {
        return None;
    }
    if let Some(rest) = line.strip_prefix(['-', '*', '+', '•'])
        && rest.starts_with(' ')
    {
        return Some((Label::Item, rest));
    }
    // A label alone: with a colon, with a number behind it, or a number of moves.
    let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let is_of_words = |text: &str| text.chars().all(|c| c.is_alphabetic() || " #".contains(c));
    let before_colon = text.strip_suffix(':').filter(|name| row(name).is_none());
    let before_number = text.rsplit_once([' ', '#']);
    let before_number =
        before_number.filter(|(name, number)| is_of_words(name) && is_number(number));
    let names = [before_colon, before_number.map(|(name, _)| name)];
    if let Some(name) = names.into_iter().flatten().find(|name| has_long_word(name))
        && text.len() <= LABEL_BYTES_MAX
    {
        return Some((Label::Name(Subject::of(name)), ""));
    }
    if let Some((number, word)) = text.split_once(' ')
        && is_number(number)
        && is_of_words(word)
        && Subject::of(word) == Some(Subject::Moves)
    {
        return Some((Label::Name(Some(Subject::Moves)), ""));
    }
    let is_of_label = |c: char| c.is_alphanumeric() || " _-#".contains(c);
    let at = line.find(|c: char| !is_of_label(c))?;
    let (name, rest) = line.split_at(at);
    if name.len() > LABEL_BYTES_MAX {
        return None;
    }
    if !name.is_empty() && is_number(name) {
        let after = rest.strip_prefix(['.', ':', ')']).filter(|after| after.starts_with(' '));
        return after.map(|after| (Label::Item, after));
    }
    // Two colons are code.
    let rest = rest.strip_prefix(':').filter(|rest| !rest.starts_with(':'))?;
    if let Some(size) = size(name).filter(|_| name.contains(['x', 'X'])) {
        return Some((Label::Size(size), rest));
    }
    let name = name.trim();
    let is_name = name.chars().filter(|c| c.is_alphanumeric()).count() > 1
        && name.contains(char::is_alphabetic);
    let label = row(name).unwrap_or_else(|| Label::Name(Subject::of(name)));
    is_name.then_some((label, rest))
}

/// Returns the label of a row that a name is.
fn row(name: &str) -> Option<Label> {
    let (word, place) = name.split_at_checked(3)?;
    if !word.eq_ignore_ascii_case("row") {
        return None;
    }
    let number = place.trim_start_matches(|c: char| !c.is_alphanumeric());
    let end = number.find(|c: char| !c.is_ascii_digit()).unwrap_or(number.len());
    Some(Label::Row(match number.as_bytes() {
        [letter] if letter.is_ascii_alphabetic() && number.len() < place.len() => {
            Some(usize::from(letter.to_ascii_uppercase() - b'A') + 1)
        }
        _ => number[..end].parse().ok(),
    }))
}

/// Returns the size that a text is, `3 4` or `3x4`, or the side of a square. A board of one line
/// has the sign.
pub(super) fn size(text: &str) -> Option<Shape> {
    let text = text.trim();
    if text.len() > 12 {
        return None;
    }
    let number = |part: &str| {
        let part = part.trim();
        part.bytes().all(|b| b.is_ascii_digit()).then(|| part.parse::<usize>().ok())?
    };
    let signed = text.split_once(['x', 'X', '×']);
    let (rows, cols) = signed
        .or_else(|| text.split_once(|c: char| c.is_whitespace() || c == ','))
        .unwrap_or((text, text));
    let shape = Shape::new(number(rows)?, number(cols.trim_start_matches(','))?).ok();
    shape.filter(|shape| signed.is_some() || !shape.is_line())
}

/// Returns the number that a line is, as it stands above boards.
pub(super) fn lone_number(line: &str) -> Option<usize> {
    let line = line.trim();
    let is_number = (1..7).contains(&line.len()) && line.bytes().all(|b| b.is_ascii_digit());
    is_number.then(|| line.parse().ok())?
}

/// Returns whether a text has a word of three letters, which is no cell.
fn has_long_word(text: &str) -> bool {
    let has_letters = |word: &str| word.chars().filter(|c| c.is_alphabetic()).count() > 2;
    text.split(|c: char| c.is_whitespace() || c == '#').any(has_letters)
}

/// Returns whether a line of words may be a title: `Easy`, `15-puzzle`, `Puzzle A (easy)`.
pub(super) fn is_title(line: &str) -> bool {
    if line.contains('\t') || !has_long_word(line) || is_array(line) {
        return false;
    }
    let is_number = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    let is_of_letters = |part: &str| part.chars().all(|c| c.is_alphabetic() || "'’".contains(c));
    let trimmed = |word: &'_ str| word.trim_matches(|c| "'’,.!?():;".contains(c)).to_owned();
    let words: Vec<String> = line.split(' ').map(trimmed).filter(|word| !word.is_empty()).collect();
    let is_word = |word: &&String| {
        is_number(word)
            || (is_of_letters(word) || has_long_word(word))
                && word.split('-').all(|part| is_number(part) || is_of_letters(part))
    };
    let is_empty = |word: &String| ["null", "none", "nil", "nan"].contains(&&*word.to_lowercase());
    let number_count = words.iter().filter(|word| is_number(word)).count();
    words.iter().all(|word| is_word(&word))
        && number_count < 2
        && !words.iter().all(is_empty)
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
    let has_bar = line.contains(is_bar);
    let is_dash = |c: &char| "-_".contains(*c);
    line.contains(|c| "+=".contains(c) || is_box(c) && !is_bar(c))
        || line.contains("--")
        || line.contains("__")
        || has_bar && line.chars().filter(is_dash).count() >= 2
}

/// Returns whether a ruler is a plain line of dashes.
pub(super) fn is_dashes(ruler: &str) -> bool {
    ruler.trim().chars().all(|c| "-=_".contains(c))
}

/// Returns the place of the remark on a line: after `#`, or after another sign if the remark begins
/// with a word or the line with the sign. A `#` before a number belongs to a label: `Case #1:`.
pub(super) fn remark(line: &str) -> Option<usize> {
    if !line.contains(['#', '/', '%']) {
        return None;
    }
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
    let others = REMARK_SIGNS
        .into_iter()
        .filter_map(|sign| line.match_indices(sign).find(is_remark).map(|(at, _)| at));
    hash.into_iter().chain(others).min()
}

/// Returns whether a line begins a model of a planner in PDDL.
pub(super) fn is_model(line: &str) -> bool {
    let Some(rest) = line.trim_start().strip_prefix('(') else { return false };
    let rest = rest.trim_start();
    let is_section = [":init", ":objects"].iter().any(|name| rest.starts_with(name));
    is_section || rest.get(..6).is_some_and(|word| word.eq_ignore_ascii_case("define"))
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
    let plain = Value { text: line, subject: None, shape: None };
    let text = line.trim();
    let text = text.strip_prefix("> ").unwrap_or(text);
    if let Some(digits) = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X"))
        && digits.len() > 3
        && digits.bytes().all(|byte| byte.is_ascii_hexdigit())
    {
        return Value { text: digits, ..plain };
    }
    // Tabs at the ends of a line may separate empty cells.
    let line = if text.len() == line.trim().len() { line } else { text };
    let is_name = |name: &str| {
        let is_of_code = |c: char| c.is_alphanumeric() || " _.:;!&<>[],*$".contains(c);
        name.contains(char::is_alphabetic) && name.chars().all(is_of_code)
    };
    let text =
        text.strip_suffix('.').filter(|text| text.ends_with([']', ')', '}'])).unwrap_or(text);
    // 1. The name before the value.
    let assigned = text.split_once("<-").or_else(|| text.split_once('='));
    let assigned = assigned.filter(|(name, _)| is_name(name));
    let value = assigned.map_or(text, |(_, value)| value).trim();
    // 2. A function or a type before its brackets. Empty brackets belong to a type.
    let open = value
        .char_indices()
        .find(|&(at, c)| "[({".contains(c) && !value[at + 1..].trim_start().starts_with(closing(c)))
        .map(|(at, _)| at);
    let before = &value[..open.unwrap_or(0)];
    let is_call = is_name(before) && (assigned.is_some() || !before.contains(' '));
    if assigned.is_none() && !is_call {
        return Value { text: if line.trim().len() == text.len() { line } else { text }, ..plain };
    }
    let declared = assigned.and_then(|(name, _)| declared_shape(name));
    let (value, shape) = match value.split_once(".reshape(") {
        Some((value, call)) => match reshaped(call).filter(|_| before.len() < value.len()) {
            Some(shape) => (value, Some(shape)),
            None => return Value { text: line, ..plain },
        },
        None => (value, None),
    };
    let subject = match assigned {
        Some((name, _)) => Subject::of_code(name),
        None => Subject::of_code(before),
    };
    let value = if is_call { &value[before.len()..] } else { value };
    // 3. The end of the statement, but not of a row in an open array.
    let end = value.trim_end_matches([';', ',']).trim_end();
    let is_whole = open.is_none() || end.ends_with(|c: char| "])}\"'".contains(c));
    let text = if is_whole { end } else { value };
    Value { text, subject, shape: declared.or(shape) }
}

/// Returns the shape of `int b[2][8]`.
fn declared_shape(name: &str) -> Option<Shape> {
    let (rest, cols) = name.trim().strip_suffix(']')?.rsplit_once('[')?;
    let (_, rows) = rest.trim_end().strip_suffix(']')?.rsplit_once('[')?;
    Shape::new(rows.trim().parse().ok()?, cols.trim().parse().ok()?).ok()
}

/// Returns the shape in the rest of a call: `3, 4)`, `(3, 4))`.
fn reshaped(call: &str) -> Option<Shape> {
    let sides = call.trim_end_matches([';', ',', ' ']);
    let sides = sides.trim_matches(|c: char| "()[] ".contains(c));
    let (rows, cols) = sides.split_once(',')?;
    Shape::new(rows.trim().parse().ok()?, cols.trim().parse().ok()?).ok()
}
