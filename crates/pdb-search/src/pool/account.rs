//! The account of a board's search: its incumbent, its nodes, its limits and its end.

use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock};
use std::thread;
use std::time::Duration;

use pdb_clock::Instant;
use pdb_core::{Board, Direction, Goal, Metric, lock};

use super::PAUSE;
use super::end::JobEnd;
use crate::limits::CHECK_INTERVAL;
use crate::{BoundCount, LimitKind, Limits, SearchError};

/// Number of nodes within a bound before its search is split. Below that, a split costs more than
/// it saves, and the search is the same on any number of threads.
pub(super) const WHOLE: u64 = 1024;

/// Longest time that a proof may need while most of the time is still the proof's.
const PROOF_TIME_MAX: Duration = Duration::from_hours(1);

/// Number of nodes that a lane generates together, at most.
const CHILDREN_MAX: u64 = 4;

/// The account of a board's search, or of all its packets: the best known solution and the proved
/// lower bound, with the time and the nodes that they took. Searches of the board, each with a
/// better heuristic than the one before, share it ([`Work::account`](crate::Work::account)): each
/// begins at the proved bound, with the known solution.
///
/// ```
/// use std::sync::Arc;
///
/// use pdb_core::{Board, Goal};
/// use pdb_search::{Account, KORF_BLANK_LAST, Limits, Manhattan, Solver, Work};
///
/// let board: Board = "8 6 7/2 5 4/3 0 1".parse()?;
/// let goal = Goal::blank_last(board.shape());
/// let solver = Solver::new(Manhattan::new(&goal), &goal, KORF_BLANK_LAST)?;
/// let account = Arc::new(Account::new());
/// let work = Work { account: Some(&account), ..Work::default() };
/// let limits = Limits { nodes: Some(10_000), ..Limits::default() };
/// let first = solver.solve(&board, &Work { limits, ..work })?;
/// let rest = solver.solve(&board, &work)?;
/// assert!(first.generated <= 10_000 && rest.bounds[0].bound > first.bounds[0].bound);
/// assert_eq!(rest.status.moves().map(<[_]>::len), Some(31));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Account {
    started: Instant,
    /// The board, goal and metric of its first search.
    question: OnceLock<(Board, Board, Metric)>,
    /// Number of lanes that search.
    lanes: AtomicUsize,
    /// Nodes that lanes were allowed to generate.
    granted: AtomicU64,
    is_over: AtomicBool,
    /// Set to leave the search, which may go on with another heuristic.
    is_interrupted: AtomicBool,
    /// Set while lanes wait.
    is_paused: AtomicBool,
    /// Set when the search is over or interrupted, for the improver.
    ends_improver: AtomicBool,
    /// The last two finished bounds.
    last_bounds: Mutex<Option<[BoundCount; 2]>>,
    /// The width of the improver's next beam.
    pub(crate) width: AtomicU32,
    /// The length of the best known solution, and the proved lower bound, which move towards each
    /// other.
    length: AtomicU32,
    lower_bound: AtomicU32,
    moves: Mutex<Option<Vec<Direction>>>,
    /// Nodes that were generated for the known solution.
    improved: AtomicU64,
}

#[expect(clippy::new_without_default, reason = "the clock starts")]
impl Account {
    /// Starts the clock of a board of which nothing is known.
    pub fn new() -> Self {
        Self {
            started: Instant::now(),
            question: OnceLock::new(),
            lanes: AtomicUsize::new(0),
            granted: AtomicU64::new(0),
            is_over: AtomicBool::new(false),
            is_interrupted: AtomicBool::new(false),
            is_paused: AtomicBool::new(false),
            ends_improver: AtomicBool::new(false),
            last_bounds: Mutex::new(None),
            width: AtomicU32::new(0),
            length: AtomicU32::new(u32::MAX),
            lower_bound: AtomicU32::new(0),
            moves: Mutex::new(None),
            improved: AtomicU64::new(0),
        }
    }

    /// Returns the number of nodes that lanes were allowed to generate, which is hardly more than
    /// they did.
    pub(crate) fn granted(&self) -> u64 {
        self.granted.load(Ordering::Relaxed)
    }

    /// Returns the time since the start.
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Returns the length of the best known solution, and [`u32::MAX`] before there is one.
    pub(crate) fn length(&self) -> u32 {
        self.length.load(Ordering::Relaxed)
    }

    /// Returns the proved lower bound.
    pub(crate) fn lower_bound(&self) -> u32 {
        self.lower_bound.load(Ordering::Relaxed)
    }

    /// Returns whether the known solution is proved to be a shortest one.
    pub(crate) fn is_met(&self) -> bool {
        self.length() <= self.lower_bound()
    }

    /// Returns the best known solution.
    pub(crate) fn moves(&self) -> Option<Vec<Direction>> {
        lock(&self.moves).clone()
    }

    /// Keeps a proved lower bound.
    pub fn raise(&self, lower_bound: u32) {
        self.lower_bound.fetch_max(lower_bound, Ordering::Relaxed);
    }

    /// Keeps a solution of a length in the metric of the searches, if it is the shortest one. The
    /// caller has replayed it.
    pub fn offer(&self, moves: &[Direction], length: u32) {
        let mut known = lock(&self.moves);
        if length < self.length() {
            *known = Some(moves.to_vec());
            self.length.store(length, Ordering::Relaxed);
        }
    }

    /// Counts nodes that were generated for the known solution.
    pub(crate) fn count_improved(&self, generated: u64) {
        self.improved.fetch_add(generated, Ordering::Relaxed);
    }

    /// Returns the nodes that were generated for the known solution.
    pub(crate) fn improved(&self) -> u64 {
        self.improved.load(Ordering::Relaxed)
    }

    /// Forgets the end of an earlier search and the bound that it proved, and keeps the known
    /// solution and the counts for the limits.
    pub(crate) fn reopen(&self) {
        self.lower_bound.store(0, Ordering::Relaxed);
        self.begin_again();
    }

    /// Begins a search of this board.
    ///
    /// # Errors
    /// [`SearchError::Account`] if an earlier search had another board, goal or metric.
    pub(crate) fn begin(
        &self,
        board: &Board,
        goal: &Goal,
        metric: Metric,
    ) -> Result<(), SearchError> {
        let question = (*board, *goal.board(), metric);
        if *self.question.get_or_init(|| question) != question {
            return Err(SearchError::Account);
        }
        self.begin_again();
        Ok(())
    }

    /// Forgets the end of an earlier search, and keeps what it found and proved.
    pub(crate) fn begin_again(&self) {
        self.is_over.store(false, Ordering::Relaxed);
        self.ends_improver.store(false, Ordering::SeqCst);
        // After the store, which an interruption may come before.
        if self.is_interrupted.load(Ordering::SeqCst) {
            self.interrupt();
        }
    }

    /// Ends the running search, and each one that begins before [`resume`](Self::resume), as if its
    /// stop flag were set.
    pub fn interrupt(&self) {
        self.is_interrupted.store(true, Ordering::SeqCst);
        self.ends_improver.store(true, Ordering::SeqCst);
    }

    /// Lets the next search begin after an [interruption](Self::interrupt).
    pub fn resume(&self) {
        self.is_interrupted.store(false, Ordering::Relaxed);
    }

    /// Lets the proof of the running search wait, or go on. Its solution is improved meanwhile, and
    /// its limits end it.
    pub fn pause(&self, is_paused: bool) {
        self.is_paused.store(is_paused, Ordering::Relaxed);
    }

    /// Keeps the last finished bounds.
    pub(crate) fn bound_done(&self, bounds: &[BoundCount]) {
        if let Some(last) = bounds.last_chunk() {
            *lock(&self.last_bounds) = Some(*last);
        }
    }

    /// Returns the time that the bounds below the known length are expected to take, by the nodes
    /// of the last two. `None` before two are finished.
    pub fn proof_time(&self) -> Option<Duration> {
        self.proof_time_at(self.elapsed())
    }

    fn proof_time_at(&self, elapsed: Duration) -> Option<Duration> {
        let [before, last] = (*lock(&self.last_bounds))?;
        let step = last.bound - before.bound;
        let (before, last) = (before.generated as f64, last.generated as f64);
        let growth = (last / before.max(1.0)).clamp(2.0, 12.0);
        let bound_count = match self.length() {
            u32::MAX => 1,
            length => length.saturating_sub(self.lower_bound()) / step,
        };
        let nodes = last * growth * (growth.powi(bound_count as i32) - 1.0) / (growth - 1.0);
        let seconds = nodes * elapsed.as_secs_f64() / self.granted().max(1) as f64;
        Some(Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX))
    }

    /// Returns whether the proof would take longer than the time that is left, or than an hour
    /// without a limit; before two bounds are known, whether there is a limit.
    pub(crate) fn is_proof_far(&self, limits: &Limits<'_>) -> bool {
        let left = limits.time.map_or(PROOF_TIME_MAX, |time| time.saturating_sub(self.elapsed()));
        self.proof_time().map_or(limits.time.is_some(), |time| time > left)
    }

    pub(crate) fn is_over(&self) -> bool {
        self.is_over.load(Ordering::Relaxed)
    }

    /// Returns the flag that is set when the search is over or interrupted.
    pub(crate) fn over(&self) -> &AtomicBool {
        &self.ends_improver
    }

    pub(crate) fn end(&self) {
        self.is_over.store(true, Ordering::Relaxed);
        self.ends_improver.store(true, Ordering::Relaxed);
    }

    /// Counts one more lane that searches.
    pub(super) fn open_lane(&self) {
        self.lanes.fetch_add(1, Ordering::Relaxed);
    }

    /// Removes a finished lane, and returns the unused rest of its grant.
    pub(super) fn close_lane(&self, unused: u64) {
        self.granted.fetch_sub(unused, Ordering::Relaxed);
        self.lanes.fetch_sub(1, Ordering::Relaxed);
    }

    /// Checks the flags and the clock.
    pub(crate) fn look(&self, limits: &Limits<'_>) -> Result<(), LimitKind> {
        if self.is_interrupted.load(Ordering::Relaxed) {
            return Err(LimitKind::Interrupted);
        }
        limits.look(self.started)
    }

    /// Checks the same, and whether the known solution is proved.
    pub(crate) fn look_for_end(&self, limits: &Limits<'_>) -> Result<(), JobEnd> {
        self.look(limits)?;
        if self.is_met() { Err(JobEnd::Met) } else { Ok(()) }
    }

    /// Grants nodes to a lane: at least those that it generates next, and not many more than
    /// `most`. Grants none in a pause.
    pub(super) fn grant(
        &self,
        limits: &Limits<'_>,
        is_long: bool,
        most: u64,
    ) -> Result<u64, JobEnd> {
        self.look_for_end(limits)?;
        limits.report(self.granted());
        if self.is_paused.load(Ordering::Relaxed) {
            thread::sleep(PAUSE);
            return Ok(0);
        }
        let wish = if is_long { CHECK_INTERVAL } else { WHOLE }.min(most.max(CHILDREN_MAX));
        let Some(limit) = limits.nodes else {
            self.granted.fetch_add(wish, Ordering::Relaxed);
            return Ok(wish);
        };
        // Grants are small near the limit, so that other lanes keep little unused.
        let share = 16 * self.lanes.load(Ordering::Relaxed).max(1) as u64;
        let next = |granted: u64| {
            let rest = limit - granted;
            wish.min((rest / share).max(CHILDREN_MAX)).min(rest)
        };
        let taken = self.granted.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |granted| {
            (next(granted) > 0).then(|| granted + next(granted))
        });
        taken.map(next).map_err(|_| LimitKind::Nodes.into())
    }

    /// Counts nodes outside all lanes, unless a limit forbids them.
    pub(crate) fn grant_outside(&self, limits: &Limits<'_>, count: u64) -> Result<(), LimitKind> {
        limits.look(self.started)?;
        limits.report(self.granted());
        self.grant_all(limits, count)
    }

    /// Counts nodes, unless the node limit forbids them.
    pub(crate) fn grant_all(&self, limits: &Limits<'_>, count: u64) -> Result<(), LimitKind> {
        let limit = limits.nodes.unwrap_or(u64::MAX);
        let next = |granted: u64| granted.checked_add(count).filter(|&sum| sum <= limit);
        match self.granted.fetch_update(Ordering::Relaxed, Ordering::Relaxed, next) {
            Ok(_) => Ok(()),
            Err(_) => Err(LimitKind::Nodes),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn growth_of_the_bounds_shows_how_long_a_proof_takes() {
        let seconds = |[before, last]: [u64; 2], length: u32| {
            let account = Account::new();
            // Two million nodes a second.
            account.granted.store(20_000_000, Ordering::Relaxed);
            let count = |bound, generated| BoundCount { bound, generated, expanded: generated };
            account.bound_done(&[count(38, before), count(40, last)]);
            account.raise(42);
            account.offer(&[], length);
            account.proof_time_at(Duration::from_secs(10)).map(|time| time.as_secs_f64())
        };
        // One bound of five million nodes is left, or two with thirty million, or none.
        assert_eq!(seconds([200_000, 1_000_000], 44), Some(2.5));
        assert_eq!(seconds([200_000, 1_000_000], 46), Some(15.0));
        assert_eq!(seconds([200_000, 1_000_000], 42), Some(0.0));
        // The growth is at most twelvefold.
        assert_eq!(seconds([200_000, 100_000_000], 44), Some(600.0));
        assert_eq!(seconds([200_000, 100_000_000], 3000), Some(Duration::MAX.as_secs_f64()));

        let within = Limits { time: Some(Duration::from_secs(1)), ..Limits::default() };
        assert!(Account::new().is_proof_far(&within));
        assert!(!Account::new().is_proof_far(&Limits::default()));
    }
}
