//! Builds that several callers wait for, some of whom cancel.

use std::path::Path;
use std::sync::{Arc, Mutex};

use tilebase::event::{Event, Step};
use tilebase::pdb_gen::GenError;
use tilebase::{Cancel, Error, Goal, Search, Tilebase};

use crate::shape;

const EIGHT: &str = "8 6 7/2 5 4/3 0 1";
const FIVE: &str = "1 2 3/0 4 5";

/// Returns tables that are built when a board needs them, and a place for a flag. The flag in it is
/// cancelled when a build begins.
fn tables(folder: &Path) -> (Tilebase, Arc<Mutex<Cancel>>) {
    let hand = Arc::new(Mutex::new(Cancel::new()));
    let cancelled = Arc::clone(&hand);
    let watch = move |event: &Event<'_>| {
        if matches!(event, Event::Task(_, Step::Begin { .. })) {
            cancelled.lock().expect("no panic").cancel();
        }
    };
    (Tilebase::builder().folder(folder).watch(watch).lazy().expect("nothing is opened"), hand)
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
    let (tables, hand) = tables(folder.path());
    let given = |board: &str| [Ok(board.parse::<tilebase::Board>().expect("a board").into())];
    assert!(is_interrupted(&tables.solve_with(EIGHT, &search(&hand))));
    assert!(is_interrupted(&tables.moves_with(EIGHT, &search(&hand))));
    assert!(is_interrupted(&tables.explain_with(EIGHT, &search(&hand))));
    let board = EIGHT.parse().expect("a board");
    assert!(is_interrupted(&tables.estimate_all(&[board], &search(&hand))));
    let mut answers = tables.solve_input(given(EIGHT).into_iter(), search(&hand));
    assert!(is_interrupted(&answers.next().expect("it was read")));
    assert_eq!(tables_in(folder.path()), 0);
    assert_eq!(tables.solve(EIGHT).expect("it is built").length(), Some(31));
    assert!(tables_in(folder.path()) > 0);
}

#[test]
fn open_engine_survives_a_cancelled_build() {
    let folder = tempfile::tempdir().expect("a folder");
    let (tables, hand) = tables(folder.path());
    let goal = Goal::blank_last(shape(3, 3));
    let before = tables.engine(&goal).expect("it is built");
    assert!(is_interrupted(&tables.solve_with(FIVE, &search(&hand))));
    assert!(Arc::ptr_eq(&before, &tables.engine(&goal).expect("it is open")));
    assert!(tables.solve(FIVE).expect("it is built").length().is_some());
}
