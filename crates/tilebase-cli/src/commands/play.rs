//! `tilebase play`: the puzzle in the terminal.

use std::env;
use std::io::{self, IsTerminal};

use tilebase::names::GoalChoice;
use tilebase::{Game, Metric, Search};

use crate::args::{InputColumns, goal_argument, number, random_seed};
use crate::console::Console;
use crate::failure::{Verdict, usage};
use crate::help;
use crate::interrupt;
use crate::play::{GameStyle, Setting, play, random_board};
use crate::solver_args::{LimitArgs, SolverArgs};

/// Arguments of `tilebase play`.
#[derive(Debug, clap::Args)]
#[command(after_help = help::examples(&[
    ("a random 15-puzzle", "tilebase play"),
    ("this board", r#"tilebase play "8 6 7/2 5 4/3 0 1""#),
    ("a 4x5 board whose goal is a spiral", "tilebase play --size 4x5 --goal snail"),
]))]
pub(crate) struct Args {
    /// Board in any usual notation, a file with one, or a set of boards, whose first board is
    /// played [default: a random board]
    #[arg(value_name = "BOARD|FILE|SET", help_heading = help::BOARDS)]
    board: Vec<String>,
    /// Seed: the same seed deals the same boards [default: a random seed]
    #[arg(long, value_name = "S", value_parser = number::<u64>(0..=u64::MAX),
        help_heading = help::BOARDS)]
    seed: Option<u64>,
    /// Arrow keys move the blank, not the tile
    #[arg(long, help_heading = help::OUTPUT)]
    blank_keys: bool,
    #[command(flatten)]
    solver: SolverArgs,
}

impl Args {
    pub(crate) fn run(self, console: &mut Console) -> anyhow::Result<Verdict> {
        check_terminal()?;
        let setup = self.solver.begin(LimitArgs::default(), console)?;
        // The game cancels each of its searches itself.
        let thread_count = self.solver.machine.thread_count();
        let search = Search { thread_count, ..Search::default() };
        let builder = setup.builder.clone().search(search).watch(|_| ());
        let mut choice = setup.goal;
        let mut board = None;
        if !self.board.is_empty() {
            let mut named = setup.words(&self.board, InputColumns::default())?;
            let first = interrupt::orderly(|| named.boards.next());
            let first = first.ok_or_else(|| usage("there is no board to play"))?;
            board = Some(first.map_err(usage)?.board);
            if self.board.len() > 1 && named.boards.next().is_some() {
                return Err(usage("a game has one board, found several: name one"));
            }
            choice = choice.or(named.goal.map(GoalChoice::Drawn));
        }
        let tables = match choice {
            Some(goal) => builder.clone().goal(goal),
            None => builder.clone(),
        };
        let tables = tables.lazy_open()?;
        let shape = board.map(|board| board.shape()).or(setup.shape).or(tables.shape());
        let goal = tables.goal(shape.unwrap_or_default()).map_err(usage)?;
        let mut seed = self.seed.unwrap_or_else(random_seed);
        let board = board.unwrap_or_else(|| random_board(&goal, &mut seed));
        let game = interrupt::orderly(|| {
            play(Setting {
                game: Game::new(board, goal)?,
                goal: choice.unwrap_or(GoalChoice::Drawn(goal)),
                builder,
                seed,
                style: GameStyle {
                    metric: self.solver.metric.metric,
                    of_blank: self.blank_keys,
                    has_colours: env::var_os("NO_COLOR").is_none_or(|value| value.is_empty()),
                    has_lines: is_utf8(),
                },
            })
        })?;
        note_rest(&game, self.solver.metric.metric, console);
        Ok(Verdict::Good)
    }
}

/// Returns an error unless the program can draw on a terminal.
fn check_terminal() -> anyhow::Result<()> {
    let lacking = match (io::stdin().is_terminal(), io::stdout().is_terminal()) {
        (true, true) => None,
        (false, _) => Some("standard input is not one"),
        (true, false) => Some("standard output is not one"),
    };
    if let Some(lacking) = lacking {
        return Err(usage(format_args!(
            "play needs a terminal, and {lacking}: run it in a terminal, or use solve, moves and apply in \
             scripts"
        )));
    }
    let lacking = match env::var_os("TERM") {
        Some(term) if term == "dumb" => "TERM is dumb",
        Some(term) if !term.is_empty() => return Ok(()),
        _ => "TERM is not set",
    };
    Err(usage(format_args!(
        "play needs a terminal that it can draw on, and {lacking}: set TERM to the terminal's type, such \
         as xterm"
    )))
}

/// Returns whether the terminal shows characters beyond ASCII, according to the environment.
fn is_utf8() -> bool {
    let set = |name: &&str| env::var_os(name).is_some_and(|value| !value.is_empty());
    let name = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find(|name| set(name));
    name.and_then(env::var_os).is_some_and(|value| {
        let value = value.to_string_lossy().to_ascii_lowercase();
        value.contains("utf-8") || value.contains("utf8")
    })
}

/// Prints the command that continues an unfinished game.
fn note_rest(game: &Game, metric: Metric, console: &Console) {
    if game.moves().is_empty() || game.is_solved() {
        return;
    }
    let goal = goal_argument(game.goal());
    let metric = metric.unusual_name().map_or_else(String::new, |name| format!(" --metric {name}"));
    console.note(format_args!(
        "note: continue this game with tilebase play \"{}\" --goal {goal}{metric}",
        game.board()
    ));
}
