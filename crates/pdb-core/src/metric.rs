//! Metrics: what counts as one move.

use core::fmt;
use std::str::FromStr;

use crate::Direction;

/// Moves that a length counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Metric {
    /// Each tile that moves: the single-tile metric.
    #[default]
    SingleTile,
    /// A slide of one or more tiles of a line at once, by one cell each: the multi-tile metric.
    MultiTile,
}

impl Metric {
    /// Both, the usual one first.
    pub const ALL: [Self; 2] = [Self::SingleTile, Self::MultiTile];

    /// Returns the short name of the field: `stm` or `mtm`.
    pub fn name(self) -> &'static str {
        match self {
            Self::SingleTile => "stm",
            Self::MultiTile => "mtm",
        }
    }

    /// Returns the short name, except for the usual metric, which records leave out.
    pub fn unusual_name(self) -> Option<&'static str> {
        (self != Self::default()).then(|| self.name())
    }

    /// Returns the word for one move: `move` or `slide`.
    pub fn noun(self) -> &'static str {
        match self {
            Self::SingleTile => "move",
            Self::MultiTile => "slide",
        }
    }

    /// Returns the smallest difference between the lengths of two solutions of a board: its parity
    /// tells that of the number of moves of single tiles, and nothing about slides.
    pub fn step(self) -> u32 {
        match self {
            Self::SingleTile => 2,
            Self::MultiTile => 1,
        }
    }

    /// Splits a sequence of directions of single tiles into moves.
    pub fn moves(self, directions: &[Direction]) -> impl Iterator<Item = &[Direction]> {
        directions.chunk_by(move |a, b| self == Self::MultiTile && a == b)
    }

    /// Returns the number of moves of a sequence.
    ///
    /// ```
    /// use pdb_core::{Direction, Metric};
    ///
    /// let moves = [Direction::Left, Direction::Left, Direction::Up];
    /// assert_eq!(Metric::SingleTile.count(&moves), 3);
    /// assert_eq!(Metric::MultiTile.count(&moves), 2);
    /// ```
    pub fn count(self, directions: &[Direction]) -> usize {
        self.moves(directions).count()
    }
}

impl fmt::Display for Metric {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Metric {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|metric| metric.name().eq_ignore_ascii_case(text));
        found.ok_or_else(|| format!("expected stm or mtm, found {text:.40?}"))
    }
}

/// Axis of a slide. In a shortest solution of the multi-tile metric axes alternate: two slides of
/// one axis are one slide, or none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Axis {
    /// Within a row.
    Horizontal,
    /// Within a column.
    Vertical,
}

impl Axis {
    /// Both.
    pub const BOTH: [Self; 2] = [Self::Horizontal, Self::Vertical];

    /// Returns the axis of a move.
    pub fn of(direction: Direction) -> Self {
        match direction {
            Direction::Left | Direction::Right => Self::Horizontal,
            Direction::Up | Direction::Down => Self::Vertical,
        }
    }

    /// Returns the other axis.
    #[inline]
    #[must_use]
    pub fn other(self) -> Self {
        match self {
            Self::Horizontal => Self::Vertical,
            Self::Vertical => Self::Horizontal,
        }
    }

    /// Returns the two directions along the axis.
    #[inline]
    pub fn directions(self) -> [Direction; 2] {
        match self {
            Self::Horizontal => [Direction::Left, Direction::Right],
            Self::Vertical => [Direction::Up, Direction::Down],
        }
    }
}
