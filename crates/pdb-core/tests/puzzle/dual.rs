//! Duals: boards whose solutions are the reversed solutions of other boards.

use pdb_core::{BLANK, Board, Direction, Dual, Goal, Shape};

/// Returns a goal for every home of the blank, with the tiles in reverse order.
fn dual_goals(shape: Shape) -> impl Iterator<Item = Goal> {
    shape.all_cells().iter().map(move |blank| {
        let mut tiles: Vec<u8> = (1..shape.cell_count() as u8).rev().collect();
        tiles.insert(blank.into(), BLANK);
        Goal::new(Board::new(shape, &tiles).expect("each tile is there once"))
    })
}

#[test]
fn dual_has_the_distance_of_the_board_and_its_solution_solves_the_board() {
    for (rows, cols) in [(2, 2), (2, 3), (3, 2), (2, 4)] {
        let shape = Shape::new(rows, cols).expect("a small shape");
        // One board in 23 and one goal in three of 2x4; all in long tests.
        let is_whole = pdb_oracle::are_long() || shape.cell_count() < 8;
        let [step, goal_step] = if is_whole { [1, 1] } else { [23, 3] };
        for goal in [Goal::blank_last(shape), Goal::snail(shape)] {
            let known = pdb_oracle::distances(rows, cols, goal.board().tiles());
            let dual_goals = dual_goals(shape).chain(dual_goals(shape.transposed()));
            for dual_goal in dual_goals.step_by(goal_step) {
                let (rows, cols) = (dual_goal.shape().rows(), dual_goal.shape().cols());
                let known_there = pdb_oracle::distances(rows, cols, dual_goal.board().tiles());
                let mut count = 0;
                for (tiles, distance) in known.iter().step_by(step) {
                    let board = Board::new(shape, tiles).expect("the oracle has boards");
                    let Some(dual) = Dual::new(&goal, &board, &dual_goal) else { continue };
                    count += 1;
                    let mut at = *dual.board();
                    assert_eq!(known_there.get(at.tiles()), Some(distance), "{board}");
                    let mut moves = Vec::new();
                    while at != *dual_goal.board() {
                        let here = known_there[at.tiles()];
                        let is_nearer =
                            |(_, next): &(Direction, Board)| known_there[next.tiles()] < here;
                        let (direction, next) = at.legal_moves().find(is_nearer).expect("a way");
                        at = next;
                        moves.push(direction);
                    }
                    let solution = dual.solution(&moves).expect("the moves can be made");
                    assert_eq!(solution.len(), moves.len());
                    assert_eq!(dual.of_solution(&solution), Some(moves));
                    assert_eq!(board.after(&solution).as_ref(), Ok(goal.board()), "{board}");
                }
                assert!(count > 0, "no board of {shape} has a dual with {dual_goal:?}");
            }
        }
    }
}

#[test]
fn blank_without_a_symmetry_has_no_dual_and_impossible_moves_are_no_solution() {
    let goal = Goal::blank_last(Shape::new(3, 3).expect("a small shape"));
    let board: Board = "1 2 3/4 0 5/7 8 6".parse().expect("a board");
    assert_eq!(Dual::new(&goal, &board, &goal), None);
    let dual = Dual::new(&goal, goal.board(), &goal).expect("the blank is at home");
    assert_eq!(dual.solution(&[]), Some(Vec::new()));
    assert_eq!(dual.solution(&[Direction::Left]), None);
    assert_eq!(dual.of_solution(&[Direction::Up]), None);
}
