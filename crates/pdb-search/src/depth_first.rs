//! Depth-first search within a bound, which iterative deepening repeats with larger bounds.

use std::ops::ControlFlow;

use pdb_core::{Board, Cell, Direction, Goal, Heuristic, Slide};

use crate::limits::Meter;
use crate::moves::Moves;
use crate::outcome::lookups;
use crate::solution::direction_of;
use crate::{BoundCount, LimitKind, Options, Outcome, Status};

/// So much of the stack a path may take: half of what a thread has where nobody says otherwise. Paths
/// of shortest solutions are far shorter; with a large weight they may have any length.
const STACK_BYTES: usize = 1 << 20;

/// Which nodes lie within a bound.
pub(crate) trait Bound {
    /// What is left of it at a node, for the moves from there to the goal.
    type Left: Copy;

    /// What is left after one more move.
    fn after_move(&self, left: Self::Left) -> Self::Left;

    /// Whether a node of this estimate, for which so much is left, lies beyond the bound.
    fn is_exceeded(&mut self, left: Self::Left, estimate: u32) -> bool;
}

/// Why the search within a bound ended early.
pub(crate) enum End {
    Goal,
    Limit(LimitKind),
}

/// What the nodes of one search share.
pub(crate) struct DepthFirst<'a, H: Heuristic, B> {
    pub(crate) bound: B,
    heuristic: &'a H,
    goal: &'a Goal,
    /// The blank's cell on the goal, which is quicker to compare than the whole board.
    goal_blank: Cell,
    moves: Moves,
    /// The board of the node that is being expanded, and what the heuristic keeps for it.
    board: Board,
    state: H::State,
    meter: Meter<'a>,
    expanded: u64,
    entered: u64,
    counts: Vec<BoundCount>,
    /// Where the stack was when the search began.
    stack: usize,
    /// Once the goal was reached: the moves, the last one first.
    path: Vec<Slide>,
}

impl<'a, H: Heuristic, B: Bound> DepthFirst<'a, H, B> {
    /// A search that has not begun; `state` is that of the board.
    pub(crate) fn new(
        heuristic: &'a H,
        goal: &'a Goal,
        board: &Board,
        state: H::State,
        options: &Options,
        meter: Meter<'a>,
        bound: B,
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
            stack: 0,
            path: Vec::new(),
        }
    }

    /// Searches within a bound, of which all is left at the root; `number` stands for it in the
    /// counts. The first time the root itself is generated.
    pub(crate) fn within(
        &mut self,
        number: u32,
        root: &H::Node,
        left: B::Left,
    ) -> ControlFlow<End> {
        let (generated, expanded) = (self.meter.generated(), self.expanded);
        self.stack = place_on_stack();
        let flow = self.descend(root, left);
        self.counts.push(BoundCount {
            bound: number,
            generated: self.meter.generated() - generated,
            expanded: self.expanded - expanded,
        });
        if flow.is_continue() {
            self.meter.tell_bound(&self.counts);
        }
        flow
    }

    /// The moves to the goal, once it was reached.
    pub(crate) fn moves(&self) -> Vec<Direction> {
        let slides = self.path.iter().rev();
        slides.map(|&slide| direction_of(self.goal.shape(), slide)).collect()
    }

    /// What was found out, and what it cost.
    pub(crate) fn outcome(self, status: Status, initial_estimate: u32) -> Outcome {
        let generated = self.meter.generated();
        Outcome {
            status,
            initial_estimate: Some(initial_estimate),
            generated,
            expanded: self.expanded,
            // The root is the one node that nobody located.
            lookups: lookups(self.heuristic.lookups(), generated.saturating_sub(1), self.entered),
            bounds: self.counts,
            memory_bytes: 0,
            elapsed: self.meter.elapsed(),
        }
    }

    fn descend(&mut self, root: &H::Node, left: B::Left) -> ControlFlow<End> {
        if self.counts.is_empty() {
            if let Err(kind) = self.meter.count() {
                return ControlFlow::Break(End::Limit(kind));
            }
            if self.board == *self.goal.board() {
                return ControlFlow::Break(End::Goal);
            }
        }
        let blank = self.board.blank();
        self.expand(root, left, blank, Moves::start(blank))
    }

    /// Expands the node of the present board.
    fn expand(
        &mut self,
        node: &H::Node,
        left: B::Left,
        blank: Cell,
        place: u16,
    ) -> ControlFlow<End> {
        if is_stack_full(self.stack) {
            return ControlFlow::Break(End::Limit(LimitKind::Memory));
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
                return ControlFlow::Break(End::Limit(kind));
            }
            let estimate = self.heuristic.read(node, slide, probe);
            if self.bound.is_exceeded(left, estimate) {
                continue;
            }
            self.entered += 1;
            let mut child = self.heuristic.enter(&mut self.state, node, slide, probe);
            self.board.slide(slide.from, blank);
            // The goal counts whatever its estimate is: a damaged table must not hide it.
            let flow = if slide.from == self.goal_blank && self.board == *self.goal.board() {
                ControlFlow::Break(End::Goal)
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
                if let End::Goal = end {
                    self.path.push(slide);
                }
                return ControlFlow::Break(end);
            }
        }
        ControlFlow::Continue(())
    }
}

/// Whether a search that began where the stack was at `begin` has taken as much of it as it may.
#[inline(always)]
pub(crate) fn is_stack_full(begin: usize) -> bool {
    begin.abs_diff(place_on_stack()) > STACK_BYTES
}

/// Where the stack is: a number that tells how much of it lies between two calls.
#[inline(always)]
pub(crate) fn place_on_stack() -> usize {
    let here = 0u8;
    std::ptr::from_ref(&here).addr()
}
