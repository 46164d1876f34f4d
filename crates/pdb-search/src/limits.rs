//! The limits of a search, and the meter that keeps them.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use pdb_clock::Instant;

use crate::progress::{BoundCount, Progress};

/// Number of generated nodes, or steps of other work, between two checks of clock and stop flag.
pub(crate) const CHECK_INTERVAL: u64 = 4096;

/// Largest stack use of a path, in bytes: half of a thread's default, and a quarter of the stack of
/// WebAssembly. Paths of shortest solutions are far shorter; with a large weight they may have any
/// length.
const STACK_BYTES: usize = if cfg!(target_family = "wasm") { 1 << 18 } else { 1 << 20 };

/// The limits of a search. By default there are none.
#[derive(Clone, Copy, Debug, Default)]
pub struct Limits<'a> {
    /// Time limit of the search. It is checked every 4096 nodes (in a [`Solver`](crate::Solver), of
    /// each lane), and as often while hash tables and open lists are reorganized. Preparations
    /// before a search do not count.
    pub time: Option<Duration>,
    /// Limit of generated nodes. It is never exceeded; a search in several lanes may end slightly
    /// below it, because each lane receives its share in advance.
    pub nodes: Option<u64>,
    /// Flag that another thread sets to end the search, after at most 4096 nodes (in a
    /// [`Solver`](crate::Solver), of each lane).
    pub stop: Option<&'a AtomicBool>,
    /// Memory limit of the nodes, hash tables and open lists of a search, in bytes. It is never
    /// exceeded: a table that grows counts with its old and its new memory. A depth-first search
    /// keeps none of these, so it has no such limit. Its current path may take a mebibyte of the
    /// stack; a longer path ends the search like this limit.
    pub memory: Option<u64>,
    /// The receiver of the search's progress.
    pub progress: Option<&'a dyn Progress>,
}

impl Limits<'_> {
    /// Checks the stop flag and the clock.
    pub(crate) fn look(&self, started: Instant) -> Result<(), LimitKind> {
        if self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed)) {
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

/// A counter of generated nodes that keeps the limits.
///
/// Nodes are granted in advance, and the limits are checked when a grant is used up. In between, a
/// node costs one decrement, whether there are limits or not.
#[derive(Debug)]
pub struct Meter<'a> {
    limits: Limits<'a>,
    started: Instant,
    granted: u64,
    left: u64,
    /// Steps of work that generated no node.
    worked: u64,
}

impl<'a> Meter<'a> {
    /// Starts the clock of a search.
    pub fn start(limits: Limits<'a>) -> Self {
        Self { limits, started: Instant::now(), granted: 0, left: 0, worked: 0 }
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
        if self.left == 0 {
            self.grant()?;
        }
        self.left -= 1;
        Ok(())
    }

    /// Counts a step of work that generates no node, and may be one of many.
    ///
    /// # Errors
    /// The limit that ends the search.
    #[inline]
    pub fn work(&mut self) -> Result<(), LimitKind> {
        self.worked += 1;
        if self.worked.is_multiple_of(CHECK_INTERVAL) {
            self.look()?;
        }
        Ok(())
    }

    /// Checks the stop flag and the clock, before a long piece of work.
    ///
    /// # Errors
    /// The limit that ends the search.
    pub fn look(&self) -> Result<(), LimitKind> {
        self.limits.look(self.started)
    }

    #[cold]
    #[inline(never)]
    fn grant(&mut self) -> Result<(), LimitKind> {
        let allowed = self.limits.nodes.map_or(CHECK_INTERVAL, |nodes| nodes - self.granted);
        if allowed == 0 {
            return Err(LimitKind::Nodes);
        }
        self.look()?;
        self.limits.report(self.granted);
        self.left = allowed.min(CHECK_INTERVAL);
        self.granted += self.left;
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
        self.0.abs_diff(Self::here().0) > STACK_BYTES
    }
}
