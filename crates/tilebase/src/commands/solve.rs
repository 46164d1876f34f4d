//! `tilebase solve`: shortest solutions.

use std::path::PathBuf;
use std::sync::Mutex;
use std::time::Duration;

use pdb_core::notation::MoveStyle;
use pdb_core::{Goal, Shape};
use pdb_rt::Residence;
use pdb_search::Limits;
use serde::Serialize;

use crate::args::{self, Threads};
use crate::cut;
use crate::failure::{Verdict, usage};
use crate::folder::Folder;
use crate::hard::{Hard, Shard};
use crate::output::Output;
use crate::progress::Progress;
use crate::room::{Memory, Shelf};
use crate::solving::{
    Chooser, Format, GoalChoice, Job, Jobs, Mode, Record, Settings, SpecChoice, Style, Totals,
    from_arguments, from_file, solve_all,
};

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
    /// File that the search of one hard board is written to every few seconds, and gone on with by
    /// the same command
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
    memory: Memory,
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
        let spec = SpecChoice::read(self.spec.as_deref(), self.size)?;
        let goal = self.goal_choice(&spec)?;
        let shape = self.shape(&spec, &goal)?;
        let chooser = Chooser {
            spec,
            goal,
            shelf: Shelf {
                folder: self.folder.path()?,
                memory_bytes: self.memory.bytes(),
                thread_count: self.threads.count(),
                residence: self.tables.into(),
                progress,
            },
            engines: Mutex::default(),
        };
        let (jobs, single) = self.jobs(shape, &chooser)?;
        if self.checkpoint.is_some() || single.is_some_and(|shape| self.may_be_hard(shape)) {
            return self.solve_hard(jobs, &chooser, output);
        }
        // What cannot be written is better known before the boards are solved; an empty file says
        // that they are not.
        if let Some(path) = &self.summary {
            pdb_gen::write_file(path, b"")?;
        }
        let style = self.style(single.is_some());
        let settings = Settings { limits: self.limits(), mode: self.mode, style };
        let (verdict, totals) = solve_all(jobs, &chooser, settings, output)?;
        cut::check()?;
        if let Some(path) = &self.summary {
            let summary = Summary { totals, threads: chooser.shelf.thread_count };
            pdb_gen::write_file(path, &serde_json::to_vec(&summary)?)?;
        }
        Ok(verdict)
    }

    /// Whether a single board of a shape may take so long that its progress is worth showing.
    fn may_be_hard(&self, shape: Shape) -> bool {
        let is_usual = self.mode == Mode::default() && self.summary.is_none();
        is_usual && shape.cell_count() > EASY_CELLS_MAX
    }

    /// Searches one board in packets, with a checkpoint if one is named.
    fn solve_hard(
        &self,
        jobs: Jobs,
        chooser: &Chooser,
        output: &mut Output,
    ) -> anyhow::Result<Verdict> {
        let jobs: Vec<Job> = jobs.take(2).collect::<Result<_, _>>()?;
        let board = match &jobs[..] {
            [Job::Board(board, _)] => board,
            [Job::Invalid { problem, .. }] => return Err(usage(problem)),
            _ => {
                return Err(usage(
                    "a checkpoint is that of one board: name one, and another --checkpoint for \
                     each further board",
                ));
            }
        };
        let goal = chooser.goal(board.shape()).map_err(usage)?;
        let style = self.style(true);
        if let Err(reason) = goal.check_solvable(board) {
            Record::unsolvable(board, reason).write(output, style)?;
            return Ok(Verdict::Bad);
        }
        let hard = Hard {
            path: self.checkpoint.as_deref(),
            shard: self.shard,
            packet_count: self.packets.map(|count| count as usize),
            limits: self.limits(),
            thread_count: chooser.shelf.thread_count,
            progress: chooser.shelf.progress,
            moves: style.moves,
        };
        let record = hard.solve(board, &goal, chooser.engine(&goal)?.as_ref());
        cut::check()?;
        let record = record?;
        record.write(output, style)?;
        Ok(Verdict::of(record.is_good()))
    }

    fn style(&self, is_single: bool) -> Style {
        let moves = MoveStyle { of_blank: self.moves == Mover::Blank, counted: self.counted_moves };
        Style { format: self.format, moves, is_single }
    }

    fn limits(&self) -> Limits<'static> {
        Limits { time: self.time_limit, nodes: self.node_limit, stop: None, memory: None }
    }

    /// The goal that is named, or the one that the spec draws, or the usual one.
    fn goal_choice(&self, spec: &SpecChoice) -> anyhow::Result<GoalChoice> {
        let goal = match (&self.goal, spec) {
            (Some(name), _) => GoalChoice::read(name, self.size)?,
            (None, SpecChoice::Spec(spec)) => GoalChoice::Drawn(spec.goal),
            (None, _) => GoalChoice::Preset(Goal::blank_last),
        };
        // A spec that can never lead to the goal is wrong usage, whatever the boards.
        match (spec, &goal) {
            (SpecChoice::Spec(spec), GoalChoice::Drawn(goal)) => spec.for_goal(goal).map(|_| ())?,
            (SpecChoice::Spec(spec), GoalChoice::Preset(preset)) => {
                spec.for_goal(&preset(spec.goal.shape())).map(|_| ())?;
            }
            _ => (),
        }
        Ok(goal)
    }

    /// The shape of boards that do not show it themselves, where something tells it.
    fn shape(&self, spec: &SpecChoice, goal: &GoalChoice) -> anyhow::Result<Option<Shape>> {
        let (size, of_goal) = (self.size, goal.shape());
        if let (Some(size), Some(of_goal)) = (size, of_goal)
            && size != of_goal
        {
            return Err(usage(format!(
                "--size is {size}, but the boards of this goal or spec are {of_goal}: leave --size \
                 away or change it"
            )));
        }
        let of_spec = match spec {
            SpecChoice::Spec(spec) => Some(spec.goal.shape()),
            _ => None,
        };
        Ok(size.or(of_goal).or(of_spec))
    }

    /// The boards, and the shape of a single one that was named.
    fn jobs(
        &self,
        shape: Option<Shape>,
        chooser: &Chooser,
    ) -> anyhow::Result<(Jobs, Option<Shape>)> {
        if let Some(path) = &self.input {
            return Ok((from_file(path, shape)?, None));
        }
        let boards = from_arguments(&self.boards, shape)?;
        for board in &boards {
            chooser.goal(board.shape()).map_err(usage)?;
        }
        let single = match &boards[..] {
            [board] => Some(board.shape()),
            _ => None,
        };
        let jobs = boards.into_iter().map(|board| Ok(Job::Board(board, None)));
        Ok((Box::new(jobs), single))
    }
}
