//! `tilebase model`: a board as an integer program, for solvers.

mod solve;

use std::ffi::OsString;
use std::path::Path;

use pdb_model::{Encoded, Form, ModelError, encode, files, horizon};
use tilebase::pdb_core::notation::printable_text;
use tilebase::{Board, Goal, GoalChoice, NamedBoards, Shape};

use crate::args;
use crate::failure::{Verdict, usage};
use crate::help;
use crate::output::{Output, Target, bytes, count};
use crate::progress::Progress;
use crate::record;

/// Arguments of `tilebase model`.
#[derive(Debug, clap::Args)]
#[command(after_help = help::examples(&[
    ("a board for any solver that reads LP files",
     r#"tilebase model "8 6 7/2 5 4/3 0 1" --horizon 31 --out board.lp"#),
    ("the model of the case study, in the language GAMS",
     r#"tilebase model "5 1 2 3/9 6 7 4/13 10 11 8/14 15 0 12" --form neos --horizon 79 --out puzzle.gms"#),
    ("solve it, and prove that no solution is shorter",
     r#"tilebase model "5 1 2 3/9 6 7 4/13 10 11 8/14 15 0 12" --solve --solver cbc"#),
]))]
pub(crate) struct Args {
    /// The board, in any usual notation and in quotes; or a file with one, - for standard input
    #[arg(value_name = "BOARD", help_heading = help::BOARDS)]
    board: String,
    /// blank-last, blank-first, snail, a board, or a file with one
    #[arg(long, value_name = "NAME|BOARD|FILE", default_value = "blank-last",
        help_heading = help::BOARDS)]
    goal: String,
    /// Rows and columns of boards without row separators [default: as the goal has, or square]
    #[arg(long, value_name = "RxC", value_parser = args::shape, help_heading = help::BOARDS)]
    size: Option<Shape>,
    /// How the puzzle is written
    #[arg(long, value_enum, default_value_t, help_heading = help::MODEL)]
    form: FormName,
    /// How many moves there is room for: exactly so many with --form flow, at most so many with --form neos;
    /// auto for the Manhattan distance, which no solution is below
    #[arg(long, value_name = "MOVES", value_parser = horizon_of, default_value = "auto",
        help_heading = help::MODEL)]
    horizon: Horizon,
    /// How the model is written [default: as the file's name ends, or lp]
    #[arg(long, value_enum, help_heading = help::OUTPUT)]
    format: Option<Format>,
    /// The file, such as board.lp, .mps, .gms or .json; - for standard output
    #[arg(long, short, value_name = "FILE", default_value = "-", conflicts_with = "solve",
        help_heading = help::OUTPUT)]
    out: OsString,
    #[command(flatten)]
    solve: solve::Solve,
}

/// How the puzzle is written as an integer program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
enum FormName {
    /// A binary for each tile on each cell at each time, and the blank as a flow
    #[default]
    Flow,
    /// The case study of the NEOS guide, corrected: positions as numbers
    Neos,
}

impl From<FormName> for Form {
    fn from(name: FormName) -> Self {
        match name {
            FormName::Flow => Self::Flow,
            FormName::Neos => Self::Neos,
        }
    }
}

/// How many moves there is room for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Horizon {
    /// The least that may suffice.
    Auto,
    /// So many.
    Moves(u32),
}

fn horizon_of(text: &str) -> Result<Horizon, String> {
    if text == "auto" {
        return Ok(Horizon::Auto);
    }
    let number = text.parse().map_err(|_| "expected a number of moves, or auto".to_owned())?;
    Ok(Horizon::Moves(number))
}

/// How a model is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// The LP format of CPLEX, which all solvers read
    Lp,
    /// The free MPS format, which all solvers read (glpsol with --freemps)
    Mps,
    /// The language GAMS
    #[value(alias = "gms")]
    Gams,
    /// For programs: variables, rows, and what they mean; with --solve, the answer
    #[value(alias = "ndjson")]
    Json,
    /// To read: the answer of --solve
    Text,
}

impl Format {
    /// The format that a file's name ends with.
    fn of_file(name: &Path) -> Option<Self> {
        match name.extension()?.to_str()? {
            "lp" => Some(Self::Lp),
            "mps" => Some(Self::Mps),
            "gms" => Some(Self::Gams),
            "json" => Some(Self::Json),
            _ => None,
        }
    }

    fn text(self, encoded: &Encoded) -> String {
        let write = match self {
            // Refused before.
            Self::Lp | Self::Text => files::write_lp,
            Self::Mps => files::write_mps,
            Self::Gams => files::write_gams,
            Self::Json => files::write_json,
        };
        write(&encoded.model)
    }
}

impl Args {
    pub(crate) fn run(self, output: &mut Output, progress: Progress) -> anyhow::Result<Verdict> {
        let (board, goal) = self.read()?;
        if self.solve.is_asked() {
            let horizon = match self.horizon {
                Horizon::Auto => None,
                Horizon::Moves(moves) => Some(moves),
            };
            let asked =
                solve::Asked { board, goal, form: self.form.into(), horizon, format: self.format };
            return self.solve.run(asked, output, progress);
        }
        self.write(&board, &goal, output, progress)
    }

    /// The board and the goal.
    fn read(&self) -> anyhow::Result<(Board, Goal)> {
        let goal = GoalChoice::read(&self.goal, self.size)?;
        let shape = args::agreed(self.size, goal.shape())?;
        let words = std::slice::from_ref(&self.board);
        let board = record::only_board(NamedBoards::of_words(words, shape)?)?;
        let goal = goal.goal(board.shape()).map_err(usage)?;
        Ok((board, goal))
    }

    /// Writes the model of one horizon.
    fn write(
        &self,
        board: &Board,
        goal: &Goal,
        output: &mut Output,
        progress: Progress,
    ) -> anyhow::Result<Verdict> {
        let target = Target::from(self.out.clone());
        let format = match (self.format, &target) {
            (Some(Format::Text), _) => {
                return Err(usage("--format text is for the answer of --solve: name lp, mps, gams or json"));
            }
            (Some(format), _) => format,
            (None, Target::Stdout) => Format::Lp,
            (None, Target::File(path)) => Format::of_file(path).ok_or_else(|| {
                usage(format_args!(
                    "cannot tell from {} what to write: expected a name that ends in .lp, .mps, .gms or \
                     .json; name the format with --format",
                    printable_text(&path.to_string_lossy())
                ))
            })?,
        };
        let form = Form::from(self.form);
        let least = horizon::least(board, goal).map_err(refusal)?;
        let horizon = match self.horizon {
            Horizon::Auto => least,
            Horizon::Moves(moves) => moves,
        };
        let make = || encode(form, board, goal, horizon);
        let encoded = progress.slowly("making the model", make).map_err(refusal)?;
        target.prepare()?;
        let text = format.text(&encoded);
        target.write(output, text.as_bytes())?;
        note(&target, &encoded, text.len(), progress);
        if self.horizon == Horizon::Auto && board != goal.board() {
            progress.note(format_args!(
                "note: the horizon is {least}, the Manhattan distance, which no solution is below; if a \
                 solver finds none, there are {} moves or more",
                least + horizon::STEP
            ));
        } else if has_no_solution(form, board, goal, horizon).map_err(refusal)? {
            progress.note(format_args!("note: this model has no solution: {}", lengths(least)));
        }
        Ok(Verdict::Good)
    }
}

/// Whether the Manhattan distance or parity says that a model has no solution.
fn has_no_solution(
    form: Form,
    board: &Board,
    goal: &Goal,
    horizon: u32,
) -> Result<bool, ModelError> {
    let may_suffice = horizon::may_suffice(board, goal, horizon)?;
    Ok(!may_suffice && (form == Form::Flow || horizon < horizon::least(board, goal)?))
}

/// How many moves solutions may have, from the least on.
fn lengths(least: u32) -> String {
    format!(
        "solutions of this board may have {least}, {}, {} .. moves",
        least + horizon::STEP,
        least + 2 * horizon::STEP
    )
}

/// "board.lp: 2,585 variables, 3,477 rows, 178.10 kB", where it went to a file.
fn note(target: &Target, encoded: &Encoded, byte_count: usize, progress: Progress) {
    if let Target::File(path) = target {
        progress.note(format_args!(
            "{}: {} variables, {} rows, {}",
            printable_text(&path.to_string_lossy()),
            count(encoded.model.variables.len() as u64),
            count(encoded.model.rows.len() as u64),
            bytes(byte_count as u64)
        ));
    }
}

/// What a board without a solution, a goal of another shape or a horizon too large are: a board that cannot
/// be solved is a bad answer, the others are wrong usage.
fn refusal(error: ModelError) -> anyhow::Error {
    match error {
        ModelError::Unsolvable(_) => error.into(),
        error => usage(error),
    }
}
