//! Comparison of both forms with the oracle: every shortest solution is feasible, and every
//! feasible point is a solution.

use pdb_core::{Board, Direction, Goal, Shape};
use pdb_oracle::{distances, replay, solutions_of_length};
use tilebase_model::{
    BoardModel, Form, ModelError, VARIABLE_COUNT_MAX, encode, flow, horizon, neos,
};

use crate::points::points;

pub(crate) fn board(text: &str) -> Board {
    text.parse().unwrap()
}

fn shape(rows: usize, cols: usize) -> Shape {
    Shape::new(rows, cols).unwrap()
}

/// Returns the step between cases: every one in long tests. A prime one avoids patterns of the
/// order.
pub(crate) fn step() -> usize {
    if pdb_oracle::are_long() { 1 } else { 7 }
}

fn moves(letters: &str) -> Vec<Direction> {
    letters.chars().map(|letter| Direction::from_letter(letter).unwrap()).collect()
}

/// The case study's board, which needs 11 moves.
const INSTANCE: &str = "5 1 2 3/9 6 7 4/13 10 11 8/14 15 0 12";

/// Checks that every shortest solution satisfies both forms at its own horizon, and the form neos
/// at a longer one, and that the moves are read back.
fn check_shortest(board: &Board, goal: &Goal, distance: u32) {
    let shape = board.shape();
    let (tiles, home) = (board.tiles(), goal.board().tiles());
    let all = solutions_of_length(shape.rows(), shape.cols(), tiles, home, distance, "URDL");
    assert!(!all.is_empty());
    let roomy = neos(board, goal, distance + 2).unwrap();
    let models = Form::ALL.map(|form| encode(form, board, goal, distance).unwrap());
    for board_model in models.iter().chain([&roomy]) {
        for solution in &all {
            let moves = moves(solution);
            let values = board_model.values_of(&moves).unwrap();
            assert_eq!(board_model.model.check(&values), Ok(()), "{board} {solution}");
            assert_eq!(board_model.moves_of(&values), Ok(moves));
            let cost = if board_model.form() == Form::Neos { i64::from(distance) } else { 0 };
            let costs = board_model.model.costs();
            let found: f64 =
                costs.iter().zip(&values).map(|(cost, &value)| cost * value as f64).sum();
            assert_eq!(found as i64, cost);
        }
    }
}

#[test]
fn shortest_solutions_of_small_boards_are_feasible() {
    for (goal, distance_max, count) in [
        (Goal::blank_last(shape(2, 3)), 21, 360),
        (Goal::blank_first(shape(2, 3)), 21, 360),
        (Goal::new(board("4 0 2/1 5 3")), 21, 360),
        (Goal::blank_last(shape(3, 3)), 12, 1850),
    ] {
        let shape = goal.shape();
        let all = distances(shape.rows(), shape.cols(), goal.board().tiles());
        let near: Vec<_> = all.iter().filter(|(_, distance)| **distance <= distance_max).collect();
        assert_eq!(near.len(), count, "{shape}");
        for (tiles, distance) in near.iter().step_by(step()) {
            check_shortest(&Board::new(shape, tiles).unwrap(), &goal, **distance);
        }
    }
}

#[test]
fn shortest_solutions_of_2x5_and_4x2_boards_are_feasible() {
    for (rows, cols, start, distance) in [(2, 5, "URRDLURDLL", 10), (4, 2, "DRDLURDD", 8)] {
        let goal = Goal::blank_last(shape(rows, cols));
        let tiles = goal.board().tiles();
        let walked: Vec<u8> = start.chars().fold(tiles.to_vec(), |tiles, letter| {
            replay(rows, cols, &tiles, &letter.to_string()).unwrap_or(tiles)
        });
        let found = (0..=distance).find(|&length| {
            !solutions_of_length(rows, cols, &walked, tiles, length, "URDL").is_empty()
        });
        check_shortest(&Board::new(shape(rows, cols), &walked).unwrap(), &goal, found.unwrap());
    }
}

/// Returns all sequences of `length` moves to the goal. If `may_rest`, a rest (`.`) is a move, too.
fn sequences(board: &Board, goal: &Goal, length: u32, may_rest: bool) -> Vec<String> {
    let shape = board.shape();
    let (rows, cols) = (shape.rows(), shape.cols());
    let mut waiting = vec![(board.tiles().to_vec(), String::new())];
    for _ in 0..length {
        let mut next = Vec::new();
        for (tiles, made) in &waiting {
            for letter in ["U", "R", "D", "L"] {
                if let Some(after) = replay(rows, cols, tiles, letter) {
                    next.push((after, format!("{made}{letter}")));
                }
            }
            if may_rest {
                next.push((tiles.clone(), format!("{made}.")));
            }
        }
        waiting = next;
    }
    waiting.retain(|(tiles, _)| tiles == goal.board().tiles());
    waiting.into_iter().map(|(_, made)| made).collect()
}

/// Returns whether a move takes back the one before.
fn turns_back(sequence: &str) -> bool {
    ["UD", "DU", "LR", "RL"].iter().any(|pair| sequence.contains(pair))
}

/// Returns the moves of every feasible point, in order.
fn solved(board_model: &BoardModel) -> Vec<String> {
    let read = |values: Vec<i64>| -> String {
        board_model.moves_of(&values).unwrap().iter().map(|direction| direction.letter()).collect()
    };
    let mut found: Vec<String> = points(&board_model.model).into_iter().map(read).collect();
    found.sort_unstable();
    found
}

/// Returns boards near the goal, and a few distant ones.
fn boards_around(goal: &Goal, count: usize) -> Vec<Board> {
    let shape = goal.shape();
    let all = distances(shape.rows(), shape.cols(), goal.board().tiles());
    let mut all: Vec<_> = all.iter().map(|(tiles, distance)| (*distance, tiles)).collect();
    all.sort_unstable();
    let near = all.iter().take(count);
    let far = all.iter().rev().step_by(all.len() / 3 + 1);
    near.chain(far).map(|(_, tiles)| Board::new(shape, tiles).unwrap()).collect()
}

/// Compares the moves of all points near a goal with sequences of moves. Returns the number of
/// points.
fn compare_points(form: Form, goal: &Goal, boards: usize, horizon_max: u32) -> usize {
    let may_rest = form == Form::Neos;
    let mut count = 0;
    for board in boards_around(goal, boards) {
        for horizon in 0..=horizon_max {
            let mut expected = sequences(&board, goal, horizon, may_rest);
            expected.retain(|sequence| may_rest || !turns_back(sequence));
            let mut expected: Vec<_> =
                expected.into_iter().map(|sequence| sequence.replace('.', "")).collect();
            expected.sort_unstable();
            let found = solved(&encode(form, &board, goal, horizon).unwrap());
            assert_eq!(found, expected, "{form}, {board} to {}, {horizon}", goal.board());
            count += found.len();
        }
    }
    count
}

#[test]
fn points_of_flow_are_the_sequences_that_never_turn_back() {
    let cases = [
        (Goal::blank_last(shape(2, 2)), 12, 13),
        (Goal::blank_last(shape(2, 3)), 30, 8),
        (Goal::new(board("4 0 2/1 5 3")), 12, 8),
        (Goal::blank_last(shape(3, 2)), 12, 8),
    ];
    let count: usize = cases
        .iter()
        .map(|(goal, boards, max)| compare_points(Form::Flow, goal, *boards, *max))
        .sum();
    assert!(count > 90, "{count}");
}

#[test]
fn points_of_neos_are_the_sequences_with_rests() {
    let cases = [
        (Goal::blank_last(shape(2, 2)), 12, 5),
        (Goal::blank_last(shape(2, 3)), 6, 4),
        (Goal::new(board("2 4/0 1/3 5")), 6, 4),
    ];
    let count: usize = cases
        .iter()
        .map(|(goal, boards, max)| compare_points(Form::Neos, goal, *boards, *max))
        .sum();
    assert!(count > 500, "{count}");
}

#[test]
fn instance_has_the_expected_size() {
    let goal = Goal::blank_last(shape(4, 4));
    let board = board(INSTANCE);
    assert_eq!(horizon::least(&board, &goal), Ok(11));
    let board_model = neos(&board, &goal, 11).unwrap();
    let names: Vec<&str> = board_model.model.variables.iter().map(|v| &v.name[..]).collect();
    assert!(names.contains(&"p_i15_12") && names.contains(&"z_i15_11"));
    assert!(!names.contains(&"p_i15_13") && !names.contains(&"z_i15_12"));
    assert_eq!((board_model.model.variables.len(), board_model.model.rows.len()), (436, 815));
    // At the Manhattan distance, most variables of flow are removed.
    let board_model = flow(&board, &goal, 11).unwrap();
    assert!(board_model.model.variables.len() < 300, "{}", board_model.model.variables.len());
}

#[test]
fn rejects_a_horizon_that_is_too_large() {
    let goal = Goal::blank_last(shape(4, 4));
    let board = board(INSTANCE);
    for (form, name, horizon_max) in [(Form::Neos, "neos", 52_631), (Form::Flow, "flow", 1_983)] {
        for horizon in [horizon_max + 1, 1_000_000, u32::MAX] {
            let error = encode(form, &board, &goal, horizon).unwrap_err();
            let text = format!("use a horizon of at most {horizon_max}");
            assert!(error.to_string().contains(&text), "{error}");
            assert!(error.to_string().contains(&format!("the {name} model of a 4x4 board")));
        }
        assert!(form.variable_count_max(shape(4, 4), horizon_max) <= VARIABLE_COUNT_MAX);
        assert!(form.variable_count_max(shape(4, 4), horizon_max + 1) > VARIABLE_COUNT_MAX);
    }
}

#[test]
fn variable_count_max_is_an_upper_bound() {
    for (board, horizons) in
        [(board("1 2/0 3"), 0..6), (board("1 2 3/0 4 5"), 0..6), (board(INSTANCE), 9..12)]
    {
        let goal = Goal::blank_last(board.shape());
        for horizon in horizons {
            for form in Form::ALL {
                let counted = form.variable_count_max(board.shape(), horizon);
                let board_model = encode(form, &board, &goal, horizon).unwrap();
                let there = board_model.model.variables.len() as u64;
                assert!(there <= counted, "{form} {board} {horizon}: {there} of {counted}");
                if form == Form::Neos {
                    assert_eq!(there, counted);
                }
            }
        }
    }
}

#[test]
fn rejects_an_unsolvable_board_with_the_reason() {
    let goal = Goal::blank_last(shape(4, 4));
    let board = board("1 2 3 4/5 6 7 8/9 10 11 12/13 15 14 0");
    for form in Form::ALL {
        let error = encode(form, &board, &goal, 1_000_000).unwrap_err();
        assert!(matches!(error, ModelError::Unsolvable(_)));
        let text = error.to_string();
        assert!(text.starts_with("the board cannot be solved: no sequence of moves"), "{text}");
        assert!(text.contains("the permutation of tiles and blank is odd"), "{text}");
    }
    assert!(matches!(horizon::least(&board, &goal), Err(ModelError::Unsolvable(_))));
}

#[test]
fn rejects_a_goal_of_another_shape() {
    let goal = Goal::blank_last(shape(3, 3));
    let error = encode(Form::Flow, &board(INSTANCE), &goal, 3).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the goal has the shape 3x3, but the board 4x4: give both the same shape"
    );
}

#[test]
fn possible_horizons_start_at_the_manhattan_distance() {
    let goal = Goal::blank_last(shape(2, 3));
    for (tiles, distance) in distances(2, 3, goal.board().tiles()) {
        let board = Board::new(shape(2, 3), &tiles).unwrap();
        let least = horizon::least(&board, &goal).unwrap();
        assert_eq!(least, pdb_oracle::manhattan(3, &tiles, goal.board().tiles()));
        assert!(least <= distance);
        assert_eq!(horizon::may_suffice(&board, &goal, distance), Ok(true));
        assert_eq!(horizon::may_suffice(&board, &goal, distance + 1), Ok(false));
        if least > 1 {
            assert_eq!(horizon::may_suffice(&board, &goal, least - 2), Ok(false));
        }
    }
}

#[test]
fn rejects_wrong_values_with_the_reason() {
    let goal = Goal::blank_last(shape(2, 3));
    let board = board("1 2 3/0 4 5");
    for form in Form::ALL {
        let board_model = encode(form, &board, &goal, 2).unwrap();
        let good = board_model.values_of(&moves("LL")).unwrap();
        assert_eq!(board_model.moves_of(&good), Ok(moves("LL")));
        let error = board_model.moves_of(&good[1..]).unwrap_err();
        assert!(matches!(error, ModelError::ValueCount { .. }), "{error}");
        for (place, variable) in board_model.model.variables.iter().enumerate() {
            for bad in [good[place] - 1, good[place] + 1, i64::MIN, i64::MAX] {
                let mut values = good.clone();
                values[place] = bad;
                let error = board_model.moves_of(&values).unwrap_err();
                if (variable.low..=variable.high).contains(&bad) {
                    assert!(matches!(error, ModelError::Broken { .. }), "{error}");
                } else {
                    assert!(error.to_string().starts_with(&variable.name), "{error}");
                }
            }
        }
    }
}

#[test]
fn rejects_impossible_moves_and_too_many_moves() {
    let goal = Goal::blank_last(shape(2, 3));
    let board = board("1 2 3/0 4 5");
    let flow = flow(&board, &goal, 2).unwrap();
    let neos = neos(&board, &goal, 2).unwrap();
    assert!(matches!(flow.values_of(&moves("L")), Err(ModelError::MoveCount { .. })));
    assert!(matches!(neos.values_of(&moves("LLR")), Err(ModelError::MoveCount { .. })));
    assert!(matches!(neos.values_of(&moves("RR")), Err(ModelError::Moves(_))));
    // Moves to another board have values, which are no solution.
    let values = neos.values_of(&moves("L")).unwrap();
    assert!(matches!(neos.model.check(&values), Err(ModelError::Broken { .. })));
}

#[test]
fn reads_names_of_forms() {
    for form in Form::ALL {
        assert_eq!(form.name().parse(), Ok(form));
    }
    let error = "FLOW".parse::<Form>().unwrap_err();
    assert_eq!(error.to_string(), "there is no form `FLOW` of the model: expected neos or flow");
}
