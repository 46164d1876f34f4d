//! The pool of searches that all clients share.
//!
//! Nobody knows beforehand whether a board is easy. So each search begins among the quick ones, where it
//! has a moment on one thread. One that is not done then begins again among the long ones: on threads of
//! their own that the system prefers last, so that an easy board never waits for a hard one. What is
//! searched twice is that moment.
//!
//! What searches no board, such as listings, estimates and explanations, is done in a third lane, so that
//! neither waits for the other.
//!
//! All queues are short: a client that would wait long is told so at once. Work whose client has left is
//! cancelled, or never begun.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam::channel::{Receiver, Sender, TrySendError, bounded};
use tilebase::{
    Answer, Cancel, Checked, Error, LimitKind, MoveValues, Search, SolutionSet, Status,
};
use tokio::sync::oneshot;
use tokio::time::timeout;

use crate::problem::Problem;

/// How long a search may take among the quick ones.
const MOMENT: Duration = Duration::from_millis(100);
/// How much later than its limit an answer may come, where the machine is busy.
const GRACE: Duration = Duration::from_secs(1);
/// How much less than others the system cares for the threads of long searches; 19 is the least.
const NICE: i32 = 10;

type Job = Box<dyn FnOnce() + Send>;

/// Threads, and the queue before them.
#[derive(Debug)]
struct Lane {
    queue: Sender<Job>,
    counts: Arc<Counts>,
}

/// Counts of a lane's work.
#[derive(Debug, Default)]
struct Counts {
    running: AtomicUsize,
    begun: AtomicU64,
    abandoned: AtomicU64,
}

/// The pool of searches.
#[derive(Debug)]
pub(crate) struct Desk {
    quick: Lane,
    long: Lane,
    reports: Lane,
    thread_count: usize,
    /// The longest time for what has no limit of its own.
    time: Duration,
}

/// The work of a lane: now, and up to now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Load {
    /// The lane, as metrics name it.
    pub(crate) lane: &'static str,
    pub(crate) running: usize,
    pub(crate) waiting: usize,
    /// Work that was begun up to now.
    pub(crate) begun: u64,
    /// Work that was not begun when its turn came, as its client had left.
    pub(crate) abandoned: u64,
}

/// What may end at a limit.
pub(crate) trait Limited {
    /// The limit that ended it, if one did.
    fn limit(&self) -> Option<LimitKind>;
}

impl Limited for Answer {
    fn limit(&self) -> Option<LimitKind> {
        match self.status {
            Status::Limit { kind, .. } => Some(kind),
            _ => None,
        }
    }
}

impl Limited for MoveValues {
    fn limit(&self) -> Option<LimitKind> {
        self.limit
    }
}

impl Limited for Checked {
    fn limit(&self) -> Option<LimitKind> {
        self.limit
    }
}

impl<T> Limited for (SolutionSet, T) {
    fn limit(&self) -> Option<LimitKind> {
        self.0.limit
    }
}

/// Stops a search once nobody waits for it.
struct StopWhenDropped(Cancel);

impl Drop for StopWhenDropped {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

impl Desk {
    /// Starts `thread_count` threads for each lane; up to `queue` requests wait for each, up to `time`.
    ///
    /// # Errors
    /// What the system says where it starts no more threads.
    pub(crate) fn open(thread_count: usize, queue: usize, time: Duration) -> Result<Self, Error> {
        let open = |name, is_nice| {
            let lane = Lane::open(thread_count, queue, name, is_nice);
            lane.map_err(|source| Error::Threads { source })
        };
        let (quick, long) = (open("quick search", false)?, open("long search", true)?);
        let reports = open("report", false)?;
        Ok(Self { quick, long, reports, thread_count, time })
    }

    /// Searches, quickly if that will do. The limits of `search` count from now, waiting included; it is
    /// cancelled when nobody waits for the answer any more. What was found quickly is the answer where
    /// the time is over before there is a place among the long ones.
    ///
    /// # Errors
    /// A [`Problem`] when all places are taken, when the time is over before there is a place among the
    /// quick ones, or when the work has no result.
    pub(crate) async fn search<T: Limited + Send + 'static>(
        &self,
        search: Search,
        work: impl Fn(&Search) -> Result<T, Problem> + Send + Sync + 'static,
    ) -> Result<T, Problem> {
        let _stop = StopWhenDropped(search.cancel.clone());
        let asked = Instant::now();
        let time = search.time.unwrap_or(self.time);
        let patience = move || time.saturating_add(GRACE).saturating_sub(asked.elapsed());
        let (search, work) = (Arc::new(search), Arc::new(work));
        let quickly = {
            let (search, work) = (Arc::clone(&search), Arc::clone(&work));
            move || {
                let left = time.saturating_sub(asked.elapsed());
                let time = Some(left.min(MOMENT));
                work(&Search { time, thread_count: 1, ..(*search).clone() })
            }
        };
        let quickly = timeout(patience(), self.quick.run(quickly)).await;
        let found = quickly.map_err(|_| Problem::late())???;
        let is_done = found.limit() != Some(LimitKind::Time) || asked.elapsed() >= time;
        if is_done {
            return Ok(found);
        }
        let (counts, thread_count) = (Arc::clone(&self.long.counts), self.thread_count);
        let at_leisure = move || {
            let time = Some(time.saturating_sub(asked.elapsed()));
            // A single client has all threads, and many share them.
            let share = thread_count / counts.running.load(Ordering::Relaxed).max(1);
            work(&Search { time, thread_count: share.max(1), ..(*search).clone() })
        };
        // It ends by itself when its time is over, if it has begun.
        timeout(patience(), self.long.run(at_leisure)).await.unwrap_or(Ok(Ok(found)))?
    }

    /// Does what is no search of a board. It is cancelled when its client has left, or its time is over.
    ///
    /// # Errors
    /// A [`Problem`] when all places are taken, when the time is over before it is done, or when the work
    /// has no result.
    pub(crate) async fn report<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Cancel) -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        let cancel = Cancel::new();
        let _stop = StopWhenDropped(cancel.clone());
        let run = self.reports.run(move || work(&cancel));
        timeout(self.time, run).await.map_err(|_| Problem::late())??
    }

    /// Searches what may take long; it is cancelled when its client has left, or its time is over.
    ///
    /// # Errors
    /// A [`Problem`] when all places are taken, or when the work has no result.
    pub(crate) async fn at_leisure<T: Send + 'static>(
        &self,
        search: Search,
        work: impl FnOnce(Search) -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        let _stop = StopWhenDropped(search.cancel.clone());
        let (time, cancel) = (search.time, search.cancel.clone());
        let run = self.long.run(move || work(search));
        let Some(time) = time else { return run.await? };
        if let Ok(found) = timeout(time, run).await {
            return found?;
        }
        cancel.cancel();
        Err(Problem::conflict(format!(
            "this takes longer than the {} s that the request may take: ask for less, or start the server \
             with more, as in tilebase serve --time-limit 10min",
            time.as_secs_f64()
        )))
    }

    /// The load of each lane.
    pub(crate) fn loads(&self) -> [Load; 3] {
        [self.quick.load("quick"), self.long.load("long"), self.reports.load("report")]
    }
}

/// Ends work that was cancelled.
///
/// # Errors
/// A [`Problem`] that nobody reads.
pub(crate) fn go_on(cancel: &Cancel) -> Result<(), Problem> {
    if cancel.is_cancelled() {
        return Err(Problem::internal("nobody waits for this any more"));
    }
    Ok(())
}

impl Lane {
    /// Starts threads of a name, which leave the processor to others if they are nice.
    fn open(thread_count: usize, queue: usize, name: &str, is_nice: bool) -> std::io::Result<Self> {
        let (queue, jobs) = bounded(queue);
        let counts = Arc::new(Counts::default());
        for _ in 0..thread_count {
            let (jobs, counts) = (jobs.clone(), Arc::clone(&counts));
            let thread = thread::Builder::new().name(name.into());
            thread.spawn(move || work(&jobs, &counts, is_nice))?;
        }
        Ok(Self { queue, counts })
    }

    fn load(&self, lane: &'static str) -> Load {
        let Counts { running, begun, abandoned } = &*self.counts;
        Load {
            lane,
            running: running.load(Ordering::Relaxed),
            waiting: self.queue.len(),
            begun: begun.load(Ordering::Relaxed),
            abandoned: abandoned.load(Ordering::Relaxed),
        }
    }

    async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Problem> {
        let (tell, told) = oneshot::channel();
        let counts = Arc::clone(&self.counts);
        let job = move || {
            // Its client has left.
            if tell.is_closed() {
                counts.abandoned.fetch_add(1, Ordering::Relaxed);
                return;
            }
            counts.begun.fetch_add(1, Ordering::Relaxed);
            let _ = tell.send(work());
        };
        match self.queue.try_send(Box::new(job)) {
            Ok(()) => (),
            Err(TrySendError::Full(_)) => return Err(Problem::busy()),
            Err(TrySendError::Disconnected(_)) => {
                return Err(Problem::internal("all threads ended"));
            }
        }
        let ended = |_| Problem::internal("the work ended in a panic: the server's log says where");
        told.await.map_err(ended)
    }
}

/// What a thread does until the desk is closed.
fn work(jobs: &Receiver<Job>, counts: &Counts, is_nice: bool) {
    if is_nice && cfg!(target_os = "linux") {
        // Elsewhere this is about the whole process. Where it is refused, long searches are as dear.
        let _ = rustix::process::setpriority_process(None, NICE);
    }
    for job in jobs {
        counts.running.fetch_add(1, Ordering::Relaxed);
        // Whoever waits is told by the end of the channel; the others go on.
        let _ = catch_unwind(AssertUnwindSafe(job));
        counts.running.fetch_sub(1, Ordering::Relaxed);
    }
}
