//! Depth-first search within a bound, which iterative deepening repeats with larger bounds.

use std::ops::ControlFlow;

use pdb_core::{Board, Cell, Direction, Goal, Heuristic, Slide};

use crate::checks::{directions_of, round_up};
use crate::limits::{Meter, StackStart};
use crate::moves::Moves;
use crate::outcome::BoundCounts;
use crate::{LimitKind, Options, Outcome, Status};

/// A bound on b g + a h.
pub(crate) struct Weighted {
    /// The weight of a move of an estimate.
    pub(crate) a: i64,
    /// The weight of a move made.
    pub(crate) b: i64,
    /// The least excess over the bound.
    pub(crate) excess: i64,
}

/// The rest of the bound at a node.
#[derive(Clone, Copy)]
pub(crate) struct Remainder {
    pub(crate) of_bound: i64,
    /// The parity of the node's distance.
    pub(crate) parity: u32,
}

impl Weighted {
    /// Returns the rest after one more move.
    #[inline(always)]
    fn after_move(&self, left: Remainder) -> Remainder {
        Remainder { of_bound: left.of_bound - self.b, parity: left.parity ^ 1 }
    }

    /// Returns whether a node with this estimate and rest lies beyond the bound.
    #[inline(always)]
    fn is_exceeded(&mut self, left: Remainder, estimate: u32) -> bool {
        let excess = self.a * i64::from(round_up(estimate, left.parity)) - left.of_bound;
        if excess > 0 {
            self.excess = self.excess.min(excess);
        }
        excess > 0
    }
}

/// The reason why the search within a bound ended early.
pub(crate) enum StopReason {
    Goal,
    Limit(LimitKind),
}

/// The state of a depth-first search.
pub(crate) struct DepthFirst<'a, H: Heuristic> {
    pub(crate) bound: Weighted,
    heuristic: &'a H,
    goal: &'a Goal,
    /// The blank's cell on the goal, which is faster to compare than the whole board.
    goal_blank: Cell,
    moves: Moves,
    /// The board of the node that is being expanded, and its state.
    board: Board,
    state: H::State,
    meter: Meter<'a>,
    expanded: u64,
    entered: u64,
    counts: BoundCounts,
    stack: StackStart,
    /// Once the goal was reached: the moves, the last one first.
    path: Vec<Slide>,
}

impl<'a, H: Heuristic> DepthFirst<'a, H> {
    /// Makes a search that has not started; `state` is that of the board.
    pub(crate) fn new(
        heuristic: &'a H,
        goal: &'a Goal,
        board: &Board,
        state: H::State,
        options: &Options,
        meter: Meter<'a>,
        bound: Weighted,
    ) -> Self {
        Self {
            bound,
            heuristic,
            goal,
            goal_blank: goal.board().blank(),
            moves: Moves::without_undoing(goal.shape(), options.order),
            board: *board,
            state,
            meter,
            expanded: 0,
            entered: 0,
            counts: BoundCounts::default(),
            stack: StackStart::here(),
            path: Vec::new(),
        }
    }

    /// Searches within a bound; `left` is its rest at the root, and `number` its name in the
    /// counts. The first call generates the root itself.
    pub(crate) fn within(
        &mut self,
        number: u32,
        root: &H::Node,
        left: Remainder,
    ) -> ControlFlow<StopReason> {
        self.stack = StackStart::here();
        let flow = self.descend(root, left);
        self.counts.push(number, self.meter.generated(), self.expanded);
        if flow.is_continue() {
            self.meter.report_bound(&self.counts.bounds);
        }
        flow
    }

    /// Returns the moves to the goal, once it was reached.
    pub(crate) fn moves(&self) -> Vec<Direction> {
        directions_of(self.goal.shape(), self.path.iter().rev())
    }

    /// Makes the outcome of the search.
    pub(crate) fn outcome(self, status: Status, initial_estimate: u32) -> Outcome {
        let entered = (self.heuristic.lookups(), self.entered);
        self.counts.outcome(status, initial_estimate, entered, self.meter.elapsed())
    }

    fn descend(&mut self, root: &H::Node, left: Remainder) -> ControlFlow<StopReason> {
        if self.counts.bounds.is_empty() {
            if let Err(kind) = self.meter.count() {
                return ControlFlow::Break(StopReason::Limit(kind));
            }
            if self.board == *self.goal.board() {
                return ControlFlow::Break(StopReason::Goal);
            }
        }
        let blank = self.board.blank();
        self.expand(root, left, blank, Moves::start(blank))
    }

    /// Expands the node of the current board.
    fn expand(
        &mut self,
        node: &H::Node,
        left: Remainder,
        blank: Cell,
        place: u16,
    ) -> ControlFlow<StopReason> {
        if self.stack.is_far() {
            return ControlFlow::Break(StopReason::Limit(LimitKind::Memory));
        }
        self.expanded += 1;
        let left = self.bound.after_move(left);
        let place = *self.moves.at(place);
        let slide_of = |this: &Self, i: usize| {
            let (from, _) = place.step(i);
            Slide { tile: this.board.tile(from), from, to: blank }
        };
        // All children are located before the first one is read, so that their loads overlap.
        let (mut slides, mut probes) = ([slide_of(self, 0); 4], [H::Probe::default(); 4]);
        for (i, slide) in slides.iter_mut().enumerate().take(place.count()).skip(1) {
            *slide = slide_of(self, i);
        }
        let (slides, probes) = (&slides[..place.count()], &mut probes[..place.count()]);
        self.heuristic.locate_all(&mut self.state, node, slides, probes);
        for (i, probe) in probes.iter_mut().enumerate() {
            let slide = slides[i];
            if let Err(kind) = self.meter.count() {
                return ControlFlow::Break(StopReason::Limit(kind));
            }
            let estimate = self.heuristic.read(node, slide, probe);
            if self.bound.is_exceeded(left, estimate) {
                continue;
            }
            self.entered += 1;
            let mut child = *node;
            self.heuristic.enter(&mut self.state, node, slide, probe, &mut child);
            self.board.slide(slide.from, blank);
            // The goal counts with any estimate: a damaged table must not hide it.
            let flow = if slide.from == self.goal_blank && self.board == *self.goal.board() {
                ControlFlow::Break(StopReason::Goal)
            } else if H::SETTLES && {
                let estimate = self.heuristic.settle(&mut child);
                self.bound.is_exceeded(left, estimate)
            } {
                ControlFlow::Continue(())
            } else {
                self.expand(&child, left, slide.from, place.step(i).1)
            };
            self.board.slide(blank, slide.from);
            self.heuristic.leave(&mut self.state, &child, slide);
            if let ControlFlow::Break(end) = flow {
                if let StopReason::Goal = end {
                    self.path.push(slide);
                }
                return ControlFlow::Break(end);
            }
        }
        ControlFlow::Continue(())
    }
}
