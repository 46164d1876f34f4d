//! Work on many boards by many threads, which ends in order when its time is over.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use super::pattern_cost::Scratch;
use crate::{Cancel, Error, Event, Watch};

/// Boards that a thread takes at once.
const BATCH: usize = 1;
/// So many boards are rated however little time there is: fewer have no mean.
const COUNT_MIN: usize = 8;
/// Progress is told no more often.
const INTERVAL: Duration = Duration::from_millis(50);

/// When work ends.
#[derive(Clone, Debug)]
pub(crate) struct Ending {
    cancel: Cancel,
    until: Option<Instant>,
}

impl Ending {
    /// Ends when it is cancelled, or after a time.
    pub(crate) fn new(cancel: Cancel, time: Option<Duration>) -> Self {
        Self { cancel, until: time.and_then(|time| Instant::now().checked_add(time)) }
    }

    /// The same without a time.
    #[cfg(feature = "build")]
    pub(crate) fn untimed(&self) -> Self {
        Self::new(self.cancel.clone(), None)
    }

    /// Ends after an equal share of the time that is left.
    #[cfg(feature = "build")]
    pub(crate) fn share(&self, of: u32) -> Self {
        Self::new(self.cancel.clone(), self.left().map(|left| left / of.max(1)))
    }

    pub(crate) fn is_cancelled(&self) -> bool {
        self.cancel.is_cancelled()
    }

    /// Whether the time is over, or the work cancelled.
    pub(crate) fn is_over(&self) -> bool {
        self.is_cancelled() || self.until.is_some_and(|until| Instant::now() >= until)
    }

    /// The time that is left, where there is an end to it.
    pub(crate) fn left(&self) -> Option<Duration> {
        self.until.map(|until| until.saturating_duration_since(Instant::now()))
    }
}

/// What is done for a place, until the last argument says to stop.
pub(crate) type Work<'a, T> =
    dyn Fn(usize, &mut Scratch, &dyn Fn() -> bool) -> Result<Option<T>, Error> + Sync + 'a;

/// Does work for each place below `count`, in order as far as results go: they are those of the first places,
/// of fewer than all where the time was over. Work gives nothing where its last argument told it to stop. Who
/// watches is told what is being done, unless it has no name.
pub(crate) fn each<T: Send>(
    count: usize,
    thread_count: usize,
    ending: &Ending,
    watch: &Watch,
    doing: &str,
    work: &Work<'_, T>,
) -> Result<Vec<T>, Error> {
    let next = AtomicUsize::new(0);
    let done = AtomicUsize::new(0);
    let told = Mutex::new(Instant::now());
    let failed = Mutex::new(None);
    let is_failed = || failed.lock().is_ok_and(|failed| failed.is_some());
    let of_thread = || {
        let mut scratch = Scratch::default();
        let mut found: Vec<(usize, T)> = Vec::new();
        'batches: loop {
            let first = next.fetch_add(BATCH, Ordering::Relaxed);
            if first >= count || is_failed() {
                break;
            }
            for place in first..count.min(first + BATCH) {
                let stop = || {
                    if place < COUNT_MIN { ending.is_cancelled() } else { ending.is_over() }
                };
                if stop() {
                    break 'batches;
                }
                match work(place, &mut scratch, &stop) {
                    Ok(Some(result)) => found.push((place, result)),
                    Ok(None) => break 'batches,
                    Err(error) => {
                        if let Ok(mut failed) = failed.lock() {
                            failed.get_or_insert(error);
                        }
                        break 'batches;
                    }
                }
                let done = done.fetch_add(1, Ordering::Relaxed) + 1;
                if !doing.is_empty()
                    && let Ok(mut told) = told.try_lock()
                    && told.elapsed() >= INTERVAL
                {
                    *told = Instant::now();
                    watch.tell(&Event::Rated { doing, done: done as u64, total: count as u64 });
                }
            }
        }
        found
    };
    let wanted = thread_count.clamp(1, count.div_ceil(BATCH).max(1));
    let mut results = thread::scope(|scope| {
        let mut threads = Vec::new();
        for _ in 1..wanted {
            // Where the system starts no more threads, those that there are do the work.
            let Ok(thread) = thread::Builder::new().spawn_scoped(scope, of_thread) else { break };
            threads.push(thread);
        }
        let mut results = of_thread();
        for thread in threads {
            results.extend(thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        }
        results
    });
    if !doing.is_empty() {
        watch.tell(&Event::RatedEnd);
    }
    if let Some(error) = failed.into_inner().unwrap_or_default() {
        return Err(error);
    }
    if ending.is_cancelled() {
        return Err(Error::Interrupted);
    }
    results.sort_unstable_by_key(|&(place, _)| place);
    let whole = results.iter().zip(0..).take_while(|((place, _), at)| place == at).count();
    results.truncate(whole);
    Ok(results.into_iter().map(|(_, result)| result).collect())
}
