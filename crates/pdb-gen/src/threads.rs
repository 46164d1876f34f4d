//! Runs one piece of work on several threads.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::{thread, vec};

/// Queue of items that threads take one after another.
#[derive(Debug)]
pub(crate) struct Queue<T>(Mutex<vec::IntoIter<T>>);

impl<T> Queue<T> {
    pub(crate) fn new(things: impl IntoIterator<Item = T>) -> Self {
        Self(Mutex::new(things.into_iter().collect::<Vec<T>>().into_iter()))
    }

    fn rest(&self) -> MutexGuard<'_, vec::IntoIter<T>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn len(&self) -> usize {
        self.rest().len()
    }

    pub(crate) fn pop(&self) -> Option<T> {
        self.rest().next()
    }
}

/// Runs `work` on `thread_count` threads, including the calling one, or on fewer if the system
/// cannot start all, and returns all results.
///
/// # Panics
/// When `work` does.
pub(crate) fn on_threads<T: Send>(thread_count: usize, work: impl Fn() -> T + Sync) -> Vec<T> {
    let results = Mutex::new(Vec::new());
    run(thread_count, &|| {
        let result = work();
        results.lock().unwrap_or_else(PoisonError::into_inner).push(result);
    });
    results.into_inner().unwrap_or_else(PoisonError::into_inner)
}

/// Does the same without results; compiled once.
fn run(thread_count: usize, work: &(dyn Fn() + Sync)) {
    thread::scope(|scope| {
        let start = |_| thread::Builder::new().spawn_scoped(scope, work).ok();
        let others: Vec<_> = (1..thread_count).map_while(start).collect();
        work();
        for other in others {
            other.join().expect("it does not panic");
        }
    });
}

/// Runs work that may fail on several threads, and returns the first error.
pub(crate) fn in_threads<E: Send>(
    thread_count: usize,
    work: impl Fn() -> Result<(), E> + Sync,
) -> Result<(), E> {
    let error = Mutex::new(None);
    run(thread_count, &|| {
        if let Err(found) = work() {
            error.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(found);
        }
    });
    error.into_inner().unwrap_or_else(PoisonError::into_inner).map_or(Ok(()), Err)
}

/// Runs `work` on each item, on several threads. A thread ends with its first error; the first of
/// all is returned.
pub(crate) fn each_in_threads<T: Send, E: Send>(
    thread_count: usize,
    things: impl IntoIterator<Item = T>,
    work: impl Fn(T) -> Result<(), E> + Sync,
) -> Result<(), E> {
    let queue = Queue::new(things);
    in_threads(thread_count.min(queue.len()).max(1), || {
        while let Some(thing) = queue.pop() {
            work(thing)?;
        }
        Ok(())
    })
}
