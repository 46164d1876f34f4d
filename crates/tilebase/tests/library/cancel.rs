//! Builds that several callers wait for, some of whom cancel.

use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use tilebase::event::{Event, Step};
use tilebase::hard::HardSearch;
use tilebase::moves::SolutionOptions;
use tilebase::pdb_gen::GenError;
use tilebase::pdb_search::LimitKind;
use tilebase::shelf::Memory;
use tilebase::text::WrittenMoves;
use tilebase::{Cancel, Error, Goal, Search, Tilebase};

use crate::shape;

/// A board of 28 moves. The tables of its spec take long enough to build that a flag ends that.
const FIFTEEN: &str = "2 1 3 4/5 6 7 8/9 10 11 12/13 15 14 0";
const SPEC: &str = "15/5-5-5";
const FIVE: &str = "1 2 3/0 4 5";

/// Time that a build waits for the end of the search beside it, which ends the build.
const REACTION: Duration = Duration::from_millis(100);

/// Returns tables that are built when a board needs them, and a place for a flag. The flag in it is
/// cancelled when a build begins.
fn tables(folder: &Path, spec: Option<&str>) -> (Tilebase, Arc<Mutex<Cancel>>) {
    let hand = Arc::new(Mutex::new(Cancel::new()));
    let cancelled = Arc::clone(&hand);
    let watch = move |event: &Event<'_>| {
        if matches!(event, Event::Task(_, Step::Begin { .. })) {
            cancelled.lock().expect("no panic").cancel();
            std::thread::sleep(REACTION);
        }
    };
    let builder = Tilebase::builder().folder(folder).watch(watch);
    let builder = spec.map_or(builder.clone(), |spec| builder.spec(spec));
    (builder.lazy().expect("nothing is opened"), hand)
}

/// Returns a search that is cancelled when a build begins.
fn search(hand: &Mutex<Cancel>) -> Search {
    let cancel = Cancel::new();
    *hand.lock().expect("no panic") = cancel.clone();
    Search { cancel, ..Search::default() }
}

fn is_interrupted<T>(result: &Result<T, Error>) -> bool {
    matches!(result, Err(Error::Build(GenError::Interrupted)))
}

fn tables_in(folder: &Path) -> usize {
    let files = folder.read_dir().into_iter().flatten();
    files
        .filter(|file| file.as_ref().expect("a file").path().extension() == Some("pdb".as_ref()))
        .count()
}

#[test]
fn cancelled_call_ends_its_build_and_the_next_call_builds() {
    let folder = tempfile::tempdir().expect("a folder");
    let (tables, hand) = tables(folder.path(), Some(SPEC));
    let given = |board: &str| [Ok(board.parse::<tilebase::Board>().expect("a board").into())];
    let answer = tables.solve_with(FIFTEEN, &search(&hand)).expect("a solution without tables");
    assert_eq!(answer.spec.as_deref(), Some("manhattan"));
    assert!(answer.length() >= Some(28) && answer.lower_bound() >= Some(4), "{answer}");
    let values = tables.moves_with(FIFTEEN, &search(&hand)).expect("a solution without tables");
    assert_eq!(values.limit, Some(LimitKind::Interrupted));
    assert!(values.answer.length() >= Some(28) && values.answer.lower_bound() >= Some(4));
    let count = SolutionOptions { search: Some(search(&hand)), ..SolutionOptions::count() };
    let set = tables.solutions(FIFTEEN, &count, &mut |_, _| true).expect("a solution");
    assert_eq!((set.limit, set.is_complete), (Some(LimitKind::Interrupted), false));
    assert!(set.answer.length() >= Some(28) && set.answer.lower_bound() >= Some(4));
    let moves = WrittenMoves::parse("U", false).expect("a move");
    let check = tables.check_with(FIFTEEN, &moves, &search(&hand)).expect("a solution");
    assert!(check.answer.length() >= Some(28) && check.answer.lower_bound() >= Some(4));
    assert!(is_interrupted(&tables.explain_with(FIFTEEN, &search(&hand))));
    let board = FIFTEEN.parse().expect("a board");
    assert!(is_interrupted(&tables.estimate_all(&[board], &search(&hand))));
    let boards = given(FIFTEEN).into_iter().chain(given(FIFTEEN));
    let answers: Vec<_> = tables.solve_input(boards, search(&hand)).collect();
    assert_eq!(answers.len(), 1, "the first board that is not finished is the last");
    assert!(answers[0].as_ref().expect("a solution without tables").length() >= Some(28));
    assert_eq!(tables_in(folder.path()), 0);
    assert_eq!(tables.solve(FIFTEEN).expect("it is built").length(), Some(28));
    assert!(tables_in(folder.path()) > 0);
}

#[test]
fn interrupted_build_keeps_the_solution_of_a_checkpoint() {
    let folder = tempfile::tempdir().expect("a folder");
    let checkpoint = Some(folder.path().join("hard.ckpt"));
    let board = "17 1 20 9 16/2 22 19 14 5/15 21 0 3 24/23 18 13 12 7/10 8 6 4 11";
    let solve = |spec: &str, search: Search| {
        let tables = Tilebase::builder().folder(folder.path()).spec(spec).lazy();
        let hard = HardSearch { checkpoint: checkpoint.clone(), search, ..HardSearch::default() };
        tables.expect("nothing is opened").solve_hard(board, &hard).expect("a solution").answer
    };
    let time = Some(Duration::from_millis(300));
    let before = solve("manhattan", Search { time, ..Search::default() });
    // The tables of another search are built first, and take longer than the time.
    let time = Some(Duration::from_millis(50));
    let after = solve("walking-distance", Search { time, ..Search::default() });
    assert_eq!(after.limit(), Some(LimitKind::Time));
    assert!(after.length() <= before.length() && after.lower_bound() >= before.lower_bound());
}

#[test]
fn better_tables_are_built_beside_a_long_search_which_goes_on_with_them() {
    let folder = tempfile::tempdir().expect("a folder");
    let events = Arc::new(Mutex::new(Vec::new()));
    let cancel = Cancel::new();
    let (told, of_watch) = (Arc::clone(&events), cancel.clone());
    let watch = move |event: &Event<'_>| {
        let mut told = told.lock().expect("no panic");
        match *event {
            Event::Missing { missing, .. } => told.push(missing.name.clone()),
            Event::Fallback { better: Some(better), heuristic, .. } => {
                told.extend([heuristic.to_owned(), better.to_owned()]);
            }
            _ => (),
        }
        // The third tables are for a search with the second ones.
        if told.len() == 3 {
            of_watch.cancel();
        }
    };
    let tables = Tilebase::builder().folder(folder.path()).threads(2).watch(watch).lazy();
    let tables = tables.expect("nothing is opened");
    let board = "14 5 9 2 18/8 23 19 12 17/15 0 10 20 4/6 11 21 1 7/24 3 16 22 13";
    let answer =
        tables.solve_with(board, &Search { cancel, ..Search::default() }).expect("a board");
    let events = std::mem::take(&mut *events.lock().expect("no panic"));
    let spec = answer.spec.as_deref().expect("it was searched");
    assert_eq!((answer.limit(), &*events[1]), (Some(LimitKind::Interrupted), spec));
    assert!(answer.length().is_some() && answer.gap() > Some(0), "{answer}");
    // The note names the tables that were used, and those that are better.
    assert_eq!(events[3..], [spec, "24/6-6-6-6-dual"]);
    // The next search begins with them.
    let within = Some(Duration::from_millis(200));
    let next = tables.solve_with(board, &Search { within, ..Search::default() }).expect("a board");
    assert_eq!(next.spec.as_deref(), Some(spec));
}

#[test]
fn open_engine_survives_a_cancelled_build() {
    let folder = tempfile::tempdir().expect("a folder");
    let (tables, hand) = tables(folder.path(), None);
    let goal = Goal::blank_last(shape(3, 3));
    let before = tables.engine(&goal).expect("it is built");
    assert!(tables.solve_with(FIVE, &search(&hand)).expect("a solution").length().is_some());
    assert!(Arc::ptr_eq(&before, &tables.engine(&goal).expect("it is open")));
    assert!(tables.solve(FIVE).expect("it is built").length().is_some());
}

#[test]
fn interrupted_builds_go_on_although_a_smaller_spec_has_all_its_tables() {
    let folder = tempfile::tempdir().expect("a folder");
    // The tables of 15/7-8 do not fit.
    let builder = || Tilebase::builder().folder(folder.path()).memory(Memory::of(200_000_000));
    let cancel = Cancel::new();
    let counts = Arc::new(Mutex::new(Vec::new()));
    let (of_watch, told) = (cancel.clone(), Arc::clone(&counts));
    let watch = move |event: &Event<'_>| match *event {
        Event::Built(_) => of_watch.cancel(),
        Event::Stopped { name, built_count, table_count } => {
            told.lock().expect("no panic").push((name.to_owned(), built_count, table_count));
        }
        _ => (),
    };
    let board = "2 1 3 4/5 6 7 8/9 10 11 12/13 15 14 .";
    let search = Search { cancel, ..Search::default() };
    let named = builder().spec("15/6-6-3").watch(watch).lazy().expect("nothing is opened");
    let answer = named.solve_with(board, &search);
    assert!(answer.expect("a solution").length().is_some());
    let counts = std::mem::take(&mut *counts.lock().expect("no panic"));
    let [(name, built_count @ 1..3, 3)] = &*counts else { panic!("{counts:?}") };
    assert_eq!(name, "15/6-6-3");
    builder().spec("15/5-5-5").ensure().expect("small tables");
    // The next run begins with the tables that exist.
    let goal = Goal::blank_last(shape(4, 4));
    let lazy = builder().lazy().expect("nothing is opened");
    let missing = lazy.to_build(&goal).expect("specs").expect("tables are missing");
    assert_eq!((missing.name.as_str(), missing.table_count), ("15/6-6-3", 3 - built_count));
    let within = Some(Duration::from_millis(10));
    let hasty = lazy.solve_with(board, &Search { within, ..Search::default() });
    assert_eq!(hasty.expect("a solution").spec.as_deref(), Some("15/5-5-5"));
}

#[test]
fn time_limits_include_the_build_of_tables() {
    let folder = tempfile::tempdir().expect("a folder");
    let far = "17 1 20 9 16/2 22 19 14 5/15 21 0 3 24/23 18 13 12 7/10 8 6 4 11";
    let tables = || Tilebase::builder().folder(folder.path()).spec("walking-distance").lazy();
    let limit = Some(Duration::from_millis(100));
    for (time, within) in [(limit, None), (None, limit)] {
        let search = Search { time, within, ..Search::default() };
        let begun = Instant::now();
        let tables = tables().expect("nothing is opened");
        let answer = tables.solve_with(far, &search).expect("a solution");
        let hard = HardSearch { search, ..HardSearch::default() };
        let hard_answer = tables.solve_hard(far, &hard).expect("a solution").answer;
        assert!(begun.elapsed() < Duration::from_secs(30), "the build takes longer");
        for answer in [answer, hard_answer] {
            let expected = if within.is_some() { None } else { Some(LimitKind::Time) };
            assert_eq!((answer.limit(), answer.spec.as_deref()), (expected, Some("manhattan")));
            assert!(answer.length().is_some() && answer.gap() > Some(0), "{answer}");
        }
        assert_eq!(tables_in(folder.path()), 0);
    }
}
