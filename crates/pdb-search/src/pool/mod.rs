//! Many searches at once, on one core and on all of them.
//!
//! 1. A thread has several lanes. Each searches a subtree on its own stack and stops where it waits
//!    for memory; the thread goes around, so that one's loads hide behind the others' work.
//! 2. An idle lane takes a subtree that was given away, else the next job of the [`Source`], else it
//!    splits a lane of its own thread. So many boards run side by side, and the last ones, or a
//!    single one, are split up.
//! 3. A thread without work says so, and the others give subtrees away.
//! 4. A job is done when all its lanes are. The lane that finishes the last one asks the source
//!    what comes next. The first lane that reaches the goal ends the search of its board: a solution
//!    within the bound is a shortest one, whoever finds it.

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
use crate::lane::{Event, Lane, Packet, Shared};

pub(crate) use account::Account;
pub(crate) use job::{End, Job, JobRef, Progress, Rival};
pub(crate) use source::{Begun, Single, Source};
pub use source::{Boards, Next};

/// How many times a thread goes around its lanes before it looks at anything else.
const ROUNDS: usize = 64;
/// How many subtrees a thread gives away at once when another one has no work.
const GIFTS: usize = 4;
/// How often a thread that has no work looks for it at once, and how often before it pauses: about a millisecond.
const SPINS: u32 = 200;
const YIELDS: u32 = 2_000;
/// The pause of a thread that found nothing to do for a while.
pub(crate) const PAUSE: Duration = Duration::from_micros(50);

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // What one thread left is as good for the others, even if it panicked: they end, too.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Runs `work` on so many threads, the calling one among them; on fewer where the system starts no
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

/// A lane at work.
struct Busy<H: Heuristic> {
    job: JobRef<H>,
    lane: Lane<H>,
    event: Event,
}

/// The lanes of a thread.
struct Lanes<H: Heuristic> {
    busy: Vec<Busy<H>>,
    /// Those without work: their stacks are large, and boards are many.
    spare: Vec<Lane<H>>,
}

impl<H: Heuristic> Lanes<H> {
    /// Begins a packet in a lane without work, or in a new one.
    fn begin(&mut self, job: JobRef<H>, packet: Packet<H>) {
        let lane = match self.spare.pop() {
            Some(mut lane) => {
                lane.renew(packet);
                lane
            }
            None => Lane::new(packet),
        };
        self.busy.push(Busy { job, lane, event: Event::Wait });
    }
}

/// What the threads share.
pub(crate) struct Pool<'a, H: Heuristic> {
    /// What lanes read, by the end that they search for; made when the first lane begins.
    ends: LazyLock<Ends<'a, H>, MakeEnds<'a, H>>,
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
    /// Subtrees that were given away.
    gifts: Mutex<VecDeque<Gift<H>>>,
    gift_count: AtomicUsize,
}

type Gift<H> = (JobRef<H>, Packet<H>);
type Ends<'a, H> = Vec<Shared<'a, H>>;
type MakeEnds<'a, H> = Box<dyn FnOnce() -> Ends<'a, H> + Send + 'a>;

/// Tells the other threads when this one panics, as they would wait for its answers.
struct PanicGuard<'a>(&'a AtomicBool);

impl Drop for PanicGuard<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.store(true, Ordering::Relaxed);
        }
    }
}

impl<'a, H: Heuristic> Pool<'a, H> {
    /// A pool with so many lanes a thread, that begins so many jobs at once at most.
    pub(crate) fn new(
        ends: MakeEnds<'a, H>,
        limits: &'a Limits<'a>,
        source: &'a dyn Source<H>,
        lanes: usize,
        jobs_at_once: usize,
    ) -> Self {
        Self {
            ends: LazyLock::new(ends),
            limits,
            source,
            lanes: lanes.max(1),
            jobs_at_once: jobs_at_once.max(1),
            active: AtomicUsize::new(0),
            idle: AtomicUsize::new(0),
            has_ended: AtomicBool::new(false),
            has_panicked: AtomicBool::new(false),
            gifts: Mutex::new(VecDeque::new()),
            gift_count: AtomicUsize::new(0),
        }
    }

    /// Searches on so many threads until the source ends.
    pub(crate) fn run(&self, thread_count: usize) {
        on_threads(thread_count, &|| self.work());
    }
}

impl<H: Heuristic> Pool<'_, H> {
    /// Searches until there is nothing left to do.
    fn work(&self) {
        let _guard = PanicGuard(&self.has_panicked);
        let mut lanes = Lanes { busy: Vec::with_capacity(self.lanes), spare: Vec::new() };
        let mut vain = 0u32;
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
                vain = vain.saturating_add(1);
                // To fall asleep and wake up takes as long as an easy board: a while is waited on the spot,
                // first for itself, then behind whoever else wants the core.
                match vain {
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
            vain = 0;
            self.ends[0].heuristic.run(
                #[inline(always)]
                || go_around(&mut lanes.busy, &self.ends),
            );
            self.look_after(&mut lanes);
            self.give_away(&mut lanes.busy);
        }
        if is_idle {
            self.idle.fetch_sub(1, Ordering::Relaxed);
        }
    }

    fn is_finished(&self) -> bool {
        self.has_ended.load(Ordering::SeqCst) && self.active.load(Ordering::SeqCst) == 0
    }

    /// Finds work for idle lanes.
    fn fill(&self, lanes: &mut Lanes<H>) {
        while lanes.busy.len() < self.lanes {
            let work = self.take_gift().or_else(|| self.begin_job());
            match work.or_else(|| self.more_work(&mut lanes.busy)) {
                Some((job, packet)) => lanes.begin(job, packet),
                None => break,
            }
        }
    }

    fn take_gift(&self) -> Option<Gift<H>> {
        if self.gift_count.load(Ordering::Relaxed) == 0 {
            return None;
        }
        let gift = lock(&self.gifts).pop_front()?;
        self.gift_count.fetch_sub(1, Ordering::Relaxed);
        Some(gift)
    }

    /// Takes a subtree of a board that is searched already; where all are taken, splits the lane that
    /// has the most moves left.
    fn more_work(&self, lanes: &mut [Busy<H>]) -> Option<Gift<H>> {
        let live = |busy: &Busy<H>| busy.job.may_be_split();
        let waiting = lanes.iter().filter(|busy| live(busy)).find_map(|Busy { job, .. }| {
            let packet = job.next_subtree()?;
            Some((Arc::clone(job), packet))
        });
        let (job, packet) = waiting.or_else(|| {
            let live = lanes.iter_mut().filter(|busy| live(busy));
            let splittable = live.filter_map(|busy| Some((busy.lane.splittable()?, busy)));
            let (_, Busy { job, lane, .. }) = splittable.max_by_key(|x| x.0)?;
            Some((Arc::clone(job), lane.split(&self.ends[lane.end])?))
        })?;
        job.open_lane();
        Some((job, packet))
    }

    /// Gives subtrees to threads that have none.
    fn give_away(&self, lanes: &mut [Busy<H>]) {
        if self.idle.load(Ordering::Relaxed) == 0 || self.gift_count.load(Ordering::Relaxed) > 0 {
            return;
        }
        for _ in 0..GIFTS {
            let Some(gift) = self.more_work(lanes) else { break };
            lock(&self.gifts).push_back(gift);
            self.gift_count.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Begins the next job; those that need no search are answered on the way.
    fn begin_job(&self) -> Option<Gift<H>> {
        while !self.has_ended.load(Ordering::SeqCst) {
            // Counted first, so that nobody takes the pool for finished in between.
            if self.active.fetch_add(1, Ordering::SeqCst) >= self.jobs_at_once {
                self.active.fetch_sub(1, Ordering::SeqCst);
                return None;
            }
            let is_later = match self.source.begin() {
                Begun::Search(job, packet) => return Some((job, packet)),
                Begun::Answered => false,
                Begun::Later => true,
                Begun::End => {
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

    /// Deals with what ended the last round of each lane.
    fn look_after(&self, lanes: &mut Lanes<H>) {
        let mut i = 0;
        while i < lanes.busy.len() {
            let Busy { job, lane, event } = &mut lanes.busy[i];
            let mut is_done = job.account.is_over();
            match *event {
                // Before anything else: a solution is worth more than a limit.
                Event::Goal => {
                    job.end(End::Goal(job.path(lane)));
                    is_done = true;
                }
                _ if is_done => (),
                Event::Wait => (),
                Event::NoGrant => match job.grant(self.limits, lane.generated) {
                    Ok(nodes) => lane.granted += nodes,
                    Err(kind) => {
                        job.end(End::Limit(kind));
                        is_done = true;
                    }
                },
                Event::Exhausted => match job.finish_subtree(lane, self.ends[lane.end].heuristic) {
                    Some(packet) => lane.begin(packet),
                    None => is_done = true,
                },
            }
            *event = Event::Wait;
            if !is_done {
                i += 1;
                continue;
            }
            let done = lanes.busy.swap_remove(i);
            let next = self.finish(&done);
            lanes.spare.push(done.lane);
            if let Some(packet) = next {
                lanes.begin(done.job, packet);
            }
        }
    }

    /// Adds up a lane that is done. When it was the last one within its bound, the board is
    /// answered, or the next bound's packet is given back.
    fn finish(&self, done: &Busy<H>) -> Option<Packet<H>> {
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

/// Goes around the lanes until one of them needs something else than memory.
#[inline(always)]
fn go_around<H: Heuristic>(lanes: &mut [Busy<H>], ends: &[Shared<'_, H>]) {
    for _ in 0..ROUNDS {
        let mut must_stop = false;
        for busy in lanes.iter_mut() {
            busy.event = busy.lane.advance(&ends[busy.lane.end]);
            must_stop |= busy.event != Event::Wait;
        }
        if must_stop {
            break;
        }
    }
}
