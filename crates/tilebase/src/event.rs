//! What long work tells on the way, and how it is stopped.

use std::fmt;
#[cfg(feature = "build")]
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use pdb_core::Board;
use pdb_search::BoundCount;

/// Something that long work tells on the way.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Event<'a> {
    /// No tables serve the boards, so that a weaker heuristic is used.
    Fallback {
        /// Why.
        reason: &'a str,
        /// What is used instead.
        heuristic: &'a str,
    },
    /// Tables of a spec are missing and will be built.
    #[cfg(feature = "build")]
    Missing {
        /// The spec or heuristic.
        name: &'a str,
        /// Where they will be.
        folder: &'a Path,
        /// What they will take there, in bytes.
        disk_bytes: u64,
    },
    /// The build of a table begins.
    #[cfg(feature = "build")]
    TableBegins {
        /// Its file's name.
        table: &'a str,
        /// What it is.
        description: &'a str,
        /// The memory that it streams in, in bytes, if it does not fit the memory as a whole.
        streamed_bytes: Option<u64>,
    },
    /// The build of a table is further on.
    #[cfg(feature = "build")]
    Table {
        /// Its file's name.
        table: &'a str,
        /// How far.
        event: pdb_gen::Event,
    },
    /// The build of a table ended, well or not.
    #[cfg(feature = "build")]
    TableEnds {
        /// Its file's name.
        table: &'a str,
    },
    /// A table was built because a search needs it.
    #[cfg(feature = "build")]
    Built(&'a pdb_gen::BuildReport),
    /// How many boards of a sample are rated.
    Rated {
        /// What is done with them.
        doing: &'a str,
        /// Boards that are done.
        done: u64,
        /// Boards in all.
        total: u64,
    },
    /// How far a search for partitions is.
    Partitions {
        /// Which of the first partitions it has come from, from 1.
        start: u64,
        /// How many first partitions there are.
        starts: u64,
        /// Partitions that were compared.
        compared: u64,
        /// The largest estimate so far that the search goes by, on its own boards.
        best: f64,
    },
    /// The search for partitions ended, and with it the last [`Partitions`](Self::Partitions).
    PartitionsEnd,
    /// The last [`Rated`](Self::Rated) of a sample was told.
    RatedEnd,
    /// A bound of a board's search is done, without a solution.
    Bound(BoundState),
    /// How far the search of a hard board is within the present bound.
    Packets(PacketState),
    /// The search of a hard board ended, and with it the last [`Packets`](Self::Packets).
    PacketsEnd,
}

/// A bound of a board's search that holds no solution.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoundState {
    /// The board.
    pub board: Board,
    /// The bound, and the nodes within it.
    pub bound: BoundCount,
    /// How many times as many nodes were generated as within the bound before.
    pub growth: Option<f64>,
    /// The time since the search of the board began; of a search that was resumed, since then.
    pub elapsed: Duration,
}

impl BoundState {
    /// The last of some bounds; nothing where there is none.
    pub(crate) fn last(board: &Board, bounds: &[BoundCount], elapsed: Duration) -> Option<Self> {
        let (&bound, others) = bounds.split_last()?;
        let before = others.last().filter(|before| before.generated > 0);
        let growth = before.map(|before| bound.generated as f64 / before.generated as f64);
        Some(Self { board: *board, bound, growth, elapsed })
    }
}

/// How far the search of a hard board is within the present bound.
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
    /// The time that is left within the bound.
    pub left: Option<Duration>,
}

/// Receives events; shared by all threads.
#[derive(Clone)]
pub struct Watch(Arc<dyn Fn(&Event<'_>) + Send + Sync>);

impl Watch {
    /// Calls `watch` with each event. It is called in the middle of work, so it should be quick.
    pub fn new(watch: impl Fn(&Event<'_>) + Send + Sync + 'static) -> Self {
        Self(Arc::new(watch))
    }

    pub(crate) fn tell(&self, event: &Event<'_>) {
        (self.0)(event);
    }
}

impl Default for Watch {
    /// Nobody watches.
    fn default() -> Self {
        Self::new(|_| ())
    }
}

impl fmt::Debug for Watch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Watch(..)")
    }
}

/// Stops builds and searches. All clones are one: whoever holds one stops the work of all.
///
/// ```
/// use tilebase::Cancel;
///
/// let cancel = Cancel::new();
/// let other = cancel.clone();
/// other.cancel();
/// assert!(cancel.is_cancelled());
/// ```
#[derive(Clone, Debug, Default)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    /// One that has stopped nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Stops the work, as soon as it looks.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether the work was stopped.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// The flag that searches and builds look at.
    pub fn flag(&self) -> &AtomicBool {
        &self.0
    }
}
