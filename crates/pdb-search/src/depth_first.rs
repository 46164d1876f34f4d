//! Depth-first search within a bound, which iterative deepening repeats with larger bounds.

use std::ops::ControlFlow;

use pdb_core::{Board, Cell, Direction, Goal, Heuristic, Slide};

use crate::checks::directions_of;
use crate::limits::{Meter, StackStart};
use crate::moves::Moves;
use crate::outcome::lookups;
use crate::weighted_ida::{Remainder, Weighted};
use crate::{BoundCount, LimitKind, Options, Outcome, Status};

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
    counts: Vec<BoundCount>,
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
            counts: Vec::new(),
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
        let (generated, expanded) = (self.meter.generated(), self.expanded);
        self.stack = StackStart::here();
        let flow = self.descend(root, left);
        self.counts.push(BoundCount {
            bound: number,
            generated: self.meter.generated() - generated,
            expanded: self.expanded - expanded,
        });
        if flow.is_continue() {
            self.meter.report_bound(&self.counts);
        }
        flow
    }

    /// Returns the moves to the goal, once it was reached.
    pub(crate) fn moves(&self) -> Vec<Direction> {
        directions_of(self.goal.shape(), self.path.iter().rev())
    }

    /// Makes the outcome of the search.
    pub(crate) fn outcome(self, status: Status, initial_estimate: u32) -> Outcome {
        let generated = self.meter.generated();
        Outcome {
            status,
            initial_estimate: Some(initial_estimate),
            generated,
            expanded: self.expanded,
            // The root was not located.
            lookups: lookups(self.heuristic.lookups(), generated.saturating_sub(1), self.entered),
            bounds: self.counts,
            memory_bytes: 0,
            elapsed: self.meter.elapsed(),
        }
    }

    fn descend(&mut self, root: &H::Node, left: Remainder) -> ControlFlow<StopReason> {
        if self.counts.is_empty() {
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
