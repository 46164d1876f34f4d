//! Tables of the shipped specs, and searches over them.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::available_parallelism;

use pdb_core::{Board, Goal, Heuristic, Plan};
use pdb_gen::Monitor;
use pdb_rt::{Database, Visitor};
use pdb_search::{Boards, Next, Options, Outcome, SearchError, Sharing, Solver, Status, ida_star};
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

impl<'h> Visitor<'h> for Solve<'_> {
    type Output = Result<Outcome, SearchError>;

    fn visit<H: Heuristic + Send + 'h>(self, heuristic: H) -> Self::Output {
        ida_star(heuristic, self.0, self.1, &Options::default())
    }
}

/// Solves a board by plain IDA*; the search replays the moves it returns.
///
/// # Panics
/// When the board cannot be solved, or the search fails.
pub fn solve(database: &Database, board: &Board) -> (usize, Outcome) {
    checked(database, board, database.visit(Solve(database.goal(), board)))
}

fn checked(
    database: &Database,
    board: &Board,
    answer: Result<Outcome, SearchError>,
) -> (usize, Outcome) {
    let outcome = answer.expect("the search succeeds");
    let Status::Optimal { moves } = &outcome.status else { panic!("{board} is not solved") };
    assert_eq!(board.after(moves).as_ref(), Ok(database.goal().board()));
    (moves.len(), outcome)
}

/// Each board as soon as possible, on all threads.
pub const LATENCY: Sharing = Sharing { lanes: 8, boards_at_once: Some(1) };
/// As many boards a second as possible, many of them side by side.
pub const THROUGHPUT: Sharing = Sharing { lanes: 8, boards_at_once: None };

/// Boards, the next one's place, and the answers.
struct List<'a> {
    boards: &'a [Board],
    next: AtomicUsize,
    answers: Mutex<Vec<Option<Result<Outcome, SearchError>>>>,
}

impl Boards for List<'_> {
    type Ticket = usize;

    fn next(&self) -> Next<usize> {
        let place = self.next.fetch_add(1, Ordering::Relaxed);
        self.boards.get(place).map_or(Next::End, |&board| Next::Board(board, place))
    }

    fn answer(&self, place: usize, answer: Result<Outcome, SearchError>) {
        self.answers.lock().expect("no thread panicked")[place] = Some(answer);
    }
}

struct SolveAll<'a>(&'a Goal, &'a List<'a>, Sharing, usize);

impl<'h> Visitor<'h> for SolveAll<'_> {
    type Output = ();

    fn visit<H: Heuristic + Send + 'h>(self, heuristic: H) {
        let Self(goal, boards, sharing, thread_count) = self;
        Solver::new(heuristic, goal, Options::default(), sharing)
            .expect("the usual order is right")
            .solve_all(boards, thread_count);
    }
}

/// Solves boards side by side; lengths and outcomes are in the order of the boards.
///
/// # Panics
/// As [`solve`].
pub fn solve_all(
    database: &Database,
    boards: &[Board],
    sharing: Sharing,
    thread_count: usize,
) -> Vec<(usize, Outcome)> {
    let answers = Mutex::new(boards.iter().map(|_| None).collect());
    let list = List { boards, next: AtomicUsize::new(0), answers };
    database.visit(SolveAll(database.goal(), &list, sharing, thread_count));
    let answers = list.answers.into_inner().expect("no thread panicked");
    let pairs = boards.iter().zip(answers);
    pairs.map(|(board, a)| checked(database, board, a.expect("all are answered"))).collect()
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
