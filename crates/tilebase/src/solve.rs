//! Search of one board.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use pdb_core::{Board, Direction};
use pdb_lab::{Engine, Proof, SearchName};
use pdb_search::{
    Boards, BoundCount, Improvement, LimitKind, Next, Outcome, SearchError, Sharing, Status,
    Weight, Work, solve_by_lines, solve_each,
};

use crate::answer::{Answer, GivenBoard};
use crate::cancel::Cancel;
use crate::error::Error;
use crate::event::{BoundState, Event, SolutionState};
use crate::handle::Tilebase;
use crate::into_board::IntoBoard;
use crate::ladder::Ladder;
use crate::search::{Mode, Search};
use crate::shelf::confirmed;

/// Time for a solution of a board whose search the caller ended before it had one.
const MOMENT: Duration = Duration::from_millis(500);

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
    /// The search begins with the tables that exist or are built in a moment. A handle that chooses
    /// its tables builds better ones beside a search that takes longer, and goes on with them. The
    /// limits include that: if one or the caller ends the search, the answer is the best known
    /// solution, with the bound that is proved by then. Complete tables are kept.
    ///
    /// # Errors
    /// As [`solve`](Self::solve).
    pub fn solve_with(&self, board: impl IntoBoard, search: &Search) -> Result<Answer, Error> {
        Ok(self.solve_for(board, search, None)?.0)
    }

    /// Gives the answer of an interrupted board a solution if it has none.
    ///
    /// # Errors
    /// As [`solve`](Self::solve).
    pub(crate) fn with_solution(&self, answer: Answer, search: &Search) -> Result<Answer, Error> {
        let Status::Limit { kind: kind @ LimitKind::Interrupted, lower_bound: proved } =
            answer.status
        else {
            return Ok(answer);
        };
        let engine = match self.open_engine(&answer.goal) {
            Some(engine) => engine,
            None => Arc::new(self.tableless(&answer.goal, search)?),
        };
        let short = Search {
            time: None,
            within: Some(MOMENT),
            mode: Mode::Auto,
            cancel: Cancel::new(),
            crew: None,
            ..search.clone()
        };
        let outcome = self.search_one(&engine, answer.board, &short, self.work(&short));
        let found = self.answer(&answer.board, &engine, outcome, &short)?;
        let status = match found.status {
            Status::Solved { moves, lower_bound, .. } => {
                let lower_bound = lower_bound.max(proved);
                Status::Solved { moves, lower_bound, limit: Some(kind) }
            }
            other => other,
        };
        Ok(Answer { status, ..answer })
    }

    /// Solves one board, also for a purpose that needs a proof and refuses a learned heuristic.
    /// Also returns the engine, unless the board is unsolvable.
    pub(crate) fn solve_for(
        &self,
        board: impl IntoBoard,
        search: &Search,
        purpose: Option<&'static str>,
    ) -> Result<(Answer, Option<Arc<Engine>>), Error> {
        let (board, goal) = match self.read(board)? {
            GivenBoard::Unsolvable(answer) => return Ok((answer, None)),
            GivenBoard::Open(board, goal) => (board, goal),
        };
        let mut ladder = Ladder::new(self, board, goal, search);
        ladder.purpose = purpose;
        let (answer, engine) = ladder.solve()?;
        Ok((answer, Some(engine)))
    }

    /// Searches one board on all threads of `work`.
    pub(crate) fn search_one(
        &self,
        engine: &Engine,
        board: Board,
        search: &Search,
        work: Work<'_>,
    ) -> Result<Outcome, SearchError> {
        let source = OneBoard {
            tables: self,
            engine,
            search,
            board,
            is_taken: false.into(),
            outcome: OnceLock::new(),
        };
        // A search by its name has one thread per board.
        let thread_count = search.mode.search_name().map_or(work.thread_count, |_| 1);
        let sharing = Sharing { boards_at_once: Some(1), ..work.sharing };
        let work = Work { thread_count, sharing, ..work };
        search_boards(engine, &source, search, &work);
        source.outcome.into_inner().expect("every board is answered")
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
        let is_late = |kind| kind == LimitKind::Time && search.mode.search_name().is_none();
        if let Status::Limit { kind, lower_bound } = answer.status
            && (search.within.is_some() || is_late(kind))
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
        (engine, search): (&Engine, &Search),
        board: &Board,
        bounds: &[BoundCount],
        elapsed: Duration,
    ) {
        let proves = |name: SearchName| name.row().proof == Proof::Shortest;
        let is_proof = engine.is_admissible() && search.mode.search_name().is_none_or(proves);
        let state = BoundState::last(board, bounds, engine.metric(), is_proof, elapsed);
        if let Some(state) = state {
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
    engine: &'a Engine,
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
        self.tables.report_bound((self.engine, self.search), &self.board, bounds, elapsed);
    }

    fn improved(&self, _: u64, moves: &[Direction], lower_bound: u32, elapsed: Duration) {
        let board = self.board;
        let metric = self.tables.metric();
        let state = SolutionState { board, moves, metric, lower_bound, elapsed };
        self.tables.report_solution(self.search, state);
    }
}
