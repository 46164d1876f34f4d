//! The settings of a search.

use pdb_core::Direction;

use crate::Limits;

/// Korf's order for goals with the blank in the first cell: the blank goes up, left, right, down,
/// so the tile goes down, right, left, up.
pub const KORF_BLANK_FIRST: [Direction; 4] =
    [Direction::Down, Direction::Right, Direction::Left, Direction::Up];

/// Korf's order on the board turned by 180 degrees, for goals with the blank in the last cell. The
/// blank goes down, right, left, up, so the tile goes up, left, right, down.
pub const KORF_BLANK_LAST: [Direction; 4] =
    [Direction::Up, Direction::Left, Direction::Right, Direction::Down];

/// The settings of a search.
#[derive(Clone, Copy, Debug)]
pub struct Options<'a> {
    /// The order in which moves are tried, each named by the direction of the tile; the blank goes
    /// the opposite way. It decides which of several shortest solutions is found, and how many
    /// nodes are generated within the last bound. Default: [`KORF_BLANK_LAST`].
    pub order: [Direction; 4],
    /// The limits of the search. Default: none.
    pub limits: Limits<'a>,
}

impl Default for Options<'_> {
    fn default() -> Self {
        Self { order: KORF_BLANK_LAST, limits: Limits::default() }
    }
}
