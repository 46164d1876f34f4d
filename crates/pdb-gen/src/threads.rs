//! Runs one piece of work on several threads.

use std::sync::Mutex;
use std::thread;

pub(crate) use pdb_core::lock;

use crate::monitor::Monitor;

/// The threads of a task, and the monitor that they report to.
#[derive(Clone, Copy)]
pub(crate) struct Workers<'a> {
    pub(crate) thread_count: usize,
    pub(crate) monitor: &'a Monitor<'a>,
}

/// Runs `work` on each item, on several threads, and returns the results in the order of the items.
///
/// The calling thread is one of them; there are fewer if the system cannot start all. Threads take
/// turns to take the next item, so an iterator that reads a file is read in order. The first error
/// ends the work: no further item is taken, and of several errors the one with the first item is
/// returned.
///
/// # Panics
/// When `work` does.
pub(crate) fn map_in_threads<I: IntoIterator<IntoIter: Send>, R: Send, E: Send>(
    thread_count: usize,
    items: I,
    work: impl Fn(I::Item) -> Result<R, E> + Sync,
) -> Result<Vec<R>, E> {
    map_in_threads_with(thread_count, items, || (), |(), item| work(item))
}

/// Runs [`map_in_threads`] with scratch memory, which each thread makes once.
pub(crate) fn map_in_threads_with<I: IntoIterator<IntoIter: Send>, S, R: Send, E: Send>(
    thread_count: usize,
    items: I,
    scratch: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, I::Item) -> Result<R, E> + Sync,
) -> Result<Vec<R>, E> {
    let items = items.into_iter();
    let item_count_max = items.size_hint().1.unwrap_or(usize::MAX);
    let queue = Mutex::new(Some(items.enumerate()));
    let next = || lock(&queue).as_mut()?.next();
    // The result of each item, by its place.
    let results = Mutex::new(Vec::new());
    on_threads(thread_count.min(item_count_max), &|| {
        let mut scratch = scratch();
        while let Some((place, item)) = next() {
            let result = work(&mut scratch, item);
            if result.is_err() {
                *lock(&queue) = None;
            }
            keep(&mut lock(&results), place, result);
        }
    });
    in_order(std::mem::take(&mut lock(&results)))
}

/// Keeps a result at its place; compiled for each type of results, not for each work.
fn keep<T>(results: &mut Vec<Option<T>>, place: usize, result: T) {
    if results.len() <= place {
        results.resize_with(place + 1, || None);
    }
    results[place] = Some(result);
}

/// Returns the results, or the error of the first item that has one; all items before it are done.
fn in_order<R, E>(results: Vec<Option<Result<R, E>>>) -> Result<Vec<R>, E> {
    results.into_iter().map(|result| result.expect("the items before an error are done")).collect()
}

/// Runs `work` on several threads; compiled once.
fn on_threads(thread_count: usize, work: &(dyn Fn() + Sync)) {
    thread::scope(|scope| {
        let start = |_| pdb_core::thread_builder().spawn_scoped(scope, work).ok();
        let others: Vec<_> = (1..thread_count).map_while(start).collect();
        work();
        for other in others {
            other.join().expect("it does not panic");
        }
    });
}
