//! Searches in which a slide of several tiles is one move.

use pdb_core::{Board, Goal, Metric, Shape};
use pdb_search::{Options, SlideManhattan, SlideSolver};

#[test]
fn several_threads_search_one_board() {
    let goal = Goal::blank_last(Shape::new(3, 4).unwrap());
    let solver = SlideSolver::new(SlideManhattan::new(&goal), &goal);
    let board = "6 8 9 3/10 7 11 2/1 5 0 4".parse().unwrap();
    let [alone, together] = [1, 3]
        .map(|threads| solver.solve_on_threads(&board, &Options::default(), threads).unwrap());
    for found in [&alone, &together] {
        let moves = found.status.moves().unwrap();
        assert_eq!(board.after(moves).as_ref(), Ok(goal.board()));
        assert_eq!(Metric::MultiTile.count(moves), 22);
    }
    // Smaller bounds stay on one thread.
    assert!(alone.generated > 1 << 18, "{alone:?}");
    let (last, complete) = alone.bounds.split_last().unwrap();
    assert_eq!(complete, &together.bounds[..complete.len()]);
    assert_eq!(last.bound, together.bounds.last().unwrap().bound);
}

#[test]
fn a_slide_solves_every_board_of_a_line() {
    for (rows, cols) in [(1, 2), (1, 5), (6, 1), (1, 64)] {
        let shape = Shape::new(rows, cols).unwrap();
        for goal in [Goal::blank_last(shape), Goal::in_order(shape, 1)] {
            let known = pdb_oracle::slide_distances(rows, cols, goal.board().tiles());
            assert_eq!(known.len(), shape.cell_count());
            let solver = SlideSolver::new(SlideManhattan::new(&goal), &goal);
            for (tiles, distances) in known {
                let board = Board::new(shape, &tiles).unwrap();
                let outcome = solver.solve(&board, &Options::default()).unwrap();
                let moves = outcome.status.moves().unwrap();
                assert_eq!(board.after(moves).as_ref(), Ok(goal.board()));
                assert_eq!(Metric::MultiTile.count(moves) as u32, *distances.iter().min().unwrap());
                assert_eq!(solver.bound(&board), Ok(outcome.initial_estimate.unwrap()));
            }
        }
    }
}
