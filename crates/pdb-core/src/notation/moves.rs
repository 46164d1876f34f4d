//! Moves as letters.

use crate::{Direction, MoveError};

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
