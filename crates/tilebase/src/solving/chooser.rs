//! What boards are searched with.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use pdb_compare::{Basic, HeuristicName, Prepared};
use pdb_core::{BLANK, Board, BoardError, Goal, Heuristic, Plan, Shape};
use pdb_format::table_digest;
use pdb_rt::{Table, Visitor};
use pdb_search::{
    Boards, KORF_BLANK_FIRST, KORF_BLANK_LAST, Limits, Options, SearchError, Sharing, Solver,
    ida_star_all,
};
use pdb_spec::Spec;

use crate::failure::{self, usage};
use crate::room::{self, Need, Shelf};
use crate::specs::{self, read_text};

/// The goal that was asked for.
#[derive(Clone, Copy, Debug)]
pub(crate) enum GoalChoice {
    /// One for each shape.
    Preset(fn(Shape) -> Goal),
    /// One that is drawn in a file.
    Drawn(Goal),
}

impl GoalChoice {
    /// Reads a preset's name, or a file with a drawn goal.
    pub(crate) fn read(name: &str, shape: Option<Shape>) -> anyhow::Result<Self> {
        Ok(match name {
            "blank-last" => Self::Preset(Goal::blank_last),
            "blank-first" => Self::Preset(Goal::blank_first),
            "snail" => Self::Preset(Goal::snail),
            path => {
                let text = read_text(path).map_err(|error| {
                    usage(format!("{error}, or name blank-last, blank-first or snail"))
                })?;
                let board = Board::parse(text.trim(), shape)
                    .map_err(|error| usage(format!("{path}: {error}")))?;
                Self::Drawn(Goal::new(board))
            }
        })
    }

    /// The shape of the only boards that have this goal, if there is one.
    pub(crate) fn shape(&self) -> Option<Shape> {
        match self {
            Self::Preset(_) => None,
            Self::Drawn(goal) => Some(goal.shape()),
        }
    }

    /// The goal for boards of a shape.
    ///
    /// # Errors
    /// [`BoardError::OtherShape`] when the goal is drawn for other boards.
    pub(crate) fn goal(&self, shape: Shape) -> Result<Goal, BoardError> {
        match self {
            Self::Preset(preset) => Ok(preset(shape)),
            Self::Drawn(goal) if goal.shape() == shape => Ok(*goal),
            Self::Drawn(goal) => {
                Err(BoardError::OtherShape { expected: goal.shape(), found: shape })
            }
        }
    }
}

/// The heuristic that was asked for.
#[derive(Clone, Debug)]
pub(crate) enum SpecChoice {
    /// The best one that the machine has room for.
    Best,
    /// One that every shape has, or a maximum of several.
    Heuristic(String),
    /// The tables of a spec.
    Spec(Box<Spec>),
}

impl SpecChoice {
    /// Reads a name; in a maximum those of specs without a number of tiles are for `shape`.
    pub(crate) fn read(name: Option<&str>, shape: Option<Shape>) -> anyhow::Result<Self> {
        let Some(name) = name else { return Ok(Self::Best) };
        if HeuristicName::known().contains(&name.trim()) || name.contains(['(', ':', ',']) {
            // What cannot be read is better known before the boards are.
            let usual = Shape::new(4, 4).expect("4x4 is a shape");
            specs::heuristic(name, shape.unwrap_or(usual))?;
            return Ok(Self::Heuristic(name.to_owned()));
        }
        Ok(Self::Spec(Box::new(specs::load(name)?)))
    }
}

/// How the work is shared out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Mode {
    /// Throughput; a single board has all threads to itself anyway
    #[default]
    Auto,
    /// Each board as soon as possible, one after another, each on all threads
    Latency,
    /// As many boards a second as possible, many of them side by side
    Throughput,
    /// IDA* as Korf described it, a board a thread: the node counts of the literature
    Plain,
}

/// Something to search with for one goal.
#[derive(Debug)]
pub(crate) struct Engine {
    /// Name of the spec or heuristic.
    pub(crate) name: String,
    heuristic: Prepared,
}

struct Search<'a, B> {
    goal: &'a Goal,
    boards: &'a B,
    options: Options<'a>,
    mode: Mode,
    thread_count: usize,
}

impl<B: Boards> Visitor for Search<'_, B> {
    type Output = Result<(), SearchError>;

    fn visit<H: Heuristic>(self, heuristic: &H) -> Self::Output {
        let Self { goal, boards, options, mode, thread_count } = self;
        let sharing = match mode {
            Mode::Plain => {
                ida_star_all(heuristic, goal, &options, boards, thread_count);
                return Ok(());
            }
            Mode::Latency => Sharing { boards_at_once: Some(1), ..Sharing::default() },
            Mode::Auto | Mode::Throughput => Sharing::default(),
        };
        Solver::new(heuristic, goal, options, sharing)?.solve_all(boards, thread_count);
        Ok(())
    }
}

impl Engine {
    /// The name of the heuristic wherever its spec's file is, and its tables with their digests.
    pub(crate) fn identity(&self) -> (String, Vec<(String, String)>) {
        let path = Path::new(&self.name);
        let is_file = path.extension().is_some_and(|extension| extension == "toml");
        let name = path.file_name().filter(|_| is_file).map(|name| name.to_string_lossy().into());
        let table = |table: &Table| {
            let header = table.header();
            (header.key.file_name(), table_digest(&header.to_bytes()).to_string())
        };
        let tables = self.heuristic.tables().into_iter().map(table).collect();
        (name.unwrap_or_else(|| self.name.clone()), tables)
    }

    /// How boards are searched with it.
    pub(crate) fn options<'a>(&self, limits: Limits<'a>) -> Options<'a> {
        // Either order is the other one on the board turned by half.
        let is_first = self.heuristic.goal().home(BLANK) == 0;
        Options { order: if is_first { KORF_BLANK_FIRST } else { KORF_BLANK_LAST }, limits }
    }

    /// Hands the heuristic over.
    pub(crate) fn visit<V: Visitor>(&self, visitor: V) -> V::Output {
        self.heuristic.visit(visitor)
    }

    /// Solves boards of the goal's shape until there are none left.
    pub(crate) fn solve_all(
        &self,
        boards: &impl Boards,
        limits: Limits<'_>,
        mode: Mode,
        thread_count: usize,
    ) -> Result<(), SearchError> {
        let (goal, options) = (self.heuristic.goal(), self.options(limits));
        self.heuristic.visit(Search { goal, boards, options, mode, thread_count })
    }
}

/// Finds or builds what boards are searched with; one engine for each shape.
#[derive(Debug)]
pub(crate) struct Chooser {
    pub(crate) spec: SpecChoice,
    pub(crate) goal: GoalChoice,
    pub(crate) shelf: Shelf,
    pub(crate) engines: Mutex<Engines>,
}

/// What was made for each goal so far. A failure is remembered, so that it is not tried again for
/// every board.
type Engines = Vec<(Goal, Result<Arc<Engine>, String>)>;

impl Chooser {
    /// The goal for boards of a shape.
    ///
    /// # Errors
    /// [`BoardError::OtherShape`] when goal or spec are for other boards.
    pub(crate) fn goal(&self, shape: Shape) -> Result<Goal, BoardError> {
        let goal = self.goal.goal(shape)?;
        match &self.spec {
            SpecChoice::Spec(spec) if spec.for_goal(&goal).is_err() => {
                Err(BoardError::OtherShape { expected: spec.goal.shape(), found: shape })
            }
            _ => Ok(goal),
        }
    }

    /// The engine for a goal of [`goal`](Self::goal).
    pub(crate) fn engine(&self, goal: &Goal) -> anyhow::Result<Arc<Engine>> {
        let mut engines = self.engines.lock().unwrap_or_else(PoisonError::into_inner);
        let known = engines.iter().find(|(known, _)| known == goal);
        let engine = if let Some((_, engine)) = known {
            engine.clone()
        } else {
            let engine = self.make(goal).map(Arc::new).map_err(|error| failure::text(&error));
            engines.push((*goal, engine.clone()));
            engine
        };
        engine.map_err(anyhow::Error::msg)
    }

    fn make(&self, goal: &Goal) -> anyhow::Result<Engine> {
        match &self.spec {
            SpecChoice::Best => self.best(goal),
            SpecChoice::Heuristic(name) => {
                self.engine_of(goal, &specs::heuristic(name, goal.shape())?)
            }
            SpecChoice::Spec(spec) => self.engine_of(goal, &HeuristicName::from(spec.as_ref())),
        }
    }

    /// The engine of a heuristic, its tables built where they are missing.
    fn engine_of(&self, goal: &Goal, name: &HeuristicName) -> anyhow::Result<Engine> {
        let open = &mut |name: &str, plan: &Plan| self.shelf.database(name, plan);
        let heuristic = Prepared::new(name, goal, open)?;
        Ok(Engine { name: heuristic.name().to_owned(), heuristic })
    }

    /// The first default that is there already, or the first one that there is room for; without
    /// one, a heuristic that every board has.
    fn best(&self, goal: &Goal) -> anyhow::Result<Engine> {
        let Shelf { folder, memory_bytes, progress, .. } = &self.shelf;
        let shape = goal.shape();
        let mut fitting = Vec::new();
        let mut reason = format!("there is no shipped spec for {shape} boards");
        for name in pdb_spec::defaults_for(shape) {
            let spec = pdb_spec::builtin(name)?;
            let Ok(plan) = spec.for_goal(goal) else {
                reason = "no shipped spec has the blank where this goal has it".into();
                continue;
            };
            let need = Need::of(&plan, folder, false)?;
            if room::check(name, shape, &need, folder, *memory_bytes).is_ok() {
                fitting.push((spec, need));
            } else {
                reason = format!("no shipped spec for {shape} boards fits the memory or the disk");
            }
        }
        let there = fitting.iter().position(|(_, need)| need.missing.is_empty());
        if let Some((spec, _)) = fitting.get(there.unwrap_or(0)) {
            return self.engine_of(goal, &HeuristicName::from(spec));
        }
        let plan = Plan::walking(goal);
        // The states of a table that is not small are not all counted.
        let is_small = |key| pdb_gen::estimate(key).is_ok_and(|estimate| estimate.exact);
        let walking = HeuristicName::Walking;
        if plan.tables().iter().all(is_small)
            && let Ok(need) = Need::of(&plan, folder, false)
            && room::check(&walking.to_string(), shape, &need, folder, *memory_bytes).is_ok()
        {
            progress.note(format_args!("note: {reason}: using Walking Distance"));
            return self.engine_of(goal, &walking);
        }
        progress.note(format_args!("note: {reason}: using Manhattan distance"));
        self.engine_of(goal, &HeuristicName::Basic(Basic::Manhattan))
    }
}
