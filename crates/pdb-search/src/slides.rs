//! IDA* in the multi-tile metric, in which a slide of several tiles of a line is one move.
//!
//! In a shortest solution, slides along rows and along columns alternate: two of one axis in turn
//! are one slide, or none. So below the root the axis of the next slide is given, and a board has
//! as many children as its line has other cells. Parity excludes no number of slides, so a bound is
//! larger by 1 than the one before it.

use std::fmt;

use arrayvec::ArrayVec;
use pdb_core::{Axis, Board, Cell, Direction, Goal, Metric, Shape, Slide, SlideHeuristic};

use crate::checks::begin;
use crate::limits::Meter;
use crate::{BoundCount, Claim, LimitKind, Limits, Options, Outcome, SearchError, Status, Verdict};

/// Largest number of slides along one axis from a board.
const CHILDREN_MAX: usize = pdb_core::CELLS_MAX / 2;

/// Finds solutions with the fewest slides, of one or more tiles each.
pub struct SlideSolver<'a>(Box<dyn SolveSlides + 'a>);

impl fmt::Debug for SlideSolver<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SlideSolver").finish_non_exhaustive()
    }
}

/// The search, whatever its heuristic.
trait SolveSlides: Send + Sync {
    fn solve(&self, board: &Board, options: &Options<'_>) -> Result<Outcome, SearchError>;
    fn bound(&self, board: &Board) -> Result<u32, SearchError>;
    fn try_claim(&self, claim: &Claim, limits: Limits<'_>) -> Result<(Verdict, u64), SearchError>;
}

impl<'a> SlideSolver<'a> {
    /// Creates the solver of boards that lead to a goal, for which the heuristic was made.
    pub fn new<H: SlideHeuristic + 'a>(heuristic: H, goal: &Goal) -> Self {
        Self(Box::new(With { heuristic, goal: *goal }))
    }

    /// Finds moves of single tiles from the board to the goal that are the fewest slides
    /// ([`Metric::count`]).
    ///
    /// The status is as that of a search for the fewest moves, but lengths and bounds are numbers
    /// of slides. Each child counts as generated as soon as it was looked up.
    ///
    /// # Errors
    /// As [`ida_star`](crate::ida_star).
    pub fn solve(&self, board: &Board, options: &Options<'_>) -> Result<Outcome, SearchError> {
        self.0.solve(board, options)
    }

    /// Tests the claim that a board has a solution of so many slides. If a slide led to the board,
    /// the solution begins along the other axis. Also returns the number of generated nodes.
    ///
    /// # Errors
    /// As [`solve`](Self::solve).
    pub fn try_claim(
        &self,
        claim: &Claim,
        limits: Limits<'_>,
    ) -> Result<(Verdict, u64), SearchError> {
        self.0.try_claim(claim, limits)
    }

    /// Returns a lower bound on the number of slides from a board to the goal.
    ///
    /// # Errors
    /// [`SearchError::Board`] or [`SearchError::Root`].
    pub fn bound(&self, board: &Board) -> Result<u32, SearchError> {
        self.0.bound(board)
    }
}

/// A heuristic for a goal.
struct With<H> {
    heuristic: H,
    goal: Goal,
}

impl<H: SlideHeuristic> With<H> {
    /// Returns the bounds of a state by the axis of the first slide.
    fn bounds(&self, state: &H::State) -> [u32; 2] {
        let heuristic = &self.heuristic;
        Axis::BOTH.map(|first| {
            let stages = 0..heuristic.stage_count();
            let bound = |stage| heuristic.bound(stage, heuristic.locate(stage, state), first);
            stages.map(bound).max().unwrap_or(0)
        })
    }

    fn search<'a>(&'a self, meter: Meter<'a>) -> Search<'a, H> {
        Search {
            heuristic: &self.heuristic,
            goal: self.goal.board(),
            shape: self.goal.shape(),
            meter,
            expanded: 0,
            lookups: 0,
            path: Vec::new(),
        }
    }
}

impl<H: SlideHeuristic> SolveSlides for With<H> {
    fn bound(&self, board: &Board) -> Result<u32, SearchError> {
        let [horizontal, vertical] = self.bounds(&self.heuristic.root(board)?);
        Ok(horizontal.min(vertical))
    }

    fn solve(&self, board: &Board, options: &Options<'_>) -> Result<Outcome, SearchError> {
        begin(&self.goal, board, options, |meter| {
            let state = self.heuristic.root(board)?;
            let bounds = self.bounds(&state);
            let estimate = bounds[0].min(bounds[1]);
            let mut search = self.search(meter);
            let root = Node { state, board: *board, blank: board.blank() };
            let mut counts: Vec<BoundCount> = Vec::new();
            let mut bound = estimate;
            let status = loop {
                let before = (search.meter.generated(), search.expanded);
                let end = search.within(bound, &root, bounds);
                let generated = search.meter.generated() - before.0;
                counts.push(BoundCount { bound, generated, expanded: search.expanded - before.1 });
                match end {
                    Ok(false) => {
                        search.meter.report_bound(&counts);
                        bound += 1;
                    }
                    Ok(true) => {
                        let moves = self.within_bound(board, search.moves(), bound)?;
                        break Status::Optimal { moves };
                    }
                    Err(kind) => break Status::Limit { kind, lower_bound: bound },
                }
            };
            Ok(Outcome {
                status,
                initial_estimate: Some(estimate),
                generated: search.meter.generated(),
                expanded: search.expanded,
                lookups: search.lookups,
                bounds: counts,
                memory_bytes: 0,
                elapsed: search.meter.elapsed(),
            })
        })
    }

    fn try_claim(&self, claim: &Claim, limits: Limits<'_>) -> Result<(Verdict, u64), SearchError> {
        let Claim { board, distance, after } = claim;
        let state = self.heuristic.root(board)?;
        let mut bounds = self.bounds(&state);
        if let Some(after) = after {
            let excluded = Axis::of(*after);
            for (axis, bound) in Axis::BOTH.into_iter().zip(&mut bounds) {
                *bound = if axis == excluded { u32::MAX } else { *bound };
            }
        }
        let mut search = self.search(Meter::start(limits));
        let root = Node { state, board: *board, blank: board.blank() };
        let verdict = match search.within(*distance, &root, bounds) {
            Ok(true) => Verdict::True(self.within_bound(board, search.moves(), *distance)?),
            Ok(false) => Verdict::False,
            Err(kind) => Verdict::Open(kind),
        };
        Ok((verdict, search.meter.generated()))
    }
}

impl<H> With<H> {
    /// Returns the moves that the search found within a bound, of which it has excluded fewer.
    fn within_bound(
        &self,
        board: &Board,
        moves: Vec<Direction>,
        bound: u32,
    ) -> Result<Vec<Direction>, SearchError> {
        if board.after(&moves).as_ref() != Ok(self.goal.board()) {
            return Err(SearchError::Replay { length: moves.len() });
        }
        let length = Metric::MultiTile.count(&moves) as u32;
        if length != bound {
            return Err(SearchError::NotLowerBound { bound, length });
        }
        Ok(moves)
    }
}

/// A board with its state.
#[derive(Clone, Copy)]
struct Node<S> {
    state: S,
    board: Board,
    blank: Cell,
}

/// A depth-first search.
struct Search<'a, H> {
    heuristic: &'a H,
    goal: &'a Board,
    shape: Shape,
    meter: Meter<'a>,
    expanded: u64,
    lookups: u64,
    /// The slides of a solution, from the last one: the direction, and the number of tiles.
    path: Vec<(Direction, usize)>,
}

impl<H: SlideHeuristic> Search<'_, H> {
    /// Searches for a solution of `bound` slides.
    ///
    /// # Errors
    /// The limit that ended the search.
    fn within(
        &mut self,
        bound: u32,
        root: &Node<H::State>,
        bounds: [u32; 2],
    ) -> Result<bool, LimitKind> {
        if bound == 0 {
            return Ok(root.board == *self.goal);
        }
        for (first, needed) in Axis::BOTH.into_iter().zip(bounds) {
            if needed <= bound && self.expand(root, first, bound - 1)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Searches the children after one slide along an axis, with `left` more slides.
    fn expand(&mut self, node: &Node<H::State>, axis: Axis, left: u32) -> Result<bool, LimitKind> {
        self.expanded += 1;
        // Most children are pruned, so only their entries are kept.
        let mut children = ArrayVec::<Child<H::Place>, CHILDREN_MAX>::new();
        for direction in axis.directions() {
            let mut child = *node;
            let mut tiles = 0;
            while self.slide(&mut child, direction) {
                tiles += 1;
                let place = self.heuristic.locate(0, &child.state);
                children.push(Child { direction, tiles, place });
            }
        }
        self.meter.count_all(children.len() as u64)?;
        for stage in 0..self.heuristic.stage_count() {
            self.lookups += children.len() as u64 * self.heuristic.lookups(stage);
            let next = axis.other();
            children.retain(|child| self.heuristic.bound(stage, child.place, next) <= left);
            if stage + 1 < self.heuristic.stage_count() {
                for child in &mut children {
                    let after = self.after(node, child);
                    child.place = self.heuristic.locate(stage + 1, &after.state);
                }
            }
        }
        for child in &children {
            let after = self.after(node, child);
            let is_solved = if left == 0 {
                after.board == *self.goal
            } else {
                self.expand(&after, axis.other(), left - 1)?
            };
            if is_solved {
                self.path.push((child.direction, child.tiles));
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Moves one tile. Returns whether there is one.
    #[inline(always)]
    fn slide(&self, node: &mut Node<H::State>, direction: Direction) -> bool {
        let Some(from) = direction.tile_cell(self.shape, node.blank) else { return false };
        let slide = Slide { tile: node.board.tile(from), from, to: node.blank };
        node.board.slide(from, node.blank);
        node.state = self.heuristic.moved(&node.state, slide);
        node.blank = from;
        true
    }

    fn after(&self, node: &Node<H::State>, child: &Child<H::Place>) -> Node<H::State> {
        let mut after = *node;
        for _ in 0..child.tiles {
            self.slide(&mut after, child.direction);
        }
        after
    }

    /// Returns the moves of the solution.
    fn moves(&self) -> Vec<Direction> {
        let slides = self.path.iter().rev();
        slides.flat_map(|&(direction, tiles)| std::iter::repeat_n(direction, tiles)).collect()
    }
}

/// A child: the slide that leads to it, and its entries.
struct Child<P> {
    direction: Direction,
    tiles: usize,
    place: P,
}
