//! Progress of long work.

use std::fmt;
#[cfg(feature = "build")]
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use pdb_core::Board;
use pdb_search::BoundCount;

/// Report of long work about its progress.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Event<'a> {
    /// No tables serve the boards, so a weaker heuristic is used.
    Fallback {
        /// Why no tables serve.
        reason: &'a str,
        /// The weaker heuristic.
        heuristic: &'a str,
    },
    /// Tables of a spec are missing and will be built.
    #[cfg(feature = "build")]
    Missing {
        /// The spec or heuristic.
        name: &'a str,
        /// The folder of the tables.
        folder: &'a Path,
        /// Size of the missing tables on disk, in bytes.
        disk_bytes: u64,
    },
    /// The build of a table begins.
    #[cfg(feature = "build")]
    TableBegins {
        /// The name of the table's file.
        table: &'a str,
        /// One line that describes the table.
        description: &'a str,
        /// Memory limit of a build that streams from disk, in bytes.
        streamed_bytes: Option<u64>,
    },
    /// The build of a table made progress.
    #[cfg(feature = "build")]
    Table {
        /// The name of the table's file.
        table: &'a str,
        /// The progress.
        event: pdb_gen::Event,
    },
    /// The build of a table ended, whether it succeeded or not.
    #[cfg(feature = "build")]
    TableEnds {
        /// The name of the table's file.
        table: &'a str,
    },
    /// A table was built because a search needs it.
    #[cfg(feature = "build")]
    Built(&'a pdb_gen::BuildReport),
    /// Boards of a sample were rated.
    Rated {
        /// The step of the rating.
        doing: &'a str,
        /// Boards that are done.
        done: u64,
        /// Boards in all.
        total: u64,
    },
    /// The step ended, and with it its [`Rated`](Self::Rated) events.
    RatedEnd,
    /// A search for partitions made progress.
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
    /// The search for partitions ended, and with it its [`Partitions`](Self::Partitions) events.
    PartitionsEnd,
    /// A bound of a board's search is done, without a solution.
    Bound(BoundState),
    /// The search of a hard board made progress within the present bound.
    Packets(PacketState),
    /// The search of a hard board ended, and with it its [`Packets`](Self::Packets) events.
    PacketsEnd,
}

/// A bound of a board's search that holds no solution.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoundState {
    /// The board.
    pub board: Board,
    /// The bound, and the nodes within it.
    pub bound: BoundCount,
    /// Generated nodes divided by those of the bound before.
    pub growth: Option<f64>,
    /// Time since the search of the board began, or was resumed.
    pub elapsed: Duration,
}

impl BoundState {
    /// Describes the last of some bounds.
    pub(crate) fn last(board: &Board, bounds: &[BoundCount], elapsed: Duration) -> Option<Self> {
        let (&bound, others) = bounds.split_last()?;
        let before = others.last().filter(|before| before.generated > 0);
        let growth = before.map(|before| bound.generated as f64 / before.generated as f64);
        Some(Self { board: *board, bound, growth, elapsed })
    }
}

/// Progress of the search of a hard board within the present bound.
#[derive(Clone, Debug, PartialEq)]
pub struct PacketState {
    /// The bound, in moves.
    pub bound: u32,
    /// Packets that are done.
    pub done: usize,
    /// Packets of this search in all.
    pub total: usize,
    /// Generated nodes a second.
    pub rate: f64,
    /// Expected time until the bound is done.
    pub left: Option<Duration>,
}

/// Receiver of events, shared by all threads.
#[derive(Clone)]
pub struct Watch(Arc<dyn Fn(&Event<'_>) + Send + Sync>);

impl Watch {
    /// Creates a receiver that calls `watch` with each event. It is called in the middle of work,
    /// so it should be quick.
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
