//! Solutions line by line: of every board.

use pdb_core::{Board, CELLS_MAX, Goal, Shape};
use pdb_oracle::{Random, are_long};
use pdb_search::solve_by_lines;

use crate::common::{distances, random_board, shape};

/// Returns all goals of a shape with the tiles in order, one for each cell of the blank.
fn goals(shape: Shape) -> impl Iterator<Item = Goal> {
    shape.all_cells().iter().map(move |blank| Goal::in_order(shape, blank))
}

#[test]
fn every_small_board_is_solved_line_by_line_for_every_cell_of_the_blank() {
    for shape in [shape(2, 2), shape(2, 3), shape(3, 2), shape(2, 4), shape(3, 3)] {
        for goal in goals(shape).step_by(if shape.cell_count() > 6 { 4 } else { 1 }) {
            let stride = [1, 11, 997][shape.cell_count().saturating_sub(7).min(2)];
            for (tiles, &distance) in distances(&goal).iter().step_by(stride) {
                let board = Board::new(shape, tiles).unwrap();
                let moves = solve_by_lines(&board, &goal).unwrap();
                assert_eq!(board.after(&moves), Ok(*goal.board()));
                assert!(moves.len() >= distance, "{board} has no solution of {}", moves.len());
            }
        }
    }
}

#[test]
fn boards_of_every_shape_are_solved_line_by_line() {
    let mut random = Random::default();
    // Up to nine rows and a sample of more; every number of rows in long tests.
    let step = if are_long() { 1 } else { 7 };
    for rows in (1..=9).chain((10..=CELLS_MAX).step_by(step)) {
        let cols_max = CELLS_MAX / rows;
        for cols in [cols_max.min(2), cols_max.div_ceil(2).max(cols_max.min(2)), cols_max] {
            let shape = shape(rows, cols);
            let blank = random.below(shape.cell_count()) as u8;
            let goal = Goal::in_order(shape, blank);
            let board = random_board(shape, &goal, &mut random);
            let moves = solve_by_lines(&board, &goal).unwrap();
            assert_eq!(board.after(&moves), Ok(*goal.board()));
        }
    }
}

#[test]
fn boards_that_cannot_be_solved_are_refused() {
    let board: Board = "1 2 3/4 5 6/8 7 0".parse().unwrap();
    let goal = Goal::blank_last(board.shape());
    assert_eq!(solve_by_lines(&board, &goal).err(), goal.check_solvable(&board).err());
}
