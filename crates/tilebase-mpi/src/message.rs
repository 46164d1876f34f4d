//! Messages between rank 0 and the others, as JSON: they are small, and rare compared to the
//! searches.

use std::path::PathBuf;
use std::time::Duration;

use pdb_core::notation::letters;
use pdb_core::{BlankMode, Board, Direction, Goal, PatternKey, Shape};
use pdb_search::packets::Counts;
use pdb_search::{BoundCount, LimitKind, Outcome, Status};
use serde::{Deserialize, Serialize};
use tilebase::pdb_gen::Build;
use tilebase::shelf::Residence;

/// A command of rank 0 to another rank.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) enum Command {
    /// A task begins.
    Open { task: u64, open: Box<TaskRequest> },
    /// Search these items.
    Deal { task: u64, items: Vec<(u64, Item)> },
    /// Return up to `count` items that have not begun.
    Recall { task: u64, count: usize },
    /// The task is over: stop searching, and confirm it.
    Close { task: u64 },
    /// Take part in the build of a table.
    Build { task: u64, build: Box<BuildRequest> },
    /// The job is over.
    Leave,
}

/// A message of another rank to rank 0.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) enum Reply {
    /// The first message.
    Hello { version: String, host: String, threads: usize },
    /// The rank is ready for a task, with tables that have these digests.
    Opened { task: u64, tables: Vec<(String, String)> },
    /// The rank cannot take part.
    Refused { task: u64, problem: String },
    /// Results, items returned unsearched, and the rank's work for the task so far.
    Results { task: u64, found: Vec<(u64, ItemResult)>, returned: Vec<u64>, effort: Effort },
    /// The task is closed; `left` counts the nodes generated and expanded in unfinished packets.
    Closed { task: u64, left: (u64, u64), effort: Effort },
    /// The rank's part in a build has ended, perhaps with a problem.
    BuildEnded { task: u64, problem: Option<String> },
}

/// Description of a task for another rank.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct TaskRequest {
    /// The name of the heuristic, or of its spec.
    pub(crate) heuristic: String,
    /// The spec as TOML, unless it is a shipped one.
    pub(crate) spec: Option<String>,
    pub(crate) goal: String,
    pub(crate) folder: PathBuf,
    /// Name of the residence of tables, as `Debug` writes it.
    pub(crate) residence: String,
    pub(crate) trusts_tables: bool,
    /// The board whose packets are searched; `None` if boards are searched.
    pub(crate) board: Option<String>,
    /// A search that takes one board per thread; `None` for the search in lanes.
    pub(crate) search: Option<String>,
    pub(crate) boards_at_once: Option<usize>,
    pub(crate) time: Option<Duration>,
    pub(crate) nodes: Option<u64>,
    pub(crate) memory_bytes: Option<u64>,
}

/// A build of a table in which all ranks take part.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct BuildRequest {
    rows: usize,
    cols: usize,
    homes: Vec<u8>,
    blank: u8,
    mode: String,
    pub(crate) folder: PathBuf,
    /// Memory limit of each rank, if the user set one.
    pub(crate) memory_bytes: Option<u64>,
    pub(crate) replace: bool,
}

impl TaskRequest {
    /// Returns the residence of tables, or the default if this version does not know its name.
    pub(crate) fn residence(&self) -> Residence {
        let all = [Residence::Mapped, Residence::Prefaulted, Residence::Locked, Residence::Copied];
        let named = |residence: &Residence| format!("{residence:?}") == self.residence;
        all.into_iter().find(named).unwrap_or_default()
    }
}

impl BuildRequest {
    pub(crate) fn new(key: &PatternKey, build: &Build<'_>, memory_bytes: Option<u64>) -> Self {
        let PatternKey { shape, homes, goal_region, mode } = *key;
        Self {
            rows: shape.rows(),
            cols: shape.cols(),
            homes: homes.iter().collect(),
            blank: goal_region,
            mode: mode.name().to_owned(),
            folder: build.folder.to_owned(),
            memory_bytes,
            replace: build.replace,
        }
    }

    /// Returns the table's key; `None` if this version does not know such a table.
    pub(crate) fn key(&self) -> Option<PatternKey> {
        let shape = Shape::new(self.rows, self.cols).ok()?;
        let is_cell = |&cell: &u8| shape.all_cells().contains(cell);
        let modes = [BlankMode::Aware, BlankMode::Collapsed, BlankMode::Plain];
        let mode = modes.into_iter().find(|mode| mode.name() == self.mode)?;
        let is_fine = self.homes.iter().chain([&self.blank]).all(is_cell);
        if !is_fine || self.homes.contains(&self.blank) {
            return None;
        }
        PatternKey::new(shape, self.homes.iter().copied().collect(), self.blank, mode).ok()
    }
}

/// An item of work.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Item {
    /// A board.
    Board(String),
    /// A packet: its bound, and the letters of the moves to its root.
    Packet(u32, String),
}

/// The result of an item.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) enum ItemResult {
    /// The answer of a board.
    Board(WireOutcome),
    /// A packet without a solution: nodes generated and expanded, and the smallest estimate met.
    Packet(u64, u64, u32),
    /// A packet with a solution, and the nodes generated and expanded before it.
    Goal(String, u64, u64),
    /// The search of a board failed. Rank 0 repeats it and gets the same error.
    Error,
}

/// Work of a rank for a task.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Effort {
    pub(crate) generated: u64,
    /// Number of boards and packets.
    pub(crate) items: u64,
    /// Time without anything to search, in seconds.
    pub(crate) waited_seconds: f64,
}

/// An [`Outcome`] in its transmitted form.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct WireOutcome {
    status: WireStatus,
    initial_estimate: Option<u32>,
    generated: u64,
    expanded: u64,
    lookups: u64,
    bounds: Vec<(u32, u64, u64)>,
    memory_bytes: u64,
    elapsed: Duration,
}

/// Limits that end a search.
const LIMITS: [LimitKind; 4] =
    [LimitKind::Time, LimitKind::Nodes, LimitKind::Interrupted, LimitKind::Memory];

#[derive(Clone, Debug, Serialize, Deserialize)]
enum WireStatus {
    Unsolvable,
    Optimal(String),
    Solved(String, u32),
    /// The index of the limit in [`LIMITS`], and the lower bound.
    Limit(usize, u32),
}

impl WireOutcome {
    /// Converts an outcome; `None` for a status that this version does not know.
    pub(crate) fn new(outcome: &Outcome) -> Option<Self> {
        let status = match &outcome.status {
            Status::Optimal { moves } => WireStatus::Optimal(letters(moves)),
            Status::Unsolvable(_) => WireStatus::Unsolvable,
            Status::Solved { moves, lower_bound } => {
                WireStatus::Solved(letters(moves), *lower_bound)
            }
            Status::Limit { kind, lower_bound } => {
                WireStatus::Limit(LIMITS.iter().position(|limit| limit == kind)?, *lower_bound)
            }
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

    /// Returns whether the search was cancelled.
    pub(crate) fn is_interrupted(&self) -> bool {
        matches!(self.status, WireStatus::Limit(limit, _) if LIMITS.get(limit) == Some(&LimitKind::Interrupted))
    }

    /// Returns the outcome; `None` if moves are malformed, or the board is solvable after all.
    pub(crate) fn outcome(self, board: &Board, goal: &Goal) -> Option<Outcome> {
        let status = match self.status {
            WireStatus::Unsolvable => Status::Unsolvable(goal.check_solvable(board).err()?),
            WireStatus::Optimal(moves) => Status::Optimal { moves: directions(&moves)? },
            WireStatus::Solved(moves, lower_bound) => {
                Status::Solved { moves: directions(&moves)?, lower_bound }
            }
            WireStatus::Limit(limit, lower_bound) => {
                Status::Limit { kind: *LIMITS.get(limit)?, lower_bound }
            }
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

/// Reads letters as directions; `None` if a letter is not a direction.
pub(crate) fn directions(letters: &str) -> Option<Vec<Direction>> {
    let of = |letter| Direction::ALL.into_iter().find(|direction| direction.letter() == letter);
    letters.chars().map(of).collect()
}

/// Reads a board as another rank wrote it.
pub(crate) fn board(text: &str) -> Option<Board> {
    text.parse().ok()
}

/// Converts a pair of generated and expanded nodes.
pub(crate) fn counts((generated, expanded): (u64, u64)) -> Counts {
    Counts { generated, expanded }
}
