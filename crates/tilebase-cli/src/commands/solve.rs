//! `tilebase solve`: shortest solutions.

use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;

use pdb_lab::SearchName;
use serde::Serialize;
use tilebase::hard::{HardAnswer, HardSearch, Shard};
use tilebase::moves::{SolutionOptions, SolutionSet};
use tilebase::record::Totals;
use tilebase::sets::{InputBoard, InputBoards, NamedBoards};
use tilebase::{Answer, Answers, Board, Error, Mode, Shape, Status, Tilebase};

use crate::args::{InputColumns, MovesArg};
use crate::choices::{Format, MODES, SOLVE_FORMATS, SearchParser, TEXT_NDJSON, one_of};
use crate::console::{Console, LeadingInvalid};
use crate::failure::{Verdict, usage};
use crate::help;
use crate::interrupt;
use crate::output::{Target, count, seconds};
use crate::progress::{BoardProgress, BoundLines};
use crate::record::{self, Style};
use crate::solutions::{self, SolutionArgs};
use crate::solver::{Limits, Setup, Solver};

/// Largest number of cells of boards that the shipped tables solve immediately.
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
#[command(next_help_heading = help::SEARCH)]
pub(crate) struct Args {
    /// Boards in any usual notation, such as "1 2 3/4 5 6/0 7 8", 123456078 or [[1,2,3],[4,5,6],
    /// [0,7,8]]; files of boards, - for standard input; or sets of boards: korf100, korf50,
    /// hardest, random:N:SEED, walk:STEPS:N:SEED, optimum:LO..HI:N:SEED. Arguments that are single
    /// cells make up one board [default: standard input, unless it is a terminal]
    #[arg(value_name = "BOARD|FILE|SET", conflicts_with = "input", help_heading = help::BOARDS)]
    boards: Vec<String>,
    /// File of boards, - for standard input: one on each line, or drawn on several with a blank
    /// line between boards; lines that start with # are skipped
    #[arg(long, value_name = "FILE|-", help_heading = help::BOARDS)]
    input: Option<PathBuf>,
    #[command(flatten)]
    columns: InputColumns,
    /// Print more on standard error: the nodes of each bound, and totals of all boards
    #[arg(long, short, help_heading = help::OUTPUT)]
    verbose: bool,
    /// Output format
    #[arg(long, value_parser = one_of(SOLVE_FORMATS), default_value = "text", help_heading = help::OUTPUT)]
    format: Format,
    /// Print the nodes of each finished bound on standard error, as text or as JSON objects
    #[arg(long, value_parser = one_of(TEXT_NDJSON), value_name = "HOW", num_args = 0..=1,
          require_equals = true, default_missing_value = "text", help_heading = help::OUTPUT)]
    progress: Option<Format>,
    #[command(flatten)]
    moves: MovesArg,
    #[command(flatten)]
    solutions: SolutionArgs,
    /// How threads are shared among boards
    #[arg(long, value_parser = one_of(MODES), default_value = "auto", value_name = "MODE")]
    mode: Mode,
    /// A search by its name, one thread per board. A weight and the size of a batch follow the
    /// name, as in weighted-astar:2 and batch-astar:1000:3/2; the default weight is 1. Solutions
    /// may be longer than the shortest [default: lanes; astar for a network]
    #[arg(long, value_parser = SearchParser, value_name = "NAME", conflicts_with_all = ["mode", "checkpoint"])]
    search: Option<SearchName>,
    /// Write totals of all boards to a file, as a JSON object
    #[arg(long, value_name = "FILE|-", help_heading = help::OUTPUT)]
    summary: Option<Target>,
    /// Save the search of one hard board to this file every few seconds; the same command resumes
    /// it
    #[arg(long, value_name = "FILE", conflicts_with_all = ["mode", "summary", "trust_tables"])]
    checkpoint: Option<PathBuf>,
    /// Search only a part of the current bound's packets, such as 1/4 to 4/4 on four machines;
    /// `merge` combines their checkpoints
    #[arg(long, value_name = "I/N", requires = "checkpoint")]
    shard: Option<Shard>,
    /// Number of packets per bound of a new checkpoint [default: 8192]
    #[arg(long, value_name = "N", requires = "checkpoint",
          value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    packets: Option<u32>,
    #[command(flatten)]
    limits: Limits,
    #[command(flatten)]
    solver: Solver,
}

/// Totals of all boards, and the number of threads.
#[derive(Debug, Serialize)]
struct Summary {
    #[serde(flatten)]
    totals: Totals,
    threads: usize,
}

impl Args {
    pub(crate) fn run(self, console: &mut Console) -> anyhow::Result<Verdict> {
        let mut setup = self.solver.begin_in(self.mode(), self.limits, console)?;
        let mut named = self.boards(&setup)?;
        let single = match named.single {
            None if self.checkpoint.is_some() => Some(only_hard_board(&mut named)?),
            single => single,
        };
        let style = self.style(single.is_some());
        if let Some(format) = self.progress {
            let bounds = BoundLines { format, is_single: style.is_single };
            setup.builder = setup.builder.watch(console.progress.watcher_of(bounds));
        }
        let tables = setup.open(&named, console)?;
        if let Some(query) = self.solutions.query() {
            return self.list(named.boards, &tables, &query, style, console);
        }
        // A file that cannot be written is reported before the search. It is empty until the end.
        if let Some(target) = &self.summary {
            target.prepare()?;
        }
        let (verdict, totals) = match single {
            Some(board) => self.solve_one(board, &tables, style, console)?,
            None => self.solve_all(named, &tables, style, console)?,
        };
        if let Some(target) = &self.summary {
            let summary = Summary { totals, threads: self.solver.machine.thread_count() };
            target.write(console, &serde_json::to_vec(&summary)?)?;
        }
        Ok(verdict)
    }

    /// Solves the boards of a batch.
    fn solve_all(
        &self,
        named: NamedBoards,
        tables: &Tilebase,
        style: Style,
        console: &mut Console,
    ) -> anyhow::Result<(Verdict, Totals)> {
        let answers = tables.solve_input(named.boards, tables.search().clone());
        let mut shown = console.progress.boards(named.count);
        let (verdict, totals) =
            interrupt::orderly(|| self.write_all(answers, style, &mut shown, console))?;
        drop(shown);
        if self.verbose {
            console.note(format_args!(
                "{} boards searched, {} generated, {} look-ups, {}",
                count(totals.boards),
                count(totals.generated),
                count(totals.lookups),
                seconds(totals.seconds)
            ));
        }
        Ok((verdict, totals))
    }

    /// Solves a single board. A hard one is searched in packets, with a checkpoint if one is named.
    fn solve_one(
        &self,
        board: Board,
        tables: &Tilebase,
        style: Style,
        console: &mut Console,
    ) -> anyhow::Result<(Verdict, Totals)> {
        let answer = if self.checkpoint.is_some() || self.may_be_hard(board.shape()) {
            let hard = HardSearch {
                checkpoint: self.checkpoint.clone(),
                shard: self.shard,
                packet_count: self.packets.map(|count| count as usize),
                search: tables.search().clone(),
            };
            let hard_answer = interrupt::orderly(|| tables.solve_hard(board, &hard))?;
            self.note_rest(&hard_answer, console);
            hard_answer.answer
        } else {
            let progress = console.progress;
            interrupt::orderly(|| progress.slowly("solving", || tables.solve(board)))?
        };
        self.note_last_bound(&answer, style, console);
        record::write_answer(console, &answer, style)?;
        console.flush()?;
        self.note_cost(&answer, console);
        Ok((Verdict::of(answer.is_good()), Totals::of(&answer)))
    }

    fn mode(&self) -> Mode {
        self.search.map_or(self.mode, Mode::from)
    }

    /// Returns whether a single board of a shape may take so long that its progress should be
    /// shown.
    fn may_be_hard(&self, shape: Shape) -> bool {
        let is_usual = self.mode() == Mode::default() && self.summary.is_none();
        is_usual && shape.cell_count() > EASY_CELLS_MAX
    }

    /// Lists or counts the solutions of boards.
    fn list(
        &self,
        boards: InputBoards,
        tables: &Tilebase,
        query: &SolutionOptions,
        style: Style,
        console: &mut Console,
    ) -> anyhow::Result<Verdict> {
        if self.format == Format::Steps {
            return Err(usage(
                "--format steps shows a single solution: omit it, or --all, --best, --count and --slack",
            ));
        }
        let done = |set: &SolutionSet, console: &Console| {
            self.note_last_bound(&set.answer, style, console);
            let is_text = self.format == Format::Text && self.progress != Some(Format::Ndjson);
            let nodes = [set.generated, set.expanded];
            if style.is_single
                && is_text
                && let Some(work) = record::work(&set.answer, nodes, set.elapsed)
            {
                console.note(work);
            }
        };
        solutions::Solve { query, tables, style }.write_all(boards, console, &done)
    }

    /// Reports the remaining work on the checkpoint, if any.
    fn note_rest(&self, answer: &HardAnswer, console: &Console) {
        let (Some(path), Some(rest)) = (&self.checkpoint, answer.rest) else { return };
        let (shown, bound, done, total) = (path.display(), rest.bound, rest.done, rest.total);
        match (&answer.answer.status, self.shard) {
            (Status::Limit { .. }, _) => console.note(format_args!(
                "note: {shown} holds {done} of {total} packets of bound {bound}; the same command resumes \
                 it, and searches {} nodes of unfinished packets again",
                count(rest.dropped)
            )),
            (_, Some(shard)) => console.note(format_args!(
                "note: shard {shard} of bound {bound} is done, {shown} holds {done} of {total} \
                 packets; merge it with the others: tilebase merge"
            )),
            _ => (),
        }
    }

    /// Prints the bound in which a search ended, if the other bounds were printed too.
    fn note_last_bound(&self, answer: &Answer, style: Style, console: &Console) {
        if let Some(format) = self.progress {
            BoundLines { format, is_single: style.is_single }.show_last(answer, console.progress);
        }
    }

    /// Prints the time and nodes of the search of a single board.
    fn note_cost(&self, answer: &Answer, console: &Console) {
        // A record contains them already, and objects on standard error are for programs.
        let is_for_programs =
            self.format == Format::Ndjson || self.progress == Some(Format::Ndjson);
        if is_for_programs && !self.verbose {
            return;
        }
        if self.verbose {
            record::bounds(answer).for_each(|bound| console.note(bound));
        }
        if let Some(cost) = record::cost(answer) {
            console.note(cost);
        }
    }

    fn style(&self, is_single: bool) -> Style {
        let moves = self.moves.style();
        let is_terminal = io::stdout().is_terminal();
        Style { format: self.format, moves, is_single, is_terminal }
    }

    /// Returns the boards of the arguments, the file or standard input.
    fn boards(&self, setup: &Setup<'_>) -> anyhow::Result<NamedBoards> {
        let columns = self.columns.input_columns;
        if let Some(path) = &self.input {
            return setup.file(path, columns);
        }
        if !self.boards.is_empty() {
            return setup.words(&self.boards, columns);
        }
        if io::stdin().is_terminal() {
            return Err(usage(
                "there is no board to solve: name one, such as \"1 2 3/4 5 6/0 7 8\", name a file of \
                 boards, or write them to standard input",
            ));
        }
        setup.file("-".as_ref(), columns)
    }

    /// Writes the records of all answers in order, until the reader of the output has gone.
    fn write_all(
        &self,
        mut answers: Answers,
        style: Style,
        shown: &mut BoardProgress,
        console: &mut Console,
    ) -> anyhow::Result<(Verdict, Totals)> {
        let mut verdict = Verdict::Good;
        let mut is_empty = true;
        let mut leading = LeadingInvalid::default();
        while !console.is_closed() {
            // Shows finished answers before it waits for the next one.
            if !answers.is_ready() {
                shown.aside(|| console.flush())?;
            }
            let Some(answer) = answers.next() else { break };
            shown.count();
            is_empty = false;
            let is_board = !matches!(answer, Err(Error::Invalid { .. }));
            match answer {
                Ok(answer) => {
                    self.note_last_bound(&answer, style, console);
                    verdict = verdict.max(Verdict::of(answer.is_good()));
                    record::write_answer(console, &answer, style)?;
                }
                Err(error) if error.is_of_board() => {
                    verdict = Verdict::Bad;
                    record::write_failure(console, &record::of_error(None, error), style)?;
                }
                Err(error) => return Err(error.into()),
            }
            leading.add(is_board, style.format)?;
        }
        if is_empty && !interrupt::is_set() {
            return Err(record::no_board());
        }
        Ok((verdict, answers.totals()))
    }
}

/// Returns the board of a search with a checkpoint.
fn only_hard_board(named: &mut NamedBoards) -> anyhow::Result<Board> {
    let boards: Vec<InputBoard> = named.boards.by_ref().take(2).collect::<Result<_, _>>()?;
    match boards[..] {
        [InputBoard { board, .. }] => Ok(board),
        _ => Err(usage(
            "a checkpoint holds the search of one board: name one, and another --checkpoint for each \
             further board",
        )),
    }
}
