//! Search of one board.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use pdb_clock::Instant;
use pdb_core::Board;
use pdb_lab::Engine;
use pdb_search::{Boards, BoundCount, Limits, Next, Outcome, Progress, SearchError, Weight};

use crate::answer::Answer;
use crate::error::Error;
use crate::event::{BoundState, Event};
use crate::handle::Tilebase;
use crate::search::Search;
use crate::shelf::confirmed;
use crate::text::IntoBoard;

impl Tilebase {
    /// Solves one board.
    ///
    /// A board without a solution has an [`Answer`] too, and no table is opened for it.
    ///
    /// # Errors
    /// [`Error::Text`] when the text is not a board. [`Error::Board`] when the board does not have
    /// the shape of the spec or the goal. Those of [`engine`](Self::engine). [`Error::Damaged`]
    /// when a table turns out to be damaged.
    pub fn solve(&self, board: impl IntoBoard) -> Result<Answer, Error> {
        self.solve_with(board, self.search())
    }

    /// Solves one board with the given limits and threads.
    ///
    /// # Errors
    /// As [`solve`](Self::solve).
    pub fn solve_with(&self, board: impl IntoBoard, search: &Search) -> Result<Answer, Error> {
        let started = Instant::now();
        let (board, goal) = self.read(board)?;
        if let Err(reason) = goal.check_solvable(&board) {
            return Ok(Answer::unsolvable(&board, &goal, reason, started.elapsed()));
        }
        let engine = self.engine_with(&goal, &search.cancel)?;
        let job = BoardSearch {
            tables: self,
            search,
            board,
            is_taken: false.into(),
            outcome: OnceLock::new(),
        };
        let outcome = confirmed([&*engine], job.run(&engine))?;
        Ok(self.with_optimum(Answer::new(&board, &engine, outcome), &engine, search))
    }

    /// Solves one board for a caller that needs a proof, and refuses a learned heuristic.
    pub(crate) fn solve_proving(
        &self,
        board: impl IntoBoard,
        search: &Search,
        purpose: &'static str,
    ) -> Result<Answer, Error> {
        let (board, goal) = self.read(board)?;
        if goal.check_solvable(&board).is_ok()
            && !self.engine_with(&goal, &search.cancel)?.is_admissible()
        {
            return Err(SearchError::Inadmissible { search: purpose }.into());
        }
        self.solve_with(board, search)
    }

    /// Reports a finished bound of a board's search.
    pub(crate) fn report_bound(
        &self,
        search: &Search,
        board: &Board,
        bounds: &[BoundCount],
        elapsed: Duration,
    ) {
        if let Some(state) = BoundState::last(board, bounds, elapsed) {
            search.watch.as_ref().unwrap_or(&self.shelf().watch).tell(&Event::Bound(state));
        }
    }
}

/// Search of a single board.
#[derive(Debug)]
struct BoardSearch<'a> {
    tables: &'a Tilebase,
    search: &'a Search,
    board: Board,
    is_taken: AtomicBool,
    outcome: OnceLock<Result<Outcome, SearchError>>,
}

impl BoardSearch<'_> {
    fn run(self, engine: &Engine) -> Result<Outcome, SearchError> {
        if let Some(name) = self.search.mode.search_name() {
            let limits = Limits { progress: Some(&self), ..self.search.limits() };
            return engine.search(name, &self.board, Weight::ONE, limits);
        }
        engine.solve_all(&self, &self.search.work());
        self.outcome.into_inner().expect("every board is answered")
    }
}

/// Source of boards for the search in lanes.
impl Boards for BoardSearch<'_> {
    fn next(&self) -> Next {
        if self.is_taken.swap(true, Ordering::Relaxed) {
            Next::End
        } else {
            Next::Board(self.board, 0)
        }
    }

    fn answer(&self, _: u64, outcome: Result<Outcome, SearchError>) {
        let is_first = self.outcome.set(outcome).is_ok();
        debug_assert!(is_first, "a board is answered once");
    }

    fn bound_done(&self, _: u64, bounds: &[BoundCount], elapsed: Duration) {
        self.tables.report_bound(self.search, &self.board, bounds, elapsed);
    }
}

/// Receiver of progress for other searches, which run on one thread.
impl Progress for BoardSearch<'_> {
    fn generated(&self, count: u64) {
        if let Some(generated) = &self.search.generated {
            generated.generated(count);
        }
    }

    fn bound_done(&self, bounds: &[BoundCount], elapsed: Duration) {
        self.tables.report_bound(self.search, &self.board, bounds, elapsed);
    }
}
