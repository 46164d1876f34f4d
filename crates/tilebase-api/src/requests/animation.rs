//! Animations of moves.

use std::sync::Arc;
use std::time::Duration;

use pdb_lab::Engine;
use tilebase::names::heuristic;
use tilebase::pdb_search::SearchError;
use tilebase::shelf::confirm;
use tilebase::text::WrittenMoves;
use tilebase::{Answer, Board, Cancel, Direction, Error, Goal, Search, Status, Tilebase};
use tilebase_draw::{Colouring, Film, Panel, Theme, Timing};

use crate::advice::message;
use crate::call::{Call, Prepared};
use crate::catalogue::{Catalogue, HandleKey};
use crate::job::{Job, Lane, Reply};
use crate::params::Params;
use crate::problem::{Problem, check_cancelled};
use crate::service::Service;

/// Longest animation, in moves.
const MOVES_MAX: usize = 1000;
/// Time of the search for a solution of a large board, if the request names none.
const QUICK: Duration = Duration::from_secs(1);
/// Longest caption, in bytes.
const CAPTION_BYTES_MAX: usize = 200;

/// Image format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    Svg,
    Gif,
}

impl Format {
    fn content_type(self) -> &'static str {
        match self {
            Self::Svg => "image/svg+xml",
            Self::Gif => "image/gif",
        }
    }
}

/// A request for an animation.
#[derive(Debug)]
struct Animate {
    catalogue: Arc<Catalogue>,
    tables: Tilebase,
    board: Board,
    key: HandleKey,
    /// Moves to show instead of a shortest solution.
    sequence: Option<WrittenMoves>,
    look: Look,
}

/// Look of an animation.
#[derive(Debug)]
struct Look {
    /// Colours of the tiles. Default: by the partition of the spec.
    colours: Option<Colouring>,
    theme: Theme,
    format: Format,
    speed: f64,
    cell: f64,
    caption: Option<String>,
    /// Whether the estimates of the spec are below the board.
    has_estimates: bool,
}

impl Look {
    fn read(params: &Params) -> Result<Self, Problem> {
        let colours = params.word(
            "colours",
            &[
                ("plain", Some(Colouring::Plain)),
                ("rows", Some(Colouring::Rows)),
                ("columns", Some(Colouring::Columns)),
                ("partition", None),
                ("parity", Some(Colouring::Parity)),
                ("odd-even", Some(Colouring::OddEven)),
            ],
        )?;
        let papers = [("auto", Theme::Auto), ("light", Theme::Light), ("dark", Theme::Dark)];
        let theme = params.word("paper", &papers)?;
        let formats = [("svg", Format::Svg), ("gif", Format::Gif)];
        let format = params.word("format", &formats)?;
        let speed = params.number("speed", 3.0, 0.2..=20.0)?;
        let cell = params.number("cell", 64.0, 16.0..=128.0)?;
        let caption = params.text("caption").map(str::to_owned);
        if caption.as_ref().is_some_and(|caption| caption.len() > CAPTION_BYTES_MAX) {
            return Err(Problem::bad(format!(
                "the caption is too long: expected at most {CAPTION_BYTES_MAX} bytes"
            )));
        }
        let has_estimates = params.word("estimates", &[("no", false), ("yes", true)])?;
        Ok(Self { colours, theme, format, speed, cell, caption, has_estimates })
    }
}

impl Animate {
    fn run(&self, search: &Search) -> Result<Reply, Problem> {
        let Self { catalogue, tables, board, look, .. } = self;
        let goal = tables.goal(board.shape()).map_err(Error::from)?;
        let problem = |error| catalogue.problem(&self.key, error);
        let (moves, unproved, limit, generated) = if let Some(sequence) = &self.sequence {
            (sequence.replay(board).moves, None, None, 0)
        } else {
            let answer = tables.solve_with(*board, search).map_err(problem)?;
            let (limit, generated, known) =
                (answer.limit(), answer.generated, answer.known_length());
            match solution(answer) {
                Ok(moves) => (moves, (!known.is_proved()).then_some(known), limit, generated),
                // The search may have more time.
                Err(problem) => return Ok(Reply { limit, generated, ..Reply::from(problem) }),
            }
        };
        // Moves alone need no tables.
        let is_plain = !look.has_estimates && look.colours.is_some();
        let engine =
            if is_plain { None } else { Some(tables.engine_with(&goal, search).map_err(problem)?) };
        let mut panel = panel(engine.as_deref(), board, &goal, &moves, look, &search.cancel)?;
        if let Some(known) = unproved {
            panel = panel.caption(known.to_string());
        }
        if let Some(engine) = &engine {
            confirm(engine).map_err(problem)?;
        }
        let mut film = Film::new(vec![panel], Timing::of_speed(look.speed)).cell(look.cell);
        if let Some(caption) = &look.caption {
            film = film.caption(caption);
        }
        let body = picture(&film, look, &search.cancel)?;
        let content_type = look.format.content_type();
        Ok(Reply { status: 200, content_type, body, limit, generated })
    }
}

pub(crate) fn animation(service: &Service, call: &Call<'_>) -> Result<Prepared, Problem> {
    let params = call.params(&[
        "board",
        "goal",
        "blank",
        "spec",
        "moves",
        "sequence",
        "colours",
        "speed",
        "cell",
        "caption",
        "estimates",
        "paper",
        "format",
        "time_limit",
    ])?;
    let board = params.board()?;
    let sequence = read_sequence(&params, &board)?;
    let look = Look::read(&params)?;
    let (spec, goal) = (params.text("spec").map(str::to_owned), params.goal()?);
    let key = HandleKey { spec, goal, ..HandleKey::default() };
    let catalogue = Arc::clone(&service.catalogue);
    let tables = catalogue.handle(&key)?;
    let limits = call.client.limits;
    let (time, memory_bytes) = (Some(limits.time_of(&params)?), Some(limits.memory_bytes));
    let is_quick = params.text("time_limit").is_none() && board.shape().cell_count() > 16;
    let within = is_quick.then_some(QUICK);
    let search = Search { time, within, memory_bytes, ..Search::default() };
    let animate = Animate { catalogue, tables, board, key, sequence, look };
    // Pixels take time.
    let lane = if animate.look.format == Format::Svg { Lane::Search } else { Lane::Long };
    Ok(Prepared::Job(Job::new(lane, search, move |search| animate.run(search))))
}

/// Reads the moves to show, if there are any, which must be possible.
fn read_sequence(params: &Params, board: &Board) -> Result<Option<WrittenMoves>, Problem> {
    let sequence = params.sequence()?;
    if params.text("sequence").is_none() {
        return Ok(None);
    }
    if sequence.len() > MOVES_MAX {
        let found = sequence.len();
        return Err(Problem::bad(format!("there are {found} moves: expected at most {MOVES_MAX}")));
    }
    if let Err(problem) = sequence.make(board) {
        return Err(Problem::bad(format!("the parameter sequence: {}", message(&problem.into()))));
    }
    Ok(Some(sequence))
}

/// Creates the panel of a board. The caller [confirms](confirm) its estimates.
fn panel(
    engine: Option<&Engine>,
    board: &Board,
    goal: &Goal,
    moves: &[Direction],
    look: &Look,
    cancel: &Cancel,
) -> Result<Panel, Problem> {
    let colouring = match &look.colours {
        Some(colouring) => colouring.clone(),
        None => partition(engine.expect("partitions are of tables"), goal)?,
    };
    let panel = Panel::new(board, goal, moves, colouring)
        .map_err(|error| Problem::bad(error.to_string()))?;
    // An unsolvable board has no estimate.
    let Some(engine) = engine.filter(|_| look.has_estimates && goal.check_solvable(board).is_ok())
    else {
        return Ok(panel);
    };
    let estimate = |board| {
        check_cancelled(cancel)?;
        Ok(engine.estimate(board).map_err(|error| Error::Search(SearchError::from(error)))?)
    };
    let estimates = panel.boards().iter().map(estimate).collect::<Result<Vec<u32>, Problem>>()?;
    Ok(panel.count(format!("estimate, {}", engine.name()), estimates))
}

/// Returns the colours of the partition of an engine's tables.
fn partition(engine: &Engine, goal: &Goal) -> Result<Colouring, Problem> {
    let known = heuristic(engine.name(), goal).ok();
    let patterns =
        known.map(|known| known.first_partition(goal)).transpose().map_err(Error::from)?;
    patterns.flatten().map(Colouring::Patterns).ok_or_else(|| {
        let name = engine.name();
        Problem::bad(format!("{name} has no partition for colours: name a spec, or other colours"))
    })
}

/// Returns the moves of the solution that a search has found.
fn solution(answer: Answer) -> Result<Vec<Direction>, Problem> {
    match answer.status {
        Status::Optimal { moves } | Status::Solved { moves, .. } => Ok(moves),
        Status::Unsolvable(reason) => Err(Problem::conflict(format!(
            "the board has no solution: {reason}; give moves with sequence"
        ))),
        _ => Err(Problem::conflict(
            "the board was not solved within the limits: give moves with sequence, or more time",
        )),
    }
}

fn picture(film: &Film, look: &Look, cancel: &Cancel) -> Result<Vec<u8>, Problem> {
    match look.format {
        Format::Svg => Ok(film.to_svg(look.theme).into_bytes()),
        Format::Gif => raster(film, look, cancel),
    }
}

#[cfg(feature = "raster")]
fn raster(film: &Film, look: &Look, cancel: &Cancel) -> Result<Vec<u8>, Problem> {
    let is_stopped = || cancel.is_cancelled();
    let bytes = tilebase_draw::gif(film, look.theme, 1.0, &is_stopped);
    bytes.map_err(|error| Problem::bad(error.to_string()))
}

#[cfg(not(feature = "raster"))]
fn raster(_: &Film, _: &Look, _: &Cancel) -> Result<Vec<u8>, Problem> {
    Err(Problem::bad("only SVG is drawn here: omit format, or use svg"))
}
