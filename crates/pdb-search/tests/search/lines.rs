//! Solutions line by line: of every board.

use pdb_core::{Board, CELLS_MAX, Goal};
use pdb_oracle::{Random, are_long};
use pdb_search::solve_by_lines;

use crate::common::{random_board, sample, shape};

fn check(board: &Board, goal: &Goal) {
    let moves = solve_by_lines(board, goal).unwrap();
    assert_eq!(board.after(&moves), Ok(*goal.board()));
}

#[test]
fn boards_of_every_shape_are_solved_line_by_line_for_every_cell_of_the_blank() {
    for shape in [shape(2, 2), shape(2, 3), shape(3, 2)] {
        for goal in shape.all_cells().iter().map(|blank| Goal::in_order(shape, blank)) {
            for (board, _) in sample(&goal, 1) {
                check(&board, &goal);
            }
        }
    }
    let mut random = Random::default();
    // Up to nine rows and a sample of more; every number of rows in long tests.
    let step = if are_long() { 1 } else { 7 };
    for rows in (1..=9).chain((10..=CELLS_MAX).step_by(step)) {
        let cols_max = CELLS_MAX / rows;
        let few = [2, 3, 4, cols_max.div_ceil(2), cols_max].map(|cols| cols.min(cols_max));
        for shape in few.map(|cols| shape(rows, cols.max(cols_max.min(2)))) {
            // Boards of some cells are solved with the blank on most of them.
            for _ in 0..if shape.cell_count() <= 12 { 30 } else { 1 } {
                let goal = Goal::in_order(shape, random.below(shape.cell_count()) as u8);
                check(&random_board(shape, &goal, &mut random), &goal);
            }
        }
    }
}

#[test]
fn boards_that_cannot_be_solved_are_refused() {
    let board: Board = "1 2 3/4 5 6/8 7 0".parse().unwrap();
    let goal = Goal::blank_last(board.shape());
    assert_eq!(solve_by_lines(&board, &goal).err(), goal.check_solvable(&board).err());
}
