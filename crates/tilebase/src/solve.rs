//! Search of one board.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use pdb_core::Board;
use pdb_lab::Engine;
use pdb_search::{Boards, BoundCount, Next, Outcome, SearchError, Weight, Work};

use crate::answer::{Answer, GivenBoard};
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
        match self.read(board)? {
            GivenBoard::Unsolvable(answer) => Ok(answer),
            GivenBoard::Open(board, goal) => {
                self.solve_by(&*self.engine_with(&goal, search)?, board, search)
            }
        }
    }

    /// Solves one board for a caller that needs a proof, and refuses a learned heuristic.
    pub(crate) fn solve_proving(
        &self,
        board: impl IntoBoard,
        search: &Search,
        purpose: &'static str,
    ) -> Result<Answer, Error> {
        let (board, goal) = match self.read(board)? {
            GivenBoard::Unsolvable(answer) => return Ok(answer),
            GivenBoard::Open(board, goal) => (board, goal),
        };
        let engine = self.engine_with(&goal, search)?;
        if !engine.is_admissible() {
            return Err(SearchError::Inadmissible { search: purpose }.into());
        }
        self.solve_by(&engine, board, search)
    }

    fn solve_by(&self, engine: &Engine, board: Board, search: &Search) -> Result<Answer, Error> {
        let source = OneBoard {
            tables: self,
            search,
            board,
            is_taken: false.into(),
            outcome: OnceLock::new(),
        };
        // A search by its name has one thread per board.
        let thread_count = search.mode.search_name().map_or(search.thread_count, |_| 1);
        search_boards(engine, &source, search, &Work { thread_count, ..search.work() });
        let outcome = source.outcome.into_inner().expect("every board is answered");
        self.answer(&board, engine, outcome, search)
    }

    /// Makes the answer of a finished search, after its tables were confirmed.
    pub(crate) fn answer(
        &self,
        board: &Board,
        engine: &Engine,
        outcome: Result<Outcome, SearchError>,
        search: &Search,
    ) -> Result<Answer, Error> {
        let answer = Answer::new(board, engine, confirmed([engine], outcome)?);
        Ok(self.with_optimum(answer, engine, search))
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
            self.watched(search).tell(&Event::Bound(state));
        }
    }
}

/// Searches boards of an engine's goal on this machine, in the mode of `search`.
pub(crate) fn search_boards(
    engine: &Engine,
    boards: &dyn Boards,
    search: &Search,
    work: &Work<'_>,
) {
    match search.mode.search_name() {
        Some(name) => engine.solve_all_by(name, boards, Weight::ONE, work),
        None => engine.solve_all(boards, work),
    }
}

/// Source of a single board.
#[derive(Debug)]
struct OneBoard<'a> {
    tables: &'a Tilebase,
    search: &'a Search,
    board: Board,
    is_taken: AtomicBool,
    outcome: OnceLock<Result<Outcome, SearchError>>,
}

impl Boards for OneBoard<'_> {
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
