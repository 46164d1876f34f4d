//! Every board of the literature at hand is solved in its known number of moves.

#![allow(clippy::unwrap_used, reason = "a test fails where it unwraps")]

use std::sync::Mutex;

use pdb_core::{Board, Goal, Shape};
use pdb_tests::tables::{database, on_all_cores, plan, solve};
use pdb_tests::{antipodes80, korf100};

fn shape() -> Shape {
    Shape::new(4, 4).unwrap()
}

/// Solves Korf's 100 boards, which have the blank first, and returns the mean estimate of the roots
/// and the generated nodes a board.
fn solve_korf100(spec: &str) -> (f64, f64) {
    let goal = Goal::blank_first(shape());
    let database = database(&plan(spec, &goal));
    let sums = Mutex::new((0, 0, 0));
    on_all_cores(&korf100(), |board| {
        let tiles = Board::new(shape(), &board.tiles).unwrap();
        let (length, outcome) = solve(&database, &tiles);
        assert_eq!(length, board.length as usize, "board {} by {spec}", board.id);
        let mut sums = sums.lock().unwrap();
        sums.0 += u64::from(outcome.initial_estimate.unwrap());
        sums.1 += outcome.generated;
        sums.2 += length;
    });
    let (estimates, generated, lengths) = sums.into_inner().unwrap();
    assert_eq!(lengths, 5305);
    (estimates as f64 / 100.0, generated as f64 / 100.0)
}

#[test]
fn korf100_by_7_8() {
    let (estimate, generated) = solve_korf100("15/7-8");
    assert_eq!(format!("{estimate:.2} {generated:.2}"), "46.43 20196.61");
}

#[test]
fn korf100_by_7_8_collapsed() {
    let (estimate, generated) = solve_korf100("15/7-8-collapsed");
    assert_eq!(format!("{estimate:.2} {generated:.2}"), "45.59 38099.03");
}

#[test]
fn korf100_by_6_6_3() {
    let aware = solve_korf100("15/6-6-3");
    let collapsed = solve_korf100("15/6-6-3-collapsed");
    assert!(aware.0 >= collapsed.0 && aware.1 <= collapsed.1, "{aware:?} {collapsed:?}");
}

#[test]
fn korf100_by_5_5_5() {
    let aware = solve_korf100("15/5-5-5");
    let collapsed = solve_korf100("15/5-5-5-collapsed");
    assert!(aware.0 >= collapsed.0 && aware.1 <= collapsed.1, "{aware:?} {collapsed:?}");
}

#[test]
fn korf100_by_walking_distance() {
    let goal = Goal::blank_first(shape());
    let database = database(&plan("15/walking-distance", &goal));
    on_all_cores(&korf100(), |board| {
        let tiles = Board::new(shape(), &board.tiles).unwrap();
        let (length, outcome) = solve(&database, &tiles);
        assert_eq!(length, board.length as usize, "board {}", board.id);
        assert!(outcome.initial_estimate.unwrap() >= board.manhattan, "board {}", board.id);
    });
}

#[test]
fn the_17_hardest_boards_take_80_moves() {
    let database = database(&plan("15/7-8", &Goal::blank_last(shape())));
    on_all_cores(&antipodes80(), |board| {
        let board = Board::new(shape(), &board.tiles).unwrap();
        assert_eq!(solve(&database, &board).0, 80, "{board}");
    });
}

/// Every 8-puzzle state, by every spec that ships, against a full breadth-first search.
#[test]
fn every_8_puzzle_state_is_solved_in_its_exact_distance() {
    let goal = Goal::blank_last(Shape::new(3, 3).unwrap());
    let distances = pdb_oracle::distances(3, 3, goal.board().tiles());
    assert_eq!(distances.len(), 181_440);
    assert_eq!(distances.values().max(), Some(&31));
    let states: Vec<_> = distances.into_iter().collect();
    for spec in ["8/whole", "8/4-4"] {
        let database = database(&plan(spec, &goal));
        on_all_cores(&states, |(tiles, distance)| {
            let board = Board::new(goal.shape(), tiles).unwrap();
            let (length, outcome) = solve(&database, &board);
            assert_eq!(length, *distance as usize, "{board} by {spec}");
            if spec == "8/whole" {
                assert_eq!(outcome.initial_estimate, Some(*distance), "{board}");
            }
        });
    }
}
