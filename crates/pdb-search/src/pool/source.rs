//! Source of a pool's jobs, and receiver of its answers.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use pdb_core::{Board, Direction, lock};

use super::{Job, JobProgress, JobRef};
use crate::lane::Subtree;
use crate::{BoundCount, Outcome, SearchError};

/// The result of [`Boards::next`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// A board, and the number with which its answer is returned.
    Board(Board, u64),
    /// No board is available now: ask again later.
    Later,
    /// There are no more boards.
    End,
}

/// Source of boards, and receiver of their answers. Threads call it concurrently.
pub trait Boards: Sync {
    /// Returns the next board, without waiting for one.
    fn next(&self) -> Next;

    /// Receives the answer of the board with this number.
    fn answer(&self, ticket: u64, answer: Result<Outcome, SearchError>);

    /// Receives the nodes of each bound so far, and the time since the search of the board began,
    /// when a bound was searched in full without a solution.
    fn bound_done(&self, _ticket: u64, _bounds: &[BoundCount], _elapsed: Duration) {}

    /// Receives a solution that is shorter than all before, the proved lower bound, and the time
    /// since the search of the board began.
    fn improved(&self, _ticket: u64, _moves: &[Direction], _bound: u32, _elapsed: Duration) {}
}

/// A list of boards, and the answers in their order.
#[derive(Debug)]
pub struct BoardList<'a> {
    boards: &'a [Board],
    /// Position of the next board.
    next: AtomicUsize,
    answers: Mutex<Vec<Option<Result<Outcome, SearchError>>>>,
}

impl<'a> BoardList<'a> {
    /// Makes a list of boards without answers.
    pub fn new(boards: &'a [Board]) -> Self {
        let answers = Mutex::new(boards.iter().map(|_| None).collect());
        Self { boards, next: AtomicUsize::new(0), answers }
    }

    /// Returns the answer of each board, after the search.
    ///
    /// # Panics
    /// When a board has no answer.
    pub fn into_answers(self) -> Vec<Result<Outcome, SearchError>> {
        let answers = std::mem::take(&mut *lock(&self.answers));
        answers.into_iter().map(|answer| answer.expect("every board is answered")).collect()
    }
}

impl Boards for BoardList<'_> {
    fn next(&self) -> Next {
        let position = self.next.fetch_add(1, Ordering::Relaxed);
        self.boards.get(position).map_or(Next::End, |&board| Next::Board(board, position as u64))
    }

    fn answer(&self, position: u64, answer: Result<Outcome, SearchError>) {
        let earlier = lock(&self.answers)[position as usize].replace(answer);
        assert!(earlier.is_none(), "a board is answered once");
    }
}

/// Jobs for a pool: boards, claims or packets.
pub(crate) trait JobSource: Sync {
    /// Returns the next job, without waiting for one.
    fn begin(&self) -> JobStart;

    /// Returns the next subtree of a job without remaining subtrees, or answers the job.
    fn go_on(&self, job: &Job, progress: &mut JobProgress) -> Option<Subtree>;
}

/// The first step of a board.
pub(crate) enum JobBegin<T> {
    /// It needs a search.
    Search(JobRef),
    /// Its answer is known without a search.
    Answered(T),
}

/// The result of [`JobSource::begin`].
#[derive(Debug)]
pub(crate) enum JobStart {
    /// A job with its first subtree.
    Search(JobRef, Subtree),
    /// A job that is already answered.
    Answered,
    /// No job is available now: ask again later.
    Later,
    /// There are no more jobs.
    End,
}
