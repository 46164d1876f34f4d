//! Tests of many boards at once: estimates, distances, and answers with a timeout.

use std::task::Poll;
use std::time::{Duration, Instant};

use pdb_oracle::{are_long, distances as true_distances, manhattan};
use tilebase::pdb_lab::SearchName;
use tilebase::pdb_search::{LimitKind, Weight};
use tilebase::sets::{BoardSet, NO_DISTANCE, distances};
use tilebase::{Answers, Board, Cancel, Error, Goal, Metric, Mode, Search, Status, Tilebase};

use crate::shape;

fn manhattan_tables() -> Tilebase {
    Tilebase::builder().spec("manhattan").lazy_open().expect("no table is needed")
}

#[test]
fn distances_agree_with_breadth_first_search() {
    for (rows, cols) in [(2, 2), (2, 3), (3, 2), (3, 3)] {
        let shape = shape(rows, cols);
        let goals = [Goal::snail(shape), Goal::blank_last(shape), Goal::blank_first(shape)];
        // Only one goal of 3x3; all goals in long tests.
        let count = if rows * cols < 9 || are_long() { 3 } else { 1 };
        for goal in goals.into_iter().take(count) {
            let found =
                distances(&goal, Metric::SingleTile, &Cancel::new()).expect("a small shape");
            let expected = true_distances(rows, cols, goal.board().tiles());
            let mut reached = 0;
            for (rank, &distance) in (0..).zip(&found) {
                let board = Board::of_rank(shape, rank).expect("a rank");
                let known = expected.get(board.tiles()).copied();
                reached += usize::from(known.is_some());
                assert_eq!(known.map_or(NO_DISTANCE, |known| known as u8), distance, "{board}");
            }
            assert_eq!((reached * 2, expected.len()), (found.len(), reached));
        }
    }
}

#[test]
fn distances_refuse_large_shapes_and_cancellation() {
    let goal = |rows, cols| Goal::blank_last(shape(rows, cols));
    let found = distances(&goal(4, 4), Metric::SingleTile, &Cancel::new());
    assert!(matches!(found, Err(Error::TooManyBoards { cells_max: 12, .. })));
    let cancel = Cancel::new();
    cancel.cancel();
    assert!(matches!(distances(&goal(3, 3), Metric::SingleTile, &cancel), Err(Error::Interrupted)));
}

#[test]
fn estimate_all_agrees_with_each_estimate() {
    let goal = Goal::blank_last(shape(4, 4));
    let mut boards = BoardSet::random(&goal, 10_000, 1).boards;
    // A board of another shape has another goal.
    boards.insert(5_000, *Goal::blank_first(shape(2, 3)).board());
    boards[5_000] = "1 2 3/0 4 5".parse().expect("a board");
    let tables = manhattan_tables();
    for thread_count in [1, 2, 7] {
        let search = Search { thread_count, ..Search::default() };
        let found = tables.estimate_all(&boards, &search).expect("boards");
        assert_eq!(found.len(), boards.len());
        for (board, &estimate) in boards.iter().zip(&found) {
            let goal = Goal::blank_last(board.shape());
            let expected = manhattan(board.shape().cols(), board.tiles(), goal.board().tiles());
            assert_eq!(estimate, expected, "{board}");
        }
    }
    assert!(tables.estimate_all(&[], &Search::default()).expect("no board").is_empty());
}

#[test]
fn first_board_without_estimate_is_named() {
    let goal = Goal::blank_last(shape(3, 3));
    let mut boards = BoardSet::random(&goal, 20_000, 1).boards;
    boards[12_345] = "2 1 3/4 5 6/7 8 0".parse().expect("a board");
    let search = Search { thread_count: 3, ..Search::default() };
    match manhattan_tables().estimate_all(&boards, &search) {
        Err(Error::OfMany { place: 12_345, problem }) => assert!(!problem.kind().is_usage()),
        other => panic!("{other:?}"),
    }
    let cancel = Cancel::new();
    cancel.cancel();
    let search = Search { cancel, ..Search::default() };
    let found = manhattan_tables().estimate_all(&boards[..10], &search);
    assert!(matches!(found, Err(Error::Interrupted)));
}

#[test]
fn answers_are_awaited_with_a_timeout() {
    let hard: Board = "0 12 9 13/15 11 10 14/3 7 2 5/4 8 6 1".parse().expect("a board of 80 moves");
    let easy: Board = "1 2 3 4/5 6 7 8/9 10 11 12/13 14 0 15".parse().expect("a board");
    let cancel = Cancel::new();
    let tables = Tilebase::builder()
        .spec("manhattan")
        .search(Search { cancel: cancel.clone(), ..Search::default() })
        .lazy_open()
        .expect("no table is needed");
    let mut answers = tables.solve_all([easy, hard]);
    let begun = Instant::now();
    let poll = |answers: &Answers| loop {
        assert!(begun.elapsed() < Duration::from_mins(1), "the search looks at the wish");
        if let Poll::Ready(next) = answers.poll_next(Duration::from_millis(20)) {
            return next.expect("an answer");
        }
    };
    assert!(matches!(poll(&answers), (0, Ok(answer)) if answer.length() == Some(1)));
    // A caller that waits never exceeds its time limit.
    assert!(answers.poll_next(Duration::from_millis(20)).is_pending());
    cancel.cancel();
    // The hard board is not finished, and has its best solution so far.
    let (place, last) = poll(&answers);
    let last = last.expect("the first unfinished board");
    assert_eq!(place, 1);
    assert_eq!((last.board, last.limit()), (hard, Some(LimitKind::Interrupted)));
    assert!(last.length() >= Some(80) && last.lower_bound() <= Some(80), "{last}");
    assert!(answers.next().is_none());
}

#[test]
fn named_searches_solve_one_board_and_many() {
    let goal = Goal::blank_last(shape(3, 3));
    let boards = BoardSet::random(&goal, 8, 1).boards;
    let tables = manhattan_tables();
    let lengths = |mode| -> Vec<(usize, bool)> {
        let search = Search { mode, ..Search::default() };
        let given = boards.clone().into_iter().map(|board| Ok(board.into()));
        let many: Vec<_> =
            tables.solve_input(given, search.clone()).map(|a| a.expect("solved")).collect();
        let one = boards.iter().map(|board| tables.solve_with(board, &search).expect("solved"));
        let of = |answer: &tilebase::Answer| {
            (answer.length().expect("moves"), matches!(answer.status, Status::Optimal { .. }))
        };
        let one: Vec<_> = one.map(|answer| of(&answer)).collect();
        assert_eq!(many.iter().map(of).collect::<Vec<_>>(), one);
        one
    };
    let shortest = lengths(Mode::Auto);
    for name in SearchName::all() {
        let found = lengths(Mode::By(name));
        let is_optimal = name.factor(Weight::ONE) == Some(Weight::ONE);
        for (found, shortest) in found.iter().zip(&shortest) {
            assert!(found.0 >= shortest.0 && (!is_optimal || found.0 == shortest.0), "{name}");
        }
    }
    let memory_bytes = Some(1 << 16);
    let mode = Mode::By("breadth-first".parse().expect("a search"));
    let search = Search { mode, memory_bytes, ..Search::default() };
    let found = tables.solve_with("8 6 7/2 5 4/3 0 1", &search).expect("a limit is no error");
    assert!(matches!(found.status, Status::Limit { .. }));
}

#[cfg(feature = "build")]
#[test]
fn tables_of_a_plan_are_built_once() {
    use tilebase::names::load_spec;
    use tilebase::shelf::{Memory, Shelf};

    let folder = tempfile::tempdir().expect("a folder");
    let spec = load_spec("8/4-4").expect("it is shipped");
    let (shelf, search) = (Shelf::new(folder.path()), Search::default());
    let first = shelf.build_all(&spec.name, &spec.plan, false, &search).expect("small tables");
    let again = shelf.build_all(&spec.name, &spec.plan, false, &search).expect("they are there");
    assert_eq!(first.len(), spec.plan.tables().len());
    assert!(first.iter().all(|report| !report.already_there));
    assert!(again.iter().all(|report| report.already_there));
    let anew = shelf.build_all(&spec.name, &spec.plan, true, &search).expect("they are replaced");
    assert!(anew.iter().all(|report| !report.already_there));
    let opened = |memory| {
        let builder = Tilebase::builder().folder(folder.path()).spec("8/4-4");
        builder.memory(memory).open().map(drop)
    };
    assert!(matches!(opened(Memory::of(1 << 10)), Err(Error::NoRoom(_))));
    opened(Memory::ALL).expect("they are there");
    let spec = load_spec("15/7-8").expect("it is shipped");
    let tight = Shelf { memory: Memory::of(1 << 10), ..shelf };
    let refused = tight.build_all(&spec.name, &spec.plan, false, &search);
    assert!(matches!(refused, Err(Error::NoRoom(_) | Error::Build(_))));
}
