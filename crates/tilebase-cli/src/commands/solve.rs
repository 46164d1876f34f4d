//! `tilebase solve`: shortest solutions.

use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

use pdb_core::notation::MoveStyle;
use serde::Serialize;
use tilebase::{
    Answers, Board, BoardsGiven, Error, Given, GoalChoice, Hard, HardAnswer, Record, Residence,
    Search, Shape, Shard, SpecChoice, Tilebase, Totals,
};

use crate::args::{self, MemoryArg, Threads};
use crate::failure::{Verdict, usage};
use crate::folder::Folder;
use crate::interrupt;
use crate::output::{Output, count};
use crate::progress::Progress;
use crate::record::{self, Format, Style};

/// Boards of so many cells are solved in no time by the tables that ship.
const EASY_CELLS_MAX: usize = 16;

/// Arguments of `tilebase solve`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Boards, such as "1 2 3/4 5 6/0 7 8": rows separated by /, cells by spaces or commas, 0, . or
    /// _ for the blank. Arguments that are single cells make up one board
    #[arg(value_name = "BOARD", required_unless_present = "input", conflicts_with = "input")]
    boards: Vec<String>,
    /// File with a board on each line, - for standard input; blank lines and lines that start with #
    /// are skipped
    #[arg(long, value_name = "FILE|-")]
    input: Option<PathBuf>,
    /// Shipped spec, .toml file, or any heuristic that `compare` knows, such as manhattan,
    /// walking-distance or "max(pairwise, 15/5-5-5)" [default: the best spec that is built or that
    /// there is room for]
    #[arg(long, value_name = "NAME|FILE")]
    spec: Option<String>,
    /// blank-last, blank-first, snail, or a file with a drawn board [default: the spec's, or
    /// blank-last]
    #[arg(long, value_name = "NAME|FILE")]
    goal: Option<String>,
    /// Rows and columns of boards without row separators [default: as the spec or goal has, or
    /// square]
    #[arg(long, value_name = "RxC", value_parser = args::shape)]
    size: Option<Shape>,
    /// How answers are written
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    /// Whose direction the letters of the moves name
    #[arg(long, value_enum, default_value_t, value_name = "WHOSE")]
    moves: Mover,
    /// Write repeated moves as U2
    #[arg(long)]
    counted_moves: bool,
    /// Longest time to search for one board, such as 10s or 500ms
    #[arg(long, value_name = "TIME", value_parser = args::duration)]
    time_limit: Option<Duration>,
    /// Most nodes to generate for one board
    #[arg(long, value_name = "N")]
    node_limit: Option<u64>,
    /// How the work is shared out among the boards
    #[arg(long, value_enum, default_value_t, value_name = "MODE")]
    mode: Mode,
    /// How tables are brought into memory
    #[arg(long, value_enum, default_value_t, value_name = "HOW")]
    tables: Tables,
    /// Write what all boards took together to a file, as a JSON object
    #[arg(long, value_name = "FILE")]
    summary: Option<PathBuf>,
    /// File that the search of one hard board is written to every few seconds; the same command
    /// resumes it
    #[arg(long, value_name = "FILE", conflicts_with_all = ["mode", "summary"])]
    checkpoint: Option<PathBuf>,
    /// Search a part of the present bound's packets, such as 1/4 to 4/4 on four machines; `merge`
    /// puts their checkpoints together
    #[arg(long, value_name = "I/N", requires = "checkpoint")]
    shard: Option<Shard>,
    /// Packets that each bound of a new checkpoint is cut into [default: 8192]
    #[arg(long, value_name = "N", requires = "checkpoint",
          value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    packets: Option<u32>,
    #[command(flatten)]
    memory: MemoryArg,
    #[command(flatten)]
    threads: Threads,
    #[command(flatten)]
    folder: Folder,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
enum Mover {
    /// The tile that moves
    #[default]
    Tile,
    /// The blank, which goes the other way
    Blank,
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
        let mut builder = Tilebase::builder()
            .choice(spec)
            .folder(&self.folder.path()?)
            .memory(self.memory.memory())
            .residence(self.tables.into())
            .search(self.search())
            .watch(progress.watcher());
        if let Some(goal) = goal {
            builder = builder.goal(goal);
        }
        let tables = builder.lazy()?;
        let shape = self.shape(&tables)?;
        let (boards, single) = self.boards(shape, &tables)?;
        if self.checkpoint.is_some() || single.is_some_and(|shape| self.may_be_hard(shape)) {
            return self.solve_hard(boards, &tables, output, progress);
        }
        // What cannot be written is better known before the boards are solved; an empty file says
        // that they are not.
        if let Some(path) = &self.summary {
            pdb_gen::write_file(path, b"")?;
        }
        let answers = tables.solve_given(boards, self.search());
        let (verdict, totals) = write_all(answers, self.style(single.is_some()), output)?;
        tilebase::check_tables()?;
        if let Some(path) = &self.summary {
            let summary = Summary { totals, threads: self.threads.count() };
            pdb_gen::write_file(path, &serde_json::to_vec(&summary)?)?;
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
        boards: BoardsGiven,
        tables: &Tilebase,
        output: &mut Output,
        progress: Progress,
    ) -> anyhow::Result<Verdict> {
        let boards: Vec<Given> = boards.take(2).collect::<Result<_, _>>()?;
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
        let answer = tables.solve_hard(board, &hard)?;
        self.note_rest(&answer, progress);
        record::write_answer(output, &answer.answer, self.style(true))?;
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

    fn style(&self, is_single: bool) -> Style {
        let moves = MoveStyle { of_blank: self.moves == Mover::Blank, counted: self.counted_moves };
        Style { format: self.format, moves, is_single }
    }

    /// The shape of boards that do not show it themselves, where something tells it.
    fn shape(&self, tables: &Tilebase) -> anyhow::Result<Option<Shape>> {
        let (size, drawn) = (self.size, tables.shape());
        match (size, drawn) {
            (Some(size), Some(drawn)) if size != drawn => Err(usage(format!(
                "--size is {size}, but the boards of this goal or spec are {drawn}: leave --size \
                 away or change it"
            ))),
            _ => Ok(size.or(drawn)),
        }
    }

    /// The boards, and the shape of a single one that was named.
    fn boards(
        &self,
        shape: Option<Shape>,
        tables: &Tilebase,
    ) -> anyhow::Result<(BoardsGiven, Option<Shape>)> {
        if let Some(path) = &self.input {
            return Ok((tilebase::boards_from_file(path, shape)?, None));
        }
        let boards = from_arguments(&self.boards, shape)?;
        for board in &boards {
            tables.goal(board.shape()).map_err(usage)?;
        }
        let single = match &boards[..] {
            [board] => Some(board.shape()),
            _ => None,
        };
        Ok((Box::new(boards.into_iter().map(|board| Ok(Given::from(board)))), single))
    }
}

/// Reads the boards among the arguments.
///
/// A board has more than one cell, so an argument that is a single cell belongs to one board of
/// which every argument is a part.
fn from_arguments(arguments: &[String], shape: Option<Shape>) -> anyhow::Result<Vec<Board>> {
    let is_cell =
        |text: &String| !text.trim().contains(|c: char| c.is_whitespace() || ",;/".contains(c));
    if arguments.iter().any(is_cell) {
        let board = Board::parse(&arguments.join(" "), shape).map_err(usage)?;
        return Ok(vec![board]);
    }
    let board = |(index, text): (usize, &String)| {
        Board::parse(text, shape).map_err(|error| match arguments.len() {
            1 => usage(error),
            _ => usage(format!("board {}: {error}", index + 1)),
        })
    };
    arguments.iter().enumerate().map(board).collect()
}

/// Writes the records of all answers in order, until the reader of the output leaves.
fn write_all(
    mut answers: Answers,
    style: Style,
    output: &mut Output,
) -> anyhow::Result<(Verdict, Totals)> {
    let mut verdict = Verdict::Good;
    while !output.is_closed() {
        // Nothing that is known is held back while something is waited for.
        if !answers.is_ready() {
            output.flush()?;
        }
        let Some(answer) = answers.next() else { break };
        match answer {
            Ok(answer) => {
                verdict = verdict.max(Verdict::of(answer.is_good()));
                record::write_answer(output, &answer, style)?;
            }
            Err(error) if error.is_of_board() => {
                verdict = Verdict::Bad;
                let problem = error.to_string();
                let text = match error {
                    Error::Invalid { text, .. } => text,
                    _ => String::new(),
                };
                record::write(output, &Record::invalid(text, problem), style)?;
            }
            Err(error) => return Err(error.into()),
        }
    }
    Ok((verdict, answers.totals()))
}
