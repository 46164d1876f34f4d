//! `tilebase moves`: the distance to the goal after each move of a board.

use std::io::Write;

use tilebase::Board;
use tilebase::moves::MoveValues;
use tilebase::names::goal_name;
use tilebase::record::Record;
use tilebase::text::format_moves;

use crate::args::{InputColumns, MovesArg};
use crate::choices::{Format, TEXT_NDJSON, one_of};
use crate::console::Console;
use crate::failure::Verdict;
use crate::help;
use crate::interrupt;
use crate::output::{count, seconds};
use crate::record::{self, RecordStyle};
use crate::solver_args::{LimitArgs, SolverArgs};

/// Arguments of `tilebase moves`.
#[derive(Debug, clap::Args)]
#[command(after_help = help::examples(&[
    ("how good each move is", r#"tilebase moves "0 12 9 13/15 11 10 14/3 7 2 5/4 8 6 1""#),
    ("for programs", r#"tilebase moves "8 6 7/2 5 4/3 0 1" --format ndjson"#),
]))]
pub(crate) struct Args {
    /// Boards in any usual notation, files of boards, - for standard input, or sets of boards, as
    /// `solve` takes them
    #[arg(value_name = "BOARD|FILE|SET", required = true, help_heading = help::BOARDS)]
    boards: Vec<String>,
    #[command(flatten)]
    columns: InputColumns,
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
        let (named, tables) = self.solver.open(&self.boards, self.columns, self.limits, console)?;
        let (format, is_single) = (self.format, named.is_single());
        let moves = self.moves.style().in_metric(self.solver.metric.metric);
        let style = RecordStyle { format, moves, is_single, is_terminal: false };
        let search = |console: &mut Console, board: &Board| {
            let search = || console.progress.slowly("searching", || tables.moves(board));
            interrupt::orderly(search)
        };
        console.answer_each(named.boards, style, "", search, |console, values| {
            write(console, &values, style)?;
            console.flush()?;
            if is_single && format == Format::Text {
                note_cost(&values, console);
            }
            Ok(Verdict::of(values.limit.is_none() && values.answer.is_good()))
        })
    }
}

fn write(output: &mut impl Write, values: &MoveValues, style: RecordStyle) -> std::io::Result<()> {
    if style.format == Format::Ndjson {
        return record::write_json(output, &Record::new(values, style.moves));
    }
    let answer = &values.answer;
    if !style.is_single {
        writeln!(output, "{}:", answer.board)?;
    }
    let known = answer.known_length();
    match answer.length() {
        Some(0) => writeln!(output, "this is the goal, {}", goal_name(&answer.goal))?,
        Some(_) if known.is_proved() => writeln!(output, "{known} to {}", goal_name(&answer.goal))?,
        Some(_) => writeln!(output, "the best known solution has {known}")?,
        None => writeln!(output, "{}", record::answer(answer, style.moves))?,
    }
    for value in &values.moves {
        let distance = match value.distance {
            None => "?".to_owned(),
            Some(distance) => distance.to_string(),
        };
        let note = if value.is_optimal == Some(true) { "  optimal" } else { "" };
        let written = format_moves(&answer.board, &value.directions(), style.moves);
        writeln!(output, "  {written:<2} tile {:<2} {distance:>4}{note}", value.tile)?;
    }
    if let (Some(_), Some(kind)) = (answer.length(), values.limit) {
        let by = record::limit(kind);
        writeln!(output, "limit: stopped by the {by}, before all distances were known")?;
    }
    Ok(())
}

fn note_cost(values: &MoveValues, console: &Console) {
    if let Some(spec) = &values.answer.spec {
        console.note(format_args!(
            "{} generated, of these {} for the board itself, {}, spec {spec}, goal {}",
            count(values.generated),
            count(values.answer.generated),
            seconds(values.elapsed.as_secs_f64()),
            goal_name(&values.answer.goal),
        ));
    }
}
