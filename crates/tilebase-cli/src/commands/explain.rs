//! `tilebase explain`: what can be said of a board without a search.

use std::io::Write;

use tilebase::{Board, Error, Explanation, Given, Mode, NamedBoards, Tilebase};

use crate::args::InputColumns;
use crate::explanation;
use crate::failure::{Verdict, usage};
use crate::help;
use crate::interrupt;
use crate::output::Output;
use crate::progress::Progress;
use crate::record;
use crate::solver::{Limits, Solver};

/// Arguments of `tilebase explain`.
#[derive(Debug, clap::Args)]
#[command(after_help = help::examples(&[
    ("a board, with what is built already", r#"tilebase explain "1 2 3 0/5 6 7 8/9 10 11 12/13 14 15 4""#),
    ("the same with the tables of a spec, which are built first",
     r#"tilebase explain "1 2 3 0/5 6 7 8/9 10 11 12/13 14 15 4" --spec 15/5-5-5"#),
    ("a file of boards, a JSON object for each", "tilebase explain boards.txt --format ndjson"),
]))]
pub(crate) struct Args {
    /// Boards in any usual notation, such as "1 2 3/4 5 6/0 7 8", 123456078 or [[1,2,3],[4,5,6],
    /// [0,7,8]]; files of boards, - for standard input; or sets of boards: korf100, random:N:SEED.
    /// Arguments that are single cells make up one board
    #[arg(value_name = "BOARD|FILE|SET", required = true, help_heading = help::BOARDS)]
    boards: Vec<String>,
    #[command(flatten)]
    columns: InputColumns,
    /// How explanations are written
    #[arg(long, value_enum, default_value_t, help_heading = help::OUTPUT)]
    format: Format,
    #[command(flatten)]
    solver: Solver,
}

/// How explanations are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// To read
    #[default]
    Text,
    /// For programs: the JSON object of one board, on many lines
    Json,
    /// For programs: a JSON object a line
    Ndjson,
}

impl Args {
    pub(crate) fn run(self, output: &mut Output, progress: Progress) -> anyhow::Result<Verdict> {
        let setup = self.solver.begin((Mode::Auto, Limits::default()), progress, None)?;
        let named = setup.words(&self.boards, self.columns.input_columns)?;
        let tables = setup.open(named.goal, progress)?;
        let is_single = named.single.is_some();
        if let Some(board) = &named.single {
            // Better an error than a record.
            tables.goal(board.shape()).map_err(usage)?;
        }
        interrupt::orderly(|| self.write_all(named, &tables, is_single, output, progress))
    }

    fn write_all(
        &self,
        named: NamedBoards,
        tables: &Tilebase,
        is_single: bool,
        output: &mut Output,
        progress: Progress,
    ) -> anyhow::Result<Verdict> {
        if self.format == Format::Json {
            return write_json(named, tables, output, progress);
        }
        let mut verdict = Verdict::Good;
        let mut count = 0;
        for given in named.boards {
            if output.is_closed() || interrupt::is_set() {
                break;
            }
            if count > 0 && self.format == Format::Text {
                writeln!(output, "\n")?;
            }
            count += 1;
            let explained = record::of_one(given, |board| explain(tables, board, progress));
            match explained {
                Ok(explanation) => {
                    verdict = verdict.max(Verdict::of(explanation.solvable.is_solvable));
                    match self.format {
                        Format::Ndjson => record::write_json(output, &explanation)?,
                        _ => explanation::write(output, &explanation)?,
                    }
                }
                Err(problem) => {
                    verdict = Verdict::Bad;
                    let record = problem.record(is_single)?;
                    if self.format == Format::Ndjson {
                        record::write_json(output, &record)?;
                    } else {
                        let problem = record.error.as_deref().unwrap_or_default();
                        writeln!(output, "{}: {}: {problem}", record.board, record.status)?;
                    }
                }
            }
            output.flush()?;
        }
        if count == 0 && !interrupt::is_set() {
            return Err(record::no_board());
        }
        Ok(verdict)
    }
}

/// Writes the object of the only board.
fn write_json(
    named: NamedBoards,
    tables: &Tilebase,
    output: &mut Output,
    progress: Progress,
) -> anyhow::Result<Verdict> {
    let boards: Vec<Given> = named.boards.take(2).collect::<Result<_, _>>()?;
    let [given] = boards[..] else {
        let found = if boards.is_empty() { "none" } else { "more" };
        return Err(usage(format!(
            "--format json is for one board and there are {found}: use --format ndjson for many"
        )));
    };
    let explanation = explain(tables, &given.board, progress)?;
    serde_json::to_writer_pretty(&mut *output, &explanation)?;
    writeln!(output)?;
    Ok(Verdict::of(explanation.solvable.is_solvable))
}

fn explain(tables: &Tilebase, board: &Board, progress: Progress) -> Result<Explanation, Error> {
    progress.slowly("explaining", || tables.explain(board))
}
