//! Tables of the shipped specs, and searches over them.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::available_parallelism;

use pdb_core::{Board, Goal, Plan};
use pdb_gen::Monitor;
use pdb_lab::{Engine, SearchName};
use pdb_rt::Database;
use pdb_search::{Boards, Limits, Next, Outcome, SearchError, Sharing, Status, Weight, Work};
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
    let tables =
        Database::open(plan, folder.path()).expect("a table that was just built can be opened");
    tables.check(thread_count()).expect("and is right")
}

/// The plan of a shipped spec, for any goal that is an image of its own.
///
/// # Panics
/// When there is no such spec, or the goal is not an image.
pub fn plan(spec: &str, goal: &Goal) -> Plan {
    let spec = pdb_spec::builtin(spec).expect("the spec is shipped");
    spec.for_goal(goal).expect("the goal is an image of the spec's")
}

/// The engine of a plan, its tables built and mapped as by [`database`].
///
/// # Panics
/// As [`database`].
pub fn engine(plan: &Plan) -> Engine {
    Engine::of_tables("tables", database(plan))
}

/// Solves a board by plain IDA*; the search replays the moves it returns.
///
/// # Panics
/// When the board cannot be solved, or the search fails.
pub fn solve(engine: &Engine, board: &Board) -> (usize, Outcome) {
    let (ida, limits) = (SearchName::Ida, Limits::default());
    checked(engine, board, engine.search(ida, board, Weight::ONE, limits))
}

fn checked(
    engine: &Engine,
    board: &Board,
    answer: Result<Outcome, SearchError>,
) -> (usize, Outcome) {
    let outcome = answer.expect("the search succeeds");
    let Status::Optimal { moves } = &outcome.status else { panic!("{board} is not solved") };
    assert_eq!(board.after(moves).as_ref(), Ok(engine.goal().board()));
    (moves.len(), outcome)
}

/// Each board as soon as possible, on all threads.
pub const LATENCY: Sharing = Sharing { lanes: None, boards_at_once: Some(1), subtrees: 2000 };
/// As many boards a second as possible, many of them side by side.
pub const THROUGHPUT: Sharing = Sharing { lanes: None, boards_at_once: None, subtrees: 2000 };

/// Boards, the next one's place, and the answers.
struct List<'a> {
    boards: &'a [Board],
    next: AtomicUsize,
    answers: Mutex<Vec<Option<Result<Outcome, SearchError>>>>,
}

impl Boards for List<'_> {
    fn next(&self) -> Next {
        let place = self.next.fetch_add(1, Ordering::Relaxed);
        self.boards.get(place).map_or(Next::End, |&board| Next::Board(board, place as u64))
    }

    fn answer(&self, place: u64, answer: Result<Outcome, SearchError>) {
        self.answers.lock().expect("no thread panicked")[place as usize] = Some(answer);
    }
}

/// Solves boards side by side; lengths and outcomes are in the order of the boards.
///
/// # Panics
/// As [`solve`].
pub fn solve_all(
    engine: &Engine,
    boards: &[Board],
    sharing: Sharing,
    thread_count: usize,
) -> Vec<(usize, Outcome)> {
    let answers = Mutex::new(boards.iter().map(|_| None).collect());
    let list = List { boards, next: AtomicUsize::new(0), answers };
    engine.solve_all(&list, &Work { sharing, thread_count, ..Work::default() });
    let answers = list.answers.into_inner().expect("no thread panicked");
    let pairs = boards.iter().zip(answers);
    pairs.map(|(board, a)| checked(engine, board, a.expect("all are answered"))).collect()
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
