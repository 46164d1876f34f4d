//! Many concurrent searches on any number of threads.
//!
//! 1. A thread has several lanes. Each searches a subtree on its own stack and stops where it waits
//!    for memory. The thread runs them in turn, so that one lane's loads hide behind the others'
//!    work.
//! 2. A lane without work takes a subtree that another thread offers, else the next job of the
//!    [`JobSource`], else a part of another lane of its own thread. So boards are searched in
//!    parallel, and the last ones, or a single one, are split.
//! 3. A thread without work raises a counter, and the other threads offer subtrees.
//! 4. A guest may take a thread for other work. The thread first gives its subtrees away, unless it
//!    is the only one.
//! 5. A job is done when all its lanes are. The last lane asks the source for the next one. The
//!    first lane that reaches the goal ends the search of its board: each solution within the bound
//!    is a shortest one.

mod account;
mod end;
mod job;
mod source;

use std::collections::VecDeque;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{self, ScopedJoinHandle};
use std::time::Duration;

use pdb_core::lock;

use crate::Limits;
use crate::counts::Counts;
use crate::lane::{AnyLanes, LaneEvent, LaneRecord, Subtree};
use crate::limits::Pace;

pub use account::Account;
pub(crate) use end::JobEnd;
pub(crate) use job::{Job, JobProgress, JobRef, Rival};
pub use source::{BoardList, Boards, Next};
pub(crate) use source::{JobBegin, JobSource, JobStart};

/// Subtrees that a thread offers at once when another one has no work.
const OFFERS: usize = 4;
/// Attempts of a thread without work to find some before it yields, and before it sleeps: about a
/// millisecond.
const SPINS: u32 = 200;
const YIELDS: u32 = 2_000;
/// Sleep of a thread that found no work for a while.
pub(crate) const PAUSE: Duration = Duration::from_micros(50);

/// Runs `work` on several threads, including the calling one, and returns the result of each. If
/// the system cannot start all threads, fewer run.
pub fn on_threads<T: Send>(thread_count: usize, work: &(dyn Fn() -> T + Sync)) -> Vec<T> {
    thread::scope(|scope| {
        let start = |_| pdb_core::thread_builder().spawn_scoped(scope, work).ok();
        let threads: Vec<ScopedJoinHandle<'_, T>> = (1..thread_count).map_while(start).collect();
        let mut results = vec![work()];
        for thread in threads {
            results.push(thread.join().unwrap_or_else(|panic| resume_unwind(panic)));
        }
        results
    })
}

/// The lanes of a thread that have work.
struct BusyLanes<'a> {
    /// All lanes, those with work first. The others are kept for the next jobs, because their
    /// stacks are large. Made for the first job.
    lanes: Option<Box<dyn AnyLanes + 'a>>,
    /// The job of each lane with work.
    jobs: Vec<JobRef>,
    /// The event that ended the last round of each lane.
    events: Vec<LaneEvent>,
    /// Whether the thread takes no more work, because a guest waits for it.
    is_leaving: bool,
}

impl BusyLanes<'_> {
    /// Begins a subtree in a lane without work.
    fn begin(&mut self, job: JobRef, subtree: Subtree) {
        let (lane, lanes) = (self.jobs.len(), self.lanes.as_deref_mut().expect(LANES));
        job.begin_subtree(subtree, lanes, lane);
        let record = lanes.record(lane);
        (record.granted, record.generated, record.expanded, record.entered) = (0, 0, 0, 0);
        self.jobs.push(job);
        self.events.push(LaneEvent::Wait);
    }

    /// Takes a subtree of a board that is being searched. If all are taken, splits the lane with
    /// the most moves left.
    fn more_work(&mut self) -> Option<Assignment> {
        let mut live = self.jobs.iter().filter(|job| job.may_be_split());
        let Some((job, subtree)) = live.find_map(|job| Some((job, job.next_subtree()?))) else {
            return self.split();
        };
        job.open_lane();
        Some((Arc::clone(job), subtree))
    }

    /// Splits the lane with the most moves left.
    fn split(&mut self) -> Option<Assignment> {
        let BusyLanes { lanes, jobs, .. } = self;
        let lanes = lanes.as_mut()?;
        let live = jobs.iter().enumerate().filter(|(_, job)| job.may_be_split());
        let splittable = live.filter_map(|(lane, job)| Some((lanes.splittable(lane)?, lane, job)));
        let (_, lane, job) = splittable.max_by_key(|x| x.0)?;
        let subtree = lanes.split(lane)?;
        job.open_lane();
        Some((Arc::clone(job), subtree))
    }
}

/// Rounds of a thread over its lanes before it does anything else. A lane alone makes fewer where
/// steps are slow. Several lanes do not, because the order in which they are split would change.
const ROUNDS: u64 = 64;

/// Reason why a thread has lanes.
const LANES: &str = "lanes are made before work is looked for";

/// A function that makes the lanes of a thread.
pub(crate) type MakeLanes<'a> = dyn Fn() -> Box<dyn AnyLanes + 'a> + Sync + 'a;

/// Other work that takes a thread of a pool from time to time.
pub(crate) trait Guest: Sync {
    /// Returns whether it takes the calling thread now. Only one thread is told so at a time.
    fn takes_thread(&self) -> bool;

    /// Does the work on the calling thread. `is_finished` returns whether the pool has ended, so
    /// that the other threads wait for this one.
    fn run(&self, is_finished: &dyn Fn() -> bool);
}

/// The data that the threads share.
pub(crate) struct Pool<'a> {
    make_lanes: &'a MakeLanes<'a>,
    limits: &'a Limits<'a>,
    source: &'a dyn JobSource,
    guest: Option<&'a dyn Guest>,
    /// Lanes of each thread.
    lane_count: usize,
    jobs_at_once: usize,
    /// Jobs that have begun and are not answered.
    active: AtomicUsize,
    /// Threads without work.
    idle: AtomicUsize,
    /// Set when no further job will come.
    has_ended: AtomicBool,
    has_panicked: AtomicBool,
    /// Subtrees that threads offer to others.
    offers: Mutex<VecDeque<Assignment>>,
    offer_count: AtomicUsize,
}

/// A subtree of a job, to be searched in a lane.
type Assignment = (JobRef, Subtree);

/// Guard that reports a panic to the other threads, which wait for this thread's answers.
struct PanicGuard<'a>(&'a AtomicBool);

impl Drop for PanicGuard<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.store(true, Ordering::Relaxed);
        }
    }
}

impl<'a> Pool<'a> {
    /// Searches on several threads until the source ends, with `lane_count` lanes on each, and at
    /// most `jobs_at_once` jobs at once.
    pub(crate) fn run(
        make_lanes: &'a MakeLanes<'a>,
        limits: &'a Limits<'a>,
        (source, guest): (&'a dyn JobSource, Option<&'a dyn Guest>),
        lane_count: usize,
        jobs_at_once: usize,
        thread_count: usize,
    ) {
        let pool = Self {
            make_lanes,
            limits,
            source,
            guest,
            lane_count: lane_count.max(1),
            jobs_at_once: jobs_at_once.max(1),
            active: AtomicUsize::new(0),
            idle: AtomicUsize::new(0),
            has_ended: AtomicBool::new(false),
            has_panicked: AtomicBool::new(false),
            offers: Mutex::new(VecDeque::new()),
            offer_count: AtomicUsize::new(0),
        };
        on_threads(thread_count, &|| pool.work(thread_count == 1));
    }

    /// Searches on the calling thread until the source ends.
    fn work(&self, is_alone: bool) {
        let _guard = PanicGuard(&self.has_panicked);
        let mut busy =
            BusyLanes { lanes: None, jobs: Vec::new(), events: Vec::new(), is_leaving: false };
        let mut failed = 0u32;
        let mut is_idle = false;
        let mut pace = Pace::default();
        while !self.has_panicked.load(Ordering::Relaxed) {
            self.serve_guest(&mut busy, is_alone);
            if !busy.is_leaving {
                self.fill(&mut busy);
            }
            if busy.jobs.is_empty() {
                if self.is_finished() {
                    break;
                }
                if !is_idle {
                    self.idle.fetch_add(1, Ordering::Relaxed);
                    is_idle = true;
                }
                failed = failed.saturating_add(1);
                // A sleep takes as long as an easy board, so the thread first spins, then yields
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
            let is_single = self.lane_count == 1;
            let rounds = if is_single { pace.share_of(ROUNDS) } else { ROUNDS };
            busy.lanes.as_mut().expect(LANES).run(&mut busy.events, rounds);
            pace.adapt();
            self.handle_events(&mut busy, &pace);
            self.offer(&mut busy);
        }
        if is_idle {
            self.idle.fetch_sub(1, Ordering::Relaxed);
        }
    }

    /// Gives the thread to the guest if it wants one. A thread among others first gives its work
    /// away.
    fn serve_guest(&self, busy: &mut BusyLanes<'_>, is_alone: bool) {
        let Some(guest) = self.guest else { return };
        if !busy.is_leaving && !guest.takes_thread() {
            return;
        }
        busy.is_leaving = true;
        if is_alone || busy.jobs.is_empty() {
            guest.run(&|| self.is_finished() || self.has_panicked.load(Ordering::Relaxed));
            busy.is_leaving = false;
            return;
        }
        while let Some(offer) = busy.split() {
            lock(&self.offers).push_back(offer);
            self.offer_count.fetch_add(1, Ordering::Relaxed);
        }
    }

    fn is_finished(&self) -> bool {
        self.has_ended.load(Ordering::SeqCst) && self.active.load(Ordering::SeqCst) == 0
    }

    /// Finds work for idle lanes.
    fn fill(&self, busy: &mut BusyLanes<'a>) {
        while busy.jobs.len() < self.lane_count {
            let work = self.take_offer().or_else(|| self.begin_job());
            match work.or_else(|| busy.more_work()) {
                Some((job, subtree)) => {
                    busy.lanes.get_or_insert_with(self.make_lanes);
                    busy.begin(job, subtree);
                }
                None => break,
            }
        }
    }

    fn take_offer(&self) -> Option<Assignment> {
        if self.offer_count.load(Ordering::Relaxed) == 0 {
            return None;
        }
        let offer = lock(&self.offers).pop_front()?;
        self.offer_count.fetch_sub(1, Ordering::Relaxed);
        Some(offer)
    }

    /// Offers subtrees to threads without work.
    fn offer(&self, busy: &mut BusyLanes<'_>) {
        if self.idle.load(Ordering::Relaxed) == 0 || self.offer_count.load(Ordering::Relaxed) > 0 {
            return;
        }
        for _ in 0..OFFERS {
            let Some(offer) = busy.more_work() else { break };
            lock(&self.offers).push_back(offer);
            self.offer_count.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Begins the next job that needs a search.
    fn begin_job(&self) -> Option<Assignment> {
        while !self.has_ended.load(Ordering::SeqCst) {
            // Counted first, so that no other thread considers the pool finished in between.
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
    ///
    /// If nodes are slow, the limits are checked here too. A lane among others keeps its grants, on
    /// which the order of nodes depends, but a lane alone only returns at the end of a grant.
    fn handle_events(&self, busy: &mut BusyLanes<'_>, pace: &Pace) {
        let most = if self.lane_count == 1 { pace.interval } else { u64::MAX };
        let mut lane = 0;
        while lane < busy.jobs.len() {
            let (job, lanes) = (&busy.jobs[lane], busy.lanes.as_deref_mut().expect(LANES));
            let mut is_done = job.account.is_over();
            match std::mem::replace(&mut busy.events[lane], LaneEvent::Wait) {
                // Handled first, because a solution is worth more than a limit.
                LaneEvent::Goal => {
                    job.end(JobEnd::Goal(job.path(lanes, lane)));
                    is_done = true;
                }
                _ if is_done => (),
                LaneEvent::Wait if pace.is_slow() => {
                    if let Err(end) = job.account.look_for_end(self.limits) {
                        job.end(end);
                        is_done = true;
                    }
                }
                LaneEvent::Wait => (),
                LaneEvent::NoGrant => {
                    let record = lanes.record(lane);
                    match job.grant(self.limits, record.generated, most) {
                        Ok(nodes) => record.granted += nodes,
                        Err(end) => {
                            job.end(end);
                            is_done = true;
                        }
                    }
                }
                // Other lanes take the waiting subtrees.
                LaneEvent::Exhausted if busy.is_leaving && job.has_more_lanes(busy.jobs.len()) => {
                    job.keep_subtree(lanes, lane);
                    is_done = true;
                }
                LaneEvent::Exhausted => is_done = !job.finish_subtree(lanes, lane),
            }
            if !is_done {
                lane += 1;
                continue;
            }
            let next = self.finish(job, lanes.record(lane));
            lanes.swap(lane, busy.jobs.len() - 1);
            busy.events.swap_remove(lane);
            let job = busy.jobs.swap_remove(lane);
            if let Some(subtree) = next {
                busy.begin(job, subtree);
            }
        }
    }

    /// Adds the counts of a finished lane. After the last lane of a bound, the source answers the
    /// board, or returns a subtree of the next bound.
    fn finish(&self, job: &Job, lane: &LaneRecord) -> Option<Subtree> {
        let mut progress = job.progress();
        let LaneRecord { generated, expanded, .. } = *lane;
        progress.counts = progress.counts.plus(Counts { generated, expanded });
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
