//! Worker threads that all clients share.
//!
//! The difficulty of a board is not known in advance. So each search starts as a quick one, for a
//! moment on one thread. If it does not finish, it starts again as a long one: on separate threads
//! of low priority, so that an easy board never waits for a hard one. Only the moment is searched
//! twice.
//!
//! Requests without search, such as listings, estimates and explanations, have a third group of
//! threads.
//!
//! All queues are short: a client that finds a full queue gets an error at once. Work whose client
//! has disconnected is cancelled, or never starts.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam::channel::{Receiver, Sender, TrySendError, bounded};
use tilebase::pdb_search::LimitKind;
use tilebase::{Cancel, Error, Search};
use tilebase_api::Problem;
use tokio::sync::oneshot;
use tokio::time::timeout;

use crate::problem::{busy, late};

/// Time limit of a quick search.
const QUICK_TIME: Duration = Duration::from_millis(100);
/// Time after its limit in which an answer may still come from a busy machine.
const GRACE: Duration = Duration::from_secs(1);
/// Nice value of the threads of long searches, from 0 to 19.
const NICE: i32 = 10;

type Job = Box<dyn FnOnce() + Send>;

/// Threads with their queue.
#[derive(Debug)]
struct WorkerGroup {
    queue: Sender<Job>,
    counts: Arc<PoolCounts>,
}

#[derive(Debug, Default)]
struct PoolCounts {
    running: AtomicUsize,
    started: AtomicU64,
    abandoned: AtomicU64,
}

/// The worker threads of a server.
#[derive(Debug)]
pub(crate) struct WorkerPool {
    quick: WorkerGroup,
    long: WorkerGroup,
    reports: WorkerGroup,
    thread_count: usize,
    /// Time limit of requests without one.
    time: Duration,
}

/// Load of a worker group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Load {
    /// The group's name in metrics.
    pub(crate) lane: &'static str,
    pub(crate) running: usize,
    pub(crate) waiting: usize,
    /// Number of jobs started so far.
    pub(crate) started: u64,
    /// Number of jobs that did not start, because the client had disconnected.
    pub(crate) abandoned: u64,
}

/// Cancels a search when its client no longer waits for it.
struct CancelOnDrop(Cancel);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

impl WorkerPool {
    /// Starts `thread_count` threads for each group. `queue_capacity` requests may wait for each,
    /// up to `time`.
    ///
    /// # Errors
    /// The system's error if a thread cannot start.
    pub(crate) fn start(
        thread_count: usize,
        queue_capacity: usize,
        time: Duration,
    ) -> Result<Self, Error> {
        let start = |name, is_nice| {
            WorkerGroup::start(thread_count, queue_capacity, name, is_nice)
                .map_err(|source| Error::Threads { source })
        };
        let (quick, long) = (start("quick search", false)?, start("long search", true)?);
        let reports = start("report", false)?;
        Ok(Self { quick, long, reports, thread_count, time })
    }

    /// Runs a search, first as a quick one. `limit_of` returns the limit that ended it.
    ///
    /// The limits of `search` include the time in queues. The search is cancelled when the client
    /// no longer waits. If the time ends before a long search can start, the result of the quick
    /// search is returned.
    ///
    /// # Errors
    /// A [`Problem`] if a queue is full, if the time ends before the quick search starts, or if the
    /// work fails.
    pub(crate) async fn search<T: Send + 'static>(
        &self,
        search: Search,
        limit_of: fn(&T) -> Option<LimitKind>,
        work: impl Fn(&Search) -> Result<T, Problem> + Send + Sync + 'static,
    ) -> Result<T, Problem> {
        let _guard = CancelOnDrop(search.cancel.clone());
        let started = Instant::now();
        let time = search.time.unwrap_or(self.time);
        let patience = move || time.saturating_add(GRACE).saturating_sub(started.elapsed());
        let (search, work) = (Arc::new(search), Arc::new(work));
        let quick = {
            let (search, work) = (Arc::clone(&search), Arc::clone(&work));
            move || {
                let rest = time.saturating_sub(started.elapsed());
                let time = Some(rest.min(QUICK_TIME));
                work(&Search { time, thread_count: 1, ..(*search).clone() })
            }
        };
        let result = timeout(patience(), self.quick.run(quick)).await;
        let result = result.map_err(|_| late())???;
        if limit_of(&result) != Some(LimitKind::Time) || started.elapsed() >= time {
            return Ok(result);
        }
        let (counts, thread_count) = (Arc::clone(&self.long.counts), self.thread_count);
        let long = move || {
            let time = Some(time.saturating_sub(started.elapsed()));
            // A single search gets all threads, and several share them.
            let share = thread_count / counts.running.load(Ordering::Relaxed).max(1);
            work(&Search { time, thread_count: share.max(1), ..(*search).clone() })
        };
        // Once started, the search ends by itself at its time limit.
        timeout(patience(), self.long.run(long)).await.unwrap_or(Ok(Ok(result)))?
    }

    /// Runs work without search. It is cancelled when the client disconnects, or when its time is
    /// over.
    ///
    /// # Errors
    /// A [`Problem`] if the queue is full, if the time is over, or if the work fails.
    pub(crate) async fn report<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Cancel) -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        let cancel = Cancel::new();
        let _guard = CancelOnDrop(cancel.clone());
        let run = self.reports.run(move || work(&cancel));
        timeout(self.time, run).await.map_err(|_| late())??
    }

    /// Runs long work. It is cancelled when the client disconnects, or when its time is over.
    ///
    /// # Errors
    /// A [`Problem`] if the queue is full, if the time is over, or if the work fails.
    pub(crate) async fn long<T: Send + 'static>(
        &self,
        search: Search,
        work: impl FnOnce(Search) -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        let _guard = CancelOnDrop(search.cancel.clone());
        let time = search.time.unwrap_or(self.time);
        let run = self.long.run(move || work(search));
        timeout(time, run).await.map_err(|_| {
            Problem::conflict(format!(
                "the request exceeds its time limit of {} s: ask for less, or start the server with a longer \
                 limit, as in tilebase serve --time-limit 10min",
                time.as_secs_f64()
            ))
        })??
    }

    /// Returns the load of each group.
    pub(crate) fn loads(&self) -> [Load; 3] {
        [self.quick.load("quick"), self.long.load("long"), self.reports.load("report")]
    }
}

impl WorkerGroup {
    fn start(
        thread_count: usize,
        queue_capacity: usize,
        name: &str,
        is_nice: bool,
    ) -> std::io::Result<Self> {
        let (queue, jobs) = bounded(queue_capacity);
        let counts = Arc::new(PoolCounts::default());
        for _ in 0..thread_count {
            let (jobs, counts) = (jobs.clone(), Arc::clone(&counts));
            let thread = thread::Builder::new().name(name.into());
            thread.spawn(move || work(&jobs, &counts, is_nice))?;
        }
        Ok(Self { queue, counts })
    }

    fn load(&self, lane: &'static str) -> Load {
        let PoolCounts { running, started, abandoned } = &*self.counts;
        Load {
            lane,
            running: running.load(Ordering::Relaxed),
            waiting: self.queue.len(),
            started: started.load(Ordering::Relaxed),
            abandoned: abandoned.load(Ordering::Relaxed),
        }
    }

    async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Problem> {
        let (sender, receiver) = oneshot::channel();
        let counts = Arc::clone(&self.counts);
        let job = move || {
            // The client has disconnected.
            if sender.is_closed() {
                counts.abandoned.fetch_add(1, Ordering::Relaxed);
                return;
            }
            counts.started.fetch_add(1, Ordering::Relaxed);
            let _ = sender.send(work());
        };
        self.queue.try_send(Box::new(job)).map_err(|error| match error {
            TrySendError::Full(_) => busy(),
            TrySendError::Disconnected(_) => Problem::internal("all worker threads have ended"),
        })?;
        receiver.await.map_err(|_| Problem::internal("the work panicked: see the server's log"))
    }
}

/// Runs jobs on a thread until the pool is dropped.
fn work(jobs: &Receiver<Job>, counts: &PoolCounts, is_nice: bool) {
    if is_nice && cfg!(target_os = "linux") {
        // Elsewhere this changes the whole process. If it fails, the priority stays the same.
        let _ = rustix::process::setpriority_process(None, NICE);
    }
    for job in jobs {
        counts.running.fetch_add(1, Ordering::Relaxed);
        // After a panic, the closed channel informs the client, and the thread continues.
        let _ = catch_unwind(AssertUnwindSafe(job));
        counts.running.fetch_sub(1, Ordering::Relaxed);
    }
}
