//! `tilebase animate`: a film of a board's moves.

use std::slice;

use pdb_lab::{Engine, HeuristicName};
use tilebase::names::{heuristic, heuristics};
use tilebase::shelf::confirm;
use tilebase::text::WrittenMoves;
use tilebase::{Board, Direction, Error, Goal, Tilebase};
use tilebase_draw::{Colouring, Film, Panel, Timing};

use crate::args::InputColumns;
use crate::console::Console;
use crate::failure::{Verdict, usage};
use crate::help;
use crate::interrupt;
use crate::output::{OutputTarget, target};
use crate::picture::{self, PARTITION, PictureArgs, Sink};
use crate::record;
use crate::solver_args::{EASY_CELLS_MAX, LimitArgs, SolverArgs};

/// Largest number of boards side by side.
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
    /// A second board, or a file with one, beside the first; it is solved like the first
    #[arg(long, value_name = "BOARD", help_heading = help::BOARDS)]
    beside: Option<String>,
    /// The moves of the second board
    #[arg(long, value_name = "MOVES", requires = "beside", help_heading = help::BOARDS)]
    beside_sequence: Option<String>,
    /// Letters name the direction of the blank
    #[arg(long, help_heading = help::BOARDS)]
    of_blank: bool,
    /// Up to four heuristics whose estimates are shown. A single board is shown once per heuristic,
    /// side by side, coloured by its partition. Of two boards, the first has the first heuristic
    /// [default: none]
    #[arg(long, value_name = "LIST", help_heading = help::SEARCH)]
    heuristics: Option<String>,
    /// The file: .svg or .gif; - for SVG on standard output. An SVG plays by itself, and has a
    /// button that pauses it
    #[arg(long, short, value_name = "FILE", default_value = "-", value_parser = target("--out"),
        help_heading = help::OUTPUT)]
    out: OutputTarget,
    /// Moves per second
    #[arg(long, value_name = "MOVES", default_value = "3", help_heading = help::OUTPUT,
        value_parser = picture::within(0.2, 20.0))]
    speed: f64,
    /// Width of a cell in pixels
    #[arg(long, value_name = "PIXELS", default_value = "64", help_heading = help::OUTPUT,
        value_parser = picture::within(16.0, 200.0))]
    cell: f64,
    #[command(flatten)]
    picture: PictureArgs,
    /// Dots per pixel of a .gif
    #[arg(long, value_name = "FACTOR", default_value = "1", value_parser = picture::scale(),
        help_heading = help::OUTPUT)]
    scale: f64,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    solver: SolverArgs,
}

/// A board with the moves of the film.
struct Scene {
    board: Board,
    goal: Goal,
    moves: Vec<Direction>,
    /// Words about the length of a solution that is not proved to be a shortest one.
    unproved: Option<String>,
}

impl Args {
    pub(crate) fn run(self, console: &mut Console) -> anyhow::Result<Verdict> {
        if self.picture.colours == Some(Colouring::Distance) {
            return Err(usage(
                "tiles keep their colours in a film, so colours cannot show a distance: choose others",
            ));
        }
        let sequence = self.sequence.as_deref().map(|text| self.read(text)).transpose()?;
        let other = self.beside_sequence.as_deref().map(|text| self.read(text)).transpose()?;
        picture::expect_single_tiles(self.solver.metric.metric, "animate")?;
        let setup = self.solver.begin(self.limits, console)?;
        let only =
            |word| record::only_board(setup.words(slice::from_ref(word), InputColumns::default())?);
        let beside = self.beside.as_ref().map(only).transpose()?;
        let named = setup.words(&self.board, InputColumns::default())?;
        let tables = setup.open(named.goal, console)?;
        let board = record::only_board(named)?;
        let goal_of = |board: &Board| tables.goal(board.shape()).map_err(usage);
        let goal = goal_of(&board)?;
        let names = self.heuristics.as_deref().map(|list| heuristics(list, &goal)).transpose()?;
        let names = names.unwrap_or_default();
        if names.len() > PANELS_MAX {
            return Err(usage(format!(
                "there are {} heuristics: expected at most {PANELS_MAX}, one for each board side by side",
                names.len()
            )));
        }
        let boards = [Some((board, &sequence)), beside.map(|board| (board, &other))];
        let boards: Vec<_> = boards.into_iter().flatten().collect();
        // Wrong arguments are reported before the search.
        for (board, sequence) in &boards {
            let goal = goal_of(board)?;
            if let Some(sequence) = sequence {
                sequence.make(board).map_err(Error::from)?;
            } else if let Err(reason) = goal.check_solvable(board) {
                return Err(anyhow::anyhow!(
                    "{board} has no solution to show: {reason}; give moves with --sequence"
                ));
            }
        }
        let sink = Sink::new(self.out.clone(), "gif")?;
        let scenes = boards
            .into_iter()
            .map(|(board, sequence)| {
                let goal = goal_of(&board)?;
                Ok(match sequence {
                    Some(sequence) => {
                        let moves = sequence.make(&board).map_err(Error::from)?.0;
                        Scene { board, goal, moves, unproved: None }
                    }
                    None => self.solved(&tables, board, goal, console)?,
                })
            })
            .collect::<anyhow::Result<Vec<_>>>()?;
        let film = interrupt::orderly(|| self.film(&scenes, &names, &tables))?;
        let theme = self.picture.paper;
        let gif = || tilebase_draw::gif(&film, theme, self.scale, &interrupt::is_set);
        if let Some(note) = sink.write(console, || film.to_svg(theme), gif)? {
            let (moves, seconds) = (record::moves(film.step_count()), film.seconds());
            console.note(format_args!("{note}, {moves}, plays for {seconds:.1} s"));
        }
        Ok(Verdict::Good)
    }

    /// Returns a board with a solution: of a large board without limits, the best one of a moment.
    fn solved(
        &self,
        tables: &Tilebase,
        board: Board,
        goal: Goal,
        console: &Console,
    ) -> anyhow::Result<Scene> {
        let mut search = tables.search().clone();
        if board.shape().cell_count() > EASY_CELLS_MAX {
            search.within = self.limits.within_or_quick();
        }
        let solve = || console.progress.slowly("searching", || tables.solve_with(board, &search));
        let answer = interrupt::orderly(solve)?;
        let known = answer.known_length();
        let by = answer
            .limit()
            .map_or_else(String::new, |kind| format!(", stopped by the {}", record::limit(kind)));
        let Some(moves) = answer.moves().map(<[Direction]>::to_vec) else {
            return Err(anyhow::anyhow!(
                "{board} is not solved{by}: {known}; raise the limit, or give moves with --sequence"
            ));
        };
        if known.is_proved() {
            return Ok(Scene { board, goal, moves, unproved: None });
        }
        console.note(format_args!(
            "note: the film shows {known}{by}; with --time-limit 1min, the search for a proof goes on"
        ));
        Ok(Scene { board, goal, moves, unproved: Some(known.to_string()) })
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
        if let Some(caption) = &self.picture.caption {
            film = film.caption(caption);
        }
        Ok(film)
    }

    /// Returns a board with its moves, and with the estimates of a heuristic if one is named.
    fn panel(
        &self,
        scene: &Scene,
        name: Option<&HeuristicName>,
        tables: &Tilebase,
    ) -> anyhow::Result<Panel> {
        let Scene { board, goal, moves, unproved } = scene;
        let colouring = match (self.picture.colours.clone(), name) {
            (Some(colours), None) if colours == PARTITION => {
                let named = self.solver.spec.as_deref();
                let named = named.map(|name| heuristic(name, goal)).transpose()?;
                picture::coloured(colours, goal, named.as_ref())?
            }
            (Some(colours), name) => picture::coloured(colours, goal, name)?,
            (None, Some(name)) => {
                let partition = name.first_partition(goal).map_err(Error::from)?;
                partition.map_or(Colouring::Rows, Colouring::Patterns)
            }
            (None, None) => Colouring::Plain,
        };
        let mut panel = Panel::new(board, goal, moves, colouring)?;
        if let Some(words) = unproved {
            panel = panel.caption(words);
        }
        // An unsolvable board has no estimate.
        let Some(name) = name.filter(|_| goal.check_solvable(board).is_ok()) else {
            return Ok(panel);
        };
        let engine = tables.engine_of(goal, name, tables.search())?;
        let estimates: Result<Vec<u32>, _> =
            panel.boards().iter().map(|board| engine.estimate(board)).collect();
        confirm(&engine)?;
        Ok(panel.count(format!("estimate, {}", Engine::name(&engine)), estimates?))
    }
}
