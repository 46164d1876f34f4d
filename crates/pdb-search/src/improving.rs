//! Improvement of a solution beside the proof, on the threads of its pool.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use pdb_clock::Instant;
use pdb_core::{Direction, lock};

use crate::improver::{Improver, ImproverSettings};
use crate::pool::{Boards, Guest, JobRef};

/// Improver of the board that a pool searches, on the threads of that pool.
pub(crate) struct BoardGuest<'a> {
    settings: ImproverSettings<'a>,
    boards: &'a dyn Boards,
    started: Instant,
    /// The time from the start until it takes a thread, in nanoseconds; [`NEVER`] if it has one or
    /// needs none.
    due: AtomicU64,
    /// The board that is being searched.
    job: Mutex<Option<JobRef>>,
    /// The improver of the last improved board.
    improver: Mutex<Option<(JobRef, Improver<'a>)>>,
}

/// A time that does not come.
const NEVER: u64 = u64::MAX;

impl<'a> BoardGuest<'a> {
    pub(crate) fn new(settings: ImproverSettings<'a>, boards: &'a dyn Boards) -> Self {
        Self {
            settings,
            boards,
            started: Instant::now(),
            due: AtomicU64::new(NEVER),
            job: Mutex::new(None),
            improver: Mutex::new(None),
        }
    }

    /// Takes a thread after some time.
    fn wait(&self, time: Duration) {
        let due = self.started.elapsed() + time;
        self.due.store(due.as_nanos() as u64, Ordering::Relaxed);
    }

    /// Begins with a board.
    pub(crate) fn begin(&self, job: &JobRef) {
        *lock(&self.job) = Some(Arc::clone(job));
        let after = self.settings.improvement.after;
        self.wait(after.saturating_sub(job.account.elapsed()));
    }

    /// Ends with a board, whose account is over.
    pub(crate) fn end(&self) {
        *lock(&self.job) = None;
        self.due.store(NEVER, Ordering::Relaxed);
    }
}

impl Guest for BoardGuest<'_> {
    fn takes_thread(&self) -> bool {
        let time = self.due.load(Ordering::Relaxed);
        time != NEVER
            && self.started.elapsed().as_nanos() as u64 >= time
            && self.due.compare_exchange(time, NEVER, Ordering::Relaxed, Ordering::Relaxed).is_ok()
    }

    fn run(&self, _: &dyn Fn() -> bool) {
        let Some(job) = lock(&self.job).clone() else { return };
        let mut kept = lock(&self.improver);
        if !kept.as_ref().is_some_and(|(of, _)| Arc::ptr_eq(of, &job)) {
            let new = Improver::new(self.settings, &job.board, &job.account);
            *kept = Some((Arc::clone(&job), new));
        }
        let (_, improver) = kept.as_mut().expect("it was made");
        let tell = |moves: &[Direction], lower_bound, elapsed| {
            self.boards.improved(job.ticket, moves, lower_bound, elapsed);
        };
        match improver.run(&tell) {
            Some(pause) => self.wait(pause),
            // The tables may need its memory.
            None => *kept = None,
        }
    }
}
