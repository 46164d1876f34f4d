//! Many searches at once, on any number of threads.
//!
//! 1. A thread has several lanes. Each searches a subtree on its own stack and stops where it waits
//!    for memory; the thread runs them in turn, so that one lane's loads hide behind the others'
//!    work.
//! 2. A lane without work takes a subtree that another thread offers, else the next job of the
//!    [`Source`], else a part of another lane of its own thread. So boards run side by side, and
//!    the last ones, or a single one, are split.
//! 3. A thread without work raises a counter, and the other threads offer subtrees.
//! 4. A job is done when all its lanes are. The last lane asks the source for the next one. The
//!    first lane that reaches the goal ends the search of its board: each solution within the bound
//!    is a shortest one.

mod account;
mod job;
mod source;

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use pdb_core::Heuristic;

use crate::Limits;
use crate::lane::{Event, Lane, Shared, Subtree};

pub(crate) use account::Account;
pub(crate) use job::{Job, JobEnd, JobRef, Progress, Rival};
pub use source::{Boards, Next};
pub(crate) use source::{JobStart, Single, Source};

/// Rounds of a thread over its lanes before it does anything else.
const ROUNDS: usize = 64;
/// Subtrees that a thread offers at once when another one has no work.
const OFFERS: usize = 4;
/// Attempts of a thread without work to find some before it yields, and before it sleeps: about a
/// millisecond.
const SPINS: u32 = 200;
const YIELDS: u32 = 2_000;
/// Sleep of a thread that found no work for a while.
pub(crate) const PAUSE: Duration = Duration::from_micros(50);

/// Locks a mutex, even after a panic: all threads end then, and the panic is resumed.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Runs `work` on several threads, the calling one among them; on fewer where the system starts no
/// more.
pub fn on_threads(thread_count: usize, work: &(dyn Fn() + Sync)) {
    thread::scope(|scope| {
        for _ in 1..thread_count {
            if thread::Builder::new().spawn_scoped(scope, work).is_err() {
                break;
            }
        }
        work();
    });
}

/// A lane with work.
struct Busy<H: Heuristic> {
    job: JobRef<H>,
    lane: Lane<H>,
    event: Event,
}

/// The lanes of a thread.
struct Lanes<H: Heuristic> {
    busy: Vec<Busy<H>>,
    /// Lanes without work, kept because their stacks are large and boards are many.
    spare: Vec<Lane<H>>,
}

impl<H: Heuristic> Lanes<H> {
    /// Begins a subtree in a spare lane, or in a new one.
    fn begin(&mut self, job: JobRef<H>, subtree: Subtree<H>) {
        let lane = match self.spare.pop() {
            Some(mut lane) => {
                lane.renew(subtree);
                lane
            }
            None => Lane::new(subtree),
        };
        self.busy.push(Busy { job, lane, event: Event::Wait });
    }
}

/// The data that the threads share.
pub(crate) struct Pool<'a, H: Heuristic> {
    /// The data that lanes read, by route; made when the first lane begins.
    routes: LazyLock<Routes<'a, H>, MakeRoutes<'a, H>>,
    limits: &'a Limits<'a>,
    source: &'a dyn Source<H>,
    /// Lanes of each thread.
    lanes: usize,
    jobs_at_once: usize,
    /// Jobs that were begun and not answered.
    active: AtomicUsize,
    /// Threads without work.
    idle: AtomicUsize,
    /// No further job will come.
    has_ended: AtomicBool,
    has_panicked: AtomicBool,
    /// Subtrees that threads offer to others.
    offers: Mutex<VecDeque<Assignment<H>>>,
    offer_count: AtomicUsize,
}

/// A subtree of a job, for a lane.
type Assignment<H> = (JobRef<H>, Subtree<H>);
type Routes<'a, H> = Vec<Shared<'a, H>>;
type MakeRoutes<'a, H> = Box<dyn FnOnce() -> Routes<'a, H> + Send + 'a>;

/// A guard that tells the other threads of a panic, as they wait for this thread's answers.
struct PanicGuard<'a>(&'a AtomicBool);

impl Drop for PanicGuard<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.store(true, Ordering::Relaxed);
        }
    }
}

impl<'a, H: Heuristic> Pool<'a, H> {
    /// Makes a pool with `lanes` lanes a thread that searches at most `jobs_at_once` jobs at once.
    pub(crate) fn new(
        routes: MakeRoutes<'a, H>,
        limits: &'a Limits<'a>,
        source: &'a dyn Source<H>,
        lanes: usize,
        jobs_at_once: usize,
    ) -> Self {
        Self {
            routes: LazyLock::new(routes),
            limits,
            source,
            lanes: lanes.max(1),
            jobs_at_once: jobs_at_once.max(1),
            active: AtomicUsize::new(0),
            idle: AtomicUsize::new(0),
            has_ended: AtomicBool::new(false),
            has_panicked: AtomicBool::new(false),
            offers: Mutex::new(VecDeque::new()),
            offer_count: AtomicUsize::new(0),
        }
    }

    /// Searches on several threads until the source ends.
    pub(crate) fn run(&self, thread_count: usize) {
        on_threads(thread_count, &|| self.work());
    }
}

impl<H: Heuristic> Pool<'_, H> {
    /// Searches on the calling thread until the source ends.
    fn work(&self) {
        let _guard = PanicGuard(&self.has_panicked);
        let mut lanes = Lanes { busy: Vec::with_capacity(self.lanes), spare: Vec::new() };
        let mut failed = 0u32;
        let mut is_idle = false;
        while !self.has_panicked.load(Ordering::Relaxed) {
            self.fill(&mut lanes);
            if lanes.busy.is_empty() {
                if self.is_finished() {
                    break;
                }
                if !is_idle {
                    self.idle.fetch_add(1, Ordering::Relaxed);
                    is_idle = true;
                }
                failed = failed.saturating_add(1);
                // A sleep takes as long as an easy board, so the thread spins first, then yields
                // the core.
                match failed {
                    ..SPINS => std::hint::spin_loop(),
                    SPINS..YIELDS => thread::yield_now(),
                    _ => thread::sleep(PAUSE),
                }
                continue;
            }
            if is_idle {
                self.idle.fetch_sub(1, Ordering::Relaxed);
                is_idle = false;
            }
            failed = 0;
            self.routes[0].heuristic.run(
                #[inline(always)]
                || run_lanes(&mut lanes.busy, &self.routes),
            );
            self.handle_events(&mut lanes);
            self.offer(&mut lanes.busy);
        }
        if is_idle {
            self.idle.fetch_sub(1, Ordering::Relaxed);
        }
    }

    fn is_finished(&self) -> bool {
        self.has_ended.load(Ordering::SeqCst) && self.active.load(Ordering::SeqCst) == 0
    }

    /// Finds work for lanes without any.
    fn fill(&self, lanes: &mut Lanes<H>) {
        while lanes.busy.len() < self.lanes {
            let work = self.take_offer().or_else(|| self.begin_job());
            match work.or_else(|| self.more_work(&mut lanes.busy)) {
                Some((job, subtree)) => lanes.begin(job, subtree),
                None => break,
            }
        }
    }

    fn take_offer(&self) -> Option<Assignment<H>> {
        if self.offer_count.load(Ordering::Relaxed) == 0 {
            return None;
        }
        let offer = lock(&self.offers).pop_front()?;
        self.offer_count.fetch_sub(1, Ordering::Relaxed);
        Some(offer)
    }

    /// Takes a subtree of a board that is being searched; where all are taken, splits the lane that
    /// has the most moves left.
    fn more_work(&self, lanes: &mut [Busy<H>]) -> Option<Assignment<H>> {
        let live = |busy: &Busy<H>| busy.job.may_be_split();
        let waiting = lanes.iter().filter(|busy| live(busy)).find_map(|Busy { job, .. }| {
            let subtree = job.next_subtree()?;
            Some((Arc::clone(job), subtree))
        });
        let (job, subtree) = waiting.or_else(|| {
            let live = lanes.iter_mut().filter(|busy| live(busy));
            let splittable = live.filter_map(|busy| Some((busy.lane.splittable()?, busy)));
            let (_, Busy { job, lane, .. }) = splittable.max_by_key(|x| x.0)?;
            Some((Arc::clone(job), lane.split(&self.routes[lane.route])?))
        })?;
        job.open_lane();
        Some((job, subtree))
    }

    /// Offers subtrees to threads without work.
    fn offer(&self, lanes: &mut [Busy<H>]) {
        if self.idle.load(Ordering::Relaxed) == 0 || self.offer_count.load(Ordering::Relaxed) > 0 {
            return;
        }
        for _ in 0..OFFERS {
            let Some(offer) = self.more_work(lanes) else { break };
            lock(&self.offers).push_back(offer);
            self.offer_count.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Begins the next job that needs a search.
    fn begin_job(&self) -> Option<Assignment<H>> {
        while !self.has_ended.load(Ordering::SeqCst) {
            // Counted first, so that no thread takes the pool for finished in between.
            if self.active.fetch_add(1, Ordering::SeqCst) >= self.jobs_at_once {
                self.active.fetch_sub(1, Ordering::SeqCst);
                return None;
            }
            let is_later = match self.source.begin() {
                JobStart::Search(job, subtree) => return Some((job, subtree)),
                JobStart::Answered => false,
                JobStart::Later => true,
                JobStart::End => {
                    self.has_ended.store(true, Ordering::SeqCst);
                    false
                }
            };
            self.active.fetch_sub(1, Ordering::SeqCst);
            if is_later {
                return None;
            }
        }
        None
    }

    /// Handles the event that ended the last round of each lane.
    fn handle_events(&self, lanes: &mut Lanes<H>) {
        let mut i = 0;
        while i < lanes.busy.len() {
            let Busy { job, lane, event } = &mut lanes.busy[i];
            let mut is_done = job.account.is_over();
            match *event {
                // First of all, as a solution is worth more than a limit.
                Event::Goal => {
                    job.end(JobEnd::Goal(job.path(lane)));
                    is_done = true;
                }
                _ if is_done => (),
                Event::Wait => (),
                Event::NoGrant => match job.grant(self.limits, lane.generated) {
                    Ok(nodes) => lane.granted += nodes,
                    Err(kind) => {
                        job.end(JobEnd::Limit(kind));
                        is_done = true;
                    }
                },
                Event::Exhausted => {
                    match job.finish_subtree(lane, self.routes[lane.route].heuristic) {
                        Some(subtree) => lane.begin(subtree),
                        None => is_done = true,
                    }
                }
            }
            *event = Event::Wait;
            if !is_done {
                i += 1;
                continue;
            }
            let done = lanes.busy.swap_remove(i);
            let next = self.finish(&done);
            lanes.spare.push(done.lane);
            if let Some(subtree) = next {
                lanes.begin(done.job, subtree);
            }
        }
    }

    /// Adds up a lane that is done. After the last one within its bound, the source answers the
    /// board, or returns a subtree of the next bound.
    fn finish(&self, done: &Busy<H>) -> Option<Subtree<H>> {
        let Busy { job, lane, .. } = done;
        let mut progress = job.progress();
        progress.generated += lane.generated;
        progress.expanded += lane.expanded;
        progress.entered += lane.entered;
        if !job.close_lane(lane.granted) {
            return None;
        }
        let next = self.source.go_on(job, &mut progress);
        drop(progress);
        if next.is_none() {
            self.active.fetch_sub(1, Ordering::SeqCst);
        }
        next
    }
}

/// Runs the lanes in turn until one of them needs something else than memory.
#[inline(always)]
fn run_lanes<H: Heuristic>(lanes: &mut [Busy<H>], routes: &[Shared<'_, H>]) {
    for _ in 0..ROUNDS {
        let mut must_stop = false;
        for busy in lanes.iter_mut() {
            busy.event = busy.lane.advance(&routes[busy.lane.route]);
            must_stop |= busy.event != Event::Wait;
        }
        if must_stop {
            break;
        }
    }
}
