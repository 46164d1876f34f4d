//! Reading of moves: letters, words, arrows, or the numbers of the tiles that move.
//!
//! 1. Spaces, commas, brackets, bars, dashes and quotes around a move are between the moves.
//! 2. A move is a direction with an optional count, or the number of a tile. One text has moves of
//!    one kind: letters and words, arrows, or numbers.

use pdb_core::excerpt::{WORD_CHARS_MAX, excerpt};
use pdb_core::notation::MoveNaming;
use pdb_core::{Attempt, Board, CELLS_MAX, Direction, IllegalMove};
use thiserror::Error;

/// Largest number of moves in a text. No shortest solution has a hundredth of that.
pub const MOVES_MAX: usize = 100_000;

/// Reads moves as letters, words such as Up or arrows, with or without spaces and counts: the
/// tiles' directions, or the blank's with `of_blank`.
///
/// # Errors
/// [`MoveTextError::Letter`] names the first character that is not a move;
/// [`MoveTextError::Mixed`] for arrows among letters; [`MoveTextError::Count`] for a count that no
/// board allows; [`MoveTextError::TooMany`] for more than [`MOVES_MAX`] moves.
pub fn parse_moves(text: &str, of_blank: bool) -> Result<Vec<Direction>, MoveTextError> {
    let chars = without_separators(text)?;
    let mut moves = Vec::new();
    let mut has_arrows = None;
    let mut at = 0;
    while let Some(&found) = chars.get(at) {
        let place = at + 1;
        if found == ' ' {
            at += 1;
            continue;
        }
        let arrow = arrow(found).map(|direction| (direction, 1));
        let Some((named, len)) = arrow.or_else(|| letter_or_word(&chars[at..])) else {
            return Err(MoveTextError::Letter { found, place });
        };
        if *has_arrows.get_or_insert(arrow.is_some()) != arrow.is_some() {
            return Err(MoveTextError::Mixed { found, place });
        }
        at += len;
        let direction = if of_blank { named.opposite() } else { named };
        let digits: String = chars[at..].iter().take_while(|c| c.is_ascii_digit()).collect();
        let count = if digits.is_empty() { Some(1) } else { digits.parse().ok() };
        let Some(count) = count.filter(|&count| count <= CELLS_MAX) else {
            let found = excerpt(&digits, WORD_CHARS_MAX);
            return Err(MoveTextError::Count { found, place: at + 1 });
        };
        at += digits.len();
        moves.extend(std::iter::repeat_n(direction, count));
        if moves.len() > MOVES_MAX {
            return Err(MoveTextError::TooMany);
        }
    }
    Ok(moves)
}

/// Returns the direction that an arrow names.
fn arrow(c: char) -> Option<Direction> {
    match c {
        '↑' | '⇑' | '⇧' | '⬆' | '▲' | '^' => Some(Direction::Up),
        '→' | '⇒' | '⇨' | '➡' | '▶' | '>' => Some(Direction::Right),
        '↓' | '⇓' | '⇩' | '⬇' | '▼' | 'v' => Some(Direction::Down),
        '←' | '⇐' | '⇦' | '⬅' | '◀' | '<' => Some(Direction::Left),
        _ => None,
    }
}

/// Returns the direction of the word or letter at the start of a text, and its length.
fn letter_or_word(chars: &[char]) -> Option<(Direction, usize)> {
    let direction = Direction::from_letter(chars[0])?;
    let word = direction.word();
    let start = chars.iter().take(word.len()).map(char::to_ascii_lowercase);
    Some((direction, if start.eq(word.chars()) { word.len() } else { 1 }))
}

/// Replaces each character between moves by a space.
fn without_separators(text: &str) -> Result<Vec<char>, MoveTextError> {
    // A selector after an arrow picks its form and does not print.
    let is_printed = |c: &char| !matches!(c, '\u{fe0e}' | '\u{fe0f}');
    let chars: Vec<char> = text.chars().filter(is_printed).collect();
    let mut plain = Vec::with_capacity(chars.len());
    // A quote behind a letter is none: it means the inverse of a turn of a cube.
    let mut quote = None;
    for (at, &c) in chars.iter().enumerate() {
        let next = chars.get(at + 1).copied();
        let is_first = plain.last().is_none_or(|&before| before == ' ');
        let is_separator = match c {
            '\'' | '"' | '`' if quote.is_none() && is_first => {
                quote = Some((c, at + 1));
                true
            }
            '\'' | '"' | '`' if quote.is_some_and(|(open, _)| open == c) => {
                quote = None;
                true
            }
            // A number after a space and a dash is negative.
            '-' => !(is_first && next.is_some_and(char::is_numeric)),
            '>' => at > 0 && chars[at - 1] == '-',
            ',' | ';' | '|' | '/' | '(' | ')' | '[' | ']' | '{' | '}' => true,
            _ => c.is_whitespace(),
        };
        plain.push(if is_separator { ' ' } else { c });
    }
    match quote {
        Some((found, place)) => Err(MoveTextError::Letter { found, place }),
        None => Ok(plain),
    }
}

/// Why a text is not a sequence of moves.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum MoveTextError {
    /// A character that is not one of `U`, `R`, `D`, `L`, nor begins a word or is an arrow.
    #[error(
        "character {place} of the moves is '{}': expected U, R, D or L, a word such as Up, or an \
         arrow, each with an optional count such as U2",
        found.escape_debug()
    )]
    Letter {
        /// The character.
        found: char,
        /// Its position in the text, in characters from 1.
        place: usize,
    },
    /// An arrow among letters, or a letter among arrows.
    #[error(
        "character {place} of the moves is '{found}': expected letters and words alone, or arrows \
         alone"
    )]
    Mixed {
        /// The character.
        found: char,
        /// Its position in the text, in characters from 1.
        place: usize,
    },
    /// A count that no board allows.
    #[error(
        "the count {found} at character {place} of the moves is too large: expected at most \
         {CELLS_MAX}, as no board has more cells"
    )]
    Count {
        /// The count.
        found: String,
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

/// Moves that a board does not allow.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{illegal}{}", possible_as.map(reversed_note).unwrap_or_default())]
pub struct ImpossibleMoves {
    /// The first move that is impossible.
    pub illegal: Box<IllegalMove>,
    /// The other meaning of the letters, if it makes all moves possible.
    pub possible_as: Option<MoveNaming>,
}

fn reversed_note(naming: MoveNaming) -> String {
    format!(
        "; all moves are possible if the letters name the {}'s directions",
        if naming == MoveNaming::Blank { "blank" } else { "tile" }
    )
}

/// Moves as written, before they are tried on a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrittenMoves {
    attempts: Vec<Attempt>,
    of_blank: bool,
}

impl WrittenMoves {
    /// Reads moves: numbers are the tiles that move, as in K. Takahashi's and H. Kociemba's
    /// programs; letters, words and arrows are directions of the tiles, or of the blank with
    /// `of_blank`.
    ///
    /// # Errors
    /// Those of [`parse_moves`]; [`MoveTextError::Number`] names the first word among numbers that
    /// is not a number.
    pub fn parse(text: &str, of_blank: bool) -> Result<Self, MoveTextError> {
        let chars = without_separators(text)?;
        let is_numbers = chars.iter().find(|&&c| c != ' ').is_some_and(|c| c.is_numeric());
        if !is_numbers {
            let moves = parse_moves(text, of_blank)?;
            return Ok(Self { of_blank, ..Self::from(moves.as_slice()) });
        }
        let words = chars.split(|&c| c == ' ').filter(|word| !word.is_empty());
        let mut attempts = Vec::new();
        for (number, word) in (1..).zip(words) {
            if number > MOVES_MAX {
                return Err(MoveTextError::TooMany);
            }
            // A number of more digits is not a tile either.
            let is_number = word.len() <= 4 && word.iter().all(char::is_ascii_digit);
            let tile = word.iter().collect::<String>().parse().ok().filter(|_| is_number);
            let Some(tile) = tile else { return Err(MoveTextError::Number { number }) };
            attempts.push(Attempt::Tile(tile));
        }
        Ok(Self { attempts, of_blank })
    }

    /// Returns the moves with each direction reversed: the blank's instead of the tile's, or the
    /// other way round. `None` for numbers of tiles.
    pub fn reversed(&self) -> Option<Self> {
        let attempts = self.attempts.iter().map(|attempt| match attempt {
            Attempt::Direction(direction) => Some(Attempt::Direction(direction.opposite())),
            Attempt::Tile(_) => None,
        });
        Some(Self { attempts: attempts.collect::<Option<_>>()?, of_blank: !self.of_blank })
    }

    /// Makes the moves on a board, each of which must be possible. Returns the directions of the
    /// tiles, and the board after them.
    ///
    /// # Errors
    /// [`ImpossibleMoves`] names the first move that is impossible, and says whether the reversed
    /// moves are possible.
    pub fn make(&self, board: &Board) -> Result<(Vec<Direction>, Board), ImpossibleMoves> {
        let Replay { moves, board: end, illegal } = self.replay(board);
        let Some(illegal) = illegal else { return Ok((moves, end)) };
        let is_legal = |other: &Self| other.replay(board).illegal.is_none();
        let possible_as = self.reversed().filter(is_legal).map(|other| other.naming());
        Err(ImpossibleMoves { illegal: Box::new(illegal), possible_as })
    }

    /// Returns what the letters name.
    fn naming(&self) -> MoveNaming {
        if self.of_blank { MoveNaming::Blank } else { MoveNaming::Tile }
    }

    /// Returns the number of moves.
    pub fn len(&self) -> usize {
        self.attempts.len()
    }

    /// Returns whether there is no move.
    pub fn is_empty(&self) -> bool {
        self.attempts.is_empty()
    }

    /// Makes the moves on a board, up to the first that is impossible.
    pub fn replay(&self, board: &Board) -> Replay {
        let mut replay = Replay { moves: Vec::new(), board: *board, illegal: None };
        for (number, &attempt) in (1..).zip(&self.attempts) {
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
        let attempts = moves.iter().copied().map(Attempt::Direction).collect();
        Self { attempts, of_blank: false }
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
