//! What ranks say to each other, as JSON: small, and rare beside the searches.

use std::path::{Path, PathBuf};
use std::time::Duration;

use pdb_core::notation::letters;
use pdb_core::{BlankMode, Board, Direction, Goal, PatternKey, Shape};
use pdb_search::packets::Counts;
use pdb_search::{BoundCount, LimitKind, Outcome, Status};
use serde::{Deserialize, Serialize};
use tilebase::Residence;

/// What rank 0 says to the others.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) enum Order {
    /// A task begins.
    Open { task: u64, open: Box<Open> },
    /// Search these.
    Deal { task: u64, items: Vec<(u64, Item)> },
    /// Give so many back that were not begun.
    Recall { task: u64, count: usize },
    /// The task is over: leave what is being searched, and say so.
    Close { task: u64 },
    /// Take part in the build of a table.
    Build { task: u64, build: Box<Build> },
    /// The job is over.
    Leave,
}

/// What the others say to rank 0.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) enum News {
    /// The first words.
    Hello { version: String, host: String, threads: usize },
    /// Ready for a task, with tables that have these digests.
    Opened { task: u64, tables: Vec<(String, String)> },
    /// Not able to take part.
    Refused { task: u64, problem: String },
    /// What was found, what comes back unsearched, and what the rank has done for the task so far.
    Found { task: u64, found: Vec<(u64, Found)>, returned: Vec<u64>, effort: Effort },
    /// The task is closed: what the packets took that were left.
    Closed { task: u64, left: (u64, u64), effort: Effort },
    /// The part in a build is done, or why it is not.
    BuildEnded { task: u64, problem: Option<String> },
}

/// What a task needs.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Open {
    /// The name of the heuristic, or of its spec.
    pub(crate) heuristic: String,
    /// The spec as TOML, where it is not one of those that ship.
    pub(crate) spec: Option<String>,
    pub(crate) goal: String,
    pub(crate) folder: PathBuf,
    /// How tables are brought into memory.
    pub(crate) residence: String,
    pub(crate) trusts_tables: bool,
    /// The board whose packets are searched; else boards are.
    pub(crate) board: Option<String>,
    /// The search of which each thread does one board, if it is not the one in lanes.
    pub(crate) search: Option<String>,
    pub(crate) boards_at_once: Option<usize>,
    pub(crate) time: Option<Duration>,
    pub(crate) nodes: Option<u64>,
    pub(crate) memory_bytes: Option<u64>,
}

/// A build of a table in which all ranks take part.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Build {
    rows: usize,
    cols: usize,
    homes: Vec<u8>,
    blank: u8,
    mode: String,
    pub(crate) folder: PathBuf,
    /// What each rank may have of memory, where that was said.
    pub(crate) memory_bytes: Option<u64>,
    pub(crate) replace: bool,
}

/// What of the blank can be part of an index.
const MODES: &[(BlankMode, &str)] = &[
    (BlankMode::Aware, "aware"),
    (BlankMode::Collapsed, "collapsed"),
    (BlankMode::Plain, "plain"),
];

/// How tables are brought into memory. The first one stands for what another version may know.
pub(crate) const RESIDENCES: &[(Residence, &str)] = &[
    (Residence::Auto, "auto"),
    (Residence::Mapped, "mapped"),
    (Residence::Prefaulted, "prefaulted"),
    (Residence::Locked, "locked"),
    (Residence::Copied, "copied"),
];

/// The name of one of some things; of the first of them, if it is none of these.
pub(crate) fn name_of<T: Copy + PartialEq>(names: &[(T, &str)], thing: T) -> String {
    let found = names.iter().find(|(other, _)| *other == thing).or(names.first());
    found.map(|(_, name)| (*name).to_owned()).unwrap_or_default()
}

/// The thing with a name.
pub(crate) fn named<T: Copy>(names: &[(T, &str)], name: &str) -> Option<T> {
    names.iter().find(|(_, other)| *other == name).map(|(thing, _)| *thing)
}

impl Build {
    pub(crate) fn new(
        key: &PatternKey,
        folder: &Path,
        memory_bytes: Option<u64>,
        replace: bool,
    ) -> Self {
        let PatternKey { shape, homes, goal_region, mode } = *key;
        Self {
            rows: shape.rows(),
            cols: shape.cols(),
            homes: homes.iter().collect(),
            blank: goal_region,
            mode: name_of(MODES, mode),
            folder: folder.to_owned(),
            memory_bytes,
            replace,
        }
    }

    /// The table; nothing where there is none of this kind.
    pub(crate) fn key(&self) -> Option<PatternKey> {
        let shape = Shape::new(self.rows, self.cols).ok()?;
        let is_cell = |&cell: &u8| shape.all_cells().contains(cell);
        let mode = named(MODES, &self.mode)?;
        let is_fine = self.homes.iter().chain([&self.blank]).all(is_cell);
        if !is_fine || self.homes.contains(&self.blank) {
            return None;
        }
        PatternKey::new(shape, self.homes.iter().copied().collect(), self.blank, mode).ok()
    }
}

/// A piece of work.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Item {
    /// A board.
    Board(String),
    /// A packet: its bound, and the letters of the moves to its root.
    Packet(u32, String),
}

/// What came of a piece of work.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) enum Found {
    /// The answer of a board.
    Board(Answered),
    /// A packet was searched: nodes generated and expanded, and the smallest estimate met.
    Packet(u64, u64, u32),
    /// It holds a solution, and the nodes until then.
    Goal(String, u64, u64),
    /// The search of a board has an error. Rank 0 searches it again, and has the same.
    Error,
}

/// What a rank has done for a task.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Effort {
    pub(crate) generated: u64,
    /// Boards and packets.
    pub(crate) items: u64,
    /// Without anything to search.
    pub(crate) waited_seconds: f64,
}

/// An [`Outcome`] that is under way.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Answered {
    status: Ended,
    initial_estimate: Option<u32>,
    generated: u64,
    expanded: u64,
    lookups: u64,
    bounds: Vec<(u32, u64, u64)>,
    memory_bytes: u64,
    elapsed: Duration,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
enum Ended {
    Unsolvable,
    Optimal(String),
    Solved(String, u32),
    Time(u32),
    Nodes(u32),
    Interrupted(u32),
    Memory(u32),
}

impl Answered {
    /// Nothing for what this version does not know.
    pub(crate) fn new(outcome: &Outcome) -> Option<Self> {
        let status = match &outcome.status {
            Status::Optimal { moves } => Ended::Optimal(letters(moves)),
            Status::Unsolvable(_) => Ended::Unsolvable,
            Status::Solved { moves, lower_bound } => Ended::Solved(letters(moves), *lower_bound),
            Status::Limit { kind, lower_bound } => match kind {
                LimitKind::Time => Ended::Time(*lower_bound),
                LimitKind::Nodes => Ended::Nodes(*lower_bound),
                LimitKind::Interrupted => Ended::Interrupted(*lower_bound),
                LimitKind::Memory => Ended::Memory(*lower_bound),
                _ => return None,
            },
            _ => return None,
        };
        let bounds =
            outcome.bounds.iter().map(|count| (count.bound, count.generated, count.expanded));
        Some(Self {
            status,
            initial_estimate: outcome.initial_estimate,
            generated: outcome.generated,
            expanded: outcome.expanded,
            lookups: outcome.lookups,
            bounds: bounds.collect(),
            memory_bytes: outcome.memory_bytes,
            elapsed: outcome.elapsed,
        })
    }

    /// Whether the search was left because of somebody's wish.
    pub(crate) fn is_interrupted(&self) -> bool {
        matches!(self.status, Ended::Interrupted(_))
    }

    /// The outcome; nothing where moves are no moves, or parity does not say so.
    pub(crate) fn outcome(self, board: &Board, goal: &Goal) -> Option<Outcome> {
        let limit = |kind, lower_bound| Status::Limit { kind, lower_bound };
        let status = match self.status {
            Ended::Unsolvable => Status::Unsolvable(goal.check_solvable(board).err()?),
            Ended::Optimal(moves) => Status::Optimal { moves: directions(&moves)? },
            Ended::Solved(moves, lower_bound) => {
                Status::Solved { moves: directions(&moves)?, lower_bound }
            }
            Ended::Time(bound) => limit(LimitKind::Time, bound),
            Ended::Nodes(bound) => limit(LimitKind::Nodes, bound),
            Ended::Interrupted(bound) => limit(LimitKind::Interrupted, bound),
            Ended::Memory(bound) => limit(LimitKind::Memory, bound),
        };
        let count = |(bound, generated, expanded)| BoundCount { bound, generated, expanded };
        Some(Outcome {
            status,
            initial_estimate: self.initial_estimate,
            generated: self.generated,
            expanded: self.expanded,
            lookups: self.lookups,
            bounds: self.bounds.into_iter().map(count).collect(),
            memory_bytes: self.memory_bytes,
            elapsed: self.elapsed,
        })
    }
}

/// The directions of letters; nothing where one is none.
pub(crate) fn directions(letters: &str) -> Option<Vec<Direction>> {
    let of = |letter| Direction::ALL.into_iter().find(|direction| direction.letter() == letter);
    letters.chars().map(of).collect()
}

/// A board of its text, as another rank wrote it.
pub(crate) fn board(text: &str) -> Option<Board> {
    text.parse().ok()
}

/// Counts of two numbers.
pub(crate) fn counts((generated, expanded): (u64, u64)) -> Counts {
    Counts { generated, expanded }
}
