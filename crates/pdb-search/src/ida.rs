//! Iterative-deepening A*.

use std::ops::ControlFlow;

use pdb_core::{Board, BoardError, Cell, Direction, Goal, Heuristic, Slide};

use crate::limits::Meter;
use crate::steps::{Step, Steps};
use crate::{BoundCount, LimitKind, Manhattan, Options, Outcome, SearchError, Status};

/// Finds a shortest sequence of moves from `board` to `goal` by iterative-deepening A* (R. E. Korf,
/// "Depth-first iterative-deepening", Artificial Intelligence 27, 1985).
///
/// The first bound is the root's estimate, each further one is larger by 2, and no move undoes the
/// one before it. `heuristic` must have been made for `goal`.
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
    let meter = Meter::start(options.limits);
    if board.shape() != goal.shape() {
        return Err(SearchError::Board(BoardError::OtherShape {
            expected: goal.shape(),
            found: board.shape(),
        }));
    }
    let order = options.order;
    if let Some(missing) = Direction::ALL.into_iter().find(|d| !order.contains(d)) {
        return Err(SearchError::Order { order, missing });
    }
    if let Err(reason) = goal.check_solvable(board) {
        return Ok(Outcome {
            status: Status::Unsolvable(reason),
            initial_estimate: None,
            generated: 0,
            expanded: 0,
            bounds: Vec::new(),
            elapsed: meter.elapsed(),
        });
    }

    let root = heuristic.root(board)?;
    let initial_estimate = heuristic.estimate(&root);
    let mut search = Search {
        heuristic,
        goal: goal.board(),
        goal_blank: goal.board().blank(),
        steps: Steps::new(goal.shape(), order),
        board: *board,
        meter,
        expanded: 0,
        path: Vec::new(),
    };
    let mut bounds = Vec::new();
    let mut bound = initial_estimate;
    let status = loop {
        let (generated, expanded) = (search.meter.generated(), search.expanded);
        let flow = if bounds.is_empty() {
            search.start(&root, bound)
        } else {
            search.expand(&root, bound, board.blank(), None)
        };
        bounds.push(BoundCount {
            bound,
            generated: search.meter.generated() - generated,
            expanded: search.expanded - expanded,
        });
        match flow {
            ControlFlow::Continue(()) => bound += 2,
            ControlFlow::Break(End::Limit(kind)) => {
                break Status::Limit { kind, lower_bound: bound };
            }
            ControlFlow::Break(End::Goal) => {
                let mut moves = search.path;
                moves.reverse();
                check(goal, board, &moves, bound)?;
                break Status::Optimal { moves };
            }
        }
    };
    Ok(Outcome {
        status,
        initial_estimate: Some(initial_estimate),
        generated: search.meter.generated(),
        expanded: search.expanded,
        bounds,
        elapsed: search.meter.elapsed(),
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

/// Replays the moves from the board, and holds their number against the bound.
///
/// All smaller bounds of the same parity were searched in full, so a shorter path means that a
/// node on it was pruned wrongly before.
fn check(goal: &Goal, board: &Board, moves: &[Direction], bound: u32) -> Result<(), SearchError> {
    let length = moves.len();
    if board.after(moves).as_ref() != Ok(goal.board()) {
        return Err(SearchError::Replay { length });
    }
    if length != bound as usize {
        return Err(SearchError::NotLowerBound { bound, length: length as u32 });
    }
    Ok(())
}

/// Why the search within a bound ended early.
enum End {
    Goal,
    Limit(LimitKind),
}

/// What the nodes of one search share.
struct Search<'a, H> {
    heuristic: &'a H,
    goal: &'a Board,
    /// The blank's cell on the goal, which is quicker to compare than the whole board.
    goal_blank: Cell,
    steps: Steps,
    /// The board of the node that is being expanded.
    board: Board,
    meter: Meter<'a>,
    expanded: u64,
    /// Once the goal was reached: the moves, the last one first.
    path: Vec<Direction>,
}

impl<H: Heuristic> Search<'_, H> {
    /// Generates the root and expands it, unless it is the goal itself.
    fn start(&mut self, root: &H::Node, bound: u32) -> ControlFlow<End> {
        if let Err(kind) = self.meter.count() {
            return ControlFlow::Break(End::Limit(kind));
        }
        if self.board == *self.goal {
            return ControlFlow::Break(End::Goal);
        }
        self.expand(root, bound, self.board.blank(), None)
    }

    /// Expands the node of the present board, which is `moves_left` moves away from the bound.
    fn expand(
        &mut self,
        node: &H::Node,
        moves_left: u32,
        blank: Cell,
        last: Option<Direction>,
    ) -> ControlFlow<End> {
        self.expanded += 1;
        let slide_of = |this: &Self, step: Step| Slide {
            tile: this.board.tile(step.from),
            from: step.from,
            to: blank,
        };
        // All children are located before the first one is read, so that their loads overlap.
        let steps = self.steps.after(blank, last);
        let step_count = steps.len();
        let first = steps[0];
        let mut probes = [self.heuristic.locate(node, slide_of(self, first)); 4];
        for (probe, &step) in probes.iter_mut().zip(steps).skip(1) {
            *probe = self.heuristic.locate(node, slide_of(self, step));
        }
        for (index, &probe) in probes.iter().enumerate().take(step_count) {
            let step = self.steps.after(blank, last)[index];
            let slide = slide_of(self, step);
            let mut probe = probe;
            if let Err(kind) = self.meter.count() {
                return ControlFlow::Break(End::Limit(kind));
            }
            let estimate = self.heuristic.read(node, slide, &mut probe);
            if estimate >= moves_left {
                continue;
            }
            let child = self.heuristic.child(node, slide, probe);
            self.board.slide(step.from, blank);
            // The goal counts whatever its estimate is: a damaged table must not hide it.
            let flow = if step.from == self.goal_blank && self.board == *self.goal {
                ControlFlow::Break(End::Goal)
            } else {
                self.expand(&child, moves_left - 1, step.from, Some(step.direction))
            };
            self.board.slide(blank, step.from);
            if let ControlFlow::Break(end) = flow {
                if let End::Goal = end {
                    self.path.push(step.direction);
                }
                return ControlFlow::Break(end);
            }
        }
        ControlFlow::Continue(())
    }
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
