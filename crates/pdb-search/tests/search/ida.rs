//! IDA* against breadth-first search, and what it says about limits and broken heuristics.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::common::{
    ByBoard, HARDEST, distances, goals, moves, permutations, sample, shape, too_much_for,
};
use pdb_core::{Board, BoardError, Direction, Goal, RootError};
use pdb_oracle::are_long;
use pdb_search::{
    KORF_BLANK_FIRST, KORF_BLANK_LAST, LimitKind, Limits, Options, Outcome, SearchError, Status,
    ida_star, solve_manhattan,
};

fn solve(goal: &Goal, board: &Board) -> Outcome {
    solve_manhattan(goal, board, &Options::default()).expect("board and goal fit together")
}

/// Checks everything that an outcome of Manhattan distance says about a board of known distance.
fn check_optimal(goal: &Goal, board: &Board, outcome: &Outcome, distance: usize) {
    crate::common::check_optimal(goal, board, goal.manhattan_distance(board), outcome, distance);
}

#[test]
fn every_board_of_2x2_and_2x3_and_3x2_is_solved_or_unsolvable() {
    for shape in [shape(2, 2), shape(2, 3), shape(3, 2)] {
        for goal in goals(shape) {
            let known = distances(&goal);
            let all = permutations(shape.cell_count() as u8);
            assert_eq!(all.len(), 2 * known.len());
            for tiles in all {
                let board = Board::new(shape, &tiles).unwrap();
                let outcome = solve(&goal, &board);
                if let Some(&distance) = known.get(&tiles) {
                    check_optimal(&goal, &board, &outcome, distance);
                } else {
                    let reason = goal.check_solvable(&board).unwrap_err();
                    assert_eq!(outcome.status, Status::Unsolvable(reason));
                    assert_eq!((outcome.generated, outcome.expanded), (0, 0));
                    assert!(outcome.bounds.is_empty() && outcome.initial_estimate.is_none());
                }
            }
        }
    }
}

#[test]
fn boards_of_3x3_take_as_many_moves_as_breadth_first_search_says() {
    let shape = shape(3, 3);
    for goal in goals(shape) {
        let known = distances(&goal);
        assert_eq!(known.len(), 181_440);
        let deepest = *known.values().max().unwrap();
        let antipodes = sample(known, 1).into_iter().filter(|&(_, d)| d == deepest);
        for (tiles, distance) in sample(known, 97).into_iter().chain(antipodes) {
            let board = Board::new(shape, tiles).unwrap();
            check_optimal(&goal, &board, &solve(&goal, &board), distance);
        }
    }
}

#[test]
fn boards_of_2x5_and_5x2_take_as_many_moves_as_breadth_first_search_says() {
    let shape = shape(2, 5);
    let goal = Goal::snail(shape);
    let known = distances(&goal);
    assert_eq!(known.len(), 1_814_400);
    let transposed = |board: &Board| {
        let tiles: Vec<u8> = (0..10).map(|cell| board.tile(cell % 2 * 5 + cell / 2)).collect();
        Board::new(shape.transposed(), &tiles).unwrap()
    };
    let transposed_goal = Goal::new(transposed(goal.board()));
    // Every fourth of these in short tests.
    let stride = if are_long() { 60_013 } else { 4 * 60_013 };
    for (tiles, distance) in sample(known, stride) {
        let board = Board::new(shape, tiles).unwrap();
        check_optimal(&goal, &board, &solve(&goal, &board), distance);
        let board = transposed(&board);
        let outcome = solve(&transposed_goal, &board);
        check_optimal(&transposed_goal, &board, &outcome, distance);
    }
}

#[test]
fn a_scrambled_6x6_board_is_solved() {
    let goal = Goal::blank_last(shape(6, 6));
    let scramble = pdb_core::notation::parse_moves("DDRRDLURRDDLULLURRD", false).unwrap();
    let board = goal.board().after(&scramble).unwrap();
    let outcome = solve(&goal, &board);
    let length = moves(&outcome).len();
    assert!(length <= scramble.len() && length % 2 == scramble.len() % 2);
    check_optimal(&goal, &board, &outcome, length);
}

#[test]
fn the_goal_itself_is_one_node_and_no_move() {
    for shape in [shape(2, 2), shape(4, 4), shape(6, 6)] {
        for goal in goals(shape) {
            let outcome = solve(&goal, goal.board());
            check_optimal(&goal, goal.board(), &outcome, 0);
            assert_eq!((outcome.generated, outcome.expanded), (1, 0));
        }
    }
}

#[test]
fn turning_board_goal_and_order_by_180_degrees_turns_the_search() {
    let first: Board = "3 14 9 11/5 4 8 2/13 12 6 7/10 1 15 0".parse().unwrap();
    let turned: Vec<u8> = first.tiles().iter().rev().map(|&t| (16 - t) % 16).collect();
    let last = Board::new(first.shape(), &turned).unwrap();
    let search = |goal: Goal, board: &Board, order| {
        let options = Options { order, ..Options::default() };
        solve_manhattan(&goal, board, &options).unwrap()
    };
    let a = search(Goal::blank_first(first.shape()), &first, KORF_BLANK_FIRST);
    let b = search(Goal::blank_last(first.shape()), &last, KORF_BLANK_LAST);
    // Korf's board 9, with his count.
    assert_eq!(a.generated, 1_650_696);
    assert_eq!((a.generated, &a.bounds), (b.generated, &b.bounds));
    let opposite: Vec<Direction> = moves(&b).iter().map(|d| d.opposite()).collect();
    assert_eq!(moves(&a), opposite);

    let c = search(Goal::blank_last(first.shape()), &last, KORF_BLANK_FIRST);
    assert_eq!(moves(&c).len(), moves(&b).len());
    let all_but_last = |outcome: &Outcome| outcome.bounds[..outcome.bounds.len() - 1].to_vec();
    assert_eq!(all_but_last(&c), all_but_last(&b));
    assert_ne!(c.generated, b.generated);
}

#[test]
fn a_node_limit_is_kept_to_the_node_and_proves_a_bound() {
    let goal = Goal::blank_last(shape(3, 3));
    let board: Board = "8 6 7/2 5 4/3 0 1".parse().unwrap();
    let whole = solve(&goal, &board);
    check_optimal(&goal, &board, &whole, 31);
    // Some limits end together with a bound, which is noticed at the first node of the next one.
    let ends = whole.bounds.iter().scan(0, |sum, count| {
        *sum += count.generated;
        Some(*sum)
    });
    let around_ends = ends.flat_map(|end| end - 1..=end + 1);
    for nodes in (0..whole.generated).step_by(37).chain(around_ends) {
        let options = Options {
            limits: Limits { nodes: Some(nodes), ..Limits::default() },
            ..Options::default()
        };
        let outcome = solve_manhattan(&goal, &board, &options).unwrap();
        if nodes >= whole.generated {
            assert_eq!(outcome.status, whole.status);
            assert_eq!(outcome.bounds, whole.bounds);
            continue;
        }
        assert_eq!(outcome.generated, nodes);
        let mut generated = 0;
        let unfinished = whole.bounds.iter().find(|count| {
            generated += count.generated;
            generated > nodes
        });
        let expected =
            Status::Limit { kind: LimitKind::Nodes, lower_bound: unfinished.unwrap().bound };
        assert_eq!(outcome.status, expected, "with {nodes} nodes");
    }
}

#[test]
fn a_time_limit_ends_a_long_search() {
    let board: Board = HARDEST.parse().unwrap();
    for time in [Duration::ZERO, Duration::from_millis(30)] {
        let options = Options {
            limits: Limits { time: Some(time), ..Limits::default() },
            ..Options::default()
        };
        let outcome = solve_manhattan(&Goal::blank_last(board.shape()), &board, &options).unwrap();
        let expected = Status::Limit {
            kind: LimitKind::Time,
            lower_bound: outcome.bounds.last().unwrap().bound,
        };
        assert_eq!(outcome.status, expected);
        assert!(outcome.bounds.iter().all(|count| count.bound <= 65 && count.bound % 2 == 1));
        assert!(outcome.elapsed >= time);
        assert_eq!(outcome.generated == 0, time.is_zero());
    }
}

#[test]
fn a_stop_flag_ends_a_long_search() {
    let board: Board = HARDEST.parse().unwrap();
    let goal = Goal::blank_last(board.shape());
    let stop = AtomicBool::new(true);
    let options =
        Options { limits: Limits { stop: Some(&stop), ..Limits::default() }, ..Options::default() };
    let interrupted = |lower_bound| Status::Limit { kind: LimitKind::Interrupted, lower_bound };

    let outcome = solve_manhattan(&goal, &board, &options).unwrap();
    assert_eq!(outcome.generated, 0);
    assert_eq!(outcome.status, interrupted(goal.manhattan_distance(&board)));

    stop.store(false, Ordering::Relaxed);
    let outcome = std::thread::scope(|scope| {
        let search = scope.spawn(|| solve_manhattan(&goal, &board, &options));
        std::thread::sleep(Duration::from_millis(30));
        stop.store(true, Ordering::Relaxed);
        search.join().unwrap().unwrap()
    });
    assert_eq!(outcome.status, interrupted(outcome.bounds.last().unwrap().bound));
}

#[test]
fn a_board_of_another_shape_is_an_error() {
    let goal = Goal::blank_last(shape(4, 4));
    let board = *Goal::blank_last(shape(3, 3)).board();
    let expected =
        SearchError::Board(BoardError::OtherShape { expected: shape(4, 4), found: shape(3, 3) });
    let found = solve_manhattan(&goal, &board, &Options::default());
    assert_eq!(found, Err(expected));
}

#[test]
fn an_order_that_leaves_a_direction_out_is_an_error() {
    let goal = Goal::blank_last(shape(3, 3));
    let order = [Direction::Up, Direction::Left, Direction::Up, Direction::Down];
    let options = Options { order, ..Options::default() };
    let missing = Direction::Right;
    let expected = SearchError::Order { order, missing };
    let found = solve_manhattan(&goal, goal.board(), &options);
    assert_eq!(found, Err(expected));
}

#[test]
fn an_estimate_of_zero_does_not_make_a_board_the_goal() {
    let shape = shape(2, 3);
    let goal = Goal::blank_last(shape);
    let parity = ByBoard(|board: &Board| Ok(shape.distance(board.blank(), goal.home(0)) % 2));
    for (tiles, distance) in sample(distances(&goal), 3) {
        let board = Board::new(shape, tiles).unwrap();
        let outcome = ida_star(&parity, &goal, &board, &Options::default()).unwrap();
        assert_eq!(moves(&outcome).len(), distance);
    }
}

#[test]
fn a_heuristic_that_overestimates_is_found_out() {
    let goal = Goal::blank_last(shape(3, 3));
    let board: Board = "1 2 3/4 5 6/0 7 8".parse().unwrap();
    let too_much = too_much_for(&goal, board);
    let found = ida_star(&too_much, &goal, &board, &Options::default());
    let expected = SearchError::NotLowerBound { bound: 4, length: 2 };
    assert_eq!(found, Err(expected));
}

#[test]
fn a_damaged_table_is_an_error_of_the_search() {
    let goal = Goal::blank_last(shape(3, 3));
    let error = RootError::Damaged { table: "a.pdb".to_owned() };
    let damaged = ByBoard(|_: &Board| Err(error.clone()));
    let found = ida_star(&damaged, &goal, goal.board(), &Options::default());
    assert_eq!(found, Err(SearchError::Root(error.clone())));
}
