//! Search of one board, with better and better tables.
//!
//! 1. The search begins at once: with the tables that are open, those that exist or are built in a
//!    moment, or none.
//! 2. Better tables are built beside it from the time on that their build takes; from a quarter of
//!    it on where the proof would take longer than the build. The build has the threads of the
//!    proof meanwhile. Limits choose nothing, so each search begins as all shorter ones do.
//! 3. When they are built, the search goes on with them, from the proved bound and with the known
//!    solution. Its end, by a proof, a limit or the caller, ends the build; complete tables stay.
//!
//! Tables that the caller has named, or that are for many boards, are awaited instead: a search
//! without tables beside their build has the answer only if a limit or the caller ends both.

use std::sync::Arc;

use pdb_core::{Board, Goal};
use pdb_lab::Engine;
use pdb_search::{Account, Outcome, SearchError, Work};
#[cfg(feature = "build")]
use {
    crate::best::BestSpec,
    crate::cancel::Cancel,
    crate::event::Event,
    crate::names::SpecChoice,
    crate::search::Mode,
    crate::shelf::{MissingTables, Readiness, confirm},
    crate::sync::{AtEnd, lock},
    crossbeam::channel::{Receiver, RecvTimeoutError, bounded},
    pdb_lab::HeuristicName,
    pdb_search::{LimitKind, Status},
    pdb_spec::Spec,
    std::panic::resume_unwind,
    std::sync::Mutex,
    std::thread,
    std::time::Duration,
};

use crate::answer::Answer;
use crate::error::Error;
use crate::handle::Tilebase;
use crate::search::Search;
use crate::trial::Trial;

/// Time of a build that a search waits for, at most.
#[cfg(feature = "build")]
const MOMENT: Duration = Duration::from_millis(100);
/// Cells of the largest boards whose specs are chosen in a moment.
#[cfg(feature = "build")]
const CHOICE_CELLS_MAX: usize = 36;
/// Time between two looks at the clock.
#[cfg(feature = "build")]
const POLL: Duration = Duration::from_millis(2);

/// Search of one board, with better and better tables.
pub(crate) struct Ladder<'a> {
    tables: &'a Tilebase,
    board: Board,
    goal: Goal,
    trial: Trial,
    /// The solution and the bound of all searches of the board.
    pub(crate) account: Arc<Account>,
    /// The purpose of a proof, for a caller that refuses a learned heuristic.
    pub(crate) purpose: Option<&'static str>,
    /// The tables that are better than those of the search, and that there is room for.
    #[cfg(feature = "build")]
    missing: Mutex<Option<MissingTables>>,
}

/// An answer, and the engine that it is from.
pub(crate) type EngineAnswer = (Answer, Arc<Engine>);

/// An engine for a board; or the answer, if a limit or the caller came before it.
pub(crate) enum Opened {
    Engine(Arc<Engine>),
    #[cfg_attr(not(feature = "build"), expect(dead_code, reason = "builds alone are ended"))]
    Answer(Box<EngineAnswer>),
}

impl<'a> Ladder<'a> {
    /// Starts the clock of a search.
    pub(crate) fn new(tables: &'a Tilebase, board: Board, goal: Goal, search: &Search) -> Self {
        let (trial, account) = (Trial::begin(search.clone()), Arc::new(Account::new()));
        // Without a limit of time, a search does not depend on earlier ones.
        if let Some(kept) = search.kept.as_ref().filter(|_| search.limits().time.is_some()) {
            kept.tell(board, goal, tables.metric(), &account);
        }
        Self {
            tables,
            board,
            goal,
            trial,
            account,
            purpose: None,
            #[cfg(feature = "build")]
            missing: Mutex::default(),
        }
    }

    /// Solves the board, and keeps its solution for the next search of a trial.
    pub(crate) fn solve(&self) -> Result<EngineAnswer, Error> {
        let (answer, engine) = self.solve_now()?;
        if let Some(kept) = &self.trial.search.kept {
            kept.keep(&answer);
        }
        Ok((answer, engine))
    }

    fn solve_now(&self) -> Result<EngineAnswer, Error> {
        #[cfg(feature = "build")]
        if self.is_free() {
            return self.climb();
        }
        let best = self.tables.open_best(&self.goal, &self.trial.search)?;
        let opened =
            self.await_engine(best, |search| self.tables.renewed_engine(&self.goal, search))?;
        let engine = match opened {
            Opened::Engine(engine) => engine,
            Opened::Answer(answer) => return Ok(*answer),
        };
        if let Some(search) = self.purpose.filter(|_| !engine.is_admissible()) {
            return Err(SearchError::Inadmissible { search }.into());
        }
        let Trial { search, .. } = &self.trial;
        // Without a limit of time, a search is the same whether or not its tables were there.
        let goes_on = search.limits().time.is_some() && search.mode.search_name().is_none();
        let rest = self.trial.rest();
        let outcome = if goes_on && engine.is_admissible() {
            self.account.resume();
            self.search(&engine, search)
        } else {
            self.tables.search_one(&engine, self.board, &rest, self.work(&rest))
        };
        Ok((self.tables.answer(&self.board, &engine, outcome, &rest)?, engine))
    }

    /// Opens an engine, which `open` may build tables for, unless it is `opened`. Returns the
    /// answer of a search without tables instead if a time limit or the caller ends the build.
    pub(crate) fn await_engine(
        &self,
        opened: Option<Arc<Engine>>,
        open: impl FnOnce(&Search) -> Result<Arc<Engine>, Error>,
    ) -> Result<Opened, Error> {
        if let Some(engine) = opened {
            return Ok(Opened::Engine(engine));
        }
        #[cfg(feature = "build")]
        if self.tables.shelf().may_build && self.may_lack_tables()? {
            return self.await_build(open);
        }
        open(&self.trial.search).map(Opened::Engine)
    }

    /// Returns the work of a search.
    fn work<'s>(&self, search: &'s Search) -> Work<'s> {
        let work = self.tables.work(search);
        // A limit of nodes is for the proof, and for what the caller does with it.
        let improvement =
            work.improvement.filter(|_| self.purpose.is_none() || search.nodes.is_none());
        Work { improvement, ..work }
    }

    /// Searches on from what is known.
    fn search(&self, engine: &Engine, search: &Search) -> Result<Outcome, SearchError> {
        let work = Work { account: Some(&self.account), ..self.work(search) };
        self.tables.search_one(engine, self.board, search, work)
    }
}

#[cfg(feature = "build")]
impl Ladder<'_> {
    /// Returns whether the tables are chosen here, and may be built.
    fn is_free(&self) -> bool {
        let shelf = self.tables.shelf();
        matches!(self.tables.choice(), SpecChoice::Best)
            && shelf.may_build
            && self.trial.search.mode.search_name().is_none()
    }

    /// Returns whether tables may have to be built before the engine is opened.
    fn may_lack_tables(&self) -> Result<bool, Error> {
        Ok(match self.tables.choice().heuristic(&self.goal)? {
            Some(HeuristicName::Basic(_) | HeuristicName::Own(_)) => false,
            Some(HeuristicName::Tables { .. }) | None => {
                self.tables.to_build(&self.goal)?.is_some()
            }
            Some(_) => true,
        })
    }

    /// Opens an engine, which `open` builds tables for, beside a search without tables. Returns the
    /// answer of that search if a time limit or the caller ends the build.
    fn await_build(
        &self,
        open: impl FnOnce(&Search) -> Result<Arc<Engine>, Error>,
    ) -> Result<Opened, Error> {
        let search = &self.trial.search;
        let tableless = Arc::new(self.tables.tableless(&self.goal, search)?);
        let make = |build: &Cancel, _: &Receiver<()>| {
            open(&Search { cancel: build.clone(), ..search.clone() }).map(Some)
        };
        let (outcome, made) = self.beside(&tableless, true, make)?;
        match made {
            Err(error) if error.is_interrupted() => {
                let answer = self.answer(&tableless, outcome)?;
                Ok(Opened::Answer(Box::new((answer, tableless))))
            }
            made => Ok(Opened::Engine(made?.expect("an engine is opened"))),
        }
    }

    /// Searches with one engine after another.
    fn climb(&self) -> Result<EngineAnswer, Error> {
        let search = &self.trial.search;
        let mut engine = match self.first()? {
            Opened::Engine(engine) => engine,
            Opened::Answer(answer) => return Ok(*answer),
        };
        let mut earlier: Vec<Outcome> = Vec::new();
        loop {
            self.account.resume();
            let (outcome, better) = if self.tables.is_best(&engine) {
                (self.search(&engine, search), Ok(None))
            } else {
                let make =
                    |build: &Cancel, ended: &Receiver<()>| self.better(&engine, build, ended);
                self.beside(&engine, false, make)?
            };
            let is_left = |outcome: &Outcome| {
                outcome.status.limit() == Some(LimitKind::Interrupted)
                    && !search.cancel.is_cancelled()
            };
            match (outcome, better) {
                (Ok(outcome), Ok(Some(better))) if is_left(&outcome) => {
                    // The bound is proved if the tables are right.
                    confirm(&engine)?;
                    earlier.push(outcome);
                    engine = better;
                    *lock(&self.missing) = None;
                }
                (outcome, better) => {
                    if let Some(error) = better.err().filter(|error| !error.is_interrupted()) {
                        let (reason, heuristic) = (&*error.to_string(), engine.name());
                        let event = Event::Fallback { reason, heuristic, better: None };
                        self.tables.watched(search).tell(&event);
                    }
                    let mut answer = self.answer(&engine, outcome)?;
                    for Outcome { expanded, lookups, bounds, .. } in earlier {
                        // The answer has the nodes of all improvements.
                        answer.generated += bounds.iter().map(|bound| bound.generated).sum::<u64>();
                        answer.expanded += expanded;
                        answer.lookups += lookups;
                    }
                    // A moment is too short to ask for tables.
                    if matches!(answer.status, Status::Solved { .. } | Status::Limit { .. })
                        && let Some(missing) = &*lock(&self.missing)
                    {
                        self.tables.tell_missing(&engine, missing, search);
                    }
                    return Ok((answer, engine));
                }
            }
        }
    }

    /// Returns the time of a build that the search waits for.
    fn moment(&self) -> Duration {
        let limit = self.trial.search.limits().time;
        limit.map_or(MOMENT, |time| MOMENT.min(time / 8))
    }

    /// Step 1. Returns the answer instead if a limit or the caller ends it.
    fn first(&self) -> Result<Opened, Error> {
        let Self { tables, goal, .. } = *self;
        let search = &self.trial.search;
        if let Some(engine) = tables.open_engine(&goal) {
            return Ok(Opened::Engine(engine));
        }
        if goal.shape().cell_count() > CHOICE_CELLS_MAX || goal.shape().is_line() {
            return tables.tableless(&goal, search).map(|engine| Opened::Engine(Arc::new(engine)));
        }
        let time_max = tables.on_two_threads(self.moment(), search);
        let make = |spec: &Spec, search: &Search| {
            let make = || tables.engine_of(&goal, &HeuristicName::from(spec), search);
            tables.engines().get_or_make(&goal, &search.cancel, make)
        };
        let engine = match tables.shelf().best_spec(&goal, tables.metric(), time_max)? {
            BestSpec::Ready(spec) => make(&spec, search)?,
            BestSpec::Buildable(spec, _) => {
                return self.await_build(|search| make(&spec, search));
            }
            BestSpec::Unavailable(Some(Readiness::Buildable(_))) => {
                Arc::new(tables.tableless(&goal, search)?)
            }
            BestSpec::Unavailable(lack) => {
                let make = || tables.without_tables(&goal, lack.as_ref(), search);
                tables.engines().get_or_make(&goal, &search.cancel, make)?
            }
        };
        Ok(Opened::Engine(engine))
    }

    /// Step 2. Returns a better engine; `None` if there is none, or after the end of the search.
    fn better(
        &self,
        engine: &Arc<Engine>,
        build: &Cancel,
        ended: &Receiver<()>,
    ) -> Result<Option<Arc<Engine>>, Error> {
        let Self { tables, goal, .. } = self;
        if !self.lasts(|| MOMENT, ended) {
            return Ok(None);
        }
        let search = Search { cancel: build.clone(), ..self.trial.search.clone() };
        let Some((spec, time)) = self.next(engine, ended)? else { return Ok(None) };
        if !self.lasts(|| self.due(time), ended) {
            return Ok(None);
        }
        let make = || {
            self.account.pause(true);
            let _made = AtEnd(|| self.account.pause(false));
            tables.engine_of(goal, &HeuristicName::from(&spec), &search)
        };
        let open = tables.open_engine(goal).filter(|open| Arc::ptr_eq(open, engine));
        tables.engines().replace(goal, open.as_ref(), build, make).map(Some)
    }

    /// Returns the next spec, and the time of its build: the best one that is due, or the one that
    /// is due first.
    fn next(
        &self,
        engine: &Engine,
        ended: &Receiver<()>,
    ) -> Result<Option<(Spec, Duration)>, Error> {
        let shelf = self.tables.shelf();
        let thread_count = self.tables.threads(&self.trial.search) as u32;
        let mut next: Option<(Spec, Duration)> = None;
        for spec in self.tables.better_specs(engine) {
            let plan = spec.for_goal(&self.goal)?;
            let time = match shelf.readiness(&spec.name, &plan) {
                Readiness::Ready => Duration::ZERO,
                Readiness::Buildable(missing) => {
                    let time = missing.build_time() * 2 / thread_count;
                    lock(&self.missing).get_or_insert(missing);
                    time
                }
                _ => continue,
            };
            // The choice takes a second on the largest boards.
            if !self.lasts(|| MOMENT, ended) {
                return Ok(None);
            }
            let (elapsed, due) = (self.account.elapsed(), self.due(time));
            if next.as_ref().is_none_or(|(_, first)| self.due(*first) > elapsed.max(due)) {
                next = Some((spec, time));
            }
        }
        Ok(next)
    }

    /// Returns the time of the search at which a build of a time is due.
    fn due(&self, build: Duration) -> Duration {
        match self.account.proof_time() {
            Some(proof) if proof > build => build / 4,
            _ => build,
        }
    }

    /// Waits for a time of the search. Returns whether the search lasts until then.
    fn lasts(&self, time: impl Fn() -> Duration, ended: &Receiver<()>) -> bool {
        loop {
            let left = time().saturating_sub(self.account.elapsed());
            if ended.recv_timeout(left.min(POLL)) != Err(RecvTimeoutError::Timeout) {
                return false;
            }
            if left.is_zero() {
                return true;
            }
        }
    }

    /// Searches with an engine while `make` makes a better one, and leaves the search when that is
    /// made. `make` gets the flag that ends it, and a channel that closes at the end of the search.
    /// If the better engine is awaited, a proof does not end `make`.
    #[allow(clippy::type_complexity, reason = "one result of each thread")]
    fn beside(
        &self,
        engine: &Engine,
        is_awaited: bool,
        make: impl FnOnce(&Cancel, &Receiver<()>) -> Result<Option<Arc<Engine>>, Error>,
    ) -> Result<(Result<Outcome, SearchError>, Result<Option<Arc<Engine>>, Error>), Error> {
        let build = Cancel::new();
        let ((searching, ended), (making, made)) = (bounded::<()>(0), bounded::<()>(0));
        thread::scope(|scope| {
            let of_search = build.clone();
            let search = move || {
                let _searching = searching;
                let _ended = AtEnd(|| of_search.cancel());
                let Trial { search, .. } = &self.trial;
                let alone =
                    Search { nodes: None, thread_count: 1, mode: Mode::Auto, ..search.clone() };
                let limit = search.limits().time;
                if is_awaited {
                    self.wait(&made, Some(self.moment()));
                }
                let outcome = self.search(engine, if is_awaited { &alone } else { search });
                let is_optimal =
                    |outcome: &Outcome| matches!(outcome.status, Status::Optimal { .. });
                if is_awaited && outcome.as_ref().is_ok_and(is_optimal) {
                    self.wait(&made, limit);
                }
                outcome
            };
            let searched = pdb_core::thread_builder().spawn_scoped(scope, search);
            let searched = searched.map_err(|source| Error::Threads { source })?;
            let better = {
                let _panicked = AtEnd(|| {
                    if thread::panicking() {
                        self.account.interrupt();
                    }
                });
                make(&build, &ended)
            };
            if !matches!(better, Ok(None)) && (is_awaited || better.is_ok()) {
                self.account.interrupt();
            }
            drop(making);
            let outcome = searched.join().unwrap_or_else(|panic| resume_unwind(panic));
            Ok((outcome, better))
        })
    }

    /// Waits until an engine is made, until a time of the search, or until the caller cancels it.
    fn wait(&self, made: &Receiver<()>, until: Option<Duration>) {
        let is_left = || until.is_none_or(|until| self.account.elapsed() < until);
        while is_left() && !self.trial.search.cancel.is_cancelled() {
            if made.recv_timeout(POLL) != Err(RecvTimeoutError::Timeout) {
                break;
            }
        }
    }

    /// Makes the answer of the last search.
    fn answer(
        &self,
        engine: &Engine,
        outcome: Result<Outcome, SearchError>,
    ) -> Result<Answer, Error> {
        let search = &self.trial.search;
        let answer = self.tables.answer(&self.board, engine, outcome, search)?;
        self.tables.with_solution(answer, search)
    }
}
