//! Iterative-deepening A*.

use std::ops::ControlFlow;

use pdb_core::{Board, Goal, Heuristic, Metric};

use crate::checks::{begin, check_admissible, first_bound};
use crate::depth_first::{Bound, DepthFirst, StopReason};
use crate::rules::Rules;
use crate::{Manhattan, Options, Outcome, SearchError, Status};

/// Finds a shortest sequence of moves from `board` to `goal` by iterative-deepening A* (R. E. Korf,
/// "Depth-first iterative-deepening", Artificial Intelligence 27, 1985).
///
/// The first bound is the root's estimate (one more where parity rules that length out), each
/// further one is larger by 2, and no move undoes the one before it. `heuristic` must have been
/// made for `goal`.
///
/// Nodes are counted as in that paper: the root once, and each child as soon as its estimate is
/// computed, whether it is pruned or not. The child that undoes the last move is not generated. The
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
    check_admissible(heuristic.is_admissible(), "IDA*")?;
    begin(goal, board, options, |meter| {
        let (state, root) = heuristic.root(board)?;
        let initial_estimate = heuristic.estimate(&root);
        let mut search = DepthFirst::new(heuristic, goal, board, state, options, meter, MovesLeft);
        let mut bound = first_bound(goal, board, initial_estimate);
        let status = loop {
            match search.within(bound, &root, i64::from(bound)) {
                ControlFlow::Continue(()) => bound += 2,
                ControlFlow::Break(StopReason::Limit(kind)) => {
                    break Status::Limit { kind, lower_bound: bound };
                }
                ControlFlow::Break(StopReason::Goal) => {
                    let rules = Rules::of(Metric::SingleTile);
                    let moves = rules.within_bound(goal, board, search.moves(), bound)?;
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

/// The bound of [`ida_star`], in moves. It is negative below a node without moves left.
struct MovesLeft;

impl Bound for MovesLeft {
    type Remainder = i64;

    #[inline(always)]
    fn after_move(&self, left: i64) -> i64 {
        left - 1
    }

    #[inline(always)]
    fn is_exceeded(&mut self, left: i64, estimate: u32) -> bool {
        i64::from(estimate) > left
    }
}
