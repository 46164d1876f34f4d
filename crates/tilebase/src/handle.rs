//! The handle: options, tables, and one engine for each goal.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use pdb_core::{BoardError, Goal, Metric, Shape};
use pdb_lab::{Engine, HeuristicName};
use pdb_search::{Limits, Work};

use crate::answer::{Answer, GivenBoard};
use crate::crew::CrewTask;
use crate::error::Error;
use crate::explain::{Explainer, Explanation};
use crate::into_board::IntoBoard;
use crate::names::{GoalChoice, SpecChoice};
use crate::per_goal::PerGoal;
use crate::search::Search;
use crate::shelf::Shelf;

/// Solver of boards by the tables of a spec, or by the best tables there are.
///
/// Cloning it is cheap; all clones share the open tables, and any number of threads may use it at
/// once. Tables are opened once, at the first board of each goal if not before.
///
/// ```
/// use tilebase::Tilebase;
///
/// # let folder = tempfile::tempdir()?;
/// # let builder = || Tilebase::builder().folder(folder.path());
/// // Or `Tilebase::ensure("8/whole", |event| ..)`, for tables in the shared folder.
/// let tables = builder().spec("8/whole").ensure()?;
/// let answer = tables.solve("8 6 7/2 5 4/3 0 1")?;
/// assert_eq!(answer.length(), Some(31));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Tilebase(Arc<Inner>);

struct Inner {
    spec: SpecChoice,
    goal: GoalChoice,
    metric: Metric,
    shelf: Shelf,
    search: Search,
    engines: PerGoal<Engine>,
    explainers: PerGoal<Explainer>,
    /// Tables that prove the optimum after a learned heuristic found a solution.
    provers: PerGoal<Option<Engine>>,
}

impl fmt::Debug for Tilebase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Inner { spec, goal, shelf, search, .. } = &*self.0;
        f.debug_struct("Tilebase")
            .field("spec", spec)
            .field("goal", goal)
            .field("shelf", shelf)
            .field("search", search)
            .finish_non_exhaustive()
    }
}

impl Tilebase {
    pub(crate) fn new(
        spec: SpecChoice,
        goal: GoalChoice,
        metric: Metric,
        shelf: Shelf,
        search: Search,
    ) -> Self {
        let (engines, explainers, provers) = Default::default();
        Self(Arc::new(Inner { spec, goal, metric, shelf, search, engines, explainers, provers }))
    }

    /// Opens everything that is known to be needed before the first board.
    pub(crate) fn opened(self) -> Result<Self, Error> {
        if let Some(shape) = self.shape() {
            self.engine(&self.goal(shape)?)?;
        }
        Ok(self)
    }

    /// Returns the folder of the tables, and the limits of opening and building them.
    pub fn shelf(&self) -> &Shelf {
        &self.0.shelf
    }

    /// Returns the options of searches that are called without options, such as
    /// [`solve`](Self::solve).
    pub fn search(&self) -> &Search {
        &self.0.search
    }

    /// Returns what counts as one move.
    pub fn metric(&self) -> Metric {
        self.0.metric
    }

    pub(crate) fn choice(&self) -> &SpecChoice {
        &self.0.spec
    }

    #[cfg(feature = "build")]
    pub(crate) fn engines(&self) -> &PerGoal<Engine> {
        &self.0.engines
    }

    pub(crate) fn provers(&self) -> &PerGoal<Option<Engine>> {
        &self.0.provers
    }

    /// Returns the description of a search with an engine of this handle for a
    /// [`Crew`](crate::crew::Crew).
    pub fn task<'a>(
        &'a self,
        engine: &'a Engine,
        search: &'a Search,
        stop: &'a AtomicBool,
        has_failed: &'a AtomicBool,
    ) -> CrewTask<'a> {
        let Shelf { folder, residence, trusts_tables, .. } = self.shelf();
        CrewTask {
            engine,
            choice: &self.0.spec,
            folder,
            residence: *residence,
            trusts_tables: *trusts_tables,
            search: search.mode.search_name(),
            sharing: self.work(search).sharing,
            limits: search.limits(),
            stop,
            has_failed,
        }
    }

    /// Returns the work of a search, with the threads of the handle if it names none.
    pub(crate) fn work<'a>(&self, search: &'a Search) -> Work<'a> {
        Work { thread_count: self.threads(search), ..search.work() }
    }

    /// Returns the work of a search that another flag stops than that of the caller.
    pub(crate) fn work_until<'a>(&self, search: &'a Search, stop: &'a AtomicBool) -> Work<'a> {
        let work = self.work(search);
        Work { limits: Limits { stop: Some(stop), ..work.limits }, ..work }
    }

    /// Returns the number of threads of a search.
    pub(crate) fn threads(&self, search: &Search) -> usize {
        if search.thread_count == 0 { self.search().threads() } else { search.thread_count }
    }

    /// Returns the shape of boards that do not show it themselves, if the spec or the goal
    /// determines it.
    pub fn shape(&self) -> Option<Shape> {
        self.0.goal.shape().or(self.0.spec.shape())
    }

    /// Returns the goal for boards of a shape.
    ///
    /// # Errors
    /// [`BoardError::OtherShape`] when the goal or the spec has another shape.
    pub fn goal(&self, shape: Shape) -> Result<Goal, BoardError> {
        let goal = self.0.goal.goal(shape)?;
        match &self.0.spec {
            // The builder checked that the spec leads to the goal.
            SpecChoice::Spec(spec) if ![shape, shape.transposed()].contains(&spec.goal.shape()) => {
                Err(BoardError::OtherShape { expected: spec.goal.shape(), found: shape })
            }
            _ => Ok(goal),
        }
    }

    /// Reads a board, and decides by parity whether it needs a search.
    pub(crate) fn read(&self, board: impl IntoBoard) -> Result<GivenBoard, Error> {
        let board = board.into_board(self.shape())?;
        let goal = self.goal(board.shape())?;
        Ok(match goal.check_solvable(&board) {
            Ok(()) => GivenBoard::Open(board, goal),
            Err(reason) => {
                let metric = self.metric();
                GivenBoard::Unsolvable(Answer::unsolvable(&board, &goal, metric, reason))
            }
        })
    }

    /// Returns the engine for boards with a goal. The first call for a goal opens the tables;
    /// concurrent calls wait for it.
    ///
    /// # Errors
    /// As [`Builder::ensure`](crate::Builder::ensure); [`Error::Again`] when an earlier call has
    /// failed.
    pub fn engine(&self, goal: &Goal) -> Result<Arc<Engine>, Error> {
        self.engine_with(goal, self.search())
    }

    /// Returns the engine for boards with a goal, like [`engine`](Self::engine), for a search. Its
    /// flag stops the build of missing tables, or the wait for another thread that builds them. The
    /// next call builds them again.
    ///
    /// # Errors
    /// As [`engine`](Self::engine); [`Error::Interrupted`] or [`Error::Build`] when it was
    /// cancelled.
    pub fn engine_with(&self, goal: &Goal, search: &Search) -> Result<Arc<Engine>, Error> {
        if let Some(engine) = self.open_engine(goal) {
            return Ok(engine);
        }
        // Before tables are opened or built for it.
        if let Some(name) = search.mode.search_name() {
            name.expect_metric(self.metric())?;
        }
        self.0.engines.get_or_make(goal, &search.cancel, || self.chosen_engine(goal, search))
    }

    /// Returns the engine for many boards with a goal, or for a long search: better tables than
    /// those that are open, if they are there or may be built.
    pub(crate) fn renewed_engine(
        &self,
        goal: &Goal,
        search: &Search,
    ) -> Result<Arc<Engine>, Error> {
        let Some(open) = self.open_engine(goal) else { return self.engine_with(goal, search) };
        let make = || self.chosen_engine(goal, search);
        self.0.engines.replace(goal, Some(&open), &search.cancel, make)
    }

    fn chosen_engine(&self, goal: &Goal, search: &Search) -> Result<Engine, Error> {
        match self.0.spec.heuristic(goal)? {
            Some(name) => self.engine_of(goal, &name, search),
            None => self.best(goal, search),
        }
    }

    /// Returns the engine for boards with a goal if it is open.
    pub(crate) fn open_engine(&self, goal: &Goal) -> Option<Arc<Engine>> {
        self.0.engines.get(goal)
    }

    /// Opens the engine of any heuristic for a search, anew at each call. Missing tables are built
    /// if the handle may build, with the threads of the search, whose flag stops that.
    ///
    /// # Errors
    /// As [`Builder::ensure`](crate::Builder::ensure).
    pub fn engine_of(
        &self,
        goal: &Goal,
        name: &HeuristicName,
        search: &Search,
    ) -> Result<Engine, Error> {
        self.shelf().engine(goal, self.metric(), name, &self.watched(search))
    }

    /// Returns a search with the options that it leaves to the handle.
    pub(crate) fn watched(&self, search: &Search) -> Search {
        search.clone().or(self.search())
    }

    /// Explains a board without a search: whether it can be solved and why, each heuristic's
    /// estimate part by part, and the size of its space.
    ///
    /// Heuristics that need no table are always explained, Walking Distance where its tables exist
    /// or are quick to build. The pattern databases of the spec are explained; without a spec,
    /// those whose tables existed when the first board of the goal was explained.
    ///
    /// A board without a solution is explained by its parity alone, and no table is opened for it.
    ///
    /// # Errors
    /// As [`solve`](Self::solve).
    pub fn explain(&self, board: impl IntoBoard) -> Result<Explanation, Error> {
        self.explain_with(board, self.search())
    }

    /// Explains a board, like [`explain`](Self::explain). `search` has the threads that build the
    /// tables that it needs, and the flag that stops them.
    ///
    /// # Errors
    /// As [`solve`](Self::solve); [`Error::Interrupted`] or [`Error::Build`] when it was cancelled.
    pub fn explain_with(
        &self,
        board: impl IntoBoard,
        search: &Search,
    ) -> Result<Explanation, Error> {
        let (board, goal) = match self.read(board)? {
            GivenBoard::Open(board, goal) => (board, goal),
            GivenBoard::Unsolvable(Answer { board, goal, .. }) => {
                let metric = self.metric();
                let explainer = Explainer::open(&goal, metric, None, self.shelf(), search)?;
                return explainer.explain(&board);
            }
        };
        let make = || {
            let watched = self.watched(search);
            Explainer::open(&goal, self.metric(), Some(&self.0.spec), self.shelf(), &watched)
        };
        self.0.explainers.get_or_make(&goal, &search.cancel, make)?.explain(&board)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test ends where something is not as it should be")]

    use std::time::Duration;

    use super::*;

    #[test]
    fn search_keeps_the_options_of_the_handle_that_it_leaves_open() {
        let builder = || Tilebase::builder().spec("manhattan").threads(3).watch(|_| ());
        let within = Search { within: Some(Duration::from_secs(1)), ..Search::default() };
        for tables in [builder(), builder().search(within.clone())] {
            let tables = tables.lazy_open().unwrap();
            let stop = AtomicBool::new(false);
            let threads = |search: &Search| {
                let works = [tables.work(search), tables.work_until(search, &stop)];
                let own = [tables.threads(search), tables.watched(search).thread_count];
                works.map(|work| work.thread_count).into_iter().chain(own).collect::<Vec<_>>()
            };
            assert_eq!(threads(&within), [3; 4]);
            assert_eq!(threads(&Search { thread_count: 2, ..within.clone() }), [2; 4]);
            assert!(tables.watched(&within).watch.is_some());
        }
        let (sender, events) = std::sync::mpsc::channel();
        let search = builder().lazy_open().unwrap().search().clone();
        let last = builder().search(search).watch(move |_| _ = sender.send(()));
        last.lazy_open().unwrap().solve("8 6 7/2 5 4/3 0 1").unwrap();
        assert!(events.try_recv().is_ok(), "the last receiver is told");
        let tables = Tilebase::builder().spec("manhattan").lazy_open().unwrap();
        assert!(tables.search().thread_count > 0, "one for each core");
    }
}
