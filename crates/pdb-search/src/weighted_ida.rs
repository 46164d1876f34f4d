//! Weighted iterative-deepening A*.

use std::ops::ControlFlow;

use pdb_core::{Board, Cell, Goal, Heuristic, Slide};

use crate::best_first::weigh;
use crate::ida::{check_order, check_shape, direction_of, first_bound, lookups};
use crate::limits::Meter;
use crate::moves::Moves;
use crate::store::{answer, round_up};
use crate::{BoundCount, LimitKind, Options, Outcome, SearchError, Status, Weight};

/// Finds a sequence of moves from `board` to `goal` that has at most `weight` times as many moves as
/// a shortest one, by iterative deepening on g + W h (R. E. Korf, "Linear-space best-first search",
/// Artificial Intelligence 62, 1993, looks at it closely).
///
/// With the weight a/b a node has f = b g + a h, in whole numbers: g moves were made, and h is the
/// estimate, rounded up to the parity of the distance. A bound T lets nodes with f of at most T be
/// expanded, and the next bound is the smallest f that exceeded it. It is taken from the estimate
/// that pruned the node, which may be the first one of two: that can only make the next bound
/// smaller, never too large. With weight 1 this is [`ida_star`](crate::ida_star), except that it
/// leaves out bounds between which no node lies.
///
/// What is proved: a node on a shortest solution of C moves has f of at most b g + a (C - g), so of
/// at most a C. The search within the bounds so far pruned a node of each solution, so the smallest
/// f that was pruned, which is the next bound T, is at most a C; C is at least T / a, rounded up, and
/// up once more to the parity that all solutions have. And when the goal is reached within T, then
/// after L moves with b L of at most T: the node before has an h of at least 1. So L is at most W C.
///
/// Nodes are counted as by [`ida_star`](crate::ida_star), and [`BoundCount::bound`] is T.
///
/// # Errors
/// As [`ida_star`](crate::ida_star).
pub fn weighted_ida_star<H: Heuristic>(
    heuristic: &H,
    goal: &Goal,
    board: &Board,
    weight: Weight,
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
    let first = first_bound(goal, board, initial_estimate);
    let parity = goal.manhattan_distance(board) % 2;
    let (a, b) = (i64::from(weight.numerator()), i64::from(weight.denominator()));
    let search = Search {
        heuristic,
        goal: goal.board(),
        goal_blank: goal.board().blank(),
        moves: Moves::without_undoing(goal.shape(), options.order),
        board: *board,
        state,
        meter,
        expanded: 0,
        entered: 0,
        a,
        b,
        excess: i64::MAX,
        path: Vec::new(),
    };
    heuristic.run(|| search.run(goal, &root, weight, initial_estimate, first, parity))
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
    /// What a move of an estimate counts.
    a: i64,
    /// What a move made counts.
    b: i64,
    /// By how much the bound was exceeded at least.
    excess: i64,
    /// Once the goal was reached: the moves, the last one first.
    path: Vec<Slide>,
}

impl<H: Heuristic> Search<'_, H> {
    #[inline(always)]
    fn run(
        mut self,
        goal: &Goal,
        root: &H::Node,
        weight: Weight,
        initial_estimate: u32,
        first: u32,
        parity: u32,
    ) -> Result<Outcome, SearchError> {
        let board = self.board;
        let start = Moves::start(board.blank());
        let mut bounds: Vec<BoundCount> = Vec::new();
        let mut bound = weigh(weight, 0, first);
        let status = loop {
            let (generated, expanded) = (self.meter.generated(), self.expanded);
            self.excess = i64::MAX;
            let flow = if !bounds.is_empty() {
                self.expand(root, bound as i64, parity, board.blank(), start)
            } else if let Err(kind) = self.meter.count() {
                ControlFlow::Break(End::Limit(kind))
            } else if board == *goal.board() {
                ControlFlow::Break(End::Goal)
            } else {
                self.expand(root, bound as i64, parity, board.blank(), start)
            };
            bounds.push(BoundCount {
                bound: u32::try_from(bound).unwrap_or(u32::MAX),
                generated: self.meter.generated() - generated,
                expanded: self.expanded - expanded,
            });
            let needed = bound.div_ceil(u64::from(weight.numerator())) as u32;
            let lower_bound = round_up(needed, parity).max(first);
            match flow {
                ControlFlow::Continue(()) => bound += self.excess as u64,
                ControlFlow::Break(End::Limit(kind)) => break Status::Limit { kind, lower_bound },
                ControlFlow::Break(End::Goal) => {
                    let slides = self.path.iter().rev();
                    let moves = slides.map(|&slide| direction_of(goal.shape(), slide)).collect();
                    break answer(goal, &board, moves, lower_bound)?;
                }
            }
        };
        let generated = self.meter.generated();
        Ok(Outcome {
            status,
            initial_estimate: Some(initial_estimate),
            generated,
            expanded: self.expanded,
            // The root is the one node that nobody located.
            lookups: lookups(self.heuristic, generated.saturating_sub(1), self.entered),
            bounds,
            memory_bytes: 0,
            elapsed: self.meter.elapsed(),
        })
    }

    /// How far a child's estimate is above what is left of the bound, if it is; `parity` is that of
    /// the child's distance.
    #[inline(always)]
    fn exceeds(&mut self, estimate: u32, parity: u32, left: i64) -> bool {
        let excess = self.a * i64::from(round_up(estimate, parity)) - left;
        if excess > 0 {
            self.excess = self.excess.min(excess);
        }
        excess > 0
    }

    /// Expands the node of the present board, for whose estimate there is `left` of the bound;
    /// `parity` is that of its distance.
    fn expand(
        &mut self,
        node: &H::Node,
        left: i64,
        parity: u32,
        blank: Cell,
        place: u16,
    ) -> ControlFlow<End> {
        self.expanded += 1;
        let (left, parity) = (left - self.b, parity ^ 1);
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
            let estimate = self.heuristic.read(node, slide, &mut probe);
            if self.exceeds(estimate, parity, left) {
                continue;
            }
            self.entered += 1;
            let mut child = self.heuristic.enter(&mut self.state, node, slide, &probe);
            self.board.slide(slide.from, blank);
            // The goal counts whatever its estimate is: a damaged table must not hide it.
            let flow = if slide.from == self.goal_blank && self.board == *self.goal {
                ControlFlow::Break(End::Goal)
            } else if H::SETTLES && {
                let estimate = self.heuristic.settle(&mut child);
                self.exceeds(estimate, parity, left)
            } {
                ControlFlow::Continue(())
            } else {
                self.expand(&child, left, parity, slide.from, place.step(i).1)
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
