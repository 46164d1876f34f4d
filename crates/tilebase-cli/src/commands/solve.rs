//! `tilebase solve`: shortest solutions.

use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::task::Poll;
use std::time::Duration;

use pdb_lab::SearchName;
use serde::Serialize;
use tilebase::hard::{HardAnswer, HardSearch, Shard};
use tilebase::moves::{SolutionOptions, SolutionSet};
use tilebase::pdb_search::Progress;
use tilebase::record::{FailureKind, Totals};
use tilebase::sets::{InputBoards, NamedBoards};
use tilebase::{Answer, Answers, Board, Mode, Search, Shape, Status, Tilebase};

use crate::args::{InputColumns, MovesArg, number};
use crate::choices::{Format, MODES, SOLVE_FORMATS, SearchParser, TEXT_NDJSON, one_of};
use crate::console::Console;
use crate::failure::{Verdict, usage};
use crate::help;
use crate::interrupt;
use crate::output::{OutputTarget, count, naming_option, seconds, shown, target};
use crate::progress::{BoardProgress, BoundLines, ShownLines};
use crate::record::{self, RecordStyle};
use crate::resume;
use crate::solutions::{self, SolutionArgs};
use crate::solver_args::{EASY_CELLS_MAX, LimitArgs, Setup, SolverArgs};

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
    #[arg(long, value_name = "FILE|-", value_parser = target("--summary"), help_heading = help::OUTPUT)]
    summary: Option<OutputTarget>,
    /// Leave out the boards that this file of records answers, which an earlier run wrote with
    /// --format ndjson: solve FILE --format ndjson --resume OUT >> OUT. A board that a limit ended
    /// is answered, except by an interrupt. Lists of solutions cannot be resumed
    #[arg(long, value_name = "FILE", conflicts_with_all = ["checkpoint", "all", "best"],
          help_heading = help::BOARDS)]
    resume: Option<PathBuf>,
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
          value_parser = number::<u32>(1..=1_000_000))]
    packets: Option<u32>,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    solver: SolverArgs,
}

/// Totals of all boards, and the number of threads.
#[derive(Debug, Serialize)]
struct RunSummary {
    #[serde(flatten)]
    totals: Totals,
    #[serde(flatten)]
    counts: Counts,
    /// Mean number of moves of the solutions.
    mean_length: Option<f64>,
    metric: &'static str,
    threads: usize,
}

/// Numbers of boards by their outcome.
#[derive(Clone, Copy, Debug, Default, Serialize)]
struct Counts {
    /// Boards with a solution.
    solved: u64,
    /// Boards that cannot be solved.
    unsolvable: u64,
    /// Texts that are no boards.
    invalid: u64,
    /// Boards that nothing can search.
    failed: u64,
    /// Boards without a solution because of a limit.
    limit: u64,
    /// Number of moves of all solutions.
    #[serde(skip)]
    moves: u64,
}

impl Counts {
    fn add(&mut self, answer: &Answer) {
        match &answer.status {
            Status::Optimal { .. } | Status::Solved { .. } => {
                self.solved += 1;
                self.moves += answer.length().unwrap_or(0) as u64;
            }
            Status::Unsolvable(_) => self.unsolvable += 1,
            Status::Limit { .. } => self.limit += 1,
            // A part of one board's search has no summary.
            Status::ShardDone { .. } => (),
        }
    }

    fn add_failure(&mut self, kind: FailureKind) {
        match kind {
            FailureKind::Invalid => self.invalid += 1,
            FailureKind::Failed => self.failed += 1,
        }
    }

    /// Returns the mean number of moves of a solution, if there is one.
    fn mean(self) -> Option<f64> {
        (self.solved > 0).then(|| self.moves as f64 / self.solved as f64)
    }
}

impl Args {
    pub(crate) fn run(self, console: &mut Console) -> anyhow::Result<Verdict> {
        let is_for_programs = matches!(self.format, Format::Ndjson | Format::Csv);
        if is_for_programs && self.summary.as_ref().is_some_and(|target| target.file.is_none()) {
            return Err(usage(
                "--summary and --format both write to standard output, which takes one format: name a file \
                 with --summary",
            ));
        }
        let mut setup = self.solver.begin_in(self.mode(), self.limits, console)?;
        let mut named = self.boards(&setup)?;
        let query = self.solutions.query();
        let is_single = self.resume.is_none() && (named.is_single() || self.checkpoint.is_some());
        let single = if is_single && query.is_none() {
            let purpose = "a checkpoint holds the search of one board: ";
            Some(record::only_board_for(purpose, &mut named)?)
        } else {
            None
        };
        if let Some(path) = &self.checkpoint {
            OutputTarget::file("--checkpoint", path).check_is_no_table()?;
        }
        let style = self.style(is_single);
        let bounds = self.progress.map(|format| BoundLines { format, is_single });
        let generated = is_single.then(|| Arc::new(AtomicU64::new(0)));
        let (watch, lines) = console.progress.watcher_with(bounds, generated.clone());
        setup.builder = setup.builder.watch(watch);
        let tables = setup.open(named.goal, console)?;
        if let Some(board) = single {
            // An error is better than a record of a single board.
            tables.goal(board.shape()).map_err(usage)?;
        }
        if let Some(path) = &self.resume {
            resume::skip_answered(&mut named, &tables, path)?;
            let mut rest = named.boards.peekable();
            if rest.peek().is_none() {
                console.note(format_args!("note: {} answers all boards already", shown(path)));
                if query.is_some() {
                    return Ok(Verdict::Good);
                }
            }
            named.boards = Box::new(rest);
        }
        if let Some(query) = &query {
            return self.list(named.boards, &tables, query, style, console);
        }
        // A file that cannot be written is reported before the search.
        if let Some(target) = &self.summary {
            target.prepare()?;
        }
        if self.format == Format::Csv && self.resume.is_none() {
            record::write_csv_header(console)?;
        }
        let mut counts = Counts::default();
        let (verdict, totals) = match single {
            Some(board) => {
                let solved = (board, generated, &lines);
                let answer = self.solve_one(solved, &tables, style, console)?;
                counts.add(&answer);
                (Verdict::of(answer.is_good()), Totals::of(&answer))
            }
            None => self.solve_all(named, &tables, style, &mut counts, console)?,
        };
        if let Some(target) = &self.summary {
            let mean_length = counts.mean();
            let threads = self.solver.machine.thread_count();
            let metric = tables.metric().name();
            let summary = RunSummary { totals, counts, mean_length, metric, threads };
            let text = format!("{}\n", serde_json::to_string(&summary)?);
            target.write(console, text.as_bytes())?;
        }
        Ok(verdict)
    }

    /// Solves the boards of a batch.
    fn solve_all(
        &self,
        named: NamedBoards,
        tables: &Tilebase,
        style: RecordStyle,
        counts: &mut Counts,
        console: &mut Console,
    ) -> anyhow::Result<(Verdict, Totals)> {
        let answers = tables.solve_input(named.boards, tables.search().clone());
        let mut shown = console.progress.boards(named.count);
        let (verdict, totals) =
            interrupt::orderly(|| self.write_all(answers, style, counts, &mut shown, console))?;
        drop(shown);
        if self.verbose {
            console.note(format_args!(
                "{} boards searched, {} generated, {} look-ups, {}",
                count(totals.boards),
                count(totals.generated),
                count(totals.lookups),
                seconds(totals.seconds)
            ));
            if let Some(mean) = counts.mean() {
                let solved = count(counts.solved);
                console.note(format_args!("{solved} boards solved, {mean:.3} moves on average"));
            }
        }
        Ok((verdict, totals))
    }

    /// Solves a single board. A hard one is searched in packets, with a checkpoint if one is named.
    fn solve_one(
        &self,
        (board, generated, lines): (Board, Option<Arc<AtomicU64>>, &ShownLines),
        tables: &Tilebase,
        style: RecordStyle,
        console: &mut Console,
    ) -> anyhow::Result<Answer> {
        let generated = generated.map(|count| count as Arc<dyn Progress + Send>);
        let search = Search { generated, ..tables.search().clone() };
        let answer = if self.checkpoint.is_some() || self.is_for_many_ranks(&search, board.shape())
        {
            let hard = HardSearch {
                checkpoint: self.checkpoint.clone(),
                shard: self.shard,
                packet_count: self.packets.map(|count| count as usize),
                search,
            };
            let solved = interrupt::orderly(|| tables.solve_hard(board, &hard));
            lines.erase();
            let hard_answer = solved.map_err(|error| match &self.checkpoint {
                Some(path) => naming_option("--checkpoint", path, error),
                None => error.into(),
            })?;
            self.note_rest(&hard_answer, console);
            hard_answer.answer
        } else {
            let solved = interrupt::orderly(|| tables.solve_with(board, &search));
            lines.erase();
            solved?
        };
        self.note_last_bound(&answer, style, console);
        record::write_answer(console, &answer, style)?;
        console.flush()?;
        self.note_cost(&answer, console);
        self.note_limit(&answer, console);
        Ok(answer)
    }

    fn mode(&self) -> Mode {
        self.search.map_or(self.mode, Mode::from)
    }

    /// Returns whether a single board is searched by all ranks, if there are several.
    fn is_for_many_ranks(&self, search: &Search, shape: Shape) -> bool {
        let is_usual = self.mode() == Mode::default() && self.summary.is_none();
        search.crew.is_some() && is_usual && shape.cell_count() > EASY_CELLS_MAX
    }

    /// Lists or counts the solutions of boards.
    fn list(
        &self,
        boards: InputBoards,
        tables: &Tilebase,
        query: &SolutionOptions,
        style: RecordStyle,
        console: &mut Console,
    ) -> anyhow::Result<Verdict> {
        let single = match self.format {
            Format::Steps => Some("steps"),
            Format::Csv => Some("csv"),
            _ => None,
        };
        if let Some(format) = single {
            return Err(usage(format_args!(
                "--format {format} shows a single solution: omit it, or --all, --best, --count and \
                 --slack"
            )));
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
        solutions::SolutionRequest { query, tables, style }.write_all(boards, console, &done)
    }

    /// Reports the remaining work on the checkpoint, if any.
    fn note_rest(&self, answer: &HardAnswer, console: &Console) {
        let (Some(path), Some(rest)) = (&self.checkpoint, answer.rest) else { return };
        let (shown, bound, done, total) = (shown(path), rest.bound, rest.done, rest.total);
        match (&answer.answer.status, self.shard) {
            (Status::Limit { .. } | Status::Solved { .. }, _) => console.note(format_args!(
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
    fn note_last_bound(&self, answer: &Answer, style: RecordStyle, console: &Console) {
        if let Some(format) = self.progress {
            BoundLines { format, is_single: style.is_single }.show_last(answer, console.progress);
        }
    }

    /// Prints the time and nodes of the search of a single board.
    fn note_cost(&self, answer: &Answer, console: &Console) {
        // A record contains them already, and objects on standard error are for programs.
        let is_for_programs = matches!(self.format, Format::Ndjson | Format::Csv)
            || self.progress == Some(Format::Ndjson);
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

    /// Says how to get a solution where a limit came before any.
    fn note_limit(&self, answer: &Answer, console: &Console) {
        let Some(limit) = answer.limit() else { return };
        let limit = record::limit(limit);
        if answer.moves().is_some() {
            console.note(format_args!("note: the {limit} ended the search for a proof"));
        } else if self.search.is_none() && self.mode != Mode::By(SearchName::IDA) {
            console.note(format_args!(
                "note: the {limit} came before any solution; --within 10s takes the best one that \
                 ten seconds find"
            ));
        }
    }

    fn style(&self, is_single: bool) -> RecordStyle {
        let moves = self.moves.style().in_metric(self.solver.metric.metric);
        let is_terminal = io::stdout().is_terminal();
        RecordStyle { format: self.format, moves, is_single, is_terminal }
    }

    /// Returns the boards of the arguments, the file or standard input.
    fn boards(&self, setup: &Setup<'_>) -> anyhow::Result<NamedBoards> {
        let columns = self.columns;
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
        style: RecordStyle,
        counts: &mut Counts,
        shown: &mut BoardProgress,
        console: &mut Console,
    ) -> anyhow::Result<(Verdict, Totals)> {
        let mut verdict = Verdict::Good;
        let mut is_empty = true;
        while !console.is_closed() {
            // Shows finished answers before it waits for the next one.
            let next = match answers.poll_next(Duration::ZERO) {
                Poll::Ready(next) => next.map(|(_, answer)| answer),
                Poll::Pending => {
                    console.progress.aside(|| console.flush())?;
                    answers.next()
                }
            };
            let Some(answer) = next else { break };
            shown.count();
            is_empty = false;
            match answer {
                Ok(answer) => {
                    counts.add(&answer);
                    self.note_last_bound(&answer, style, console);
                    verdict = verdict.max(Verdict::of(answer.is_good()));
                    record::write_answer(console, &answer, style)?;
                }
                Err(error) if error.is_of_board() => {
                    verdict = Verdict::Bad;
                    let failure = record::of_error(None, error);
                    counts.add_failure(failure.kind);
                    record::write_failure(console, &failure, style)?;
                }
                Err(error) => return Err(error.into()),
            }
        }
        if is_empty && self.resume.is_none() && !interrupt::is_set() {
            return Err(record::no_board());
        }
        Ok((verdict, answers.totals()))
    }
}
