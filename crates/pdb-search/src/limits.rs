//! When a search gives up.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::progress::{BoundCount, Progress};

/// How many nodes are generated between two looks at the clock and the stop flag; or how many steps of
/// other work are done.
pub(crate) const CHECK_INTERVAL: u64 = 4096;

/// When a search gives up; by default never.
#[derive(Clone, Copy, Debug, Default)]
pub struct Limits<'a> {
    /// The longest time that the search may take. It is looked at every 4096 nodes, by a
    /// [`Solver`](crate::Solver) those of each lane, and as often while hash tables and open lists
    /// are put in order. What is done before a search begins is not part of it.
    pub time: Option<Duration>,
    /// The largest number of nodes that the search may generate. It is never exceeded; a search in
    /// several lanes may end a little before it, as each lane is given its share in advance.
    pub nodes: Option<u64>,
    /// Somebody else's wish to stop: set it to `true`, and the search ends after 4096 nodes at
    /// most, by a [`Solver`](crate::Solver) those of each lane.
    pub stop: Option<&'a AtomicBool>,
    /// The most bytes that the nodes, hash tables and open lists of a search may have. It is never
    /// exceeded: what growing takes while old and new are there is counted before. A depth-first
    /// search keeps none of these, so it has no such limit; the path that it follows may take a
    /// mebibyte of the stack, and one that is longer ends it as if this limit did.
    pub memory: Option<u64>,
    /// Who is told how far the search of a board is.
    pub progress: Option<&'a dyn Progress>,
}

impl Limits<'_> {
    /// Looks at the stop flag and the clock.
    pub(crate) fn look(&self, started: Instant) -> Result<(), LimitKind> {
        if self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed)) {
            return Err(LimitKind::Interrupted);
        }
        if self.time.is_some_and(|time| started.elapsed() >= time) {
            return Err(LimitKind::Time);
        }
        Ok(())
    }

    /// Tells how many nodes were generated so far, if anybody wants to know.
    pub(crate) fn tell(&self, generated: u64) {
        if let Some(progress) = self.progress {
            progress.generated(generated);
        }
    }
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
    /// Steps of work that generated no node.
    worked: u64,
}

impl<'a> Meter<'a> {
    pub(crate) fn start(limits: Limits<'a>) -> Self {
        Self { limits, started: Instant::now(), granted: 0, left: 0, worked: 0 }
    }

    /// Nodes generated so far.
    pub(crate) fn generated(&self) -> u64 {
        self.granted - self.left
    }

    /// Time since the search began.
    pub(crate) fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Tells that a bound is done without a solution, if anybody wants to know.
    pub(crate) fn tell_bound(&self, bounds: &[BoundCount]) {
        if let Some(progress) = self.limits.progress {
            progress.bound_done(bounds, self.elapsed());
        }
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

    /// Counts a step of work that generates no node, and may be one of many.
    #[inline]
    pub(crate) fn work(&mut self) -> Result<(), LimitKind> {
        self.worked += 1;
        if self.worked.is_multiple_of(CHECK_INTERVAL) {
            self.limits.look(self.started)?;
        }
        Ok(())
    }

    /// Looks at the stop flag and the clock before many estimates are worked out at once.
    pub(crate) fn look(&self) -> Result<(), LimitKind> {
        self.limits.look(self.started)
    }

    #[cold]
    #[inline(never)]
    fn grant(&mut self) -> Result<(), LimitKind> {
        let allowed = self.limits.nodes.map_or(CHECK_INTERVAL, |nodes| nodes - self.granted);
        if allowed == 0 {
            return Err(LimitKind::Nodes);
        }
        self.limits.look(self.started)?;
        self.limits.tell(self.granted);
        self.left = allowed.min(CHECK_INTERVAL);
        self.granted += self.left;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_and_clocks_are_looked_at_within_so_many_nodes_or_steps() {
        for before in [0, 1, 4095, 4096, 4097, 10_000] {
            for is_work in [false, true] {
                let stop = AtomicBool::new(false);
                let limits = Limits { stop: Some(&stop), ..Limits::default() };
                let mut meter = Meter::start(limits);
                let mut step = || if is_work { meter.work() } else { meter.count() };
                (0..before).for_each(|_| assert_eq!(step(), Ok(())));
                stop.store(true, Ordering::Relaxed);
                let more = (0..10_000).take_while(|_| step().is_ok()).count() as u64;
                assert!(more <= CHECK_INTERVAL, "{more} after {before}");
            }
        }
        let none = Limits { time: Some(Duration::ZERO), ..Limits::default() };
        assert_eq!(Meter::start(none).count(), Err(LimitKind::Time));
    }
}
