//! Options of a handle.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use pdb_core::{Goal, Metric, Shape};
use pdb_lab::HeuristicName;
use pdb_rt::{Residence, Table};

use crate::error::Error;
use crate::event::{Event, Watch};
use crate::handle::Tilebase;
use crate::names::{GoalChoice, SpecChoice};
use crate::search::Search;
use crate::shelf::{Memory, Shelf, TableSource};

/// Options of a [`Tilebase`], set before it is opened.
#[derive(Clone, Debug, Default)]
pub struct Builder {
    spec: Option<String>,
    choice: Option<SpecChoice>,
    goal: Option<GoalChoice>,
    metric: Metric,
    shape: Option<Shape>,
    folder: Option<PathBuf>,
    source: Option<Arc<dyn TableSource>>,
    memory: Memory,
    residence: Residence,
    trusts_tables: bool,
    search: Search,
}

impl Builder {
    /// Sets the spec or heuristic: the name of a shipped spec, the path of a `.toml` file, or any
    /// name that [`heuristic`](crate::names::heuristic) reads. Default: the best tables that the
    /// machine has room for.
    #[must_use]
    pub fn spec(self, name: &str) -> Self {
        Self { spec: Some(name.to_owned()), ..self }
    }

    /// Sets a heuristic that no text can name, such as [one of the program's
    /// own](HeuristicName::own).
    #[must_use]
    pub fn heuristic(self, heuristic: HeuristicName) -> Self {
        self.choice(SpecChoice::Named(heuristic))
    }

    /// Sets a spec or heuristic that was read before.
    #[must_use]
    pub fn choice(self, choice: SpecChoice) -> Self {
        Self { choice: Some(choice), ..self }
    }

    /// Sets the goal. Default: the blank in the last cell. A spec file keeps the goal that it
    /// draws, also in a maximum with others, and so does a shipped spec that no symmetry maps to
    /// the default goal.
    #[must_use]
    pub fn goal(self, goal: GoalChoice) -> Self {
        Self { goal: Some(goal), ..self }
    }

    /// Sets what counts as one move. Default: each tile that moves. In the multi-tile metric, the
    /// tables are coloured ones.
    #[must_use]
    pub fn metric(self, metric: Metric) -> Self {
        Self { metric, ..self }
    }

    /// Sets the shape of boards that do not show it themselves, and of specs named without a number
    /// of tiles.
    #[must_use]
    pub fn shape(self, shape: Shape) -> Self {
        Self { shape: Some(shape), ..self }
    }

    /// Sets the folder of the tables. Default: [`Shelf::usual_folder`].
    #[must_use]
    pub fn folder(self, folder: &Path) -> Self {
        Self { folder: Some(folder.to_owned()), ..self }
    }

    /// Sets tables that are already in memory, in any order. No folder is read then, and no table
    /// is built. Without a spec, the best spec is used whose tables are all among them.
    ///
    /// ```
    /// use tilebase::Tilebase;
    /// use tilebase::shelf::Table;
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
        self.source(Arc::new(tables))
    }

    /// Sets a source of tables, which takes the place of a folder as [`tables`](Self::tables) do,
    /// and may read each table when it is needed.
    #[must_use]
    pub fn source(self, source: Arc<dyn TableSource>) -> Self {
        Self { source: Some(source), ..self }
    }

    /// Sets the memory limit for the tables of a spec and for builds. Default: the memory of the
    /// machine, which mapped tables may exceed.
    #[must_use]
    pub fn memory(self, memory: Memory) -> Self {
        Self { memory, ..self }
    }

    /// Sets how tables come into memory. Default: [`Residence::Mapped`].
    #[must_use]
    pub fn residence(self, residence: Residence) -> Self {
        Self { residence, ..self }
    }

    /// Skips the check of the tables' digests.
    ///
    /// By default every payload is checked against its digests, in parallel with the search, before
    /// an answer is returned, unless an earlier process checked the same unchanged file. Undetected
    /// damage makes solutions longer, and nothing shows it.
    #[must_use]
    pub fn trust_tables(self) -> Self {
        Self { trusts_tables: true, ..self }
    }

    /// Sets the number of threads that build and search. Default: one for each core.
    #[must_use]
    pub fn threads(self, thread_count: usize) -> Self {
        Self { search: Search { thread_count: thread_count.max(1), ..self.search }, ..self }
    }

    /// Sets the options of searches that are called without options, such as [`Tilebase::solve`].
    #[must_use]
    pub fn search(self, search: Search) -> Self {
        Self { search: search.or(&self.search), ..self }
    }

    /// Sets the receiver of events of searches without one of their own, in place of an earlier
    /// receiver.
    #[must_use]
    pub fn watch(self, watch: impl Fn(&Event<'_>) + Send + Sync + 'static) -> Self {
        Self { search: Search { watch: Some(Watch::new(watch)), ..self.search }, ..self }
    }

    /// Opens existing tables; the handle never builds any.
    ///
    /// # Errors
    /// [`Error::Open`] when a table of the spec is missing or damaged. [`Error::NotGiven`] when it
    /// is not among the [tables](Self::tables) in memory. [`Error::Spec`] and others when spec or
    /// goal do not exist.
    pub fn open(self) -> Result<Tilebase, Error> {
        self.lazy_open()?.opened()
    }

    /// Opens the tables of the spec, and builds those that are missing. Without a spec, tables are
    /// opened and built later, when the first board shows which are needed.
    ///
    /// # Errors
    /// As [`open`](Self::open); [`Error::NoRoom`] and [`Error::Build`] when a table cannot be
    /// built.
    #[cfg(feature = "build")]
    pub fn ensure(self) -> Result<Tilebase, Error> {
        self.lazy()?.opened()
    }

    /// Prepares a handle that opens existing tables when the first board needs them, and never
    /// builds any. Without a spec, the best existing tables serve that board, or a heuristic
    /// without tables.
    ///
    /// # Errors
    /// [`Error::Spec`] and others when spec or goal do not exist.
    pub fn lazy_open(self) -> Result<Tilebase, Error> {
        self.make(false)
    }

    /// Prepares a handle that opens tables and builds missing ones when the first board needs them.
    ///
    /// # Errors
    /// [`Error::Spec`] and others when spec or goal do not exist.
    #[cfg(feature = "build")]
    pub fn lazy(self) -> Result<Tilebase, Error> {
        self.make(true)
    }

    fn make(self, may_build: bool) -> Result<Tilebase, Error> {
        let spec = match (self.choice, self.spec) {
            (Some(choice), _) => choice,
            (None, Some(name)) => SpecChoice::read(&name, self.shape)?,
            (None, None) => SpecChoice::Best,
        };
        let goal = match (self.goal, &spec) {
            (Some(goal), _) => goal,
            (None, SpecChoice::Spec(spec)) => GoalChoice::of_spec(spec),
            (None, SpecChoice::Heuristic(name)) => {
                GoalChoice::of_heuristic(name).unwrap_or(GoalChoice::Preset(Goal::blank_last))
            }
            (None, _) => GoalChoice::Preset(Goal::blank_last),
        };
        // Refuses a spec that cannot lead to the goal before any board is read.
        if let SpecChoice::Spec(spec) = &spec {
            let goal = match &goal {
                GoalChoice::Drawn(goal) => *goal,
                GoalChoice::Preset(preset) => preset(spec.goal.shape()),
            };
            spec.for_goal(&goal)?;
        }
        let folder = match self.folder {
            Some(folder) => folder,
            None if self.source.is_some() => PathBuf::new(),
            None => Shelf::usual_folder()?,
        };
        let shelf = Shelf {
            folder,
            may_build: may_build && self.source.is_none(),
            source: self.source,
            memory: self.memory,
            residence: self.residence,
            trusts_tables: self.trusts_tables,
        };
        let search = Search { thread_count: self.search.threads(), ..self.search };
        Ok(Tilebase::new(spec, goal, self.metric, shelf, search))
    }
}

impl Tilebase {
    /// Returns the options of a new handle.
    pub fn builder() -> Builder {
        Builder::default()
    }

    /// Opens the tables of a spec in the folder that all programs share, and builds those that are
    /// missing; `watch` receives the progress.
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
}
