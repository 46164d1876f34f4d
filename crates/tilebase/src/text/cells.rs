//! Conversion of cells to boards, and the choice among the readings of a text.

use std::ops::Range;

use pdb_core::excerpt::{WORD_CHARS_MAX, excerpt};
use pdb_core::{BLANK, Board, BoardError, CELLS_MAX, Shape};

use crate::text::array;
use crate::text::error::BoardTextError;
use crate::text::error_kind::TextErrorKind;
use crate::text::format::{BlankSign, BoardFormat};
use crate::text::frame::is_model;
use crate::text::readings::{self, BLANK_SIGNS, Reading};

/// Byte order mark, which some editors write before a text.
const MARK: char = '\u{feff}';

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
    fn of(drawn: &Reading<'_>) -> &'static [Self] {
        let cells = || drawn.rows.iter().flatten();
        if cells().all(|cell| cell.chars().nth(1).is_none()) {
            &Self::ALL
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
        if is_blank(cell) || ["x", "X"].contains(&cell) && self.has_blank_x() {
            return Some(Piece::Blank);
        }
        if matches!(self, Self::Numbers | Self::Decimals) && is_blank_among_numbers(cell) {
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

    fn has_blank_x(self) -> bool {
        match self {
            Self::Numbers | Self::Decimals => true,
            Self::Digits { x_is_blank } | Self::Letters { x_is_blank } => x_is_blank,
        }
    }

    /// Returns the number of cells that are not on a board of that size.
    fn misfits(self, drawn: &Reading<'_>, blank: Option<BlankSign>) -> usize {
        let found = drawn.cell_count() as u64;
        let fits = |cell: &&&str| match self.piece(cell, blank) {
            Some(Piece::Tile(tile)) => tile <= found,
            Some(Piece::Blank) => true,
            None => false,
        };
        drawn.rows.iter().flatten().filter(|cell| !fits(cell)).count()
    }

    /// Returns the most likely notation, if no reading is a board.
    fn likely(drawn: &Reading<'_>, blank: Option<BlankSign>) -> Self {
        let notations = Self::of(drawn).iter().copied();
        notations.min_by_key(|notation| notation.misfits(drawn, blank)).unwrap_or(Self::Numbers)
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
pub(super) fn is_blank_among_numbers(cell: &str) -> bool {
    let words = [
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
    words.iter().any(|word| cell.eq_ignore_ascii_case(word))
}

/// Returns the digits of a whole number before its point.
fn whole(cell: &str) -> Option<&str> {
    let (whole, zeros) = cell.split_once('.')?;
    let is_whole = !whole.is_empty() && zeros.bytes().all(|byte| byte == b'0');
    is_whole.then_some(whole)
}

/// Reads digits. A number beyond 64 bits is out of range like any other.
fn number(word: &str) -> Option<u64> {
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

/// Counts the tiles from 1 if 0 is one of them, which it is only beside a named blank. Returns
/// whether it is.
fn count_from_one(pieces: &mut [Piece], blank: Option<BlankSign>) -> bool {
    let Some(blank) = blank.filter(|_| pieces.contains(&Piece::Tile(0))) else { return false };
    for piece in pieces {
        if let Piece::Tile(number) = *piece {
            *piece = Piece::Tile(blank.tile(number));
        }
    }
    true
}

/// Fault of a text, and the wrong parts of it.
type Fault<'a> = (TextErrorKind, Vec<&'a str>);

/// Reads the cells as a board in one notation.
fn board_of<'a>(
    drawn: &Reading<'a>,
    notation: Notation,
    format: BoardFormat,
) -> Result<Board, Fault<'a>> {
    let BoardFormat { shape, blank } = format;
    let whole = |error| (error, Vec::new());
    let found = drawn.cell_count();
    if found == 0 {
        return Err(whole(TextErrorKind::Empty));
    }
    let shape_drawn = shape_of(drawn, shape);
    let cells = || drawn.rows.iter().flatten().copied();
    let mut pieces = Vec::with_capacity(found);
    for (at, cell) in cells().enumerate() {
        let Some(piece) = notation.piece(cell, blank) else {
            let (row, col) = row_col(drawn, shape_drawn.as_ref().ok().copied(), at);
            let word = excerpt(cell, WORD_CHARS_MAX);
            // Words without a digit are rather no board at all.
            let has_digit = || cells().any(|cell| cell.contains(|c: char| c.is_ascii_digit()));
            let error = match (notation, meant(cell).filter(|_| has_digit())) {
                (Notation::Letters { .. }, _) if number(cell).is_some() => {
                    TextErrorKind::DigitAmongLetters { digit: word, row, col }
                }
                (_, Some(meant)) => TextErrorKind::LooksLike { word, meant, row, col },
                _ => BoardError::Word { word, row, col, place: at + 1 }.into(),
            };
            return Err((error, vec![cell]));
        };
        pieces.push(piece);
    }
    let drawn_shape = shape_drawn?;
    if let Some(expected) = shape
        && expected != drawn_shape
    {
        return Err(whole(BoardError::OtherShape { expected, found: drawn_shape }.into()));
    }
    // Tiles beyond the range have the same cause as a wrong number of cells.
    if found != drawn_shape.cell_count() {
        return Err(whole(BoardError::CellCount { shape: drawn_shape, found }.into()));
    }
    if let Some(blank) = blank
        && !pieces.contains(&Piece::Blank)
    {
        return Err(whole(TextErrorKind::NoBlank { blank: blank.to_string() }));
    }
    let is_renumbered = count_from_one(&mut pieces, blank);
    // Some programs write the number of cells for the blank.
    let last = Piece::Tile(found as u64);
    if !drawn.has_gap
        && !pieces.contains(&Piece::Blank)
        && let Some(piece) = pieces.iter_mut().find(|piece| **piece == last)
    {
        *piece = Piece::Blank;
    }
    let fault = |error: BoardError| {
        if is_renumbered { TextErrorKind::CountedFromOne(error) } else { error.into() }
    };
    let mut tiles = Vec::with_capacity(found);
    for (cell, &piece) in pieces.iter().enumerate() {
        tiles.push(match piece {
            Piece::Blank => BLANK,
            Piece::Tile(tile) if tile < found as u64 => tile as u8,
            Piece::Tile(tile) => {
                let error = BoardError::OutOfRange { tile, shape: drawn_shape, cell };
                return Err((fault(error), cells().nth(cell).into_iter().collect()));
            }
        });
    }
    Board::new(drawn_shape, &tiles).map_err(|error| {
        let marks = match error {
            BoardError::Repeated { first, second, .. } => vec![first, second],
            _ => Vec::new(),
        };
        let marks = marks.into_iter().filter_map(|cell| cells().nth(cell)).collect();
        (fault(error), marks)
    })
}

/// Returns the shape of the rows, or the expected shape if there are no rows.
fn shape_of<'a>(drawn: &Reading<'a>, shape: Option<Shape>) -> Result<Shape, Fault<'a>> {
    let whole = |error| (error, Vec::new());
    let found = drawn.cell_count();
    let [first, others @ ..] = drawn.rows.as_slice() else {
        return Err(whole(TextErrorKind::Empty));
    };
    if others.is_empty() {
        if let Some(shape) = shape {
            return Ok(shape);
        }
        let side = found.isqrt();
        if side * side != found {
            return Err(whole(TextErrorKind::NotSquare { found }));
        }
        return Shape::new(side, side).map_err(|error| whole(error.into()));
    }
    let expected = first.len();
    if let Some((row, cells)) = (2..).zip(others).find(|(_, cells)| cells.len() != expected) {
        let error = BoardError::Ragged { row, expected, found: cells.len() };
        return Err((error.into(), cells.clone()));
    }
    let drawn_shape =
        Shape::new(drawn.rows.len(), expected).map_err(|error| whole(error.into()))?;
    // A cell on each line may be the beginning of another board.
    if shape.is_none() && drawn_shape.is_line() {
        return Err(whole(BoardError::OneLine { shape: drawn_shape }.into()));
    }
    Ok(drawn_shape)
}

/// Returns row and column of a cell, counted from 1: on the board if its shape is known, otherwise
/// in the text.
fn row_col(drawn: &Reading<'_>, shape: Option<Shape>, at: usize) -> (usize, usize) {
    if let Some(shape) = shape
        && shape.cell_count() == drawn.cell_count()
    {
        return (at / shape.cols() + 1, at % shape.cols() + 1);
    }
    let mut rest = at;
    for (row, cells) in (1..).zip(&drawn.rows) {
        if rest < cells.len() {
            return (row, rest + 1);
        }
        rest -= cells.len();
    }
    (drawn.rows.len(), rest + 1)
}

/// Reads a board without anything around it. Its lines are its rows.
pub(super) fn read_one(text: &str, format: BoardFormat) -> Result<Board, BoardTextError> {
    if text.split('\n').any(is_model) {
        return Err(TextErrorKind::Model.into());
    }
    let read = |text: &str| choose(text, &readings(text)?, format);
    match text.strip_prefix(MARK) {
        Some(rest) => read(rest).map_err(|error| error.after(MARK.len_utf8())),
        None => read(text),
    }
}

/// Returns all readings of a text, the most likely first.
fn readings(text: &str) -> Result<Vec<Reading<'_>>, BoardTextError> {
    if !array::is_array(text) {
        return Ok(readings::readings(text));
    }
    let mut boards = array::read(text)
        .map_err(|(error, mark)| BoardTextError::new(error, text, mark.as_slice()))?;
    if boards.len() > 1 {
        return Err(TextErrorKind::Several { found: boards.len() }.into());
    }
    Ok(boards.pop().map(readings_of_array).unwrap_or_default())
}

/// Returns the readings of an array: its rows, or the characters of its strings.
pub(super) fn readings_of_array(mut rows: Vec<Vec<&str>>) -> Vec<Reading<'_>> {
    let has_words = |cell: &&str| cell.contains(char::is_whitespace);
    if let [strings] = rows.as_slice()
        && strings.iter().all(has_words)
    {
        rows = strings.iter().map(|row| row.split_whitespace().collect()).collect();
    }
    let mut all = readings::compact(&rows, true);
    all.push(Reading::new(rows));
    all.sort_by_key(|drawn| drawn.rank);
    all
}

/// Returns the only board among the readings of a text.
pub(super) fn choose(
    text: &str,
    readings: &[Reading<'_>],
    format: BoardFormat,
) -> Result<Board, BoardTextError> {
    let mut chosen: Option<Board> = None;
    let may_be_board = |drawn: &&Reading<'_>| !drawn.is_lossy && drawn.cell_count() <= CELLS_MAX;
    for drawn in readings.iter().filter(may_be_board) {
        for &notation in Notation::of(drawn) {
            let Ok(board) = board_of(drawn, notation, format) else {
                continue;
            };
            match chosen {
                Some(first) if first != board => {
                    let (first, second) = (Box::new(first), Box::new(board));
                    return Err(TextErrorKind::Ambiguous { first, second }.into());
                }
                _ => chosen = Some(board),
            }
        }
    }
    if let Some(board) = chosen {
        return Ok(board);
    }
    Err(refusal(text, readings, format))
}

/// Returns why none of the readings is a board, by the likeliest one.
#[inline(never)]
fn refusal(text: &str, readings: &[Reading<'_>], format: BoardFormat) -> BoardTextError {
    let Some(likeliest) = readings.first() else {
        return TextErrorKind::Empty.into();
    };
    let (error, parts) = fault_of(likeliest, format);
    let mut marks: Vec<_> = parts.iter().map(|part| place(text, part)).collect();
    marks.sort_by_key(|mark| mark.start);
    BoardTextError::new(error, text, &marks)
}

/// Returns the fault of a reading that is no board.
fn fault_of<'a>(drawn: &Reading<'a>, format: BoardFormat) -> Fault<'a> {
    let BoardFormat { shape, blank } = format;
    let notation = Notation::likely(drawn, blank);
    let cells = || drawn.rows.iter().flatten().copied();
    let empty: Vec<&str> = cells().filter(|cell| cell.is_empty()).collect();
    let (error, parts) = match board_of(drawn, notation, format) {
        Err(fault) if !drawn.is_lossy => fault,
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
    let blanks = || cells().filter(|cell| notation.piece(cell, blank) == Some(Piece::Blank));
    // A named blank is not empty.
    let has_two = is_count && blanks().count() > 1;
    if !empty.is_empty() && (has_two || blank.is_some()) {
        return (TextErrorKind::EmptyCell, empty);
    }
    let signs = ["-1", "0"].map(|sign| blanks().find(|blank| *blank == sign));
    if let ([Some(first), Some(second)], false) = (signs, is_count) {
        return (TextErrorKind::TilesFromZero, vec![first, second]);
    }
    if is_count
        && blank.is_none()
        && blanks().count() == 0
        && let Some(shape) = shape_with_blank(drawn, notation, shape)
    {
        let has_rows = drawn.rows.len() > 1;
        return (TextErrorKind::MissingCell { shape, has_rows }, Vec::new());
    }
    if !is_count && let Some(word) = equal_tiles(drawn) {
        let marks = cells().filter(|cell| *cell == word).collect();
        return (TextErrorKind::EqualTiles { word: excerpt(word, WORD_CHARS_MAX) }, marks);
    }
    (error, parts)
}

/// Returns the shape that a board without its blank may have: all of its tiles are there, and one
/// cell is missing.
fn shape_with_blank(
    drawn: &Reading<'_>,
    notation: Notation,
    shape: Option<Shape>,
) -> Option<Shape> {
    let found = drawn.cell_count();
    let mut seen = [false; CELLS_MAX];
    for cell in drawn.rows.iter().flatten() {
        let Some(Piece::Tile(tile)) = notation.piece(cell, None) else { return None };
        *seen.get_mut(usize::try_from(tile).ok()?)? = true;
    }
    let has_all = found < CELLS_MAX && seen[1..=found].iter().all(|seen| *seen);
    let drawn_shape = match drawn.rows.as_slice() {
        [_] => Shape::new((found + 1).isqrt(), (found + 1).isqrt()).ok(),
        rows => Shape::new(rows.len(), rows.iter().map(Vec::len).max()?).ok(),
    };
    let drawn_shape = drawn_shape.filter(|shape| !shape.is_line());
    shape.or(drawn_shape).filter(|shape| has_all && shape.cell_count() == found + 1)
}

/// Returns a tile of a board on which several tiles are the same, as in a puzzle with colours: a
/// repeated word, or a repeated number where all numbers are small.
fn equal_tiles<'a>(drawn: &Reading<'a>) -> Option<&'a str> {
    let count = drawn.cell_count();
    if count > CELLS_MAX || !drawn.is_even() {
        return None;
    }
    let cells = || drawn.rows.iter().flatten().copied();
    let is_tile = |cell: &&str| {
        cell.starts_with(char::is_alphanumeric)
            && !is_blank(cell)
            && !cell.eq_ignore_ascii_case("x")
    };
    let is_repeated = |cell: &&str| cells().filter(|other| other == cell).count() > 1;
    // Larger numbers are those of several boards, or of one with an error.
    let is_small = |cell: &str| number(cell).is_none_or(|tile| tile <= count as u64 / 3);
    let has_one_blank = cells().filter(|cell| !is_tile(cell)).count() == 1;
    let is_coloured = has_one_blank && cells().all(is_small);
    cells().filter(is_tile).find(is_repeated).filter(|_| is_coloured)
}

/// Returns the range of a part of a text in it, in bytes.
pub(super) fn place(text: &str, part: &str) -> Range<usize> {
    let start = part.as_ptr().addr() - text.as_ptr().addr();
    start..start + part.len()
}

/// Features of a line, without its neighbours.
#[derive(Clone, Copy, Debug)]
pub(super) struct LineFeatures {
    pub(super) cells: usize,
    pub(super) fit: Fit,
    /// Whether a blank is written explicitly.
    pub(super) has_blank: bool,
    /// The greatest number.
    pub(super) greatest: usize,
}

/// Fit of the cells of a line to a board of that size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Fit {
    /// The line has no cell.
    Noise,
    /// A number is too large.
    Partial,
    /// The board has every number on the line.
    InRange,
    /// The line has every number of the board, so no other row of that board has any of them.
    Whole,
}

impl LineFeatures {
    pub(super) fn of(line: &str, blank: Option<BlankSign>) -> Self {
        let readings = readings::readings(line);
        let Some(drawn) = readings.first() else {
            return Self { cells: 0, fit: Fit::Noise, has_blank: false, greatest: 0 };
        };
        let notation = Notation::likely(drawn, blank);
        let written = || drawn.rows.iter().flatten();
        let is_blank =
            |cell: &&str| !cell.is_empty() && notation.piece(cell, blank) == Some(Piece::Blank);
        let number_of = |cell: &&str| match notation.piece(cell, blank)? {
            Piece::Tile(tile) => usize::try_from(tile).ok(),
            Piece::Blank => None,
        };
        Self {
            cells: drawn.cell_count(),
            fit: Fit::of(drawn, notation, blank),
            has_blank: written().any(is_blank),
            greatest: written().filter_map(number_of).max().unwrap_or(0),
        }
    }

    /// Returns whether this may be a square board, right or wrong.
    pub(super) fn is_like_square(self) -> bool {
        self.cells.isqrt().pow(2) == self.cells && self.fit >= Fit::InRange
    }
}

impl Fit {
    fn of(drawn: &Reading<'_>, notation: Notation, blank: Option<BlankSign>) -> Self {
        let cells = drawn.cell_count();
        let pieces = drawn.rows.iter().flatten().filter_map(|cell| notation.piece(cell, blank));
        let mut pieces: Vec<Piece> = pieces.collect();
        if pieces.is_empty() {
            return Self::Noise;
        }
        if notation.misfits(drawn, blank) > 0 {
            return Self::Partial;
        }
        let has_shape =
            |rows: usize| cells.is_multiple_of(rows) && Shape::new(rows, cells / rows).is_ok();
        if !(2..=cells.min(CELLS_MAX) / 2).any(has_shape) {
            return Self::InRange;
        }
        count_from_one(&mut pieces, blank);
        // The number of cells may stand for the blank.
        let mut seen = [false; CELLS_MAX];
        for piece in pieces {
            let number = if let Piece::Tile(number) = piece { number as usize } else { 0 };
            seen[number % cells] = true;
        }
        if seen[..cells].iter().all(|seen| *seen) { Self::Whole } else { Self::InRange }
    }
}
