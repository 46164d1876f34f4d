//! How far a search is, for whoever waits for it.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// What the search within one bound cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoundCount {
    /// The largest number of moves that a path was allowed to have. By
    /// [`weighted_ida_star`](crate::weighted_ida_star) with weight a/b: the largest b g + a h that a
    /// node was allowed to have, so with weight 1 the same.
    pub bound: u32,
    /// Nodes generated within this bound; the root counts once, in the first. A [`Solver`](crate::Solver) keeps
    /// the nodes above its subtrees from bound to bound, so they count once, too.
    pub generated: u64,
    /// Nodes expanded within this bound.
    pub expanded: u64,
}

/// Is told how far the search of a board is, in the middle of the search, by any of its threads.
pub trait Progress: fmt::Debug + Sync {
    /// So many nodes were generated up to now, or hardly fewer. It is told as often as the search looks at
    /// the clock; of several boards at once, by the one that looked last.
    fn generated(&self, count: u64);

    /// A bound of a search that runs alone is done, and there was no solution within it: the last of
    /// these. Searches that share a pool tell this to their [`Boards`](crate::Boards).
    fn bound_done(&self, bounds: &[BoundCount], elapsed: Duration) {
        let _ = (bounds, elapsed);
    }
}

/// Holds the number that was told last.
impl Progress for AtomicU64 {
    fn generated(&self, count: u64) {
        self.store(count, Ordering::Relaxed);
    }
}
