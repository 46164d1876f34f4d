//! Moves as letters, and as the tiles that move.

use crate::{Attempt, Board, Direction, MoveError};

/// A longer text of moves is refused, in moves: no shortest solution has a hundredth of that.
pub const MOVES_MAX: usize = 100_000;

/// What a move is written as.
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

/// How a sequence of moves is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MoveStyle {
    /// What each move is written as.
    pub naming: MoveNaming,
    /// Write `U2` for `UU`. No tile moves twice in a row in one direction, so numbers stay as they
    /// are.
    pub counted: bool,
}

/// Writes moves from a board on: letters without spaces; counted letters, and the numbers of tiles,
/// with spaces between them.
///
/// Moves that the board does not allow, and those after them, are left out of a list of tiles.
pub fn format_moves(board: &Board, moves: &[Direction], style: MoveStyle) -> String {
    let letter = match style.naming {
        MoveNaming::Tile => Direction::letter,
        MoveNaming::Blank => |direction: Direction| direction.opposite().letter(),
        MoveNaming::Tiles => return tiles_of(board, moves),
    };
    if !style.counted {
        return moves.iter().map(|&direction| letter(direction)).collect();
    }
    let runs = moves.chunk_by(|a, b| a == b).map(|run| match run.len() {
        1 => letter(run[0]).to_string(),
        len => format!("{}{len}", letter(run[0])),
    });
    runs.collect::<Vec<_>>().join(" ")
}

/// Moves as the letters of the tiles' directions, without spaces: what [`parse_moves`] reads.
pub fn letters(moves: &[Direction]) -> String {
    moves.iter().map(|direction| direction.letter()).collect()
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

/// Reads moves that are written as letters, in either case, with or without spaces and counts: those
/// of the tiles' directions, or of the blank's.
///
/// # Errors
/// [`MoveError::Letter`] names the first character that is no move, [`MoveError::TooMany`] says
/// where there are more than [`MOVES_MAX`].
pub fn parse_moves(text: &str, of_blank: bool) -> Result<Vec<Direction>, MoveError> {
    let mut moves = Vec::new();
    let mut chars = text.chars().enumerate().peekable();
    while let Some((index, found)) = chars.next() {
        if is_between(found) {
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
        if moves.len() > MOVES_MAX {
            return Err(MoveError::TooMany);
        }
    }
    Ok(moves)
}

fn is_between(c: char) -> bool {
    c.is_whitespace() || c == ','
}

/// Moves as somebody wrote them down, before they are tried on a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrittenMoves(Vec<Attempt>);

impl WrittenMoves {
    /// Reads moves: numbers are the tiles that move, as K. Takahashi's and H. Kociemba's programs
    /// write them; letters are directions of the tiles, or of the blank where `of_blank` says so.
    ///
    /// # Errors
    /// As [`parse_moves`]; [`MoveError::Number`] names the first word among numbers that is none.
    pub fn parse(text: &str, of_blank: bool) -> Result<Self, MoveError> {
        let is_numbers = text.chars().find(|&c| !is_between(c)).is_some_and(char::is_numeric);
        if !is_numbers {
            let moves = parse_moves(text, of_blank)?;
            return Ok(Self::from(moves.as_slice()));
        }
        let words = text.split(is_between).filter(|word| !word.is_empty());
        let mut attempts = Vec::new();
        for (number, word) in (1..).zip(words) {
            if number > MOVES_MAX {
                return Err(MoveError::TooMany);
            }
            // A number of more digits is no tile either.
            let is_number = word.len() <= 4 && word.bytes().all(|byte| byte.is_ascii_digit());
            let tile = word.parse().ok().filter(|_| is_number);
            let Some(tile) = tile else { return Err(MoveError::Number { number }) };
            attempts.push(Attempt::Tile(tile));
        }
        Ok(Self(attempts))
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Tries the moves on a board, as far as they are possible.
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
                replay.illegal = Some(MoveError::Illegal { number, attempt, board });
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

/// The direction in which a tile can move, if it is beside the blank.
fn direction_of(board: &Board, tile: u16) -> Option<Direction> {
    let blank = board.blank();
    Direction::ALL.into_iter().find(|direction| {
        let from = direction.tile_cell(board.shape(), blank);
        from.is_some_and(|from| u16::from(board.tile(from)) == tile)
    })
}

/// What became of moves that were tried on a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replay {
    /// The moves that were possible, up to the first that was not.
    pub moves: Vec<Direction>,
    /// The board after them.
    pub board: Board,
    /// The first move that was impossible: [`MoveError::Illegal`].
    pub illegal: Option<MoveError>,
}
