//! `tilebase explain`: a board's parity and estimates, without a search.

use tilebase::Board;

use crate::args::InputColumns;
use crate::choices::{Format, TEXT_NDJSON, one_of};
use crate::console::Console;
use crate::explanation;
use crate::failure::Verdict;
use crate::help;
use crate::interrupt;
use crate::record::{self, RecordStyle};
use crate::solver_args::{LimitArgs, SolverArgs};

/// Arguments of `tilebase explain`.
#[derive(Debug, clap::Args)]
#[command(after_help = help::examples(&[
    ("a board, with the tables that are built", r#"tilebase explain "1 2 3 0/5 6 7 8/9 10 11 12/13 14 15 4""#),
    ("the same with the tables of a spec, which are built if missing",
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
    /// Output format
    #[arg(long, value_parser = one_of(TEXT_NDJSON), default_value = "text", help_heading = help::OUTPUT)]
    format: Format,
    #[command(flatten)]
    solver: SolverArgs,
}

impl Args {
    pub(crate) fn run(self, console: &mut Console) -> anyhow::Result<Verdict> {
        let (named, tables) =
            self.solver.open(&self.boards, self.columns, LimitArgs::default(), console)?;
        let is_single = named.is_single();
        let explain = |console: &mut Console, board: &Board| {
            let explain = || console.progress.slowly("explaining", || tables.explain(board));
            interrupt::orderly(explain)
        };
        let style = RecordStyle { format: self.format, is_single, ..RecordStyle::default() };
        let gap = if self.format == Format::Text { "\n\n" } else { "" };
        console.answer_each(named.boards, style, gap, explain, |console, explanation| {
            match style.format {
                Format::Ndjson => record::write_json(console, &explanation)?,
                _ => explanation::write(console, &explanation)?,
            }
            Ok(Verdict::of(explanation.solvable.is_solvable))
        })
    }
}
