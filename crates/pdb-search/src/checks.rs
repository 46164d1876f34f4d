//! Checks that every search of one board makes: of its input before, of its answer after.

use std::iter::{repeat_n, successors};

use pdb_core::{Board, Direction, Goal, Metric, Shape, Slide};

use crate::limits::Meter;
use crate::rules::Rules;
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
    check_shape(goal, board)?;
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

/// Checks that a board has the goal's shape.
///
/// # Errors
/// [`SearchError::Board`] with both shapes.
pub fn check_shape(goal: &Goal, board: &Board) -> Result<(), SearchError> {
    Ok(goal.check_shape(board)?)
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
/// least `bound` of them. It is [`Status::Optimal`] only if estimates are admissible.
///
/// # Errors
/// [`SearchError::Replay`] when the moves miss the goal, [`SearchError::NotLowerBound`] when they
/// are fewer than `bound`.
pub fn answer(
    goal: &Goal,
    board: &Board,
    moves: Vec<Direction>,
    bound: u32,
    is_admissible: bool,
) -> Result<Status, SearchError> {
    Rules::of(Metric::SingleTile).answer(goal, board, moves, bound, is_admissible)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refuses_moves_that_miss_the_goal_or_are_too_few() {
        let board: Board = "1 2 3/4 5 6/0 7 8".parse().unwrap();
        let goal = Goal::blank_last(board.shape());
        let (left, up) = (Direction::Left, Direction::Up);
        let check = |moves: [Direction; 2], bound| {
            let status = answer(&goal, &board, moves.to_vec(), bound, true);
            let rules = Rules::of(Metric::SingleTile);
            let within = rules.within_bound(&goal, &board, moves.to_vec(), bound);
            assert_eq!(status, within.map(|moves| Status::Optimal { moves }));
            status
        };
        assert_eq!(check([left, up], 2), Err(SearchError::Replay { length: 2 }));
        assert_eq!(check([left; 2], 2), Ok(Status::Optimal { moves: vec![left; 2] }));
        let too_few = SearchError::NotLowerBound { bound: 4, length: 2 };
        assert_eq!(check([left; 2], 4), Err(too_few));
    }
}
