//! Weighted iterative-deepening A*.

use std::ops::ControlFlow;

use pdb_core::{Board, Goal, Heuristic};

use crate::checks::{answer, begin, first_bound, proved, round_up};
use crate::depth_first::{DepthFirst, Remainder, StopReason, Weighted};
use crate::{Options, Outcome, SearchError, Status, Weight};

/// Finds a sequence of moves from `board` to `goal` that has at most `weight` times as many moves
/// as a shortest one, by iterative deepening on g + W h. R. E. Korf analyses it in "Linear-space
/// best-first search", Artificial Intelligence 62, 1993.
///
/// With the weight a/b, a node has f = b g + a h, in whole numbers. Here g is the number of moves
/// made, and h the estimate, rounded up to the parity of the distance. Within a bound T, nodes with
/// f of at most T are expanded. The next bound is the smallest f that exceeded T. It uses the
/// estimate that pruned the node, which may be the first of two: that can only make the next bound
/// smaller, never too large. With weight 1 this is [`Solver::ida_star`](crate::Solver::ida_star),
/// except that it skips bounds without new nodes.
///
/// Proof: a node on a shortest solution of C moves has f of at most b g + a (C - g), so of at most
/// a C. The search within the bounds so far pruned a node of each solution. So the smallest f that
/// was pruned, which is the next bound T, is at most a C. C is at least T / a, rounded up, and up
/// once more to the parity that all solutions have. When the goal is reached within T, after L
/// moves, b L is at most T, because the node before has an h of at least 1. So L is at most W C.
///
/// If estimates may be too large, only Manhattan distance is a proved bound.
///
/// With a large weight a path may have any length. A path that takes more than 1 MiB of the stack
/// ends the search with [`LimitKind::Memory`](crate::LimitKind::Memory), so the thread needs twice
/// that.
///
/// Nodes are counted as by [`Solver::ida_star`](crate::Solver::ida_star), and
/// [`BoundCount::bound`](crate::BoundCount::bound) is T.
///
/// # Errors
/// As [`Solver::ida_star`](crate::Solver::ida_star).
pub fn weighted_ida_star<H: Heuristic>(
    heuristic: &H,
    goal: &Goal,
    board: &Board,
    weight: Weight,
    options: &Options,
) -> Result<Outcome, SearchError> {
    begin(goal, board, options, |meter| {
        let (state, root) = heuristic.root(board)?;
        let initial_estimate = heuristic.estimate(&root);
        let first = first_bound(goal, board, initial_estimate);
        let parity = goal.manhattan_distance(board) % 2;
        let weighted = Weighted {
            a: i64::from(weight.numerator()),
            b: i64::from(weight.denominator()),
            excess: i64::MAX,
        };
        let mut search = DepthFirst::new(heuristic, goal, board, state, options, meter, weighted);
        let is_admissible = heuristic.is_admissible();
        let proved = proved(is_admissible, goal, board, first);
        let mut bound = weight.weigh(0, first);
        let status = loop {
            search.bound.excess = i64::MAX;
            let number = u32::try_from(bound).unwrap_or(u32::MAX);
            let flow = search.within(number, &root, Remainder { of_bound: bound as i64, parity });
            let needed = bound.div_ceil(u64::from(weight.numerator())) as u32;
            let lower_bound =
                if is_admissible { round_up(needed, parity).max(first) } else { proved };
            match flow {
                ControlFlow::Continue(()) => bound += search.bound.excess as u64,
                ControlFlow::Break(StopReason::Limit(kind)) => {
                    break Status::Limit { kind, lower_bound };
                }
                ControlFlow::Break(StopReason::Goal) => {
                    break answer(goal, board, search.moves(), lower_bound, is_admissible)?;
                }
            }
        };
        Ok(search.outcome(status, initial_estimate))
    })
}
