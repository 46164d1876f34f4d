//! The pool of searches that all clients share.
//!
//! Nobody knows beforehand whether a board is easy. So each search begins among the quick ones, where it
//! has a moment on one thread. One that is not done then begins again among the long ones: on threads of
//! their own that the system prefers last, so that an easy board never waits for a hard one. What is
//! searched twice is that moment.
//!
//! Both queues are short: a client that would wait long is told so at once.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
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
    running: Arc<AtomicUsize>,
}

/// The pool of searches.
#[derive(Debug)]
pub(crate) struct Desk {
    quick: Lane,
    long: Lane,
    thread_count: usize,
    /// The longest time for what has no limit of its own.
    time: Duration,
}

/// How many searches there are now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Load {
    pub(crate) running: usize,
    pub(crate) waiting: usize,
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
    /// So many threads for quick searches, and as many for long ones; so many wait for either, up to
    /// some time.
    ///
    /// # Errors
    /// What the system says where it starts no more threads.
    pub(crate) fn open(thread_count: usize, queue: usize, time: Duration) -> Result<Self, Error> {
        let open = |is_long| Lane::open(thread_count, queue, is_long);
        let lanes = open(false).and_then(|quick| Ok((quick, open(true)?)));
        let (quick, long) = lanes.map_err(|source| Error::Threads { source })?;
        Ok(Self { quick, long, thread_count, time })
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
        let (running, thread_count) = (Arc::clone(&self.long.running), self.thread_count);
        let at_leisure = move || {
            let time = Some(time.saturating_sub(asked.elapsed()));
            // A single client has all threads, and many share them.
            let share = thread_count / running.load(Ordering::Relaxed).max(1);
            work(&Search { time, thread_count: share.max(1), ..(*search).clone() })
        };
        // It ends by itself when its time is over, if it has begun.
        timeout(patience(), self.long.run(at_leisure)).await.unwrap_or(Ok(Ok(found)))?
    }

    /// Does what takes a moment and is no search of a board.
    ///
    /// # Errors
    /// A [`Problem`] when all places are taken, when the time is over before it is done, or when the work
    /// has no result.
    pub(crate) async fn quickly<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        timeout(self.time, self.quick.run(work)).await.map_err(|_| Problem::late())??
    }

    /// Does what may take long; it is cancelled when nobody waits for it any more, or its time is over.
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
            "this takes longer than the {} s that the request may take: ask for less, or for more time with \
             time_limit and tilebase serve --time-limit",
            time.as_secs_f64()
        )))
    }

    /// The quick searches, and the long ones.
    pub(crate) fn loads(&self) -> [Load; 2] {
        [self.quick.load(), self.long.load()]
    }
}

impl Lane {
    fn open(thread_count: usize, queue: usize, is_long: bool) -> std::io::Result<Self> {
        let (queue, jobs) = bounded(queue);
        let running = Arc::new(AtomicUsize::new(0));
        for _ in 0..thread_count {
            let (jobs, running) = (jobs.clone(), Arc::clone(&running));
            let name = if is_long { "long search" } else { "quick search" };
            thread::Builder::new()
                .name(name.into())
                .spawn(move || work(&jobs, &running, is_long))?;
        }
        Ok(Self { queue, running })
    }

    fn load(&self) -> Load {
        Load { running: self.running.load(Ordering::Relaxed), waiting: self.queue.len() }
    }

    async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Problem> {
        let (tell, told) = oneshot::channel();
        let job = move || {
            // Nobody waits for it any more.
            if !tell.is_closed() {
                let _ = tell.send(work());
            }
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
fn work(jobs: &Receiver<Job>, running: &AtomicUsize, is_long: bool) {
    if is_long && cfg!(target_os = "linux") {
        // Elsewhere this is about the whole process. Where it is refused, long searches are as dear.
        let _ = rustix::process::setpriority_process(None, NICE);
    }
    for job in jobs {
        running.fetch_add(1, Ordering::Relaxed);
        // Whoever waits is told by the end of the channel; the others go on.
        let _ = catch_unwind(AssertUnwindSafe(job));
        running.fetch_sub(1, Ordering::Relaxed);
    }
}
