//! Arguments of all commands that search: the heuristic, the goal, limits and tables.

use std::path::Path;
use std::time::Duration;

use tilebase::names::{GoalChoice, SpecChoice, goal_name};
use tilebase::sets::{InputOptions, NamedBoards, SetName};
use tilebase::shelf::Residence;
use tilebase::text::BlankSign;
use tilebase::{Builder, Goal, Mode, Search, Shape, Tilebase};

use crate::Surroundings;
use crate::args::{self, GoalArgs, InputColumns, Machine, MetricArg};
use crate::choices::{RESIDENCES, one_of};
use crate::console::Console;
use crate::help;
use crate::interrupt;

/// Heuristic, goal and tables.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = help::TABLES)]
pub(crate) struct SolverArgs {
    /// Shipped spec, with or without its number of tiles; .toml file; or any heuristic of
    /// `compare`, such as manhattan, walking-distance or "max(pairwise, 15/5-5-5)" [default: the
    /// best spec that is built or takes a moment; a long search of one board builds better ones]
    #[arg(long, value_name = "NAME|FILE")]
    pub(crate) spec: Option<String>,
    #[command(flatten)]
    pub(crate) goal: GoalArgs,
    #[command(flatten)]
    pub(crate) metric: MetricArg,
    /// How tables are brought into memory
    #[arg(long, value_parser = one_of(RESIDENCES), default_value = "mapped", value_name = "HOW")]
    tables: Residence,
    /// Do not check tables against their digests; a damaged table then makes solutions longer,
    /// without any warning
    #[arg(long)]
    trust_tables: bool,
    #[command(flatten)]
    pub(crate) machine: Machine,
}

/// Limits on the search of a board.
#[derive(Clone, Copy, Debug, Default, clap::Args)]
pub(crate) struct LimitArgs {
    /// Take the best solution that is known after this time per board, such as 10s or 500ms, proved
    /// to be a shortest one or not
    #[arg(long, value_name = "TIME", value_parser = args::time, help_heading = help::SEARCH)]
    within: Option<Duration>,
    /// The same as --within 1s
    #[arg(long, conflicts_with = "within", help_heading = help::SEARCH)]
    quick: bool,
    /// Time limit of the proof per board, such as 10s or 500ms
    #[arg(long, value_name = "TIME", value_parser = args::time, help_heading = help::SEARCH)]
    time_limit: Option<Duration>,
    /// Limit on generated nodes per board
    #[arg(long, value_name = "N", value_parser = args::number::<u64>(1..=u64::MAX),
        help_heading = help::SEARCH)]
    node_limit: Option<u64>,
}

impl LimitArgs {
    pub(crate) fn within(&self) -> Option<Duration> {
        self.within.or(self.quick.then_some(QUICK))
    }

    /// Returns the same, but the time of `--quick` without any limit.
    #[cfg(feature = "pictures")]
    pub(crate) fn within_or_quick(&self) -> Option<Duration> {
        let has_limit = self.time_limit.is_some() || self.node_limit.is_some();
        self.within().or((!has_limit).then_some(QUICK))
    }
}

/// Largest number of cells of boards that the shipped tables solve immediately.
pub(crate) const EASY_CELLS_MAX: usize = 16;

/// The time of `--quick`.
const QUICK: Duration = Duration::from_secs(1);

/// The arguments, before any board is read.
#[derive(Debug)]
pub(crate) struct Setup<'a> {
    pub(crate) builder: Builder,
    spec: Option<&'a str>,
    /// The goal that the command line names.
    pub(crate) goal: Option<GoalChoice>,
    /// The shape of boards without row separators, if the goal, the spec or `--size` says it.
    pub(crate) shape: Option<Shape>,
    /// The sign of the blank that `--blank` names.
    pub(crate) blank: Option<BlankSign>,
}

impl SolverArgs {
    /// Reads spec and goal, for a search in the usual mode.
    pub(crate) fn begin(&self, limits: LimitArgs, console: &Console) -> anyhow::Result<Setup<'_>> {
        self.begin_in(Mode::Auto, limits, console)
    }

    /// Reads spec and goal.
    pub(crate) fn begin_in(
        &self,
        mode: Mode,
        limits: LimitArgs,
        console: &Console,
    ) -> anyhow::Result<Setup<'_>> {
        let spec = match self.spec.as_deref() {
            None => SpecChoice::Best,
            Some(name) => SpecChoice::read(name, self.goal.size)?,
        };
        let (goal, shape) = self.goal.read(spec.shape())?;
        let thread_count = self.machine.thread_count();
        let keeps_boards = matches!(mode, Mode::By(name) if name.keeps_boards());
        let search = Search {
            time: limits.time_limit,
            within: limits.within(),
            nodes: limits.node_limit,
            // Boards that are searched at the same time share the memory.
            memory_bytes: (keeps_boards || self.machine.has_memory_limit())
                .then(|| self.machine.memory().bytes() / thread_count as u64),
            thread_count,
            mode,
            cancel: interrupt::cancel(),
            crew: Surroundings::here().crew.clone(),
            ..Search::default()
        };
        let mut builder = Tilebase::builder()
            .choice(spec)
            .metric(self.metric.metric)
            .folder(&self.machine.folder.path()?)
            .memory(self.machine.memory())
            .residence(self.tables)
            .search(search)
            .watch(console.progress.watcher());
        if let Some(goal) = goal {
            builder = builder.goal(goal);
        }
        if self.trust_tables {
            builder = builder.trust_tables();
        }
        Ok(Setup { builder, spec: self.spec.as_deref(), goal, shape, blank: self.goal.blank.blank })
    }

    /// Reads spec, goal and boards, and returns the boards with a handle to search them.
    pub(crate) fn open(
        &self,
        words: &[String],
        columns: InputColumns,
        limits: LimitArgs,
        console: &Console,
    ) -> anyhow::Result<(NamedBoards, Tilebase)> {
        let setup = self.begin(limits, console)?;
        let named = setup.words(words, columns)?;
        let tables = setup.open(named.goal, console)?;
        Ok((named, tables))
    }
}

impl Setup<'_> {
    /// Returns the boards that words name.
    pub(crate) fn words(
        &self,
        words: &[String],
        columns: InputColumns,
    ) -> anyhow::Result<NamedBoards> {
        let is_set = |word: &String| SetName::is_name(word);
        // Boards of a given length are solved while they are made.
        let tables = words.iter().any(is_set).then(|| self.builder.clone().lazy()).transpose()?;
        let naming = InputOptions { tables, ..self.naming(columns) };
        // A file may be a pipe without a writer; sets end when they are cancelled.
        let are_sets = words.iter().all(is_set);
        let read = || naming.words(words);
        Ok(if are_sets { interrupt::orderly(read) } else { read() }?)
    }

    /// Returns the boards of a file, or of standard input for `-`.
    pub(crate) fn file(&self, path: &Path, columns: InputColumns) -> anyhow::Result<NamedBoards> {
        Ok(self.naming(columns).file(path)?)
    }

    fn naming(&self, columns: InputColumns) -> InputOptions {
        InputOptions {
            shape: self.shape,
            blank: self.blank,
            columns: columns.input_columns,
            pairs: columns.pairs,
            goal: self.goal,
            tables: None,
        }
    }

    /// Returns a handle that opens its tables with the first board. A set of boards may have a goal
    /// of its own, unless the command line names another one.
    pub(crate) fn open(
        self,
        own_goal: Option<Goal>,
        console: &Console,
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
            let origin = match own_goal {
                Some(_) => "the boards have".to_owned(),
                None => format!("{spec} has; choose another with --goal"),
            };
            console.note(format_args!("note: the goal is {}, which {origin}", goal_name(&goal)));
        }
        Ok(tables)
    }
}
