//! Pictures for notebooks.

use pdb_draw::{Colouring, Film, Panel, Theme, Timing, pictures};
use pyo3::prelude::*;
use tilebase::WrittenMoves;

use crate::board::{Board, Goal};
use crate::errors::{Kind, raise};

/// A board on its own, coloured by the rows of the usual goal.
pub(crate) fn of_board(board: &tilebase::Board) -> String {
    let goal = tilebase::Goal::blank_last(board.shape());
    pictures::board(board, &goal, &Colouring::Rows, false, None).to_svg(Theme::Auto)
}

fn colouring(name: &str) -> PyResult<Colouring> {
    Ok(match name {
        "plain" => Colouring::Plain,
        "rows" => Colouring::Rows,
        "columns" => Colouring::Columns,
        "parity" => Colouring::Parity,
        "odd-even" => Colouring::OddEven,
        "distance" => Colouring::Distance,
        _ => {
            let message = format!(
                "expected colours plain, rows, columns, parity, odd-even or distance, found {name:?}"
            );
            return Err(raise(Kind::Other, message, None));
        }
    })
}

fn goal_of(board: &Board, goal: Option<&Goal>) -> PyResult<tilebase::Goal> {
    let shape = board.0.shape();
    match goal {
        None => Ok(tilebase::Goal::blank_last(shape)),
        Some(goal) if goal.0.shape() == shape => Ok(goal.0),
        Some(goal) => {
            let found = goal.0.shape();
            let message = format!("expected a goal of {shape}, as the board has, found {found}");
            Err(raise(Kind::Board, message, None))
        }
    }
}

/// A board, its goal beside it if that is asked for, and a caption, as SVG.
#[pyfunction]
#[pyo3(signature = (board, goal, colours, with_goal, caption))]
pub(crate) fn board_svg(
    board: &Board,
    goal: Option<&Goal>,
    colours: &str,
    with_goal: bool,
    caption: Option<&str>,
) -> PyResult<String> {
    let (goal, colouring) = (goal_of(board, goal)?, colouring(colours)?);
    Ok(pictures::board(&board.0, &goal, &colouring, with_goal, caption).to_svg(Theme::Auto))
}

/// Moves one after another, as SVG that plays by itself.
#[pyfunction]
#[pyo3(signature = (board, goal, moves, colours, caption, moves_a_second))]
pub(crate) fn film_svg(
    board: &Board,
    goal: Option<&Goal>,
    moves: &str,
    colours: &str,
    caption: Option<&str>,
    moves_a_second: f64,
) -> PyResult<String> {
    let problem = |message: String| raise(Kind::Board, message, None);
    if !(moves_a_second > 0.0 && moves_a_second <= 1000.0) {
        let message = format!("expected 0 to 1000 moves a second, found {moves_a_second}");
        return Err(raise(Kind::Other, message, None));
    }
    let (goal, colouring) = (goal_of(board, goal)?, colouring(colours)?);
    let written = WrittenMoves::parse(moves, false).map_err(|error| problem(error.to_string()))?;
    let replay = written.replay(&board.0);
    if let Some(error) = replay.illegal {
        return Err(problem(error.to_string()));
    }
    let panel = Panel::new(&board.0, &goal, &replay.moves, colouring);
    let mut panel = panel.map_err(|error| problem(error.to_string()))?;
    if let Some(caption) = caption {
        panel = panel.caption(caption);
    }
    Ok(Film::new(vec![panel], Timing::of_speed(moves_a_second)).to_svg(Theme::Auto))
}
