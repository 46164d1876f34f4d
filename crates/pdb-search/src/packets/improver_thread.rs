//! Improvement of a solution beside packets, on a thread of its own.
//!
//! 1. The thread lives for many bounds, each of which has a pool of its own. A round may continue
//!    from one bound to the next, because no bound waits for its end.
//! 2. While a round runs, one thread of the pool rests, so that the number of running threads stays
//!    the same.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use pdb_core::{Direction, lock};

use crate::improver::{Improved, Improver};
use crate::pool::{Account, Guest};

/// Time between two checks of a resting thread whether its pool has ended.
const TICK: Duration = Duration::from_millis(1);

/// The thread of an improver, as the threads of pools see it.
#[derive(Debug, Default)]
pub(super) struct ImproverThread {
    state: Mutex<ImproverState>,
    changed: Condvar,
    /// Whether a thread of the pool should rest.
    wants_rest: AtomicBool,
}

#[derive(Debug, Default)]
struct ImproverState {
    /// Whether a round runs.
    is_running: bool,
    /// Whether a thread of the pool rests.
    is_resting: bool,
    /// Whether the search beside it has ended.
    has_ended: bool,
}

impl ImproverThread {
    /// Calls `search` with a guest for its pools. Makes an improver `after` its start, runs its
    /// rounds beside the search, and calls `tell` with each better solution.
    pub(super) fn beside<'a, T>(
        account: &Account,
        after: Duration,
        make: impl FnOnce() -> Improver<'a> + Send,
        tell: &(impl Fn(&[Direction], u32, Duration) + Sync),
        search: impl FnOnce(&dyn Guest) -> T,
    ) -> T {
        let thread = Self::default();
        thread::scope(|scope| {
            let _guard = EndGuard { thread: &thread, account };
            let run = || {
                if thread.pause(after) {
                    thread.improve(&mut make(), tell);
                }
            };
            // Without another thread, nothing is improved.
            let _ = pdb_core::thread_builder().name("improver".to_owned()).spawn_scoped(scope, run);
            search(&thread)
        })
    }

    fn improve(&self, improver: &mut Improver<'_>, tell: &Improved<'_>) {
        loop {
            let round = RoundGuard::new(self);
            let next = improver.run(tell);
            drop(round);
            if !next.is_some_and(|time| self.pause(time)) {
                break;
            }
        }
    }

    /// Waits for some time. Returns whether the search beside it continues.
    fn pause(&self, time: Duration) -> bool {
        let state = lock(&self.state);
        let waits = |state: &mut ImproverState| !state.has_ended;
        let waited = self.changed.wait_timeout_while(state, time, waits);
        !waited.unwrap_or_else(PoisonError::into_inner).0.has_ended
    }

    fn set_running(&self, is_running: bool) {
        lock(&self.state).is_running = is_running;
        self.wants_rest.store(is_running, Ordering::Relaxed);
        self.changed.notify_all();
    }
}

impl Guest for ImproverThread {
    fn takes_thread(&self) -> bool {
        self.wants_rest.load(Ordering::Relaxed) && self.wants_rest.swap(false, Ordering::Relaxed)
    }

    /// Rests until the round ends.
    fn run(&self, is_finished: &dyn Fn() -> bool) {
        let mut state = lock(&self.state);
        if state.is_resting {
            return;
        }
        state.is_resting = true;
        while state.is_running && !is_finished() {
            let waited = self.changed.wait_timeout(state, TICK);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        state.is_resting = false;
        // A thread of the next bound rests for the same round.
        self.wants_rest.store(state.is_running, Ordering::Relaxed);
    }
}

/// Guard of a running round, which ends even by a panic.
struct RoundGuard<'a>(&'a ImproverThread);

impl<'a> RoundGuard<'a> {
    fn new(thread: &'a ImproverThread) -> Self {
        thread.set_running(true);
        Self(thread)
    }
}

impl Drop for RoundGuard<'_> {
    fn drop(&mut self) {
        self.0.set_running(false);
    }
}

/// Guard of the search beside an improver. It ends the improver's round.
struct EndGuard<'a> {
    thread: &'a ImproverThread,
    account: &'a Account,
}

impl Drop for EndGuard<'_> {
    fn drop(&mut self) {
        self.account.end();
        lock(&self.thread.state).has_ended = true;
        self.thread.changed.notify_all();
    }
}
