//! In which order moves are tried.

use pdb_core::{BLANK, Direction, Goal};
use pdb_search::{KORF_BLANK_FIRST, KORF_BLANK_LAST};

/// The order in which the moves to a goal are tried: Korf's.
pub(crate) fn order(goal: &Goal) -> [Direction; 4] {
    // Either order is the other one on the board turned by half.
    if goal.home(BLANK) == 0 { KORF_BLANK_FIRST } else { KORF_BLANK_LAST }
}
