//! Pictures for notebooks.

use pyo3::prelude::*;
use tilebase::text::WrittenMoves;
use tilebase_draw::{Colouring, Film, Panel, Theme, Timing, pictures};

use crate::board::{Board, Goal};
use crate::errors::{Kind, Result, named, raise};

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
        return Err(raise(Kind::BoardError, message));
    }
    Ok((goal, named(Kind::TilebaseError, "colours", colours, &COLOURINGS)?))
}

/// Draws a board as SVG, with its goal beside it on request, and with a caption.
#[pyfunction]
#[pyo3(signature = (board, goal, colours, with_goal, caption))]
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
#[pyo3(signature = (board, goal, moves, colours, caption, moves_a_second))]
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
        return Err(raise(Kind::TilebaseError, message));
    }
    let (goal, colouring) = goal_and_colours(board, goal, colours)?;
    let replay = WrittenMoves::parse(moves, false)?.replay(&board.0);
    if let Some(error) = replay.illegal {
        return Err(error.into());
    }
    let mut panel = Panel::new(&board.0, &goal, &replay.moves, colouring)?;
    if let Some(caption) = caption {
        panel = panel.caption(caption);
    }
    Ok(Film::new(vec![panel], Timing::of_speed(moves_a_second)).to_svg(Theme::Auto))
}
