//! Boards and moves in the plainest notation.
//!
//! The module `tilebase::text` reads boards in the many other notations that people use.

use core::fmt;
use std::str::FromStr;

use crate::excerpt::{WORD_CHARS_MAX, excerpt};
use crate::{BLANK, Board, BoardError, Direction, Metric, Shape};

/// Writes rows of numbers: `/` between rows, spaces between tiles, 0 for the blank. The size of a
/// board of one line comes first, as in `1x5: 1 2 0 3 4`, because rows alone are other boards.
impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.shape().is_line() {
            write!(f, "{}: ", self.shape())?;
        }
        for (cell, tile) in self.tiles().iter().enumerate() {
            if cell > 0 {
                f.write_str(if cell % self.shape().cols() == 0 { "/" } else { " " })?;
            }
            write!(f, "{tile}")?;
        }
        Ok(())
    }
}

/// Reads rows of numbers, as [`Display`](fmt::Display) writes them.
///
/// `;` and line ends separate rows as `/` does, commas separate tiles as spaces do, and `.` and `_`
/// are the blank as 0 is. A text without row separators is a square board, unless a size and a
/// colon stand before it.
///
/// # Errors
/// A [`BoardError`] that names the row and the column that are wrong.
impl FromStr for Board {
    type Err = BoardError;

    fn from_str(text: &str) -> Result<Self, BoardError> {
        let sized = text.split_once(':').and_then(|(size, rest)| Some((size.parse().ok()?, rest)));
        let (size, text) = sized.map_or((None, text), |(size, rest)| (Some(size), rest));
        let rows = rows(text);
        let expected = rows.first().map_or(0, Vec::len);
        if let Some(row) = rows.iter().position(|row| row.len() != expected) {
            return Err(BoardError::Ragged { row: row + 1, expected, found: rows[row].len() });
        }
        let side = expected.isqrt();
        let is_square = rows.len() == 1 && side * side == expected;
        let (row_count, col_count) = if is_square { (side, side) } else { (rows.len(), expected) };
        let shape = match size {
            Some(shape) if rows.len() == 1 => shape,
            size => {
                let found = Shape::new(row_count, col_count)?;
                match size {
                    Some(expected) if expected != found => {
                        return Err(BoardError::OtherShape { expected, found });
                    }
                    None if found.is_line() => return Err(BoardError::OneLine { shape: found }),
                    _ => found,
                }
            }
        };
        let mut tiles = Vec::with_capacity(shape.cell_count());
        for (cell, &word) in rows.iter().flatten().enumerate() {
            let is_number = word.bytes().all(|byte| byte.is_ascii_digit());
            tiles.push(match word {
                "." | "_" => BLANK,
                _ if is_number => {
                    // A number beyond 64 bits is out of range like any other.
                    let tile = word.parse().unwrap_or(u64::MAX);
                    let error = BoardError::OutOfRange { tile, shape, cell };
                    u8::try_from(tile).map_err(|_| error)?
                }
                _ => {
                    let (row, col) = shape.row_col(cell as u8);
                    let word = excerpt(word, WORD_CHARS_MAX);
                    return Err(BoardError::Word {
                        word,
                        row: row + 1,
                        col: col + 1,
                        place: cell + 1,
                    });
                }
            });
        }
        Self::new(shape, &tiles)
    }
}

/// Splits a drawing into rows at `/`, `;` and line ends, and rows into words at white space and
/// commas.
pub fn rows(text: &str) -> Vec<Vec<&str>> {
    let is_space = |c: char| c.is_whitespace() || c == ',';
    text.split(['/', ';', '\n'])
        .map(|row| row.split(is_space).filter(|word| !word.is_empty()).collect())
        .filter(|row: &Vec<_>| !row.is_empty())
        .collect()
}

/// Notation of one move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MoveNaming {
    /// The direction of the tile: `U`, `R`, `D` or `L`.
    #[default]
    Tile,
    /// The direction of the blank, which goes the other way.
    Blank,
    /// The number of the tile that moves.
    Tiles,
}

/// Notation of a sequence of moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MoveStyle {
    /// Notation of each move.
    pub naming: MoveNaming,
    /// Write `U2` for `UU`. No tile moves twice in a row in one direction, so numbers stay as they
    /// are.
    pub counted: bool,
}

impl MoveStyle {
    /// Returns the notation of moves in a metric: a slide of several tiles is written as one.
    #[must_use]
    pub fn in_metric(self, metric: Metric) -> Self {
        Self { counted: self.counted || metric == Metric::MultiTile, ..self }
    }
}

/// Writes moves from a board on: plain letters without spaces, counted letters and numbers of tiles
/// with spaces between them.
///
/// A list of tiles ends before the first move that the board does not allow.
pub fn format_moves(board: &Board, moves: &[Direction], style: MoveStyle) -> String {
    let moves: Vec<Direction> = match style.naming {
        MoveNaming::Tile => moves.to_vec(),
        MoveNaming::Blank => moves.iter().map(|direction| direction.opposite()).collect(),
        MoveNaming::Tiles => return tiles_of(board, moves),
    };
    if !style.counted {
        return letters(&moves);
    }
    let runs = moves.chunk_by(|a, b| a == b).map(|run| match run.len() {
        1 => run[0].letter().to_string(),
        len => format!("{}{len}", run[0].letter()),
    });
    runs.collect::<Vec<_>>().join(" ")
}

fn tiles_of(board: &Board, moves: &[Direction]) -> String {
    let mut board = *board;
    let mut tiles = Vec::with_capacity(moves.len());
    for &direction in moves {
        let blank = board.blank();
        let Some(from) = direction.tile_cell(board.shape(), blank) else { break };
        tiles.push(board.tile(from).to_string());
        board.slide(from, blank);
    }
    tiles.join(" ")
}

/// Writes moves as the letters of the tiles' directions, without spaces.
pub fn letters(moves: &[Direction]) -> String {
    moves.iter().map(|direction| direction.letter()).collect()
}

/// Reads moves as [`letters`] writes them, in either case; `None` if a letter is not a direction.
pub fn parse_letters(text: &str) -> Option<Vec<Direction>> {
    text.chars().map(Direction::from_letter).collect()
}
