//! What every search of one board begins with.

use pdb_core::{Board, BoardError, Direction, Goal};

use crate::limits::Meter;
use crate::{Options, Outcome, SearchError};

/// The clock starts, board and options are held against the goal, and `search` is called unless
/// parity answers alone.
pub(crate) fn begin<'a>(
    goal: &Goal,
    board: &Board,
    options: &Options<'a>,
    search: impl FnOnce(Meter<'a>) -> Result<Outcome, SearchError>,
) -> Result<Outcome, SearchError> {
    let meter = Meter::start(options.limits);
    check_shape(goal, board)?;
    check_order(options.order)?;
    match goal.check_solvable(board) {
        Ok(()) => search(meter),
        Err(reason) => Ok(Outcome::unsolvable(reason, meter.elapsed())),
    }
}

/// Checks that estimates are never too large, for a search that proves solutions by them.
pub(crate) fn check_admissible(
    is_admissible: bool,
    search: &'static str,
) -> Result<(), SearchError> {
    if is_admissible { Ok(()) } else { Err(SearchError::Inadmissible { search }) }
}

/// What is proved of a board before the search: its estimate, rounded up as by [`first_bound`], or Manhattan
/// distance where the estimate may be too large.
pub(crate) fn proved(is_admissible: bool, goal: &Goal, board: &Board, first_bound: u32) -> u32 {
    if is_admissible { first_bound } else { goal.manhattan_distance(board) }
}

/// The estimate, or one more where no solution has its parity: each move changes the parity of
/// Manhattan distance.
pub(crate) fn first_bound(goal: &Goal, board: &Board, estimate: u32) -> u32 {
    round_up(estimate, goal.manhattan_distance(board))
}

/// A bound, or one more where its parity is not that of `like`.
#[inline(always)]
pub(crate) fn round_up(bound: u32, like: u32) -> u32 {
    bound + (bound ^ like) % 2
}

/// Checks that an order of moves names each direction once.
pub(crate) fn check_order(order: [Direction; 4]) -> Result<(), SearchError> {
    match Direction::ALL.into_iter().find(|direction| !order.contains(direction)) {
        Some(missing) => Err(SearchError::Order { order, missing }),
        None => Ok(()),
    }
}

/// Checks that a board has the goal's shape.
pub(crate) fn check_shape(goal: &Goal, board: &Board) -> Result<(), SearchError> {
    let (expected, found) = (goal.shape(), board.shape());
    if found == expected { Ok(()) } else { Err(BoardError::OtherShape { expected, found }.into()) }
}
