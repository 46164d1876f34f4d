//! Rounds and messages of a build: the message loop stores them, the build waits for them.

use std::collections::{BTreeMap, VecDeque};
use std::sync::atomic::{AtomicBool, Ordering};

use parking_lot::{Condvar, Mutex};

/// Arrived parts and messages of builds.
#[derive(Debug, Default)]
pub(crate) struct Rounds {
    pub(crate) state: Mutex<RoundsState>,
    changed: Condvar,
    /// Whether a rank has failed in the current build, so that the others may stop.
    pub(crate) is_stopped: AtomicBool,
}

#[derive(Debug, Default)]
pub(crate) struct RoundsState {
    /// Number of the current build.
    pub(crate) build: u64,
    /// Next round to which this rank sends a part.
    pub(crate) next_round: u64,
    /// On rank 0, the parts of incomplete rounds by rank.
    pub(crate) parts: BTreeMap<u64, BTreeMap<usize, Vec<u8>>>,
    /// All parts of complete rounds.
    pub(crate) whole: BTreeMap<u64, Vec<Vec<u8>>>,
    /// Unread messages of the current build, with their senders.
    pub(crate) messages: VecDeque<(usize, Vec<u8>)>,
    pub(crate) lost: Option<usize>,
}

impl Rounds {
    /// Wakes the build, because something has arrived.
    pub(crate) fn notify(&self) {
        self.changed.notify_all();
    }

    /// Waits until `find` returns something.
    ///
    /// # Errors
    /// The rank that is lost.
    pub(crate) fn wait<T>(
        &self,
        mut find: impl FnMut(&mut RoundsState) -> Option<T>,
    ) -> Result<T, usize> {
        let mut state = self.state.lock();
        loop {
            if let Some(found) = find(&mut state) {
                return Ok(found);
            }
            if let Some(rank) = state.lost {
                return Err(rank);
            }
            self.changed.wait(&mut state);
        }
    }

    /// Begins a build, whose number is the same on all ranks.
    pub(crate) fn begin(&self, number: u64) {
        let mut state = self.state.lock();
        state.build = number;
        self.is_stopped.store(false, Ordering::Relaxed);
        let first = number << 32;
        state.next_round = first;
        // Messages of this build are sent after a round of it, so these belong to an earlier one.
        state.messages.clear();
        // Parts of an earlier build are stale; parts that arrived early for this one are not.
        state.parts.retain(|&round, _| round >= first);
        state.whole.retain(|&round, _| round >= first);
    }

    /// Ends all waits, because a rank is lost.
    pub(crate) fn end_waits(&self, rank: usize) {
        self.state.lock().lost.get_or_insert(rank);
        self.notify();
    }
}
