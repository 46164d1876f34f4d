//! An open heuristic with all searches.

use std::fmt;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use pdb_core::{Board, Direction, Goal, Metric, RootError, Shape};
use pdb_rt::{Database, OpenError, Table};
use pdb_search::packets::PacketSearch;
use pdb_search::{
    Boards, Claim, Guard, LazyOrder, Limits, Options, Outcome, SearchError, Verdict, Weight, Work,
    solve_each,
};
use self_cell::self_cell;

use crate::forms::HeuristicForms;
use crate::open_heuristic::{Open, OpenHeuristic, move_order};
use crate::orders::lazy_order;
use crate::parts::HeuristicParts;
use crate::searches::{Enumeration, SolutionQuery, Tell, slide_solutions, solutions};
use crate::{EngineError, HeuristicName, SearchName};

self_cell!(
    /// The tables, and the searches that use them.
    struct EngineCell {
        owner: OpenHeuristic,
        #[covariant]
        dependent: HeuristicForms,
    }
);

/// Default memory limit of A* per board, in bytes, for heuristics whose estimates may be too large.
const GUIDED_BYTES_MAX: u64 = 1 << 30;

/// A heuristic for one goal, with its tables open, and all searches with it.
///
/// It owns its tables, and any number of threads may use it at once. The preparations of a search
/// before its first board are made once and kept.
pub struct Engine {
    name: String,
    goal: Goal,
    metric: Metric,
    opened: EngineCell,
    /// The learned order for the goal.
    order: Arc<LazyOrder>,
    /// How often searches have asked whether its tables are sound.
    looks: AtomicU32,
}

impl fmt::Debug for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, goal, metric, .. } = self;
        let mut engine = f.debug_struct("Engine");
        engine.field("name", name).field("goal", goal).field("metric", metric);
        engine.finish_non_exhaustive()
    }
}

impl Engine {
    /// Opens the named heuristic for boards with the goal `goal`; `open` opens its tables.
    ///
    /// # Errors
    /// Those of `open`, and an [`EngineError`] when the heuristic does not fit board or goal.
    pub fn open<E: From<EngineError>>(
        name: &HeuristicName,
        goal: &Goal,
        open: &mut Open<'_, E>,
    ) -> Result<Self, E> {
        let opened = OpenHeuristic::open(name, goal, open)?;
        Ok(Self::new(name.to_string(), goal, Metric::default(), opened, lazy_order(goal, |_| None)))
    }

    fn new(
        name: String,
        goal: &Goal,
        metric: Metric,
        opened: OpenHeuristic,
        order: Arc<LazyOrder>,
    ) -> Self {
        let opened =
            EngineCell::new(opened, |opened| HeuristicForms::new(opened, goal, metric, &order));
        Self { name, goal: *goal, metric, opened, order, looks: AtomicU32::new(0) }
    }

    /// Returns the engine with other weights of its learned order than the embedded ones: those
    /// that `read` returns for the shape of a network, when a search first needs them.
    #[must_use]
    pub fn with_weights(
        self,
        read: impl FnOnce(Shape) -> Option<Vec<u8>> + Send + 'static,
    ) -> Self {
        let order = lazy_order(&self.goal, read);
        Self::new(self.name, &self.goal, self.metric, self.opened.into_owner(), order)
    }

    /// Returns the engine for a metric; without this call, each move of a single tile counts.
    ///
    /// # Errors
    /// [`EngineError::NoSlides`] if the heuristic does not bound slides of several tiles.
    pub fn in_metric(self, metric: Metric) -> Result<Self, EngineError> {
        if metric == self.metric {
            return Ok(self);
        }
        let engine = Self::new(self.name, &self.goal, metric, self.opened.into_owner(), self.order);
        if metric == Metric::MultiTile && engine.forms().solver.is_none() {
            return Err(EngineError::no_slides(&engine.name, &engine.goal));
        }
        Ok(engine)
    }

    /// Makes an engine of open tables, with a name.
    pub fn of_tables(name: &str, tables: Database) -> Self {
        let goal = *tables.goal();
        let (opened, order) = (OpenHeuristic::tables_of(tables), lazy_order(&goal, |_| None));
        Self::new(name.to_owned(), &goal, Metric::default(), opened, order)
    }

    /// Makes the engine of `walking-inversion` that shares the tables of Walking Distance with this
    /// one; `None` if this heuristic has other tables or none.
    pub fn with_inversions(&self) -> Option<Self> {
        let OpenHeuristic::Tables(tables) = self.opened.borrow_owner() else { return None };
        tables.walking()?;
        let opened = OpenHeuristic::WalkingInversion(Arc::clone(tables));
        let name = HeuristicName::WalkingInversion.to_string();
        Some(Self::new(name, &self.goal, self.metric, opened, Arc::clone(&self.order)))
    }

    /// Returns the name of the heuristic or its spec.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the goal of the boards.
    pub fn goal(&self) -> &Goal {
        &self.goal
    }

    /// Returns what counts as one move.
    pub fn metric(&self) -> Metric {
        self.metric
    }

    /// Returns the order in which moves are tried.
    pub fn order(&self) -> [Direction; 4] {
        move_order(&self.goal)
    }

    /// Returns whether its estimates are never larger than distances. The estimates of a learned
    /// heuristic prove only Manhattan distance, and searches that prove solutions by estimates
    /// refuse it ([`SearchError::Inadmissible`]).
    pub fn is_admissible(&self) -> bool {
        self.forms().estimator.is_admissible()
    }

    /// Returns its tables, each once.
    pub fn tables(&self) -> Vec<&Table> {
        self.opened.borrow_owner().tables()
    }

    /// Returns the size of its tables on disk, in bytes, each counted once.
    pub fn table_bytes(&self) -> u64 {
        self.tables().iter().map(|table| table.header().file_bytes()).sum()
    }

    /// Returns whether any of its tables are [trusted](pdb_rt::Unchecked::trust).
    pub fn is_trusted(&self) -> bool {
        self.databases().any(Database::is_trusted)
    }

    /// Waits until its tables are verified, as [`Database::confirm`]. Call it after a search and
    /// before its answer is used.
    ///
    /// # Errors
    /// Those of [`Database::confirm`].
    pub fn confirm(&self) -> Result<(), OpenError> {
        self.databases().try_for_each(Database::confirm)
    }

    /// Returns the databases that hold its tables; a heuristic without tables has none.
    pub fn databases(&self) -> impl Iterator<Item = &Database> {
        self.opened.borrow_owner().databases()
    }

    /// Returns the name of the heuristic without the folder of its spec's file, and the names of
    /// its tables with their digests. Parts of one search must have the same identity.
    pub fn identity(&self) -> (String, Vec<(String, String)>) {
        let path = Path::new(&self.name);
        let is_file = path.extension().is_some_and(|extension| extension == "toml");
        let name = path.file_name().filter(|_| is_file).map(|name| name.to_string_lossy().into());
        let table = |table: &Table| (table.header().key.file_name(), table.digest().to_string());
        let tables = self.tables().into_iter().map(table).collect();
        (name.unwrap_or_else(|| self.name.clone()), tables)
    }

    /// Returns the estimate of a board.
    ///
    /// # Errors
    /// [`RootError`] when the board has another shape than the goal or no solution, or a table is
    /// damaged.
    pub fn estimate(&self, board: &Board) -> Result<u32, RootError> {
        let HeuristicForms { estimator, solver, .. } = self.forms();
        if let Some(solver) = solver {
            // IDA*'s form of the tables may be faster to look up. It checks the board.
            return solver.estimate(board);
        }
        self.goal.check(board)?;
        estimator.estimate(board)
    }

    /// Takes the estimate of a board apart.
    ///
    /// # Errors
    /// [`RootError`] when the board has another shape than the goal, or a table is damaged.
    pub fn parts(&self, board: &Board) -> Result<HeuristicParts, RootError> {
        self.goal.check_shape(board).map_err(RootError::Board)?;
        let parts = self.opened.borrow_owner().parts(&self.goal, self.metric, board)?;
        Ok(HeuristicParts::new(&self.name, parts, self.is_trusted()))
    }

    /// Returns the estimates of boards. A network computes them together, which takes less time
    /// than one after another.
    ///
    /// # Errors
    /// The place of the first board with a [`RootError`], as [`estimate`](Self::estimate) returns
    /// it, and the error.
    pub fn estimate_all(&self, boards: &[Board]) -> Result<Vec<u32>, (usize, RootError)> {
        for (place, board) in boards.iter().enumerate() {
            self.goal.check(board).map_err(|error| (place, error))?;
        }
        if self.metric == Metric::MultiTile {
            let estimate = |(place, board)| self.estimate(board).map_err(|error| (place, error));
            return boards.iter().enumerate().map(estimate).collect();
        }
        self.forms().estimator.estimates(boards)
    }

    /// Solves one board, as [`Solver::solve`](pdb_search::Solver::solve). If estimates may be too
    /// large, it uses A*, and solutions need not be optimal.
    ///
    /// # Errors
    /// A [`SearchError`] when the board has another shape, or a table is damaged.
    pub fn solve(&self, board: &Board, work: &Work<'_>) -> Result<Outcome, SearchError> {
        let (forms, work) = self.begin(work);
        if let Some(solver) = &forms.solver {
            return solver.solve(board, &work);
        }
        let memory = work.limits.memory.or(Some(GUIDED_BYTES_MAX));
        let limits = Limits { memory, ..work.limits };
        self.search(SearchName::ASTAR, board, Weight::ONE, limits)
    }

    /// Solves boards in parallel, as [`Solver::solve_all`](pdb_search::Solver::solve_all).
    pub fn solve_all(&self, boards: &dyn Boards, work: &Work<'_>) {
        let (forms, work) = self.begin(work);
        match &forms.solver {
            Some(solver) => solver.solve_all(boards, &work),
            None => solve_each(boards, &work, &|board, limits| {
                self.solve(board, &Work { limits, thread_count: 1, improvement: None, ..work })
            }),
        }
    }

    /// Solves boards by a [search](Self::search) of any name, one board per thread.
    pub fn solve_all_by(
        &self,
        search: SearchName,
        boards: &dyn Boards,
        weight: Weight,
        work: &Work<'_>,
    ) {
        let solve = |board: &Board, limits: Limits<'_>| self.search(search, board, weight, limits);
        solve_each(boards, work, &solve);
    }

    /// Tests claims about distances, as [`Solver::try_claims`](pdb_search::Solver::try_claims).
    ///
    /// # Errors
    /// As [`solve`](Self::solve).
    pub fn try_claims(
        &self,
        claims: &[Claim],
        work: &Work<'_>,
    ) -> Result<(Vec<Verdict>, u64), SearchError> {
        let (forms, work) = self.begin(work);
        forms.solver("the value of moves")?.try_claims(claims, &work)
    }

    /// Finds all solutions of a length, as [`solutions`](crate::searches::solutions()), on the
    /// calling thread, in the order of [`Direction::ALL`]. Where slides count, solutions are
    /// sequences of slides whose axes alternate.
    ///
    /// # Errors
    /// As [`solve`](Self::solve).
    pub fn solutions(
        &self,
        board: &Board,
        query: SolutionQuery,
        limits: Limits<'_>,
        tell: Option<&mut Tell<'_>>,
    ) -> Result<Enumeration, SearchError> {
        let (forms, Work { limits, .. }) = self.begin(&Work { limits, ..Work::default() });
        let options = Options { order: Direction::ALL, limits };
        if self.metric == Metric::MultiTile {
            let solver = forms.solver("a search of all solutions")?;
            return slide_solutions(solver, &self.goal, board, query, &options, tell);
        }
        solutions(&*forms.estimator, &self.goal, board, query, &options, tell)
    }

    /// Prepares the search of one board in packets, as
    /// [`PacketSearch`](pdb_search::packets::PacketSearch).
    ///
    /// # Errors
    /// As [`PacketSearch::new`](pdb_search::packets::PacketSearch::new).
    pub fn packets<'a>(
        &'a self,
        board: &Board,
        work: Work<'a>,
    ) -> Result<PacketSearch<'a>, SearchError> {
        let (forms, work) = self.begin(&work);
        let solver = forms.solver("a search in packets")?;
        PacketSearch::new(solver, board, work)
    }

    /// Prepares the same search with a choice that was made before, as
    /// [`PacketSearch::with_dual`](pdb_search::packets::PacketSearch::with_dual).
    ///
    /// # Errors
    /// As [`packets`](Self::packets).
    pub fn packets_with_dual<'a>(
        &'a self,
        board: &Board,
        dual: Option<&Board>,
        work: Work<'a>,
    ) -> Result<PacketSearch<'a>, SearchError> {
        let (forms, work) = self.begin(&work);
        let solver = forms.solver("a search in packets")?;
        PacketSearch::with_dual(solver, board, dual, work)
    }

    /// Solves one board by a search of any name, on the calling thread. `weight` is for searches
    /// that take a weight and have none of their own.
    ///
    /// # Errors
    /// As [`solve`](Self::solve).
    pub fn search(
        &self,
        search: SearchName,
        board: &Board,
        weight: Weight,
        limits: Limits<'_>,
    ) -> Result<Outcome, SearchError> {
        let search_board = search.function(self.metric)?;
        let (forms, Work { limits, .. }) = self.begin(&Work { limits, ..Work::default() });
        let options = Options { order: self.order(), limits };
        search_board(forms, board, search.params(weight), &options)
    }

    /// Begins a search with the forms of the heuristic. The search ends early if a table turns out
    /// to be damaged.
    fn begin<'a>(&'a self, work: &Work<'a>) -> (&'a HeuristicForms<'a>, Work<'a>) {
        let limits = Limits { guard: Some(self), ..work.limits };
        (self.forms(), Work { limits, ..*work })
    }

    fn forms(&self) -> &HeuristicForms<'_> {
        self.opened.borrow_dependent()
    }
}

/// Looks of searches for which one asks the system whether a table was written to or cut short.
const LOOKS_PER_CALL: u32 = 256;

impl Guard for Engine {
    fn has_failed(&self) -> bool {
        let is_due = self.looks.fetch_add(1, Ordering::Relaxed).is_multiple_of(LOOKS_PER_CALL);
        let has_failed = if is_due { Database::is_spoilt } else { Database::has_damage };
        self.databases().any(has_failed)
    }
}
