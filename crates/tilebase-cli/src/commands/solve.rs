//! `tilebase solve`: shortest solutions.

use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;

use pdb_lab::SearchName;
use serde::Serialize;
use tilebase::{
    Answer, Answers, Error, Given, Hard, HardAnswer, IntoBoard, NamedBoards, Shape, Shard,
    SolutionSet, Tilebase, Totals,
};

use crate::args::{InputColumns, MovesArg, OutputFormat};
use crate::failure::{Verdict, usage};
use crate::help;
use crate::interrupt;
use crate::output::{Output, Target, count, seconds};
use crate::progress::{BoardProgress, BoundLines, Progress};
use crate::record::{self, Format, Style};
use crate::solutions::{self, Wanted};
use crate::solver::{Limits, Setup, Solver};

/// Boards of so many cells are solved in no time by the tables that ship.
const EASY_CELLS_MAX: usize = 16;

/// Arguments of `tilebase solve`.
#[derive(Debug, clap::Args)]
#[command(after_help = help::examples(&[
    ("one board, with the best tables that there is room for",
     r#"tilebase solve "0 12 9 13/15 11 10 14/3 7 2 5/4 8 6 1""#),
    ("a file of boards, a JSON object for each", "tilebase solve boards.txt --format ndjson"),
    ("a hard board: the same command resumes it after Ctrl-C",
     r#"tilebase solve korf24.txt --checkpoint hard.ckpt"#),
]))]
pub(crate) struct Args {
    /// Boards in any usual notation, such as "1 2 3/4 5 6/0 7 8", 123456078 or [[1,2,3],[4,5,6],
    /// [0,7,8]]; files of boards, - for standard input; or sets of boards: korf100, korf50, hardest,
    /// random:N:SEED, walk:STEPS:N:SEED, optimum:LO..HI:N:SEED. Arguments that are single cells make up one board [default: standard input, unless it is a
    /// terminal]
    #[arg(value_name = "BOARD|FILE|SET", conflicts_with = "input", help_heading = help::BOARDS)]
    boards: Vec<String>,
    /// File of boards, - for standard input: one on each line, or drawn on several with a blank line
    /// between boards; lines that start with # are skipped
    #[arg(long, value_name = "FILE|-", help_heading = help::BOARDS)]
    input: Option<PathBuf>,
    #[command(flatten)]
    columns: InputColumns,
    /// Say more on standard error: what each bound took, and all boards together
    #[arg(long, short, help_heading = help::OUTPUT)]
    verbose: bool,
    /// How answers are written
    #[arg(long, value_enum, default_value_t, help_heading = help::OUTPUT)]
    format: Format,
    /// Tell on standard error what each bound took as soon as it is done, as text or as JSON objects
    #[arg(long, value_enum, value_name = "HOW", num_args = 0..=1, require_equals = true,
          default_missing_value = "text", help_heading = help::OUTPUT)]
    progress: Option<OutputFormat>,
    #[command(flatten)]
    moves: MovesArg,
    #[command(flatten)]
    wanted: Wanted,
    /// How the work is shared out among the boards
    #[arg(long, value_enum, default_value_t, value_name = "MODE", help_heading = help::SEARCH)]
    mode: Mode,
    /// Search by a name that `compare` knows, a board a thread, such as astar or batch-astar:1000:3/2; a
    /// weight that is not named is 1. The solution may not be a shortest one
    /// [default: lanes; astar for a network]
    #[arg(long, value_name = "NAME", conflicts_with_all = ["mode", "checkpoint"], help_heading = help::SEARCH)]
    search: Option<SearchName>,
    /// Write what all boards took together to a file, as a JSON object
    #[arg(long, value_name = "FILE|-", help_heading = help::OUTPUT)]
    summary: Option<Target>,
    /// File that the search of one hard board is written to every few seconds; the same command
    /// resumes it
    #[arg(long, value_name = "FILE", conflicts_with_all = ["mode", "summary", "trust_tables"], help_heading = help::SEARCH)]
    checkpoint: Option<PathBuf>,
    /// Search a part of the present bound's packets, such as 1/4 to 4/4 on four machines; `merge`
    /// puts their checkpoints together
    #[arg(long, value_name = "I/N", requires = "checkpoint", help_heading = help::SEARCH)]
    shard: Option<Shard>,
    /// Packets that each bound of a new checkpoint is cut into [default: 8192]
    #[arg(long, value_name = "N", requires = "checkpoint",
          value_parser = clap::value_parser!(u32).range(1..=1_000_000), help_heading = help::SEARCH)]
    packets: Option<u32>,
    #[command(flatten)]
    limits: Limits,
    #[command(flatten)]
    solver: Solver,
}

/// How the work is shared out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
enum Mode {
    /// Throughput; a single board has all threads to itself anyway
    #[default]
    Auto,
    /// Each board as soon as possible, one after another, each on all threads
    Latency,
    /// As many boards a second as possible, many of them side by side
    Throughput,
    /// IDA* as Korf described it, a board a thread: the node counts of the literature
    Plain,
}

impl From<Mode> for tilebase::Mode {
    fn from(mode: Mode) -> Self {
        match mode {
            Mode::Auto => Self::Auto,
            Mode::Latency => Self::Latency,
            Mode::Throughput => Self::Throughput,
            Mode::Plain => Self::Plain,
        }
    }
}

/// What all boards took together, and on how many threads.
#[derive(Debug, Serialize)]
struct Summary {
    #[serde(flatten)]
    totals: Totals,
    threads: usize,
}

impl Args {
    fn mode(&self) -> tilebase::Mode {
        match self.search {
            None => self.mode.into(),
            // They are what the usual mode has.
            Some(SearchName::Lanes) => tilebase::Mode::Auto,
            Some(name) => tilebase::Mode::By(name),
        }
    }

    pub(crate) fn run(self, output: &mut Output, progress: Progress) -> anyhow::Result<Verdict> {
        let is_single = self.names_one_board();
        let bounds = self.progress.map(|format| BoundLines { format, is_single });
        let setup = self.solver.begin((self.mode(), self.limits), progress, bounds)?;
        let named = self.boards(&setup)?;
        let is_single = named.single.is_some();
        let tables = setup.open(named.goal, progress)?;
        if let Some(board) = &named.single {
            // Better an error than a record.
            tables.goal(board.shape()).map_err(usage)?;
        }
        let style = self.style(is_single);
        if let Some(wanted) = self.wanted.solutions() {
            if self.format == Format::Steps {
                return Err(usage(
                    "--format steps shows one solution: leave it away, or --all, --best, --count and \
                     --slack",
                ));
            }
            let told = |set: &SolutionSet| {
                self.tell_last_bound(&set.answer, style, progress);
                let is_read = self.progress != Some(OutputFormat::Ndjson);
                if style.is_single && self.format == Format::Text && is_read {
                    let nodes = [set.generated, set.expanded];
                    if let Some(work) = record::work(&set.answer, nodes, set.elapsed) {
                        progress.note(work);
                    }
                }
            };
            let solve = solutions::Solve { wanted: &wanted, tables: &tables, style, progress };
            return solve.write_all(named.boards, output, &told);
        }
        let is_hard = named.single.is_some_and(|board| self.may_be_hard(board.shape()));
        if self.checkpoint.is_some() || is_hard {
            return self.solve_hard(named, &tables, output, progress);
        }
        // What cannot be written is better known before the boards are solved; an empty file says
        // that they are not.
        if let Some(target) = &self.summary {
            target.prepare()?;
        }
        let answers = tables.solve_given(named.boards, tables.search().clone());
        let mut shown = progress.boards(named.count);
        let (verdict, totals) =
            interrupt::orderly(|| self.write_all(answers, style, output, &mut shown, progress))?;
        drop(shown);
        if let Some(target) = &self.summary {
            let summary = Summary { totals, threads: self.solver.thread_count() };
            target.write(output, &serde_json::to_vec(&summary)?)?;
        }
        if self.verbose && !style.is_single {
            progress.note(format_args!(
                "{} boards searched, {} generated, {} look-ups, {}",
                count(totals.boards),
                count(totals.generated),
                count(totals.lookups),
                seconds(totals.seconds)
            ));
        }
        Ok(verdict)
    }

    /// Whether a single board of a shape may take so long that its progress is worth showing.
    fn may_be_hard(&self, shape: Shape) -> bool {
        let is_usual = self.mode() == tilebase::Mode::default() && self.summary.is_none();
        is_usual && shape.cell_count() > EASY_CELLS_MAX
    }

    /// Searches one board in packets, with a checkpoint if one is named.
    fn solve_hard(
        &self,
        named: NamedBoards,
        tables: &Tilebase,
        output: &mut Output,
        progress: Progress,
    ) -> anyhow::Result<Verdict> {
        let boards: Vec<Given> = named.boards.take(2).collect::<Result<_, _>>()?;
        let [Given { board, .. }] = &boards[..] else {
            return Err(usage(
                "a checkpoint is that of one board: name one, and another --checkpoint for each \
                 further board",
            ));
        };
        let hard = Hard {
            checkpoint: self.checkpoint.clone(),
            shard: self.shard,
            packet_count: self.packets.map(|count| count as usize),
            search: tables.search().clone(),
        };
        let answer = interrupt::orderly(|| tables.solve_hard(board, &hard))?;
        self.note_rest(&answer, progress);
        self.tell_last_bound(&answer.answer, self.style(true), progress);
        record::write_answer(output, &answer.answer, self.style(true))?;
        output.flush()?;
        self.note_cost(&answer.answer, progress);
        Ok(Verdict::of(answer.answer.is_good()))
    }

    /// Says what to do next with the checkpoint, if there is anything.
    fn note_rest(&self, answer: &HardAnswer, progress: Progress) {
        let (Some(path), Some(rest)) = (&self.checkpoint, answer.rest) else { return };
        let (shown, bound, done, total) = (path.display(), rest.bound, rest.done, rest.total);
        match (&answer.answer.status, self.shard) {
            (tilebase::Status::Limit { .. }, _) => progress.note(format_args!(
                "note: {shown} holds {done} of {total} packets of bound {bound}; {} nodes of packets \
                 that were not finished will be searched again by the same command",
                count(rest.dropped)
            )),
            (_, Some(shard)) => progress.note(format_args!(
                "note: shard {shard} of bound {bound} is done, {shown} holds {done} of {total} \
                 packets; merge it with the others by tilebase merge"
            )),
            _ => (),
        }
    }

    /// Tells of the bound that a search ended in, if the others were told too.
    fn tell_last_bound(&self, answer: &Answer, style: Style, progress: Progress) {
        if let Some(format) = self.progress {
            BoundLines { format, is_single: style.is_single }.tell_last(answer, progress);
        }
    }

    /// Says what the search of a single board took.
    fn note_cost(&self, answer: &Answer, progress: Progress) {
        // A record says it already, and objects on standard error are for programs.
        let is_for_programs =
            self.format == Format::Ndjson || self.progress == Some(OutputFormat::Ndjson);
        if is_for_programs && !self.verbose {
            return;
        }
        if self.verbose {
            record::bounds(answer).for_each(|bound| progress.note(bound));
        }
        if let Some(cost) = record::cost(answer) {
            progress.note(cost);
        }
    }

    fn style(&self, is_single: bool) -> Style {
        let moves = self.moves.style();
        let is_terminal = io::stdout().is_terminal();
        Style { format: self.format, moves, is_single, is_terminal }
    }

    /// Whether the arguments are a single board, as far as can be told before boards are read.
    fn names_one_board(&self) -> bool {
        let is_board = |text: &str| text.into_board(None).is_ok();
        self.input.is_none() && is_board(&self.boards.join(" "))
    }

    /// The boards that were named.
    fn boards(&self, setup: &Setup<'_>) -> anyhow::Result<NamedBoards> {
        if let Some(path) = &self.input {
            return setup.file(path, self.columns.input_columns);
        }
        if !self.boards.is_empty() {
            return setup.words(&self.boards, self.columns.input_columns);
        }
        if io::stdin().is_terminal() {
            return Err(usage(
                "there is no board to solve: name one, such as \"1 2 3/4 5 6/0 7 8\", name a file of \
                 boards, or write them to standard input",
            ));
        }
        setup.file("-".as_ref(), self.columns.input_columns)
    }

    /// Writes the records of all answers in order, until the reader of the output leaves.
    fn write_all(
        &self,
        mut answers: Answers,
        style: Style,
        output: &mut Output,
        shown: &mut BoardProgress,
        progress: Progress,
    ) -> anyhow::Result<(Verdict, Totals)> {
        let mut verdict = Verdict::Good;
        let mut is_empty = true;
        while !output.is_closed() {
            // Nothing that is known is held back while something is waited for.
            if !answers.is_ready() {
                shown.aside(|| output.flush())?;
            }
            let Some(answer) = answers.next() else { break };
            shown.count();
            is_empty = false;
            match answer {
                Ok(answer) => {
                    self.tell_last_bound(&answer, style, progress);
                    verdict = verdict.max(Verdict::of(answer.is_good()));
                    record::write_answer(output, &answer, style)?;
                    if style.is_single {
                        shown.aside(|| output.flush())?;
                        shown.end();
                        self.note_cost(&answer, progress);
                    }
                }
                // Of a single board, an error is better than a record.
                Err(Error::NoEngine { problem, .. }) if style.is_single => {
                    return Err((*problem).into());
                }
                Err(error) if error.is_of_board() => {
                    verdict = Verdict::Bad;
                    record::write(output, &record::of_error(None, error), style)?;
                }
                Err(error) => return Err(error.into()),
            }
        }
        if is_empty && !interrupt::is_set() {
            return Err(record::no_board());
        }
        Ok((verdict, answers.totals()))
    }
}
