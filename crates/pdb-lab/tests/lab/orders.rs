//! Beams by the embedded learned orders.

use pdb_core::{Board, Goal, Plan, Shape};
use pdb_lab::{Engine, EngineError, HeuristicName, SearchName, learned_order};
use pdb_oracle::Random;
use pdb_search::{Limits, Outcome, SearchError, Weight};

use crate::common::{random_board, shape};

fn shapes() -> Vec<Shape> {
    let sides = (2..=8).flat_map(|rows| (2..=8).map(move |cols| shape(rows, cols)));
    sides.filter(|&shape| learned_order(&Goal::blank_last(shape), |_| None).is_some()).collect()
}

fn solve(
    heuristic: &str,
    search: &str,
    goal: &Goal,
    board: &Board,
) -> Result<Outcome, SearchError> {
    let search: SearchName = search.parse().unwrap();
    let names = HeuristicName::parse_list(heuristic, goal.shape(), &|_| None, &|_| None).unwrap();
    let open = &mut |_: &str, _: &Plan| -> Result<_, EngineError> { unreachable!("no tables") };
    let engine = Engine::open(&names[0], goal, open).unwrap();
    engine.search(search, board, Weight::ONE, Limits::default())
}

#[test]
fn beams_by_the_embedded_orders_are_the_same_with_every_heuristic_and_short() {
    let mut random = Random::default();
    assert_eq!(shapes().len(), 9);
    for shape in shapes().into_iter().filter(|shape| shape.cell_count() <= 36) {
        for goal in [Goal::blank_last(shape), Goal::blank_first(shape)] {
            let board = random_board(shape, &goal, &mut random);
            let found = ["manhattan", "linear-conflict", "misplaced"]
                .map(|heuristic| solve(heuristic, "beam:100:net", &goal, &board).unwrap());
            let moves = found.each_ref().map(|outcome| outcome.status.moves().unwrap());
            assert_eq!(board.after(moves[0]).as_ref(), Ok(goal.board()));
            assert!(moves.iter().all(|other| other == &moves[0]));
            assert!(found.iter().all(|outcome| outcome.generated == found[0].generated));
            let by_estimates = solve("manhattan", "beam:100", &goal, &board).unwrap();
            let by_estimates = by_estimates.status.moves().unwrap();
            assert!(moves[0].len() < by_estimates.len(), "{board}: {}", moves[0].len());
        }
    }
}

#[test]
fn a_goal_without_an_order_is_named() {
    let shape = shapes()[0];
    let goal = Goal::snail(shape);
    let board = random_board(shape, &goal, &mut Random::default());
    let goal_board = *goal.board();
    let error = solve("manhattan", "beam:10:net", &goal, &board).unwrap_err();
    assert_eq!(error, SearchError::NoOrder { shape, goal: goal_board });
}
