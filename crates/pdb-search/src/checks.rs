//! Checks that every search of one board makes: of its input before, of its answer after.

use std::cmp::Ordering;
use std::iter::{repeat_n, successors};

use pdb_core::{Board, Direction, Goal, Metric, RootError, Shape, Slide};

use crate::limits::Meter;
use crate::{Options, Outcome, SearchError, Status};

/// Starts the clock, checks board and options, and calls `search` unless parity alone is the
/// answer.
///
/// # Errors
/// Those of the checks and of `search`.
pub fn begin<'a>(
    goal: &Goal,
    board: &Board,
    options: &Options<'a>,
    search: impl FnOnce(Meter<'a>) -> Result<Outcome, SearchError>,
) -> Result<Outcome, SearchError> {
    let meter = Meter::start(options.limits);
    goal.check_shape(board).map_err(RootError::Board)?;
    check_order(options.order)?;
    match goal.check_solvable(board) {
        Ok(()) => search(meter),
        Err(reason) => Ok(Outcome::of(Status::Unsolvable(reason), meter.elapsed())),
    }
}

/// Checks that estimates are never too large, for a search that proves solutions by them.
///
/// # Errors
/// [`SearchError::Inadmissible`] with the name of the search.
pub fn check_admissible(is_admissible: bool, search: &'static str) -> Result<(), SearchError> {
    if is_admissible { Ok(()) } else { Err(SearchError::Inadmissible { search }) }
}

/// Checks that an order of moves names each direction once.
///
/// # Errors
/// [`SearchError::Order`] with the first direction that is missing.
pub fn check_order(order: [Direction; 4]) -> Result<(), SearchError> {
    match Direction::ALL.into_iter().find(|direction| !order.contains(direction)) {
        Some(missing) => Err(SearchError::Order { order, missing }),
        None => Ok(()),
    }
}

/// Returns the first bound of iterative deepening: the estimate, or one more where no solution has
/// its parity. Each move changes the parity of Manhattan distance.
pub fn first_bound(goal: &Goal, board: &Board, estimate: u32) -> u32 {
    round_up(estimate, goal.manhattan_distance(board))
}

/// Returns the lower bound that is proved before a search: its first bound, or Manhattan distance
/// where estimates may be too large.
pub fn proved(is_admissible: bool, goal: &Goal, board: &Board, first_bound: u32) -> u32 {
    if is_admissible { first_bound } else { goal.manhattan_distance(board) }
}

/// Returns a bound, or one more where its parity is not that of `like`.
#[inline(always)]
pub fn round_up(bound: u32, like: u32) -> u32 {
    bound + (bound ^ like) % 2
}

/// Returns the status of a search that found these moves, and has proved that every solution has at
/// least `bound` moves of the metric. It is [`Status::Optimal`] only if estimates are admissible.
///
/// # Errors
/// [`SearchError::Replay`] when the moves miss the goal, [`SearchError::NotLowerBound`] when they
/// are fewer than `bound`.
pub fn answer(
    metric: Metric,
    goal: &Goal,
    board: &Board,
    moves: Vec<Direction>,
    bound: u32,
    is_admissible: bool,
) -> Result<Status, SearchError> {
    if board.after(&moves).as_ref() != Ok(goal.board()) {
        return Err(SearchError::Replay { length: moves.len() });
    }
    let length = metric.count(&moves) as u32;
    match length.cmp(&bound) {
        Ordering::Less => Err(SearchError::NotLowerBound { bound, length }),
        Ordering::Equal if is_admissible => Ok(Status::Optimal { moves }),
        Ordering::Equal | Ordering::Greater => {
            Ok(Status::Solved { moves, lower_bound: bound, limit: None })
        }
    }
}

/// Returns the directions in which slides move their tiles. A slide may be one of several tiles of
/// a line, from the new cell of the blank to the one before.
pub(crate) fn directions_of<'a>(
    shape: Shape,
    slides: impl IntoIterator<Item = &'a Slide>,
) -> Vec<Direction> {
    let directions = |&Slide { from, to, .. }: &Slide| {
        let blanks = |direction: Direction| {
            let cells = successors(Some(to), move |&blank| direction.tile_cell(shape, blank));
            cells.skip(1)
        };
        let count = |direction| Some((direction, blanks(direction).position(|cell| cell == from)?));
        let (direction, others) =
            Direction::ALL.into_iter().find_map(count).expect("tiles slide along a line");
        repeat_n(direction, others + 1)
    };
    slides.into_iter().flat_map(directions).collect()
}
