//! What boards are searched with.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use pdb_core::{BLANK, Board, BoardError, Goal, Heuristic, Plan, Shape};
use pdb_rt::{Database, Residence, Visitor};
use pdb_search::{
    Boards, KORF_BLANK_FIRST, KORF_BLANK_LAST, Limits, Manhattan, Options, SearchError, Sharing,
    Solver, ida_star_all,
};
use pdb_spec::Spec;

use crate::failure::{self, usage};
use crate::output::bytes;
use crate::progress::Progress;
use crate::room::{self, Need};
use crate::specs::{self, read_text};

const MANHATTAN: &str = "manhattan";
const WALKING: &str = "walking-distance";

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

    fn goal(&self, shape: Shape) -> Result<Goal, BoardError> {
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
    /// Manhattan distance.
    Manhattan,
    /// Walking Distance, whatever the shape.
    Walking,
    /// The tables of a spec.
    Spec(Box<Spec>),
}

impl SpecChoice {
    pub(crate) fn read(name: Option<&str>) -> anyhow::Result<Self> {
        Ok(match name {
            None => Self::Best,
            Some(MANHATTAN) => Self::Manhattan,
            Some(WALKING) => Self::Walking,
            Some(name) => Self::Spec(Box::new(specs::load(name)?)),
        })
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
    goal: Goal,
    /// Without tables it is Manhattan distance.
    database: Option<Database>,
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
    /// Solves boards of the goal's shape until there are none left.
    pub(crate) fn solve_all(
        &self,
        boards: &impl Boards,
        limits: Limits<'_>,
        mode: Mode,
        thread_count: usize,
    ) -> Result<(), SearchError> {
        // Either order is the other one on the board turned by half.
        let order = if self.goal.home(BLANK) == 0 { KORF_BLANK_FIRST } else { KORF_BLANK_LAST };
        let options = Options { order, limits };
        let search = Search { goal: &self.goal, boards, options, mode, thread_count };
        match &self.database {
            Some(database) => database.visit(search),
            None => search.visit(&Manhattan::new(&self.goal)),
        }
    }
}

/// Finds or builds what boards are searched with; one engine for each shape.
#[derive(Debug)]
pub(crate) struct Chooser {
    pub(crate) spec: SpecChoice,
    pub(crate) goal: GoalChoice,
    pub(crate) folder: PathBuf,
    pub(crate) memory_bytes: u64,
    pub(crate) thread_count: usize,
    pub(crate) residence: Residence,
    pub(crate) progress: Progress,
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
        let (name, plan) = match &self.spec {
            SpecChoice::Best => return self.best(goal),
            SpecChoice::Manhattan => return Ok(manhattan(goal)),
            SpecChoice::Walking => (WALKING, Plan::walking(goal)),
            SpecChoice::Spec(spec) => (spec.name.as_str(), spec.for_goal(goal)?),
        };
        let need = Need::of(&plan, &self.folder, false)?;
        room::check(name, goal.shape(), &need, &self.folder, self.memory_bytes)?;
        self.open(name, &plan, &need)
    }

    /// The first default that is there already, or the first one that there is room for; without
    /// one, a heuristic that every board has.
    fn best(&self, goal: &Goal) -> anyhow::Result<Engine> {
        let shape = goal.shape();
        let mut fitting = Vec::new();
        let mut reason = format!("there is no shipped spec for {shape} boards");
        for name in pdb_spec::defaults_for(shape) {
            let spec = pdb_spec::builtin(name)?;
            let Ok(plan) = spec.for_goal(goal) else {
                reason = "no shipped spec has the blank where this goal has it".into();
                continue;
            };
            let need = Need::of(&plan, &self.folder, false)?;
            if room::check(name, shape, &need, &self.folder, self.memory_bytes).is_ok() {
                fitting.push((spec, plan, need));
            } else {
                reason = format!("no shipped spec for {shape} boards fits the memory or the disk");
            }
        }
        let there = fitting.iter().position(|(.., need)| need.missing.is_empty());
        if let Some((spec, plan, need)) = fitting.get(there.unwrap_or(0)) {
            return self.open(&spec.name, plan, need);
        }
        let plan = Plan::walking(goal);
        // The states of a table that is not small are not all counted.
        let is_small = |key| pdb_gen::estimate(key).is_ok_and(|estimate| estimate.exact);
        if plan.tables().iter().all(is_small)
            && let Ok(need) = Need::of(&plan, &self.folder, false)
            && room::check(WALKING, shape, &need, &self.folder, self.memory_bytes).is_ok()
        {
            self.progress.note(format_args!("note: {reason}: using Walking Distance"));
            return self.open(WALKING, &plan, &need);
        }
        self.progress.note(format_args!("note: {reason}: using Manhattan distance"));
        Ok(manhattan(goal))
    }

    /// Builds what is missing and maps the tables.
    fn open(&self, name: &str, plan: &Plan, need: &Need) -> anyhow::Result<Engine> {
        if !need.missing.is_empty() {
            self.progress.note(format_args!(
                "building the tables of {name} in {}: {}",
                self.folder.display(),
                bytes(need.disk_bytes)
            ));
            room::build_missing(need, &self.folder, self.thread_count, self.progress)?;
        }
        let database = Database::open_as(plan, &self.folder, self.residence)?;
        Ok(Engine { name: name.to_owned(), goal: *plan.goal(), database: Some(database) })
    }
}

fn manhattan(goal: &Goal) -> Engine {
    Engine { name: MANHATTAN.to_owned(), goal: *goal, database: None }
}
