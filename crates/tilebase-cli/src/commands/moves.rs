//! `tilebase moves`: what each move of a board is worth.

use std::io::Write;

use tilebase::{Mode, MoveValues, MovesRecord, Status, goal_name};

use crate::args::{InputColumns, MovesArg, OutputFormat};
use crate::failure::Verdict;
use crate::help;
use crate::interrupt;
use crate::output::{Output, count, seconds};
use crate::progress::Progress;
use crate::record::{self, Format, Style};
use crate::solver::{Limits, Solver};

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
    /// How the moves are written out
    #[arg(long, value_enum, default_value_t, help_heading = help::OUTPUT)]
    format: OutputFormat,
    #[command(flatten)]
    moves: MovesArg,
    #[command(flatten)]
    limits: Limits,
    #[command(flatten)]
    solver: Solver,
}

impl Args {
    pub(crate) fn run(self, output: &mut Output, progress: Progress) -> anyhow::Result<Verdict> {
        let setup = self.solver.begin((Mode::Auto, self.limits), progress, None)?;
        let named = setup.words(&self.boards, self.columns.input_columns)?;
        let tables = setup.open(named.goal, progress)?;
        let mut verdict = Verdict::Good;
        let is_single = named.single.is_some();
        let style = self.style(is_single);
        let mut is_empty = true;
        for given in named.boards {
            is_empty = false;
            let asked = record::of_one(given, |board| {
                interrupt::orderly(|| progress.slowly("searching", || tables.moves(board)))
            });
            let values = match asked {
                Ok(values) => values,
                Err(problem) => {
                    verdict = Verdict::Bad;
                    record::write(output, &problem.record(is_single)?, style)?;
                    continue;
                }
            };
            let is_good = values.limit.is_none() && values.answer.is_good();
            verdict = verdict.max(Verdict::of(is_good));
            write(output, &values, style)?;
            output.flush()?;
            if is_single && self.format == OutputFormat::Text {
                note_cost(&values, progress);
            }
            if output.is_closed() || interrupt::is_set() {
                break;
            }
        }
        if is_empty && !interrupt::is_set() {
            return Err(record::no_board());
        }
        Ok(verdict)
    }

    fn style(&self, is_single: bool) -> Style {
        let format = match self.format {
            OutputFormat::Text => Format::Text,
            OutputFormat::Ndjson => Format::Ndjson,
        };
        Style { format, moves: self.moves.style(), is_single, is_terminal: false }
    }
}

fn write(output: &mut Output, values: &MoveValues, style: Style) -> std::io::Result<()> {
    let record = MovesRecord::new(values, style.moves);
    if style.format == Format::Ndjson {
        return record::write_json(output, &record);
    }
    if !style.is_single {
        writeln!(output, "{}:", record.board)?;
    }
    let to = goal_name(&values.answer.goal);
    match (&values.answer.status, record.distance) {
        (_, Some(0)) => writeln!(output, "this is the goal, {to}")?,
        (_, Some(distance)) => writeln!(output, "{} to {to}", record::moves(distance))?,
        (Status::Unsolvable(reason), None) => {
            let with = record::solvable_with(record.solvable_with.as_deref());
            writeln!(output, "unsolvable: {reason}{with}")?;
        }
        (_, None) => writeln!(
            output,
            "limit: stopped by the {}, at least {} moves are needed",
            record::limit(values.limit),
            record.lower_bound.unwrap_or_default()
        )?,
    }
    for value in &record.moves {
        let distance = match value.distance {
            None => "?".to_owned(),
            Some(distance) => distance.to_string(),
        };
        let note = if value.optimal == Some(true) { "  optimal" } else { "" };
        writeln!(output, "  {:<2} tile {:<2} {distance:>4}{note}", value.written, value.tile)?;
    }
    if record.distance.is_some() && values.limit.is_some() {
        let by = record::limit(values.limit);
        writeln!(output, "limit: stopped by the {by}, before all distances were known")?;
    }
    Ok(())
}

fn note_cost(values: &MoveValues, progress: Progress) {
    if let Some(spec) = &values.answer.spec {
        progress.note(format_args!(
            "{} generated, of these {} for the board itself, {}, spec {spec}, goal {}",
            count(values.generated),
            count(values.answer.generated),
            seconds(values.elapsed.as_secs_f64()),
            goal_name(&values.answer.goal),
        ));
    }
}
