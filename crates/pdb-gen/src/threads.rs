//! One piece of work on several threads.

use std::thread;

use crossbeam::queue::SegQueue;

/// A queue of some things, which threads take one after another.
pub(crate) fn queue_of<T>(things: impl IntoIterator<Item = T>) -> SegQueue<T> {
    let queue = SegQueue::new();
    for thing in things {
        queue.push(thing);
    }
    queue
}

/// Runs `work` on `thread_count` threads, the calling one included, or on fewer if the system
/// starts no more, and returns all results.
///
/// # Panics
/// When `work` does.
pub(crate) fn on_threads<T: Send>(thread_count: usize, work: impl Fn() -> T + Sync) -> Vec<T> {
    thread::scope(|scope| {
        let start = |_| thread::Builder::new().spawn_scoped(scope, &work).ok();
        let others: Vec<_> = (1..thread_count).map_while(start).collect();
        let mut results = vec![work()];
        let join = |other: thread::ScopedJoinHandle<'_, T>| other.join();
        results.extend(others.into_iter().map(|other| join(other).expect("it does not panic")));
        results
    })
}

/// The same with work that may fail: the first error.
pub(crate) fn in_threads<E: Send>(
    thread_count: usize,
    work: impl Fn() -> Result<(), E> + Sync,
) -> Result<(), E> {
    on_threads(thread_count, work).into_iter().collect()
}
