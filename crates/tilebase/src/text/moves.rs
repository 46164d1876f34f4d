//! Reading of moves: letters, or the numbers of the tiles that move.

use pdb_core::{Attempt, Board, CELLS_MAX, Direction, IllegalMove};
use thiserror::Error;

/// Largest number of moves in a text. No shortest solution has a hundredth of that.
pub const MOVES_MAX: usize = 100_000;

/// Reads moves as letters, in either case, with or without spaces and counts: the tiles'
/// directions, or the blank's with `of_blank`.
///
/// # Errors
/// [`MoveTextError::Letter`] names the first character that is not a move;
/// [`MoveTextError::TooMany`] for more than [`MOVES_MAX`] moves.
pub fn parse_moves(text: &str, of_blank: bool) -> Result<Vec<Direction>, MoveTextError> {
    let mut moves = Vec::new();
    let mut chars = text.chars().enumerate().peekable();
    while let Some((index, found)) = chars.next() {
        if is_between(found) {
            continue;
        }
        let error = MoveTextError::Letter { found, place: index + 1 };
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
            if count > CELLS_MAX {
                return Err(error);
            }
        }
        moves.extend(std::iter::repeat_n(direction, if counted { count } else { 1 }));
        if moves.len() > MOVES_MAX {
            return Err(MoveTextError::TooMany);
        }
    }
    Ok(moves)
}

/// Why a text is not a sequence of moves.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum MoveTextError {
    /// A letter that is not one of `U`, `R`, `D`, `L`, or a repeat count that is out of place.
    #[error(
        "character {place} of the moves is '{}': expected U, R, D or L, each with an optional count \
         such as U2",
        found.escape_debug()
    )]
    Letter {
        /// The character.
        found: char,
        /// Its position in the text, in characters from 1.
        place: usize,
    },
    /// A word among the numbers of tiles that is not a number.
    #[error(
        "word {number} of the moves is no tile: expected the number of a tile, as in the words \
         before it, or letters alone"
    )]
    Number {
        /// The position of the word, counted from 1.
        number: usize,
    },
    /// More than [`MOVES_MAX`] moves.
    #[error("these are more than {MOVES_MAX} moves: expected the moves of one solution")]
    TooMany,
}

fn is_between(c: char) -> bool {
    c.is_whitespace() || c == ','
}

/// Moves as written, before they are tried on a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrittenMoves(Vec<Attempt>);

impl WrittenMoves {
    /// Reads moves: numbers are the tiles that move, as in K. Takahashi's and H. Kociemba's
    /// programs; letters are directions of the tiles, or of the blank with `of_blank`.
    ///
    /// # Errors
    /// Those of [`parse_moves`]; [`MoveTextError::Number`] names the first word among numbers that
    /// is not a number.
    pub fn parse(text: &str, of_blank: bool) -> Result<Self, MoveTextError> {
        let is_numbers = text.chars().find(|&c| !is_between(c)).is_some_and(char::is_numeric);
        if !is_numbers {
            let moves = parse_moves(text, of_blank)?;
            return Ok(Self::from(moves.as_slice()));
        }
        let words = text.split(is_between).filter(|word| !word.is_empty());
        let mut attempts = Vec::new();
        for (number, word) in (1..).zip(words) {
            if number > MOVES_MAX {
                return Err(MoveTextError::TooMany);
            }
            // A number of more digits is not a tile either.
            let is_number = word.len() <= 4 && word.bytes().all(|byte| byte.is_ascii_digit());
            let tile = word.parse().ok().filter(|_| is_number);
            let Some(tile) = tile else { return Err(MoveTextError::Number { number }) };
            attempts.push(Attempt::Tile(tile));
        }
        Ok(Self(attempts))
    }

    /// Returns the number of moves.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns whether there is no move.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Makes the moves on a board, up to the first that is impossible.
    pub fn replay(&self, board: &Board) -> Replay {
        let mut replay = Replay { moves: Vec::new(), board: *board, illegal: None };
        for (number, &attempt) in (1..).zip(&self.0) {
            let board = replay.board;
            let possible = match attempt {
                Attempt::Direction(direction) => Some(direction),
                Attempt::Tile(tile) => direction_of(&board, tile),
            };
            let moved = possible.and_then(|direction| Some((direction, board.moved(direction)?)));
            let Some((direction, next)) = moved else {
                replay.illegal = Some(IllegalMove { number, attempt, board });
                break;
            };
            replay.moves.push(direction);
            replay.board = next;
        }
        replay
    }
}

impl From<&[Direction]> for WrittenMoves {
    fn from(moves: &[Direction]) -> Self {
        Self(moves.iter().copied().map(Attempt::Direction).collect())
    }
}

/// Returns the direction in which a tile can move, if it is beside the blank.
fn direction_of(board: &Board, tile: u16) -> Option<Direction> {
    let blank = board.blank();
    Direction::ALL.into_iter().find(|direction| {
        let from = direction.tile_cell(board.shape(), blank);
        from.is_some_and(|from| u16::from(board.tile(from)) == tile)
    })
}

/// Result of moves on a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replay {
    /// The moves that were possible, up to the first that was not.
    pub moves: Vec<Direction>,
    /// The board after them.
    pub board: Board,
    /// The first move that was impossible.
    pub illegal: Option<IllegalMove>,
}
