//! Tables of whole boards: the counts of their distances are the published ones.

use pdb_core::{BLANK, BlankMode, Board, Goal, Plan, Shape};
use pdb_gen::{Monitor, Table};
use pdb_tests::tables::{engine, solve, thread_count};
use pdb_tests::{Metric, antipodes_small, are_long, distance_distributions};

/// Returns the goal with the tiles in their order and the blank on a cell.
fn goal(shape: Shape, blank: usize) -> Goal {
    let mut tiles: Vec<u8> = (1..shape.cell_count() as u8).collect();
    tiles.insert(blank, BLANK);
    Goal::new(Board::new(shape, &tiles).expect("every tile is there once"))
}

/// Returns the plan of one pattern with all tiles.
fn whole(goal: &Goal) -> Plan {
    let tiles = (1..goal.shape().cell_count() as u8).collect();
    Plan::additive(goal, &[vec![tiles]], BlankMode::Aware, false).expect("all tiles, once")
}

#[test]
fn distances_of_all_boards_of_small_shapes_have_the_published_counts() {
    // Tables of 12 cells take half a minute.
    let cells_max = if are_long() { 12 } else { 10 };
    let mut compared = 0;
    for expected in distance_distributions() {
        let (rows, cols) = (expected.rows, expected.cols);
        if expected.metric != Metric::SingleTile || rows * cols > cells_max {
            continue;
        }
        let shape = Shape::new(rows.min(cols), rows.max(cols)).expect("a small board");
        let blank = match expected.blank {
            "corner" => shape.cell_count() - 1,
            "edge" => 7,
            "centre" => 4,
            other => panic!("an unknown home of the blank: {other}"),
        };
        let plan = whole(&goal(shape, blank));
        // A table is also that of the turned board.
        let turned = Shape::new(shape.cols(), shape.rows()).expect("a small board");
        assert_eq!(whole(&goal(turned, blank)).tables(), plan.tables());
        let [key] = plan.tables() else { panic!("one pattern has one table") };
        let table = Table::build(key, thread_count(), &Monitor::silent())
            .expect("a small table can be built");
        assert_eq!(table.header.histogram, expected.counts, "{shape} {}", expected.blank);
        compared += 1;
    }
    // 2x2 to 2x5, and 3x3 with three homes of the blank; in long tests also 2x6 and 3x4.
    assert_eq!(compared, if are_long() { 9 } else { 7 });
}

#[test]
fn hardest_small_boards_have_the_published_distance() {
    let mut solved = 0;
    for antipode in antipodes_small() {
        let shape = Shape::new(antipode.rows, antipode.cols).expect("a small board");
        if antipode.metric != Metric::SingleTile || shape.cell_count() > 10 {
            continue;
        }
        let board = |tiles: &[u8]| Board::new(shape, tiles).expect("every tile is there once");
        let engine = engine(&whole(&Goal::new(board(&antipode.goal))));
        let (length, outcome) = solve(&engine, &board(&antipode.tiles));
        assert_eq!(length as u32, antipode.length);
        assert_eq!(outcome.initial_estimate, Some(antipode.length));
        solved += 1;
    }
    assert!(solved > 5, "{solved}");
}
