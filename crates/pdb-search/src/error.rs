//! Errors of searches.

use pdb_core::{Board, Direction, RootError, Shape};
use thiserror::Error;

/// The reason why a search has no answer: its input does not fit together, or a heuristic broke its
/// contract.
///
/// A board that cannot be solved and a limit that was hit are answers, not errors: see
/// [`Status`](crate::Status).
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SearchError {
    /// The board has no estimate. Where a board without a solution is an answer, this is not the
    /// reason.
    #[error(transparent)]
    Root(#[from] RootError),
    /// [`Options::order`](crate::Options::order) leaves a direction out.
    #[error(
        "the move order {order:?} leaves out {missing:?}: name each of the four directions once"
    )]
    Order {
        /// The given order.
        order: [Direction; 4],
        /// The first missing direction.
        missing: Direction,
    },
    /// The heuristic is learned, and this search proves solutions by its estimates.
    #[error(
        "{search} needs estimates that are never too large, and a learned one may be: use A*, weighted A*, \
         greedy search or weighted IDA*, whose solutions are then not proved to be shortest ones"
    )]
    Inadmissible {
        /// The search.
        search: &'static str,
    },
    /// The search counts moves of single tiles.
    #[error(
        "{search} counts moves of single tiles, not slides of several: leave the choice of the search \
         open, or use IDA*"
    )]
    SingleTiles {
        /// The search.
        search: &'static str,
    },
    /// The search needs a learned order, and none is for this goal.
    #[error(
        "no learned order is for {shape} boards with the goal {goal}: orders are for some shapes, and \
         for goals with the blank in a corner"
    )]
    NoOrder {
        /// The shape.
        shape: Shape,
        /// The goal.
        goal: Board,
    },
    /// The account of the search has served another board, goal or metric.
    #[error(
        "the account of this search has served another board, goal or metric: make a new account \
         for each"
    )]
    Account,
    /// The goal was reached in fewer moves than the estimates allowed, so that no answer of this
    /// heuristic is proved.
    #[error(
        "the goal was reached in {length} moves although the estimates had ruled out fewer than \
         {bound}: the heuristic is not a lower bound; verify the tables that it reads, and check \
         that they were made for this goal"
    )]
    NotLowerBound {
        /// The bound of the search at that time, in moves.
        bound: u32,
        /// The length of the path that was found, in moves.
        length: u32,
    },
    /// The moves that were found do not lead to the goal: the search itself is wrong.
    #[error(
        "the {length} moves that were found do not lead from the board to the goal when they are \
         replayed: this is an error in the search; please report the board and the goal"
    )]
    Replay {
        /// Number of moves that were found.
        length: usize,
    },
}
