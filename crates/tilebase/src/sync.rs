//! Helpers for threads and locks.

use std::sync::atomic::{AtomicUsize, Ordering};
#[cfg(any(feature = "build", feature = "rate"))]
use std::sync::{Mutex, PoisonError};

pub(crate) use pdb_core::lock;
use pdb_search::on_threads;

/// Calls a function at the end of a scope, also after a panic.
pub(crate) struct AtEnd<F: Fn()>(pub(crate) F);

impl<F: Fn()> Drop for AtEnd<F> {
    fn drop(&mut self) {
        (self.0)();
    }
}

/// Takes the data out of a mutex, as [`lock`].
#[cfg(any(feature = "build", feature = "rate"))]
pub(crate) fn into_inner<T>(mutex: Mutex<T>) -> T {
    mutex.into_inner().unwrap_or_else(PoisonError::into_inner)
}

/// Works on each place below `count` on several threads, including the calling one. Returns the
/// results with their places, in order. A thread ends when its work returns `None`. If the system
/// cannot start another thread, fewer threads do the work.
pub(crate) fn each_place<S: Default, T: Send>(
    count: usize,
    thread_count: usize,
    work: &(dyn Fn(usize, &mut S) -> Option<T> + Sync),
) -> Vec<(usize, T)> {
    let next = AtomicUsize::new(0);
    let of_thread = || {
        let mut state = S::default();
        let mut results = Vec::new();
        loop {
            let place = next.fetch_add(1, Ordering::Relaxed);
            match (place < count).then(|| work(place, &mut state)).flatten() {
                Some(result) => results.push((place, result)),
                None => return results,
            }
        }
    };
    let of_threads = on_threads(thread_count.min(count).max(1), &of_thread);
    let mut results: Vec<_> = of_threads.into_iter().flatten().collect();
    results.sort_unstable_by_key(|&(place, _)| place);
    results
}
