//! Solvers on boards whose optimum is known. `tests/solvers/run` gives the same boards to programs.

use std::ops::ControlFlow;
use std::time::Duration;

use pdb_core::{Board, Goal, Shape};
use pdb_oracle::{are_long, distances};
use tilebase_model::Form;
use tilebase_model::solve::{
    HorizonStatus, MicroLp, Outcome, Question, SolutionFile, Solver, Status, StopReason, solve,
};

use crate::forms::board;

/// Returns a board and its optimum: the instance of the case study, or in short tests the board
/// after its first four moves.
fn instance() -> (Board, u32) {
    if are_long() {
        (board("5 1 2 3/9 6 7 4/13 10 11 8/14 15 0 12"), 11)
    } else {
        (board("5 1 2 3/0 6 7 4/9 10 11 8/13 14 15 12"), 7)
    }
}

fn question<'a>(board: &'a Board, goal: &'a Goal, form: Form) -> Question<'a> {
    Question { board, goal, form, horizon: None, first: false, time: Some(Duration::from_mins(5)) }
}

fn answer(question: Question<'_>, solver: &dyn Solver) -> Outcome {
    let outcome = solve(question, solver, &mut |_| ControlFlow::Continue(()));
    outcome.unwrap_or_else(|error| panic!("{} {}: {error}", solver.name(), question.board))
}

fn assert_solves(outcome: &Outcome, length: usize) {
    let moves = outcome.moves().unwrap_or_else(|| panic!("{outcome:?}"));
    let end = outcome.board.after(moves).expect("moves that are possible");
    assert_eq!(end, *outcome.goal.board());
    assert_eq!(moves.len(), length, "{outcome:?}");
}

#[test]
fn solves_the_instance_in_its_optimum() {
    let (board, length) = instance();
    let goal = Goal::blank_last(board.shape());
    for form in Form::ALL {
        // This takes minutes.
        if form == Form::Neos {
            continue;
        }
        let outcome = answer(question(&board, &goal, form), &MicroLp);
        assert_solves(&outcome, length as usize);
        assert!(outcome.is_proved());
        // The Manhattan distance is the proof.
        assert_eq!(outcome.horizons.len(), 1);
    }
}

#[test]
fn proves_that_the_instance_has_no_shorter_solution() {
    let (board, length) = instance();
    let goal = Goal::blank_last(board.shape());
    for form in Form::ALL {
        let question = Question { horizon: Some(length - 2), ..question(&board, &goal, form) };
        let outcome = answer(question, &MicroLp);
        assert_eq!(outcome.status, Status::Infeasible, "{form}");
        assert_eq!(outcome.horizons[0].status, HorizonStatus::Infeasible);
    }
}

#[test]
fn agrees_with_breadth_first_search_on_small_boards() {
    for (rows, cols, distance_max, long_count) in [(2, 3, 21, 360), (3, 3, 12, 100)] {
        let shape = Shape::new(rows, cols).unwrap();
        let goal = Goal::blank_last(shape);
        let all = distances(rows, cols, goal.board().tiles());
        let all: Vec<_> = all.iter().filter(|(_, distance)| **distance <= distance_max).collect();
        let count = if are_long() { long_count } else { 5 };
        for (tiles, distance) in (0..count).map(|place| all[place * all.len() / count]) {
            let board = Board::new(shape, tiles).expect("a board of the oracle");
            let outcome = answer(question(&board, &goal, Form::Flow), &MicroLp);
            assert_solves(&outcome, *distance as usize);
            assert!(outcome.is_proved(), "{outcome:?}");
        }
    }
}

#[test]
fn proves_the_optimum_horizon_by_horizon() {
    let shape = Shape::new(2, 3).unwrap();
    let goal = Goal::blank_last(shape);
    let all = distances(2, 3, goal.board().tiles());
    let (board, distance, least) = all
        .iter()
        .map(|(tiles, &distance)| (Board::new(shape, tiles).unwrap(), distance))
        .map(|(board, distance)| (board, distance, goal.manhattan_distance(&board)))
        .find(|(_, distance, least)| *distance >= least + 6)
        .expect("such a board");
    let outcome = answer(question(&board, &goal, Form::Flow), &MicroLp);
    assert_solves(&outcome, distance as usize);
    let (last, before) = outcome.horizons.split_last().expect("a horizon");
    assert_eq!(last.status, HorizonStatus::Optimal);
    let asked: Vec<u32> = before.iter().map(|one| one.horizon).collect();
    assert_eq!(asked, (least..distance).step_by(2).collect::<Vec<_>>());
    assert!(before.iter().all(|one| one.status == HorizonStatus::Infeasible));
}

#[test]
fn solution_of_a_long_horizon_is_proved_by_its_objective() {
    let goal = Goal::blank_last(Shape::new(2, 2).unwrap());
    let near = board("1 2/0 3");
    for (board, form, horizon, length) in [
        (&near, Form::Neos, Some(5), 1),
        (goal.board(), Form::Neos, None, 0),
        (goal.board(), Form::Flow, None, 0),
    ] {
        let question = Question { horizon, ..question(board, &goal, form) };
        let outcome = answer(question, &MicroLp);
        assert_solves(&outcome, length);
        assert!(outcome.is_proved(), "{outcome:?}");
    }
}

#[test]
fn first_solution_is_no_proof() {
    let board = board("1 2 3/4 5 6/0 7 8");
    let goal = Goal::blank_last(board.shape());
    let question =
        Question { horizon: Some(12), first: true, ..question(&board, &goal, Form::Flow) };
    let outcome = answer(question, &MicroLp);
    assert_solves(&outcome, 12);
    assert!(!outcome.is_proved(), "{outcome:?}");
    assert_eq!(outcome.lower_bound, Some(2));
    let question = Question { form: Form::Neos, horizon: Some(6), ..question };
    let outcome = answer(question, &MicroLp);
    let moves = outcome.moves().unwrap_or_else(|| panic!("{outcome:?}"));
    assert!(moves.len() <= 6);
    assert_eq!(outcome.is_proved(), moves.len() == 2);
}

#[test]
fn rejects_an_unsolvable_board_before_a_solver_runs() {
    let board = board("2 1 3/4 5 6/7 8 0");
    let goal = Goal::blank_last(board.shape());
    let unreadable = SolutionFile::new("empty".to_owned(), String::new());
    let outcome = answer(question(&board, &goal, Form::Flow), &unreadable);
    assert!(matches!(outcome.status, Status::Unsolvable(_)), "{outcome:?}");
    assert!(outcome.horizons.is_empty());
}

#[test]
fn watcher_stops_the_solver() {
    let board = board("1 2 3 0/10 14 8 4/9 7 6 12/13 5 11 15");
    let goal = Goal::blank_last(board.shape());
    let mut ticks = 0;
    let mut watch = |_: tilebase_model::solve::HorizonEvent<'_>| {
        ticks += 1;
        if ticks > 2 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let begun = std::time::Instant::now();
    let outcome = solve(question(&board, &goal, Form::Neos), &MicroLp, &mut watch).unwrap();
    assert_eq!(outcome.status, Status::Limit(StopReason::Watcher));
    assert!(begun.elapsed() < Duration::from_secs(20));
}

#[test]
fn time_limit_stops_the_solver_and_keeps_the_lower_bound() {
    // The optimum is 53 moves, which no solver reaches.
    let board = board("0 12 9 13/15 11 10 14/3 7 2 5/4 8 6 1");
    let goal = Goal::blank_last(board.shape());
    let time = Some(Duration::from_millis(500));
    let question = Question { time, ..question(&board, &goal, Form::Neos) };
    let begun = std::time::Instant::now();
    let outcome = answer(question, &MicroLp);
    assert_eq!(outcome.status, Status::Limit(StopReason::Time));
    assert!(outcome.lower_bound >= Some(goal.manhattan_distance(&board)));
    assert!(begun.elapsed() < Duration::from_secs(30));
}
