//! Search of one board.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use pdb_core::{Board, Direction};
use pdb_lab::Engine;
use pdb_search::{
    Boards, BoundCount, Improvement, Next, Outcome, SearchError, Sharing, Status, Weight, Work,
    solve_by_lines, solve_each,
};

use crate::answer::{Answer, GivenBoard};
use crate::error::Error;
use crate::event::{BoundState, Event, SolutionState};
use crate::handle::Tilebase;
use crate::into_board::IntoBoard;
use crate::search::Search;
use crate::shelf::confirmed;

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
        self.solve_for(board, search, search.work(), None)
    }

    /// Solves one board for a caller that needs a proof, and refuses a learned heuristic. If a
    /// limit ends the search, the best known solution of `work` is the answer.
    pub(crate) fn solve_proving(
        &self,
        board: impl IntoBoard,
        search: &Search,
        work: Work<'_>,
        purpose: &'static str,
    ) -> Result<Answer, Error> {
        self.solve_for(board, search, work, Some(purpose))
    }

    fn solve_for(
        &self,
        board: impl IntoBoard,
        search: &Search,
        work: Work<'_>,
        proof: Option<&'static str>,
    ) -> Result<Answer, Error> {
        let (board, goal) = match self.read(board)? {
            GivenBoard::Unsolvable(answer) => return Ok(answer),
            GivenBoard::Open(board, goal) => (board, goal),
        };
        let engine = self.engine_with(&goal, search)?;
        if let Some(search) = proof
            && !engine.is_admissible()
        {
            return Err(SearchError::Inadmissible { search }.into());
        }
        self.solve_by(&engine, board, search, work)
    }

    fn solve_by(
        &self,
        engine: &Engine,
        board: Board,
        search: &Search,
        work: Work<'_>,
    ) -> Result<Answer, Error> {
        let source = OneBoard {
            tables: self,
            search,
            board,
            is_taken: false.into(),
            outcome: OnceLock::new(),
        };
        // A search by its name has one thread per board.
        let thread_count = search.mode.search_name().map_or(search.thread_count, |_| 1);
        let sharing = Sharing { boards_at_once: Some(1), ..work.sharing };
        search_boards(engine, &source, search, &Work { thread_count, sharing, ..work });
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
        let mut answer = Answer::new(board, engine, confirmed([engine], outcome)?);
        if search.within.is_some()
            && let Status::Limit { kind, lower_bound } = answer.status
        {
            // The time was too short for a better one.
            let moves = solve_by_lines(board, engine.goal()).expect("the search has begun");
            let is_met = engine.metric().count(&moves) as u32 == lower_bound;
            answer.status = if is_met && engine.is_admissible() {
                Status::Optimal { moves }
            } else {
                Status::Solved { moves, lower_bound, limit: Some(kind) }
            };
        }
        search.excuse(&mut answer.status);
        Ok(self.with_optimum(answer, engine, search))
    }

    /// Reports a better solution of a board.
    pub(crate) fn report_solution(&self, search: &Search, state: SolutionState<'_>) {
        self.watched(search).tell(&Event::Solution(state));
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
        // Each board has its own share of a thread's time.
        None if search.is_limited() && work.sharing.boards_at_once != Some(1) => {
            // All threads share the memory of one improvement, if none is named.
            let share = |improvement: Improvement| {
                let memory = improvement.memory / work.thread_count as u64;
                Improvement { memory: search.memory_bytes.unwrap_or(memory), ..improvement }
            };
            let improvement = work.improvement.map(share);
            solve_each(boards, work, &|board, limits| {
                engine.solve(board, &Work { limits, thread_count: 1, improvement, ..*work })
            });
        }
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

    fn improved(&self, _: u64, moves: &[Direction], lower_bound: u32, elapsed: Duration) {
        let board = self.board;
        let metric = self.tables.metric();
        let state = SolutionState { board, moves, metric, lower_bound, elapsed };
        self.tables.report_solution(self.search, state);
    }
}
