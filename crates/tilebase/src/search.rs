//! Options of searches.

use std::sync::Arc;
use std::time::Duration;

use pdb_lab::SearchName;
use pdb_search::{Improvement, LimitKind, Limits, Progress, Sharing, Status, Work};

use crate::cancel::Cancel;
use crate::crew::Crew;
use crate::event::{Event, Watch};
use crate::kept::Kept;

/// Assignment of threads to boards, and the search that they run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// The default, most boards per second: many boards in parallel, and a single board on all
    /// threads.
    #[default]
    Auto,
    /// Shortest time per board: one board after another, each on all threads.
    Latency,
    /// A search by its name, one board per thread. A search that takes a weight has the weight 1 if
    /// the name gives none. [`SearchName::IDA`] has the node counts of the literature.
    By(SearchName),
}

impl Mode {
    /// Returns the search that takes one board per thread; `None` for the search in lanes.
    pub(crate) fn search_name(self) -> Option<SearchName> {
        match self {
            Self::By(name) => Some(name),
            Self::Auto | Self::Latency => None,
        }
    }
}

/// Returns the mode of a search; the search in lanes has all threads.
impl From<SearchName> for Mode {
    fn from(name: SearchName) -> Self {
        if name == SearchName::LANES { Self::Auto } else { Self::By(name) }
    }
}

/// Options of a search: limits, threads, mode, and a way to stop it.
#[derive(Clone, Debug)]
pub struct Search {
    /// Time limit for one board. Default: none.
    ///
    /// With a learned heuristic, the tables that then prove the [optimum](crate::Answer::optimum)
    /// have the rest of the time, at most ten seconds.
    pub time: Option<Duration>,
    /// Time after which the best known solution is the answer, even if it is not proved to be a
    /// shortest one. Default: none.
    pub within: Option<Duration>,
    /// Limit of the nodes generated for one board, including that proof. Default: none.
    pub nodes: Option<u64>,
    /// Memory limit for one board in bytes, for a search that keeps boards, such as A*, and for the
    /// improvement of a solution. Default: none, and 1 GiB for an improvement.
    pub memory_bytes: Option<u64>,
    /// Number of threads that search, and check and build tables. Default: 0, which stands for that
    /// of the handle.
    pub thread_count: usize,
    /// Assignment of threads to boards.
    pub mode: Mode,
    /// Flag that stops the search, and the build of tables that it needs. Default: a new one.
    pub cancel: Cancel,
    /// Receiver of events: finished bounds, packets, and builds of tables that the search needs.
    /// Default: that of the handle.
    pub watch: Option<Watch>,
    /// Receiver of the number of nodes that the proof has generated so far, without those of the
    /// improvement, while a single board is searched. An
    /// [`AtomicU64`](std::sync::atomic::AtomicU64) is such a receiver: it stores the last number.
    pub generated: Option<Arc<dyn Progress + Send>>,
    /// Other machines that search boards of a stream and packets of a hard board, and build tables.
    /// Default: none.
    pub crew: Option<Arc<dyn Crew>>,
    /// The solutions of earlier searches, with which a search that has a limit of time begins.
    /// Default: none; a [`Trial`](crate::Trial) has them.
    pub kept: Option<Arc<Kept>>,
}

/// Returns the number of cores that this process may use.
pub fn core_count() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

impl Default for Search {
    fn default() -> Self {
        Self {
            time: None,
            within: None,
            nodes: None,
            memory_bytes: None,
            thread_count: 0,
            mode: Mode::default(),
            cancel: Cancel::new(),
            watch: None,
            generated: None,
            crew: None,
            kept: None,
        }
    }
}

impl Search {
    /// Reports an event to the receiver, if there is one.
    pub(crate) fn tell(&self, event: &Event<'_>) {
        if let Some(watch) = &self.watch {
            watch.tell(event);
        }
    }

    /// Returns the options with those of a handle where a search leaves them to it: the receiver of
    /// events and the number of threads.
    pub(crate) fn or(mut self, of_handle: &Self) -> Self {
        if self.thread_count == 0 {
            self.thread_count = of_handle.thread_count;
        }
        self.watch = self.watch.or_else(|| of_handle.watch.clone());
        self
    }

    /// Returns the number of threads: one for each core if neither the search nor a handle sets it.
    pub(crate) fn threads(&self) -> usize {
        if self.thread_count == 0 { core_count() } else { self.thread_count }
    }

    /// Returns the limits of each board.
    pub fn limits(&self) -> Limits<'_> {
        let stop = Some(self.cancel.flag());
        let progress = self.generated.as_deref().map(|generated| generated as &dyn Progress);
        let time = self.time.into_iter().chain(self.within).min();
        Limits { time, nodes: self.nodes, stop, memory: self.memory_bytes, progress, guard: None }
    }

    /// Returns whether the search of each board has a limit.
    pub(crate) fn is_limited(&self) -> bool {
        self.time.is_some() || self.within.is_some() || self.nodes.is_some()
    }

    /// Takes the limit of time from a status if the search had just that time for its best
    /// solution.
    pub(crate) fn excuse(&self, status: &mut Status) {
        let is_enough =
            self.within.is_some_and(|within| self.time.is_none_or(|time| within <= time));
        if let Status::Solved { limit: limit @ Some(LimitKind::Time), .. } = status
            && is_enough
        {
            *limit = None;
        }
    }

    pub(crate) fn work(&self) -> Work<'_> {
        let boards_at_once = (self.mode == Mode::Latency).then_some(1);
        let sharing = Sharing { boards_at_once, ..Sharing::default() };
        let improvement = self.within.map_or(Improvement::BESIDE_PROOF, Improvement::within);
        let memory = self.memory_bytes.unwrap_or(improvement.memory);
        Work {
            limits: self.limits(),
            sharing,
            thread_count: self.threads(),
            improvement: Some(Improvement { memory, ..improvement }),
            account: None,
        }
    }
}
