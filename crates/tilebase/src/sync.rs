//! Threads and locks.

use std::panic::resume_unwind;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::{self, Scope, ScopedJoinHandle};

/// Locks a mutex. The data is used even if another thread panicked: that panic ends the work soon.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Takes the data out of a mutex, as [`lock`].
pub(crate) fn into_inner<T>(mutex: Mutex<T>) -> T {
    mutex.into_inner().unwrap_or_else(PoisonError::into_inner)
}

/// Runs `work` on several threads, the calling one among them, and returns the result of each. If
/// the system starts no more threads, fewer do the work.
pub(crate) fn on_threads<T: Send>(thread_count: usize, work: impl Fn() -> T + Sync) -> Vec<T> {
    thread::scope(|scope: &Scope<'_, '_>| {
        let start = |_| thread::Builder::new().spawn_scoped(scope, &work).ok();
        let threads: Vec<ScopedJoinHandle<'_, T>> = (1..thread_count).map_while(start).collect();
        let mut results = vec![work()];
        for thread in threads {
            results.push(thread.join().unwrap_or_else(|panic| resume_unwind(panic)));
        }
        results
    })
}
