//! The door: one handle that solves boards.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use pdb_core::{Board, BoardError, Goal, Plan, Shape};
use pdb_engine::{Engine, HeuristicName, SearchName};
use pdb_rt::Residence;
use pdb_search::{
    Boards, BoundCount, Limits, Next, Outcome, Progress, SearchError, Sharing, Weight, Work,
};

use crate::choice;
use crate::cores::core_count;
use crate::explain::{Explainer, Explanation};
use crate::per_goal::PerGoal;
use crate::{
    Answer, BoundState, Cancel, Error, Event, GoalChoice, IntoBoard, Memory, Shelf, SpecChoice,
    Watch,
};

/// How the work is shared out among the boards.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Mode {
    /// Throughput; a single board has all threads to itself anyway.
    #[default]
    Auto,
    /// Each board as soon as possible, one after another, each on all threads.
    Latency,
    /// As many boards a second as possible, many of them side by side.
    Throughput,
    /// IDA* as Korf described it, a board a thread: the node counts of the literature.
    Plain,
}

/// How boards are searched.
#[derive(Clone, Debug)]
pub struct Search {
    /// The longest time to search for one board.
    pub time: Option<Duration>,
    /// The most nodes to generate for one board.
    pub nodes: Option<u64>,
    /// How many threads search. Default: one for each core.
    pub thread_count: usize,
    /// How the work is shared out among the boards.
    pub mode: Mode,
    /// What stops the search. Default: nobody else's.
    pub cancel: Cancel,
    /// Who is told of the bounds that are done. Default: the handle's watcher.
    pub watch: Option<Watch>,
    /// Where it can be read, while a single board is solved, how many nodes were generated so far.
    pub generated: Option<Arc<AtomicU64>>,
}

impl Default for Search {
    fn default() -> Self {
        Self {
            time: None,
            nodes: None,
            thread_count: core_count(),
            mode: Mode::default(),
            cancel: Cancel::new(),
            watch: None,
            generated: None,
        }
    }
}

impl Search {
    /// The limits of each board.
    pub fn limits(&self) -> Limits<'_> {
        let stop = Some(self.cancel.flag());
        let progress = self.generated.as_deref().map(|generated| generated as &dyn Progress);
        Limits { time: self.time, nodes: self.nodes, stop, memory: None, progress }
    }

    pub(crate) fn work(&self) -> Work<'_> {
        let boards_at_once = (self.mode == Mode::Latency).then_some(1);
        let sharing = Sharing { boards_at_once, ..Sharing::default() };
        Work { limits: self.limits(), sharing, thread_count: self.thread_count }
    }
}

/// Solves boards by the tables of a spec, or by the best ones there are.
///
/// A `Tilebase` is a handle: cloning it is cheap, all clones share what was opened, and any number of
/// threads may use it at once. Tables are opened once, at the first board of each goal if not before,
/// and the second board pays nothing for it.
///
/// ```
/// use tilebase::Tilebase;
///
/// # let folder = tempfile::tempdir()?;
/// # let builder = || Tilebase::builder().folder(folder.path());
/// // Or `Tilebase::ensure("8/whole", |event| ..)`, for tables in the folder that all programs share.
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
    shelf: Shelf,
    search: Search,
    engines: PerGoal<Engine>,
    explainers: PerGoal<Explainer>,
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

/// All that may be said about a [`Tilebase`] before it is opened.
#[derive(Clone, Debug, Default)]
pub struct Builder {
    spec: Option<String>,
    choice: Option<SpecChoice>,
    goal: Option<GoalChoice>,
    shape: Option<Shape>,
    folder: Option<PathBuf>,
    memory: Memory,
    residence: Residence,
    trusts_tables: bool,
    search: Search,
    watch: Watch,
}

impl Builder {
    /// The spec or heuristic: a shipped spec's name, a `.toml` file, or any name that
    /// [`heuristic`](crate::heuristic) knows. Default: the best that there is room for.
    #[must_use]
    pub fn spec(self, name: &str) -> Self {
        Self { spec: Some(name.to_owned()), ..self }
    }

    /// The spec or heuristic, read before.
    #[must_use]
    pub fn choice(self, choice: SpecChoice) -> Self {
        Self { choice: Some(choice), ..self }
    }

    /// The goal. Default: the blank in the last cell; the goal that the spec draws, if that is a file or
    /// no symmetry leads from one to the other.
    #[must_use]
    pub fn goal(self, goal: GoalChoice) -> Self {
        Self { goal: Some(goal), ..self }
    }

    /// The shape of boards that do not show it themselves, and of specs named without a number of
    /// tiles.
    #[must_use]
    pub fn shape(self, shape: Shape) -> Self {
        Self { shape: Some(shape), ..self }
    }

    /// The folder of the tables. Default: [`Shelf::usual_folder`].
    #[must_use]
    pub fn folder(self, folder: &Path) -> Self {
        Self { folder: Some(folder.to_owned()), ..self }
    }

    /// The memory that tables and builds may use. Default: what the machine has.
    #[must_use]
    pub fn memory(self, memory: Memory) -> Self {
        Self { memory, ..self }
    }

    /// How tables are brought into memory. Default: mapped.
    #[must_use]
    pub fn residence(self, residence: Residence) -> Self {
        Self { residence, ..self }
    }

    /// Takes tables as they are. By default every payload is held against its digests, beside the search,
    /// before an answer is given, or was by an earlier process and is the same since. Damage that goes
    /// unnoticed makes solutions longer, and nothing shows it.
    #[must_use]
    pub fn trust_tables(self) -> Self {
        Self { trusts_tables: true, ..self }
    }

    /// How many threads build and search. Default: one for each core.
    #[must_use]
    pub fn threads(self, thread_count: usize) -> Self {
        Self { search: Search { thread_count: thread_count.max(1), ..self.search }, ..self }
    }

    /// How boards are searched if nobody says otherwise, on how many threads, and what stops the
    /// work. It takes the place of what [`threads`](Self::threads) said before.
    #[must_use]
    pub fn search(self, search: Search) -> Self {
        Self { search, ..self }
    }

    /// Who is told how far the work is.
    #[must_use]
    pub fn watch(self, watch: impl Fn(&Event<'_>) + Send + Sync + 'static) -> Self {
        Self { watch: Watch::new(watch), ..self }
    }

    /// Opens tables that are there; none are built, now or later.
    ///
    /// # Errors
    /// [`Error::Open`] when a table of the spec is missing or damaged; [`Error::Spec`] and others when
    /// spec or goal are none.
    pub fn open(self) -> Result<Tilebase, Error> {
        let tables = self.make(false)?;
        tables.prepare()?;
        Ok(tables)
    }

    /// Opens the tables of the spec, and builds those that are missing. Without a spec this waits
    /// until a board tells what is needed.
    ///
    /// # Errors
    /// As [`open`](Self::open); [`Error::NoRoom`] and [`Error::Build`] when a table cannot be built.
    #[cfg(feature = "build")]
    pub fn ensure(self) -> Result<Tilebase, Error> {
        let tables = self.make(true)?;
        tables.prepare()?;
        Ok(tables)
    }

    /// As [`open`](Self::open), but nothing is opened before the first board needs it. Without a spec, the
    /// best tables that are there serve it, and a heuristic without tables where there are none.
    ///
    /// # Errors
    /// [`Error::Spec`] and others when spec or goal are none.
    pub fn lazy_open(self) -> Result<Tilebase, Error> {
        self.make(false)
    }

    /// As [`ensure`](Self::ensure), but nothing is opened or built before the first board needs it.
    ///
    /// # Errors
    /// [`Error::Spec`] and others when spec or goal are none.
    #[cfg(feature = "build")]
    pub fn lazy(self) -> Result<Tilebase, Error> {
        self.make(true)
    }

    fn make(self, may_build: bool) -> Result<Tilebase, Error> {
        let Self {
            spec,
            choice,
            goal,
            shape,
            folder,
            memory,
            residence,
            trusts_tables,
            search,
            watch,
        } = self;
        let spec = match (choice, spec) {
            (Some(choice), _) => choice,
            (None, Some(name)) => SpecChoice::read(&name, shape)?,
            (None, None) => SpecChoice::Best,
        };
        let goal = match (goal, &spec) {
            (Some(goal), _) => goal,
            (None, SpecChoice::Spec(spec)) => GoalChoice::of_spec(spec),
            (None, _) => GoalChoice::Preset(Goal::blank_last),
        };
        // A spec that can never lead to the goal is better known before the boards are.
        if let SpecChoice::Spec(spec) = &spec {
            let goal = match &goal {
                GoalChoice::Drawn(goal) => *goal,
                GoalChoice::Preset(preset) => preset(spec.goal.shape()),
            };
            spec.for_goal(&goal)?;
        }
        let shelf = Shelf {
            folder: folder.map_or_else(Shelf::usual_folder, Ok)?,
            memory,
            thread_count: search.thread_count,
            residence,
            may_build,
            trusts_tables,
            watch,
            cancel: search.cancel.clone(),
        };
        Ok(Tilebase(Arc::new(Inner {
            spec,
            goal,
            shelf,
            search,
            engines: PerGoal::default(),
            explainers: PerGoal::default(),
        })))
    }
}

impl Tilebase {
    /// All that may be said beforehand.
    pub fn builder() -> Builder {
        Builder::default()
    }

    /// Opens the tables of a spec, which must be there, in the folder that all programs share.
    ///
    /// # Errors
    /// As [`Builder::open`].
    pub fn open(spec: &str) -> Result<Self, Error> {
        Self::builder().spec(spec).open()
    }

    /// The same, with tables built that are missing; `watch` is told how far that is.
    ///
    /// # Errors
    /// As [`Builder::ensure`].
    #[cfg(feature = "build")]
    pub fn ensure(
        spec: &str,
        watch: impl Fn(&Event<'_>) + Send + Sync + 'static,
    ) -> Result<Self, Error> {
        Self::builder().spec(spec).watch(watch).ensure()
    }

    /// The folder of the tables, and what may be used of the machine.
    pub fn shelf(&self) -> &Shelf {
        &self.0.shelf
    }

    /// How boards are searched if nobody says otherwise.
    pub fn search(&self) -> &Search {
        &self.0.search
    }

    /// What boards are searched with.
    #[cfg(feature = "build")]
    pub(crate) fn choice(&self) -> &SpecChoice {
        &self.0.spec
    }

    /// The shape of boards that do not show it themselves, where spec or goal tell it.
    pub fn shape(&self) -> Option<Shape> {
        self.0.goal.shape().or(self.0.spec.shape())
    }

    /// The goal for boards of a shape.
    ///
    /// # Errors
    /// [`BoardError::OtherShape`] when goal or spec are for other boards.
    pub fn goal(&self, shape: Shape) -> Result<Goal, BoardError> {
        let goal = self.0.goal.goal(shape)?;
        match &self.0.spec {
            // Whether the spec can lead to the goal was asked when the handle was made.
            SpecChoice::Spec(spec) if ![shape, shape.transposed()].contains(&spec.goal.shape()) => {
                Err(BoardError::OtherShape { expected: spec.goal.shape(), found: shape })
            }
            _ => Ok(goal),
        }
    }

    /// What boards with a goal are searched with. The first call for a goal opens the tables; where
    /// several come at once, one opens them and the others wait.
    ///
    /// # Errors
    /// As [`Builder::ensure`]; [`Error::Again`] when an earlier call has failed.
    pub fn engine(&self, goal: &Goal) -> Result<Arc<Engine>, Error> {
        self.0.engines.get_or_make(goal, || self.make(goal))
    }

    /// Explains a board without a search: whether it can be solved and why, what each heuristic says of
    /// it part by part, and how large its space is.
    ///
    /// Heuristics that need no table are explained always, Walking Distance where its tables are there or
    /// are built in no time. Of pattern databases there are those of the spec; where none was named,
    /// those whose tables were there when the first board of the goal was explained.
    ///
    /// A board that has no solution is explained too, by its parity alone; no table is opened for it.
    ///
    /// # Errors
    /// As [`solve`](Self::solve).
    pub fn explain(&self, board: impl IntoBoard) -> Result<Explanation, Error> {
        let board = board.into_board(self.shape())?;
        let goal = self.goal(board.shape())?;
        if goal.check_solvable(&board).is_err() {
            return Ok(Explanation::unsolvable(&board, &goal));
        }
        let make = || Explainer::open(&goal, &self.0.spec, &self.0.shelf);
        self.0.explainers.get_or_make(&goal, make)?.explain(&board)
    }

    /// Solves one board.
    ///
    /// A board that has no solution is an [`Answer`] too; no table is opened for it.
    ///
    /// # Errors
    /// [`Error::Text`] when the text is no board, [`Error::Board`] when the board has another shape than spec or goal;
    /// those of [`engine`](Self::engine); [`Error::Search`] when a table turns out to be damaged.
    pub fn solve(&self, board: impl IntoBoard) -> Result<Answer, Error> {
        self.solve_with(board, &self.0.search)
    }

    /// Solves one board with limits and threads of its own.
    ///
    /// # Errors
    /// As [`solve`](Self::solve).
    pub fn solve_with(&self, board: impl IntoBoard, search: &Search) -> Result<Answer, Error> {
        let started = Instant::now();
        let board = board.into_board(self.shape())?;
        let goal = self.goal(board.shape())?;
        if let Err(reason) = goal.check_solvable(&board) {
            return Ok(Answer::unsolvable(&board, &goal, reason, started.elapsed()));
        }
        let engine = self.engine(&goal)?;
        let outcome = if search.mode == Mode::Plain {
            let alone = Alone { tables: self, search, board };
            let limits = Limits { progress: Some(&alone), ..search.limits() };
            engine.search(SearchName::Ida, &board, Weight::ONE, limits)
        } else {
            One::solve(self, &engine, board, search)
        };
        // A table that is damaged explains whatever came of the search.
        confirm(&engine)?;
        Ok(Answer::new(&board, &engine, outcome?))
    }

    /// The estimate of a board's distance to the goal: no solution is shorter.
    ///
    /// # Errors
    /// As [`solve`](Self::solve).
    pub fn estimate(&self, board: impl IntoBoard) -> Result<u32, Error> {
        let board = board.into_board(self.shape())?;
        let goal = self.goal(board.shape())?;
        goal.check_solvable(&board).map_err(SearchError::Unsolvable)?;
        let engine = self.engine(&goal)?;
        let estimate = engine.estimate(&board);
        confirm(&engine)?;
        Ok(estimate.map_err(SearchError::from)?)
    }

    /// Tells that a bound of a board's search is done.
    pub(crate) fn tell_bound(
        &self,
        search: &Search,
        board: Option<Board>,
        bounds: &[BoundCount],
        elapsed: Duration,
    ) {
        let state = board.and_then(|board| BoundState::last(&board, bounds, elapsed));
        if let Some(state) = state {
            search.watch.as_ref().unwrap_or(&self.0.shelf.watch).tell(&Event::Bound(state));
        }
    }

    /// Whether all boards are searched with the tables of one spec, so that none can be solved when these
    /// cannot be opened.
    pub(crate) fn is_for_all_boards(&self) -> bool {
        matches!(self.0.spec, SpecChoice::Spec(_))
    }

    /// Opens what is known to be needed before any board.
    fn prepare(&self) -> Result<(), Error> {
        match self.shape() {
            Some(shape) => self.engine(&self.goal(shape)?).map(drop),
            None => Ok(()),
        }
    }

    fn make(&self, goal: &Goal) -> Result<Engine, Error> {
        match &self.0.spec {
            SpecChoice::Best => self.best(goal),
            SpecChoice::Heuristic(name) => self.engine_of(goal, &choice::heuristic(name, goal)?),
            SpecChoice::OfBoards(name) => {
                self.engine_of(goal, &HeuristicName::from(&pdb_spec::spec_for(name, goal)?))
            }
            SpecChoice::Spec(spec) => self.engine_of(goal, &HeuristicName::from(spec.as_ref())),
        }
    }

    /// The engine of a heuristic that need not be this handle's, its tables built where they are missing
    /// and may be built. It is opened anew by each call.
    ///
    /// # Errors
    /// As [`Builder::ensure`].
    pub fn engine_of(&self, goal: &Goal, name: &HeuristicName) -> Result<Engine, Error> {
        let open = &mut |name: &str, plan: &Plan| self.0.shelf.database(name, plan);
        Engine::open(name, goal, open)
    }
}

/// A single board.
struct One<'a> {
    tables: &'a Tilebase,
    search: &'a Search,
    board: Board,
    begun: Mutex<bool>,
    answer: Mutex<Option<Result<Outcome, SearchError>>>,
}

impl<'a> One<'a> {
    fn solve(
        tables: &'a Tilebase,
        engine: &Engine,
        board: Board,
        search: &'a Search,
    ) -> Result<Outcome, SearchError> {
        let (begun, answer) = (Mutex::default(), Mutex::default());
        let one = Self { tables, search, board, begun, answer };
        engine.solve_all(&one, &search.work());
        let answer = one.answer.into_inner().unwrap_or_else(PoisonError::into_inner);
        answer.expect("every board is answered")
    }
}

impl Boards for One<'_> {
    fn next(&self) -> Next {
        let mut begun = self.begun.lock().unwrap_or_else(PoisonError::into_inner);
        if std::mem::replace(&mut *begun, true) { Next::End } else { Next::Board(self.board, 0) }
    }

    fn answer(&self, _: u64, answer: Result<Outcome, SearchError>) {
        *self.answer.lock().unwrap_or_else(PoisonError::into_inner) = Some(answer);
    }

    fn bound_done(&self, _: u64, bounds: &[BoundCount], elapsed: Duration) {
        self.tables.tell_bound(self.search, Some(self.board), bounds, elapsed);
    }
}

/// A single board that is searched by one thread.
#[derive(Debug)]
struct Alone<'a> {
    tables: &'a Tilebase,
    search: &'a Search,
    board: Board,
}

impl Progress for Alone<'_> {
    fn generated(&self, count: u64) {
        if let Some(generated) = &self.search.generated {
            generated.store(count, Ordering::Relaxed);
        }
    }

    fn bound_done(&self, bounds: &[BoundCount], elapsed: Duration) {
        self.tables.tell_bound(self.search, Some(self.board), bounds, elapsed);
    }
}

/// Asked after something was worked out and before it is believed.
///
/// # Errors
/// [`Error::Damaged`] when a table that it rests on is damaged, or was cut short or written to.
pub fn confirm(engine: &Engine) -> Result<(), Error> {
    engine.confirm().map_err(Error::Damaged)
}
