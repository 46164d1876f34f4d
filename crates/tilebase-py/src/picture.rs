//! Pictures for notebooks.

use pyo3::prelude::*;
use tilebase::Error;
use tilebase::text::WrittenMoves;
use tilebase_draw::{Colouring, Film, Panel, Theme, Timing, pictures};

use crate::board::{Board, Goal};
use crate::errors::{ErrorClass, Result, named, raise};

const COLOURINGS: [(&str, Colouring); 6] = [
    ("plain", Colouring::Plain),
    ("rows", Colouring::Rows),
    ("columns", Colouring::Columns),
    ("parity", Colouring::Parity),
    ("odd-even", Colouring::OddEven),
    ("distance", Colouring::Distance),
];

fn goal_and_colours(
    board: &Board,
    goal: Option<&Goal>,
    colours: &str,
) -> Result<(tilebase::Goal, Colouring)> {
    let shape = board.0.shape();
    let goal = goal.map_or_else(|| tilebase::Goal::blank_last(shape), |goal| goal.0);
    if goal.shape() != shape {
        let found = goal.shape();
        let message = format!("expected a goal of {shape}, as the board has, found {found}");
        return Err(raise(ErrorClass::BoardError, message));
    }
    Ok((goal, named("colours", colours, &COLOURINGS)?))
}

/// Draws a board as SVG, with its goal beside it on request, and with a caption.
#[pyfunction]
pub(crate) fn board_svg(
    board: &Board,
    goal: Option<&Goal>,
    colours: &str,
    with_goal: bool,
    caption: Option<&str>,
) -> Result<String> {
    let (goal, colouring) = goal_and_colours(board, goal, colours)?;
    Ok(pictures::board(&board.0, &goal, &colouring, with_goal, caption).to_svg(Theme::Auto))
}

/// Draws moves one after another, as SVG that plays by itself.
#[pyfunction]
pub(crate) fn film_svg(
    board: &Board,
    goal: Option<&Goal>,
    moves: &str,
    colours: &str,
    caption: Option<&str>,
    moves_a_second: f64,
) -> Result<String> {
    if !(moves_a_second > 0.0 && moves_a_second <= 1000.0) {
        let message = format!("expected 0 to 1000 moves a second, found {moves_a_second}");
        return Err(raise(ErrorClass::ArgumentError, message));
    }
    let (goal, colouring) = goal_and_colours(board, goal, colours)?;
    let (moves, _) = WrittenMoves::parse(moves, false)?.make(&board.0).map_err(Error::from)?;
    let panel = Panel::new(&board.0, &goal, &moves, colouring);
    let mut panel = panel.expect("these moves are possible");
    if let Some(caption) = caption {
        panel = panel.caption(caption);
    }
    Ok(Film::new(vec![panel], Timing::of_speed(moves_a_second)).to_svg(Theme::Auto))
}
