//! Search of one board.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::Duration;

use crossbeam::channel::{RecvTimeoutError, bounded};
use pdb_core::{Board, Direction, Goal};
use pdb_lab::{Engine, Proof, SearchName};
use pdb_search::{
    Boards, BoundCount, Improvement, LimitKind, Next, Outcome, SearchError, Sharing, Status,
    Weight, Work, solve_by_lines, solve_each,
};

use crate::answer::{Answer, GivenBoard};
use crate::best::without_tables;
use crate::cancel::Cancel;
use crate::error::Error;
use crate::event::{BoundState, Event, SolutionState};
use crate::handle::Tilebase;
use crate::into_board::IntoBoard;
use crate::search::{Mode, Search};
use crate::shelf::confirmed;
use crate::trial::Trial;

/// Time for a solution without tables, after the build of the tables was stopped.
const MOMENT: Duration = Duration::from_millis(500);
/// Time between two looks at the flag of the caller while tables are built.
const POLL: Duration = Duration::from_millis(10);

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
    /// The time limits include the build of missing tables. If a limit or the caller stops it, the
    /// answer is the best solution that half a second without tables finds, with the bound that is
    /// proved by then. Complete tables are kept, and the next call builds the others.
    ///
    /// # Errors
    /// As [`solve`](Self::solve).
    pub fn solve_with(&self, board: impl IntoBoard, search: &Search) -> Result<Answer, Error> {
        let (board, goal) = match self.read(board)? {
            GivenBoard::Unsolvable(answer) => return Ok(answer),
            GivenBoard::Open(board, goal) => (board, goal),
        };
        let trial = Trial::new(search.clone());
        match self.engine_in_time(&goal, search) {
            Ok(engine) => {
                let rest = &trial.rest();
                self.solve_by(&engine, board, rest, self.work(rest))
            }
            Err(error) if error.is_interrupted() => self.solve_without_tables(board, &goal, &trial),
            Err(error) => Err(error),
        }
    }

    /// Returns the engine for boards with a goal, and stops the build of its tables in time for an
    /// answer within the limits of a search.
    ///
    /// # Errors
    /// As [`engine_with`](Self::engine_with); that of an interruption when the time is over.
    pub(crate) fn engine_in_time(
        &self,
        goal: &Goal,
        search: &Search,
    ) -> Result<Arc<Engine>, Error> {
        let time = search.limits().time.filter(|_| self.shelf().may_build);
        let (Some(time), None) = (time, self.open_engine(goal)) else {
            return self.engine_with(goal, search);
        };
        let time = time.saturating_sub(MOMENT.min(time / 4));
        let (trial, build) = (Trial::new(Search::default()), Cancel::new());
        let (done, ended) = bounded::<()>(0);
        let attend = || {
            while ended.recv_timeout(POLL) == Err(RecvTimeoutError::Timeout) {
                if search.cancel.is_cancelled() || trial.elapsed() >= time {
                    build.cancel();
                }
            }
        };
        thread::scope(|scope| {
            let spawned = pdb_core::thread_builder().spawn_scoped(scope, attend);
            spawned.map_err(|source| Error::Threads { source })?;
            let search = Search { cancel: build.clone(), ..search.clone() };
            let engine = self.engine_with(goal, &search);
            drop(done);
            engine
        })
    }

    /// Answers a board whose tables were not built in time: with the best solution that a moment
    /// without tables finds.
    ///
    /// # Errors
    /// As [`solve`](Self::solve).
    pub(crate) fn solve_without_tables(
        &self,
        board: Board,
        goal: &Goal,
        trial: &Trial,
    ) -> Result<Answer, Error> {
        let search = &trial.search;
        let (name, _) = without_tables(goal, self.metric());
        let engine = self.make_engine(goal, &name, search)?;
        let (kind, moment) = match trial.rest().limits().time {
            Some(left) if !search.cancel.is_cancelled() => (LimitKind::Time, left),
            _ => (LimitKind::Interrupted, MOMENT),
        };
        let mut answer = self.solve_for_moment(&engine, board, search, moment)?;
        if let Status::Solved { limit, .. } = &mut answer.status {
            *limit = Some(kind);
        }
        search.excuse(&mut answer.status);
        Ok(answer)
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
        let Some(engine) = self.open_engine(&answer.goal) else { return Ok(answer) };
        let found = self.solve_for_moment(&engine, answer.board, search, MOMENT)?;
        let status = match found.status {
            Status::Solved { moves, lower_bound, .. } => {
                let lower_bound = lower_bound.max(proved);
                Status::Solved { moves, lower_bound, limit: Some(kind) }
            }
            other => other,
        };
        Ok(Answer { status, ..answer })
    }

    /// Solves a board for a moment, even if the search was cancelled.
    fn solve_for_moment(
        &self,
        engine: &Engine,
        board: Board,
        search: &Search,
        moment: Duration,
    ) -> Result<Answer, Error> {
        let short = Search {
            time: None,
            within: Some(moment),
            mode: Mode::Auto,
            cancel: Cancel::new(),
            crew: None,
            ..search.clone()
        };
        self.solve_by(engine, board, &short, self.work(&short))
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
        let (board, goal) = match self.read(board)? {
            GivenBoard::Unsolvable(answer) => return Ok(answer),
            GivenBoard::Open(board, goal) => (board, goal),
        };
        let engine = self.engine_with(&goal, search)?;
        if !engine.is_admissible() {
            return Err(SearchError::Inadmissible { search: purpose }.into());
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
            engine,
            search,
            board,
            is_taken: false.into(),
            outcome: OnceLock::new(),
        };
        // A search by its name has one thread per board.
        let thread_count = search.mode.search_name().map_or(work.thread_count, |_| 1);
        let sharing = Sharing { boards_at_once: Some(1), ..work.sharing };
        let improvement = work.improvement.map(|found| improvement_of(engine, &board, found));
        let work = Work { thread_count, sharing, improvement, ..work };
        search_boards(engine, &source, search, &work);
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
                let improvement = improvement.map(|found| improvement_of(engine, board, found));
                engine.solve(board, &Work { limits, thread_count: 1, improvement, ..*work })
            });
        }
        None => engine.solve_all(boards, work),
    }
}

/// Share of the time that the improvement of a solution takes if the proof is out of reach.
const SHARE_WITHOUT_PROOF: f64 = 0.75;
/// Largest estimate of a board whose proof may end within minutes, on a board of more than 16 cells
/// without tables, or of more than 25 with tables.
const PROVABLE_ESTIMATE_MAX: u32 = 60;

/// Returns the improvement of a board's solution, which takes most of the time if the proof is out
/// of reach.
fn improvement_of(engine: &Engine, board: &Board, improvement: Improvement) -> Improvement {
    let cells_max = if engine.table_bytes() > 0 { 25 } else { 16 };
    let is_out_of_reach = board.shape().cell_count() > cells_max
        && engine.estimate(board).is_ok_and(|estimate| estimate > PROVABLE_ESTIMATE_MAX);
    let share = if is_out_of_reach { SHARE_WITHOUT_PROOF } else { 0.0 };
    Improvement { share: improvement.share.max(share), ..improvement }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Goal;

    #[test]
    fn improvement_takes_most_of_the_time_where_a_proof_cannot_end() {
        let folder = tempfile::tempdir().unwrap();
        Tilebase::builder().folder(folder.path()).spec("8/whole").ensure().unwrap();
        let share = |spec: &str, board: &str| {
            let board: Board = board.parse().unwrap();
            let tables = Tilebase::builder().folder(folder.path()).spec(spec).lazy_open().unwrap();
            let engine = tables.engine(&Goal::blank_last(board.shape())).unwrap();
            improvement_of(&engine, &board, Improvement::BESIDE_PROOF).share.to_bits()
        };
        let large = "24 9 22 6 18 32/19 1 5 15 3 14/11 4 30 0 12 34/35 33 26 17 31 2/\
                     10 23 21 16 20 29/8 13 28 27 25 7";
        let near = "1 2 3 4 5 6/7 8 9 10 11 12/13 14 15 16 17 18/19 20 21 22 23 24/\
                    25 26 27 28 29 30/31 32 33 34 0 35";
        let middle = "14 5 9 2 18/8 23 19 12 17/15 0 10 20 4/6 11 21 1 7/24 3 16 22 13";
        let proof = Improvement::BESIDE_PROOF.share;
        for (spec, board, expected) in [
            ("8/whole", "8 6 7/2 5 4/3 0 1", proof),
            ("manhattan", "15 14 8 12/10 11 9 13/2 6 5 1/3 7 4 0", proof),
            ("manhattan", near, proof),
            ("manhattan", middle, SHARE_WITHOUT_PROOF),
            ("manhattan", large, SHARE_WITHOUT_PROOF),
        ] {
            assert_eq!(share(spec, board), expected.to_bits(), "{spec} {board}");
        }
    }
}
