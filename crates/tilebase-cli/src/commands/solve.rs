//! `tilebase solve`: shortest solutions.

use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::time::Duration;

use pdb_core::notation::MoveStyle;
use serde::Serialize;
use tilebase::{
    Answer, Answers, Error, Given, Goal, GoalChoice, Hard, HardAnswer, NamedBoards, Record,
    Residence, Search, Shape, Shard, SpecChoice, Tilebase, Totals, goal_name,
};

use crate::args::{self, MemoryArg, Naming, Threads};
use crate::failure::{Verdict, usage};
use crate::folder::Folder;
use crate::help;
use crate::interrupt;
use crate::output::{Output, Target, count, seconds};
use crate::progress::{BoardProgress, Progress};
use crate::record::{self, Format, Style};

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
    /// [0,7,8]]; files of boards, - for standard input; or sets of boards: korf100, random:N:SEED.
    /// Arguments that are single cells make up one board [default: standard input, unless it is a
    /// terminal]
    #[arg(value_name = "BOARD|FILE|SET", conflicts_with = "input", help_heading = help::BOARDS)]
    boards: Vec<String>,
    /// File of boards, - for standard input: one on each line, or drawn on several with a blank line
    /// between boards; lines that start with # are skipped
    #[arg(long, value_name = "FILE|-", help_heading = help::BOARDS)]
    input: Option<PathBuf>,
    /// Say more on standard error: what each bound took, and all boards together
    #[arg(long, short, help_heading = help::OUTPUT)]
    verbose: bool,
    /// Shipped spec, with its number of tiles or without, .toml file, or any heuristic that `compare` knows, such as manhattan,
    /// walking-distance or "max(pairwise, 15/5-5-5)" [default: the best spec that is built or that
    /// there is room for]
    #[arg(long, value_name = "NAME|FILE", help_heading = help::TABLES)]
    spec: Option<String>,
    /// blank-last, blank-first, snail, a board, or a file with one [default: blank-last; of korf100
    /// blank-first; of a spec in a file, or one that cannot lead there, what it draws]
    #[arg(long, value_name = "NAME|BOARD|FILE", help_heading = help::BOARDS)]
    goal: Option<String>,
    /// Rows and columns of boards without row separators [default: as the spec or goal has, or
    /// square]
    #[arg(long, value_name = "RxC", value_parser = args::shape, help_heading = help::BOARDS)]
    size: Option<Shape>,
    /// How answers are written
    #[arg(long, value_enum, default_value_t, help_heading = help::OUTPUT)]
    format: Format,
    /// What each move is written as
    #[arg(long, value_enum, default_value_t, value_name = "HOW", help_heading = help::OUTPUT)]
    moves: Naming,
    /// Write repeated moves as U2
    #[arg(long, help_heading = help::OUTPUT)]
    counted_moves: bool,
    /// Longest time to search for one board, such as 10s or 500ms
    #[arg(long, value_name = "TIME", value_parser = args::duration, help_heading = help::SEARCH)]
    time_limit: Option<Duration>,
    /// Most nodes to generate for one board
    #[arg(long, value_name = "N", help_heading = help::SEARCH)]
    node_limit: Option<u64>,
    /// How the work is shared out among the boards
    #[arg(long, value_enum, default_value_t, value_name = "MODE", help_heading = help::SEARCH)]
    mode: Mode,
    /// How tables are brought into memory
    #[arg(long, value_enum, default_value_t, value_name = "HOW", help_heading = help::TABLES)]
    tables: Tables,
    /// Take tables as they are, without holding them against their digests: a damaged one then makes
    /// solutions longer, and nothing shows it
    #[arg(long, conflicts_with = "checkpoint", help_heading = help::TABLES)]
    trust_tables: bool,
    /// Write what all boards took together to a file, as a JSON object
    #[arg(long, value_name = "FILE|-", help_heading = help::OUTPUT)]
    summary: Option<Target>,
    /// File that the search of one hard board is written to every few seconds; the same command
    /// resumes it
    #[arg(long, value_name = "FILE", conflicts_with_all = ["mode", "summary"], help_heading = help::SEARCH)]
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
    memory: MemoryArg,
    #[command(flatten)]
    threads: Threads,
    #[command(flatten)]
    folder: Folder,
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

/// How tables are brought into memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
enum Tables {
    /// Page by page, as they are touched; shared with other processes
    #[default]
    Mapped,
    /// All at once; shared with other processes
    Prefaulted,
    /// All at once and kept there; needs the right to lock so much memory
    Locked,
    /// As a copy in huge pages, for this process alone
    Copied,
}

impl From<Tables> for Residence {
    fn from(tables: Tables) -> Self {
        match tables {
            Tables::Mapped => Self::Mapped,
            Tables::Prefaulted => Self::Prefaulted,
            Tables::Locked => Self::Locked,
            Tables::Copied => Self::Copied,
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
    pub(crate) fn run(self, output: &mut Output, progress: Progress) -> anyhow::Result<Verdict> {
        let spec = self
            .spec
            .as_deref()
            .map_or(Ok(SpecChoice::Best), |name| SpecChoice::read(name, self.size))?;
        let goal =
            self.goal.as_deref().map(|name| GoalChoice::read(name, self.size)).transpose()?;
        let shape = self.shape(goal.as_ref().and_then(GoalChoice::shape).or(spec.shape()))?;
        let named = self.boards(shape)?;
        let mut builder = Tilebase::builder()
            .choice(spec)
            .folder(&self.folder.path()?)
            .memory(self.memory.memory())
            .residence(self.tables.into())
            .search(self.search())
            .watch(progress.watcher());
        // A set of boards may have a goal of its own.
        if let Some(goal) = goal.or(named.goal.map(GoalChoice::Drawn)) {
            builder = builder.goal(goal);
        }
        if self.trust_tables {
            builder = builder.trust_tables();
        }
        let tables = builder.lazy()?;
        if self.goal.is_none()
            && let (Some(spec), Some(shape)) = (&self.spec, tables.shape())
            && let Ok(goal) = tables.goal(shape)
            && goal != Goal::blank_last(shape)
        {
            progress.note(format_args!(
                "note: the goal is {}, as {spec} or the boards have it; --goal names another",
                goal_name(&goal)
            ));
        }
        if let Some(board) = &named.single {
            // Better an error than a record.
            tables.goal(board.shape()).map_err(usage)?;
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
        let style = self.style(named.single.is_some());
        let answers = tables.solve_given(named.boards, self.search());
        let mut shown = progress.boards(named.count);
        let (verdict, totals) =
            interrupt::orderly(|| self.write_all(answers, style, output, &mut shown, progress))?;
        drop(shown);
        if let Some(target) = &self.summary {
            let summary = Summary { totals, threads: self.threads.count() };
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

    fn search(&self) -> Search {
        Search {
            time: self.time_limit,
            nodes: self.node_limit,
            thread_count: self.threads.count(),
            mode: self.mode.into(),
            cancel: interrupt::cancel(),
        }
    }

    /// Whether a single board of a shape may take so long that its progress is worth showing.
    fn may_be_hard(&self, shape: Shape) -> bool {
        let is_usual = self.mode == Mode::default() && self.summary.is_none();
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
            search: self.search(),
        };
        let answer = interrupt::orderly(|| tables.solve_hard(board, &hard))?;
        self.note_rest(&answer, progress);
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

    /// Says what the search of a single board took.
    fn note_cost(&self, answer: &Answer, progress: Progress) {
        // A record says it already.
        if self.format == Format::Ndjson && !self.verbose {
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
        let moves = MoveStyle { naming: self.moves.into(), counted: self.counted_moves };
        let is_terminal = io::stdout().is_terminal();
        Style { format: self.format, moves, is_single, is_terminal }
    }

    /// The shape of boards that do not show it themselves, where something tells it.
    fn shape(&self, drawn: Option<Shape>) -> anyhow::Result<Option<Shape>> {
        match (self.size, drawn) {
            (Some(size), Some(drawn)) if size != drawn => Err(usage(format!(
                "--size is {size}, but the boards of this goal or spec are {drawn}: leave --size \
                 away or change it"
            ))),
            (size, _) => Ok(size.or(drawn)),
        }
    }

    /// The boards that were named.
    fn boards(&self, shape: Option<Shape>) -> anyhow::Result<NamedBoards> {
        if let Some(path) = &self.input {
            return Ok(NamedBoards::of_file(path, shape)?);
        }
        if !self.boards.is_empty() {
            return Ok(NamedBoards::of_words(&self.boards, shape)?);
        }
        if io::stdin().is_terminal() {
            return Err(usage(
                "there is no board to solve: name one, such as \"1 2 3/4 5 6/0 7 8\", name a file of \
                 boards, or write them to standard input",
            ));
        }
        Ok(NamedBoards::of_file("-".as_ref(), shape)?)
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
                    verdict = verdict.max(Verdict::of(answer.is_good()));
                    record::write_answer(output, &answer, style)?;
                    if style.is_single {
                        shown.aside(|| output.flush())?;
                        shown.end();
                        self.note_cost(&answer, progress);
                    }
                }
                Err(error) if error.is_of_board() => {
                    verdict = Verdict::Bad;
                    let problem = error.to_string();
                    let record = match error {
                        Error::Invalid { text, .. } => Record::invalid(text, problem),
                        // Of a single board, an error is better than a record.
                        Error::NoEngine { problem, .. } if style.is_single => {
                            return Err((*problem).into());
                        }
                        Error::NoEngine { board, .. } => Record::failed(&board, problem),
                        _ => Record::invalid(String::new(), problem),
                    };
                    record::write(output, &record, style)?;
                }
                Err(error) => return Err(error.into()),
            }
        }
        // Standard input that nobody asked for, and that held nothing, is a command without boards.
        if is_empty && self.boards.is_empty() && self.input.is_none() && !interrupt::is_set() {
            return Err(usage(
                "there is no board to solve: standard input holds none, and none is named",
            ));
        }
        Ok((verdict, answers.totals()))
    }
}
