//! All solutions compared with an exhaustive search.

use std::sync::atomic::AtomicBool;

use pdb_core::notation::letters;
use pdb_core::{Board, BoardError, Direction, Estimator, Goal, RootError};
use pdb_lab::searches::{Enumeration, Further, SolutionQuery, Tell, solutions};
use pdb_oracle::{are_long, shortest_solution_counts, solutions_of_length};
use pdb_search::{KORF_BLANK_LAST, LimitKind, Limits, Manhattan, Options, SearchError};

use crate::common::{goals, shape, too_much_for};

/// Returns a board that takes 31 moves, with its goal and heuristic.
fn farthest() -> (Board, Goal, Manhattan) {
    let goal = Goal::blank_last(shape(3, 3));
    ("8 6 7/2 5 4/3 0 1".parse().expect("this is a board"), goal, Manhattan::new(&goal))
}

const SHORTEST_31: SolutionQuery = SolutionQuery { length: 31, is_shortest: true };

fn with_memory(bytes: u64) -> Options<'static> {
    let limits = Limits { memory: Some(bytes), ..Limits::default() };
    Options { limits, ..Options::default() }
}

/// Returns all solutions of a length, as letters.
fn all(
    heuristic: &dyn Estimator,
    goal: &Goal,
    board: &Board,
    (length, is_shortest): (u32, bool),
    options: &Options<'_>,
) -> (Vec<String>, Enumeration) {
    let mut found = Vec::new();
    let mut tell = |moves: &[Direction]| {
        found.push(letters(moves));
        Further::Tell
    };
    let tell = Some(&mut tell as &mut Tell<'_>);
    let enumeration =
        solutions(heuristic, goal, board, SolutionQuery { length, is_shortest }, options, tell)
            .expect("the board can be solved");
    (found, enumeration)
}

fn count(
    heuristic: &dyn Estimator,
    goal: &Goal,
    board: &Board,
    (length, is_shortest): (u32, bool),
    options: &Options<'_>,
) -> Enumeration {
    solutions(heuristic, goal, board, SolutionQuery { length, is_shortest }, options, None)
        .expect("the board can be solved")
}

#[test]
fn longer_solutions_are_those_of_all_sequences_in_any_order_of_moves() {
    for (rows, cols, stride) in [(2, 2, 1), (2, 3, 7), (3, 3, 4001)] {
        let few = if are_long() || rows * cols < 9 { 3 } else { 1 };
        for goal in goals(shape(rows, cols)).into_iter().skip(3 - few) {
            let heuristic = Manhattan::new(&goal);
            let counts = shortest_solution_counts(rows, cols, goal.board().tiles());
            let near = counts.into_iter().filter(|(_, (distance, _))| *distance <= 12);
            for (tiles, (distance, _)) in near.step_by(stride) {
                let board = Board::new(goal.shape(), &tiles).expect("the oracle has boards");
                for length in (distance..=16).step_by(2) {
                    for (order, names) in [(Direction::ALL, "URDL"), (KORF_BLANK_LAST, "ULRD")] {
                        let options = Options { order, ..Options::default() };
                        let goal_tiles = goal.board().tiles();
                        let expected =
                            solutions_of_length(rows, cols, &tiles, goal_tiles, length, names);
                        let wanted = (length, false);
                        let (found, reported) = all(&heuristic, &goal, &board, wanted, &options);
                        assert_eq!(found, expected, "{board} in {length}");
                        let counted = count(&heuristic, &goal, &board, wanted, &options);
                        assert_eq!(counted.count, reported.count);
                        assert!(counted.is_complete && reported.is_complete);
                    }
                }
            }
        }
    }
}

#[test]
fn a_board_of_four_cells_has_two_solutions_at_most_and_no_longer_ones() {
    let goal = Goal::blank_last(shape(2, 2));
    let heuristic = Manhattan::new(&goal);
    let board: Board = "0 3/2 1".parse().expect("this is a board");
    // Twelve moves around the circle lead back to the start and pass through the goal.
    for length in (0..40).step_by(2) {
        let found = count(&heuristic, &goal, &board, (length, false), &Options::default());
        let expected = (if length == 6 { 2 } else { 0 }, length < 6);
        assert_eq!((found.count, found.has_longer), expected, "{length}");
    }
    let at_goal = count(&heuristic, &goal, goal.board(), (0, true), &Options::default());
    assert_eq!((at_goal.count, at_goal.has_longer), (1, false));
    let past_goal = count(&heuristic, &goal, goal.board(), (12, false), &Options::default());
    assert_eq!((past_goal.count, past_goal.has_longer), (0, false));
}

#[test]
fn a_count_is_the_same_with_any_memory_and_never_takes_more() {
    let (board, goal, heuristic) = farthest();
    for wanted in [(31, true), (31, false), (33, false)] {
        let expected = count(&heuristic, &goal, &board, wanted, &Options::default());
        assert!(expected.merged > 0 && expected.memory_bytes > 100_000, "{expected:?}");
        for bytes in [0, 100, 128, 1000, 10_000, 100_000, 1_000_000] {
            let found = count(&heuristic, &goal, &board, wanted, &with_memory(bytes));
            assert_eq!((found.count, found.is_complete), (expected.count, true));
            assert!(found.memory_bytes <= bytes, "{} of {bytes}", found.memory_bytes);
            assert!(found.merged > 0 || bytes < 10_000, "{found:?}");
        }
    }
}

#[test]
fn large_numbers_are_counted_by_merging_boards_and_too_large_ones_are_called_incomplete() {
    // The expected count goes from board to board, move by move.
    let (rows, cols) = (2, 3);
    let goal = Goal::blank_last(shape(rows, cols));
    let heuristic = Manhattan::new(&goal);
    let board: Board = "4 5 0/1 2 3".parse().expect("this is a board");
    for length in [21, 61, 221] {
        let expected = walks(&board, &goal, length);
        let found = count(&heuristic, &goal, &board, (length, false), &Options::default());
        assert_eq!((found.count, found.is_complete), (expected, true), "{length}");
    }
    let found = count(&heuristic, &goal, &board, (2021, false), &Options::default());
    assert_eq!((found.count, found.is_complete, found.limit), (u128::MAX, false, None));
    let goal = Goal::blank_last(shape(3, 3));
    let heuristic = Manhattan::new(&goal);
    let near: Board = "1 2 3/4 5 6/7 0 8".parse().expect("this is a board");
    let found = count(&heuristic, &goal, &near, (45, false), &with_memory(1 << 26));
    assert!(found.is_complete && found.count > 1 << 20, "{found:?}");
}

/// Returns the number of walks of a length to the goal, counted forwards by boards and last moves.
fn walks(board: &Board, goal: &Goal, length: u32) -> u128 {
    use std::collections::BTreeMap;
    type Key = (Vec<u8>, Option<usize>);
    let mut level: BTreeMap<Key, (Board, u128)> =
        BTreeMap::from([((board.tiles().to_vec(), None), (*board, 1))]);
    for _ in 0..length {
        let mut next: BTreeMap<Key, (Board, u128)> = BTreeMap::new();
        for ((_, last), (board, count)) in &level {
            if board == goal.board() {
                continue;
            }
            for (number, direction) in Direction::ALL.into_iter().enumerate() {
                let is_back = last.is_some_and(|last| Direction::ALL[last] == direction.opposite());
                if let (false, Some(moved)) = (is_back, board.moved(direction)) {
                    let key = (moved.tiles().to_vec(), Some(number));
                    next.entry(key).or_insert((moved, 0)).1 += count;
                }
            }
        }
        level = next;
    }
    level.values().filter(|(board, _)| board == goal.board()).map(|(_, count)| count).sum()
}

#[test]
fn receiver_may_stop_or_have_the_rest_counted() {
    let (board, goal, heuristic) = farthest();
    let (whole, complete) = all(&heuristic, &goal, &board, (31, true), &Options::default());
    assert!(whole.len() > 10);
    for (further, is_complete) in [(Further::Stop, false), (Further::Count, true)] {
        let mut found = Vec::new();
        let mut tell = |moves: &[Direction]| {
            found.push(letters(moves));
            if found.len() == 3 { further } else { Further::Tell }
        };
        let tell: &mut Tell<'_> = &mut tell;
        let reported =
            solutions(&heuristic, &goal, &board, SHORTEST_31, &Options::default(), Some(tell))
                .expect("the board can be solved");
        assert_eq!((found.as_slice(), reported.reported), (&whole[..3], 3));
        assert_eq!((reported.is_complete, reported.limit), (is_complete, None));
        assert_eq!(reported.count, if is_complete { complete.count } else { 3 });
    }
}

#[test]
fn limits_end_an_enumeration_with_the_results_so_far() {
    let (board, goal, heuristic) = farthest();
    let whole = count(&heuristic, &goal, &board, (31, true), &Options::default());
    let mut before = 0;
    for nodes in [0, 1, 1000, whole.generated / 2, whole.generated - 1, whole.generated] {
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let found =
            count(&heuristic, &goal, &board, (31, true), &Options { limits, ..Options::default() });
        let is_enough = nodes == whole.generated;
        assert_eq!((found.is_complete, found.limit.is_none()), (is_enough, is_enough), "{nodes}");
        assert!((before..=whole.count).contains(&found.count) && found.generated <= nodes);
        before = found.count;
    }
    let stop = AtomicBool::new(true);
    let limits = Limits { stop: Some(&stop), ..Limits::default() };
    let found =
        count(&heuristic, &goal, &board, (31, true), &Options { limits, ..Options::default() });
    assert_eq!((found.limit, found.count), (Some(LimitKind::Interrupted), 0));
}

#[test]
fn rejects_queries_that_do_not_fit_the_board() {
    let goal = Goal::blank_last(shape(3, 3));
    let heuristic = Manhattan::new(&goal);
    let run = |board: &Board, length, options: &Options<'_>| {
        let query = SolutionQuery { length, is_shortest: true };
        solutions(&heuristic, &goal, board, query, options, None)
    };
    let odd: Board = "2 1 3/4 5 6/7 8 0".parse().expect("this is a board");
    assert!(matches!(
        run(&odd, 10, &Options::default()),
        Err(SearchError::Root(RootError::Unsolvable(_)))
    ));
    let large = *Goal::blank_last(shape(4, 4)).board();
    let other = BoardError::OtherShape { expected: shape(3, 3), found: shape(4, 4) };
    assert_eq!(
        run(&large, 10, &Options::default()).err(),
        Some(SearchError::Root(RootError::Board(other)))
    );
    let order = [Direction::Up; 4];
    let board: Board = "1 2 3/4 5 6/0 7 8".parse().expect("this is a board");
    let error = run(&board, 2, &Options { order, ..Options::default() }).err();
    assert!(matches!(error, Some(SearchError::Order { .. })));
    // A shorter solution contradicts the query.
    let short = SearchError::NotLowerBound { bound: 4, length: 2 };
    assert_eq!(run(&board, 4, &Options::default()).err(), Some(short));
}

#[test]
fn overestimate_hides_solutions_and_makes_up_none() {
    let goal = Goal::blank_last(shape(2, 3));
    let known = pdb_oracle::distances(2, 3, goal.board().tiles());
    let manhattan = Manhattan::new(&goal);
    let mut hidden_count = 0;
    for ((tiles, &distance), hidden) in known.iter().zip(known.keys().rev()) {
        let board = Board::new(goal.shape(), tiles).expect("the oracle has boards");
        let hidden = Board::new(goal.shape(), hidden).expect("the oracle has boards");
        let wrong = too_much_for(&goal, hidden);
        let (found, _) = all(&wrong, &goal, &board, (distance, true), &Options::default());
        let (whole, _) = all(&manhattan, &goal, &board, (distance, true), &Options::default());
        assert!(found.iter().all(|moves| whole.contains(moves)), "{board}");
        hidden_count += whole.len() - found.len();
    }
    assert!(hidden_count > 0);
}
