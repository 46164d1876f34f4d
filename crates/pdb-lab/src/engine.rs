//! An open heuristic with all searches.

use std::fmt;
use std::num::NonZeroU32;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use pdb_core::{AsHeuristic, Board, Direction, Estimator, Goal, Metric, RootError};
use pdb_rt::{Database, OpenError, Table};
use pdb_search::packets::PacketSearch;
use pdb_search::{
    Boards, Claim, Guard, Limits, Options, Outcome, SearchError, SlideSolver, Solver, Verdict,
    Weight, Work, beam_search, solve_each,
};
use self_cell::self_cell;

use crate::forms::{HeuristicForms, move_order};
use crate::heuristics::LinearConflict;
use crate::open_heuristic::{Open, OpenHeuristic};
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

    impl {Debug}
);

/// Default memory limit of A* per board, in bytes, for heuristics whose estimates may be too large.
const GUIDED_BYTES_MAX: u64 = 1 << 30;

/// The width of the beam that finds a first solution by slides.
const ANY_WIDTH: NonZeroU32 = NonZeroU32::new(100).expect("it is not 0");

/// A heuristic for one goal, with its tables open, and all searches with it.
///
/// It owns its tables, and any number of threads may use it at once. The preparations of a search
/// before its first board are made once and kept.
pub struct Engine {
    name: String,
    goal: Goal,
    metric: Metric,
    opened: EngineCell,
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
        Ok(Self::new(name.to_string(), goal, OpenHeuristic::open(name, goal, open)?))
    }

    fn new(name: String, goal: &Goal, opened: OpenHeuristic) -> Self {
        let opened = EngineCell::new(opened, |opened| HeuristicForms::new(opened, goal));
        let (metric, looks) = (Metric::default(), AtomicU32::new(0));
        Self { name, goal: *goal, metric, opened, looks }
    }

    /// Returns the engine for a metric; without this call, each move of a single tile counts.
    ///
    /// # Errors
    /// [`EngineError::NoSlides`] if the heuristic does not bound slides of several tiles.
    pub fn in_metric(self, metric: Metric) -> Result<Self, EngineError> {
        if metric == Metric::MultiTile && self.forms().slides.is_none() {
            return Err(EngineError::no_slides(&self.name, &self.goal));
        }
        Ok(Self { metric, ..self })
    }

    /// Makes an engine of open tables, with a name.
    pub fn of_tables(name: &str, tables: Database) -> Self {
        let goal = *tables.goal();
        Self::new(name.to_owned(), &goal, OpenHeuristic::tables_of(tables))
    }

    /// Makes the engine of `walking-inversion` that shares the tables of Walking Distance with this
    /// one; `None` if this heuristic has other tables or none.
    pub fn with_inversions(&self) -> Option<Self> {
        let OpenHeuristic::Tables(tables) = self.opened.borrow_owner() else { return None };
        tables.walking()?;
        let opened = OpenHeuristic::WalkingInversion(Arc::clone(tables));
        let name = HeuristicName::WalkingInversion.to_string();
        Some(Self { metric: self.metric, ..Self::new(name, &self.goal, opened) })
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
        if self.metric == Metric::MultiTile {
            return self.slides().bound(board);
        }
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
            let bounds = boards.iter().enumerate();
            let bounds = bounds
                .map(|(place, board)| self.slides().bound(board).map_err(|error| (place, error)));
            return bounds.collect();
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
        if self.metric == Metric::MultiTile {
            let options = Options { order: self.order(), limits: work.limits };
            return match work.improvement {
                Some(improvement) => {
                    let any = |board: &Board, limits: Limits<'_>| self.any_solution(board, limits);
                    let (slides, threads) = (self.slides(), work.thread_count);
                    slides.solve_improving(board, &options, threads, improvement, &any)
                }
                None => self.slides().solve_on_threads(board, &options, work.thread_count),
            };
        }
        if let Some(solver) = &forms.solver {
            return solver.solve(board, &work);
        }
        let memory = work.limits.memory.or(Some(GUIDED_BYTES_MAX));
        let limits = Limits { memory, ..work.limits };
        self.search(SearchName::ASTAR, board, Weight::ONE, limits)
    }

    /// Finds a solution, as moves of single tiles, by a narrow beam. Linear conflicts lead it to
    /// the goal on boards of every size.
    fn any_solution(&self, board: &Board, limits: Limits<'_>) -> Option<Vec<Direction>> {
        let conflicts: Arc<dyn Estimator> = Arc::new(LinearConflict::new(&self.goal));
        let options = Options { order: self.order(), limits };
        let heuristic = AsHeuristic::new(conflicts);
        let found = beam_search(heuristic, &self.goal, board, ANY_WIDTH, &options).ok()?;
        found.status.moves().map(<[_]>::to_vec)
    }

    /// Solves boards in parallel, as [`Solver::solve_all`](pdb_search::Solver::solve_all).
    pub fn solve_all(&self, boards: &dyn Boards, work: &Work<'_>) {
        let (forms, work) = self.begin(work);
        match &forms.solver {
            Some(solver) if self.metric == Metric::SingleTile => solver.solve_all(boards, &work),
            _ => {
                // All threads search one board if there is one at a time.
                let is_one = work.sharing.boards_at_once == Some(1);
                let (boards_at_once, thread_count) = if is_one && self.metric == Metric::MultiTile {
                    (1, work.thread_count)
                } else {
                    (work.thread_count, 1)
                };
                let improvement = work.improvement.filter(|_| is_one);
                let each = Work { thread_count: boards_at_once, ..work };
                solve_each(boards, &each, &|board, limits| {
                    self.solve(board, &Work { limits, thread_count, improvement, ..work })
                });
            }
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
        if self.metric == Metric::SingleTile {
            return forms.solver("the value of moves")?.try_claims(claims, &work);
        }
        let (slides, mut generated) = (self.slides(), 0);
        let verdict = |claim| {
            let (verdict, more) = slides.try_claim(claim, work.limits)?;
            generated += more;
            Ok(verdict)
        };
        let verdicts = claims.iter().map(verdict).collect::<Result<_, SearchError>>()?;
        Ok((verdicts, generated))
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
            return slide_solutions(self.slides(), &self.goal, board, query, &options, tell);
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
        let (solver, work) = self.packet_solver(work)?;
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
        let (solver, work) = self.packet_solver(work)?;
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
        search.expect_metric(self.metric)?;
        let (forms, Work { limits, .. }) = self.begin(&Work { limits, ..Work::default() });
        let options = Options { order: self.order(), limits };
        if self.metric == Metric::MultiTile {
            return self.slides().solve(board, &options);
        }
        (search.row().search)(forms, board, search.params(weight), &options)
    }

    /// Returns IDA* by slides.
    fn slides(&self) -> &SlideSolver<'_> {
        self.forms().slides.as_ref().expect("an engine in this metric bounds slides")
    }

    fn packet_solver<'a>(
        &'a self,
        work: Work<'a>,
    ) -> Result<(&'a Solver<'a>, Work<'a>), SearchError> {
        let (search, (forms, work)) = ("a search in packets", self.begin(&work));
        match self.metric {
            Metric::SingleTile => Ok((forms.solver(search)?, work)),
            Metric::MultiTile => Err(SearchError::SingleTiles { search }),
        }
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
