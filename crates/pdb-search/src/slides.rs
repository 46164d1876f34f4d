//! IDA* in the multi-tile metric, in which a slide of several tiles of a line is one move.
//!
//! In a shortest solution, slides along rows and along columns alternate: two of one axis in turn
//! are one slide, or none. So below the root the axis of the next slide is given, and a board has
//! as many children as its line has other cells. Parity excludes no number of slides, so a bound is
//! larger by 1 than the one before it.

use std::fmt;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use pdb_clock::Instant;
use pdb_core::{Axis, Board, Direction, Goal, Metric, RootError, SlideHeuristic};

use crate::beam::{AnyStates, SlideBeam, States};
use crate::checks::begin;
use crate::incumbent::Incumbent;
use crate::limits::Meter;
use crate::slide_improver::{AnySolution, STRETCH_NODES, Shared, SlideImprover};
use crate::slide_search::{AnySlideSearch, SlideCounts, SlideSearch};
use crate::{
    BoundCount, Claim, Improvement, LimitKind, Limits, Options, Outcome, SearchError,
    SlideManhattan, Status, Verdict, on_threads,
};

/// Finds solutions with the fewest slides, of one or more tiles each.
pub struct SlideSolver<'a> {
    slides: Box<dyn AnySlides + 'a>,
    goal: Goal,
}

impl fmt::Debug for SlideSolver<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SlideSolver").finish_non_exhaustive()
    }
}

/// A heuristic, and what is compiled for it.
pub(crate) trait AnySlides: Send + Sync {
    fn bounds(&self, board: &Board) -> Result<[u32; 2], RootError>;

    fn search<'s>(
        &'s self,
        goal: &'s Goal,
        board: &'s Board,
        meter: Meter<'s>,
        thread_count: usize,
    ) -> Result<Box<dyn AnySlideSearch + 's>, RootError>;

    /// Returns the look-ups of a beam.
    fn states(&self) -> Box<dyn AnyStates + '_>;
}

impl<H: SlideHeuristic> AnySlides for H {
    fn bounds(&self, board: &Board) -> Result<[u32; 2], RootError> {
        Ok(self.bounds(&self.root(board)?))
    }

    fn search<'s>(
        &'s self,
        goal: &'s Goal,
        board: &'s Board,
        meter: Meter<'s>,
        thread_count: usize,
    ) -> Result<Box<dyn AnySlideSearch + 's>, RootError> {
        Ok(Box::new(SlideSearch::new(self, goal, board, meter, thread_count)?))
    }

    fn states(&self) -> Box<dyn AnyStates + '_> {
        Box::new(States::new(self))
    }
}

impl<'a> SlideSolver<'a> {
    /// Creates the solver of boards that lead to a goal, for which the heuristic was made.
    pub fn new<H: SlideHeuristic + 'a>(heuristic: H, goal: &Goal) -> Self {
        Self { slides: Box::new(heuristic), goal: *goal }
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
        self.prove(board, options, thread_count, None)
    }

    /// Finds the fewest slides on several threads, and if that takes long, solutions that become
    /// shorter meanwhile on one of them, from that of `any_solution` on. If a limit ends the
    /// search, the best one is the answer.
    ///
    /// # Errors
    /// As [`solve`](Self::solve).
    pub fn solve_improving(
        &self,
        board: &Board,
        options: &Options<'_>,
        thread_count: usize,
        improvement: Improvement,
        any_solution: &AnySolution<'_>,
    ) -> Result<Outcome, SearchError> {
        let started = Instant::now();
        let limits = options.limits;
        let time = limits.time.map_or(improvement.after, |time| time.min(improvement.after));
        let first = Limits { time: Some(time), ..limits };
        let options = Options { limits: first, ..*options };
        let begun = self.prove(board, &options, thread_count, None)?;
        let Status::Limit { kind: LimitKind::Time, lower_bound } = begun.status else {
            return Ok(begun);
        };
        let shared = Shared::default();
        shared.incumbent.raise(lower_bound);
        let rest = Limits {
            time: limits.time.map(|time| time.saturating_sub(started.elapsed())),
            nodes: limits.nodes.map(|nodes| nodes.saturating_sub(begun.generated)),
            ..limits
        };
        let proved = OnceLock::new();
        let next = AtomicUsize::new(0);
        on_threads(2, &|| match next.fetch_add(1, Ordering::Relaxed) {
            0 => {
                let options = Options { limits: rest, ..options };
                let prover_count = thread_count.saturating_sub(1).max(1);
                let outcome = self.prove(board, &options, prover_count, Some(&shared));
                shared.is_over.store(true, Ordering::Relaxed);
                let is_first = proved.set(outcome).is_ok();
                debug_assert!(is_first, "one thread proves");
            }
            1 => SlideImprover {
                beam: SlideBeam::new(self.slides.states(), &self.goal),
                goal: &self.goal,
                improvement,
                limits: rest,
                shared: &shared,
                started,
                any_solution,
                solve_again,
            }
            .run(board),
            _ => (),
        });
        let outcome = proved.into_inner().expect("the first thread proved")?;
        // The bound that was interrupted was searched again.
        let mut bounds = begun.bounds;
        if let (Some(last), Some(again)) = (bounds.last_mut(), outcome.bounds.first()) {
            last.generated += again.generated;
            last.expanded += again.expanded;
            bounds.extend(&outcome.bounds[1..]);
        }
        Ok(Outcome {
            bounds,
            initial_estimate: begun.initial_estimate,
            generated: begun.generated + outcome.generated,
            expanded: begun.expanded + outcome.expanded,
            lookups: begun.lookups + outcome.lookups,
            elapsed: started.elapsed(),
            ..outcome
        })
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
        let Claim { board, distance, after } = claim;
        let mut search = self.slides.search(&self.goal, board, Meter::start(limits), 1)?;
        let mut bounds = search.bounds();
        if let Some(after) = after {
            let excluded = Axis::of(*after);
            for (axis, bound) in Axis::BOTH.into_iter().zip(&mut bounds) {
                *bound = if axis == excluded { u32::MAX } else { *bound };
            }
        }
        let verdict = match search.within(*distance, bounds) {
            Ok(Some(moves)) => Verdict::True(self.within_bound(board, moves, *distance)?),
            Ok(None) => Verdict::False,
            Err(kind) => Verdict::Open(kind),
        };
        Ok((verdict, search.counts().generated))
    }

    /// Returns a lower bound on the number of slides from a board to the goal.
    ///
    /// # Errors
    /// As [`SlideHeuristic::root`].
    pub fn bound(&self, board: &Board) -> Result<u32, RootError> {
        let [horizontal, vertical] = self.bounds(board)?;
        Ok(horizontal.min(vertical))
    }

    /// Returns such bounds by the axis of the first slide, in the order of [`Axis::BOTH`].
    ///
    /// # Errors
    /// As [`SlideHeuristic::root`].
    pub fn bounds(&self, board: &Board) -> Result<[u32; 2], RootError> {
        self.slides.bounds(board)
    }

    /// Solves a board, beside an improvement if there is one.
    fn prove(
        &self,
        board: &Board,
        options: &Options<'_>,
        thread_count: usize,
        beside: Option<&Shared>,
    ) -> Result<Outcome, SearchError> {
        begin(&self.goal, board, options, |meter| {
            let limits = options.limits;
            let meter = beside.map_or(meter, |beside| Meter::beside(limits, &beside.is_over));
            let incumbent = beside.map(|beside| &beside.incumbent);
            let thread_count = if limits.nodes.is_some() { 1 } else { thread_count };
            let mut search = self.slides.search(&self.goal, board, meter, thread_count)?;
            let bounds = search.bounds();
            let estimate = bounds[0].min(bounds[1]);
            let mut counts: Vec<BoundCount> = Vec::new();
            let mut bound = incumbent.map_or(estimate, |known| known.lower_bound().max(estimate));
            // The known solution, which is optimal if its length is the bound.
            let known = || incumbent.and_then(Incumbent::moves);
            let is_met = || incumbent.is_some_and(Incumbent::is_met);
            let status = loop {
                let before = search.counts();
                let end = search.within(bound, bounds);
                let after = search.counts();
                counts.push(BoundCount {
                    bound,
                    generated: after.generated - before.generated,
                    expanded: after.expanded - before.expanded,
                });
                match end {
                    Ok(None) => {
                        search.meter().report_bound(&counts);
                        bound += 1;
                        incumbent.inspect(|known| known.raise(bound));
                        if is_met()
                            && let Some(moves) = known()
                        {
                            let moves = self.within_bound(board, moves, bound)?;
                            break Status::Optimal { moves };
                        }
                    }
                    Ok(Some(moves)) => {
                        let moves = self.within_bound(board, moves, bound)?;
                        break Status::Optimal { moves };
                    }
                    Err(kind) => {
                        break match known() {
                            Some(moves) if is_met() => {
                                let moves = self.within_bound(board, moves, bound)?;
                                Status::Optimal { moves }
                            }
                            Some(moves) => {
                                Status::Solved { moves, lower_bound: bound, limit: Some(kind) }
                            }
                            None => Status::Limit { kind, lower_bound: bound },
                        };
                    }
                }
            };
            let SlideCounts { generated, expanded, lookups } = search.counts();
            Ok(Outcome {
                status,
                initial_estimate: Some(estimate),
                generated,
                expanded,
                lookups,
                bounds: counts,
                memory_bytes: 0,
                elapsed: search.meter().elapsed(),
            })
        })
    }

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

/// Returns a shortest solution by slides for any goal, if few nodes find it.
fn solve_again(goal: &Goal, board: &Board) -> Option<Vec<Direction>> {
    let limits = Limits { nodes: Some(STRETCH_NODES), ..Limits::default() };
    let options = Options { limits, ..Options::default() };
    let outcome = SlideSolver::new(SlideManhattan::new(goal), goal).solve(board, &options);
    outcome.ok()?.status.moves().map(<[_]>::to_vec)
}
