//! Iterative-deepening A*.

use std::ops::ControlFlow;

use pdb_core::{Board, BoardError, Cell, Direction, Goal, Heuristic, Shape, Slide};

use crate::limits::Meter;
use crate::moves::Moves;
use crate::{BoundCount, LimitKind, Manhattan, Options, Outcome, SearchError, Status};

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
    let meter = Meter::start(options.limits);
    check_shape(goal, board)?;
    check_order(options.order)?;
    if let Err(reason) = goal.check_solvable(board) {
        return Ok(Outcome::unsolvable(reason, meter.elapsed()));
    }

    let (state, root) = heuristic.root(board)?;
    let initial_estimate = heuristic.estimate(&root);
    let moves = Moves::without_undoing(goal.shape(), options.order);
    let start = Moves::start(board.blank());
    let mut search = Search {
        heuristic,
        goal: goal.board(),
        goal_blank: goal.board().blank(),
        moves,
        board: *board,
        state,
        meter,
        expanded: 0,
        entered: 0,
        path: Vec::new(),
    };
    let mut bounds = Vec::new();
    let mut bound = first_bound(goal, board, initial_estimate);
    let status = loop {
        let (generated, expanded) = (search.meter.generated(), search.expanded);
        let flow = if bounds.is_empty() {
            search.start(&root, bound, start)
        } else {
            search.expand(&root, bound, board.blank(), start)
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
                break solution(goal, board, search.path.iter().rev(), bound)?;
            }
        }
    };
    Ok(Outcome {
        status,
        initial_estimate: Some(initial_estimate),
        generated: search.meter.generated(),
        expanded: search.expanded,
        // The root is the one node that nobody located.
        lookups: lookups(heuristic, search.meter.generated().saturating_sub(1), search.entered),
        bounds,
        memory_bytes: 0,
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

/// Why the search within a bound ended early.
enum End {
    Goal,
    Limit(LimitKind),
}

/// What the nodes of one search share.
struct Search<'a, H: Heuristic> {
    heuristic: &'a H,
    goal: &'a Board,
    /// The blank's cell on the goal, which is quicker to compare than the whole board.
    goal_blank: Cell,
    moves: Moves,
    /// The board of the node that is being expanded, and what the heuristic keeps for it.
    board: Board,
    state: H::State,
    meter: Meter<'a>,
    expanded: u64,
    entered: u64,
    /// Once the goal was reached: the moves, the last one first.
    path: Vec<Slide>,
}

impl<H: Heuristic> Search<'_, H> {
    /// Generates the root and expands it, unless it is the goal itself.
    fn start(&mut self, root: &H::Node, bound: u32, place: u16) -> ControlFlow<End> {
        if let Err(kind) = self.meter.count() {
            return ControlFlow::Break(End::Limit(kind));
        }
        if self.board == *self.goal {
            return ControlFlow::Break(End::Goal);
        }
        self.expand(root, bound, self.board.blank(), place)
    }

    /// Expands the node of the present board, which is `moves_left` moves away from the bound.
    fn expand(
        &mut self,
        node: &H::Node,
        moves_left: u32,
        blank: Cell,
        place: u16,
    ) -> ControlFlow<End> {
        self.expanded += 1;
        let place = *self.moves.at(place);
        let slide_of = |this: &Self, i: usize| {
            let (from, _) = place.step(i);
            Slide { tile: this.board.tile(from), from, to: blank }
        };
        // All children are located before the first one is read, so that their loads overlap.
        let mut probes = [self.heuristic.locate(&self.state, node, slide_of(self, 0)); 4];
        for (i, probe) in probes.iter_mut().enumerate().take(place.count()).skip(1) {
            *probe = self.heuristic.locate(&self.state, node, slide_of(self, i));
        }
        for (i, mut probe) in probes.into_iter().enumerate().take(place.count()) {
            let slide = slide_of(self, i);
            if let Err(kind) = self.meter.count() {
                return ControlFlow::Break(End::Limit(kind));
            }
            if self.heuristic.read(node, slide, &mut probe) >= moves_left {
                continue;
            }
            self.entered += 1;
            let mut child = self.heuristic.enter(&mut self.state, node, slide, &probe);
            self.board.slide(slide.from, blank);
            // The goal counts whatever its estimate is: a damaged table must not hide it.
            let flow = if slide.from == self.goal_blank && self.board == *self.goal {
                ControlFlow::Break(End::Goal)
            } else if H::SETTLES && self.heuristic.settle(&mut child) >= moves_left {
                ControlFlow::Continue(())
            } else {
                self.expand(&child, moves_left - 1, slide.from, place.step(i).1)
            };
            self.board.slide(blank, slide.from);
            self.heuristic.leave(&mut self.state, &child, slide);
            if let ControlFlow::Break(end) = flow {
                if let End::Goal = end {
                    self.path.push(slide);
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
