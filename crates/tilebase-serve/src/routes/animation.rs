//! Animations of moves.

use std::sync::Arc;

use axum::Extension;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use pdb_lab::Engine;
use tilebase::names::heuristic;
use tilebase::shelf::confirm;
use tilebase::text::WrittenMoves;
use tilebase::{Board, Direction, Error, Goal, Search, Status, Tilebase};
use tilebase_draw::{Colouring, Film, Panel, Theme, Timing};

use crate::params::Params;
use crate::problem::Problem;
use crate::settings::IsLocal;
use crate::state::State;

/// Longest animation, in moves.
const MOVES_MAX: usize = 1000;
/// Longest caption, in bytes.
const CAPTION_BYTES_MAX: usize = 200;
/// Content security policy: an animation has inline styles and no script.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

/// Colours of tiles.
#[derive(Clone, Debug)]
enum Colours {
    /// By the spec's partition, or by rows if it has none.
    Default,
    Partition,
    Fixed(Colouring),
}

/// Image format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
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
    let names_blank = params.style()?.naming == tilebase::text::MoveNaming::Blank;
    let sequence = params.text("sequence").map(|text| WrittenMoves::parse(text, names_blank));
    let sequence = sequence.transpose();
    let sequence =
        sequence.map_err(|error| Problem::bad(format!("the parameter sequence: {error}")))?;
    if let Some(sequence) = &sequence {
        if sequence.len() > MOVES_MAX {
            let found = sequence.len();
            let detail = format!("there are {found} moves: expected at most {MOVES_MAX}");
            return Err(Problem::bad(detail));
        }
        if let Some(problem) = sequence.replay(&board).illegal {
            return Err(Problem::bad(format!("the parameter sequence: {problem}")));
        }
    }
    let colours = params.word(
        "colours",
        &[
            ("", Colours::Default),
            ("plain", Colours::Fixed(Colouring::Plain)),
            ("rows", Colours::Fixed(Colouring::Rows)),
            ("columns", Colours::Fixed(Colouring::Columns)),
            ("partition", Colours::Partition),
            ("parity", Colours::Fixed(Colouring::Parity)),
            ("odd-even", Colours::Fixed(Colouring::OddEven)),
        ],
    )?;
    let papers = [("auto", Theme::Auto), ("light", Theme::Light), ("dark", Theme::Dark)];
    let theme = params.word("paper", &papers)?;
    let format = params
        .word("format", &[("svg", Format::Svg), ("gif", Format::Gif), ("apng", Format::Apng)])?;
    let speed = params.number("speed", 3.0, 0.2..=20.0)?;
    let cell = params.number("cell", 64.0, 16.0..=128.0)?;
    let caption = params.text("caption").map(str::to_owned);
    if caption.as_ref().is_some_and(|caption| caption.len() > CAPTION_BYTES_MAX) {
        let detail = format!("the caption is too long: expected at most {CAPTION_BYTES_MAX} bytes");
        return Err(Problem::bad(detail));
    }
    let text = |name| params.text(name).map(str::to_owned);
    let (spec_text, goal_text) = (text("spec"), text("goal"));
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
        let panel = panel(&engine, &board, &goal, &moves, &colours)?;
        confirm(&engine).map_err(problem)?;
        let mut film = Film::new(vec![panel], Timing::of_speed(speed)).cell(cell);
        if let Some(caption) = &caption {
            film = film.caption(caption);
        }
        picture(&film, format, theme)
    };
    let search = Search { time: Some(time), ..Search::default() };
    let bytes = state.workers.long(search, make).await?;
    let kind = match format {
        Format::Svg => "image/svg+xml",
        Format::Gif => "image/gif",
        Format::Apng => "image/apng",
    };
    let headers = [(header::CONTENT_TYPE, kind), (header::CONTENT_SECURITY_POLICY, POLICY)];
    Ok((headers.map(|(name, value)| (name, HeaderValue::from_static(value))), bytes)
        .into_response())
}

/// Creates the panel of a board, with estimates. The caller [confirms](confirm) them.
fn panel(
    engine: &Engine,
    board: &Board,
    goal: &Goal,
    moves: &[Direction],
    colours: &Colours,
) -> Result<Panel, Problem> {
    let partition = || -> Result<Option<Colouring>, Error> {
        let Ok(known) = heuristic(engine.name(), goal) else { return Ok(None) };
        Ok(known.first_partition(goal)?.map(Colouring::Patterns))
    };
    let colouring = match colours {
        Colours::Fixed(colouring) => colouring.clone(),
        Colours::Default => partition()?.unwrap_or(Colouring::Rows),
        Colours::Partition => partition()?.ok_or_else(|| {
            let name = engine.name();
            Problem::bad(format!(
                "{name} has no partition for colours: name a spec, or other colours"
            ))
        })?,
    };
    let panel = Panel::new(board, goal, moves, colouring)
        .map_err(|error| Problem::bad(error.to_string()))?;
    // An unsolvable board has no estimate.
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

/// Returns the moves of a shortest solution.
fn solution(tables: &Tilebase, board: Board, search: &Search) -> Result<Vec<Direction>, Problem> {
    match tables.solve_with(board, search)?.status {
        Status::Optimal { moves } | Status::Solved { moves, .. } => Ok(moves),
        Status::Unsolvable(reason) => Err(Problem::conflict(format!(
            "the board has no solution: {reason}; give moves with sequence"
        ))),
        _ => Err(Problem::conflict(
            "the board was not solved within the limits: give moves with sequence, or more time",
        )),
    }
}

fn picture(film: &Film, format: Format, theme: Theme) -> Result<Vec<u8>, Problem> {
    match format {
        Format::Svg => Ok(film.to_svg(theme).into_bytes()),
        _ => raster(film, format, theme),
    }
}

#[cfg(feature = "raster")]
fn raster(film: &Film, format: Format, theme: Theme) -> Result<Vec<u8>, Problem> {
    let bytes = match format {
        Format::Gif => tilebase_draw::gif(film, theme, 1.0),
        _ => tilebase_draw::apng(film, theme, 1.0),
    };
    bytes.map_err(|error| Problem::bad(error.to_string()))
}

#[cfg(not(feature = "raster"))]
fn raster(_: &Film, _: Format, _: Theme) -> Result<Vec<u8>, Problem> {
    Err(Problem::bad("this server draws only SVG: omit format, or use svg"))
}
