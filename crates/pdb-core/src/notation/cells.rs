//! From cells to a board: what a cell's text stands for, and which readings of a text are boards.

use std::ops::Range;

use super::TEXT_BYTES_MAX;
use super::array;
use super::drawn::{self, Drawn};
use super::text_error::BoardTextError;
use crate::shown::{WORD_CHARS_MAX, shortened};
use crate::{BLANK, Board, BoardError, CELLS_MAX, Shape};

/// What some editors put in front of a text.
const MARK: char = '\u{feff}';

/// What is on a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Piece {
    Blank,
    Tile(u64),
}

/// How tiles are written.
#[derive(Clone, Copy, Debug)]
enum Script {
    /// As decimal numbers.
    Numbers,
    /// As one digit each, `a` for 10 and `z` for 35.
    Digits { x_is_blank: bool },
    /// As one letter each, `a` for 1.
    Letters { x_is_blank: bool },
}

impl Script {
    /// The likeliest first.
    const ALL: [Self; 5] = [
        Self::Numbers,
        Self::Digits { x_is_blank: true },
        Self::Digits { x_is_blank: false },
        Self::Letters { x_is_blank: true },
        Self::Letters { x_is_blank: false },
    ];

    /// The scripts that may be that of these cells.
    fn of(drawn: &Drawn<'_>) -> &'static [Self] {
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

    /// How many cells no board of as many cells has.
    fn misfits(self, drawn: &Drawn<'_>) -> usize {
        let found = drawn.cell_count() as u64;
        let fits = |cell: &&&str| match self.piece(cell) {
            Some(Piece::Tile(tile)) => tile <= found,
            Some(Piece::Blank) => true,
            None => false,
        };
        drawn.rows.iter().flatten().filter(|cell| !fits(cell)).count()
    }

    /// What the writer meant most likely, if nothing is a board.
    fn likely(drawn: &Drawn<'_>) -> Self {
        let scripts = Self::of(drawn).iter().copied();
        scripts.min_by_key(|script| script.misfits(drawn)).unwrap_or(Self::Numbers)
    }
}

/// Digits alone; a number too large for 64 bits is as far out of range as any other.
fn number(word: &str) -> Option<u64> {
    if word.is_empty() || !word.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    Some(word.parse().unwrap_or(u64::MAX))
}

/// What is wrong, and the parts of the text that are.
type Fault<'a> = (BoardError, Vec<&'a str>);

/// The board that the cells are in one script.
fn board_of<'a>(
    drawn: &Drawn<'a>,
    script: Script,
    shape: Option<Shape>,
) -> Result<Board, Fault<'a>> {
    let whole = |error| (error, Vec::new());
    let found = drawn.cell_count();
    if found == 0 {
        return Err(whole(BoardError::Empty));
    }
    let shape_drawn = shape_of(drawn, shape);
    let cells = || drawn.rows.iter().flatten().copied();
    let mut pieces = Vec::with_capacity(found);
    for (at, cell) in cells().enumerate() {
        let Some(piece) = script.piece(cell) else {
            let (row, col) = row_col(drawn, shape_drawn.as_ref().ok().copied(), at);
            let word = shortened(cell, WORD_CHARS_MAX);
            return Err((BoardError::Word { word, row, col, place: at + 1 }, vec![cell]));
        };
        pieces.push(piece);
    }
    let drawn_shape = shape_drawn?;
    if let Some(expected) = shape
        && expected != drawn_shape
    {
        return Err(whole(BoardError::OtherShape { expected, found: drawn_shape }));
    }
    // The wrong number of cells is the reason for any tile beyond the range too.
    if found != drawn_shape.cell_count() {
        return Err(whole(BoardError::CellCount { shape: drawn_shape, found }));
    }
    // Some programs number all cells and let the last number be the blank.
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
                return Err((error, cells().nth(cell).into_iter().collect()));
            }
        });
    }
    Board::new(drawn_shape, &tiles).map_err(|error| {
        let marks = match error {
            BoardError::Repeated { first, second, .. } => vec![first, second],
            _ => Vec::new(),
        };
        let marks = marks.into_iter().filter_map(|cell| cells().nth(cell)).collect();
        (error, marks)
    })
}

/// The shape that the rows make, or that is asked for where there are none.
fn shape_of<'a>(drawn: &Drawn<'a>, shape: Option<Shape>) -> Result<Shape, Fault<'a>> {
    let whole = |error| (error, Vec::new());
    let found = drawn.cell_count();
    let [first, others @ ..] = drawn.rows.as_slice() else {
        return Err(whole(BoardError::Empty));
    };
    if others.is_empty() {
        if let Some(shape) = shape {
            return Ok(shape);
        }
        let side = found.isqrt();
        if side * side != found {
            return Err(whole(BoardError::NotSquare { found }));
        }
        return Shape::new(side, side).map_err(whole);
    }
    let expected = first.len();
    if let Some((row, cells)) = (2..).zip(others).find(|(_, cells)| cells.len() != expected) {
        let error = BoardError::Ragged { row, expected, found: cells.len() };
        return Err((error, cells.clone()));
    }
    Shape::new(drawn.rows.len(), expected).map_err(whole)
}

/// Row and column of a cell, counted from 1: on the board if its shape is known, or in the text.
fn row_col(drawn: &Drawn<'_>, shape: Option<Shape>, at: usize) -> (usize, usize) {
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

/// Reads a text that is one board, as [`Board::parse`] does, and says where it is wrong.
///
/// # Errors
/// A [`BoardTextError`], which can show the line of the text and mark what is wrong in it.
pub fn read_board(text: &str, shape: Option<Shape>) -> Result<Board, BoardTextError> {
    if text.len() > TEXT_BYTES_MAX {
        return Err(BoardError::TooLong { bytes_max: TEXT_BYTES_MAX }.into());
    }
    let read = |text: &str| choose(text, &readings(text)?, shape);
    match text.strip_prefix(MARK) {
        Some(rest) => read(rest).map_err(|error| error.after(MARK.len_utf8())),
        None => read(text),
    }
}

/// Every way to divide a text into cells, the likeliest first.
fn readings(text: &str) -> Result<Vec<Drawn<'_>>, BoardTextError> {
    if !array::is_array(text) {
        return Ok(drawn::readings(text));
    }
    let mut boards = array::read(text)
        .map_err(|(error, mark)| BoardTextError::new(error, text, mark.as_slice()))?;
    if boards.len() > 1 {
        return Err(BoardError::Several { found: boards.len() }.into());
    }
    Ok(boards.pop().map(readings_of_array).unwrap_or_default())
}

/// The rows of an array's board, or the characters of the strings in it.
pub(super) fn readings_of_array(rows: Vec<Vec<&str>>) -> Vec<Drawn<'_>> {
    let mut all = drawn::compact(&rows, true);
    all.push(Drawn { rows, rank: 2, has_gap: false });
    all.sort_by_key(|drawn| drawn.rank);
    all
}

/// The only board among the readings of a text.
pub(super) fn choose(
    text: &str,
    readings: &[Drawn<'_>],
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
                    return Err(BoardError::Ambiguous { first, second }.into());
                }
                _ => chosen = Some(board),
            }
        }
    }
    if let Some(board) = chosen {
        return Ok(board);
    }
    let Some(likeliest) = readings.first() else {
        return Err(BoardError::Empty.into());
    };
    board_of(likeliest, Script::likely(likeliest), shape).map_err(|(error, parts)| {
        let mut marks: Vec<_> = parts.iter().map(|part| place(text, part)).collect();
        marks.sort_by_key(|mark| mark.start);
        BoardTextError::new(error, text, &marks)
    })
}

/// Where a part of a text stands in it, in bytes.
pub(super) fn place(text: &str, part: &str) -> Range<usize> {
    let start = part.as_ptr().addr() - text.as_ptr().addr();
    start..start + part.len()
}

/// What a line looks like to somebody who has not seen the others.
#[derive(Clone, Copy, Debug)]
pub(super) struct Look {
    pub(super) cells: usize,
    pub(super) fit: Fit,
    /// A blank is written, and not merely left out.
    pub(super) has_blank: bool,
}

/// How well the cells of a line would make a board of as many cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Fit {
    /// Nothing on the line is a cell.
    Noise,
    /// Some number is too large.
    Partial,
    /// The board has every number on the line.
    InRange,
    /// The line has every number of the board too. No other line of a board has any of them.
    Whole,
}

impl Look {
    pub(super) fn of(line: &str) -> Self {
        let readings = drawn::readings(line);
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

    /// Whether this may be meant as a square board, good or bad.
    pub(super) fn is_like_square(self) -> bool {
        self.cells.isqrt().pow(2) == self.cells && self.fit >= Fit::InRange
    }
}

impl Fit {
    fn of(drawn: &Drawn<'_>, script: Script) -> Self {
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
        // The number of cells stands for the blank.
        let mut seen = [false; CELLS_MAX];
        for piece in pieces() {
            let number = if let Some(Piece::Tile(number)) = piece { number as usize } else { 0 };
            seen[number % cells] = true;
        }
        if seen[..cells].iter().all(|seen| *seen) { Self::Whole } else { Self::InRange }
    }
}
