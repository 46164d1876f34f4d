//! The shape and the sign of the blank of boards whose text does not say them.

use std::fmt;
use std::str::FromStr;

use pdb_core::Shape;
use pdb_core::excerpt::{WORD_CHARS_MAX, excerpt};

use crate::text::error::BoardTextError;
use crate::text::error_kind::TextErrorKind;

/// Properties of boards that are known before their text is read.
///
/// ```
/// use tilebase::text::{BoardFormat, read_board};
///
/// let format = BoardFormat { blank: Some("8".parse()?), ..BoardFormat::default() };
/// let board = read_board("7 1 8/3 5 0/2 6 4", format)?;
/// assert_eq!(board.to_string(), "8 2 0/4 6 1/3 7 5");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BoardFormat {
    /// The shape of boards that do not show it. Default: a square.
    pub shape: Option<Shape>,
    /// The sign of the blank. Default: one of the usual signs.
    pub blank: Option<BlankSign>,
}

impl From<Option<Shape>> for BoardFormat {
    fn from(shape: Option<Shape>) -> Self {
        Self { shape, blank: None }
    }
}

/// The only sign that is the blank of boards, in place of the usual ones: a number or another
/// character.
///
/// If a tile of a board is 0, its tiles count from 0. Then the numbers from 0 without the number of
/// the blank are, in their order, the tiles from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BlankSign {
    /// A number, which may be negative.
    Number(i32),
    /// A character that is no digit.
    Char(char),
}

impl BlankSign {
    /// Returns whether a cell is the blank.
    pub(super) fn is(self, cell: &str) -> bool {
        cell.parse() == Ok(self)
    }

    /// Returns the tile that a number is, where the tiles count from 0.
    pub(super) fn tile(self, number: u64) -> u64 {
        let is_below = |blank: i32| u64::try_from(blank).is_ok_and(|blank| blank < number);
        match self {
            Self::Number(blank) if is_below(blank) => number,
            _ => number.saturating_add(1),
        }
    }
}

/// Writes the sign.
impl fmt::Display for BlankSign {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => number.fmt(f),
            Self::Char(sign) => sign.fmt(f),
        }
    }
}

/// Reads a number or a character.
impl FromStr for BlankSign {
    type Err = BoardTextError;

    fn from_str(text: &str) -> Result<Self, BoardTextError> {
        // A plus sign is no part of a cell.
        if let (Ok(number), false) = (text.parse(), text.starts_with('+')) {
            return Ok(Self::Number(number));
        }
        let is_sign = |c: &char| {
            !c.is_whitespace() && !c.is_control() && !"#,;:/|()[]{}\"'`+=<>".contains(*c)
        };
        let mut chars = text.chars();
        match (chars.next().filter(is_sign), chars.next()) {
            (Some(sign), None) => Ok(Self::Char(sign)),
            _ => Err(TextErrorKind::Blank { text: excerpt(text, WORD_CHARS_MAX) }.into()),
        }
    }
}
