//! What boards are searched with, and for how long: arguments that all commands share that search.

use std::path::Path;
use std::time::Duration;

use tilebase::{
    BoardSet, Builder, Columns, Goal, GoalChoice, Mode, NamedBoards, Naming, Residence, Search,
    Shape, SpecChoice, Tilebase, goal_name,
};

use crate::Place;
use crate::args::{self, MemoryArg, Threads};
use crate::folder::Folder;
use crate::help;
use crate::interrupt;
use crate::progress::{BoundLines, Progress};

/// Spec, goal, limits and tables.
#[derive(Debug, clap::Args)]
pub(crate) struct Solver {
    /// Shipped spec, with its number of tiles or without, .toml file, or any heuristic that `compare` knows, such as manhattan,
    /// walking-distance or "max(pairwise, 15/5-5-5)" [default: the best spec that is built or that
    /// there is room for]
    #[arg(long, value_name = "NAME|FILE", help_heading = help::TABLES)]
    spec: Option<String>,
    /// blank-last, blank-first, snail, a board, or a file with one [default: blank-last; of korf100
    /// blank-first; of a spec in a file, or one that cannot lead there, what it draws]
    #[arg(long, value_name = "NAME|BOARD|FILE", help_heading = help::BOARDS)]
    goal: Option<String>,
    /// Rows and columns of boards without row separators [default: as the spec or goal has, or
    /// square]
    #[arg(long, value_name = "RxC", value_parser = args::shape, help_heading = help::BOARDS)]
    size: Option<Shape>,
    /// How tables are brought into memory
    #[arg(long, value_enum, default_value_t, value_name = "HOW", help_heading = help::TABLES)]
    tables: Tables,
    /// Take tables as they are, without holding them against their digests: a damaged one then makes
    /// solutions longer, and nothing shows it
    #[arg(long, help_heading = help::TABLES)]
    trust_tables: bool,
    #[command(flatten)]
    memory: MemoryArg,
    #[command(flatten)]
    threads: Threads,
    #[command(flatten)]
    folder: Folder,
}

/// When the search of a board gives up.
#[derive(Clone, Copy, Debug, Default, clap::Args)]
pub(crate) struct Limits {
    /// Longest time to search for one board, such as 10s or 500ms
    #[arg(long, value_name = "TIME", value_parser = args::duration, help_heading = help::SEARCH)]
    time_limit: Option<Duration>,
    /// Most nodes to generate for one board
    #[arg(long, value_name = "N", help_heading = help::SEARCH)]
    node_limit: Option<u64>,
}

/// How tables are brought into memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
enum Tables {
    /// As the program chooses, at present mapped
    #[default]
    Auto,
    /// Mapped: page by page, as they are touched; shared with other processes
    Mapped,
    /// All at once; shared with other processes
    Prefaulted,
    /// All at once and kept there; needs the right to lock so much memory
    Locked,
    /// As a copy in huge pages, for this process alone
    Copied,
}

impl From<Tables> for Residence {
    fn from(tables: Tables) -> Self {
        match tables {
            Tables::Auto => Self::Auto,
            Tables::Mapped => Self::Mapped,
            Tables::Prefaulted => Self::Prefaulted,
            Tables::Locked => Self::Locked,
            Tables::Copied => Self::Copied,
        }
    }
}

/// What the arguments say before any board is read.
#[derive(Debug)]
pub(crate) struct Setup<'a> {
    pub(crate) builder: Builder,
    spec: Option<&'a str>,
    /// The goal that the command line names.
    pub(crate) goal: Option<GoalChoice>,
    /// The shape of boards that do not show it themselves, where something tells it.
    pub(crate) shape: Option<Shape>,
}

impl Solver {
    /// Reads spec and goal.
    pub(crate) fn begin(
        &self,
        (mode, limits): (Mode, Limits),
        progress: Progress,
        bounds: Option<BoundLines>,
    ) -> anyhow::Result<Setup<'_>> {
        let spec = self
            .spec
            .as_deref()
            .map_or(Ok(SpecChoice::Best), |name| SpecChoice::read(name, self.size))?;
        let goal =
            self.goal.as_deref().map(|name| GoalChoice::read(name, self.size)).transpose()?;
        let drawn = goal.as_ref().and_then(GoalChoice::shape).or(spec.shape());
        let shape = args::agreed(self.size, drawn)?;
        let mut builder = Tilebase::builder()
            .choice(spec)
            .folder(&self.folder.path()?)
            .memory(self.memory.memory())
            .residence(self.tables.into())
            .search(self.search(mode, limits))
            .watch(progress.watcher_of(bounds));
        if let Some(goal) = goal {
            builder = builder.goal(goal);
        }
        if self.trust_tables {
            builder = builder.trust_tables();
        }
        Ok(Setup { builder, spec: self.spec.as_deref(), goal, shape })
    }

    /// Limits, threads, and what stops the search.
    fn search(&self, mode: Mode, limits: Limits) -> Search {
        let thread_count = self.threads.count();
        // Boards that are searched side by side share what there is.
        let of_thread = || self.memory.memory().bytes() / thread_count as u64;
        let keeps_boards = matches!(mode, Mode::By(name) if name.keeps_boards());
        Search {
            time: limits.time_limit,
            nodes: limits.node_limit,
            memory_bytes: keeps_boards.then(of_thread),
            thread_count,
            mode,
            cancel: interrupt::cancel(),
            crew: Place::here().crew.clone(),
            ..Search::default()
        }
    }

    /// The spec or heuristic that is named, if one is.
    pub(crate) fn spec(&self) -> Option<&str> {
        self.spec.as_deref()
    }

    /// The folder of tables that is named, if one is.
    pub(crate) fn named_folder(&self) -> Option<&Path> {
        self.folder.named()
    }

    /// How many threads search.
    pub(crate) fn thread_count(&self) -> usize {
        self.threads.count()
    }
}

impl Setup<'_> {
    /// The boards that words name.
    pub(crate) fn words(
        &self,
        words: &[String],
        columns: Option<Columns>,
    ) -> anyhow::Result<NamedBoards> {
        let naming = self.naming(columns)?;
        // A file may be a pipe that nobody writes to; sets end when they are cancelled.
        let are_sets = words.iter().all(|word| BoardSet::is_name(word));
        let words = || naming.words(words);
        Ok(if are_sets { interrupt::orderly(words) } else { words() }?)
    }

    /// The boards of a file, or of standard input for `-`.
    pub(crate) fn file(
        &self,
        path: &Path,
        columns: Option<Columns>,
    ) -> anyhow::Result<NamedBoards> {
        Ok(self.naming(columns)?.file(path)?)
    }

    fn naming(&self, columns: Option<Columns>) -> anyhow::Result<Naming> {
        // What boards of some length are solved with while they are made.
        let tables = self.builder.clone().lazy()?;
        Ok(Naming { shape: self.shape, columns, goal: self.goal, tables: Some(tables) })
    }

    /// A handle that opens its tables with the first board. A set of boards may have a goal of its own.
    pub(crate) fn open(
        self,
        own_goal: Option<Goal>,
        progress: Progress,
    ) -> anyhow::Result<Tilebase> {
        let Self { mut builder, spec, goal, .. } = self;
        if let (None, Some(own)) = (goal, own_goal) {
            builder = builder.goal(GoalChoice::Drawn(own));
        }
        let tables = builder.lazy()?;
        if goal.is_none()
            && let (Some(spec), Some(shape)) = (spec, tables.shape())
            && let Ok(goal) = tables.goal(shape)
            && goal != Goal::blank_last(shape)
        {
            progress.note(format_args!(
                "note: the goal is {}, as {spec} or the boards have it; --goal names another",
                goal_name(&goal)
            ));
        }
        Ok(tables)
    }
}
