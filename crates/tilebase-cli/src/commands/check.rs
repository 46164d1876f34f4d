//! `tilebase check`: whether moves solve a board, and the first move that is not optimal.

use std::io::Write;

use tilebase::moves::MoveCheck;
use tilebase::names::goal_name;
use tilebase::record::Record;
use tilebase::text::MoveNaming;
use tilebase::{KnownLength, Metric, Remedy, Status, counted};

use crate::advice::advised;
use crate::args::{InputColumns, MovesArg, Sequence};
use crate::choices::{Format, TEXT_NDJSON, one_of};
use crate::console::Console;
use crate::failure::Verdict;
use crate::help;
use crate::interrupt;
use crate::record;
use crate::solver_args::{LimitArgs, SolverArgs};

/// Arguments of `tilebase check`.
#[derive(Debug, clap::Args)]
#[command(after_help = help::examples(&[
    ("a solution as letters", r#"tilebase check "1 2 3/4 5 6/0 7 8" LL"#),
    ("the same as the tiles that move", r#"tilebase check "1 2 3/4 5 6/0 7 8" 7 8"#),
]))]
pub(crate) struct Args {
    /// The board, in any usual notation and in quotes; or a file with one, - for standard input
    #[arg(value_name = "BOARD", help_heading = help::BOARDS)]
    board: String,
    #[command(flatten)]
    sequence: Sequence,
    /// Output format
    #[arg(long, value_parser = one_of(TEXT_NDJSON), default_value = "text", help_heading = help::OUTPUT)]
    format: Format,
    #[command(flatten)]
    moves: MovesArg,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    solver: SolverArgs,
}

impl Args {
    pub(crate) fn run(self, console: &mut Console) -> anyhow::Result<Verdict> {
        let words = std::slice::from_ref(&self.board);
        let (named, tables) =
            self.solver.open(words, InputColumns::default(), self.limits, console)?;
        let board = record::only_board(named)?;
        let moves = self.sequence.moves(self.moves)?;
        let checked = interrupt::orderly(|| {
            console.progress.slowly("checking", || tables.check(board, &moves))
        })?;
        match self.format {
            Format::Ndjson => {
                record::write_json(console, &Record::new(&checked, self.moves.style()))?;
            }
            _ => write(console, &checked, self.moves.style().naming)?,
        }
        Ok(Verdict::of(checked.solves && checked.limit.is_none()))
    }
}

fn write(output: &mut impl Write, checked: &MoveCheck, naming: MoveNaming) -> std::io::Result<()> {
    let answer = &checked.answer;
    let moves = |count: usize| counted(answer.metric, count);
    let (one, length) = (answer.metric.noun(), checked.length());
    let lead =
        |count: usize| format!("{} {}", moves(count), if count == 1 { "leads" } else { "lead" });
    let to = goal_name(&checked.answer.goal);
    match &checked.illegal {
        Some(problem) => {
            let counted = match answer.metric {
                Metric::SingleTile => "",
                Metric::MultiTile => " (tiles counted singly)",
            };
            writeln!(output, "illegal{counted}: {problem}")?;
        }
        None if checked.solves => {
            writeln!(output, "solves: {} to {to}", lead(length))?;
        }
        None => {
            writeln!(output, "does not solve: {} to {}, not to {to}", lead(length), checked.end)?;
        }
    }
    if let Some(text) = reversed(checked, naming) {
        writeln!(output, "{text}")?;
    }
    match (&checked.answer.status, checked.optimum()) {
        (Status::Unsolvable(reason), _) => {
            writeln!(output, "{}", record::unsolvable(&checked.answer.board, *reason))?;
        }
        (_, Some(optimum)) => {
            let is_as_short = length as u32 == optimum;
            let verb = if optimum == 1 { "suffices" } else { "suffice" };
            let enough = format!("{} {verb}", moves(optimum as usize));
            let text = match checked.leaves_optimum_at {
                _ if checked.is_optimal() == Some(true) => {
                    format!("optimal: no solution has fewer than {}", moves(optimum as usize))
                }
                Some(number) => {
                    format!("not optimal: {enough}; {one} {number} leaves the optimum")
                }
                None if checked.solves => format!("not optimal: {enough}"),
                None if checked.limit.is_some() || length == 0 => enough,
                None if is_as_short => format!("the {one}s before it are a shortest solution"),
                None if checked.illegal.is_none() => {
                    format!("on the way: {enough}, and a shortest solution begins like this")
                }
                None => {
                    let before = match length {
                        1 => format!("the {one} before it is"),
                        length => format!("the {length} {one}s before it are"),
                    };
                    format!("{before} on a shortest way: {enough}")
                }
            };
            writeln!(output, "{text}")?;
        }
        (_, None) => writeln!(output, "{}", unproved(checked))?,
    }
    if let Some(kind) = checked.limit {
        let by = record::limit(kind);
        writeln!(output, "limit: stopped by the {by}, before all was known")?;
    }
    Ok(())
}

/// Returns what the moves do if the letters name the other one of tile and blank, and how to read
/// them so.
fn reversed(checked: &MoveCheck, naming: MoveNaming) -> Option<String> {
    let found = match (checked.solves_reversed, checked.legal_reversed) {
        (true, _) => "they solve the board",
        (false, true) => "all are possible",
        (false, false) => return None,
    };
    let (of, other) = match naming {
        MoveNaming::Blank => ("tiles", MoveNaming::Tile),
        _ => ("the blank", MoveNaming::Blank),
    };
    Some(advised(format!("as moves of {of}, {found}"), Some(Remedy::NameMoves(other))))
}

/// Returns what is known of the optimum if it is not proved.
fn unproved(checked: &MoveCheck) -> String {
    let known = checked.answer.known_length();
    let needed = KnownLength { length: None, ..known };
    match (checked.gap(), known.length) {
        (Some(_), Some(_)) if checked.is_optimal() == Some(false) => {
            format!("not optimal: the best known solution has {known}")
        }
        (Some(gap), _) => {
            format!("at most {} above the optimum: {needed}", counted(known.metric, gap as usize))
        }
        (None, Some(_)) => format!("the best known solution has {known}"),
        (None, None) => needed.to_string(),
    }
}
