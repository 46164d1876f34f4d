//! Whether a distance that is known to be no less is no more either: one bound, and no deepening.

use std::sync::{Arc, Mutex, PoisonError};

use pdb_core::{Board, Direction, Heuristic};

use crate::lane::{Leaf, Packet};
use crate::pool::{Account, Begun, End, Job, JobRef, Progress, Source};
use crate::solution::{direction_of, within_bound};
use crate::tree::{Tree, Way};
use crate::{LimitKind, Limits, SearchError, Solver, Status, Work};

/// The claim that a board, of which every solution has at least `distance` moves, has a solution of
/// so many.
///
/// Who has solved a board has such claims at once: its neighbours are one move nearer or one farther,
/// and a board on the way is as far as the rest of the way is long, or farther.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Claim {
    /// The board.
    pub board: Board,
    /// The number of moves.
    pub distance: u32,
    /// The move that led to the board, if no shortest solution takes it back.
    pub after: Option<Direction>,
}

/// What became of a [`Claim`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It is true: by these moves.
    True(Vec<Direction>),
    /// It is false: every solution has more moves.
    False,
    /// A limit came first.
    Open(LimitKind),
}

impl<H: Heuristic> Solver<H> {
    /// Tries claims, side by side, in their order; gives the verdicts and the nodes generated for all.
    ///
    /// The limits are those of each claim. Each takes a single bound of IDA*, without the bounds below,
    /// and none at all where the estimate or parity decides.
    ///
    /// # Errors
    /// As [`solve`](Self::solve), and [`SearchError::NotLowerBound`] when a solution turns out to be
    /// shorter than is claimed to be possible.
    pub fn try_claims(
        &self,
        claims: &[Claim],
        work: &Work<'_>,
    ) -> Result<(Vec<Verdict>, u64), SearchError> {
        let source = Claims {
            solver: self,
            list: claims,
            limits: &work.limits,
            tried: Mutex::new(Tried { begun: 0, verdicts: vec![None; claims.len()], generated: 0 }),
        };
        self.search_all(&source, work);
        let tried = source.tried.into_inner().unwrap_or_else(PoisonError::into_inner);
        let verdicts = tried.verdicts.into_iter();
        let verdicts = verdicts.map(|verdict| verdict.expect("every claim is tried"));
        Ok((verdicts.collect::<Result<_, _>>()?, tried.generated))
    }
}

/// Claims as a source of jobs.
struct Claims<'a, H> {
    solver: &'a Solver<H>,
    list: &'a [Claim],
    limits: &'a Limits<'a>,
    tried: Mutex<Tried>,
}

struct Tried {
    begun: usize,
    verdicts: Vec<Option<Result<Verdict, SearchError>>>,
    generated: u64,
}

type JobOrVerdict<H> = Result<JobRef<H>, Verdict>;

impl<H: Heuristic> Claims<'_, H> {
    /// The job of a claim, or its verdict.
    fn job(&self, claim: &Claim, ticket: u64) -> Result<JobOrVerdict<H>, SearchError> {
        let Claim { board, distance, after } = claim;
        let solver = self.solver;
        let root = match solver.root(board) {
            Ok(root) => root,
            Err(SearchError::Unsolvable(_)) => return Ok(Err(Verdict::False)),
            Err(error) => return Err(error),
        };
        if board == solver.goal().board() {
            // Its distance is 0, whatever is claimed.
            return match *distance {
                0 => Ok(Err(Verdict::True(Vec::new()))),
                bound => Err(SearchError::NotLowerBound { bound, length: 0 }),
            };
        }
        let manhattan = solver.goal().manhattan_distance(board);
        let estimate = solver.heuristic().estimate(&root.1).max(manhattan);
        if estimate > *distance || (manhattan ^ distance) % 2 == 1 {
            return Ok(Err(Verdict::False));
        }
        let account = Account::new();
        let granted = account.look(self.limits).and_then(|()| account.grant_all(self.limits, 1));
        if let Err(kind) = granted {
            return Ok(Err(Verdict::Open(kind)));
        }
        let excluded = after.map_or(0, |after| solver.undoing(board, after));
        let tree =
            Tree::new(Way::STRAIGHT, Leaf::root(board, root), &[], excluded, solver.heuristic());
        Ok(Ok(Arc::new(Job::new(*board, ticket, tree, *distance, Arc::new(account)))))
    }

    fn verdict(&self, job: &Job<H>, end: Option<End>) -> Result<Verdict, SearchError> {
        let goal = self.solver.goal();
        match end {
            None => Ok(Verdict::False),
            Some(End::Limit(kind)) => Ok(Verdict::Open(kind)),
            Some(End::Goal(path)) => {
                let direction = |&slide| direction_of(goal.shape(), slide);
                let moves = path.iter().map(direction).collect();
                let claim = self.list[job.ticket as usize];
                match within_bound(goal, &job.board, moves, claim.distance)? {
                    Status::Optimal { moves } => Ok(Verdict::True(moves)),
                    _ => unreachable!("moves as long as the bound are a shortest solution"),
                }
            }
        }
    }
}

impl<H: Heuristic> Source<H> for Claims<'_, H> {
    fn begin(&self) -> Begun<H> {
        let ticket = {
            let mut tried = self.tried.lock().unwrap_or_else(PoisonError::into_inner);
            tried.begun += 1;
            tried.begun - 1
        };
        let Some(claim) = self.list.get(ticket) else { return Begun::End };
        let verdict = match self.job(claim, ticket as u64) {
            Ok(Ok(job)) => {
                let packet = job.whole();
                return Begun::Search(job, packet);
            }
            Ok(Err(verdict)) => Ok(verdict),
            Err(error) => Err(error),
        };
        let mut tried = self.tried.lock().unwrap_or_else(PoisonError::into_inner);
        tried.verdicts[ticket] = Some(verdict);
        Begun::Answered
    }

    fn go_on(&self, job: &Job<H>, progress: &mut Progress) -> Option<Packet<H>> {
        let verdict = self.verdict(job, progress.end.take());
        let mut tried = self.tried.lock().unwrap_or_else(PoisonError::into_inner);
        tried.generated += progress.generated + 1;
        tried.verdicts[job.ticket as usize] = Some(verdict);
        None
    }
}
