//! Iterative-deepening A*.

use std::ops::ControlFlow;

use pdb_core::{Board, BoardError, Direction, Goal, Heuristic, Shape, Slide};

use crate::depth_first::{Bound, DepthFirst, End};
use crate::limits::Meter;
use crate::{Manhattan, Options, Outcome, SearchError, Status};

/// Finds a shortest sequence of moves from `board` to `goal` by iterative-deepening A* (R. E. Korf,
/// "Depth-first iterative-deepening", Artificial Intelligence 27, 1985).
///
/// The first bound is the root's estimate (one more where parity rules that length out), each further
/// one is larger by 2, and no move undoes the one before it. `heuristic` must have been made for `goal`.
///
/// Nodes are counted as in that paper: the root once, and each child as soon as its estimate is
/// computed, whether it is pruned or not; the child that undoes the last move is not generated. The
/// search ends with the first child that is the goal.
///
/// # Errors
/// [`SearchError::Board`] when board and goal differ in shape, [`SearchError::Order`] when
/// [`Options::order`] is not a permutation, and [`SearchError::Root`] or
/// [`SearchError::NotLowerBound`] when the heuristic turns out to be damaged.
pub fn ida_star<H: Heuristic>(
    heuristic: &H,
    goal: &Goal,
    board: &Board,
    options: &Options,
) -> Result<Outcome, SearchError> {
    begin(goal, board, options, |meter| {
        let (state, root) = heuristic.root(board)?;
        let initial_estimate = heuristic.estimate(&root);
        let mut search = DepthFirst::new(heuristic, goal, board, state, options, meter, MovesLeft);
        let mut bound = first_bound(goal, board, initial_estimate);
        let status = loop {
            match search.within(bound, &root, i64::from(bound)) {
                ControlFlow::Continue(()) => bound += 2,
                ControlFlow::Break(End::Limit(kind)) => {
                    break Status::Limit { kind, lower_bound: bound };
                }
                ControlFlow::Break(End::Goal) => {
                    let moves = search.moves();
                    check(goal, board, &moves, bound)?;
                    break Status::Optimal { moves };
                }
            }
        };
        Ok(search.outcome(status, initial_estimate))
    })
}

/// [`ida_star`] with [`Manhattan`] distance, compiled here once instead of in each caller.
///
/// # Errors
/// As [`ida_star`].
pub fn solve_manhattan(
    goal: &Goal,
    board: &Board,
    options: &Options,
) -> Result<Outcome, SearchError> {
    ida_star(&Manhattan::new(goal), goal, board, options)
}

/// The bound of [`ida_star`], in moves. Below a node where none is left there is less than none.
struct MovesLeft;

impl Bound for MovesLeft {
    type Left = i64;

    #[inline(always)]
    fn after_move(&self, left: i64) -> i64 {
        left - 1
    }

    #[inline(always)]
    fn is_exceeded(&mut self, left: i64, estimate: u32) -> bool {
        i64::from(estimate) > left
    }
}

/// What every search of one board begins with: the clock starts, board and options are held against
/// the goal, and `search` is called unless parity answers alone.
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

/// The estimate, or one more where no solution has its parity: each move changes the parity of
/// Manhattan distance.
pub(crate) fn first_bound(goal: &Goal, board: &Board, estimate: u32) -> u32 {
    estimate + (estimate ^ goal.manhattan_distance(board)) % 2
}

/// How many look-ups it takes to locate and to enter so many children.
pub(crate) fn lookups<H: Heuristic>(heuristic: &H, located: u64, entered: u64) -> u64 {
    let [first, late] = heuristic.lookups().map(u64::from);
    first * located + late * entered
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

/// The answer of a search that reached the goal by these slides.
pub(crate) fn solution<'a>(
    goal: &Goal,
    board: &Board,
    slides: impl Iterator<Item = &'a Slide>,
    bound: u32,
) -> Result<Status, SearchError> {
    let moves: Vec<_> = slides.map(|&slide| direction_of(goal.shape(), slide)).collect();
    check(goal, board, &moves, bound)?;
    Ok(Status::Optimal { moves })
}

/// The direction in which a slide moves its tile.
pub(crate) fn direction_of(shape: Shape, slide: Slide) -> Direction {
    let leads = |direction: &Direction| direction.tile_cell(shape, slide.to) == Some(slide.from);
    Direction::ALL.into_iter().find(leads).expect("a tile slides to a neighbour of its cell")
}

/// Replays the moves from the board, and holds their number against the bound.
///
/// All smaller bounds of the same parity were searched in full, so a shorter path means that a
/// node on it was pruned wrongly before.
pub(crate) fn check(
    goal: &Goal,
    board: &Board,
    moves: &[Direction],
    bound: u32,
) -> Result<(), SearchError> {
    let length = moves.len();
    if board.after(moves).as_ref() != Ok(goal.board()) {
        return Err(SearchError::Replay { length });
    }
    if length != bound as usize {
        return Err(SearchError::NotLowerBound { bound, length: length as u32 });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_that_miss_the_goal_are_never_returned() {
        let board: Board = "1 2 3/4 5 6/0 7 8".parse().unwrap();
        let goal = Goal::blank_last(board.shape());
        let wrong = [Direction::Left, Direction::Up];
        let replay = Err(SearchError::Replay { length: 2 });
        assert_eq!(check(&goal, &board, &wrong, 2), replay);
        assert_eq!(check(&goal, &board, &[Direction::Left; 2], 2), Ok(()));
    }
}
