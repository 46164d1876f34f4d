//! IDA* compared with breadth-first search, and turned by 180 degrees.

use std::time::Duration;

use crate::common::{ByBoard, InTwoSteps, distances, moves, sample, shape};
use pdb_core::{Board, Direction, Goal, Heuristic};
use pdb_search::{
    KORF_BLANK_FIRST, KORF_BLANK_LAST, Limits, Manhattan, Options, Outcome, SearchError, Solver,
    Status, ida_star, solve_manhattan,
};

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
fn an_estimate_of_zero_does_not_make_a_board_the_goal() {
    let shape = shape(2, 3);
    let goal = Goal::blank_last(shape);
    let parity = ByBoard::new(|board: &Board| Ok(shape.distance(board.blank(), goal.home(0)) % 2));
    for (tiles, distance) in sample(distances(&goal), 3) {
        let board = Board::new(shape, tiles).unwrap();
        let outcome = ida_star(&parity, &goal, &board, &Options::default()).unwrap();
        assert_eq!(moves(&outcome).len(), distance);
    }
}

/// Compares all that a plain search in a lane answers with [`ida_star`].
fn check_lane<H: Heuristic + Clone + Send>(heuristic: &H, goal: &Goal, boards: &[Board]) {
    let options = Options { order: KORF_BLANK_LAST, ..Options::default() };
    let solver = Solver::new(heuristic.clone(), goal, KORF_BLANK_FIRST).unwrap();
    let untimed = |outcome: Result<Outcome, SearchError>| {
        outcome.map(|outcome| Outcome { elapsed: Duration::ZERO, ..outcome })
    };
    for board in boards {
        let plain = untimed(ida_star(heuristic, goal, board, &options)).unwrap();
        assert_eq!(untimed(solver.ida_star(board, &options)).as_ref(), Ok(&plain), "{board}");
        // The children of a node come together, so exactly so many nodes may be too few.
        let (few, enough) = (plain.generated / 2, plain.generated + 100);
        for nodes in [0, few, enough] {
            let limits = Limits { nodes: Some(nodes), ..Limits::default() };
            let stopped = solver.ida_star(board, &Options { limits, ..options }).unwrap();
            assert!(stopped.generated <= nodes, "{board}");
            let is_solved = !matches!(stopped.status, Status::Limit { .. });
            assert_eq!(is_solved, nodes >= plain.generated, "{board}: {nodes} nodes");
        }
    }
}

#[test]
fn a_lane_generates_the_nodes_of_plain_ida_star() {
    let square = Goal::blank_last(shape(3, 3));
    let sampled = sample(distances(&square), 3_001);
    let mut boards: Vec<Board> =
        sampled.iter().map(|(tiles, _)| Board::new(square.shape(), tiles).unwrap()).collect();
    boards.push(*square.board());
    boards.push("1 2 3/4 5 6/8 7 0".parse().unwrap());
    check_lane(&Manhattan::new(&square), &square, &boards);
    check_lane(&InTwoSteps::new(&square), &square, &boards);
    let line = Goal::blank_last(shape(1, 4));
    let rotated = Board::new(line.shape(), &[0, 1, 2, 3]).unwrap();
    check_lane(&Manhattan::new(&line), &line, &[rotated]);
}
