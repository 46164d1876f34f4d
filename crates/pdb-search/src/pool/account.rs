//! The account of a board's search: its nodes, its limits and its end.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;

use pdb_clock::Instant;

use super::end::JobEnd;
use crate::incumbent::Incumbent;
use crate::limits::CHECK_INTERVAL;
use crate::{LimitKind, Limits};

/// Number of nodes within a bound before its search is split. Below that, a split costs more than
/// it saves, and the search is the same on any number of threads.
pub(super) const WHOLE: u64 = 1024;

/// Number of nodes that a lane generates together, at most.
const CHILDREN_MAX: u64 = 4;

/// The nodes and the end of a board's search, or of all its packets.
#[derive(Debug)]
pub(crate) struct Account {
    started: Instant,
    /// Number of lanes that search.
    lanes: AtomicUsize,
    /// Nodes that lanes were allowed to generate.
    granted: AtomicU64,
    is_over: AtomicBool,
    /// The best known solution.
    pub(crate) incumbent: Incumbent,
}

impl Account {
    /// Makes the account of a search that begins now.
    pub(crate) fn new() -> Self {
        Self {
            started: Instant::now(),
            lanes: AtomicUsize::new(0),
            granted: AtomicU64::new(0),
            is_over: AtomicBool::new(false),
            incumbent: Incumbent::default(),
        }
    }

    /// Returns the number of nodes that lanes were allowed to generate, which is hardly more than
    /// they did.
    pub(crate) fn granted(&self) -> u64 {
        self.granted.load(Ordering::Relaxed)
    }

    pub(crate) fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Forgets the end of an earlier search and the bound that it proved, and keeps the known
    /// solution and the counts for the limits.
    pub(crate) fn reopen(&self) {
        self.incumbent.forget_bound();
        self.is_over.store(false, Ordering::Relaxed);
    }

    pub(crate) fn is_over(&self) -> bool {
        self.is_over.load(Ordering::Relaxed)
    }

    /// Returns the flag that is set when the search is over.
    pub(crate) fn over(&self) -> &AtomicBool {
        &self.is_over
    }

    pub(crate) fn end(&self) {
        self.is_over.store(true, Ordering::Relaxed);
    }

    /// Counts one more lane that searches.
    pub(super) fn open_lane(&self) {
        self.lanes.fetch_add(1, Ordering::Relaxed);
    }

    /// Removes a finished lane, and returns the unused rest of its grant.
    pub(super) fn close_lane(&self, unused: u64) {
        self.granted.fetch_sub(unused, Ordering::Relaxed);
        self.lanes.fetch_sub(1, Ordering::Relaxed);
    }

    /// Checks the stop flag and the clock.
    pub(crate) fn look(&self, limits: &Limits<'_>) -> Result<(), LimitKind> {
        limits.look(self.started)
    }

    /// Checks the same, and whether the known solution is proved.
    pub(crate) fn look_for_end(&self, limits: &Limits<'_>) -> Result<(), JobEnd> {
        self.look(limits)?;
        if self.incumbent.is_met() { Err(JobEnd::Met) } else { Ok(()) }
    }

    /// Grants nodes to a lane: at least those that it generates next, and not many more than
    /// `most`.
    pub(super) fn grant(
        &self,
        limits: &Limits<'_>,
        is_long: bool,
        most: u64,
    ) -> Result<u64, JobEnd> {
        self.look_for_end(limits)?;
        limits.report(self.granted());
        let wish = if is_long { CHECK_INTERVAL } else { WHOLE }.min(most.max(CHILDREN_MAX));
        let Some(limit) = limits.nodes else {
            self.granted.fetch_add(wish, Ordering::Relaxed);
            return Ok(wish);
        };
        // Grants are small near the limit, so that other lanes keep little unused.
        let share = 16 * self.lanes.load(Ordering::Relaxed).max(1) as u64;
        let next = |granted: u64| {
            let rest = limit - granted;
            wish.min((rest / share).max(CHILDREN_MAX)).min(rest)
        };
        let taken = self.granted.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |granted| {
            (next(granted) > 0).then(|| granted + next(granted))
        });
        taken.map(next).map_err(|_| LimitKind::Nodes.into())
    }

    /// Counts nodes outside all lanes, unless a limit forbids them.
    pub(crate) fn grant_outside(&self, limits: &Limits<'_>, count: u64) -> Result<(), LimitKind> {
        limits.look(self.started)?;
        limits.report(self.granted());
        self.grant_all(limits, count)
    }

    /// Counts nodes, unless the node limit forbids them.
    pub(crate) fn grant_all(&self, limits: &Limits<'_>, count: u64) -> Result<(), LimitKind> {
        let limit = limits.nodes.unwrap_or(u64::MAX);
        let next = |granted: u64| granted.checked_add(count).filter(|&sum| sum <= limit);
        match self.granted.fetch_update(Ordering::Relaxed, Ordering::Relaxed, next) {
            Ok(_) => Ok(()),
            Err(_) => Err(LimitKind::Nodes),
        }
    }
}
