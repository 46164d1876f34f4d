//! Problems of planners. `tests/solvers/run` solves them with a planner.

use std::collections::BTreeSet;

use pdb_core::{Board, Goal, Shape};
use tilebase_model::{ModelError, pddl};

/// Returns the fact of each cell of a board.
fn tiles(board: &Board, positions: &[String]) -> Vec<String> {
    let fact = |(tile, position): (&u8, &String)| match tile {
        0 => format!("(blank {position})"),
        tile => format!("(at t{tile} {position})"),
    };
    board.tiles().iter().zip(positions).map(fact).collect()
}

#[test]
fn problem_has_a_fact_for_each_cell_and_each_pair_of_neighbours() {
    for (board, goal) in [
        ("1 2/0 3", "1 2/3 0"),
        ("1 2 3/0 4 5", "1 2 3/4 5 0"),
        ("4 2 3/0 1 5", "4 2 3/1 5 0"),
        ("1 2/3 4/0 5", "1 2/3 4/5 0"),
        ("1 2 3 4 5/0 6 7 8 9/10 11 12 13 14", "0 1 2 3 4/6 7 8 9 5/10 11 12 13 14"),
    ] {
        let (board, goal): (Board, Board) = (board.parse().unwrap(), goal.parse().unwrap());
        let (rows, cols) = (board.shape().rows(), board.shape().cols());
        let cells: Vec<_> =
            (1..=rows).flat_map(|row| (1..=cols).map(move |col| (row, col))).collect();
        let positions: Vec<_> = cells.iter().map(|(row, col)| format!("p-{row}-{col}")).collect();
        let mut expected = BTreeSet::from_iter(tiles(&board, &positions));
        for (from, (row, col)) in positions.iter().zip(&cells) {
            for (to, (other_row, other_col)) in positions.iter().zip(&cells) {
                if row.abs_diff(*other_row) + col.abs_diff(*other_col) == 1 {
                    expected.insert(format!("(neighbour {from} {to})"));
                }
            }
        }

        let text = pddl::problem(&board, &Goal::new(goal)).unwrap();
        let lines = text.lines().filter(|line| !line.starts_with(';'));
        let text = lines.flat_map(str::split_whitespace).collect::<Vec<_>>().join(" ");
        let (head, rest) = text.split_once(" (:init ").unwrap();
        let (facts, end) = rest.split_once(") (:goal (and ").unwrap();
        let names: Vec<_> = (1..cells.len()).map(|tile| format!("t{tile}")).collect();
        let objects = format!("{} - tile {} - position", names.join(" "), positions.join(" "));
        let start = "(define (problem board) (:domain sliding-tiles) (:objects ";
        assert_eq!(head, format!("{start}{objects})"));
        assert_eq!(end, format!("{})))", tiles(&goal, &positions).join(" ")));
        assert_eq!(facts.matches('(').count(), expected.len(), "a fact is there twice: {facts}");
        let facts = facts.split_inclusive(')').map(|fact| fact.trim().to_owned());
        let facts: BTreeSet<String> = facts.collect();
        assert_eq!(facts, expected);
    }
}

#[test]
fn unsolvable_board_and_other_shape_are_refused() {
    let goal = Goal::blank_last(Shape::new(2, 3).unwrap());
    let odd: Board = "2 1 3/4 5 0".parse().unwrap();
    assert!(matches!(pddl::problem(&odd, &goal), Err(ModelError::Unsolvable(_))));
    let other: Board = "1 2/3 0".parse().unwrap();
    assert!(matches!(pddl::problem(&other, &goal), Err(ModelError::OtherShape { .. })));
}
