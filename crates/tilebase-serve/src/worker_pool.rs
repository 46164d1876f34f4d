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
//!
//! Searches that keep boards, and improvements of solutions, borrow their memory from one budget of
//! the server.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;

use crossbeam::channel::{Receiver, Sender, TrySendError, bounded};
use tilebase::pdb_search::LimitKind;
use tilebase::{Cancel, Error, Search, Trial};
use tilebase_api::{EVENT_INTERVAL, Job, Lane, Problem, Reply};
use tokio::sync::oneshot;
use tokio::time::{Instant, interval_at, timeout};

use crate::response::{busy, late};
use crate::settings::Limits;

/// Time limit of a quick search.
const QUICK_TIME: Duration = Duration::from_millis(100);
/// Memory limit of a quick search, in bytes.
const QUICK_MEMORY_BYTES: u64 = 16 << 20;
/// Time after its limit in which an answer may still come from a busy machine.
const GRACE: Duration = Duration::from_secs(1);
/// Nice value of the threads of long searches, from 0 to 19.
#[cfg(target_os = "linux")]
const NICE: i32 = 10;

type Work = Box<dyn FnOnce() + Send>;

/// Threads with their queue.
#[derive(Debug)]
struct WorkerGroup {
    queue: Sender<Work>,
    counts: Arc<PoolCounts>,
    memory: Arc<MemoryBudget>,
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
    pub(crate) running: u64,
    pub(crate) waiting: u64,
    /// Number of jobs started so far.
    pub(crate) started: u64,
    /// Number of jobs that did not start, because the client had disconnected.
    pub(crate) abandoned: u64,
}

/// Memory that running searches have not borrowed, in bytes.
#[derive(Debug)]
struct MemoryBudget(AtomicU64);

impl MemoryBudget {
    /// Lends at most `bytes`, and at most half of the rest, so that the next search gets some, too.
    fn lend(&self, bytes: u64) -> Loan<'_> {
        let lent = |free: u64| bytes.min(free / 2);
        let take = |free| Some(free - lent(free));
        let free = self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, take);
        Loan { budget: self, bytes: free.map_or(0, lent) }
    }
}

/// Memory of a running search. It is given back when the loan is dropped.
struct Loan<'a> {
    budget: &'a MemoryBudget,
    bytes: u64,
}

impl Drop for Loan<'_> {
    fn drop(&mut self) {
        self.budget.0.fetch_add(self.bytes, Ordering::Relaxed);
    }
}

/// Cancels a search when its client no longer waits for it.
struct CancelOnDrop(Cancel);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

impl WorkerPool {
    /// Starts `thread_count` threads for each group.
    ///
    /// # Errors
    /// The system's error if a thread cannot start.
    pub(crate) fn start(thread_count: usize, limits: &Limits) -> Result<Self, Error> {
        let memory = Arc::new(MemoryBudget(AtomicU64::new(limits.searches_memory_bytes)));
        let start = |name, is_nice| {
            WorkerGroup::start(thread_count, limits.queue, &memory, name, is_nice)
                .map_err(|source| Error::Threads { source })
        };
        let (quick, long) = (start("quick search", false)?, start("long search", true)?);
        let reports = start("report", false)?;
        Ok(Self { quick, long, reports, thread_count, time: limits.time })
    }

    /// Does the work of a job on the threads of its [lane](Job::lane), and reports progress
    /// meanwhile.
    ///
    /// The limits of its search include the time in queues. The work is cancelled when the returned
    /// future is dropped. If a queue is full or the time ends without a record, the reply is an
    /// error.
    pub(crate) async fn run(&self, job: &Job) -> Reply {
        let _guard = CancelOnDrop(job.search.cancel.clone());
        let mut reply = std::pin::pin!(self.reply(job));
        let mut ticks = interval_at(Instant::now() + EVENT_INTERVAL, EVENT_INTERVAL);
        loop {
            tokio::select! {
                biased;
                reply = &mut reply => return reply,
                // Sends an event if the search has sent none, as in a queue.
                _ = ticks.tick() => if let Some(events) = &job.search.generated {
                    events.generated(0);
                },
            }
        }
    }

    async fn reply(&self, job: &Job) -> Reply {
        let search = job.search.clone();
        let time = search.time.unwrap_or(self.time);
        match job.lane {
            Lane::Search => self.search(job, Search { time: Some(time), ..search }, time).await,
            Lane::Long => {
                let reply = timeout(time, self.long.run(job, || search)).await;
                reply.unwrap_or_else(|_| too_long(time).into())
            }
            Lane::Report => {
                let reply = timeout(self.time, self.reports.run(job, || search)).await;
                reply.unwrap_or_else(|_| late().into())
            }
        }
    }

    /// Runs a search within `time`, first as a quick one. If the time ends before a long search can
    /// start, the reply of the quick search is returned.
    async fn search(&self, job: &Job, search: Search, time: Duration) -> Reply {
        let trial = Trial::new(search);
        let patience = || time.saturating_add(GRACE).saturating_sub(trial.elapsed());
        let of_quick = trial.clone();
        let quick = self.quick.run(job, move || {
            let search = of_quick.short(QUICK_TIME);
            let memory_bytes = search.memory_bytes.map(|bytes| bytes.min(QUICK_MEMORY_BYTES));
            Search { memory_bytes, ..search }
        });
        let Ok(reply) = timeout(patience(), quick).await else { return late().into() };
        // A long search has more memory, too.
        if reply.limit != Some(LimitKind::Memory) && !trial.goes_on(reply.limit) {
            return reply;
        }
        let (of_long, thread_count) = (trial.clone(), self.thread_count);
        let counts = Arc::clone(&self.long.counts);
        let long = self.long.run(job, move || {
            // A single search gets all threads, and several share them.
            let share = thread_count / counts.running.load(Ordering::Relaxed).max(1);
            Search { thread_count: share.max(1), ..of_long.rest() }
        });
        // Once started, the search ends by itself at its time limit.
        timeout(patience(), long).await.unwrap_or(reply)
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
        memory: &Arc<MemoryBudget>,
        name: &str,
        is_nice: bool,
    ) -> std::io::Result<Self> {
        let (queue, jobs) = bounded(queue_capacity);
        let counts = Arc::new(PoolCounts::default());
        for _ in 0..thread_count {
            let (jobs, counts) = (jobs.clone(), Arc::clone(&counts));
            let thread = pdb_core::thread_builder().name(name.into());
            thread.spawn(move || work(&jobs, &counts, is_nice))?;
        }
        Ok(Self { queue, counts, memory: Arc::clone(memory) })
    }

    fn load(&self, lane: &'static str) -> Load {
        let PoolCounts { running, started, abandoned } = &*self.counts;
        Load {
            lane,
            running: running.load(Ordering::Relaxed) as u64,
            waiting: self.queue.len() as u64,
            started: started.load(Ordering::Relaxed),
            abandoned: abandoned.load(Ordering::Relaxed),
        }
    }

    /// Does the work of a job, with the options that `search` returns when it starts, and with
    /// borrowed memory.
    async fn run(&self, job: &Job, search: impl FnOnce() -> Search + Send + 'static) -> Reply {
        let (sender, receiver) = oneshot::channel();
        let (job, counts, memory) =
            (job.clone(), Arc::clone(&self.counts), Arc::clone(&self.memory));
        let work = move || {
            // The client has disconnected.
            if sender.is_closed() {
                counts.abandoned.fetch_add(1, Ordering::Relaxed);
                return;
            }
            counts.started.fetch_add(1, Ordering::Relaxed);
            let search = search();
            let loan = search.memory_bytes.map(|bytes| memory.lend(bytes));
            let memory_bytes = loan.as_ref().map(|loan| loan.bytes);
            let reply = job.run(&Search { memory_bytes, ..search });
            drop(loan);
            let _ = sender.send(reply);
        };
        match self.queue.try_send(Box::new(work)) {
            Err(TrySendError::Full(_)) => busy().into(),
            Err(TrySendError::Disconnected(_)) => Problem::internal("all workers ended").into(),
            Ok(()) => receiver.await.unwrap_or_else(|_| {
                Problem::internal("the work panicked: see the server's log").into()
            }),
        }
    }
}

/// Long work exceeds its time limit.
fn too_long(time: Duration) -> Problem {
    Problem::conflict(format!(
        "the request exceeds its time limit of {} s: ask for less; or start the server with a longer \
         limit, as in tilebase serve --time-limit 10min",
        time.as_secs_f64()
    ))
}

/// Runs jobs on a thread until the pool is dropped.
fn work(jobs: &Receiver<Work>, counts: &PoolCounts, is_nice: bool) {
    #[cfg(target_os = "linux")]
    if is_nice {
        // Elsewhere this changes the whole process. If it fails, the priority stays the same.
        let _ = rustix::process::setpriority_process(None, NICE);
    }
    #[cfg(not(target_os = "linux"))]
    let _ = is_nice;
    for job in jobs {
        counts.running.fetch_add(1, Ordering::Relaxed);
        // After a panic, the closed channel informs the client, and the thread continues.
        let _ = catch_unwind(AssertUnwindSafe(job));
        counts.running.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn borrowed_memory_stays_within_the_budget() {
        let budget = MemoryBudget(AtomicU64::new(512));
        let lent = |loans: &[Loan<'_>]| loans.iter().map(|loan| loan.bytes).collect::<Vec<_>>();
        let mut loans: Vec<_> = (0..4).map(|_| budget.lend(200)).collect();
        assert_eq!(lent(&loans), [200, 156, 78, 39]);
        loans.extend((0..100).map(|_| budget.lend(200)));
        assert!(lent(&loans).iter().sum::<u64>() <= 512);
        drop(loans);
        assert_eq!(budget.lend(200).bytes, 200);
    }
}
