//! `tilebase compare`: heuristics and searches side by side.

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::Context;
use clap::ValueHint;
use pdb_compare::{End, Row, Settings, chart, report};
use pdb_engine::{Basic, Engine, HeuristicName, SearchName};
use pdb_search::{Limits, Weight};
use tilebase::{
    BOARDS_MAX, Board, BoardSet, Error, Goal, GoalChoice, NamedBoards, Residence, Search, Shape,
    Tilebase, goal_name,
};

use crate::args::{self, MemoryArg};
use crate::failure::{Verdict, usage};
use crate::folder::Folder;
use crate::help;
use crate::interrupt;
use crate::output::{Output, Target};
use crate::progress::Progress;

/// Arguments of `tilebase compare`.
#[derive(Debug, clap::Args)]
#[command(after_help = after_help())]
pub(crate) struct Args {
    /// Heuristics with commas between them; spec names may leave out the number of tiles
    #[arg(long, help_heading = help::SEARCH, value_name = "LIST", default_value = "linear-conflict,walking-distance,5-5-5,7-8")]
    heuristics: String,
    /// Searches with commas between them; weighted ones may have a weight, as weighted-ida:81/19
    #[arg(long, help_heading = help::SEARCH, value_name = "LIST", default_value = "ida", value_delimiter = ',')]
    searches: Vec<SearchName>,
    /// A file with a board on each line, random:N:SEED, korf100, or a board
    #[arg(long, help_heading = help::BOARDS, value_name = "BOARDS", default_value = "random:10:1")]
    boards: String,
    /// blank-last, blank-first, snail, or a file with a drawn board [default: blank-last, of korf100
    /// blank-first]
    #[arg(long, help_heading = help::BOARDS, value_name = "NAME|FILE")]
    goal: Option<String>,
    /// Rows and columns of random boards, and of boards without row separators [default: 4x4]
    #[arg(long, help_heading = help::BOARDS, value_name = "RxC", value_parser = args::shape)]
    size: Option<Shape>,
    /// Weight of the estimate in weighted searches: a number or a ratio, at least 1
    #[arg(long, help_heading = help::SEARCH, value_name = "W", default_value = "2")]
    weight: Weight,
    /// Longest time to search for one board, such as 10s or 500ms
    #[arg(long, help_heading = help::SEARCH, value_name = "TIME", value_parser = args::duration)]
    time_limit: Option<Duration>,
    /// Most nodes to generate for one board
    #[arg(long, help_heading = help::SEARCH, value_name = "N")]
    node_limit: Option<u64>,
    /// Begin no further board of a row after this time, such as 1h
    #[arg(long, help_heading = help::SEARCH, value_name = "TIME", value_parser = args::duration)]
    row_time: Option<Duration>,
    /// Boards that are searched at once, each on a thread of its own
    #[arg(long, help_heading = help::MACHINE, value_name = "N", default_value_t = 1,
        value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// Write a line of numbers for each row to a file, or to standard output (-) in place of the table
    #[arg(long, help_heading = help::OUTPUT, value_name = "FILE", value_hint = ValueHint::FilePath)]
    csv: Option<Target>,
    /// Write everything, each board of each row too, to a file, or to standard output (-) in place of
    /// the table
    #[arg(long, help_heading = help::OUTPUT, value_name = "FILE", value_hint = ValueHint::FilePath)]
    json: Option<Target>,
    /// Draw charts into a folder, as SVG
    #[arg(long, help_heading = help::OUTPUT, value_name = "DIR")]
    charts: Option<PathBuf>,
    #[command(flatten)]
    memory: MemoryArg,
    #[command(flatten)]
    folder: Folder,
}

fn after_help() -> String {
    let searches: Vec<_> = SearchName::ALL
        .into_iter()
        .map(|(search, what)| format!("  {:<16}{what}", search.name()))
        .collect();
    let examples = help::examples(&[
        ("the usual heuristics on ten random boards", "tilebase compare"),
        (
            "two heuristics and two searches on Korf's boards, with charts",
            "tilebase compare --boards korf100 --heuristics 5-5-5,7-8 --searches ida,astar \
             --charts charts",
        ),
        ("for programs", "tilebase compare --boards random:100:1 --json - > rows.json"),
    ]);
    format!(
        "Heuristics: {}, the name of a spec (see `tilebase specs`), the same with :unmirrored to \
         leave its mirror images out, and max(..) of two to four of them.\n\nSearches:\n{}\n\n\
         The table gives means over the boards that were solved. \"off by\" is the most moves that a \
         solution may be longer than a shortest one, as far as is proved; b* is the effective \
         branching factor. --memory is shared by all threads; a search that keeps boards ends when \
         its share is used up.\n\n{examples}",
        HeuristicName::known().join(", "),
        searches.join("\n"),
    )
}

impl Args {
    pub(crate) fn run(self, output: &mut Output, progress: Progress) -> anyhow::Result<Verdict> {
        let targets = || [&self.csv, &self.json].into_iter().flatten();
        let is_stdout_taken = targets().any(|target| *target == Target::Stdout);
        if is_stdout_taken && self.csv == self.json {
            return Err(usage(
                "--csv and --json both name standard output (-), which takes one of them: name a file \
                 for the other",
            ));
        }
        let boards = self.boards()?;
        let names = tilebase::heuristics(&self.heuristics, &boards.goal)?;
        if let Some(folder) = &self.charts {
            fs::create_dir_all(folder)
                .with_context(|| format!("cannot make the folder {}", folder.display()))?;
        }
        // What cannot be written is better known before the boards are solved.
        targets().try_for_each(Target::prepare)?;
        let memory = self.memory.memory();
        let tables = Tilebase::builder()
            .folder(&self.folder.path()?)
            .memory(memory)
            .residence(Residence::Prefaulted)
            .search(Search { cancel: interrupt::cancel(), ..Search::default() })
            .watch(progress.watcher())
            .lazy()?;
        let settings = Settings {
            limits: Limits {
                time: self.time_limit,
                nodes: self.node_limit,
                stop: Some(interrupt::flag()),
                memory: Some(memory.bytes() / u64::from(self.threads)),
            },
            row_time: self.row_time,
            thread_count: usize::from(self.threads),
            weight: self.weight,
        };
        let goal = goal_name(&boards.goal);
        progress.note(format_args!("boards: {}, goal: {goal}", boards.boards.len()));
        let rows = interrupt::orderly(|| self.rows(&names, &boards, &settings, &tables, progress))?;
        if !is_stdout_taken {
            output.write_all(report::table(&rows).as_bytes())?;
        }
        if let Some(target) = &self.csv {
            target.write(output, &report::csv(&boards, &rows))?;
        }
        if let Some(target) = &self.json {
            target.write(output, &report::json(&boards, &rows))?;
        }
        if let Some(folder) = &self.charts {
            for chart in chart::charts(&rows)? {
                pdb_gen::write_file(&folder.join(chart.file_name), chart.svg.as_bytes())?;
            }
        }
        let ends = || rows.iter().flat_map(|row| &row.samples).map(|sample| sample.end);
        let unsolvable = |row: &&Row| row.samples.iter().any(|s| s.end == End::Unsolvable);
        if let Some(row) = rows.iter().find(unsolvable) {
            let count = row.samples.iter().filter(|s| s.end == End::Unsolvable).count();
            progress.note(format_args!(
                "{count} of the boards cannot be solved: no moves lead to the goal {}",
                boards.goal.board()
            ));
        }
        Ok(Verdict::of(!ends().any(|end| matches!(end, End::Limit | End::Unsolvable))))
    }

    /// The heuristics are opened one after another, each for all its searches.
    fn rows(
        &self,
        names: &[HeuristicName],
        boards: &BoardSet,
        settings: &Settings<'_>,
        tables: &Tilebase,
        progress: Progress,
    ) -> anyhow::Result<Vec<Row>> {
        let (informed, uninformed): (Vec<SearchName>, Vec<SearchName>) =
            self.searches.iter().partition(|search| search.is_informed());
        let open = |name: &HeuristicName| -> Result<Engine, Error> {
            let open = &mut |name: &str, plan: &_| tables.shelf().database(name, plan);
            let doing = format!("opening {name}");
            progress.slowly(&doing, || Engine::open(name, &boards.goal, open))
        };
        // What does not fit board or goal is better known before the first board is solved.
        let engines: Vec<Engine> = names.iter().map(open).collect::<Result<_, _>>()?;
        // A search without a heuristic takes any.
        let any = open(&HeuristicName::Basic(Basic::Manhattan))?;
        let mut pairs: Vec<(&Engine, SearchName)> = Vec::new();
        pairs.extend(uninformed.into_iter().map(|search| (&any, search)));
        for engine in &engines {
            pairs.extend(informed.iter().map(|&search| (engine, search)));
        }
        let mut rows = Vec::new();
        let bar = progress.counter((pairs.len() * boards.boards.len()) as u64);
        for (number, (engine, search)) in pairs.into_iter().enumerate() {
            let heuristic = if search.is_informed() { engine.name() } else { "no heuristic" };
            bar.begin(&format!("{heuristic}, {}", search.with_weight(self.weight)));
            let row = pdb_compare::run(engine, search, boards, settings, &|| bar.count());
            tilebase::confirm(engine)?;
            let row = row?;
            rows.push(row);
            // A row that ran out of time has fewer boards.
            bar.end_of_part(((number + 1) * boards.boards.len()) as u64);
            if interrupt::is_set() {
                break;
            }
        }
        Ok(rows)
    }

    fn boards(&self) -> anyhow::Result<BoardSet> {
        let text = self.boards.trim();
        let usual = Shape::new(4, 4).expect("4x4 is a shape");
        let mut boards = if BoardSet::is_name(text) {
            BoardSet::named(text, &self.goal(self.size.unwrap_or(usual))?)?
        } else {
            let boards = self.read(text)?;
            BoardSet { name: text.to_owned(), goal: self.goal(boards[0].shape())?, boards }
        };
        if self.goal.is_some() {
            boards.goal = self.goal(boards.goal.shape())?;
        }
        Ok(boards)
    }

    /// The goal for boards of a shape.
    fn goal(&self, shape: Shape) -> anyhow::Result<Goal> {
        match &self.goal {
            None => Ok(Goal::blank_last(shape)),
            Some(name) => GoalChoice::read(name, self.size)?.goal(shape).map_err(usage),
        }
    }

    /// One board that the argument is, or those of the file that it names; at least one.
    fn read(&self, text: &str) -> anyhow::Result<Vec<Board>> {
        let mut boards: Vec<Board> = Vec::new();
        for given in NamedBoards::of_words(&[text.to_owned()], self.size)?.boards {
            let given = given.map_err(|error| usage(format!("{text}: {error}")))?;
            if let Some(first) = boards.first()
                && first.shape() != given.board.shape()
            {
                return Err(usage(format!(
                    "{text}: line {}: a {} board among {} boards: compare boards of one shape",
                    given.line.unwrap_or(0),
                    given.board.shape(),
                    first.shape()
                )));
            }
            boards.push(given.board);
            if boards.len() > BOARDS_MAX {
                return Err(usage(format!("{text}: more than {BOARDS_MAX} boards")));
            }
        }
        if boards.is_empty() {
            return Err(usage(format!("{text} has no board: write one on each line")));
        }
        Ok(boards)
    }
}
