//! The door: one handle that solves boards.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use pdb_core::{Board, BoardError, Goal, Plan, Shape};
use pdb_lab::{Engine, HeuristicName, SearchName};
use pdb_rt::{Residence, Table};
use pdb_search::{
    Boards, BoundCount, Limits, Next, Outcome, Progress, SearchError, Sharing, Weight, Work,
};

use crate::choice;
use crate::cores::core_count;
use crate::explain::{Explainer, Explanation};
use crate::per_goal::PerGoal;
use crate::shelf::Readiness;
use crate::{
    Answer, BoundState, Cancel, Crew, Error, Event, GoalChoice, IntoBoard, Memory, Shelf,
    SpecChoice, Status, Task, Watch,
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
    /// A search by its name, a board a thread; one that takes a weight and names none has the weight 1.
    By(SearchName),
}

impl Mode {
    /// The search that boards are given to one by one, if it is not the one in lanes.
    pub(crate) fn search_name(self) -> Option<SearchName> {
        match self {
            Self::Plain => Some(SearchName::Ida),
            Self::By(name) => Some(name),
            _ => None,
        }
    }
}

/// How boards are searched.
#[derive(Clone, Debug)]
pub struct Search {
    /// The longest time to search for one board. Where a learned heuristic guides the search, the tables
    /// that tell the [optimum](Answer::optimum) have what is left of it, and ten seconds at most.
    pub time: Option<Duration>,
    /// The most nodes to generate for one board; such tables have what is left of them.
    pub nodes: Option<u64>,
    /// The most bytes that a search may have for one board, if it keeps boards, as A* does. Default: no
    /// limit.
    pub memory_bytes: Option<u64>,
    /// How many threads search. Default: one for each core.
    pub thread_count: usize,
    /// How the work is shared out among the boards.
    pub mode: Mode,
    /// What stops the search, and the build of tables that it waits for. Default: nobody else's.
    pub cancel: Cancel,
    /// Who is told of the bounds that are done. Default: the handle's watcher.
    pub watch: Option<Watch>,
    /// Where it can be read, while a single board is solved, how many nodes were generated so far.
    pub generated: Option<Arc<AtomicU64>>,
    /// Others who search boards of a stream, and packets of a hard board. Default: nobody.
    pub crew: Option<Arc<dyn Crew>>,
}

impl Default for Search {
    fn default() -> Self {
        Self {
            time: None,
            nodes: None,
            memory_bytes: None,
            thread_count: core_count(),
            mode: Mode::default(),
            cancel: Cancel::new(),
            watch: None,
            generated: None,
            crew: None,
        }
    }
}

impl Search {
    /// The limits of each board.
    pub fn limits(&self) -> Limits<'_> {
        let stop = Some(self.cancel.flag());
        let progress = self.generated.as_deref().map(|generated| generated as &dyn Progress);
        Limits { time: self.time, nodes: self.nodes, stop, memory: self.memory_bytes, progress }
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
    /// The tables that tell the optimum beside what a learned heuristic found.
    judges: PerGoal<Option<Engine>>,
}

/// So long a board is searched for its optimum, where nobody asked for more than a solution.
const JUDGE_TIME: Duration = Duration::from_secs(10);

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
    tables: Option<Arc<[Table]>>,
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

    /// Tables that are in memory already, in any order; nothing is read from a folder then, and none are
    /// built. Without a spec, the best one serves whose tables are all among them.
    ///
    /// ```
    /// use tilebase::Tilebase;
    /// use tilebase::pdb_rt::Table;
    ///
    /// # let folder = tempfile::tempdir()?;
    /// # let built = Tilebase::builder().spec("8/whole").folder(folder.path()).ensure()?;
    /// # let goal = built.goal(tilebase::Shape::new(3, 3)?)?;
    /// # let file = built.engine(&goal)?.tables()[0].name().to_owned();
    /// // Or the bytes of `include_bytes!`, which are not copied.
    /// let table = Table::from_bytes("8/whole", std::fs::read(file)?)?;
    /// let tables = Tilebase::builder().spec("8/whole").tables(vec![table]).open()?;
    /// assert_eq!(tables.estimate("8 6 7/2 5 4/3 0 1")?, 31);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn tables(self, tables: Vec<Table>) -> Self {
        Self { tables: Some(tables.into()), ..self }
    }

    /// The memory that tables and builds may use. Default: what the machine has.
    #[must_use]
    pub fn memory(self, memory: Memory) -> Self {
        Self { memory, ..self }
    }

    /// How tables are brought into memory. Default: [`Residence::Auto`], mapped.
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
    /// [`Error::Open`] when a table of the spec is missing or damaged, [`Error::NotGiven`] when it is not among
    /// the [tables](Self::tables) that were given; [`Error::Spec`] and others when spec or goal are none.
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
            tables,
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
        let folder = match folder {
            Some(folder) => folder,
            None if tables.is_some() => PathBuf::new(),
            None => Shelf::usual_folder()?,
        };
        let shelf = Shelf {
            folder,
            may_build: may_build && tables.is_none(),
            tables,
            memory,
            thread_count: search.thread_count,
            residence,
            trusts_tables,
            watch,
            cancel: search.cancel.clone(),
            crew: search.crew.clone(),
        };
        Ok(Tilebase(Arc::new(Inner {
            spec,
            goal,
            shelf,
            search,
            engines: PerGoal::default(),
            explainers: PerGoal::default(),
            judges: PerGoal::default(),
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

    /// What a [`Crew`] has to know of searches with an engine of this handle.
    pub fn task<'a>(
        &'a self,
        engine: &'a Engine,
        search: &'a Search,
        stop: &'a AtomicBool,
        has_failed: &'a AtomicBool,
    ) -> Task<'a> {
        let Shelf { folder, residence, trusts_tables, .. } = self.shelf();
        Task {
            engine,
            choice: &self.0.spec,
            folder,
            residence: *residence,
            trusts_tables: *trusts_tables,
            search: search.mode.search_name(),
            sharing: search.work().sharing,
            limits: search.limits(),
            stop,
            has_failed,
        }
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
        self.engine_with(goal, &self.0.shelf.cancel)
    }

    /// The same; `cancel` stops the build of tables that are missing, or the wait for somebody else who builds
    /// them. The next call builds them again.
    ///
    /// # Errors
    /// As [`engine`](Self::engine); [`Error::Interrupted`] or [`Error::Build`] when it was cancelled.
    pub fn engine_with(&self, goal: &Goal, cancel: &Cancel) -> Result<Arc<Engine>, Error> {
        self.0.engines.get_or_make(goal, cancel, || self.make(goal, cancel))
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
        self.explain_with(board, &self.0.shelf.cancel)
    }

    /// The same; `cancel` stops the build of tables that it needs.
    ///
    /// # Errors
    /// As [`solve`](Self::solve); [`Error::Interrupted`] or [`Error::Build`] when it was cancelled.
    pub fn explain_with(
        &self,
        board: impl IntoBoard,
        cancel: &Cancel,
    ) -> Result<Explanation, Error> {
        let board = board.into_board(self.shape())?;
        let goal = self.goal(board.shape())?;
        if goal.check_solvable(&board).is_err() {
            return Ok(Explanation::unsolvable(&board, &goal));
        }
        let make = || Explainer::open(&goal, &self.0.spec, &self.shelf_with(cancel));
        self.0.explainers.get_or_make(&goal, cancel, make)?.explain(&board)
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
        let engine = self.engine_with(&goal, &search.cancel)?;
        let outcome = if let Some(name) = search.mode.search_name() {
            let alone = Alone { tables: self, search, board };
            let limits = Limits { progress: Some(&alone), ..search.limits() };
            engine.search(name, &board, Weight::ONE, limits)
        } else {
            One::solve(self, &engine, board, search)
        };
        // A table that is damaged explains whatever came of the search.
        confirm(&engine)?;
        Ok(self.judged(Answer::new(&board, &engine, outcome?), &engine, search))
    }

    /// The same, where more is to be made of the answer that needs a proof.
    pub(crate) fn solve_proving(
        &self,
        board: impl IntoBoard,
        search: &Search,
        what: &'static str,
    ) -> Result<Answer, Error> {
        let board = board.into_board(self.shape())?;
        let goal = self.goal(board.shape())?;
        if goal.check_solvable(&board).is_ok()
            && !self.engine_with(&goal, &search.cancel)?.is_admissible()
        {
            return Err(SearchError::Inadmissible { search: what }.into());
        }
        self.solve_with(board, search)
    }

    /// An answer, with what tables prove that are there already, where a learned heuristic proves nothing.
    /// They have what the search left of its limits, and are not asked where it left nothing.
    pub(crate) fn judged(&self, answer: Answer, engine: &Engine, search: &Search) -> Answer {
        let begun = Instant::now();
        let left = || {
            let limits = search.limits();
            let of_limit = |time: Duration| time.saturating_sub(answer.elapsed + begun.elapsed());
            let time = limits.time.map_or(JUDGE_TIME, of_limit).min(JUDGE_TIME);
            let nodes = limits.nodes.map(|nodes| nodes.saturating_sub(answer.generated));
            let is_left = !time.is_zero() && nodes != Some(0);
            let limits = Limits { time: Some(time), nodes, stop: limits.stop, ..Limits::default() };
            is_left.then_some(limits)
        };
        let is_judged = !engine.is_admissible() && matches!(answer.status, Status::Solved { .. });
        if !is_judged || left().is_none() {
            return answer;
        }
        let cancel = &search.cancel;
        let make = || self.judge(&answer.goal, cancel);
        let judge = self.0.judges.get_or_make(&answer.goal, cancel, make).ok();
        let Some(Some(judge)) = judge.as_deref() else { return answer };
        // Opening the tables takes its time, too.
        let Some(limits) = left() else { return answer };
        let outcome = judge.solve(&answer.board, &Work { limits, ..Work::default() });
        // What cannot be believed is not told; nobody asked for these tables.
        let (Ok(()), Ok(outcome)) = (judge.confirm(), outcome) else { return answer };
        let (optimum, proved) = match outcome.status {
            pdb_search::Status::Optimal { moves } => (Some(moves.len() as u32), moves.len() as u32),
            pdb_search::Status::Limit { lower_bound, .. } => (None, lower_bound),
            _ => return answer,
        };
        let status = match answer.status {
            Status::Solved { moves, lower_bound } => {
                Status::Solved { moves, lower_bound: lower_bound.max(proved) }
            }
            other => other,
        };
        Answer { status, optimum, ..answer }
    }

    /// The best tables that are there for a goal, if there are any.
    fn judge(&self, goal: &Goal, cancel: &Cancel) -> Result<Option<Engine>, Error> {
        for spec in pdb_spec::specs_for(goal) {
            let plan = spec.for_goal(goal)?;
            if self.0.shelf.readiness(&spec.name, &plan) == Readiness::There {
                return self.make_engine(goal, &HeuristicName::from(&spec), cancel).map(Some);
            }
        }
        Ok(None)
    }

    /// The estimate of a board's distance to the goal: no solution is shorter, unless the heuristic is
    /// learned.
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

    fn make(&self, goal: &Goal, cancel: &Cancel) -> Result<Engine, Error> {
        let name = match &self.0.spec {
            SpecChoice::Best => return self.best(goal, cancel),
            SpecChoice::Heuristic(name) => choice::heuristic(name, goal)?,
            SpecChoice::OfBoards(name) => HeuristicName::from(&pdb_spec::spec_for(name, goal)?),
            SpecChoice::Spec(spec) => HeuristicName::from(spec.as_ref()),
        };
        self.make_engine(goal, &name, cancel)
    }

    /// The shelf, with what stops its builds.
    fn shelf_with(&self, cancel: &Cancel) -> Shelf {
        Shelf { cancel: cancel.clone(), ..self.0.shelf.clone() }
    }

    /// The engine of a heuristic that need not be this handle's, its tables built where they are missing
    /// and may be built. It is opened anew by each call.
    ///
    /// # Errors
    /// As [`Builder::ensure`].
    pub fn engine_of(&self, goal: &Goal, name: &HeuristicName) -> Result<Engine, Error> {
        self.make_engine(goal, name, &self.0.shelf.cancel)
    }

    /// The same; `cancel` stops the build.
    pub(crate) fn make_engine(
        &self,
        goal: &Goal,
        name: &HeuristicName,
        cancel: &Cancel,
    ) -> Result<Engine, Error> {
        let shelf = self.shelf_with(cancel);
        Engine::open(name, goal, &mut |name: &str, plan: &Plan| shelf.database(name, plan))
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

#[cfg(all(test, feature = "build", feature = "net"))]
#[allow(clippy::unwrap_used, reason = "a test ends where something is not as it should be")]
mod tests {
    use super::*;

    #[test]
    fn tables_tell_the_optimum_within_what_the_search_left_of_its_limits() {
        let folder = tempfile::tempdir().unwrap();
        let builder = || Tilebase::builder().folder(folder.path());
        builder().spec("8/whole").ensure().unwrap();
        let tables = builder().spec("net:8").lazy().unwrap();
        let board: Board = "8 6 7/2 5 4/3 0 1".parse().unwrap();
        let goal = Goal::blank_last(board.shape());
        let engine = tables.engine(&goal).unwrap();
        let found = tables.solve(board).unwrap();
        assert_eq!(found.optimum, Some(31));
        let unjudged = Answer {
            optimum: None,
            status: Status::Solved { moves: found.moves().unwrap().to_vec(), lower_bound: 21 },
            elapsed: Duration::from_secs(5),
            ..found.clone()
        };
        let judged = |time, nodes| {
            let search = Search { time, nodes, ..Search::default() };
            tables.judged(unjudged.clone(), &engine, &search)
        };
        let judged_in = |seconds| judged(Some(Duration::from_secs(seconds)), None);
        for seconds in [0, 1, 5] {
            assert_eq!(judged_in(seconds), unjudged, "{seconds} s");
        }
        let elapsed = Duration::from_secs(5);
        let known = Answer { elapsed, ..found.clone() };
        assert_eq!(judged_in(65), known);
        assert_eq!(judged(None, Some(found.generated)), unjudged);
        assert_eq!(judged(None, Some(found.generated + 1_000_000)), known);
        // With the root alone nothing is proved but its estimate, which is 31 already.
        let of_root = judged(None, Some(found.generated + 1));
        assert_eq!((of_root.optimum, of_root.lower_bound()), (None, Some(31)));
        let search = Search::default();
        search.cancel.cancel();
        assert_eq!(tables.judged(unjudged.clone(), &engine, &search).optimum, None);
    }
}
