//! Where the searches of a pool come from, and what becomes of them.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use pdb_core::{Board, Heuristic};

use super::{Job, JobRef, Progress};
use crate::lane::Packet;
use crate::{BoundCount, Outcome, SearchError};

/// What [`Boards::next`] gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// A board, and the number that its answer is to be given back with.
    Board(Board, u64),
    /// There is none yet: ask again in a while.
    Later,
    /// There will be none any more.
    End,
}

/// Where boards come from, and where their answers go. Threads call it side by side.
pub trait Boards: Sync {
    /// The next board; does not wait.
    fn next(&self) -> Next;

    /// Takes the answer of the board with a number.
    fn answer(&self, ticket: u64, answer: Result<Outcome, SearchError>);

    /// Is told when a bound was searched in full and holds no solution, so that the next one begins:
    /// what each bound so far took, and the time since the search of the board began.
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

    /// The answer, once the board was searched.
    pub(crate) fn into_answer(self) -> Result<Outcome, SearchError> {
        let answer = self.answer.into_inner().unwrap_or_else(PoisonError::into_inner);
        answer.expect("every board is answered")
    }
}

impl Boards for Single {
    fn next(&self) -> Next {
        let board = self.board.lock().unwrap_or_else(PoisonError::into_inner).take();
        board.map_or(Next::End, |board| Next::Board(board, 0))
    }

    fn answer(&self, _: u64, answer: Result<Outcome, SearchError>) {
        *self.answer.lock().unwrap_or_else(PoisonError::into_inner) = Some(answer);
    }
}

/// Jobs for a pool. One type serves boards and packets, so that the pool is compiled once for each
/// heuristic.
pub(crate) trait Source<H: Heuristic>: Sync {
    /// The next job; does not wait.
    fn begin(&self) -> Begun<H>;

    /// Takes a job of which no subtree is left: gives its next one, or keeps the answer.
    fn go_on(&self, job: &Job<H>, progress: &mut Progress) -> Option<Packet<H>>;
}

/// What [`Source::begin`] gives.
#[derive(Debug)]
pub(crate) enum Begun<H: Heuristic> {
    /// A job, and its first subtree.
    Search(JobRef<H>, Packet<H>),
    /// One that is answered already.
    Answered,
    /// There is none yet: ask again in a while.
    Later,
    /// There will be none any more.
    End,
}
