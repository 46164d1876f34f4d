//! Boards and moves as text.

use core::fmt;
use std::str::FromStr;

use crate::{BLANK, Board, BoardError, Direction, MoveError, Shape};

/// Rows separated by `/`, tiles by spaces; the blank is 0.
impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (cell, tile) in self.tiles().iter().enumerate() {
            if cell > 0 {
                f.write_str(if cell % self.shape().cols() == 0 { "/" } else { " " })?;
            }
            write!(f, "{tile}")?;
        }
        Ok(())
    }
}

impl FromStr for Board {
    type Err = BoardError;

    fn from_str(text: &str) -> Result<Self, BoardError> {
        Self::parse(text, None)
    }
}

impl Board {
    /// Reads a board: numbers separated by spaces or commas, rows by `/`, `;` or line ends;
    /// `0`, `.` or `_` for the blank.
    ///
    /// Without row separators the board takes `shape`, or is square where none is given.
    ///
    /// # Errors
    /// A [`BoardError`] that names the place that is wrong.
    pub fn parse(text: &str, shape: Option<Shape>) -> Result<Self, BoardError> {
        let mut rows: Vec<Vec<u64>> = Vec::new();
        let mut place = 0;
        for line in text.split(['/', ';', '\n']) {
            let mut row = Vec::new();
            for word in line.split(|c: char| c.is_whitespace() || c == ',') {
                if word.is_empty() {
                    continue;
                }
                place += 1;
                row.push(match word {
                    "." | "_" => u64::from(BLANK),
                    _ => parse_number(word)
                        .ok_or_else(|| BoardError::Word { word: shortened(word), place })?,
                });
            }
            if !row.is_empty() {
                rows.push(row);
            }
        }
        let found = place;
        let Some(first) = rows.first() else {
            return Err(BoardError::Empty);
        };
        let expected = first.len();
        let drawn = if rows.len() == 1 {
            if let Some(shape) = shape {
                shape
            } else {
                let side = found.isqrt();
                if side * side != found {
                    return Err(BoardError::NotSquare { found });
                }
                Shape::new(side, side)?
            }
        } else {
            if let Some(row) = rows.iter().position(|row| row.len() != expected) {
                return Err(BoardError::Ragged { row: row + 1, expected, found: rows[row].len() });
            }
            Shape::new(rows.len(), expected)?
        };
        if let Some(expected) = shape
            && expected != drawn
        {
            return Err(BoardError::OtherShape { expected, found: drawn });
        }
        // The wrong number of cells is the reason for any tile beyond the range too.
        if found != drawn.cell_count() {
            return Err(BoardError::CellCount { shape: drawn, found });
        }
        let max = drawn.cell_count() - 1;
        let mut tiles = Vec::with_capacity(found);
        for (cell, &tile) in rows.iter().flatten().enumerate() {
            if tile > max as u64 {
                return Err(BoardError::OutOfRange { tile, max, cell });
            }
            tiles.push(tile as u8);
        }
        Self::new(drawn, &tiles)
    }
}

/// Digits alone; a number too large for 64 bits is as far out of range as any other.
fn parse_number(word: &str) -> Option<u64> {
    if !word.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    Some(word.parse().unwrap_or(u64::MAX))
}

/// A word cut to a length that an error message can carry.
fn shortened(word: &str) -> String {
    let mut short: String = word.chars().take(20).collect();
    if short.len() < word.len() {
        short.push_str("...");
    }
    short
}

/// How a sequence of moves is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MoveStyle {
    /// Name the direction of the blank instead of the tile's.
    pub of_blank: bool,
    /// Write `U2` for `UU`.
    pub counted: bool,
}

/// Writes moves as letters, without spaces; counted moves are separated by spaces.
pub fn format_moves(moves: &[Direction], style: MoveStyle) -> String {
    let letter = |d: Direction| {
        if style.of_blank { d.opposite().letter() } else { d.letter() }
    };
    if !style.counted {
        return moves.iter().map(|&d| letter(d)).collect();
    }
    let runs = moves.chunk_by(|a, b| a == b).map(|run| match run.len() {
        1 => letter(run[0]).to_string(),
        len => format!("{}{len}", letter(run[0])),
    });
    runs.collect::<Vec<_>>().join(" ")
}

/// Reads what [`format_moves`] writes, in either case, with or without spaces and counts.
///
/// # Errors
/// [`MoveError::Letter`] names the first character that is no move.
pub fn parse_moves(text: &str, of_blank: bool) -> Result<Vec<Direction>, MoveError> {
    let mut moves = Vec::new();
    let mut chars = text.chars().enumerate().peekable();
    while let Some((index, found)) = chars.next() {
        if found.is_whitespace() || found == ',' {
            continue;
        }
        let error = MoveError::Letter { found, place: index + 1 };
        let Some(named) = Direction::from_letter(found) else {
            return Err(error);
        };
        let direction = if of_blank { named.opposite() } else { named };
        let mut count = 0;
        let mut counted = false;
        while let Some(digit) = chars.peek().and_then(|&(_, c)| c.to_digit(10)) {
            count = count * 10 + digit as usize;
            counted = true;
            chars.next();
            // A tile moves at most five cells in one line on the widest board.
            if count > crate::CELLS_MAX {
                return Err(error);
            }
        }
        moves.extend(std::iter::repeat_n(direction, if counted { count } else { 1 }));
    }
    Ok(moves)
}
