//! `tilebase solve --all`, `--count` and `--best`: more than one solution of a board.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use pdb_draw::grouped;
use tilebase::{
    Board, BoardsGiven, Error, LengthCount, Record, SolutionRecord, SolutionSet, Solutions,
    SolutionsRecord, Tilebase,
};

use crate::failure::Verdict;
use crate::help;
use crate::interrupt;
use crate::output::Output;
use crate::progress::Progress;
use crate::record::{self, Format, Style};

/// Solutions that took so long to find are shown at once.
const SLOW: Duration = Duration::from_millis(20);

/// Which solutions are wanted, if not a single one.
#[derive(Debug, clap::Args)]
pub(crate) struct Wanted {
    /// List every shortest solution, in the order U, R, D, L of the tiles' moves, and count them
    #[arg(long, conflicts_with_all = ["checkpoint", "mode", "search", "summary", "verbose"], help_heading = help::SOLUTIONS)]
    all: bool,
    /// Count the shortest solutions, without a list; --slack alone does so too
    #[arg(long, conflicts_with_all = ["all", "best", "checkpoint", "mode", "search", "summary", "verbose"],
          help_heading = help::SOLUTIONS)]
    count: bool,
    /// List the K shortest solutions: longer ones too, where there are fewer of the shortest
    #[arg(long, value_name = "K", conflicts_with_all = ["all", "checkpoint", "mode", "search", "summary", "verbose"],
          value_parser = clap::value_parser!(u64).range(1..), help_heading = help::SOLUTIONS)]
    best: Option<u64>,
    /// Solutions may have so many moves more than the shortest. None takes a move back with the next one,
    /// or passes the goal
    #[arg(long, value_name = "MOVES", conflicts_with_all = ["checkpoint", "mode", "search", "summary", "verbose"],
          help_heading = help::SOLUTIONS)]
    slack: Option<u32>,
    /// With --all: list no more than so many solutions, and count the others
    #[arg(long, value_name = "N", requires = "all", conflicts_with_all = ["best", "count"], help_heading = help::SOLUTIONS)]
    list_max: Option<u64>,
}

impl Wanted {
    /// What is wanted, unless it is a single solution.
    pub(crate) fn solutions(&self) -> Option<Solutions> {
        let wanted = match (self.all, self.count, self.best) {
            (_, _, Some(best)) => Solutions::best(best),
            (true, ..) => {
                Solutions { list_max: self.list_max.unwrap_or(u64::MAX), ..Solutions::all() }
            }
            // A slack alone asks for how many there are.
            (_, true, _) => Solutions::count(),
            _ if self.slack.is_some() => Solutions::count(),
            _ => return None,
        };
        Some(Solutions { slack: self.slack.or(wanted.slack), ..wanted })
    }
}

/// How the solutions of boards are found and written.
pub(crate) struct Solve<'a> {
    pub(crate) wanted: &'a Solutions,
    pub(crate) tables: &'a Tilebase,
    pub(crate) style: Style,
    pub(crate) progress: Progress,
}

impl Solve<'_> {
    /// Writes the solutions of all boards, in their order; `done` is told of each.
    pub(crate) fn write_all(
        &self,
        boards: BoardsGiven,
        output: &mut Output,
        done: &dyn Fn(&SolutionSet),
    ) -> anyhow::Result<Verdict> {
        let style = self.style;
        let mut verdict = Verdict::Good;
        let mut is_empty = true;
        for given in boards {
            is_empty = false;
            let solved = record::of_one(given, |board| self.solve(*board, output));
            let set = match solved {
                Ok(Ok(set)) => set,
                // What was listed cannot be written any more, so nobody needs the rest.
                Ok(Err(error)) => return Err(error.into()),
                Err(problem) => {
                    verdict = Verdict::Bad;
                    record::write(output, &problem.record(style.is_single)?, style)?;
                    continue;
                }
            };
            let is_good = set.answer.is_good() && set.limit.is_none();
            verdict = verdict.max(Verdict::of(is_good));
            match style.format {
                Format::Ndjson => {
                    record::write_json(output, &SolutionsRecord::new(&set, style.moves))?;
                }
                _ if set.answer.length().is_none() => {
                    record::write(output, &Record::new(&set.answer, style.moves), style)?;
                }
                _ => write_counts(output, &set, style)?,
            }
            output.flush()?;
            done(&set);
            if output.is_closed() || interrupt::is_set() {
                break;
            }
        }
        if is_empty && !interrupt::is_set() {
            return Err(record::no_board());
        }
        Ok(verdict)
    }

    /// The solutions of a board, listed as they are found.
    fn solve(&self, board: Board, output: &mut Output) -> Result<io::Result<SolutionSet>, Error> {
        let Self { wanted, tables, style, progress } = *self;
        let mut number = 0;
        let mut written = Ok(());
        let mut shown = Instant::now();
        let mut find = || {
            tables.solutions(board, wanted, &mut |answer, moves| {
                number += 1;
                let is_last = number == wanted.list_max;
                let record = SolutionRecord::new(answer, number, moves, style.moves);
                written = match style.format {
                    Format::Ndjson => record::write_json(output, &record),
                    _ => write_solution(output, &record, style),
                };
                // What took a while to find is shown at once, and so is the last before a count.
                if written.is_ok() && (is_last || shown.elapsed() >= SLOW) {
                    written = output.flush();
                    shown = Instant::now();
                }
                written.is_ok() && !output.is_closed()
            })
        };
        let set = interrupt::orderly(|| match wanted.list_max {
            0 => progress.slowly("counting solutions", find),
            // A list shows that there is something going on.
            _ => find(),
        })?;
        Ok(written.map(|()| set))
    }
}

fn write_solution(output: &mut Output, record: &SolutionRecord, style: Style) -> io::Result<()> {
    if !style.is_single {
        write!(output, "{}: ", record.board)?;
    }
    let length = record::moves(record.length);
    match record.length {
        0 => writeln!(output, "{length}"),
        _ => writeln!(output, "{length}: {}", record.moves),
    }
}

/// How many there are of each length.
fn write_counts(output: &mut Output, set: &SolutionSet, style: Style) -> io::Result<()> {
    if !style.is_single {
        write!(output, "{}: ", set.answer.board)?;
    }
    // That there is none of a length is not worth a word.
    let is_said = |of_length: &&LengthCount| of_length.count > 0 || !of_length.is_complete;
    let lengths = set.lengths.iter().filter(is_said).map(|of_length| {
        let at_least = if of_length.is_complete { "" } else { "at least " };
        let solutions = if of_length.count == 1 { "solution" } else { "solutions" };
        let moves = if of_length.length == 1 { "move" } else { "moves" };
        let (count, length) = (grouped(of_length.count), of_length.length);
        format!("{at_least}{count} {solutions} of {length} {moves}")
    });
    write!(output, "{}", lengths.collect::<Vec<_>>().join(", "))?;
    if set.listed > 0 && u128::from(set.listed) < set.count() {
        write!(output, "; {} listed", grouped(set.listed))?;
    }
    if set.limit.is_some() {
        write!(output, "; stopped by the {}", record::limit(set.limit))?;
    }
    writeln!(output)
}
