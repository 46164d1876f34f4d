//! One piece of work on several threads.

/// Runs `work` on so many threads and returns the first error.
pub(crate) fn in_threads<E: Send>(
    thread_count: usize,
    work: impl Fn() -> Result<(), E> + Sync,
) -> Result<(), E> {
    std::thread::scope(|scope| {
        let others: Vec<_> = (1..thread_count).map(|_| scope.spawn(&work)).collect();
        let mut result = work();
        for other in others {
            result = result.and(other.join().expect("a working thread does not panic"));
        }
        result
    })
}
