//! Films of moves.

use std::sync::Arc;

use axum::Extension;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use pdb_draw::{Colouring, Film, Panel, Theme, Timing, pictures};
use pdb_lab::Engine;
use tilebase::{
    Board, Direction, Error, Goal, Search, Status, Tilebase, WrittenMoves, confirm, heuristic,
};

use crate::params::Params;
use crate::problem::Problem;
use crate::settings::IsLocal;
use crate::state::State;

/// The longest film, in moves.
const MOVES_MAX: usize = 1000;
/// The longest line above the board, in bytes.
const CAPTION_BYTES_MAX: usize = 200;
/// A film has its style in itself, and plays without a script.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

/// What the colours of tiles say.
#[derive(Clone, Copy, Debug)]
enum Colours {
    Usual,
    Plain,
    Rows,
    Columns,
    Partition,
    Parity,
    OddEven,
}

/// What a film is sent as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Svg,
    Gif,
    Apng,
}

pub(super) async fn animation(
    state: State,
    is_local: Extension<IsLocal>,
    params: Params,
) -> Result<Response, Problem> {
    let params = params.only(&[
        "board",
        "goal",
        "spec",
        "moves",
        "sequence",
        "colours",
        "speed",
        "cell",
        "caption",
        "paper",
        "format",
        "time_limit",
    ])?;
    let board = params.board()?;
    let of_blank = params.style()?.naming == tilebase::MoveNaming::Blank;
    let sequence = params.text("sequence").map(|text| WrittenMoves::parse(text, of_blank));
    let sequence = sequence.transpose();
    let sequence =
        sequence.map_err(|error| Problem::bad(format!("the parameter sequence: {error}")))?;
    if let Some(sequence) = &sequence {
        if sequence.len() > MOVES_MAX {
            let found = sequence.len();
            let detail = format!("there are {found} moves: expected at most {MOVES_MAX} in a film");
            return Err(Problem::bad(detail));
        }
        if let Some(problem) = sequence.replay(&board).illegal {
            return Err(Problem::bad(format!("the parameter sequence: {problem}")));
        }
    }
    let colours = params.word(
        "colours",
        &[
            ("", Colours::Usual),
            ("plain", Colours::Plain),
            ("rows", Colours::Rows),
            ("columns", Colours::Columns),
            ("partition", Colours::Partition),
            ("parity", Colours::Parity),
            ("odd-even", Colours::OddEven),
        ],
    )?;
    let papers = [("auto", Theme::Auto), ("light", Theme::Light), ("dark", Theme::Dark)];
    let theme = params.word("paper", &papers)?;
    let kind =
        params.word("format", &[("svg", Kind::Svg), ("gif", Kind::Gif), ("apng", Kind::Apng)])?;
    let speed = params.number("speed", 3.0, 0.2..=20.0)?;
    let cell = params.number("cell", 64.0, 16.0..=128.0)?;
    let caption = params.text("caption").map(str::to_owned);
    if caption.as_ref().is_some_and(|caption| caption.len() > CAPTION_BYTES_MAX) {
        let detail = format!("the caption is too long: expected at most {CAPTION_BYTES_MAX} bytes");
        return Err(Problem::bad(detail));
    }
    let of = |name| params.text(name).map(str::to_owned);
    let (spec_text, goal_text) = (of("spec"), of("goal"));
    let tables = state.tables.handle(spec_text.as_deref(), goal_text.as_deref())?;
    let limits = &state.settings.limits;
    let time = params.time()?.unwrap_or(limits.time).min(limits.time_max(*is_local));
    let shared = Arc::clone(&state);
    let make = move |search: Search| {
        let goal = tables.goal(board.shape()).map_err(Error::from)?;
        let problem =
            |error| shared.tables.problem(spec_text.as_deref(), goal_text.as_deref(), error);
        let engine = tables.engine(&goal).map_err(problem)?;
        let moves = match &sequence {
            Some(sequence) => sequence.replay(&board).moves,
            None => solution(&tables, board, &search)?,
        };
        let panel = panel(&engine, &board, &goal, &moves, colours)?;
        confirm(&engine).map_err(problem)?;
        let mut film = Film::new(vec![panel], Timing::of_speed(speed)).cell(cell);
        if let Some(caption) = &caption {
            film = film.caption(caption);
        }
        picture(&film, kind, theme)
    };
    let search = Search { time: Some(time), ..Search::default() };
    let bytes = state.desk.at_leisure(search, make).await?;
    let kind = match kind {
        Kind::Svg => "image/svg+xml",
        Kind::Gif => "image/gif",
        Kind::Apng => "image/apng",
    };
    let headers = [(header::CONTENT_TYPE, kind), (header::CONTENT_SECURITY_POLICY, POLICY)];
    Ok((headers.map(|(name, value)| (name, HeaderValue::from_static(value))), bytes)
        .into_response())
}

/// A board with the estimates of what it is solved with, which are [confirmed](confirm) by the caller.
fn panel(
    engine: &Engine,
    board: &Board,
    goal: &Goal,
    moves: &[Direction],
    colours: Colours,
) -> Result<Panel, Problem> {
    let partition = || -> Result<Option<Colouring>, Error> {
        let known = heuristic(engine.name(), goal).ok();
        let Some(spec) = known.as_ref().and_then(|known| known.tables()) else { return Ok(None) };
        let drawn = pictures::drawn_patterns(&spec.for_goal(goal)?).into_iter().next();
        Ok(drawn.map(Colouring::Patterns))
    };
    let colouring = match colours {
        Colours::Plain => Colouring::Plain,
        Colours::Rows => Colouring::Rows,
        Colours::Columns => Colouring::Columns,
        Colours::Parity => Colouring::Parity,
        Colours::OddEven => Colouring::OddEven,
        Colours::Usual => partition()?.unwrap_or(Colouring::Rows),
        Colours::Partition => partition()?.ok_or_else(|| {
            let name = engine.name();
            Problem::bad(format!(
                "{name} has no partition to colour tiles by: name a spec, or other colours"
            ))
        })?,
    };
    let panel = Panel::new(board, goal, moves, colouring)
        .map_err(|error| Problem::bad(error.to_string()))?;
    // A board that moves cannot bring to the goal has no estimate.
    if goal.check_solvable(board).is_err() {
        return Ok(panel);
    }
    let estimates: Result<Vec<u32>, _> =
        panel.boards().iter().map(|board| engine.estimate(board)).collect();
    let estimates = estimates.map_err(|error| {
        Problem::from(Error::Search(tilebase::pdb_search::SearchError::from(error)))
    })?;
    Ok(panel.count(format!("estimate, {}", engine.name()), estimates))
}

/// The moves of a shortest solution.
fn solution(tables: &Tilebase, board: Board, search: &Search) -> Result<Vec<Direction>, Problem> {
    match tables.solve_with(board, search)?.status {
        Status::Optimal { moves } | Status::Solved { moves, .. } => Ok(moves),
        Status::Unsolvable(reason) => Err(Problem::conflict(format!(
            "the board has no solution to show: {reason}; give moves with sequence"
        ))),
        _ => Err(Problem::conflict(
            "the board was not solved within the limits: give moves with sequence, or more time",
        )),
    }
}

fn picture(film: &Film, kind: Kind, theme: Theme) -> Result<Vec<u8>, Problem> {
    match kind {
        Kind::Svg => Ok(film.to_svg(theme).into_bytes()),
        _ => dots(film, kind, theme),
    }
}

#[cfg(feature = "raster")]
fn dots(film: &Film, kind: Kind, theme: Theme) -> Result<Vec<u8>, Problem> {
    let dots = match kind {
        Kind::Gif => pdb_draw::gif(film, theme, 1.0),
        _ => pdb_draw::apng(film, theme, 1.0),
    };
    dots.map_err(|error| Problem::bad(error.to_string()))
}

#[cfg(not(feature = "raster"))]
fn dots(_: &Film, _: Kind, _: Theme) -> Result<Vec<u8>, Problem> {
    Err(Problem::bad("this server draws SVG alone: leave format out, or give svg"))
}
