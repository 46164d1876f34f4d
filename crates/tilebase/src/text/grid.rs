//! The cells of one board: a table of layouts, the notations of cells, and the choice among them.
//!
//! A text is cut by every layout that fits its signs. A single board among all cuts and notations
//! is the board, and two are [`TextErrorKind::Ambiguous`]. If none is a board, the likeliest cut
//! gives the error.

use std::borrow::Cow;

use pdb_core::excerpt::{WORD_CHARS_MAX, excerpt};
use pdb_core::{BLANK, Board, BoardError, CELLS_MAX, Shape};

use super::lex::Sign::{self, Bar, Comma, LineEnd, Semi, Slash, Tab};
use super::lex::{Token, lex};
use crate::text::error::BoardTextError;
use crate::text::error_kind::TextErrorKind;
use crate::text::format::{BlankSign, BoardFormat};

/// Characters that are the blank in every notation, besides 0.
const BLANK_SIGNS: &str = "._-–—*□■▢◻◼☐⬚⬜⬛█░○●◯·•";
/// Words that are the blank among numbers.
const BLANK_WORDS: &str = "b -1 null none nil nan na nothing missing undefined blank empty";

/// Signs that separate rows, and bars if they do.
const ROWS: &[Sign] = &[LineEnd, Slash, Semi];
const ROWS_AND_BARS: &[Sign] = &[LineEnd, Slash, Semi, Bar];

/// What separates the cells of a row.
#[derive(Clone, Copy, Debug)]
enum Cells {
    /// Spaces and all signs. A sign that shows an empty cell has no place here.
    Any,
    /// One sign. A cell beside it may be empty.
    Between(Sign),
    /// Dashes in a single word.
    Dashes,
}

/// Way to cut a text into rows and cells.
#[derive(Clone, Copy, Debug)]
struct Layout {
    rows: &'static [Sign],
    cells: Cells,
    /// The signs that a text must and must not have.
    needs: &'static [Sign],
    never: &'static [Sign],
    /// Rank by likelihood if no cut is a board; the smallest is the likeliest.
    rank: u8,
}

impl Layout {
    const fn new(rows: &'static [Sign], cells: Cells, rank: u8) -> Self {
        Self { rows, cells, needs: &[], never: &[], rank }
    }

    const fn needs(self, needs: &'static [Sign]) -> Self {
        Self { needs, ..self }
    }

    const fn never(self, never: &'static [Sign]) -> Self {
        Self { never, ..self }
    }
}

/// All layouts. Those of one character a cell are derived from the first two ([`chars`]).
const LAYOUTS: [Layout; 10] = [
    Layout::new(ROWS, Cells::Any, 2).never(&[Bar]),
    Layout::new(ROWS_AND_BARS, Cells::Any, 3).needs(&[Bar]),
    Layout::new(ROWS, Cells::Between(Bar), 2).needs(&[Bar]),
    Layout::new(ROWS_AND_BARS, Cells::Between(Comma), 3).needs(&[Bar, Comma]),
    // Bars for the eye only.
    Layout::new(ROWS, Cells::Any, 3).needs(&[Bar, LineEnd]),
    Layout::new(ROWS, Cells::Between(Comma), 3).needs(&[Comma]).never(&[Bar]),
    Layout::new(ROWS, Cells::Between(Tab), 3).needs(&[Tab]).never(&[Bar]),
    Layout::new(&[LineEnd], Cells::Between(Semi), 1).needs(&[Semi]).never(&[Slash]),
    Layout::new(ROWS, Cells::Dashes, 3).never(&[Bar]),
    // A cell on each line.
    Layout::new(&[], Cells::Any, 3).needs(&[LineEnd]).never(&[Slash, Bar, Semi, Comma, Tab]),
];

/// Text that is cut into rows of cells.
#[derive(Clone, Debug)]
struct Cut<'a> {
    cells: Vec<&'a str>,
    /// Number of cells of each row. A text without row separators is one row.
    widths: Vec<usize>,
    rank: u8,
}

impl<'a> Cut<'a> {
    fn new(rows: impl IntoIterator<Item = impl IntoIterator<Item = &'a str>>, rank: u8) -> Self {
        let mut cut = Self { cells: Vec::new(), widths: Vec::new(), rank };
        for row in rows {
            let before = cut.cells.len();
            cut.cells.extend(row);
            if cut.cells.len() > before {
                cut.widths.push(cut.cells.len() - before);
            }
        }
        cut
    }

    fn rows(&self) -> impl Iterator<Item = &[&'a str]> {
        let mut rest = &self.cells[..];
        self.widths.iter().map(move |&width| {
            let (row, after) = rest.split_at(width);
            rest = after;
            row
        })
    }

    fn is_even(&self) -> bool {
        self.widths.iter().all(|width| *width == self.widths[0])
    }

    /// Returns whether one cell is empty, which may be the blank.
    fn has_one_gap(&self) -> bool {
        self.is_even() && self.cells.iter().filter(|cell| cell.is_empty()).count() == 1
    }

    /// Returns whether a board of this format may have so many cells.
    fn may_be_board(&self, shape: Option<Shape>) -> bool {
        let found = self.cells.len();
        let is_square = || found.isqrt().pow(2) == found;
        found <= CELLS_MAX
            && match shape {
                Some(shape) => found == shape.cell_count(),
                None => self.is_even() && (self.widths.len() > 1 || is_square()),
            }
    }

    /// Returns the row and the column of a cell in the text, counted from 1.
    fn place(&self, cell: usize) -> (usize, usize) {
        let mut rest = cell;
        for (row, width) in (1..).zip(&self.widths) {
            if rest < *width {
                return (row, rest + 1);
            }
            rest -= width;
        }
        (self.widths.len() + 1, rest + 1)
    }
}

/// All cuts of a text, the likeliest first.
#[derive(Debug)]
struct Cuts<'a> {
    list: Vec<Cut<'a>>,
    /// Whether the text has an empty cell, so that no number stands for the blank.
    has_gap: bool,
}

impl<'a> Cuts<'a> {
    fn of(text: &'a str, tokens: &[Token]) -> Self {
        let signs = tokens.iter().fold(0u16, |signs, token| signs | 1 << token.sign as u16);
        let has = |sign: &Sign| signs >> *sign as u16 & 1 == 1;
        let fits = |layout: &Layout| layout.needs.iter().all(has) && !layout.never.iter().any(has);
        let mut list: Vec<Cut<'a>> = Vec::new();
        for (at, layout) in LAYOUTS.iter().enumerate().filter(|(_, layout)| fits(layout)) {
            let cuts = cut(text, tokens, layout);
            if at < 2 {
                list.extend(cuts.iter().flat_map(|words| chars(words, at == 0)));
            }
            list.extend(cuts);
        }
        let mut rows = tokens.split(|token| ROWS.contains(&token.sign));
        let mut has_gap = has(&Tab) && rows.any(|row| has_double(row, Tab));
        has_gap |= list.iter().any(Cut::has_one_gap);
        list.sort_by_key(|cut| cut.rank);
        Self { list, has_gap }
    }

    fn likeliest(&self) -> Option<&Cut<'a>> {
        self.list.iter().find(|cut| !cut.cells.is_empty())
    }
}

/// Cuts a text by a layout. A separator at the end of each row may also be a frame, so that there
/// may be several cuts.
fn cut<'a>(text: &'a str, tokens: &[Token], layout: &Layout) -> Vec<Cut<'a>> {
    let is_dashed = |token: &Token| token.of(text).contains('-');
    if matches!(layout.cells, Cells::Dashes) && !tokens.first().is_some_and(is_dashed) {
        return Vec::new();
    }
    let ends_row = |token: &Token| layout.rows.contains(&token.sign);
    let has_content = |row: &&[Token]| row.iter().any(|token| token.sign != Tab);
    let rows: Vec<&[Token]> = tokens.split(ends_row).filter(has_content).collect();
    let divided: Option<Vec<Vec<&str>>> = match layout.cells {
        Cells::Any if has_gap(&rows, tokens) || layout.rows.is_empty() && !is_column(tokens) => {
            None
        }
        Cells::Any => return vec![Cut::new(rows.iter().map(|row| words(text, row)), layout.rank)],
        // Without an empty cell, they are words.
        Cells::Between(sign @ (Comma | Tab)) if !rows.iter().any(|row| has_empty(row, sign)) => {
            None
        }
        Cells::Between(sign) => rows.iter().map(|row| with_gaps(text, row, sign)).collect(),
        Cells::Dashes => rows.iter().map(|row| with_dashes(text, row)).collect(),
    };
    divided.map_or_else(Vec::new, |rows| trimmed(&rows, layout.rank))
}

/// Takes every cell of a row. Brackets have no place in it, so each is a wrong cell.
fn words<'a>(text: &'a str, row: &[Token]) -> impl Iterator<Item = &'a str> {
    let is_cell =
        |token: &&Token| token.sign.is_cell() || matches!(token.sign, Sign::Open | Sign::Close);
    row.iter().filter(is_cell).map(|token| token.of(text))
}

/// Returns whether each line has a single cell, and there are several.
fn is_column(tokens: &[Token]) -> bool {
    let lines = tokens.split(|token| token.sign == LineEnd).filter(|line| !line.is_empty());
    lines.clone().count() > 1 && lines.into_iter().all(|line| line.len() == 1)
}

/// Returns whether a cell between two of these separators is empty.
fn has_double(row: &[Token], separator: Sign) -> bool {
    let mut is_open = false;
    row.iter().any(|token| {
        let is_double = token.sign == separator && is_open;
        is_open = token.sign == separator || is_open && !token.sign.is_cell();
        is_double
    })
}

/// Returns whether a cell beside one of these separators is empty.
fn has_empty(row: &[Token], separator: Sign) -> bool {
    let ends = [row.first(), row.last()];
    ends.iter().flatten().any(|token| token.sign == separator) || has_double(row, separator)
}

/// Returns whether rows have an empty cell, which a cut into words would lose: between commas or
/// bars, or at an end of some rows.
///
/// Extra tabs are common, so only lines with as many of them show an empty cell.
fn has_gap(rows: &[&[Token]], tokens: &[Token]) -> bool {
    let has = |sign| tokens.iter().any(|token| token.sign == sign);
    let is_partly = |sign: Sign, end: fn(&&[Token]) -> Option<Token>| {
        let count = rows.iter().filter(|row| end(row).is_some_and(|end| end.sign == sign)).count();
        (1..rows.len()).contains(&count)
    };
    let [starts, ends] =
        [|row: &&[Token]| row.first().copied(), |row: &&[Token]| row.last().copied()];
    let tabs = |row: &[Token]| row.iter().filter(|token| token.sign == Tab).count();
    let are_even =
        || !has(Slash) && !has(Semi) && rows.iter().all(|row| tabs(row) == tabs(rows[0]));
    has(Comma) && (rows.iter().any(|row| has_double(row, Comma)) || is_partly(Comma, starts))
        || has(Bar) && rows.iter().any(|row| has_double(row, Bar))
        || has(Tab) && are_even() && (is_partly(Tab, starts) || is_partly(Tab, ends))
}

/// Divides a row at a separator, with empty cells. Each cell has at most one word.
fn with_gaps<'a>(text: &'a str, row: &[Token], separator: Sign) -> Option<Vec<&'a str>> {
    let mut cells = Vec::new();
    let mut cell: Option<&'a str> = None;
    let mut start = row[0].start;
    for token in row {
        if token.sign == separator {
            // An empty cell is marked in its middle.
            let middle = text.floor_char_boundary(start.midpoint(token.start));
            cells.push(cell.take().unwrap_or(&text[middle..middle]));
            start = token.end;
        } else if token.sign != Tab {
            if token.sign == Comma || cell.is_some() {
                return None;
            }
            cell = Some(token.of(text));
        }
    }
    cells.push(cell.unwrap_or(&text[start..start]));
    Some(cells)
}

/// Divides a row of one word at its dashes.
fn with_dashes<'a>(text: &'a str, row: &[Token]) -> Option<Vec<&'a str>> {
    let [word] = row else { return None };
    let cells: Vec<&str> = word.of(text).split('-').collect();
    (cells.len() > 1 && !cells.contains(&"")).then_some(cells)
}

/// Returns the cuts of rows with empty cells, without what may be a frame around them: a separator
/// at one end of every row is a frame or has an empty cell beyond it. At both ends it is a frame.
fn trimmed<'a>(rows: &[Vec<&'a str>], rank: u8) -> Vec<Cut<'a>> {
    let at_start = rows.iter().all(|row| row.len() > 1 && row[0].is_empty());
    let at_end = rows.iter().all(|row| row.len() > 1 && row[row.len() - 1].is_empty());
    // Several empty columns are not the board's.
    let empty_count = |row: &Vec<&str>| row.iter().rev().take_while(|cell| cell.is_empty()).count();
    let empty_columns = rows.iter().map(empty_count).min().unwrap_or(0);
    let mut ends = vec![(usize::from(at_start), usize::from(at_end))];
    if empty_columns > 1 && !at_start {
        ends.insert(0, (0, empty_columns));
    }
    if at_start != at_end {
        ends.push((0, 0));
    }
    let cut = |(from, less): (usize, usize)| {
        let within = |row: &Vec<&'a str>| row[from..row.len() - less].to_vec();
        let cut = Cut::new(rows.iter().map(within), rank);
        Cut { rank: if cut.has_one_gap() { 1 } else { rank }, ..cut }
    };
    if rows.is_empty() { Vec::new() } else { ends.into_iter().map(cut).collect() }
}

/// Divides words into cells of one character each.
///
/// A word is a row where each row has one word, or where it cannot be a tile. With `rows_hold` the
/// rows are certain: then two digits may be two cells.
fn chars<'a>(words: &Cut<'a>, rows_hold: bool) -> Vec<Cut<'a>> {
    let cells = &words.cells;
    let Some(first) = cells.first() else { return Vec::new() };
    let rank = |is_likely| if is_likely { 0 } else { 3 };
    if rows_hold && cells.len() == words.widths.len() {
        if cells.iter().all(|word| word.chars().nth(1).is_none()) {
            return Vec::new();
        }
        // `9/10/11` looks like a column of tiles.
        let is_good = |c: &char| c.is_ascii_alphanumeric() || BLANK_SIGNS.contains(*c);
        let chars = || cells.iter().flat_map(|word| word.chars());
        let is_likely = 2 * chars().filter(is_good).count() > chars().count() && !are_tiles(cells);
        return vec![Cut::new(cells.iter().map(|word| chars_of(word)), rank(is_likely))];
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
        Cut::new(cells.iter().map(|word| chars_of(word)), rank(is_likely)),
        Cut::new(by_row, rank(false)),
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
    fn of(cut: &Cut<'_>) -> &'static [Self] {
        let cells = || cut.cells.iter();
        let is_digit = |cell: &str| cell.bytes().all(|byte| byte.is_ascii_digit());
        if cells().all(|cell| cell.chars().nth(1).is_none()) {
            if cells().all(|cell| is_digit(cell)) { &Self::ALL[..1] } else { &Self::ALL }
        } else if cells().any(|cell| cell.contains('.'))
            && cells().all(|cell| whole(cell).is_some() || is_blank_word(cell))
        {
            &[Self::Decimals]
        } else {
            &Self::ALL[..1]
        }
    }

    /// Reads a cell. A named blank is the only one, so that 0 is a tile beside it.
    fn piece(self, cell: &str, blank: Option<BlankSign>) -> Option<Piece> {
        let is_blank = match (blank, self) {
            (Some(blank), _) => blank.is(cell),
            (None, Self::Numbers | Self::Decimals) => {
                is_blank(cell) || cell.eq_ignore_ascii_case("x") || is_blank_word(cell)
            }
            (None, Self::Digits { x_is_blank } | Self::Letters { x_is_blank }) => {
                is_blank(cell) || x_is_blank && cell.eq_ignore_ascii_case("x")
            }
        };
        if is_blank {
            return Some(Piece::Blank);
        }
        match self.tile(cell)? {
            0 if blank.is_none() => Some(Piece::Blank),
            tile => Some(Piece::Tile(tile)),
        }
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

    /// Returns the most likely notation, if no cut is a board: most cells are on the board.
    fn likely(cut: &Cut<'_>, blank: Option<BlankSign>) -> Self {
        let found = cut.cells.len() as u64;
        let is_wrong = |notation: Self, cell: &str| match notation.piece(cell, blank) {
            Some(Piece::Tile(tile)) => tile > found,
            Some(Piece::Blank) => false,
            None => true,
        };
        let wrong =
            |notation: &&Self| cut.cells.iter().filter(|cell| is_wrong(**notation, cell)).count();
        Self::of(cut).iter().min_by_key(wrong).copied().unwrap_or(Self::Numbers)
    }
}

/// Returns whether a cell is the blank in every notation.
fn is_blank(cell: &str) -> bool {
    let mut chars = cell.chars();
    match (chars.next(), chars.next()) {
        (None, _) | (Some('0'), None) => true,
        (Some(sign), None) => !sign.is_ascii_digit() && BLANK_SIGNS.contains(sign),
        _ => false,
    }
}

/// Returns whether a cell is the blank where all others are numbers.
fn is_blank_word(cell: &str) -> bool {
    !cell.starts_with(|c: char| c.is_ascii_digit())
        && BLANK_WORDS.split(' ').any(|word| cell.eq_ignore_ascii_case(word))
}

/// Returns whether a cell is a number without a point, or the blank among numbers.
pub(super) fn is_of_numbers(cell: &str) -> bool {
    number(cell).is_some() || is_blank(cell) || is_blank_word(cell) || matches!(cell, "x" | "X")
}

/// Returns the digits of a whole number before its point.
fn whole(cell: &str) -> Option<&str> {
    let (whole, zeros) = cell.split_once('.')?;
    (!whole.is_empty() && zeros.bytes().all(|byte| byte == b'0')).then_some(whole)
}

/// Reads digits. A number beyond 64 bits is out of range like any other.
pub(super) fn number(word: &str) -> Option<u64> {
    let is_number = !word.is_empty() && word.bytes().all(|b| b.is_ascii_digit());
    is_number.then(|| word.parse().unwrap_or(u64::MAX))
}

/// Returns the number that a scanner may have read as these letters.
pub(super) fn meant(cell: &str) -> Option<String> {
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
    cut: &Cut<'a>,
    notation: Notation,
    has_gap: bool,
    format: BoardFormat,
) -> Result<Board, Fault<'a>> {
    let cells = &cut.cells;
    let found = cells.len();
    let drawn = shape_of(cut, format.shape);
    let mut pieces = Vec::with_capacity(found);
    for (at, cell) in cells.iter().enumerate() {
        let Some(piece) = notation.piece(cell, format.blank) else {
            return Err((wrong_word(cut, notation, drawn.ok(), at), vec![cell]));
        };
        pieces.push(piece);
    }
    let drawn = drawn?;
    if let Some(expected) = format.shape.filter(|shape| *shape != drawn) {
        return Err(whole_fault(BoardError::OtherShape { expected, found: drawn }));
    }
    // Tiles beyond the range have the same cause as a wrong number of cells.
    if found != drawn.cell_count() {
        return Err(whole_fault(BoardError::CellCount { shape: drawn, found }));
    }
    number_tiles(&mut pieces, has_gap, format.blank)?;
    let mut tiles = [0; CELLS_MAX];
    for (cell, &piece) in pieces.iter().enumerate() {
        tiles[cell] = match piece {
            Piece::Blank => BLANK,
            Piece::Tile(tile) if tile < found as u64 => tile as u8,
            Piece::Tile(tile) => {
                let error = BoardError::OutOfRange { tile, shape: drawn, cell };
                return Err((error.into(), vec![cells[cell]]));
            }
        };
    }
    Board::new(drawn, &tiles[..found]).map_err(|error| {
        let marks = match error {
            BoardError::Repeated { first, second, .. } => vec![cells[first], cells[second]],
            _ => Vec::new(),
        };
        (error.into(), marks)
    })
}

/// Numbers tiles from 1, and finds a blank that is the number of cells.
fn number_tiles<'a>(
    pieces: &mut [Piece],
    has_gap: bool,
    blank: Option<BlankSign>,
) -> Result<(), Fault<'a>> {
    let has_blank = pieces.contains(&Piece::Blank);
    let last = Piece::Tile(pieces.len() as u64);
    match blank {
        Some(blank) if !has_blank => {
            return Err(whole_fault(TextErrorKind::NoBlank { blank: blank.to_string() }));
        }
        // Tiles count from 0 if it is one of them, which it is only beside a named blank.
        Some(blank) if pieces.contains(&Piece::Tile(0)) => {
            for piece in pieces {
                if let Piece::Tile(number) = piece {
                    *number = blank.tile(*number);
                }
            }
        }
        None if !has_blank && !has_gap => {
            if let Some(piece) = pieces.iter_mut().find(|piece| **piece == last) {
                *piece = Piece::Blank;
            }
        }
        _ => {}
    }
    Ok(())
}

/// Returns the error of a cell that is neither a tile nor the blank.
fn wrong_word(cut: &Cut<'_>, notation: Notation, shape: Option<Shape>, at: usize) -> TextErrorKind {
    let cell = cut.cells[at];
    let word = excerpt(cell, WORD_CHARS_MAX);
    // Row and column on the board if its shape is known, otherwise in the text.
    let shape = shape.filter(|shape| shape.cell_count() == cut.cells.len());
    let (row, col) =
        shape.map_or_else(|| cut.place(at), |shape| (at / shape.cols() + 1, at % shape.cols() + 1));
    // Words without a digit are rather no board at all.
    let has_digit = || cut.cells.iter().any(|cell| cell.contains(|c: char| c.is_ascii_digit()));
    match (notation, meant(cell).filter(|_| has_digit())) {
        (Notation::Letters { .. }, _) if number(cell).is_some() => {
            TextErrorKind::Misread { word, meant: None, row, col }
        }
        (_, Some(meant)) => TextErrorKind::Misread { word, meant: Some(meant), row, col },
        _ => BoardError::Word { word, row, col, place: at + 1 }.into(),
    }
}

/// Returns the shape of the rows, or the expected shape if there are no rows.
fn shape_of<'a>(cut: &Cut<'a>, shape: Option<Shape>) -> Result<Shape, Fault<'a>> {
    let found = cut.cells.len();
    let [expected, others @ ..] = &cut.widths[..] else {
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
        return Err((error.into(), cut.rows().nth(at).unwrap_or_default().to_vec()));
    }
    let drawn = Shape::new(cut.widths.len(), *expected).map_err(whole_fault)?;
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
            let slash = |at| Token { sign: Slash, start: at, end: at };
            all.push(slash(token.start));
            lex(&text[..token.end], token.start, &mut all);
            all.push(slash(token.end));
        } else {
            all.push(*token);
        }
    }
    // Commas between strings separate rows, which the slashes do already.
    let is_slash = |token: Option<&Token>| token.is_some_and(|token| token.sign == Slash);
    let is_between = |at: usize| {
        all[at].sign == Comma && (is_slash(all[..at].last()) || is_slash(all.get(at + 1)))
    };
    (0..all.len()).filter(|at| !is_between(*at)).map(|at| all[at]).collect()
}

/// Board of a text, with what its text shows besides.
#[derive(Clone, Copy, Debug)]
pub(super) struct WrittenBoard {
    pub(super) board: Board,
    /// Whether the blank is written.
    pub(super) has_blank: bool,
}

/// Returns the only board among the cuts of a text, if there is one.
///
/// # Errors
/// The first two of several boards.
fn only_board(cuts: &Cuts<'_>, format: BoardFormat) -> Result<Option<WrittenBoard>, TextErrorKind> {
    let mut chosen: Option<WrittenBoard> = None;
    for cut in cuts.list.iter().filter(|cut| cut.may_be_board(format.shape)) {
        for &notation in Notation::of(cut) {
            let Ok(board) = board_of(cut, notation, cuts.has_gap, format) else { continue };
            if let Some(first) = chosen {
                if first.board != board {
                    let (first, second) = (Box::new(first.board), Box::new(board));
                    return Err(TextErrorKind::Ambiguous { first, second });
                }
                continue;
            }
            let cell = cut.cells[usize::from(board.blank())];
            let is_blank = notation.piece(cell, format.blank) == Some(Piece::Blank);
            let has_blank = !cell.is_empty() && is_blank;
            chosen = Some(WrittenBoard { board, has_blank });
        }
    }
    Ok(chosen)
}

/// Reads a board that is written in these tokens of a text, unless it may be two.
pub(super) fn board(text: &str, tokens: &[Token], format: BoardFormat) -> Option<WrittenBoard> {
    only_board(&Cuts::of(text, &expanded(text, tokens)), format).ok().flatten()
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
    let cuts = Cuts::of(text, &tokens);
    let (error, parts) = match (only_board(&cuts, format), cuts.likeliest()) {
        (Ok(Some(written)), _) => return Ok(written.board),
        (Err(error), _) => (error, Vec::new()),
        (Ok(None), Some(likeliest)) => fault_of(likeliest, cuts.has_gap, format),
        // Each cut would lose an empty cell.
        _ if tokens.iter().any(|token| token.sign.is_cell()) => {
            whole_fault(TextErrorKind::EmptyCell)
        }
        _ => whole_fault(TextErrorKind::Empty),
    };
    let place = |part: &&str| {
        let start = part.as_ptr().addr() - text.as_ptr().addr();
        start..start + part.len()
    };
    let mut marks: Vec<_> = parts.iter().map(place).collect();
    marks.sort_by_key(|mark| mark.start);
    Err(BoardTextError::new(error, text, &marks))
}

/// Returns the fault of a cut that is no board.
fn fault_of<'a>(cut: &Cut<'a>, has_gap: bool, format: BoardFormat) -> Fault<'a> {
    let notation = Notation::likely(cut, format.blank);
    let cells = || cut.cells.iter().copied();
    let Err((error, parts)) = board_of(cut, notation, has_gap, format) else {
        return whole_fault(TextErrorKind::EmptyCell);
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
    let is_blank = |cell: &&str| notation.piece(cell, format.blank) == Some(Piece::Blank);
    let blanks: Vec<&str> = cells().filter(is_blank).collect();
    let empty: Vec<&str> = cells().filter(|cell| cell.is_empty()).collect();
    // A named blank is not empty.
    if !empty.is_empty() && (is_count && blanks.len() > 1 || format.blank.is_some()) {
        return (TextErrorKind::EmptyCell, empty);
    }
    let signs = ["-1", "0"].map(|sign| blanks.iter().find(|blank| **blank == sign));
    if let ([Some(first), Some(second)], false) = (signs, is_count) {
        return (TextErrorKind::TilesFromZero, vec![first, second]);
    }
    if is_count && format.blank.is_none() && blanks.is_empty() {
        let shape = shape_with_blank(cut, notation, format.shape);
        return shape
            .map_or((error, parts), |shape| whole_fault(TextErrorKind::MissingCell { shape }));
    }
    if !is_count && let Some(word) = equal_tiles(cut) {
        let marks = cells().filter(|cell| *cell == word).collect();
        return (TextErrorKind::EqualTiles { word: excerpt(word, WORD_CHARS_MAX) }, marks);
    }
    (error, parts)
}

/// Returns the shape that a board without its blank may have: all of its tiles are there, and one
/// cell is missing.
fn shape_with_blank(cut: &Cut<'_>, notation: Notation, shape: Option<Shape>) -> Option<Shape> {
    let found = cut.cells.len();
    let side = (found + 1).isqrt();
    let drawn = match &cut.widths[..] {
        [_] => Shape::new(side, side).ok(),
        widths => Shape::new(widths.len(), *widths.iter().max()?).ok(),
    };
    let is_tile = |tile: u64| {
        cut.cells.iter().any(|cell| notation.piece(cell, None) == Some(Piece::Tile(tile)))
    };
    let shape = shape.or(drawn.filter(|shape| !shape.is_line()));
    shape.filter(|shape| shape.cell_count() == found + 1 && (1..=found as u64).all(is_tile))
}

/// Returns a tile of a board on which several tiles are the same, as in a puzzle with colours: a
/// repeated word, or a repeated number where all numbers are small.
fn equal_tiles<'a>(cut: &Cut<'a>) -> Option<&'a str> {
    let cells = &cut.cells;
    if cells.len() > CELLS_MAX || !cut.is_even() {
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

/// Returns the number of cells of the likeliest cut.
pub(super) fn width(text: &str, tokens: &[Token]) -> usize {
    let cuts = Cuts::of(text, &expanded(text, tokens));
    cuts.list.first().map_or(0, |cut| cut.cells.len())
}
