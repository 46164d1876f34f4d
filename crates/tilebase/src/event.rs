//! Progress events of long work.

use std::fmt;
#[cfg(feature = "build")]
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use pdb_core::{Board, Direction, Metric};
use pdb_search::BoundCount;

use crate::known_length::KnownLength;
#[cfg(feature = "build")]
use crate::missing::MissingTables;

/// Progress event of long work.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Event<'a> {
    /// Better tables cannot be used for the boards, so a weaker heuristic is used.
    Fallback {
        /// Reason why they cannot be used.
        reason: &'a str,
        /// The weaker heuristic.
        heuristic: &'a str,
        /// The spec of the better tables, if they can be built.
        better: Option<&'a str>,
    },
    /// Tables of a spec are missing and will be built.
    #[cfg(feature = "build")]
    Missing {
        /// The tables.
        missing: &'a MissingTables,
        /// Their folder.
        folder: &'a Path,
    },
    /// A table's file is not that table or is damaged, so it will be built again.
    #[cfg(feature = "build")]
    Damaged {
        /// The file.
        path: &'a Path,
    },
    /// The builds of a spec's tables were stopped, and the tables that are complete are kept.
    #[cfg(feature = "build")]
    Stopped {
        /// The spec or heuristic.
        name: &'a str,
        /// Number of tables that exist.
        built_count: usize,
        /// Number of all tables of the spec.
        table_count: usize,
    },
    /// A search needed a table, which was built.
    #[cfg(feature = "build")]
    Built(&'a pdb_gen::BuildReport),
    /// A bound of a board's search is finished, without a solution.
    Bound(BoundState),
    /// A search found a solution that is shorter than all before.
    Solution(SolutionState<'a>),
    /// A task made progress, or ended.
    Task(Task<'a>, Step<'a>),
}

/// Work with an end that may take long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Task<'a> {
    /// The build of a table, with the name of its file.
    Table(&'a str),
    /// The rating of a heuristic.
    Rating,
    /// The search for partitions.
    Partitions,
    /// The search of a hard board.
    Packets,
}

/// Step of a task.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Step<'a> {
    /// The build of a table begins.
    Begin {
        /// One line that describes the table.
        description: &'a str,
        /// Place of the table among those of its spec, from 1.
        place: usize,
        /// Number of all tables of the spec.
        table_count: usize,
        /// Memory limit of a build that streams from disk, in bytes.
        streamed_bytes: Option<u64>,
    },
    /// The build of a table made progress.
    #[cfg(feature = "build")]
    Table(pdb_gen::Event),
    /// Boards of a sample were rated.
    Boards {
        /// The step of the rating.
        doing: &'a str,
        /// Boards rated so far.
        done: u64,
        /// Number of boards.
        total: u64,
    },
    /// Partitions were compared.
    Partitions {
        /// Index of the starting partition, from 1.
        start: u64,
        /// Number of starting partitions.
        starts: u64,
        /// Number of partitions compared so far.
        compared: u64,
        /// The largest estimate so far, on the search's own boards.
        best: f64,
    },
    /// Packets of the current bound were searched.
    Packets(PacketState),
    /// The task ended, whether it succeeded or not.
    End,
}

/// Finished bound of a board's search that contains no solution.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoundState {
    /// The board.
    pub board: Board,
    /// The bound, with the number of its nodes. A weighted search has bounds of its cost.
    pub bound: BoundCount,
    /// Metric of the bound.
    pub metric: Metric,
    /// Every solution has at least this many moves; 0 if the search proves nothing by its bounds.
    pub lower_bound: u32,
    /// Generated nodes divided by those of the previous bound.
    pub growth: Option<f64>,
    /// Time since the search of the board began or was resumed.
    pub elapsed: Duration,
}

/// Solution of a board that is shorter than all before, and may not be a shortest one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SolutionState<'a> {
    /// The board.
    pub board: Board,
    /// The moves, as directions of the tiles.
    pub moves: &'a [Direction],
    /// Metric of length and bound.
    pub metric: Metric,
    /// Every solution has at least this many moves.
    pub lower_bound: u32,
    /// Time since the search of the board began.
    pub elapsed: Duration,
}

impl SolutionState<'_> {
    /// Returns the number of moves, by the metric.
    pub fn length(&self) -> usize {
        self.metric.count(self.moves)
    }

    /// Returns what is known of the length of a shortest solution, for words about it.
    pub fn known_length(&self) -> KnownLength {
        let Self { metric, lower_bound, .. } = *self;
        KnownLength { metric, length: Some(self.length() as u32), lower_bound, optimum: None }
    }
}

impl BoundState {
    /// Describes the last of some bounds.
    pub(crate) fn last(
        board: &Board,
        bounds: &[BoundCount],
        metric: Metric,
        is_proof: bool,
        elapsed: Duration,
    ) -> Option<Self> {
        let (&bound, others) = bounds.split_last()?;
        let before = others.last().filter(|before| before.generated > 0);
        let growth = before.map(|before| bound.generated as f64 / before.generated as f64);
        let lower_bound = if is_proof { bound.bound + metric.step() } else { 0 };
        Some(Self { board: *board, bound, metric, lower_bound, growth, elapsed })
    }
}

/// Progress of the search of a hard board within the current bound.
#[derive(Clone, Debug, PartialEq)]
pub struct PacketState {
    /// The bound, in moves.
    pub bound: u32,
    /// Finished packets.
    pub done: usize,
    /// Number of packets of this search.
    pub total: usize,
    /// Generated nodes per second.
    pub rate: f64,
    /// Expected time until the bound is finished.
    pub left: Option<Duration>,
}

/// Receiver of events, shared by all threads.
#[derive(Clone)]
pub struct Watch(Arc<dyn Fn(&Event<'_>) + Send + Sync>);

impl Watch {
    /// Creates a receiver that calls `watch` with each event. The calls interrupt the work, so
    /// `watch` should be quick.
    pub fn new(watch: impl Fn(&Event<'_>) + Send + Sync + 'static) -> Self {
        Self(Arc::new(watch))
    }

    pub(crate) fn tell(&self, event: &Event<'_>) {
        (self.0)(event);
    }
}

impl Default for Watch {
    /// Ignores all events.
    fn default() -> Self {
        Self::new(|_| ())
    }
}

impl fmt::Debug for Watch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Watch(..)")
    }
}
