//! Claims about distances, compared with the distances of all boards.

use pdb_core::{Board, Goal};
use pdb_search::{
    Claim, KORF_BLANK_LAST, LimitKind, Limits, Manhattan, SearchError, Solver, Verdict, Work,
};

use crate::common::{distances, sample, shape};

fn goal_and_solver() -> (Goal, Solver<'static>) {
    let goal = Goal::blank_last(shape(3, 3));
    (goal, Solver::new(Manhattan::new(&goal), &goal, KORF_BLANK_LAST).expect("an order"))
}

#[test]
fn claims_are_true_for_exactly_the_distance_of_a_board() {
    let (goal, solver) = goal_and_solver();
    for (board, distance) in sample(&goal, 733) {
        let distance = distance as u32;
        for thread_count in [1, 2] {
            let work = Work { thread_count, ..Work::default() };
            let claim = |distance| Claim { board, distance, after: None };
            let below = (0..distance).map(claim);
            let claims: Vec<_> = below.chain([claim(distance)]).collect();
            let (verdicts, _) = solver.try_claims(&claims, &work).expect("claims of a board");
            let (last, others) = verdicts.split_last().expect("there is one for each");
            assert!(others.iter().all(|verdict| *verdict == Verdict::False), "{board}");
            let Verdict::True(moves) = last else { panic!("{board}: {last:?}") };
            assert_eq!(board.after(moves).as_ref(), Ok(goal.board()));
        }
    }
}

#[test]
fn a_neighbour_is_tried_without_the_move_that_led_to_it() {
    let (goal, solver) = goal_and_solver();
    let known = distances(&goal);
    for (board, distance) in sample(&goal, 499).into_iter().filter(|&(_, distance)| distance > 0) {
        let neighbours = board.legal_moves().map(|(direction, board)| Claim {
            board,
            distance: distance as u32 - 1,
            after: Some(direction),
        });
        let claims: Vec<_> = neighbours.collect();
        let (verdicts, _) =
            solver.try_claims(&claims, &Work::default()).expect("claims of neighbours");
        for (claim, verdict) in claims.iter().zip(verdicts) {
            let is_nearer = known[claim.board.tiles()] < distance;
            assert_eq!(matches!(verdict, Verdict::True(_)), is_nearer, "{board}: {claim:?}");
        }
    }
}

#[test]
fn claims_obey_limits_and_wrong_ones_are_detected() {
    let (goal, solver) = goal_and_solver();
    let board: Board = "8 6 7/2 5 4/3 0 1".parse().expect("this is a board");
    let claim = Claim { board, distance: 31, after: None };
    for nodes in [0, 1, 10, 100] {
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let work = Work { limits, ..Work::default() };
        let (verdicts, generated) = solver.try_claims(&[claim; 2], &work).expect("two claims");
        assert_eq!(verdicts, [Verdict::Open(LimitKind::Nodes), Verdict::Open(LimitKind::Nodes)]);
        assert!(generated <= 2 * nodes.max(1), "{generated} of {nodes}");
    }
    assert_eq!(solver.try_claims(&[], &Work::default()), Ok((Vec::new(), 0)));
    let tried = |board: Board, distance| {
        let claim = Claim { board, distance, after: None };
        solver.try_claims(&[claim], &Work::default()).map(|(verdicts, _)| verdicts)
    };
    assert_eq!(tried(*goal.board(), 0), Ok(vec![Verdict::True(Vec::new())]));
    let wrong = SearchError::NotLowerBound { bound: 2, length: 0 };
    assert_eq!(tried(*goal.board(), 2), Err(wrong));
    // Two moves suffice, so four cannot be the distance.
    let near = "1 2 3/4 5 6/0 7 8".parse().expect("this is a board");
    assert_eq!(tried(near, 4), Err(SearchError::NotLowerBound { bound: 4, length: 2 }));
    let odd = "2 1 3/4 5 6/7 8 0".parse().expect("this is a board");
    assert_eq!(tried(odd, 10), Ok(vec![Verdict::False]));
}
