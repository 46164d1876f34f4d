//! Hard boards with a checkpoint, of which a solution is known before the proof.

use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use tilebase::event::{Event, Watch};
use tilebase::hard::{HardAnswer, HardSearch, read_checkpoint};
use tilebase::names::GoalChoice;
use tilebase::pdb_search::LimitKind;
use tilebase::{Answer, Cancel, Goal, Search, Status, Tilebase};

/// The first of Korf's 24-puzzles, for the goal with the blank first: 95 moves.
const BOARD: &str = "14 5 9 2 18/8 23 19 12 17/15 0 10 20 4/6 11 21 1 7/24 3 16 22 13";

/// Solutions that a search reported: moves and lower bounds.
type Reported = Arc<Mutex<Vec<(usize, u32)>>>;

/// Searches the board with a checkpoint, and calls `told` with each reported solution.
fn solve(
    checkpoint: &Path,
    search: Search,
    told: impl Fn() + Send + Sync + 'static,
) -> (HardAnswer, Vec<(usize, u32)>) {
    let reported = Reported::default();
    let to = Arc::clone(&reported);
    let watch = Watch::new(move |event| {
        if let Event::Solution(state) = event {
            assert_eq!(state.board.to_string().parse(), BOARD.parse::<tilebase::Board>());
            to.lock().unwrap().push((state.moves.len(), state.lower_bound));
            told();
        }
    });
    let builder = Tilebase::builder().spec("manhattan").goal(GoalChoice::Preset(Goal::blank_first));
    let hard = HardSearch {
        checkpoint: Some(checkpoint.to_owned()),
        search: Search { watch: Some(watch), thread_count: 2, ..search },
        ..HardSearch::default()
    };
    let answer = builder.lazy().unwrap().solve_hard(BOARD, &hard).unwrap();
    let reported = std::mem::take(&mut *reported.lock().unwrap());
    (answer, reported)
}

/// Returns the moves of a solution, its lower bound, and the limit that ended the search.
fn solved(answer: &Answer) -> (usize, u32, Option<LimitKind>) {
    match &answer.status {
        Status::Solved { moves, lower_bound, limit } => (moves.len(), *lower_bound, *limit),
        other => panic!("expected a solution without a proof, found {other:?}"),
    }
}

#[test]
fn ended_search_answers_with_the_best_solution_and_resumes_with_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("c");
    let within = Search { within: Some(Duration::from_secs(1)), ..Search::default() };
    let (found, reported) = solve(&path, within, || ());
    let (length, lower_bound, limit) = solved(&found.answer);
    assert!(length >= 95 && lower_bound <= 95, "{length} moves, at least {lower_bound}");
    assert_eq!(limit, None, "a search within a time ends well");
    assert!(found.rest.is_some_and(|rest| rest.bound <= 95));
    assert!(reported.is_sorted_by(|a, b| a.0 > b.0 && a.1 <= b.1), "{reported:?}");
    assert_eq!(reported.last().unwrap().0, length);
    let known = |path| read_checkpoint(path).unwrap().known.unwrap().len();
    assert_eq!(known(&path), length);

    // A limit that comes at once leaves the solution of the run before.
    let short = Search { time: Some(Duration::ZERO), ..Search::default() };
    let (found, reported) = solve(&path, short, || ());
    assert_eq!(solved(&found.answer), (length, lower_bound, Some(LimitKind::Time)));
    assert_eq!(reported, [(length, lower_bound)]);
    assert_eq!(known(&path), length);

    // So does an interrupt.
    let cancel = Cancel::new();
    let by_event = cancel.clone();
    let (found, _) =
        solve(&path, Search { cancel, ..Search::default() }, move || by_event.cancel());
    let (now, _, limit) = solved(&found.answer);
    assert!(now <= length && limit == Some(LimitKind::Interrupted), "{now} moves, {limit:?}");
    assert_eq!(known(&path), now);
}

#[test]
fn running_search_saves_a_better_solution_soon() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("c");
    let (cancel, begun) = (Cancel::new(), Instant::now());
    std::thread::scope(|scope| {
        let search = Search { cancel: cancel.clone(), ..Search::default() };
        let running = scope.spawn(|| solve(&path, search, || ()));
        let is_saved = || read_checkpoint(&path).is_ok_and(|ledger| ledger.known.is_some());
        while !is_saved() && begun.elapsed() < Duration::from_mins(1) {
            std::thread::sleep(Duration::from_millis(20));
        }
        let saved = is_saved();
        cancel.cancel();
        running.join().unwrap();
        assert!(saved, "no solution in the checkpoint");
    });
}
