//! IDA* compared with breadth-first search and with a recursion, and turned by 180 degrees.

use crate::common::{ByBoard, InTwoSteps, distances, moves, sample, shape};
use pdb_core::{Board, Direction, Goal, Heuristic};
use pdb_search::{
    BoundCount, KORF_BLANK_FIRST, KORF_BLANK_LAST, Limits, Manhattan, Options, Outcome, Solver,
    Status,
};

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

#[test]
fn an_estimate_of_zero_does_not_make_a_board_the_goal() {
    let shape = shape(2, 3);
    let goal = Goal::blank_last(shape);
    let parity = ByBoard::new(|board: &Board| Ok(shape.distance(board.blank(), goal.home(0)) % 2));
    let solver = Solver::new(parity, &goal, KORF_BLANK_LAST).unwrap();
    for (tiles, distance) in sample(distances(&goal), 3) {
        let board = Board::new(shape, tiles).unwrap();
        let outcome = solver.ida_star(&board, &Options::default()).unwrap();
        assert_eq!(moves(&outcome).len(), distance);
    }
}

/// Plain IDA* by recursion over boards, from the definition.
struct Recursion<'a> {
    goal: &'a Goal,
    order: [Direction; 4],
    generated: u64,
    expanded: u64,
}

impl Recursion<'_> {
    /// Returns the moves of the solution, and what each bound generated and expanded.
    fn solve(&mut self, board: &Board) -> (Vec<Direction>, Vec<BoundCount>) {
        let (mut path, mut bounds) = (Vec::new(), Vec::new());
        let mut bound = self.goal.manhattan_distance(board);
        (self.generated, self.expanded) = (1, 0);
        loop {
            let is_found = board == self.goal.board() || self.descend(board, bound, &mut path);
            let (generated, expanded) = (self.generated, self.expanded);
            bounds.push(BoundCount { bound, generated, expanded });
            if is_found {
                return (path, bounds);
            }
            (self.generated, self.expanded) = (0, 0);
            bound += 2;
        }
    }

    fn descend(&mut self, board: &Board, left: u32, path: &mut Vec<Direction>) -> bool {
        self.expanded += 1;
        for direction in self.order {
            if path.last() == Some(&direction.opposite()) {
                continue;
            }
            let Some(child) = board.moved(direction) else { continue };
            self.generated += 1;
            if self.goal.manhattan_distance(&child) < left {
                path.push(direction);
                if child == *self.goal.board() || self.descend(&child, left - 1, path) {
                    return true;
                }
                path.pop();
            }
        }
        false
    }
}

/// Compares plain searches in a lane, by Manhattan distance in any form, with the recursion.
fn check_lane<H: Heuristic + Send>(heuristic: H, goal: &Goal, boards: &[Board]) {
    let solver = Solver::new(heuristic, goal, KORF_BLANK_LAST).unwrap();
    for order in [KORF_BLANK_FIRST, KORF_BLANK_LAST] {
        let mut plain = Recursion { goal, order, generated: 0, expanded: 0 };
        let options = Options { order, ..Options::default() };
        for board in boards {
            let (moves, bounds) = plain.solve(board);
            let total: u64 = bounds.iter().map(|bound| bound.generated).sum();
            let outcome = solver.ida_star(board, &options).unwrap();
            assert_eq!(outcome.status, Status::Optimal { moves }, "{board}");
            assert_eq!((outcome.generated, &outcome.bounds), (total, &bounds), "{board}");
            assert_eq!(
                outcome.expanded,
                bounds.iter().map(|bound| bound.expanded).sum(),
                "{board}"
            );
            // The children of a node come together, so exactly so many nodes may be too few.
            for nodes in [0, total / 2, total + 100] {
                let limits = Limits { nodes: Some(nodes), ..Limits::default() };
                let stopped = solver.ida_star(board, &Options { limits, ..options }).unwrap();
                assert!(stopped.generated <= nodes, "{board}");
                let is_solved = !matches!(stopped.status, Status::Limit { .. });
                assert_eq!(is_solved, nodes >= total, "{board}: {nodes} nodes");
            }
        }
    }
}

#[test]
fn a_lane_counts_the_nodes_of_plain_ida_star() {
    let square = Goal::blank_last(shape(3, 3));
    let sampled = sample(distances(&square), 3_001);
    let mut boards: Vec<Board> =
        sampled.iter().map(|(tiles, _)| Board::new(square.shape(), tiles).unwrap()).collect();
    boards.push(*square.board());
    check_lane(Manhattan::new(&square), &square, &boards);
    check_lane(InTwoSteps::new(&square), &square, &boards);
    let line = Goal::blank_last(shape(1, 4));
    let rotated = Board::new(line.shape(), &[0, 1, 2, 3]).unwrap();
    check_lane(Manhattan::new(&line), &line, &[rotated]);
}
