//! Weighted boards on which heuristics are rated.

use pdb_core::{Board, Goal, Shape};

use super::tilted::TiltedBoards;
use crate::sets::{Dice, random_board};

/// Changes the seed, so that boards by distance use other random numbers.
const TAIL: u64 = 0x7469_6c74;

/// Returns the factor by which the tree of moves grows from level to level in the limit.
pub(crate) fn growth(shape: Shape) -> f64 {
    let [one, other] = shape.tree_growth();
    (one * other).sqrt()
}

/// Random boards: alternately one drawn evenly from all solvable boards, and one by its distance.
///
/// Boards near the goal are most of the boards that IDA\* generates, but so rare among all boards
/// that a sample of usual size has none of them. So every second board is drawn with a probability
/// that falls with its Manhattan distance as fast as the tree of moves grows. The weights of the
/// boards compensate for that by the "balance heuristic" of E. Veach and L. J. Guibas ("Optimally
/// combining sampling techniques for Monte Carlo rendering", SIGGRAPH 1995), with which no weight
/// is larger than two even ones.
#[derive(Clone, Debug)]
pub(crate) struct Sample {
    pub(super) goal: Goal,
    pub(crate) boards: Vec<Board>,
    tilted: Option<TiltedBoards>,
}

impl Sample {
    /// Draws `count` boards evenly, which are the set `random:COUNT:SEED`, and as many by their
    /// distance if that is requested and the board has few enough cells.
    pub(crate) fn new(goal: &Goal, count: usize, seed: u64, has_tail: bool) -> Self {
        // On 2x2 cells the tree does not grow.
        let growth = growth(goal.shape()).max(1.1);
        let tilted = has_tail.then(|| TiltedBoards::new(goal, growth)).flatten();
        let mut even = Dice::new(seed);
        let mut by_distance = Dice::new(seed ^ TAIL);
        let mut boards = Vec::new();
        for _ in 0..count {
            boards.push(random_board(goal, &mut even));
            if let Some(tilted) = &tilted {
                boards.push(loop {
                    let board = tilted.draw(&mut || by_distance.unit());
                    if goal.check_solvable(&board).is_ok() {
                        break board;
                    }
                });
            }
        }
        Self { goal: *goal, boards, tilted }
    }

    /// Creates a sample of given boards with equal weights.
    pub(super) fn given(goal: &Goal, boards: Vec<Board>) -> Self {
        Self { goal: *goal, boards, tilted: None }
    }

    /// Returns whether the board at a place was drawn evenly.
    pub(crate) fn is_even(&self, place: usize) -> bool {
        self.tilted.is_none() || place.is_multiple_of(2)
    }

    /// Returns the weights of the first `count` boards. The mean of a quantity over all solvable
    /// boards is estimated by its sum with these weights.
    pub(crate) fn weights(&self, count: usize) -> Vec<f64> {
        let by_distance = count / 2;
        let even = count - by_distance;
        let weight = |board: &Board| match &self.tilted {
            None => 1.0 / count as f64,
            Some(tilted) => {
                let likelihood = tilted.likelihood(self.goal.manhattan_distance(board));
                1.0 / (even as f64 + by_distance as f64 * likelihood)
            }
        };
        self.boards[..count].iter().map(weight).collect()
    }
}
