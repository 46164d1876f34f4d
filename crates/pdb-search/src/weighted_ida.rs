//! Weighted iterative-deepening A*.

use pdb_core::{Board, Cell, Goal, Heuristic, Metric, Slide};

use crate::checks::{answer, begin, directions_of, first_bound, proved, round_up};
use crate::limits::{Meter, StackStart};
use crate::moves::Moves;
use crate::outcome::BoundCounts;
use crate::{LimitKind, Options, Outcome, SearchError, Status, Weight};

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
        let (blank, parity) = (board.blank(), goal.manhattan_distance(board) % 2);
        let is_admissible = heuristic.is_admissible();
        let proved = proved(is_admissible, goal, board, first);
        let mut search = DepthFirst {
            heuristic,
            goal,
            goal_blank: goal.board().blank(),
            moves: Moves::without_undoing(goal.shape(), options.order),
            a: i64::from(weight.numerator()),
            b: i64::from(weight.denominator()),
            excess: i64::MAX,
            board: *board,
            state,
            meter,
            expanded: 0,
            entered: 0,
            stack: StackStart::here(),
            path: Vec::new(),
        };
        let (mut counts, mut bound) = (BoundCounts::default(), weight.weigh(0, first));
        let mut found = search.meter.count().map(|()| board == goal.board());
        let status = loop {
            (search.excess, search.stack) = (i64::MAX, StackStart::here());
            if found == Ok(false) {
                let left = Remainder { of_bound: bound as i64, parity };
                found = search.expand(&root, left, blank, Moves::start(blank));
            }
            let number = u32::try_from(bound).unwrap_or(u32::MAX);
            counts.push(number, search.meter.generated(), search.expanded);
            let needed = bound.div_ceil(u64::from(weight.numerator())) as u32;
            let lower_bound =
                if is_admissible { round_up(needed, parity).max(first) } else { proved };
            match found {
                Ok(false) => {
                    search.meter.report_bound(&counts.bounds);
                    bound += search.excess as u64;
                }
                Ok(true) => {
                    let moves = directions_of(goal.shape(), search.path.iter().rev());
                    break answer(
                        Metric::SingleTile,
                        goal,
                        board,
                        moves,
                        lower_bound,
                        is_admissible,
                    )?;
                }
                Err(kind) => break Status::Limit { kind, lower_bound },
            }
        };
        let entered = (heuristic.lookups(), search.entered);
        Ok(counts.outcome(status, initial_estimate, entered, search.meter.elapsed()))
    })
}

/// The rest of the bound at a node.
#[derive(Clone, Copy)]
struct Remainder {
    of_bound: i64,
    /// The parity of the node's distance.
    parity: u32,
}

/// The state of a depth-first search within a bound on b g + a h, with the weight a/b.
struct DepthFirst<'a, H: Heuristic> {
    heuristic: &'a H,
    goal: &'a Goal,
    /// The blank's cell on the goal, which is faster to compare than the whole board.
    goal_blank: Cell,
    moves: Moves,
    a: i64,
    b: i64,
    /// The least excess over the bound.
    excess: i64,
    /// The board of the node that is being expanded, and its state.
    board: Board,
    state: H::State,
    meter: Meter<'a>,
    expanded: u64,
    entered: u64,
    stack: StackStart,
    /// Once the goal was reached: the moves, the last one first.
    path: Vec<Slide>,
}

impl<H: Heuristic> DepthFirst<'_, H> {
    /// Returns whether a node with this estimate and rest lies beyond the bound.
    #[inline(always)]
    fn is_exceeded(&mut self, left: Remainder, estimate: u32) -> bool {
        let excess = self.a * i64::from(round_up(estimate, left.parity)) - left.of_bound;
        if excess > 0 {
            self.excess = self.excess.min(excess);
        }
        excess > 0
    }

    /// Expands the node of the current board. Returns whether the goal was reached. A limit leaves
    /// the board of the node at which it ended the search.
    fn expand(
        &mut self,
        node: &H::Node,
        left: Remainder,
        blank: Cell,
        place: u16,
    ) -> Result<bool, LimitKind> {
        if self.stack.is_far() {
            return Err(LimitKind::Memory);
        }
        self.expanded += 1;
        let left = Remainder { of_bound: left.of_bound - self.b, parity: left.parity ^ 1 };
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
            self.meter.count()?;
            let estimate = self.heuristic.read(node, slide, probe);
            if self.is_exceeded(left, estimate) {
                continue;
            }
            self.entered += 1;
            let mut child = *node;
            self.heuristic.enter(&mut self.state, node, slide, probe, &mut child);
            self.board.slide(slide.from, blank);
            // The goal counts with any estimate: a damaged table must not hide it.
            let is_found = if slide.from == self.goal_blank && self.board == *self.goal.board() {
                true
            } else if H::SETTLES && {
                let estimate = self.heuristic.settle(&mut child);
                self.is_exceeded(left, estimate)
            } {
                false
            } else {
                self.expand(&child, left, slide.from, place.step(i).1)?
            };
            self.board.slide(blank, slide.from);
            self.heuristic.leave(&mut self.state, &child, slide);
            if is_found {
                self.path.push(slide);
                return Ok(true);
            }
        }
        Ok(false)
    }
}
