//! The limits of a search, and the meter that keeps them.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use pdb_clock::Instant;

use crate::progress::{BoundCount, Progress};

/// Largest number of generated nodes, or of steps of other work, between two checks of clock and
/// stop flag.
pub(crate) const CHECK_INTERVAL: u64 = 4096;

/// Time between two checks that is aimed at where nodes are slow.
pub(crate) const CHECK_TIME: Duration = Duration::from_millis(1);

/// Largest stack use of a path, in bytes: half of a thread's, and a quarter of the stack of
/// WebAssembly. Paths of shortest solutions are far shorter; with a large weight they may have any
/// length.
const PATH_BYTES: usize =
    if cfg!(target_family = "wasm") { 1 << 18 } else { pdb_core::STACK_BYTES / 2 };

/// The limits of a search. By default there are none.
#[derive(Clone, Copy, Debug, Default)]
pub struct Limits<'a> {
    /// Time limit of the search. It is checked every 4096 nodes (in a [`Solver`](crate::Solver), of
    /// each lane), and as often while hash tables and open lists are reorganized. Where that takes
    /// more than a millisecond, as with a slow heuristic, it is checked after fewer nodes.
    /// Preparations before a search do not count.
    pub time: Option<Duration>,
    /// Limit of generated nodes. It is never exceeded; a search in several lanes may end slightly
    /// below it, because each lane receives its share in advance.
    pub nodes: Option<u64>,
    /// Flag that another thread sets to end the search. It is checked as often as the time.
    pub stop: Option<&'a AtomicBool>,
    /// Memory limit of the nodes, hash tables and open lists of a search, in bytes. It is never
    /// exceeded: a table that grows counts with its old and its new memory. A depth-first search
    /// keeps none of these, so it has no such limit. Its current path may take a mebibyte of the
    /// stack; a longer path ends the search like this limit.
    pub memory: Option<u64>,
    /// The receiver of the search's progress.
    pub progress: Option<&'a dyn Progress>,
    /// The guard of the tables that the search reads. Once it has failed, the search ends as if
    /// [`stop`](Self::stop) were set. It is asked as often as the time is checked.
    pub guard: Option<&'a dyn Guard>,
}

/// A guard of the tables that searches read.
pub trait Guard: fmt::Debug + Sync {
    /// Returns whether a table is known to be damaged, so that no answer of a search counts.
    fn has_failed(&self) -> bool;
}

impl Limits<'_> {
    /// Checks the stop flag, the guard and the clock. Every search passes here.
    pub(crate) fn look(&self, started: Instant) -> Result<(), LimitKind> {
        if self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed))
            || self.guard.is_some_and(Guard::has_failed)
        {
            return Err(LimitKind::Interrupted);
        }
        if self.time.is_some_and(|time| started.elapsed() >= time) {
            return Err(LimitKind::Time);
        }
        Ok(())
    }

    /// Reports the number of nodes generated so far.
    pub(crate) fn report(&self, generated: u64) {
        if let Some(progress) = self.progress {
            progress.generated(generated);
        }
    }
}

/// The limit that ended a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum LimitKind {
    /// [`Limits::time`].
    Time,
    /// [`Limits::nodes`].
    Nodes,
    /// [`Limits::stop`] or [`Limits::guard`].
    Interrupted,
    /// [`Limits::memory`].
    Memory,
}

impl LimitKind {
    /// Returns the name in records: `time`, `nodes`, `interrupt` or `memory`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Time => "time",
            Self::Nodes => "nodes",
            Self::Interrupted => "interrupt",
            Self::Memory => "memory",
        }
    }
}

/// The number of nodes, or of steps of other work, up to the next check: as many as take some time
/// by the last check, but at most 4096 and twice the number before. The time aimed at is a
/// millisecond.
#[derive(Debug)]
pub struct Pace {
    pub(crate) interval: u64,
    /// Number of steps up to the next check, where they are counted here.
    left: u64,
    checked: Instant,
}

/// Begins with one node.
impl Default for Pace {
    fn default() -> Self {
        Self { interval: 1, left: 1, checked: Instant::now() }
    }
}

impl Pace {
    /// Counts a step, and returns whether a check is due before it.
    #[inline]
    pub fn is_due(&mut self) -> bool {
        self.left -= 1;
        if self.left > 0 {
            return false;
        }
        self.adapt();
        self.left = self.interval;
        true
    }

    /// Returns as large a share of a number as the interval is of the largest one.
    pub(crate) fn share_of(&self, number: u64) -> u64 {
        (self.interval * number).div_ceil(CHECK_INTERVAL)
    }

    /// Returns whether so many nodes are too slow for one check.
    pub(crate) fn is_slow(&self) -> bool {
        self.interval < CHECK_INTERVAL
    }

    /// Adapts the number to the time since the last check.
    pub(crate) fn adapt(&mut self) {
        let now = Instant::now();
        let taken = now.saturating_duration_since(self.checked);
        self.interval = fitting_interval(self.interval, taken);
        self.checked = now;
    }
}

/// Returns the next interval, which should take a millisecond, after one that took `taken`.
fn fitting_interval(interval: u64, taken: Duration) -> u64 {
    let fitting = u128::from(interval) * CHECK_TIME.as_nanos() / taken.as_nanos().max(1);
    let most = CHECK_INTERVAL.min(2 * interval);
    u64::try_from(fitting).unwrap_or(most).clamp(1, most)
}

/// A counter of generated nodes that keeps the limits.
///
/// Nodes are granted in advance, and the limits are checked when a grant is used up. In between, a
/// node costs one decrement, whether there are limits or not.
#[derive(Debug)]
pub struct Meter<'a> {
    limits: Limits<'a>,
    /// A second flag that ends the search, besides that of the limits.
    is_over: Option<&'a AtomicBool>,
    started: Instant,
    granted: u64,
    left: u64,
    pace: Pace,
    /// The pace of steps that generate no node.
    step_pace: Pace,
}

impl<'a> Meter<'a> {
    /// Starts the clock of a search.
    pub fn start(limits: Limits<'a>) -> Self {
        Self {
            limits,
            is_over: None,
            started: Instant::now(),
            granted: 0,
            left: 0,
            pace: Pace::default(),
            step_pace: Pace::default(),
        }
    }

    /// Starts the clock of a search that also ends when the search beside it is over.
    pub(crate) fn beside(limits: Limits<'a>, is_over: &'a AtomicBool) -> Self {
        Self { is_over: Some(is_over), ..Self::start(limits) }
    }

    /// Returns the nodes generated so far.
    pub fn generated(&self) -> u64 {
        self.granted - self.left
    }

    /// Returns the time since the search began.
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Reports that a bound is finished without a solution.
    pub(crate) fn report_bound(&self, bounds: &[BoundCount]) {
        if let Some(progress) = self.limits.progress {
            progress.bound_done(bounds, self.elapsed());
        }
    }

    /// Counts one node before it is generated.
    ///
    /// # Errors
    /// The limit that forbids the node.
    #[inline]
    pub fn count(&mut self) -> Result<(), LimitKind> {
        self.count_all(1)
    }

    /// Counts nodes before they are generated together.
    ///
    /// # Errors
    /// The limit that forbids some of them; then none is counted.
    #[inline]
    pub fn count_all(&mut self, count: u64) -> Result<(), LimitKind> {
        if self.left < count {
            self.grant(count - self.left)?;
        }
        self.left -= count;
        Ok(())
    }

    /// Counts nodes in advance, as many as may be generated before the next check. Returns their
    /// number. `unused` were counted before, and were not generated.
    ///
    /// # Errors
    /// The limit that forbids more.
    pub(crate) fn count_ahead(&mut self, unused: u64) -> Result<u64, LimitKind> {
        let is_used_up = self.left == 0;
        self.uncount(unused);
        if is_used_up {
            self.grant(1)?;
        }
        Ok(std::mem::take(&mut self.left))
    }

    /// Takes back nodes that were counted and not generated.
    pub(crate) fn uncount(&mut self, unused: u64) {
        self.left += unused;
    }

    /// Returns the number of nodes that may be generated together, at most `most`, so that the
    /// checks do not wait.
    pub(crate) fn portion(&self, most: usize) -> usize {
        self.pace.interval.min(most as u64) as usize
    }

    /// Counts a step of work that generates no node, and may be one of many.
    ///
    /// # Errors
    /// The limit that ends the search.
    #[inline]
    pub fn work(&mut self) -> Result<(), LimitKind> {
        if self.step_pace.is_due() { self.look() } else { Ok(()) }
    }

    /// Checks the stop flag and the clock, before a long piece of work.
    ///
    /// # Errors
    /// The limit that ends the search.
    pub fn look(&self) -> Result<(), LimitKind> {
        if self.is_over.is_some_and(|is_over| is_over.load(Ordering::Relaxed)) {
            return Err(LimitKind::Interrupted);
        }
        self.limits.look(self.started)
    }

    /// Grants at least `wanted` more nodes.
    #[cold]
    #[inline(never)]
    fn grant(&mut self, wanted: u64) -> Result<(), LimitKind> {
        let allowed = self.limits.nodes.map_or(u64::MAX, |nodes| nodes - self.granted);
        if allowed < wanted {
            return Err(LimitKind::Nodes);
        }
        self.look()?;
        self.limits.report(self.generated());
        self.pace.adapt();
        let more = self.pace.interval.max(wanted).min(allowed);
        self.left += more;
        self.granted += more;
        Ok(())
    }
}

/// Position on the stack where a recursive search began.
#[derive(Clone, Copy, Debug)]
pub struct StackStart(usize);

impl StackStart {
    /// Returns the current position.
    #[inline(always)]
    pub fn here() -> Self {
        let here = 0u8;
        Self(std::ptr::from_ref(&here).addr())
    }

    /// Returns whether the search has used up its part of the stack: 1 MiB, or 256 KiB in
    /// WebAssembly.
    #[inline(always)]
    pub fn is_far(self) -> bool {
        self.0.abs_diff(Self::here().0) > PATH_BYTES
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_grow_where_nodes_are_fast_and_shrink_at_once_where_they_are_slow() {
        let next = fitting_interval;
        let mut interval = 1;
        for _ in 0..20 {
            interval = next(interval, Duration::from_nanos(50 * interval));
        }
        assert_eq!(interval, CHECK_INTERVAL);
        assert_eq!(next(CHECK_INTERVAL, Duration::ZERO), CHECK_INTERVAL);
        assert_eq!(next(CHECK_INTERVAL, CHECK_TIME * 410), 9);
        assert_eq!(next(9, CHECK_TIME * 100), 1);
        assert_eq!(next(1, Duration::MAX), 1);
    }
}
