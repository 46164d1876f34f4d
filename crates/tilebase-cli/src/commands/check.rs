//! `tilebase check`: whether moves solve a board, and the first move that is not optimal.

use std::io::Write;

use tilebase::Status;
use tilebase::moves::MoveCheck;
use tilebase::names::goal_name;
use tilebase::record::Record;

use crate::args::{BoardAndMoves, MovesArg};
use crate::choices::{Format, TEXT_NDJSON, one_of};
use crate::console::Console;
use crate::failure::Verdict;
use crate::help;
use crate::interrupt;
use crate::record;
use crate::solver::{Limits, Solver};

/// Arguments of `tilebase check`.
#[derive(Debug, clap::Args)]
#[command(after_help = help::examples(&[
    ("a solution as letters", r#"tilebase check "1 2 3/4 5 6/0 7 8" LL"#),
    ("the same as the tiles that move", r#"tilebase check "1 2 3/4 5 6/0 7 8" 7 8"#),
]))]
pub(crate) struct Args {
    #[command(flatten)]
    given: BoardAndMoves,
    /// Output format
    #[arg(long, value_parser = one_of(TEXT_NDJSON), default_value = "text", help_heading = help::OUTPUT)]
    format: Format,
    #[command(flatten)]
    moves: MovesArg,
    #[command(flatten)]
    limits: Limits,
    #[command(flatten)]
    solver: Solver,
}

impl Args {
    pub(crate) fn run(self, console: &mut Console) -> anyhow::Result<Verdict> {
        let words = std::slice::from_ref(&self.given.board);
        let (named, tables) = self.solver.open(words, None, self.limits, console)?;
        let board = record::only_board(named)?;
        let moves = self.given.moves(self.moves)?;
        let checked = interrupt::orderly(|| {
            console.progress.slowly("checking", || tables.check(board, &moves))
        })?;
        match self.format {
            Format::Ndjson => {
                record::write_json(console, &Record::new(&checked, self.moves.style()))?;
            }
            _ => write(console, &checked)?,
        }
        Ok(Verdict::of(checked.solves && checked.limit.is_none()))
    }
}

fn write(output: &mut impl Write, checked: &MoveCheck) -> std::io::Result<()> {
    let (moves, length) = (record::moves, checked.moves.len());
    let lead =
        |count: usize| format!("{} {}", moves(count), if count == 1 { "leads" } else { "lead" });
    let to = goal_name(&checked.answer.goal);
    match &checked.illegal {
        Some(problem) => writeln!(output, "illegal: {problem}")?,
        None if checked.solves => {
            writeln!(output, "solves: {} to {to}", lead(length))?;
        }
        None => {
            writeln!(output, "does not solve: {} to {}, not to {to}", lead(length), checked.end)?;
        }
    }
    match (&checked.answer.status, checked.optimum()) {
        (Status::Unsolvable(reason), _) => {
            writeln!(output, "{}", record::unsolvable(&checked.answer.board, *reason))?;
        }
        (_, Some(optimum)) => {
            let is_as_short = length as u32 == optimum;
            let optimum = moves(optimum as usize);
            let text = match checked.leaves_optimum_at {
                _ if checked.is_optimal() == Some(true) => {
                    format!("optimal: no solution has fewer than {optimum}")
                }
                Some(number) => {
                    format!("not optimal: {optimum} suffice; move {number} leaves the optimum")
                }
                None if checked.limit.is_some() => format!("not optimal: {optimum} suffice"),
                None if length == 0 => format!("{optimum} suffice"),
                None if is_as_short => "the moves before it are a shortest solution".to_owned(),
                None if checked.illegal.is_none() => format!(
                    "on the way: {optimum} suffice, and a shortest solution begins like this"
                ),
                None => {
                    let before = match length {
                        1 => "the move before it is".to_owned(),
                        length => format!("the {length} moves before it are"),
                    };
                    format!("{before} on a shortest way: {optimum} suffice")
                }
            };
            writeln!(output, "{text}")?;
        }
        (_, None) => {}
    }
    if let Some(kind) = checked.limit {
        let by = record::limit(kind);
        writeln!(output, "limit: stopped by the {by}, before all was known")?;
    }
    Ok(())
}
