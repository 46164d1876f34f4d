//! Claims that a lower bound is a board's distance, each tested by a search of one bound.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use pdb_core::{Board, Direction, RootError, lock};

use crate::checks::directions_of;
use crate::lane::{Position, Subtree};
use crate::pool::{Account, Job, JobBegin, JobEnd, JobProgress, JobSource, JobStart};
use crate::tree::{RouteId, Tree};
use crate::{LimitKind, Limits, SearchError, Solver, Work};

/// The claim that a board has a solution of `distance` moves. The caller knows that it has no
/// shorter one.
///
/// Such claims follow from a solved board. Its neighbours are one move nearer or one farther. A
/// board on a solution is at least as far as the rest of the solution is long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Claim {
    /// The board.
    pub board: Board,
    /// The number of moves, or of slides where these count.
    pub distance: u32,
    /// The move that led to the board, if no solution of that length takes it back. Where slides
    /// count, the last one of the slide that led to it, if no solution goes on along its axis.
    pub after: Option<Direction>,
}

/// The result of a [`Claim`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The claim is true, and these moves are a solution.
    True(Vec<Direction>),
    /// The claim is false: every solution has more moves.
    False,
    /// A limit ended the search.
    Open(LimitKind),
}

impl Solver<'_> {
    /// Tests claims in parallel, in their order. Returns the verdicts, and the number of nodes
    /// generated for all of them.
    ///
    /// The limits are those of each claim. A claim takes a single bound of IDA*, without the
    /// smaller bounds, or no search if the estimate or parity decides.
    ///
    /// # Errors
    /// As [`solve`](Self::solve), and [`SearchError::NotLowerBound`] when a solution turns out to
    /// be shorter than is claimed to be possible.
    pub fn try_claims(
        &self,
        claims: &[Claim],
        work: &Work<'_>,
    ) -> Result<(Vec<Verdict>, u64), SearchError> {
        let source = Claims {
            solver: self,
            list: claims,
            limits: &work.limits,
            next: AtomicUsize::new(0),
            generated: AtomicU64::new(0),
            verdicts: Mutex::new(vec![None; claims.len()]),
        };
        self.search_all((&source, None), work);
        let verdicts = std::mem::take(&mut *lock(&source.verdicts)).into_iter();
        let verdicts = verdicts.map(|verdict| verdict.expect("every claim has a verdict"));
        Ok((verdicts.collect::<Result<_, _>>()?, source.generated.into_inner()))
    }
}

/// Claims as a source of jobs.
struct Claims<'a> {
    solver: &'a Solver<'a>,
    list: &'a [Claim],
    limits: &'a Limits<'a>,
    /// Position of the next claim.
    next: AtomicUsize,
    generated: AtomicU64,
    verdicts: Mutex<Vec<Option<Result<Verdict, SearchError>>>>,
}

impl Claims<'_> {
    /// Decides a claim by estimate, parity or a limit if possible, and else makes its job.
    fn start(&self, claim: &Claim, ticket: u64) -> Result<JobBegin<Verdict>, SearchError> {
        let Claim { board, distance, after } = claim;
        let solver = self.solver;
        let root = match solver.root(board) {
            Err(SearchError::Root(RootError::Unsolvable(_))) => {
                return Ok(JobBegin::Answered(Verdict::False));
            }
            root => root?,
        };
        if board == solver.goal().board() {
            let moves = solver.rules.within_bound(solver.goal(), board, Vec::new(), *distance)?;
            return Ok(JobBegin::Answered(Verdict::True(moves)));
        }
        let first_bound = solver.rules.first_bound(solver.goal(), board, root.0);
        if first_bound > *distance || (first_bound ^ distance) % solver.rules.step == 1 {
            return Ok(JobBegin::Answered(Verdict::False));
        }
        let account = Account::new();
        let granted = account.look(self.limits).and_then(|()| account.grant_all(self.limits, 1));
        if let Err(kind) = granted {
            return Ok(JobBegin::Answered(Verdict::Open(kind)));
        }
        let excluded = after.map_or(0, |after| solver.undoing(board, after));
        let tree = Tree::new(RouteId::STRAIGHT, Position::root(board), root, &[], excluded);
        let job = Job::new(*board, ticket, tree, None, *distance, Arc::new(account));
        Ok(JobBegin::Search(Arc::new(job)))
    }

    fn verdict(&self, job: &Job, end: Option<JobEnd>) -> Result<Verdict, SearchError> {
        let goal = self.solver.goal();
        match end {
            None => Ok(Verdict::False),
            Some(JobEnd::Limit(kind)) => Ok(Verdict::Open(kind)),
            Some(JobEnd::Met) => unreachable!("no solution of a claim is known before"),
            Some(JobEnd::Goal(path)) => {
                let moves = directions_of(goal.shape(), &path);
                let claim = self.list[job.ticket as usize];
                let rules = self.solver.rules;
                let moves = rules.within_bound(goal, &job.board, moves, claim.distance)?;
                Ok(Verdict::True(moves))
            }
        }
    }
}

impl JobSource for Claims<'_> {
    fn begin(&self) -> JobStart {
        let ticket = self.next.fetch_add(1, Ordering::Relaxed);
        let Some(claim) = self.list.get(ticket) else { return JobStart::End };
        let verdict = match self.start(claim, ticket as u64) {
            Ok(JobBegin::Search(job)) => {
                let subtree = job.whole();
                return JobStart::Search(job, subtree);
            }
            Ok(JobBegin::Answered(verdict)) => Ok(verdict),
            Err(error) => Err(error),
        };
        lock(&self.verdicts)[ticket] = Some(verdict);
        JobStart::Answered
    }

    fn go_on(&self, job: &Job, progress: &mut JobProgress) -> Option<Subtree> {
        let verdict = self.verdict(job, progress.end.take());
        self.generated.fetch_add(progress.counts.generated + 1, Ordering::Relaxed);
        lock(&self.verdicts)[job.ticket as usize] = Some(verdict);
        None
    }
}
