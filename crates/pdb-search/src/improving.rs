//! Improvement of a solution beside the proof: rounds of an [`Improver`], with pauses between them.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use pdb_clock::Instant;
use pdb_core::{Board, Direction, Goal};

use crate::Limits;
use crate::improver::{GROWTH, Improvement, Improver};
use crate::lane::AnyHeuristics;
use crate::order::LazyOrder;
use crate::pool::{Account, Boards, Guest, JobRef, lock};
use crate::rules::Rules;

/// Receiver of each better solution, the proved lower bound, and the time since the start.
pub(crate) type Improved<'a> = dyn Fn(&[Direction], u32, Duration) + 'a;

/// The settings of an improver, and the heuristics that it uses.
#[derive(Clone, Copy)]
pub(crate) struct ImproverSettings<'a> {
    /// The goals and their heuristics; the first is that of the boards.
    pub(crate) goals: &'a [Goal],
    pub(crate) heuristics: &'a dyn AnyHeuristics,
    /// A learned order for the first goal.
    pub(crate) order: Option<&'a LazyOrder>,
    pub(crate) rules: Rules,
    pub(crate) improvement: Improvement,
    /// The limits of the search beside which it improves.
    pub(crate) limits: Limits<'a>,
    /// The threads of that search.
    pub(crate) thread_count: usize,
}

/// The share of the time of all threads where the proof is out of reach.
const WITHOUT_PROOF: f64 = 0.75;
/// The share of a thread from which on the known solution matters as much as the proof.
const HALF: f64 = 0.5;

/// The rounds of the improver of one board.
pub(crate) struct ImproverRounds<'a> {
    improver: Improver<'a>,
    settings: ImproverSettings<'a>,
    account: Arc<Account>,
    /// The time of all rounds so far.
    spent: Duration,
}

impl<'a> ImproverRounds<'a> {
    pub(crate) fn new(
        settings: ImproverSettings<'a>,
        board: &Board,
        account: &Arc<Account>,
    ) -> Self {
        let ImproverSettings { goals, heuristics, order, rules, improvement, .. } = settings;
        let by = (heuristics, order);
        let mut improver = Improver::new(goals, by, rules, board, improvement.memory);
        improver.widen(account.width.load(Ordering::Relaxed).into());
        Self { improver, settings, account: Arc::clone(account), spent: Duration::ZERO }
    }

    /// Runs the next round, and calls `tell` with each better solution. Returns the pause before
    /// the next round, or `None` if there is none.
    pub(crate) fn run(&mut self, tell: &Improved<'_>) -> Option<Duration> {
        let Self { improver, settings, account, spent } = self;
        let ImproverSettings { improvement, limits, thread_count, .. } = *settings;
        let incumbent = &account.incumbent;
        let elapsed = account.elapsed();
        let time = limits.time.map(|time| time.saturating_sub(elapsed));
        let limits = Limits { time, nodes: None, progress: None, ..limits };
        let tell = || {
            if let Some(moves) = incumbent.moves() {
                tell(&moves, incumbent.lower_bound(), account.elapsed());
            }
        };
        incumbent.count(improver.round(incumbent, limits, account.over(), &tell));
        if !improver.is_done() {
            account.width.store(improver.width() as u32, Ordering::Relaxed);
        }
        let taken = account.elapsed().saturating_sub(elapsed);
        *spent += taken;
        let is_far = account.is_proof_far(&settings.limits);
        let share = if is_far { WITHOUT_PROOF } else { 0.0 }.max(improvement.share);
        let share = share * thread_count as f64;
        let pause = if share < HALF {
            // The proof matters more: the share pays for the next round before it begins.
            let paid = (*spent + taken.mul_f64(GROWTH)).div_f64(share);
            paid.saturating_sub(account.elapsed())
        } else {
            taken.mul_f64((1.0 / share - 1.0).max(0.0))
        };
        (!improver.is_done() && !account.is_over()).then_some(pause)
    }
}

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
    /// The rounds of the last improved board.
    rounds: Mutex<Option<(JobRef, ImproverRounds<'a>)>>,
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
            rounds: Mutex::new(None),
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
        let mut rounds = lock(&self.rounds);
        if !rounds.as_ref().is_some_and(|(of, _)| Arc::ptr_eq(of, &job)) {
            let new = ImproverRounds::new(self.settings, &job.board, &job.account);
            *rounds = Some((Arc::clone(&job), new));
        }
        let (_, rounds) = rounds.as_mut().expect("they were made");
        let tell = |moves: &[Direction], lower_bound, elapsed| {
            self.boards.improved(job.ticket, moves, lower_bound, elapsed);
        };
        if let Some(pause) = rounds.run(&tell) {
            self.wait(pause);
        }
    }
}
