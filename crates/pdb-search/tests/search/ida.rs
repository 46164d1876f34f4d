//! IDA* turned by 180 degrees.

use pdb_core::{Board, Direction, Goal};
use pdb_search::{KORF_BLANK_FIRST, KORF_BLANK_LAST, Manhattan, Options, Outcome, Solver};

use crate::common::moves;

#[test]
fn turning_board_goal_and_order_by_180_degrees_turns_the_search() {
    let first: Board = "3 14 9 11/5 4 8 2/13 12 6 7/10 1 15 0".parse().unwrap();
    let turned: Vec<u8> = first.tiles().iter().rev().map(|&t| (16 - t) % 16).collect();
    let last = Board::new(first.shape(), &turned).unwrap();
    let search = |goal: Goal, board: &Board, order| {
        let options = Options { order, ..Options::default() };
        let solver = Solver::new(Manhattan::new(&goal), &goal, order).unwrap();
        solver.ida_star(board, &options).unwrap()
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
