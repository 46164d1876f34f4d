//! `tilebase animate`: a film of a board's moves.

use std::ffi::OsString;

use pdb_draw::{Film, Panel, Theme, Timing};
use pdb_lab::{Engine, HeuristicName};
use tilebase::{
    Board, Direction, Goal, IntoBoard, Mode, Status, Tilebase, WrittenMoves, confirm, heuristic,
    heuristics,
};

use super::draw::one_board;
use crate::failure::{Verdict, usage};
use crate::help;
use crate::interrupt;
use crate::output::Output;
use crate::picture::{self, Colours, Kind, Paper, Sink};
use crate::progress::Progress;
use crate::record;
use crate::solver::{Limits, Solver};

/// So many boards stand side by side.
const PANELS_MAX: usize = 4;
/// The longest film, in moves.
const MOVES_MAX: usize = 1000;

/// Arguments of `tilebase animate`.
#[derive(Debug, clap::Args)]
#[command(after_help = help::examples(&[
    ("a shortest solution, to put on a page",
     r#"tilebase animate "8 6 7/2 5 4/3 0 1" --out film.svg"#),
    ("two heuristics side by side, for a chat",
     r#"tilebase animate "8 6 7/2 5 4/3 0 1" --heuristics manhattan,8/4-4 --out film.gif"#),
    ("moves of your own", r#"tilebase animate "1 2 3/4 5 6/7 8 0" --sequence DDRRU --out film.svg"#),
]))]
pub(crate) struct Args {
    /// The board, in any usual notation
    #[arg(value_name = "BOARD", required = true, help_heading = help::BOARDS)]
    board: Vec<String>,
    /// The moves, instead of a shortest solution: letters, which name the tile's direction, or the
    /// numbers of the tiles that move
    #[arg(long, value_name = "MOVES", help_heading = help::BOARDS)]
    sequence: Option<String>,
    /// A second board, beside the first; it is solved like the first
    #[arg(long, value_name = "BOARD", help_heading = help::BOARDS)]
    beside: Option<String>,
    /// The moves of the second board
    #[arg(long, value_name = "MOVES", requires = "beside", help_heading = help::BOARDS)]
    beside_sequence: Option<String>,
    /// Letters name the direction of the blank
    #[arg(long, help_heading = help::BOARDS)]
    of_blank: bool,
    /// Whose estimates are counted, up to four. One board is shown once for each of them, side by
    /// side, with its partition in colours. Of two boards the first one has the first heuristic
    /// [default: what the board is solved with; manhattan, where the moves are given and no spec is]
    #[arg(long, value_name = "LIST", help_heading = help::SEARCH)]
    heuristics: Option<String>,
    /// The file: .svg, .gif, .apng or .png, - for SVG on standard output. An SVG plays by itself; where
    /// it is opened or part of a page, its sign pauses it
    #[arg(long, short, value_name = "FILE", default_value = "-", help_heading = help::OUTPUT)]
    out: OsString,
    /// What the colours of tiles say [default: partition where there is one, else rows]
    #[arg(long, visible_alias = "colors", value_enum, value_name = "WHAT", help_heading = help::OUTPUT)]
    colours: Option<Colours>,
    /// Moves a second
    #[arg(long, value_name = "MOVES", default_value = "3", value_parser = speed,
        help_heading = help::OUTPUT)]
    speed: f64,
    /// How wide a cell is, in pixels
    #[arg(long, value_name = "PIXELS", default_value = "64", value_parser = cell,
        help_heading = help::OUTPUT)]
    cell: f64,
    /// A line above the boards
    #[arg(long, value_name = "TEXT", help_heading = help::OUTPUT)]
    caption: Option<String>,
    /// The paper
    #[arg(long, value_enum, default_value_t, help_heading = help::OUTPUT)]
    paper: Paper,
    /// Dots for a pixel of a .gif or .apng
    #[arg(long, value_name = "FACTOR", default_value = "1", value_parser = picture::scale,
        help_heading = help::OUTPUT)]
    scale: f64,
    #[command(flatten)]
    limits: Limits,
    #[command(flatten)]
    solver: Solver,
}

const KINDS: [(&str, Kind); 4] =
    [("svg", Kind::Svg), ("gif", Kind::Gif), ("apng", Kind::Apng), ("png", Kind::Apng)];

fn speed(text: &str) -> Result<f64, String> {
    picture::within(text, 0.2, 20.0)
}

fn cell(text: &str) -> Result<f64, String> {
    picture::within(text, 16.0, 200.0)
}

/// A board, and what is shown of it.
struct Scene {
    board: Board,
    goal: Goal,
    moves: Vec<Direction>,
}

impl Args {
    pub(crate) fn run(self, output: &mut Output, progress: Progress) -> anyhow::Result<Verdict> {
        if self.colours == Some(Colours::Distance) {
            return Err(usage(
                "tiles keep their colours in a film, so these cannot tell a distance: choose others",
            ));
        }
        let sequence = self.sequence.as_deref().map(|text| self.read(text)).transpose()?;
        let other = self.beside_sequence.as_deref().map(|text| self.read(text)).transpose()?;
        let setup = self.solver.begin((Mode::Auto, self.limits), progress, None)?;
        let beside = self.beside.as_deref().map(|text| text.into_board(setup.shape)).transpose()?;
        let (given, tables) = one_board(setup, &self.board, progress)?;
        let goal_of = |board: &Board| tables.goal(board.shape()).map_err(usage);
        let goal = goal_of(&given.board)?;
        let names = self.heuristics.as_deref().map(|list| heuristics(list, &goal)).transpose()?;
        let names = names.unwrap_or_default();
        if names.len() > PANELS_MAX {
            return Err(usage(format!(
                "there are {} heuristics: expected at most {PANELS_MAX}, for as many boards side by side",
                names.len()
            )));
        }
        let boards = [Some((given.board, &sequence)), beside.map(|board| (board, &other))];
        let boards: Vec<_> = boards.into_iter().flatten().collect();
        // What is wrong with the arguments is better known before the work is done.
        for (board, sequence) in &boards {
            let goal = goal_of(board)?;
            if let Some(sequence) = sequence {
                if let Some(problem) = sequence.replay(board).illegal {
                    return Err(usage(problem));
                }
            } else if let Err(reason) = goal.check_solvable(board) {
                return Err(anyhow::anyhow!(
                    "{board} has no solution to show: {reason}; give moves with --sequence"
                ));
            }
        }
        let sink = Sink::read(&self.out, &KINDS)?;
        let scenes = boards
            .into_iter()
            .map(|(board, sequence)| {
                let goal = goal_of(&board)?;
                let moves = match sequence {
                    Some(sequence) => sequence.replay(&board).moves,
                    None => interrupt::orderly(|| solution(&tables, board))?,
                };
                Ok(Scene { board, goal, moves })
            })
            .collect::<anyhow::Result<Vec<_>>>()?;
        let film = interrupt::orderly(|| self.film(&scenes, &names, &tables))?;
        let theme = Theme::from(self.paper);
        let dots = |kind| dots(&film, kind, theme, self.scale);
        let written = sink.write(output, || film.to_svg(theme), dots)?;
        if let Some(note) = written.note() {
            let (moves, seconds) = (film.step_count(), film.seconds());
            let what = if moves == 1 { "move" } else { "moves" };
            progress.note(format_args!("{note}, {moves} {what}, {seconds:.1} s"));
        }
        Ok(Verdict::Good)
    }

    fn read(&self, text: &str) -> anyhow::Result<WrittenMoves> {
        let moves = WrittenMoves::parse(text, self.of_blank).map_err(usage)?;
        if moves.len() > MOVES_MAX {
            return Err(usage(format!(
                "there are {} moves: expected at most {MOVES_MAX} in a film",
                moves.len()
            )));
        }
        Ok(moves)
    }

    fn film(
        &self,
        scenes: &[Scene],
        names: &[HeuristicName],
        tables: &Tilebase,
    ) -> anyhow::Result<Film> {
        let mut panels = Vec::new();
        for nth in 0..scenes.len().max(names.len()) {
            let scene = scenes.get(nth).unwrap_or(&scenes[scenes.len() - 1]);
            let name = names.get(nth).or(names.last());
            panels.push(self.panel(scene, name, tables)?);
        }
        let mut film = Film::new(panels, Timing::of_speed(self.speed)).cell(self.cell);
        if let Some(caption) = &self.caption {
            film = film.caption(caption);
        }
        Ok(film)
    }

    /// A board with the estimates of a heuristic; of the one that it was solved with, where none is named.
    fn panel(
        &self,
        scene: &Scene,
        name: Option<&HeuristicName>,
        tables: &Tilebase,
    ) -> anyhow::Result<Panel> {
        let Scene { board, goal, moves } = scene;
        let is_solvable = goal.check_solvable(board).is_ok();
        let counted = match (name, self.solver.spec()) {
            (Some(name), _) => Some(tables.engine_of(goal, name)?),
            // Who gives the moves asks for no tables.
            (None, None) if self.sequence.is_some() => {
                Some(tables.engine_of(goal, &heuristic("manhattan", goal)?)?)
            }
            (None, _) => None,
        };
        let shared;
        let engine = if let Some(engine) = &counted {
            engine
        } else {
            shared = tables.engine(goal)?;
            &shared
        };
        let known = match name {
            Some(name) => Some(name.clone()),
            // The best one was chosen by its name, too.
            None => heuristic(engine.name(), goal).ok(),
        };
        let colouring = match (self.colours, &known) {
            (Some(Colours::Partition), _) => Colours::Partition.of(goal, known.as_ref())?,
            (Some(colours), _) => colours.of(goal, None)?,
            (None, Some(name)) => match picture::partition(goal, name)? {
                Some(colouring) => colouring,
                None => Colours::Rows.of(goal, None)?,
            },
            (None, None) => Colours::Rows.of(goal, None)?,
        };
        let panel = Panel::new(board, goal, moves, colouring)?;
        // A board that moves cannot bring to the goal has no estimate.
        if !is_solvable {
            return Ok(panel);
        }
        let estimates: Result<Vec<u32>, _> =
            panel.boards().iter().map(|board| engine.estimate(board)).collect();
        confirm(engine)?;
        let title = format!("estimate, {}", Engine::name(engine));
        Ok(panel.count(title, estimates?))
    }
}

/// The moves of a shortest solution.
fn solution(tables: &Tilebase, board: Board) -> anyhow::Result<Vec<Direction>> {
    let answer = tables.solve(board)?;
    match answer.status {
        Status::Optimal { moves } | Status::Solved { moves, .. } => Ok(moves),
        Status::Limit { kind, lower_bound } => Err(anyhow::anyhow!(
            "{board} is not solved: stopped by the {}, at least {lower_bound} moves are needed; allow \
             more, or give moves with --sequence",
            record::limit(Some(kind))
        )),
        Status::Unsolvable(reason) => Err(anyhow::anyhow!("{board} has no solution: {reason}")),
        _ => Err(anyhow::anyhow!("{board} is not solved")),
    }
}

#[cfg(feature = "raster")]
fn dots(film: &Film, kind: Kind, theme: Theme, scale: f64) -> anyhow::Result<Vec<u8>> {
    Ok(match kind {
        Kind::Gif => pdb_draw::gif(film, theme, scale)?,
        _ => pdb_draw::apng(film, theme, scale)?,
    })
}

#[cfg(not(feature = "raster"))]
fn dots(_: &Film, _: Kind, _: Theme, _: f64) -> anyhow::Result<Vec<u8>> {
    unreachable!("names of such files are refused")
}
