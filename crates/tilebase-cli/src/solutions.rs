//! `tilebase solve --all`, `--count` and `--best`: more than one solution of a board.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use pdb_core::numbers::grouped;
use tilebase::moves::{LengthCount, SolutionOptions, SolutionSet};
use tilebase::record::{Record, Solution};
use tilebase::sets::InputBoards;
use tilebase::text::format_moves;
use tilebase::{Board, Error, Tilebase, counted};

use crate::args::number;
use crate::choices::Format;
use crate::console::Console;
use crate::failure::Verdict;
use crate::help;
use crate::interrupt;
use crate::record::{self, RecordStyle};

/// Solutions that take longer to find are shown at once.
const SLOW: Duration = Duration::from_millis(20);

/// Options that ask for more than one solution.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = help::SOLUTIONS)]
pub(crate) struct SolutionArgs {
    /// List every shortest solution, in the order U, R, D, L of the tiles' moves, and count them
    #[arg(long, conflicts_with_all = OTHERS)]
    all: bool,
    /// Count the shortest solutions, without a list; --slack alone also counts
    #[arg(long, conflicts_with_all = OTHERS, conflicts_with_all = ["all", "best"])]
    count: bool,
    /// List the K shortest solutions; longer ones follow where there are fewer shortest ones
    #[arg(long, value_name = "K", conflicts_with_all = OTHERS, conflicts_with = "all",
          value_parser = number::<u64>(1..=u64::MAX))]
    best: Option<u64>,
    /// Also take solutions that are up to this many moves longer than the shortest. No solution
    /// takes back its previous move or passes the goal
    #[arg(long, value_name = "MOVES", conflicts_with_all = OTHERS,
          value_parser = number::<u32>(0..=u32::MAX))]
    slack: Option<u32>,
    /// With --all: list at most this many solutions, and count the others
    #[arg(long, value_name = "N", requires = "all", conflicts_with_all = ["best", "count"],
          value_parser = number::<u64>(0..=u64::MAX))]
    list_max: Option<u64>,
}

/// Options of a search for a single solution.
const OTHERS: [&str; 5] = ["checkpoint", "mode", "search", "summary", "verbose"];

impl SolutionArgs {
    /// Returns the query, unless a single solution is enough.
    pub(crate) fn query(&self) -> Option<SolutionOptions> {
        let query = match (self.all, self.count || self.slack.is_some(), self.best) {
            (_, _, Some(best)) => SolutionOptions::best(best),
            (true, ..) => SolutionOptions {
                list_max: self.list_max.unwrap_or(u64::MAX),
                ..SolutionOptions::all()
            },
            (_, true, _) => SolutionOptions::count(),
            _ => return None,
        };
        Some(SolutionOptions { slack: self.slack.or(query.slack), ..query })
    }
}

/// A query for solutions of boards, and the style that they are written in.
pub(crate) struct SolutionRequest<'a> {
    pub(crate) query: &'a SolutionOptions,
    pub(crate) tables: &'a Tilebase,
    pub(crate) style: RecordStyle,
}

impl SolutionRequest<'_> {
    /// Writes the solutions of all boards, in their order; calls `done` after each board.
    pub(crate) fn write_all(
        &self,
        boards: InputBoards,
        console: &mut Console,
        done: &dyn Fn(&SolutionSet, &Console),
    ) -> anyhow::Result<Verdict> {
        let style = self.style;
        let solve = |console: &mut Console, board: &Board| self.solve(*board, console);
        console.answer_each(boards, style, "", solve, |console, solved| {
            // An output that takes no list needs no count either.
            let set = solved?;
            match style.format {
                Format::Ndjson => {
                    record::write_json(console, &Record::new(&set, style.moves))?;
                }
                // Without a proof, the best known solution is the answer.
                _ if set.lengths.is_empty() => {
                    record::write_answer(console, &set.answer, style)?;
                }
                _ => write_counts(console, &set, style)?,
            }
            console.flush()?;
            done(&set, console);
            Ok(Verdict::of(set.answer.is_good() && set.limit.is_none()))
        })
    }

    /// Returns the solutions of a board, and lists them as they are found.
    fn solve(&self, board: Board, console: &mut Console) -> Result<io::Result<SolutionSet>, Error> {
        let Self { query, tables, style } = *self;
        let progress = console.progress;
        let mut number = 0;
        let mut written = Ok(());
        let mut flushed = Instant::now();
        let mut find = || {
            tables.solutions(board, query, &mut |answer, moves| {
                number += 1;
                let is_last = number == query.list_max;
                let solution = Solution { answer, number, moves };
                written = match style.format {
                    Format::Ndjson => {
                        record::write_json(console, &Record::new(&solution, style.moves))
                    }
                    _ => write_solution(console, &solution, style),
                };
                // A slow solution is shown at once, and so is the last one before a count.
                if written.is_ok() && (is_last || flushed.elapsed() >= SLOW) {
                    written = console.flush();
                    flushed = Instant::now();
                }
                written.is_ok() && !console.is_closed()
            })
        };
        let set = interrupt::orderly(|| match query.list_max {
            0 => progress.slowly("counting solutions", find),
            // A list shows progress by itself.
            _ => find(),
        })?;
        Ok(written.map(|()| set))
    }
}

fn write_solution(
    output: &mut impl Write,
    solution: &Solution<'_>,
    style: RecordStyle,
) -> io::Result<()> {
    let Solution { answer, moves, .. } = solution;
    let board = &answer.board;
    if !style.is_single {
        write!(output, "{board}: ")?;
    }
    let length = counted(answer.metric, answer.metric.count(moves));
    match moves {
        [] => writeln!(output, "{length}"),
        moves => writeln!(output, "{length}: {}", format_moves(board, moves, style.moves)),
    }
}

/// Writes the number of solutions of each length.
fn write_counts(output: &mut impl Write, set: &SolutionSet, style: RecordStyle) -> io::Result<()> {
    if !style.is_single {
        write!(output, "{}: ", set.answer.board)?;
    }
    let is_shown = |of_length: &&LengthCount| of_length.count > 0 || !of_length.is_complete;
    let lengths = set.lengths.iter().filter(is_shown).map(|of_length| {
        let at_least = if of_length.is_complete { "" } else { "at least " };
        let solutions = if of_length.count == 1 { "solution" } else { "solutions" };
        let length = counted(set.answer.metric, of_length.length as usize);
        format!("{at_least}{} {solutions} of {length}", grouped(of_length.count))
    });
    write!(output, "{}", lengths.collect::<Vec<_>>().join(", "))?;
    if set.listed > 0 && u128::from(set.listed) < set.count() {
        write!(output, "; {} listed", grouped(set.listed))?;
    }
    if let Some(kind) = set.limit {
        write!(output, "; stopped by the {}", record::limit(kind))?;
    }
    writeln!(output)
}
