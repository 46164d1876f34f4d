//! Arguments that several commands take.

use std::collections::hash_map::RandomState;
use std::fmt::Display;
use std::hash::{BuildHasher, Hasher};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use pdb_spec::Spec;
use tilebase::event::Watch;
use tilebase::names::{GoalChoice, goal_name};
use tilebase::shelf::{Memory, NamedTable, Shelf, core_count};
pub(crate) use tilebase::text::read_time as time;
use tilebase::text::{BlankSign, BoardFormat, Columns, MoveNaming, MoveStyle, WrittenMoves};
use tilebase::{Goal, Metric, Search, Shape};

use crate::Surroundings;
use crate::choices::{METRICS, MOVE_NAMINGS, one_of};
use crate::failure::usage;
use crate::help;
use crate::interrupt;
use crate::progress::ProgressDisplay;

/// Number of threads.
#[derive(Clone, Copy, Debug, Default, clap::Args)]
pub(crate) struct Threads {
    /// Number of threads [default: one per core]
    #[arg(long, value_name = "N", help_heading = help::MACHINE,
        value_parser = number::<u16>(1..=1024))]
    threads: Option<u16>,
}

impl Threads {
    pub(crate) fn count(self) -> usize {
        let default = || Surroundings::here().thread_count.unwrap_or_else(core_count);
        self.threads.map_or_else(default, usize::from)
    }
}

/// Limit on memory.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(crate) struct MemoryArg {
    /// Memory limit, such as 4G [default: the machine's memory]
    #[arg(long, value_name = "SIZE", help_heading = help::MACHINE, value_parser = memory)]
    memory: Option<u64>,
}

impl MemoryArg {
    pub(crate) fn memory(self) -> Memory {
        self.memory.map_or(Memory::ALL, Memory::of)
    }
}

#[cfg(windows)]
const FOLDER_HELP: &str =
    "Folder of the tables [default: %TILEBASE_DB%, or tilebase in the folder %APPDATA%]";
#[cfg(not(windows))]
const FOLDER_HELP: &str =
    "Folder of the tables [default: $TILEBASE_DB, or tilebase in the XDG data directory]";

/// Folder of the tables.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Folder {
    #[arg(
        long,
        value_name = "DIR",
        help_heading = help::TABLES,
        help = FOLDER_HELP
    )]
    db: Option<PathBuf>,
}

impl Folder {
    /// Returns the folder that the command line names, if it names one.
    pub(crate) fn named(&self) -> Option<&Path> {
        self.db.as_deref()
    }

    /// Returns the folder, which need not exist yet.
    pub(crate) fn path(&self) -> anyhow::Result<PathBuf> {
        Ok(self.db.clone().map_or_else(Shelf::usual_folder, Ok)?)
    }
}

/// The metric.
#[derive(Debug, clap::Args)]
pub(crate) struct MetricArg {
    /// What counts as one move: stm, each tile that moves; or mtm, a slide of one or more tiles of
    /// a line at once
    #[arg(long, value_parser = one_of(METRICS), default_value = "stm", value_name = "stm|mtm",
        hide_possible_values = true, help_heading = help::SEARCH)]
    pub(crate) metric: Metric,
}

/// The folder of the tables, and limits on memory and threads.
#[derive(Debug, clap::Args)]
pub(crate) struct Machine {
    #[command(flatten)]
    memory: MemoryArg,
    #[command(flatten)]
    threads: Threads,
    #[command(flatten)]
    pub(crate) folder: Folder,
}

impl Machine {
    pub(crate) fn memory(&self) -> Memory {
        self.memory.memory()
    }

    /// Returns whether the command line limits the memory.
    pub(crate) fn has_memory_limit(&self) -> bool {
        self.memory.memory.is_some()
    }

    pub(crate) fn thread_count(&self) -> usize {
        self.threads.count()
    }

    /// Returns the builder of a handle that shows its progress and stops on an interrupt.
    #[cfg(feature = "research")]
    pub(crate) fn builder(&self, progress: ProgressDisplay) -> anyhow::Result<tilebase::Builder> {
        let builder =
            tilebase::Tilebase::builder().folder(&self.folder.path()?).memory(self.memory());
        Ok(builder.search(self.search(progress)))
    }

    /// Returns the options of work that shows its progress and stops on an interrupt.
    pub(crate) fn search(&self, progress: ProgressDisplay) -> Search {
        Search {
            thread_count: self.thread_count(),
            cancel: interrupt::cancel(),
            watch: Some(Watch::new(progress.watcher())),
            ..Search::default()
        }
    }

    /// Returns the folder as a place to build tables in.
    pub(crate) fn shelf(&self) -> anyhow::Result<Shelf> {
        Ok(Shelf { memory: self.memory(), ..Shelf::new(&self.folder.path()?) })
    }
}

/// Specs to work on.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Specs {
    /// Names of shipped specs, such as 15/7-8, of generated ones, such as generated/5x5/6-6-6-6, or
    /// .toml files; a name may omit the number of tiles where it is still unique, such as 7-8
    #[arg(value_name = "SPEC", required = true)]
    specs: Vec<String>,
}

impl Specs {
    pub(crate) fn load(&self) -> anyhow::Result<Vec<Spec>> {
        self.specs.iter().map(|name| Ok(tilebase::names::load_spec(name)?)).collect()
    }
}

/// Tables to work on.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct TableArgs {
    /// Tables (.pdb files), or names of shipped specs or .toml files for all tables of a spec;
    /// write ./FILE for a file that has the name of a spec
    #[arg(value_name = "SPEC|FILE", required = true)]
    tables: Vec<PathBuf>,
    #[command(flatten)]
    folder: Folder,
}

impl TableArgs {
    /// Returns each table once, in the order of the arguments.
    pub(crate) fn named(&self) -> anyhow::Result<Vec<NamedTable>> {
        Ok(tilebase::shelf::tables_named(&self.tables, self.folder.named())?)
    }
}

/// Goal and shape of the boards.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct GoalArgs {
    /// blank-last, blank-first, snail, a board, or a file with one [default: the goal of the set of
    /// boards or of the spec, if that has one of its own; else blank-last]
    #[arg(long, value_name = "NAME|BOARD|FILE", help_heading = help::BOARDS)]
    pub(crate) goal: Option<String>,
    /// Rows and columns of boards without row separators, also of one line, such as 1x5 [default:
    /// those of the goal or spec; else a square, 4x4 where no board is given]
    #[arg(long, value_name = "RxC", help_heading = help::BOARDS)]
    pub(crate) size: Option<Shape>,
    #[command(flatten)]
    pub(crate) blank: BlankArg,
}

/// Sign of the blank of boards.
#[derive(Clone, Copy, Debug, Default, clap::Args)]
pub(crate) struct BlankArg {
    /// The only sign of the blank in boards and goals: a number, such as -1 or 15, or a character;
    /// beside it, tiles may count from 0 [default: 0 or another usual sign]
    #[arg(long, value_name = "SIGN", allow_hyphen_values = true, help_heading = help::BOARDS)]
    pub(crate) blank: Option<BlankSign>,
}

impl GoalArgs {
    /// Returns the named goal, if any, and the shape that `--size`, the goal or the spec
    /// determines.
    pub(crate) fn read(
        &self,
        of_spec: Option<Shape>,
    ) -> anyhow::Result<(Option<GoalChoice>, Option<Shape>)> {
        let format = BoardFormat { shape: self.size, blank: self.blank.blank };
        let goal = self.goal.as_deref().map(|name| GoalChoice::read(name, format)).transpose()?;
        let drawn = goal.as_ref().and_then(GoalChoice::shape).or(of_spec);
        Ok((goal, agreed(self.size, drawn)?))
    }

    /// Returns the goal for boards of a shape, which may have one of their own.
    #[cfg(feature = "model")]
    pub(crate) fn of_boards(&self, own: Option<Goal>, shape: Shape) -> anyhow::Result<Goal> {
        own.filter(|_| self.goal.is_none()).map_or_else(|| self.of_shape(shape), Ok)
    }

    /// Returns the goal for boards of a shape.
    #[cfg(any(feature = "model", feature = "research"))]
    pub(crate) fn of_shape(&self, shape: Shape) -> anyhow::Result<Goal> {
        match self.read(None)?.0 {
            None => Ok(Goal::blank_last(shape)),
            Some(goal) => goal.goal(shape).map_err(usage),
        }
    }
}

/// Returns a random seed that is short enough to type again.
pub(crate) fn random_seed() -> u64 {
    RandomState::new().build_hasher().finish() >> 32
}

/// Returns a goal as an argument of `--goal` in a shell.
pub(crate) fn goal_argument(goal: &Goal) -> String {
    let name = goal_name(goal);
    if name.contains(' ') { format!("\"{name}\"") } else { name }
}

/// Columns of a table that hold boards.
#[derive(Clone, Copy, Debug, Default, clap::Args)]
pub(crate) struct InputColumns {
    /// Columns of a table that hold the cells, such as 2..17, or one column that holds the whole
    /// board; for files of boards [default: detected where the file leaves no doubt]
    #[arg(long, value_name = "A..B", help_heading = help::BOARDS)]
    pub(crate) input_columns: Option<Columns>,
    /// Boards of a file come in twos, a board and its goal
    #[arg(long, help_heading = help::BOARDS)]
    pub(crate) pairs: bool,
}

/// Moves from a board.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Sequence {
    /// The moves: letters, words or arrows, which name the tile's direction unless --moves says
    /// otherwise, or the numbers of the tiles that move
    #[arg(value_name = "MOVES", help_heading = help::BOARDS)]
    sequence: Vec<String>,
}

impl Sequence {
    /// Reads the moves, whose letters are of the tile or of the blank.
    pub(crate) fn moves(&self, style: MovesArg) -> anyhow::Result<WrittenMoves> {
        WrittenMoves::parse(&self.sequence.join(" "), style.is_of_blank()).map_err(usage)
    }
}

/// How moves are read and written.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(crate) struct MovesArg {
    /// How each move is written
    #[arg(long, value_parser = one_of(MOVE_NAMINGS), default_value = "tile", value_name = "HOW",
        help_heading = help::OUTPUT)]
    moves: MoveNaming,
    /// Write repeated moves as U2
    #[arg(long, help_heading = help::OUTPUT)]
    counted_moves: bool,
}

impl MovesArg {
    /// Returns whether letters name the blank's direction.
    pub(crate) fn is_of_blank(self) -> bool {
        self.moves == MoveNaming::Blank
    }

    pub(crate) fn style(self) -> MoveStyle {
        MoveStyle { naming: self.moves, counted: self.counted_moves }
    }
}

/// Returns the parser of a whole number in a range.
pub(crate) fn number<T>(
    range: RangeInclusive<T>,
) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync + 'static
where
    T: FromStr + PartialOrd + Display + Clone + Send + Sync + 'static,
{
    move |text| {
        let problem =
            || format!("expected a whole number from {} to {}", range.start(), range.end());
        text.parse().ok().filter(|number| range.contains(number)).ok_or_else(problem)
    }
}

/// Reads a size such as 4G, 512MB or 2GiB, in bytes.
pub(crate) fn size(text: &str) -> Result<u64, String> {
    let (number, unit) = number_and_unit(text);
    let factor = match unit.to_ascii_uppercase().as_str() {
        "" | "B" => 1,
        "K" | "KB" => 1000,
        "M" | "MB" => 1_000_000,
        "G" | "GB" => 1_000_000_000,
        "T" | "TB" => 1_000_000_000_000,
        "KIB" => 1 << 10,
        "MIB" => 1 << 20,
        "GIB" => 1 << 30,
        "TIB" => 1u64 << 40,
        _ => 0,
    };
    match number {
        Some(number) if factor > 0 => Ok((number * factor as f64) as u64),
        _ => Err("expected a number with a unit, such as 4G, 512MB or 2GiB".to_owned()),
    }
}

/// Reads a size of memory.
fn memory(text: &str) -> Result<u64, String> {
    match size(text)? {
        0 => Err("expected more than no memory, such as 4G; omit it for all".to_owned()),
        bytes => Ok(bytes),
    }
}

fn number_and_unit(text: &str) -> (Option<f64>, &str) {
    let is_part = |c: char| c.is_ascii_digit() || c == '.';
    let (number, unit) = text.split_at(text.find(|c| !is_part(c)).unwrap_or(text.len()));
    (number.parse().ok(), unit.trim())
}

/// Returns the shape of `--size`, which must agree with the shape that a goal or spec draws.
pub(crate) fn agreed(size: Option<Shape>, drawn: Option<Shape>) -> anyhow::Result<Option<Shape>> {
    match (size, drawn) {
        (Some(size), Some(drawn)) if size != drawn => Err(usage(format!(
            "--size is {size}, but the boards of this goal or spec are {drawn}: omit --size or \
             change it"
        ))),
        (size, _) => Ok(size.or(drawn)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_sizes_with_decimal_and_binary_units() {
        assert_eq!(size("4G"), Ok(4_000_000_000));
        assert_eq!(size("1.5 gb"), Ok(1_500_000_000));
        assert_eq!(size("2GiB"), Ok(2 << 30));
        assert_eq!(size("77"), Ok(77));
        assert_eq!(memory("1K"), Ok(1000));
        assert!(memory("0").is_err() && memory("0.5").is_err());
        for bad in ["", "G", "4X", "-4G", "1.2.3M", "4 G B"] {
            assert!(size(bad).is_err(), "{bad}");
        }
    }
}
