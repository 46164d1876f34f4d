//! The best known solution of a board, and the bound that is proved beside it.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use pdb_core::{Direction, lock};

/// The best known solution of a board and the proved lower bound, which move towards each other.
#[derive(Debug)]
pub(crate) struct Incumbent {
    length: AtomicU32,
    lower_bound: AtomicU32,
    moves: Mutex<Option<Vec<Direction>>>,
    /// Nodes that were generated for the known solution.
    generated: AtomicU64,
}

impl Default for Incumbent {
    fn default() -> Self {
        Self {
            length: AtomicU32::new(u32::MAX),
            lower_bound: AtomicU32::new(0),
            moves: Mutex::new(None),
            generated: AtomicU64::new(0),
        }
    }
}

impl Incumbent {
    /// Returns the length of the best known solution, and [`u32::MAX`] before there is one.
    pub(crate) fn length(&self) -> u32 {
        self.length.load(Ordering::Relaxed)
    }

    pub(crate) fn lower_bound(&self) -> u32 {
        self.lower_bound.load(Ordering::Relaxed)
    }

    /// Returns whether the known solution is proved to be a shortest one.
    pub(crate) fn is_met(&self) -> bool {
        self.length() <= self.lower_bound()
    }

    /// Keeps a solution of a length that was replayed, if it is shorter than the known one.
    pub(crate) fn offer(&self, moves: &[Direction], length: u32) {
        let mut known = lock(&self.moves);
        if length < self.length() {
            *known = Some(moves.to_vec());
            self.length.store(length, Ordering::Relaxed);
        }
    }

    /// Counts nodes that were generated for the known solution.
    pub(crate) fn count(&self, generated: u64) {
        self.generated.fetch_add(generated, Ordering::Relaxed);
    }

    pub(crate) fn generated(&self) -> u64 {
        self.generated.load(Ordering::Relaxed)
    }

    /// Keeps a proved lower bound.
    pub(crate) fn raise(&self, lower_bound: u32) {
        self.lower_bound.fetch_max(lower_bound, Ordering::Relaxed);
    }

    /// Forgets the proved lower bound, for a search that begins again.
    pub(crate) fn forget_bound(&self) {
        self.lower_bound.store(0, Ordering::Relaxed);
    }

    /// Returns the best known solution.
    pub(crate) fn moves(&self) -> Option<Vec<Direction>> {
        lock(&self.moves).clone()
    }
}
