//! Source of a pool's jobs, and receiver of its answers.

use std::sync::Mutex;
use std::time::Duration;

use pdb_core::Board;

use super::{Job, JobProgress, JobRef, lock};
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
}

/// A single board, and its answer.
#[derive(Debug)]
pub(crate) struct Single {
    board: Mutex<Option<Board>>,
    answer: Mutex<Option<Result<Outcome, SearchError>>>,
}

impl Single {
    pub(crate) fn new(board: &Board) -> Self {
        Self { board: Mutex::new(Some(*board)), answer: Mutex::new(None) }
    }

    /// Returns the answer, after the search.
    pub(crate) fn into_answer(self) -> Result<Outcome, SearchError> {
        lock(&self.answer).take().expect("every board is answered")
    }
}

impl Boards for Single {
    fn next(&self) -> Next {
        lock(&self.board).take().map_or(Next::End, |board| Next::Board(board, 0))
    }

    fn answer(&self, _: u64, answer: Result<Outcome, SearchError>) {
        *lock(&self.answer) = Some(answer);
    }
}

/// Jobs for a pool: boards, claims or packets.
pub(crate) trait Source: Sync {
    /// Returns the next job, without waiting for one.
    fn begin(&self) -> JobStart;

    /// Returns the next subtree of a job without remaining subtrees, or answers the job.
    fn go_on(&self, job: &Job, progress: &mut JobProgress) -> Option<Subtree>;
}

/// The result of [`Source::begin`].
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
