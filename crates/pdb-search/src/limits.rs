//! When a search gives up.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How many nodes are generated between two looks at the clock and the stop flag.
const CHECK_INTERVAL: u64 = 4096;

/// When a search gives up; by default never.
#[derive(Clone, Copy, Debug, Default)]
pub struct Limits<'a> {
    /// The longest time that the search may take. It is looked at every few thousand nodes, by a
    /// [`Solver`](crate::Solver) those of each lane.
    pub time: Option<Duration>,
    /// The largest number of nodes that the search may generate. It is never exceeded; a search in
    /// several lanes may end a little before it, as each lane is given its share in advance.
    pub nodes: Option<u64>,
    /// Somebody else's wish to stop: set it to `true`, and the search ends after a few thousand
    /// nodes at most, by a [`Solver`](crate::Solver) those of each lane.
    pub stop: Option<&'a AtomicBool>,
    /// The most bytes that the nodes, hash tables and open lists of a search may have. It is never
    /// exceeded: what growing takes while old and new are there is counted before. A depth-first
    /// search keeps none of these, so it has no such limit.
    pub memory: Option<u64>,
}

/// Which limit ended a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LimitKind {
    /// [`Limits::time`].
    Time,
    /// [`Limits::nodes`].
    Nodes,
    /// [`Limits::stop`].
    Interrupted,
    /// [`Limits::memory`].
    Memory,
}

/// Counts generated nodes and keeps the limits.
///
/// Nodes are granted in advance, and the limits are looked at when a grant is used up: in between,
/// a node costs one decrement, whether there are limits or not.
#[derive(Debug)]
pub(crate) struct Meter<'a> {
    limits: Limits<'a>,
    started: Instant,
    granted: u64,
    left: u64,
}

impl<'a> Meter<'a> {
    pub(crate) fn start(limits: Limits<'a>) -> Self {
        Self { limits, started: Instant::now(), granted: 0, left: 0 }
    }

    /// Nodes generated so far.
    pub(crate) fn generated(&self) -> u64 {
        self.granted - self.left
    }

    /// Time since the search began.
    pub(crate) fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Counts one node, unless a limit forbids to generate it.
    #[inline]
    pub(crate) fn count(&mut self) -> Result<(), LimitKind> {
        if self.left == 0 {
            self.grant()?;
        }
        self.left -= 1;
        Ok(())
    }

    #[cold]
    #[inline(never)]
    fn grant(&mut self) -> Result<(), LimitKind> {
        let Limits { time, nodes, stop, .. } = self.limits;
        let allowed = nodes.map_or(CHECK_INTERVAL, |nodes| nodes - self.granted);
        if allowed == 0 {
            return Err(LimitKind::Nodes);
        }
        if stop.is_some_and(|stop| stop.load(Ordering::Relaxed)) {
            return Err(LimitKind::Interrupted);
        }
        if time.is_some_and(|time| self.elapsed() >= time) {
            return Err(LimitKind::Time);
        }
        self.left = allowed.min(CHECK_INTERVAL);
        self.granted += self.left;
        Ok(())
    }
}
