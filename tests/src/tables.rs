//! Tables of the shipped specs, and searches with them.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::available_parallelism;

use pdb_core::{BlankMode, Board, CellSet, Goal, PatternKey, Plan, Shape, TableKey};
use pdb_gen::{Build, digest_of};
use pdb_lab::{Engine, SearchName};
use pdb_rt::Database;
use pdb_search::{
    BoardList, Limits, Outcome, SearchError, Sharing, Status, Weight, Work, on_threads,
};
use pdb_spec::builtin_golden_table;
use tempfile::TempDir;

/// Returns the number of cores of the machine.
pub fn thread_count() -> usize {
    available_parallelism().map_or(1, Into::into)
}

/// Maps the tables of a plan, and builds those that are missing.
///
/// All tests share the tables of shipped specs, and the next run uses them again. The first test of
/// a process that needs one reads it and compares it with its golden. Tables of other plans are
/// built again. Their files are removed before this function returns; the mappings stay valid.
///
/// # Panics
/// When a table cannot be built or opened, or differs from its golden.
pub fn database(plan: &Plan) -> Database {
    /// The names of the shared tables that this process has checked.
    static CHECKED: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
    let names = plan.tables().iter().map(TableKey::file_name);
    let goldens: Option<Vec<_>> = names.map(|name| builtin_golden_table(&name)).collect();
    let own = TempDir::new().expect("a temporary folder can be made");
    let folder = if goldens.is_some() { shared_folder() } else { own.path().to_owned() };
    let build = |key, replace| {
        let build = Build { thread_count: thread_count(), replace, ..Build::new(&folder) };
        build.in_memory(key).expect("the table can be built")
    };
    let mut checked = CHECKED.lock().expect("no test panicked while it built a table");
    for (place, key) in plan.tables().iter().enumerate() {
        let golden = goldens.as_ref().map(|goldens| &goldens[place]);
        if golden.is_some_and(|golden| checked.contains(&golden.file)) {
            continue;
        }
        // An existing table is compared with its digests.
        let built = build(key, false);
        let Some(golden) = golden else { continue };
        let is_golden = |header| digest_of(header).to_string() == golden.digest;
        if !is_golden(&built.header) {
            // An older version of the builder may have built it.
            assert!(built.already_there && is_golden(&build(key, true).header), "{}", golden.file);
        }
        checked.insert(golden.file.clone());
    }
    drop(checked);
    let tables = Database::open(plan, &folder).expect("a table that was just built can be opened");
    tables.except(|_| true).check(1).expect("nothing is left to check")
}

/// Returns the folder that keeps the tables of shipped specs, below cargo's target folder.
fn shared_folder() -> PathBuf {
    let test = std::env::current_exe().expect("a test knows its program");
    let target = test.ancestors().nth(3).unwrap_or(Path::new("target"));
    target.join("tmp/tables")
}

/// Returns the plan of a shipped spec, for any goal that is a symmetric image of the spec's goal.
///
/// # Panics
/// When there is no such spec or the goal is not an image.
pub fn plan(spec: &str, goal: &Goal) -> Plan {
    let spec = pdb_spec::builtin(spec).expect("the spec is shipped");
    spec.for_goal(goal).expect("the goal is an image of the spec's")
}

/// Returns the canonical key of a pattern's table.
///
/// # Panics
/// When the pattern cannot be indexed.
pub fn pattern_key(shape: Shape, homes: CellSet, blank: u8, mode: BlankMode) -> PatternKey {
    let key = PatternKey::new(shape, homes, blank, mode).expect("a pattern that can be indexed");
    key.canonical().0
}

/// Returns the engine of a plan; its tables are those of [`database`].
///
/// # Panics
/// As [`database`].
pub fn engine(plan: &Plan) -> Engine {
    Engine::of_tables("tables", database(plan))
}

/// Solves a board by plain IDA*; the search replays the moves it returns.
///
/// # Panics
/// When the board cannot be solved or the search fails.
pub fn solve(engine: &Engine, board: &Board) -> (usize, Outcome) {
    let (ida, limits) = (SearchName::IDA, Limits::default());
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

/// Solves one board at a time, on all threads.
pub const LATENCY: Sharing = Sharing { lanes: None, boards_at_once: Some(1), subtrees: 2000 };
/// Solves many boards at the same time, for as many boards per second as possible.
pub const THROUGHPUT: Sharing = Sharing { lanes: None, boards_at_once: None, subtrees: 2000 };

/// Solves many boards at the same time. Lengths and outcomes are in the order of the boards.
///
/// # Panics
/// As [`solve`].
pub fn solve_all(
    engine: &Engine,
    boards: &[Board],
    sharing: Sharing,
    thread_count: usize,
) -> Vec<(usize, Outcome)> {
    let list = BoardList::new(boards);
    engine.solve_all(&list, &Work { sharing, thread_count, ..Work::default() });
    let pairs = boards.iter().zip(list.into_answers());
    pairs.map(|(board, answer)| checked(engine, board, answer)).collect()
}

/// Calls `work` for every item, on all cores, in any order.
pub fn on_all_cores<T: Sync>(items: &[T], work: impl Fn(&T) + Sync) {
    let next = AtomicUsize::new(0);
    on_threads(thread_count(), &|| {
        while let Some(item) = items.get(next.fetch_add(1, Ordering::Relaxed)) {
            work(item);
        }
    });
}
