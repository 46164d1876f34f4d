//! The cells of a board: the layouts of a text without brackets, the notations of its cells, and
//! the choice among them.
//!
//! A single board among all readings is the board, and two are [`TextErrorKind::Ambiguous`]. If
//! none is a board, the likeliest reading gives the error.

use std::borrow::Cow;

use pdb_core::excerpt::{WORD_CHARS_MAX, excerpt};
use pdb_core::{BLANK, Board, BoardError, CELLS_MAX, Shape};

use super::lex::{Sign, Token, lex};
use crate::text::error::BoardTextError;
use crate::text::error_kind::TextErrorKind;
use crate::text::format::{BlankSign, BoardFormat};

/// Characters that are the blank in every notation, besides 0.
const BLANK_SIGNS: &str = "._-–—*□■▢◻◼☐⬚⬜⬛█░○●◯·•";
/// Words that are the blank among numbers.
const BLANK_WORDS: [&str; 12] = [
    "b",
    "-1",
    "null",
    "none",
    "nil",
    "nan",
    "na",
    "nothing",
    "missing",
    "undefined",
    "blank",
    "empty",
];

/// Rows of cells, each a part of the text.
type Rows<'a> = Vec<Vec<&'a str>>;

/// Division of a text into rows of cells.
#[derive(Clone, Debug)]
struct Reading<'a> {
    cells: Vec<&'a str>,
    /// Number of cells of each row. A text without row separators is one row.
    widths: Vec<usize>,
    /// Rank by likelihood, if no reading is a board: the smallest is the most likely.
    rank: u8,
    /// Whether the text has an empty cell, so that no number stands for the blank.
    has_gap: bool,
    /// Whether this reading omits an empty cell. Then it is no board.
    is_lossy: bool,
}

impl<'a> Reading<'a> {
    fn new(rows: impl IntoIterator<Item = impl IntoIterator<Item = &'a str>>, rank: u8) -> Self {
        let mut reading =
            Self { cells: Vec::new(), widths: Vec::new(), rank, has_gap: false, is_lossy: false };
        for row in rows {
            let before = reading.cells.len();
            reading.cells.extend(row);
            if reading.cells.len() > before {
                reading.widths.push(reading.cells.len() - before);
            }
        }
        reading
    }

    fn rows(&self) -> impl Iterator<Item = &[&'a str]> {
        let mut rest = &self.cells[..];
        self.widths.iter().map(move |&width| {
            let (row, after) = rest.split_at(width);
            rest = after;
            row
        })
    }

    fn empty_count(&self) -> usize {
        self.cells.iter().filter(|cell| cell.is_empty()).count()
    }

    fn is_even(&self) -> bool {
        self.widths.iter().all(|width| *width == self.widths[0])
    }

    fn has_one_gap(&self) -> bool {
        self.empty_count() == 1 && self.is_even()
    }

    fn lossy_if(self, is_lossy: bool) -> Self {
        if is_lossy { Self { is_lossy, rank: 4, ..self } } else { self }
    }
}

/// Returns all readings of a text, the likeliest first.
fn readings<'a>(text: &'a str, tokens: &[Token]) -> Vec<Reading<'a>> {
    use Sign::{Bar, Comma, LineEnd, Semi, Slash, Tab};
    let has = |sign| tokens.iter().any(|token| token.sign == sign);
    let rows = rows(tokens, &[LineEnd, Slash, Semi]);
    let mut all = Vec::new();
    if has(Bar) {
        // 1. Bars between cells. 2. Bars between rows. 3. Bars for the eye only.
        all.extend(with_gaps(text, &rows, Bar));
        for reading in &mut all {
            reading.rank = reading.rank.min(2);
        }
        let parts = self::rows(tokens, &[LineEnd, Slash, Semi, Bar]);
        let words = words(text, &parts);
        let has_commas = has(Comma);
        all.extend(compact(&words, false));
        if has_commas {
            all.extend(with_gaps(text, &parts, Comma));
        }
        all.push(words.lossy_if(has_commas && has_gap(&parts, Comma)));
        if rows.len() > 1 {
            let is_lossy = has_gap(&rows, Bar) || has_commas && has_gap(&rows, Comma);
            all.push(self::words(text, &rows).lossy_if(is_lossy));
        }
    } else {
        let words = words(text, &rows);
        let is_lossy = has(Comma) && (has_gap(&rows, Comma) || are_shifted(&rows, Comma));
        if !is_lossy {
            all.extend(compact(&words, true));
            all.extend(with_dashes(text, &rows));
        }
        if is_lossy || has(Comma) && rows.iter().any(|row| ends_with_gap(row, Comma)) {
            all.extend(with_gaps(text, &rows, Comma));
        }
        let are_tabs_even = has(Tab) && {
            let count = |row: &&[Token]| row.iter().filter(|token| token.sign == Tab).count();
            !has(Slash) && !has(Semi) && rows.iter().all(|row| count(row) == count(&rows[0]))
        };
        // Extra tabs are common, so only rows of one length show an empty cell.
        if has(Tab) && !is_lossy {
            all.extend(with_gaps(text, &rows, Tab));
        }
        let is_shifted = are_tabs_even && rows.len() > 1 && are_shifted(&rows, Tab);
        let has_tab_gap = has(Tab) && has_gap(&rows, Tab);
        all.push(Reading { has_gap: has_tab_gap, ..words.lossy_if(is_lossy || is_shifted) });
    }
    if has(LineEnd) && !has(Slash) && !has(Bar) && !has(Semi) && !has(Comma) && !has(Tab) {
        all.extend(column(text, tokens));
    }
    if has(Semi) && !has(Slash) {
        all.extend(between_semicolons(text, tokens));
    }
    if all.iter().any(Reading::has_one_gap) {
        for reading in all.iter_mut().filter(|reading| reading.empty_count() == 0) {
            reading.has_gap = true;
        }
    }
    all.sort_by_key(|reading| reading.rank);
    all
}

/// Splits tokens into rows at any of these signs.
fn rows<'t>(tokens: &'t [Token], ends: &[Sign]) -> Vec<&'t [Token]> {
    let rows = tokens.split(|token| ends.contains(&token.sign));
    rows.filter(|row| row.iter().any(|token| token.sign != Sign::Tab)).collect()
}

/// Takes every cell of the rows. Brackets have no place in a row, so each is a wrong cell.
fn words<'a>(text: &'a str, rows: &[&[Token]]) -> Reading<'a> {
    let is_cell =
        |token: &&Token| token.sign.is_cell() || matches!(token.sign, Sign::Open | Sign::Close);
    Reading::new(rows.iter().map(|row| row.iter().filter(is_cell).map(|token| token.of(text))), 2)
}

/// Returns whether a cell between two of these separators is empty.
fn has_gap(rows: &[&[Token]], separator: Sign) -> bool {
    rows.iter().any(|row| {
        let mut is_open = false;
        row.iter().any(|token| {
            let is_gap = token.sign == separator && is_open;
            is_open = token.sign == separator || is_open && !token.sign.is_cell();
            is_gap
        })
    })
}

fn ends_with_gap(row: &[Token], separator: Sign) -> bool {
    [row.first(), row.last()].iter().flatten().any(|token| token.sign == separator)
}

/// Returns whether a row begins or ends with an empty cell in a column that has cells in others.
fn are_shifted(rows: &[&[Token]], separator: Sign) -> bool {
    let extent = |row: &&[Token]| {
        let (mut at, mut first, mut last) = (0, None, 0);
        for token in *row {
            if token.sign == separator {
                at += 1;
            } else if token.sign != Sign::Tab {
                first.get_or_insert(at);
                last = at;
            }
        }
        (first.unwrap_or(0), last, at)
    };
    let extents: Vec<(usize, usize, usize)> = rows.iter().map(extent).collect();
    let last_of_all = extents.iter().map(|(_, last, _)| *last).max();
    extents.iter().any(|(first, last, separators)| {
        *first != extents[0].0 || last < separators && Some(*last) < last_of_all
    })
}

/// Divides rows at a separator, with empty cells. Each cell has at most one word, or there is no
/// reading.
fn with_gaps<'a>(text: &'a str, rows: &[&[Token]], separator: Sign) -> Vec<Reading<'a>> {
    let divided = |row: &&[Token]| {
        let mut cells = Vec::new();
        let mut cell: Option<&'a str> = None;
        let mut start = row[0].start;
        for token in *row {
            if token.sign == separator {
                // An empty cell is marked in its middle.
                let middle = text.floor_char_boundary(start.midpoint(token.start));
                cells.push(cell.take().unwrap_or(&text[middle..middle]));
                start = token.end;
            } else if token.sign != Sign::Tab {
                if token.sign == Sign::Comma || cell.is_some() {
                    return None;
                }
                cell = Some(token.of(text));
            }
        }
        let end = &text[start..start];
        cells.push(cell.unwrap_or(end));
        Some(cells)
    };
    framed(rows.iter().map(divided).collect())
}

/// Divides rows of one word at the dashes in it.
fn with_dashes<'a>(text: &'a str, rows: &[&[Token]]) -> Vec<Reading<'a>> {
    let divided = |row: &&[Token]| {
        let [word] = row else { return None };
        let word = word.of(text);
        let (cell, rest) = word.split_once('-')?;
        let is_divided =
            !cell.is_empty() && rest.starts_with(|c: char| c.is_alphanumeric() || "._".contains(c));
        is_divided.then(|| word.split('-').collect())
    };
    framed(rows.iter().map(divided).collect())
}

/// Returns the readings of rows with empty cells, without what may be a frame around them: a
/// separator at one end of every row is a frame or has an empty cell beyond it. At both ends it is
/// a frame.
fn framed(rows: Option<Rows<'_>>) -> Vec<Reading<'_>> {
    let Some(rows) = rows.filter(|rows| !rows.is_empty()) else { return Vec::new() };
    let at_start = rows.iter().all(|row| row.len() > 1 && row[0].is_empty());
    let at_end = rows.iter().all(|row| row.len() > 1 && row[row.len() - 1].is_empty());
    let drawn = |from: usize, less: usize| {
        let within = |row: &Vec<_>| row[from..row.len() - less].to_vec();
        let mut reading = Reading::new(rows.iter().map(within), 3);
        if reading.has_one_gap() {
            reading.rank = 1;
        }
        reading
    };
    // Several empty columns are not the board's.
    let empty_count = |row: &Vec<&str>| row.iter().rev().take_while(|cell| cell.is_empty()).count();
    let empty_columns = rows.iter().map(empty_count).min().unwrap_or(0);
    let mut all = Vec::new();
    if empty_columns > 1 && !at_start {
        all.push(drawn(0, empty_columns));
    }
    all.push(drawn(usize::from(at_start), usize::from(at_end)));
    if at_start != at_end {
        all.push(drawn(0, 0));
    }
    all
}

/// Returns the reading of a cell on each line.
fn column<'a>(text: &'a str, tokens: &[Token]) -> Option<Reading<'a>> {
    let cell = |row: &[Token]| match row {
        [cell] => Some(cell.of(text)),
        _ => None,
    };
    let lines = rows(tokens, &[Sign::LineEnd]);
    let cells = lines.iter().map(|row| cell(row)).collect::<Option<Vec<&str>>>()?;
    // Longer words are rows of digits.
    let rank = if are_tiles(&cells) && cells.len() > 3 { 1 } else { 3 };
    (cells.len() > 1).then(|| Reading::new([cells], rank))
}

/// Returns the readings of lines with a semicolon between their cells.
fn between_semicolons<'a>(text: &'a str, tokens: &[Token]) -> Vec<Reading<'a>> {
    let lines = rows(tokens, &[Sign::LineEnd]);
    if !lines.iter().all(|row| row.iter().any(|token| token.sign == Sign::Semi)) {
        return Vec::new();
    }
    let mut all = with_gaps(text, &lines, Sign::Semi);
    for reading in all.iter_mut().filter(|reading| reading.is_even()) {
        if reading.widths.first().is_some_and(|width| *width > 1) {
            reading.rank = 1;
        }
    }
    all
}

/// Divides words into cells of one character each.
///
/// A word is a row where each row has one word, or where it cannot be a tile. With `rows_hold` the
/// rows are certain: then two digits may be two cells.
fn compact<'a>(words: &Reading<'a>, rows_hold: bool) -> Vec<Reading<'a>> {
    let cells = &words.cells;
    let Some(first) = cells.first() else { return Vec::new() };
    let is_one_char = |word: &&str| word.chars().nth(1).is_none();
    let rank = |is_likely| if is_likely { 0 } else { 3 };
    if rows_hold && cells.len() == words.widths.len() {
        if cells.iter().all(is_one_char) {
            return Vec::new();
        }
        // `9/10/11` looks like a column of tiles.
        let is_good = |c: &char| c.is_ascii_alphanumeric() || BLANK_SIGNS.contains(*c);
        let chars = || cells.iter().flat_map(|word| word.chars());
        let is_likely = 2 * chars().filter(is_good).count() > chars().count() && !are_tiles(cells);
        return vec![Reading::new(cells.iter().map(|word| chars_of(word)), rank(is_likely))];
    }
    let length = first.chars().take(CELLS_MAX + 1).count();
    let is_number = |word: &&str| word.bytes().all(|byte| byte.is_ascii_digit());
    let are_groups = length > 1
        && cells.iter().all(|word| word.chars().count() == length)
        && (length > 2 || !cells.iter().all(is_number));
    if !are_groups {
        return Vec::new();
    }
    // Spaces may separate rows, or group digits. Several dots are those of decimals.
    let is_likely = cells.iter().filter(|word| word.contains('.')).count() < 2;
    let by_row = words.rows().map(|row| row.iter().flat_map(|word| chars_of(word)));
    vec![
        Reading::new(cells.iter().map(|word| chars_of(word)), rank(is_likely)),
        Reading::new(by_row, rank(false)),
    ]
}

/// Returns whether words look like tiles, not like rows of digits.
fn are_tiles(words: &[&str]) -> bool {
    let is_tile = |word: &&str| word.len() < 3 && word.bytes().all(|b| b.is_ascii_digit());
    words.iter().all(is_tile) && words.iter().any(|word| word.len() == 1)
}

fn chars_of(word: &str) -> impl Iterator<Item = &str> {
    word.char_indices().map(|(at, c)| &word[at..at + c.len_utf8()])
}

/// Content of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Piece {
    Blank,
    Tile(u64),
}

/// Notation of tiles.
#[derive(Clone, Copy, Debug)]
enum Notation {
    /// Decimal numbers.
    Numbers,
    /// Decimal numbers with a point and zeros after it.
    Decimals,
    /// One digit each, `a` for 10 and `z` for 35.
    Digits { x_is_blank: bool },
    /// One letter each, `a` for 1.
    Letters { x_is_blank: bool },
}

impl Notation {
    /// All notations of single characters, the likeliest first.
    const ALL: [Self; 5] = [
        Self::Numbers,
        Self::Digits { x_is_blank: true },
        Self::Digits { x_is_blank: false },
        Self::Letters { x_is_blank: true },
        Self::Letters { x_is_blank: false },
    ];

    /// Returns the possible notations of these cells.
    fn of(reading: &Reading<'_>) -> &'static [Self] {
        let cells = || reading.cells.iter();
        let is_digit = |cell: &str| cell.bytes().all(|byte| byte.is_ascii_digit());
        if cells().all(|cell| cell.chars().nth(1).is_none()) {
            if cells().all(|cell| is_digit(cell)) { &Self::ALL[..1] } else { &Self::ALL }
        } else if !cells().any(|cell| cell.contains('.')) {
            &Self::ALL[..1]
        } else if cells().all(|cell| whole(cell).is_some() || is_blank_among_numbers(cell)) {
            &[Self::Decimals]
        } else {
            &Self::ALL[..1]
        }
    }

    /// Reads a cell. A named blank is the only one, so that 0 is a tile beside it.
    fn piece(self, cell: &str, blank: Option<BlankSign>) -> Option<Piece> {
        if let Some(blank) = blank {
            let is_blank = blank.is(cell);
            return if is_blank { Some(Piece::Blank) } else { self.tile(cell).map(Piece::Tile) };
        }
        if let (Self::Numbers, Some(tile)) = (self, number(cell)) {
            return Some(if tile == 0 { Piece::Blank } else { Piece::Tile(tile) });
        }
        let (is_x, has_words) = match self {
            Self::Numbers | Self::Decimals => (true, true),
            Self::Digits { x_is_blank } | Self::Letters { x_is_blank } => (x_is_blank, false),
        };
        if is_blank(cell)
            || is_x && cell.eq_ignore_ascii_case("x")
            || has_words && is_blank_among_numbers(cell)
        {
            return Some(Piece::Blank);
        }
        let tile = self.tile(cell)?;
        Some(if tile == 0 { Piece::Blank } else { Piece::Tile(tile) })
    }

    /// Reads a cell as a number.
    fn tile(self, cell: &str) -> Option<u64> {
        let digit = || cell.chars().next()?.to_digit(36).map(u64::from);
        match self {
            Self::Numbers => number(cell),
            Self::Decimals => whole(cell).and_then(number),
            Self::Digits { .. } => digit(),
            // Digits are no letters.
            Self::Letters { .. } => digit()?.checked_sub(9).filter(|&tile| tile > 0),
        }
    }

    /// Returns the most likely notation, if no reading is a board: most cells are on the board.
    fn likely(reading: &Reading<'_>, blank: Option<BlankSign>) -> Self {
        let found = reading.cells.len() as u64;
        let is_wrong = |notation: Self, cell: &&&str| match notation.piece(cell, blank) {
            Some(Piece::Tile(tile)) => tile > found,
            Some(Piece::Blank) => false,
            None => true,
        };
        let wrong = |notation: &&Self| {
            reading.cells.iter().filter(|cell| is_wrong(**notation, cell)).count()
        };
        Self::of(reading).iter().min_by_key(wrong).copied().unwrap_or(Self::Numbers)
    }
}

/// Returns whether a cell is the blank in every notation.
fn is_blank(cell: &str) -> bool {
    let mut chars = cell.chars();
    match (chars.next(), chars.next()) {
        (None, _) | (Some('0'), None) => true,
        (Some(sign), None) => BLANK_SIGNS.contains(sign),
        _ => false,
    }
}

/// Returns whether a cell is the blank where all others are numbers.
fn is_blank_among_numbers(cell: &str) -> bool {
    BLANK_WORDS.iter().any(|word| cell.eq_ignore_ascii_case(word))
}

/// Returns the digits of a whole number before its point.
fn whole(cell: &str) -> Option<&str> {
    let (whole, zeros) = cell.split_once('.')?;
    let is_whole = !whole.is_empty() && zeros.bytes().all(|byte| byte == b'0');
    is_whole.then_some(whole)
}

/// Reads digits. A number beyond 64 bits is out of range like any other.
pub(super) fn number(word: &str) -> Option<u64> {
    if word.is_empty() || !word.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    Some(word.parse().unwrap_or(u64::MAX))
}

/// Returns the number that a scanner may have read as these letters.
fn meant(cell: &str) -> Option<String> {
    let digit = |c| match c {
        '0'..='9' => Some(c),
        'O' | 'o' | 'Q' | 'D' => Some('0'),
        'l' | 'I' | 'i' | '|' | '!' => Some('1'),
        'Z' | 'z' => Some('2'),
        'S' | 's' => Some('5'),
        'B' => Some('8'),
        _ => None,
    };
    (cell.len() <= 2).then(|| cell.chars().map(digit).collect())?
}

/// Fault of a text, and the wrong parts of it.
type Fault<'a> = (TextErrorKind, Vec<&'a str>);

fn whole_fault<'a>(error: impl Into<TextErrorKind>) -> Fault<'a> {
    (error.into(), Vec::new())
}

/// Reads the cells as a board in one notation.
fn board_of<'a>(
    reading: &Reading<'a>,
    notation: Notation,
    format: BoardFormat,
) -> Result<Board, Fault<'a>> {
    let BoardFormat { shape, blank } = format;
    let cells = &reading.cells;
    let found = cells.len();
    if found == 0 {
        return Err(whole_fault(TextErrorKind::Empty));
    }
    let drawn = shape_of(reading, shape);
    let mut pieces = Vec::with_capacity(found);
    for (at, cell) in cells.iter().enumerate() {
        let Some(piece) = notation.piece(cell, blank) else {
            return Err((
                wrong_word(reading, notation, drawn.as_ref().ok().copied(), at),
                vec![cell],
            ));
        };
        pieces.push(piece);
    }
    let drawn = drawn?;
    if let Some(expected) = shape.filter(|shape| *shape != drawn) {
        return Err(whole_fault(BoardError::OtherShape { expected, found: drawn }));
    }
    // Tiles beyond the range have the same cause as a wrong number of cells.
    if found != drawn.cell_count() {
        return Err(whole_fault(BoardError::CellCount { shape: drawn, found }));
    }
    let has_blank = pieces.contains(&Piece::Blank);
    let last = Piece::Tile(found as u64);
    let mut is_renumbered = false;
    match blank {
        Some(blank) if !has_blank => {
            return Err(whole_fault(TextErrorKind::NoBlank { blank: blank.to_string() }));
        }
        // Tiles count from 0 if it is one of them, which it is only beside a named blank.
        Some(blank) if pieces.contains(&Piece::Tile(0)) => {
            is_renumbered = true;
            for piece in &mut pieces {
                if let Piece::Tile(number) = piece {
                    *number = blank.tile(*number);
                }
            }
        }
        // Some programs write the number of cells for the blank.
        None if !has_blank && !reading.has_gap => {
            if let Some(piece) = pieces.iter_mut().find(|piece| **piece == last) {
                *piece = Piece::Blank;
            }
        }
        _ => {}
    }
    let fault = |error: BoardError| {
        if is_renumbered { TextErrorKind::CountedFromOne(error) } else { error.into() }
    };
    let mut tiles = [0; CELLS_MAX];
    for (cell, &piece) in pieces.iter().enumerate() {
        tiles[cell] = match piece {
            Piece::Blank => BLANK,
            Piece::Tile(tile) if tile < found as u64 => tile as u8,
            Piece::Tile(tile) => {
                let error = BoardError::OutOfRange { tile, shape: drawn, cell };
                return Err((fault(error), vec![cells[cell]]));
            }
        };
    }
    Board::new(drawn, &tiles[..found]).map_err(|error| {
        let marks = match error {
            BoardError::Repeated { first, second, .. } => vec![cells[first], cells[second]],
            _ => Vec::new(),
        };
        (fault(error), marks)
    })
}

/// Returns the error of a cell that is neither a tile nor the blank.
fn wrong_word(
    reading: &Reading<'_>,
    notation: Notation,
    shape: Option<Shape>,
    at: usize,
) -> TextErrorKind {
    let cell = reading.cells[at];
    let word = excerpt(cell, WORD_CHARS_MAX);
    // Row and column on the board if its shape is known, otherwise in the text.
    let shape = shape.filter(|shape| shape.cell_count() == reading.cells.len());
    let (row, col) = shape.map_or_else(
        || {
            let ends = reading.widths.iter().scan(0, |end, width| {
                *end += width;
                Some(*end)
            });
            let row = ends.take_while(|end| *end <= at).count();
            (row + 1, at - reading.widths[..row].iter().sum::<usize>() + 1)
        },
        |shape| (at / shape.cols() + 1, at % shape.cols() + 1),
    );
    // Words without a digit are rather no board at all.
    let has_digit = || reading.cells.iter().any(|cell| cell.contains(|c: char| c.is_ascii_digit()));
    match (notation, meant(cell).filter(|_| has_digit())) {
        (Notation::Letters { .. }, _) if number(cell).is_some() => {
            TextErrorKind::DigitAmongLetters { digit: word, row, col }
        }
        (_, Some(meant)) => TextErrorKind::LooksLike { word, meant, row, col },
        _ => BoardError::Word { word, row, col, place: at + 1 }.into(),
    }
}

/// Returns the shape of the rows, or the expected shape if there are no rows.
fn shape_of<'a>(reading: &Reading<'a>, shape: Option<Shape>) -> Result<Shape, Fault<'a>> {
    let found = reading.cells.len();
    let [expected, others @ ..] = &reading.widths[..] else {
        return Err(whole_fault(TextErrorKind::Empty));
    };
    if others.is_empty() {
        if let Some(shape) = shape {
            return Ok(shape);
        }
        let side = found.isqrt();
        if side * side != found {
            return Err(whole_fault(TextErrorKind::NotSquare { found }));
        }
        return Shape::new(side, side).map_err(whole_fault);
    }
    if let Some((at, width)) = (1..).zip(others).find(|(_, width)| *width != expected) {
        let error = BoardError::Ragged { row: at + 1, expected: *expected, found: *width };
        return Err((error.into(), reading.rows().nth(at).unwrap_or_default().to_vec()));
    }
    let drawn = Shape::new(reading.widths.len(), *expected).map_err(whole_fault)?;
    // A cell on each line may be the beginning of another board.
    if shape.is_none() && drawn.is_line() {
        return Err(whole_fault(BoardError::OneLine { shape: drawn }));
    }
    Ok(drawn)
}

/// Returns the tokens of a text in which strings of several cells are rows.
fn expanded<'t>(text: &str, tokens: &'t [Token]) -> Cow<'t, [Token]> {
    if !tokens.iter().any(|token| token.sign == Sign::Text) {
        return Cow::Borrowed(tokens);
    }
    let mut all = Vec::new();
    for token in tokens {
        if token.sign == Sign::Text {
            let slash = |at| Token { sign: Sign::Slash, start: at, end: at };
            all.push(slash(token.start));
            lex(&text[..token.end], token.start, &mut all);
            all.push(slash(token.end));
        } else {
            all.push(*token);
        }
    }
    // Commas between strings separate rows, which the slashes do already.
    let is_between = |at: usize| {
        let neighbours = [at.checked_sub(1).map(|at| all[at]), all.get(at + 1).copied()];
        let is_slash = |token: &Token| token.sign == Sign::Slash;
        all[at].sign == Sign::Comma && neighbours.iter().flatten().any(is_slash)
    };
    let kept = (0..all.len()).filter(|at| !is_between(*at)).map(|at| all[at]).collect();
    Cow::Owned(kept)
}

/// Board of a text, with what its text shows besides.
#[derive(Clone, Copy, Debug)]
pub(super) struct WrittenBoard {
    pub(super) board: Board,
    /// Whether the blank is written.
    pub(super) has_blank: bool,
}

/// Returns the only board among the readings of a text, if there is one.
///
/// # Errors
/// The first two of several boards.
fn only_board(
    readings: &[Reading<'_>],
    format: BoardFormat,
) -> Result<Option<WrittenBoard>, TextErrorKind> {
    let mut chosen: Option<WrittenBoard> = None;
    let may_be_board = |reading: &&Reading<'_>| {
        let found = reading.cells.len();
        let is_square = || found.isqrt().pow(2) == found;
        !reading.is_lossy
            && found <= CELLS_MAX
            && match format.shape {
                Some(shape) => found == shape.cell_count(),
                None => reading.is_even() && (reading.widths.len() > 1 || is_square()),
            }
    };
    for reading in readings.iter().filter(may_be_board) {
        for &notation in Notation::of(reading) {
            let Ok(board) = board_of(reading, notation, format) else { continue };
            match chosen {
                Some(first) if first.board != board => {
                    let (first, second) = (Box::new(first.board), Box::new(board));
                    return Err(TextErrorKind::Ambiguous { first, second });
                }
                Some(_) => {}
                None => {
                    let cell = reading.cells[usize::from(board.blank())];
                    let is_number = number(cell) == Some(reading.cells.len() as u64);
                    let has_blank = !cell.is_empty()
                        && (format.blank.is_some() || !is_number)
                        && notation.piece(cell, format.blank) == Some(Piece::Blank);
                    chosen = Some(WrittenBoard { board, has_blank });
                }
            }
        }
    }
    Ok(chosen)
}

/// Reads a board that is written in these tokens of a text, unless it may be two.
pub(super) fn board(text: &str, tokens: &[Token], format: BoardFormat) -> Option<WrittenBoard> {
    only_board(&readings(text, &expanded(text, tokens)), format).ok().flatten()
}

/// Reads the board that is written in these tokens of a text.
///
/// # Errors
/// The likeliest fault, with its marks in the text.
pub(super) fn read(
    text: &str,
    tokens: &[Token],
    format: BoardFormat,
) -> Result<Board, BoardTextError> {
    let tokens = expanded(text, tokens);
    let readings = readings(text, &tokens);
    let (error, parts) = match only_board(&readings, format) {
        Ok(Some(written)) => return Ok(written.board),
        Err(error) => (error, Vec::new()),
        Ok(None) => match readings.iter().find(|reading| !reading.cells.is_empty()) {
            Some(likeliest) => fault_of(likeliest, format),
            None => (TextErrorKind::Empty, Vec::new()),
        },
    };
    let place = |part: &&str| {
        let start = part.as_ptr().addr() - text.as_ptr().addr();
        start..start + part.len()
    };
    let mut marks: Vec<_> = parts.iter().map(place).collect();
    marks.sort_by_key(|mark| mark.start);
    Err(BoardTextError::new(error, text, &marks))
}

/// Returns the fault of a reading that is no board.
fn fault_of<'a>(reading: &Reading<'a>, format: BoardFormat) -> Fault<'a> {
    let BoardFormat { shape, blank } = format;
    let notation = Notation::likely(reading, blank);
    let cells = || reading.cells.iter().copied();
    let (error, parts) = match board_of(reading, notation, format) {
        Err(fault) if !reading.is_lossy => fault,
        // The reading omits an empty cell.
        _ => return (TextErrorKind::EmptyCell, Vec::new()),
    };
    let is_count = matches!(
        error,
        TextErrorKind::NotSquare { .. }
            | TextErrorKind::Board(
                BoardError::CellCount { .. }
                    | BoardError::Ragged { .. }
                    | BoardError::Shape { .. }
                    | BoardError::OneLine { .. }
            )
    );
    let blanks: Vec<&str> =
        cells().filter(|cell| notation.piece(cell, blank) == Some(Piece::Blank)).collect();
    let empty: Vec<&str> = cells().filter(|cell| cell.is_empty()).collect();
    // A named blank is not empty.
    if !empty.is_empty() && (is_count && blanks.len() > 1 || blank.is_some()) {
        return (TextErrorKind::EmptyCell, empty);
    }
    let signs = ["-1", "0"].map(|sign| blanks.iter().find(|blank| **blank == sign));
    if let ([Some(first), Some(second)], false) = (signs, is_count) {
        return (TextErrorKind::TilesFromZero, vec![first, second]);
    }
    if is_count
        && blank.is_none()
        && blanks.is_empty()
        && let Some(shape) = shape_with_blank(reading, notation, shape)
    {
        let has_rows = reading.widths.len() > 1;
        return (TextErrorKind::MissingCell { shape, has_rows }, Vec::new());
    }
    if let TextErrorKind::Board(BoardError::Repeated { tile: BLANK, .. }) = error
        && has_all_tiles(reading, notation, reading.cells.len() - blanks.len())
        && let TextErrorKind::Board(error) = error
    {
        return (TextErrorKind::SeveralBlanks(error), parts);
    }
    if !is_count && let Some(word) = equal_tiles(reading) {
        let marks = cells().filter(|cell| *cell == word).collect();
        return (TextErrorKind::EqualTiles { word: excerpt(word, WORD_CHARS_MAX) }, marks);
    }
    (error, parts)
}

/// Returns the shape that a board without its blank may have: all of its tiles are there, and one
/// cell is missing.
fn shape_with_blank(
    reading: &Reading<'_>,
    notation: Notation,
    shape: Option<Shape>,
) -> Option<Shape> {
    let found = reading.cells.len();
    let side = (found + 1).isqrt();
    let drawn = match &reading.widths[..] {
        [_] => Shape::new(side, side).ok(),
        widths => Shape::new(widths.len(), *widths.iter().max()?).ok(),
    };
    let shape = shape.or(drawn.filter(|shape| !shape.is_line()));
    shape.filter(|shape| shape.cell_count() == found + 1 && has_all_tiles(reading, notation, found))
}

/// Returns whether a reading has each tile up to the last one.
fn has_all_tiles(reading: &Reading<'_>, notation: Notation, last: usize) -> bool {
    let mut seen = [false; CELLS_MAX];
    for cell in &reading.cells {
        if let Some(Piece::Tile(tile)) = notation.piece(cell, None)
            && let Some(seen) = seen.get_mut(tile as usize)
        {
            *seen = true;
        }
    }
    last < CELLS_MAX && seen[1..=last].iter().all(|seen| *seen)
}

/// Returns a tile of a board on which several tiles are the same, as in a puzzle with colours: a
/// repeated word, or a repeated number where all numbers are small.
fn equal_tiles<'a>(reading: &Reading<'a>) -> Option<&'a str> {
    let cells = &reading.cells;
    if cells.len() > CELLS_MAX || !reading.is_even() {
        return None;
    }
    let is_tile = |cell: &&&str| {
        cell.starts_with(char::is_alphanumeric)
            && !is_blank(cell)
            && !cell.eq_ignore_ascii_case("x")
    };
    let is_repeated = |cell: &&&str| cells.iter().filter(|other| other == cell).count() > 1;
    // Larger numbers are those of several boards, or of one with an error.
    let is_small = |cell: &&str| number(cell).is_none_or(|tile| tile <= cells.len() as u64 / 3);
    let has_one_blank = cells.iter().filter(|cell| !is_tile(cell)).count() == 1;
    let is_coloured = has_one_blank && cells.iter().all(is_small);
    cells.iter().filter(is_tile).find(is_repeated).copied().filter(|_| is_coloured)
}

/// Returns the number of cells of the likeliest reading.
pub(super) fn width(text: &str, tokens: &[Token]) -> usize {
    readings(text, &expanded(text, tokens)).first().map_or(0, |reading| reading.cells.len())
}

/// Returns whether tokens may be a whole square board with a wrong number: at least nine cells, all
/// of them blanks or tiles of that board.
pub(super) fn is_like_square(text: &str, tokens: &[Token], blank: Option<BlankSign>) -> bool {
    let readings = readings(text, tokens);
    let Some(reading) = readings.first() else { return false };
    let found = reading.cells.len();
    let notation = Notation::likely(reading, blank);
    let fits = |cell: &&str| match notation.piece(cell, blank) {
        Some(Piece::Tile(tile)) => tile <= found as u64,
        Some(Piece::Blank) => true,
        None => false,
    };
    found >= 9 && found.isqrt().pow(2) == found && reading.cells.iter().all(fits)
}
