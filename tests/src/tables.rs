//! Tables of the shipped specs, and searches over them.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::available_parallelism;

use pdb_core::{Board, Goal, Heuristic, Plan};
use pdb_gen::Monitor;
use pdb_rt::{Database, Visitor};
use pdb_search::{Options, Outcome, SearchError, Status, ida_star};
use tempfile::TempDir;

/// As many threads as the machine has cores.
pub fn thread_count() -> usize {
    available_parallelism().map_or(1, Into::into)
}

/// Builds the tables of a plan and maps them.
///
/// The files are gone when this returns; a mapping outlives its file's name.
///
/// # Panics
/// When a table cannot be built or opened.
pub fn database(plan: &Plan) -> Database {
    let folder = TempDir::new().expect("a temporary folder can be made");
    for key in plan.tables() {
        pdb_gen::build(key, folder.path(), thread_count(), false, &Monitor::silent())
            .expect("the table can be built");
    }
    Database::open(plan, folder.path()).expect("a table that was just built can be opened")
}

/// The plan of a shipped spec, for any goal that is an image of its own.
///
/// # Panics
/// When there is no such spec, or the goal is not an image.
pub fn plan(spec: &str, goal: &Goal) -> Plan {
    let spec = pdb_spec::builtin(spec).expect("the spec is shipped");
    spec.for_goal(goal).expect("the goal is an image of the spec's")
}

struct Solve<'a>(&'a Goal, &'a Board);

impl Visitor for Solve<'_> {
    type Output = Result<Outcome, SearchError>;

    fn visit<H: Heuristic>(self, heuristic: &H) -> Self::Output {
        ida_star(heuristic, self.0, self.1, &Options::default())
    }
}

/// Solves a board; the search replays the moves it returns.
///
/// # Panics
/// When the board cannot be solved, or the search fails.
pub fn solve(database: &Database, board: &Board) -> (usize, Outcome) {
    let outcome = database.visit(Solve(database.goal(), board)).expect("the search succeeds");
    let Status::Optimal { moves } = &outcome.status else { panic!("{board} is not solved") };
    assert_eq!(board.after(moves).as_ref(), Ok(database.goal().board()));
    (moves.len(), outcome)
}

/// Runs `work` on every item, on all cores, in any order.
pub fn on_all_cores<T: Sync>(items: &[T], work: impl Fn(&T) + Sync) {
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..thread_count() {
            scope.spawn(|| {
                while let Some(item) = items.get(next.fetch_add(1, Ordering::Relaxed)) {
                    work(item);
                }
            });
        }
    });
}
