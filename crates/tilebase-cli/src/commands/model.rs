//! `tilebase model`: a board as an integer program for solvers, or as a problem for planners.

mod solve;

use std::path::Path;

use tilebase::sets::InputOptions;
use tilebase::{Board, Goal};
use tilebase_model::{BoardModel, Form, Model, ModelError, encode, files, horizon, pddl};

use crate::args::GoalArgs;
use crate::choices::{MODEL_FORMATS, MODEL_FORMS, ModelFormat as Format, one_of};
use crate::console::Console;
use crate::failure::{Verdict, usage};
use crate::help;
use crate::output::{OutputTarget, count, shown, target};
use crate::record;

/// Arguments of `tilebase model`.
#[derive(Debug, clap::Args)]
#[command(after_help = help::examples(&[
    ("a board for any solver that reads LP files",
     r#"tilebase model "8 6 7/2 5 4/3 0 1" --horizon 31 --out board.lp"#),
    ("solve it, and prove that no solution is shorter",
     r#"tilebase model "5 1 2 3/9 6 7 4/13 10 11 8/14 15 0 12" --solve"#),
    ("a board for a planner, whose domain --format pddl-domain writes",
     r#"tilebase model "8 6 7/2 5 4/3 0 1" --out problem.pddl"#),
]))]
pub(crate) struct Args {
    /// The board, in any usual notation and in quotes; or a file with one, - for standard input
    #[arg(value_name = "BOARD", help_heading = help::BOARDS)]
    board: String,
    #[command(flatten)]
    goal: GoalArgs,
    /// Form of the integer program
    #[arg(long, value_parser = one_of(MODEL_FORMS), default_value = "flow", help_heading = help::MODEL)]
    form: Form,
    /// Number of moves of the model: exact with --form flow, an upper limit with --form neos; auto
    /// takes the Manhattan distance, which is a lower bound
    #[arg(long, value_name = "MOVES", value_parser = horizon_of, default_value = "auto",
        help_heading = help::MODEL)]
    horizon: HorizonArg,
    /// File format [default: by the ending of the file's name, or lp]
    #[arg(long, value_parser = one_of(MODEL_FORMATS), help_heading = help::OUTPUT)]
    format: Option<Format>,
    /// The file, such as board.lp, .mps, .gms, .json or .pddl; - for standard output
    #[arg(long, short, value_name = "FILE", default_value = "-", conflicts_with = "answer",
        value_parser = target("--out"), help_heading = help::OUTPUT)]
    out: OutputTarget,
    #[command(flatten)]
    solve: solve::ModelSolveArgs,
}

/// Number of moves of a model; `None` for the smallest number that may suffice.
#[derive(Clone, Copy, Debug)]
struct HorizonArg(Option<u32>);

fn horizon_of(text: &str) -> Result<HorizonArg, String> {
    if text == "auto" {
        return Ok(HorizonArg(None));
    }
    let number = text.parse().map_err(|_| "expected a number of moves, or auto".to_owned())?;
    Ok(HorizonArg(Some(number)))
}

/// Returns the format that the ending of a file's name chooses.
fn format_of(name: &Path) -> Option<Format> {
    let ending = name.extension()?.to_str()?;
    let is_named = |names: &str| names.split('|').any(|name| name == ending);
    MODEL_FORMATS.iter().find(|(names, ..)| is_named(names)).map(|(.., format)| *format)
}

impl Args {
    pub(crate) fn run(self, console: &mut Console) -> anyhow::Result<Verdict> {
        let words = std::slice::from_ref(&self.board);
        let (goal, shape) = self.goal.read(None)?;
        let blank = self.goal.blank.blank;
        let named = InputOptions { shape, blank, goal, ..InputOptions::default() }.words(words)?;
        let own_goal = named.goal;
        let board = record::only_board(named)?;
        let goal = self.goal.of_boards(own_goal, board.shape())?;
        if self.solve.is_asked() {
            let HorizonArg(horizon) = self.horizon;
            let problem = solve::Problem { board, goal, form: self.form, horizon };
            return self.solve.run(problem, self.format, console);
        }
        self.write(&board, &goal, console)
    }

    /// Writes the board in the chosen format.
    fn write(&self, board: &Board, goal: &Goal, console: &mut Console) -> anyhow::Result<Verdict> {
        let format = match (self.format, &self.out.file) {
            (Some(format), _) => format,
            (None, None) => Format::Lp,
            (None, Some(path)) => format_of(path).ok_or_else(|| {
                usage(format_args!(
                    "cannot tell the format of {} from its name: expected a name that ends in .lp, .mps, \
                     .gms, .json or .pddl; or choose the format with --format",
                    shown(path)
                ))
            })?,
        };
        let write = match format {
            Format::Lp => files::write_lp,
            Format::Mps => files::write_mps,
            Format::Gams => files::write_gams,
            Format::Json => files::write_json,
            Format::PddlDomain => return self.write_pddl(pddl::DOMAIN, console),
            Format::PddlProblem => {
                let problem = pddl::problem(board, goal).map_err(refusal)?;
                return self.write_pddl(&problem, console);
            }
            Format::Text => {
                return Err(usage(
                    "--format text is only for --solve: choose lp, mps, gams, json or pddl",
                ));
            }
        };
        self.write_program(board, goal, write, console)
    }

    /// Writes a file for planners.
    fn write_pddl(&self, text: &str, console: &mut Console) -> anyhow::Result<Verdict> {
        if self.form != Form::Flow || self.horizon.0.is_some() {
            return Err(usage(
                "--form and --horizon are for integer programs: omit them, or choose --format lp, mps, \
                 gams or json",
            ));
        }
        self.out.prepare()?;
        self.out.write(console, text.as_bytes())?;
        if let Some(note) = self.out.note(text.len()) {
            console.note(note);
        }
        Ok(Verdict::Good)
    }

    /// Writes the integer program of one horizon.
    fn write_program(
        &self,
        board: &Board,
        goal: &Goal,
        write: fn(&Model) -> String,
        console: &mut Console,
    ) -> anyhow::Result<Verdict> {
        let form = self.form;
        let least = horizon::least(board, goal).map_err(refusal)?;
        let horizon = self.horizon.0.unwrap_or(least);
        let make = || encode(form, board, goal, horizon);
        let encoded = console.progress.slowly("making the model", make).map_err(refusal)?;
        self.out.prepare()?;
        let text = write(&encoded.model);
        self.out.write(console, text.as_bytes())?;
        if let Some(note) = self.out.note(text.len()) {
            let BoardModel { model, .. } = &encoded;
            console.note(format_args!(
                "{note}, {} variables, {} rows",
                count(model.variables.len() as u64),
                count(model.rows.len() as u64)
            ));
        }
        if self.horizon.0.is_none() && board != goal.board() {
            console.note(format_args!(
                "note: the horizon is {least}, the Manhattan distance, which is a lower bound; if a solver \
                 finds no solution, solutions have {} moves or more",
                least + horizon::STEP
            ));
        } else if let Some(problem) = no_solution(form, board, goal, horizon) {
            console.note(format_args!("note: {problem}"));
        }
        Ok(Verdict::Good)
    }
}

/// Says that a model has no solution, where the Manhattan distance or parity shows it.
fn no_solution(form: Form, board: &Board, goal: &Goal, horizon: u32) -> Option<String> {
    let least = horizon::least(board, goal).ok()?;
    let has_none = match form {
        Form::Flow => horizon::may_suffice(board, goal, horizon) == Ok(false),
        Form::Neos => horizon < least,
    };
    has_none.then(|| {
        format!(
            "this model has no solution: solutions of this board may have {least}, {}, {} .. moves",
            least + horizon::STEP,
            least + 2 * horizon::STEP
        )
    })
}

/// Converts an error: an unsolvable board is a bad answer, everything else is wrong usage.
fn refusal(error: ModelError) -> anyhow::Error {
    match error {
        ModelError::Unsolvable(_) => error.into(),
        error => usage(error),
    }
}
