//! Work on many boards by many threads, within a time limit.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use pdb_clock::Instant;
use pdb_lab::pattern_cost::SearchMemory;

use crate::cancel::Cancel;
use crate::error::Error;
use crate::event::{Event, Step, Task, Watch};
use crate::sync::{each_place, into_inner, lock};

/// Number of boards that are rated even after the time limit: fewer have no useful mean.
const COUNT_MIN: usize = 8;
/// Shortest time between two progress reports.
const INTERVAL: Duration = Duration::from_millis(50);

/// Time limit of work, with its cancellation.
#[derive(Clone, Debug)]
pub(crate) struct Deadline {
    cancel: Cancel,
    until: Option<Instant>,
}

impl Deadline {
    /// Creates a deadline after a time, if there is a limit.
    pub(crate) fn new(cancel: Cancel, time: Option<Duration>) -> Self {
        Self { cancel, until: time.and_then(|time| Instant::now().checked_add(time)) }
    }

    /// Returns one with the same cancellation and no time limit.
    #[cfg(feature = "build")]
    pub(crate) fn untimed(&self) -> Self {
        Self::new(self.cancel.clone(), None)
    }

    /// Returns a deadline after an equal share of the remaining time.
    #[cfg(feature = "build")]
    pub(crate) fn share(&self, of: u32) -> Self {
        Self::new(self.cancel.clone(), self.left().map(|left| left / of.max(1)))
    }

    pub(crate) fn is_cancelled(&self) -> bool {
        self.cancel.is_cancelled()
    }

    /// Returns whether the time is over, or the work is cancelled.
    pub(crate) fn is_over(&self) -> bool {
        self.is_cancelled() || self.until.is_some_and(|until| Instant::now() >= until)
    }

    /// Returns the remaining time, if there is a time limit.
    #[cfg(feature = "build")]
    pub(crate) fn left(&self) -> Option<Duration> {
        self.until.map(|until| until.saturating_duration_since(Instant::now()))
    }
}

/// Function that works on one place, until its last argument returns `true`.
pub(crate) type Work<'a, T> =
    dyn Fn(usize, &mut SearchMemory, &dyn Fn() -> bool) -> Result<Option<T>, Error> + Sync + 'a;

/// Works on each place below `count`, and returns the results of the first places: fewer than all
/// if the time was over. The work on a place returns `None` if its last argument returned `true`.
/// Progress is reported under the name `doing`, unless that is empty.
pub(crate) fn each<T: Send>(
    count: usize,
    thread_count: usize,
    deadline: &Deadline,
    watch: &Watch,
    doing: &str,
    work: &Work<'_, T>,
) -> Result<Vec<T>, Error> {
    let done = AtomicUsize::new(0);
    let reported = Mutex::new(Instant::now());
    let failed = Mutex::new(None);
    let results = each_place(count, thread_count, &|place, scratch| {
        let stop = || if place < COUNT_MIN { deadline.is_cancelled() } else { deadline.is_over() };
        if lock(&failed).is_some() || stop() {
            return None;
        }
        let result = match work(place, scratch, &stop) {
            Ok(result) => result?,
            Err(error) => {
                lock(&failed).get_or_insert(error);
                return None;
            }
        };
        let done = done.fetch_add(1, Ordering::Relaxed) + 1;
        if !doing.is_empty()
            && let Ok(mut reported) = reported.try_lock()
            && reported.elapsed() >= INTERVAL
        {
            *reported = Instant::now();
            let step = Step::Boards { doing, done: done as u64, total: count as u64 };
            watch.tell(&Event::Task(Task::Rating, step));
        }
        Some(result)
    });
    if !doing.is_empty() {
        watch.tell(&Event::Task(Task::Rating, Step::End));
    }
    if let Some(error) = into_inner(failed) {
        return Err(error);
    }
    if deadline.is_cancelled() {
        return Err(Error::Interrupted);
    }
    // A gap is a place whose work was interrupted.
    let whole = results.iter().zip(0..).take_while(|((place, _), at)| place == at).count();
    Ok(results.into_iter().take(whole).map(|(_, result)| result).collect())
}
