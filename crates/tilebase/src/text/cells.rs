//! Conversion of cells to boards, and the choice among the readings of a text.

use std::ops::Range;

use pdb_core::excerpt::{WORD_CHARS_MAX, excerpt};
use pdb_core::{BLANK, Board, BoardError, CELLS_MAX, Shape};

use crate::text::error::BoardTextError;
use crate::text::error_kind::TextErrorKind;
use crate::text::readings::{self, Reading};
use crate::text::{TEXT_BYTES_MAX, array};

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
enum Script {
    /// Decimal numbers.
    Numbers,
    /// One digit each, `a` for 10 and `z` for 35.
    Digits { x_is_blank: bool },
    /// One letter each, `a` for 1.
    Letters { x_is_blank: bool },
}

impl Script {
    /// All scripts, the likeliest first.
    const ALL: [Self; 5] = [
        Self::Numbers,
        Self::Digits { x_is_blank: true },
        Self::Digits { x_is_blank: false },
        Self::Letters { x_is_blank: true },
        Self::Letters { x_is_blank: false },
    ];

    /// Returns the possible scripts of these cells.
    fn of(drawn: &Reading<'_>) -> &'static [Self] {
        let is_short = |cell: &&str| cell.chars().nth(1).is_none();
        if drawn.rows.iter().flatten().all(is_short) { &Self::ALL } else { &Self::ALL[..1] }
    }

    fn piece(self, cell: &str) -> Option<Piece> {
        let (x_is_blank, digit_before) = match self {
            Self::Numbers => (true, None),
            Self::Digits { x_is_blank } => (x_is_blank, Some(0)),
            Self::Letters { x_is_blank } => (x_is_blank, Some(9)),
        };
        let tile = match (cell, digit_before) {
            ("" | "0" | "." | "_" | "-" | "*" | "□", _) => 0,
            ("x" | "X", _) if x_is_blank => 0,
            (_, None) => number(cell)?,
            (_, Some(before)) => u64::from(cell.chars().next()?.to_digit(36)?.checked_sub(before)?),
        };
        Some(if tile == 0 { Piece::Blank } else { Piece::Tile(tile) })
    }

    /// Returns the number of cells that are not on a board of that size.
    fn misfits(self, drawn: &Reading<'_>) -> usize {
        let found = drawn.cell_count() as u64;
        let fits = |cell: &&&str| match self.piece(cell) {
            Some(Piece::Tile(tile)) => tile <= found,
            Some(Piece::Blank) => true,
            None => false,
        };
        drawn.rows.iter().flatten().filter(|cell| !fits(cell)).count()
    }

    /// Returns the most likely script, if no reading is a board.
    fn likely(drawn: &Reading<'_>) -> Self {
        let scripts = Self::of(drawn).iter().copied();
        scripts.min_by_key(|script| script.misfits(drawn)).unwrap_or(Self::Numbers)
    }
}

/// Reads digits. A number beyond 64 bits is out of range like any other.
fn number(word: &str) -> Option<u64> {
    if word.is_empty() || !word.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    Some(word.parse().unwrap_or(u64::MAX))
}

/// Fault of a text, and the wrong parts of it.
type Fault<'a> = (TextErrorKind, Vec<&'a str>);

/// Reads the cells as a board in one script.
fn board_of<'a>(
    drawn: &Reading<'a>,
    script: Script,
    shape: Option<Shape>,
) -> Result<Board, Fault<'a>> {
    let whole = |error| (error, Vec::new());
    let found = drawn.cell_count();
    if found == 0 {
        return Err(whole(TextErrorKind::Empty));
    }
    let shape_drawn = shape_of(drawn, shape);
    let cells = || drawn.rows.iter().flatten().copied();
    let mut pieces = Vec::with_capacity(found);
    for (at, cell) in cells().enumerate() {
        let Some(piece) = script.piece(cell) else {
            let (row, col) = row_col(drawn, shape_drawn.as_ref().ok().copied(), at);
            let word = excerpt(cell, WORD_CHARS_MAX);
            return Err((BoardError::Word { word, row, col, place: at + 1 }.into(), vec![cell]));
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
    // Some programs write the number of cells for the blank.
    let last = Piece::Tile(found as u64);
    if !drawn.has_gap
        && !pieces.contains(&Piece::Blank)
        && let Some(piece) = pieces.iter_mut().find(|piece| **piece == last)
    {
        *piece = Piece::Blank;
    }
    let mut tiles = Vec::with_capacity(found);
    for (cell, &piece) in pieces.iter().enumerate() {
        tiles.push(match piece {
            Piece::Blank => BLANK,
            Piece::Tile(tile) if tile < found as u64 => tile as u8,
            Piece::Tile(tile) => {
                let error = BoardError::OutOfRange { tile, shape: drawn_shape, cell };
                return Err((error.into(), cells().nth(cell).into_iter().collect()));
            }
        });
    }
    Board::new(drawn_shape, &tiles).map_err(|error| {
        let marks = match error {
            BoardError::Repeated { first, second, .. } => vec![first, second],
            _ => Vec::new(),
        };
        let marks = marks.into_iter().filter_map(|cell| cells().nth(cell)).collect();
        (error.into(), marks)
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
    Shape::new(drawn.rows.len(), expected).map_err(|error| whole(error.into()))
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

/// Reads a board in any notation of `docs/boards.md`: a grid, one line, digits and letters without
/// spaces, a JSON array.
///
/// A text without row separators has `shape`, or is square if `shape` is `None`.
///
/// # Errors
/// A [`BoardTextError`], which can show the line of the text and mark the wrong cells.
pub fn read_board(text: &str, shape: Option<Shape>) -> Result<Board, BoardTextError> {
    if text.len() > TEXT_BYTES_MAX {
        return Err(TextErrorKind::TooLong { bytes_max: TEXT_BYTES_MAX }.into());
    }
    let read = |text: &str| choose(text, &readings(text)?, shape);
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
pub(super) fn readings_of_array(rows: Vec<Vec<&str>>) -> Vec<Reading<'_>> {
    let mut all = readings::compact(&rows, true);
    all.push(Reading { rows, rank: 2, has_gap: false });
    all.sort_by_key(|drawn| drawn.rank);
    all
}

/// Returns the only board among the readings of a text.
pub(super) fn choose(
    text: &str,
    readings: &[Reading<'_>],
    shape: Option<Shape>,
) -> Result<Board, BoardTextError> {
    let mut chosen: Option<Board> = None;
    for drawn in readings.iter().filter(|drawn| drawn.cell_count() <= CELLS_MAX) {
        for &script in Script::of(drawn) {
            let Ok(board) = board_of(drawn, script, shape) else {
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
    let Some(likeliest) = readings.first() else {
        return Err(TextErrorKind::Empty.into());
    };
    board_of(likeliest, Script::likely(likeliest), shape).map_err(|(error, parts)| {
        let mut marks: Vec<_> = parts.iter().map(|part| place(text, part)).collect();
        marks.sort_by_key(|mark| mark.start);
        BoardTextError::new(error, text, &marks)
    })
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
    pub(super) fn of(line: &str) -> Self {
        let readings = readings::readings(line);
        let Some(drawn) = readings.first() else {
            return Self { cells: 0, fit: Fit::Noise, has_blank: false };
        };
        let script = Script::likely(drawn);
        let written = || drawn.rows.iter().flatten();
        let is_blank = |cell: &&str| !cell.is_empty() && script.piece(cell) == Some(Piece::Blank);
        Self {
            cells: drawn.cell_count(),
            fit: Fit::of(drawn, script),
            has_blank: written().any(is_blank),
        }
    }

    /// Returns whether this may be a square board, right or wrong.
    pub(super) fn is_like_square(self) -> bool {
        self.cells.isqrt().pow(2) == self.cells && self.fit >= Fit::InRange
    }
}

impl Fit {
    fn of(drawn: &Reading<'_>, script: Script) -> Self {
        let cells = drawn.cell_count();
        let pieces = || drawn.rows.iter().flatten().map(|cell| script.piece(cell));
        if pieces().all(|piece| piece.is_none()) {
            return Self::Noise;
        }
        if script.misfits(drawn) > 0 {
            return Self::Partial;
        }
        let has_shape =
            |rows: usize| cells.is_multiple_of(rows) && Shape::new(rows, cells / rows).is_ok();
        if !(2..=cells.min(CELLS_MAX) / 2).any(has_shape) {
            return Self::InRange;
        }
        // The number of cells may stand for the blank.
        let mut seen = [false; CELLS_MAX];
        for piece in pieces() {
            let number = if let Some(Piece::Tile(number)) = piece { number as usize } else { 0 };
            seen[number % cells] = true;
        }
        if seen[..cells].iter().all(|seen| *seen) { Self::Whole } else { Self::InRange }
    }
}
