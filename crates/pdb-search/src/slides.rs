//! IDA* in the multi-tile metric, in which a slide of several tiles of a line is one move.
//!
//! In a shortest solution, slides along rows and along columns alternate: two of one axis in turn
//! are one slide, or none. So below the root the axis of the next slide is given, and a board has
//! as many children as its line has other cells. Parity excludes no number of slides, so a bound is
//! larger by 1 than the one before it.

use std::fmt;

use pdb_core::{Axis, Board, Direction, Goal, Metric, SlideHeuristic};

use crate::checks::begin;
use crate::limits::Meter;
use crate::slide_search::SlideSearch;
use crate::{BoundCount, Claim, Limits, Options, Outcome, SearchError, Status, Verdict};

/// Finds solutions with the fewest slides, of one or more tiles each.
pub struct SlideSolver<'a>(Box<dyn SolveSlides + 'a>);

impl fmt::Debug for SlideSolver<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SlideSolver").finish_non_exhaustive()
    }
}

/// The search, whatever its heuristic.
trait SolveSlides: Send + Sync {
    fn solve(
        &self,
        board: &Board,
        options: &Options<'_>,
        thread_count: usize,
    ) -> Result<Outcome, SearchError>;
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
        self.solve_on_threads(board, options, 1)
    }

    /// Finds the same on several threads, the calling one included. Then the number of nodes of the
    /// last bound and the choice among several solutions may differ from one time to the next. With
    /// a limit of nodes there is one thread.
    ///
    /// # Errors
    /// As [`solve`](Self::solve).
    pub fn solve_on_threads(
        &self,
        board: &Board,
        options: &Options<'_>,
        thread_count: usize,
    ) -> Result<Outcome, SearchError> {
        self.0.solve(board, options, thread_count)
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

impl<H: SlideHeuristic> SolveSlides for With<H> {
    fn bound(&self, board: &Board) -> Result<u32, SearchError> {
        let [horizontal, vertical] = self.heuristic.bounds(&self.heuristic.root(board)?);
        Ok(horizontal.min(vertical))
    }

    fn solve(
        &self,
        board: &Board,
        options: &Options<'_>,
        thread_count: usize,
    ) -> Result<Outcome, SearchError> {
        begin(&self.goal, board, options, |meter| {
            let state = self.heuristic.root(board)?;
            let bounds = self.heuristic.bounds(&state);
            let estimate = bounds[0].min(bounds[1]);
            let thread_count = if options.limits.nodes.is_some() { 1 } else { thread_count };
            let mut search = SlideSearch::new(&self.heuristic, &self.goal, meter, thread_count);
            let mut counts: Vec<BoundCount> = Vec::new();
            let mut bound = estimate;
            let status = loop {
                let before = (search.generated(), search.expanded);
                let end = search.within(bound, (board, &state), bounds);
                let generated = search.generated() - before.0;
                counts.push(BoundCount { bound, generated, expanded: search.expanded - before.1 });
                match end {
                    Ok(None) => {
                        search.meter().report_bound(&counts);
                        bound += 1;
                    }
                    Ok(Some(moves)) => {
                        let moves = self.within_bound(board, moves, bound)?;
                        break Status::Optimal { moves };
                    }
                    Err(kind) => break Status::Limit { kind, lower_bound: bound },
                }
            };
            Ok(Outcome {
                status,
                initial_estimate: Some(estimate),
                generated: search.generated(),
                expanded: search.expanded,
                lookups: search.lookups,
                bounds: counts,
                memory_bytes: 0,
                elapsed: search.meter().elapsed(),
            })
        })
    }

    fn try_claim(&self, claim: &Claim, limits: Limits<'_>) -> Result<(Verdict, u64), SearchError> {
        let Claim { board, distance, after } = claim;
        let state = self.heuristic.root(board)?;
        let mut bounds = self.heuristic.bounds(&state);
        if let Some(after) = after {
            let excluded = Axis::of(*after);
            for (axis, bound) in Axis::BOTH.into_iter().zip(&mut bounds) {
                *bound = if axis == excluded { u32::MAX } else { *bound };
            }
        }
        let mut search = SlideSearch::new(&self.heuristic, &self.goal, Meter::start(limits), 1);
        let verdict = match search.within(*distance, (board, &state), bounds) {
            Ok(Some(moves)) => Verdict::True(self.within_bound(board, moves, *distance)?),
            Ok(None) => Verdict::False,
            Err(kind) => Verdict::Open(kind),
        };
        Ok((verdict, search.generated()))
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
