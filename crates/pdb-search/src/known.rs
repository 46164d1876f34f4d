//! The known solution and bound of a board, for searches that follow one another.

use std::sync::Arc;
use std::time::Duration;

use pdb_core::Direction;

use crate::pool::Account;

/// The best known solution of a board and the proved lower bound, with the time and the nodes that
/// they took. Searches of the board, each with a better heuristic than the one before, share it
/// ([`Work::known`](crate::Work::known)): each begins at the proved bound, with the known solution.
///
/// ```
/// use pdb_core::{Board, Goal};
/// use pdb_search::{KORF_BLANK_LAST, Known, Limits, Manhattan, Solver, Work};
///
/// let board: Board = "8 6 7/2 5 4/3 0 1".parse()?;
/// let goal = Goal::blank_last(board.shape());
/// let solver = Solver::new(Manhattan::new(&goal), &goal, KORF_BLANK_LAST)?;
/// let known = Known::new();
/// let limits = Limits { nodes: Some(10_000), ..Limits::default() };
/// let first = solver.solve(&board, &Work { limits, known: Some(&known), ..Work::default() })?;
/// let rest = solver.solve(&board, &Work { known: Some(&known), ..Work::default() })?;
/// assert!(first.generated <= 10_000 && rest.bounds[0].bound > first.bounds[0].bound);
/// assert_eq!(rest.status.moves().map(<[_]>::len), Some(31));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Known(Arc<Account>);

#[expect(clippy::new_without_default, reason = "the clock starts")]
impl Known {
    /// Starts the clock of a board of which nothing is known.
    pub fn new() -> Self {
        Self(Arc::new(Account::new()))
    }

    /// Returns the time since the start.
    pub fn elapsed(&self) -> Duration {
        self.0.elapsed()
    }

    /// Returns the time that the bounds below the known length are expected to take, by the nodes
    /// of the last two. `None` before two are finished.
    pub fn proof_time(&self) -> Option<Duration> {
        self.0.proof_time()
    }

    /// Keeps a proved lower bound.
    pub fn raise(&self, lower_bound: u32) {
        self.0.incumbent.raise(lower_bound);
    }

    /// Keeps a solution of a length in the metric of the searches, if it is the shortest one. The
    /// caller has replayed it.
    pub fn offer(&self, moves: &[Direction], length: u32) {
        self.0.incumbent.offer(moves, length);
    }

    /// Ends the running search, and each one that begins before [`resume`](Self::resume), as if its
    /// stop flag were set.
    pub fn interrupt(&self) {
        self.0.interrupt();
    }

    /// Lets the next search begin after an [interruption](Self::interrupt).
    pub fn resume(&self) {
        self.0.resume();
    }

    /// Lets the proof of the running search wait, or go on. Its solution is improved meanwhile, and
    /// its limits end it.
    pub fn pause(&self, is_paused: bool) {
        self.0.pause(is_paused);
    }

    /// Returns the account of a search that begins.
    pub(crate) fn begin(&self) -> Arc<Account> {
        self.0.begin_again();
        Arc::clone(&self.0)
    }
}
