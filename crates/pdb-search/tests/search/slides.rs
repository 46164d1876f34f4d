//! Searches in which a slide of several tiles is one move.

use pdb_core::{Goal, Metric, Shape};
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
