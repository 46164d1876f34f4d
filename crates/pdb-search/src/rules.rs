//! The metric as data, for code that searches in any of them.

use pdb_core::{Board, Direction, Goal, Metric, Shape, Slide};

use crate::checks::answer;
use crate::lane::Position;
use crate::moves::Moves;
use crate::{SearchError, Status, slide_lane};

/// The rules of a metric.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rules {
    pub(crate) metric: Metric,
    /// The step from one bound to the next, [`Metric::step`].
    pub(crate) step: u32,
    /// The moves of the shortest stretches of a solution that are solved again, those of the
    /// longest ones, and by how many moves the next ones are longer.
    pub(crate) stretches: [usize; 3],
    /// The moves between the starts of two stretches.
    pub(crate) hop: usize,
}

impl Rules {
    pub(crate) fn of(metric: Metric) -> Self {
        let step = metric.step();
        match metric {
            Metric::SingleTile => Self { metric, step, stretches: [48, usize::MAX, 8], hop: 3 },
            Metric::MultiTile => Self { metric, step, stretches: [5, 14, 1], hop: 1 },
        }
    }

    /// Returns the length of a solution.
    pub(crate) fn count(self, moves: &[Direction]) -> u32 {
        self.metric.count(moves) as u32
    }

    /// Returns the slides of a position and the positions after them, in the order of moves.
    pub(crate) fn steps(
        self,
        position: &Position,
        shape: Shape,
        moves: &Moves,
    ) -> Vec<(Slide, Position)> {
        match self.metric {
            Metric::SingleTile => {
                let count = moves.at(position.place).count();
                (0..count).map(|i| position.step(i, moves)).collect()
            }
            Metric::MultiTile => slide_lane::steps(position, shape),
        }
    }

    /// Returns the first bound of iterative deepening: the estimate, or one more where no solution
    /// has its parity.
    pub(crate) fn first_bound(self, goal: &Goal, board: &Board, estimate: u32) -> u32 {
        estimate + (estimate ^ goal.manhattan_distance(board)) % self.step
    }

    /// Returns whether a sequence of moves is the beginning of another one: a longer slide does not
    /// begin with a shorter one.
    pub(crate) fn begins(self, first: &[Direction], moves: &[Direction]) -> bool {
        let rest = moves.strip_prefix(first);
        rest.is_some_and(|rest| {
            self.metric == Metric::SingleTile || rest.is_empty() || first.last() != rest.first()
        })
    }

    /// Returns the moves that a search found within a bound, if their number is the bound.
    ///
    /// All smaller bounds that a solution may have were searched in full. A shorter solution means
    /// that a node on it was wrongly pruned before.
    pub(crate) fn within_bound(
        self,
        goal: &Goal,
        board: &Board,
        moves: Vec<Direction>,
        bound: u32,
    ) -> Result<Vec<Direction>, SearchError> {
        let length = self.count(&moves);
        match answer(self.metric, goal, board, moves, bound, true)? {
            Status::Optimal { moves } => Ok(moves),
            _ => Err(SearchError::NotLowerBound { bound, length }),
        }
    }
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
            let status = answer(Metric::SingleTile, &goal, &board, moves.to_vec(), bound, true);
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
