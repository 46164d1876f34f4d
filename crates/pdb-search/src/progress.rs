//! Reports of a search's progress.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Number of nodes of a search within one bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct BoundCount {
    /// The largest number of moves that a path was allowed to have. For
    /// [`weighted_ida_star`](crate::weighted_ida_star) with weight a/b: the largest b g + a h that
    /// a node was allowed to have, for g moves made and the estimate h. With weight 1, both are the
    /// same.
    pub bound: u32,
    /// Nodes generated within this bound; the root counts once, in the first. A
    /// [`Solver`](crate::Solver) keeps the nodes above its subtrees from bound to bound, so they
    /// count once, too.
    pub generated: u64,
    /// Nodes expanded within this bound.
    pub expanded: u64,
}

/// A receiver of a search's progress. Any thread of the search may call it.
pub trait Progress: fmt::Debug + Sync {
    /// Receives the approximate number of nodes generated so far, whenever the search checks the
    /// clock. If several boards are searched at once, it is the number of the board whose clock was
    /// checked last.
    fn generated(&self, count: u64);

    /// Receives the bounds so far when a search that runs alone has finished one without a
    /// solution. Searches that share a pool report to their [`Boards`](crate::Boards) instead.
    fn bound_done(&self, bounds: &[BoundCount], elapsed: Duration) {
        let _ = (bounds, elapsed);
    }
}

/// Stores the last reported number.
impl Progress for AtomicU64 {
    fn generated(&self, count: u64) {
        self.store(count, Ordering::Relaxed);
    }
}
