//! Messages between rank 0 and the others, as JSON: they are small, and rare compared to the
//! searches.

use std::path::PathBuf;
use std::time::Duration;

use pdb_core::{BlankMode, Board, Direction, PatternKey, Shape};
use pdb_search::Outcome;
use pdb_search::packets::Counts;
use serde::{Deserialize, Serialize};
use tilebase::pdb_gen::Build;
use tilebase::shelf::Residence;

/// A command of rank 0 to another rank.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) enum RankCommand {
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
    /// The task is closed; `left` counts the nodes of unfinished packets.
    Closed { task: u64, left: Counts, effort: Effort },
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
    /// The name of the metric.
    pub(crate) metric: String,
    pub(crate) folder: PathBuf,
    /// Name of the residence of tables, as `Debug` writes it.
    pub(crate) residence: String,
    pub(crate) trusts_tables: bool,
    /// The board whose packets are searched; `None` if boards are searched.
    pub(crate) board: Option<String>,
    /// The goal of the board's dual, if rank 0 has chosen to search the dual.
    pub(crate) dual: Option<String>,
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

    /// Returns the table's key, which is that of rank 0; `None` if there is no such table.
    pub(crate) fn key(&self) -> Option<PatternKey> {
        let shape = Shape::new(self.rows, self.cols).ok()?;
        let modes = [BlankMode::Aware, BlankMode::Collapsed, BlankMode::Plain];
        let mode = modes.into_iter().find(|mode| mode.name() == self.mode)?;
        PatternKey::new(shape, self.homes.iter().copied().collect(), self.blank, mode).ok()
    }
}

/// An item of work.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) enum Item {
    Board(#[serde(with = "text")] Board),
    /// A packet: its bound, and the moves to its root.
    Packet(u32, #[serde(with = "pdb_search::letters")] Vec<Direction>),
}

/// The result of an item.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) enum ItemResult {
    /// The answer of a solvable board.
    Board(Outcome),
    /// A packet without a solution, and the smallest estimate met.
    Packet(Counts, u32),
    /// A packet with a solution, and the nodes before it.
    Goal(#[serde(with = "pdb_search::letters")] Vec<Direction>, Counts),
    /// The search of a board failed, or the board is unsolvable. Rank 0 repeats the search and gets
    /// the same result.
    Repeat,
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

/// A board as text.
mod text {
    use pdb_core::Board;
    use serde::de::{Deserialize, Deserializer, Error};
    use serde::ser::Serializer;

    pub(super) fn serialize<S: Serializer>(board: &Board, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(board)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Board, D::Error> {
        String::deserialize(from)?.parse().map_err(Error::custom)
    }
}
