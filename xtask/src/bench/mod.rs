//! `cargo xtask bench`: measurements, as Markdown for `docs/benchmarks.md`.
//!
//! Each table of `xtask/bench.toml` has rows, and each row is a command: Tilebase's, or that of
//! another program, which the reader has built and describes in a file `peers.toml`. All rows get
//! the same boards and run in turns, round after round, so that changes of the machine's speed
//! affect them alike. Results are medians of the rounds.

mod boards;
mod programs;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::thread::available_parallelism;

use anyhow::{Context, Result, ensure};
use serde::Deserialize;
use serde::de::DeserializeOwned;

use self::boards::{BenchBoards, BlankHome};
use self::programs::{Program, Round};
use crate::shell;

/// File that describes the tables, from the repository's root.
const TABLES: &str = "xtask/bench.toml";
/// Name of the release binary in the rows.
const TILEBASE: &str = "tilebase";
/// File in a folder that describes the programs there.
const PEERS: &str = "peers.toml";

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Table of xtask/bench.toml
    table: String,
    /// Folders of other programs, each with a file peers.toml that describes them
    folders: Vec<PathBuf>,
    /// Other values for a name in the table's rows, such as spec=15/7-8,15/5-5-5; may be repeated
    #[arg(long = "set", value_name = "NAME=VALUES", value_parser = setting)]
    settings: Vec<Setting>,
    /// Boards: korf, random:N:SEED, or a file with a board per line, which is the tile of each
    /// cell, row by row, 0 for the blank [default: those of the table]
    #[arg(long)]
    boards: Option<String>,
    /// Goal of the boards in the file
    #[arg(long, value_enum, default_value = "blank-last", requires = "boards")]
    goal: BlankHome,
    /// Number of boards [default: that of the table, or all]
    #[arg(long)]
    count: Option<usize>,
    /// Number of times that the boards are repeated in the input
    #[arg(long, default_value_t = 1)]
    times: usize,
    /// Number of times that each program solves all boards
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,
}

/// A name of [`BenchTable::each`] with its values.
type Setting = (String, Vec<String>);

/// A table of [`TABLES`].
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct BenchTable {
    /// Title of the table: the quantity that it shows.
    title: String,
    boards: Option<String>,
    count: Option<usize>,
    /// Values for each `{NAME}` in the rows. A row is repeated for the names in its own name.
    #[serde(default)]
    each: BTreeMap<String, Vec<String>>,
    row: Vec<Program>,
    #[serde(default)]
    column: Vec<Column>,
}

/// A column of numbers that the programs print.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Column {
    head: String,
    /// Key of the numbers in the `output` of a row; `seconds` is the time of the whole process.
    field: String,
    of: Aggregate,
    /// Key of numbers by whose sum the result is divided.
    per: Option<String>,
    /// Factor of the result.
    #[serde(default = "one")]
    factor: f64,
}

fn one() -> f64 {
    1.0
}

/// One number of all numbers of a run.
#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Aggregate {
    Count,
    Sum,
    /// The sum divided by the number of boards.
    Board,
    Median,
    P99,
    Most,
}

/// The file `peers.toml`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Peers {
    peer: Vec<Program>,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let mut tables: BTreeMap<String, BenchTable> = read(&shell::root().join(TABLES))?;
    let names: Vec<String> = tables.keys().cloned().collect();
    let mut table = tables.remove(&args.table).with_context(|| {
        format!("expected a table of {TABLES} ({}), found {}", names.join(", "), args.table)
    })?;
    for (name, values) in &args.settings {
        let names = table.each.keys().cloned().collect::<Vec<_>>().join(", ");
        let values_of = table.each.get_mut(name).with_context(|| {
            format!("the table {} has no name {name}; its names are: {names}", args.table)
        })?;
        values_of.clone_from(values);
    }
    let folder = shell::temporary_folder()?;
    let db = shell::target_folder()?.join("tables");
    let mut places = vec![("db", db), ("folder", folder.path().to_owned())];
    if table.row.iter().any(|row| row.mentions(TILEBASE)) {
        places.push((TILEBASE, shell::tilebase()?.get_program().into()));
    }
    let mut programs: Vec<Program> =
        table.row.iter().flat_map(|row| row.expanded(&table.each, &places)).collect();
    for folder in &args.folders {
        programs.extend(peers(&folder.canonicalize().unwrap_or_else(|_| folder.clone()))?);
    }
    let mut boards = match args.boards.as_ref().or(table.boards.as_ref()) {
        None => None,
        Some(which) => {
            let boards = BenchBoards::of(which, args.goal)?;
            Some(boards.taken(args.count.or(table.count), args.times))
        }
    };
    println!("{}\n", machine()?);
    if let Some(boards) = &boards {
        // The first board brings files into the page cache, and finds mistakes before the rounds.
        let first = boards.taken(Some(1), 1);
        for program in &programs {
            program.run(Some(&first))?;
            if !program.is_checked() {
                eprintln!("{} has no output.length: its answers are not checked", program.name);
            }
        }
    }
    let mut rounds: Vec<Vec<Round>> = programs.iter().map(|_| Vec::new()).collect();
    for number in 1..=args.rounds {
        for (program, rounds) in programs.iter().zip(&mut rounds) {
            eprintln!("round {number}: {}", program.name);
            let round = program.run(boards.as_ref())?;
            // All others must find the lengths of the first program.
            if let Some(boards) = boards.as_mut().filter(|boards| boards.lengths.is_none()) {
                boards.lengths = round.lengths();
            }
            rounds.push(round);
        }
    }
    let count = boards.as_ref().map(|boards| boards.tiles.len());
    let base = median(rounds[0].iter().map(Round::seconds));
    let rows = programs.iter().zip(&rounds);
    let rows: Vec<_> =
        rows.map(|(program, rounds)| row(program, rounds, &table.column, count, base)).collect();
    let boards = count.map_or_else(String::new, |count| format!("{count} boards, "));
    println!("{}: {boards}whole processes, the middle of {} rounds:\n", table.title, args.rounds);
    let mut head = vec!["program", "seconds", "least", "most", "processor s"];
    head.extend(count.map(|_| "ms/board"));
    head.extend(table.column.iter().map(|column| column.head.as_str()));
    head.push("ratio");
    println!("| {} |", head.join(" | "));
    println!("|---|{}", "---:|".repeat(head.len() - 1));
    for cells in rows {
        println!("| {} |", cells.join(" | "));
    }
    Ok(())
}

/// Reads the programs that a folder describes.
fn peers(folder: &Path) -> Result<Vec<Program>> {
    let path = folder.join(PEERS);
    ensure!(
        path.is_file(),
        "cannot read {}; describe the programs in it, as docs/comparing.md shows",
        path.display()
    );
    let Peers { peer: mut peers } = read(&path)?;
    ensure!(!peers.is_empty(), "{} has no [[peer]]; describe at least one", path.display());
    for peer in &mut peers {
        folder.clone_into(&mut peer.folder);
        peer.check()?;
    }
    Ok(peers)
}

fn read<T: DeserializeOwned>(path: &Path) -> Result<T> {
    let text = std::fs::read_to_string(path);
    let text = text.with_context(|| format!("cannot read {}", path.display()))?;
    toml::from_str(&text).with_context(|| format!("cannot use {}", path.display()))
}

fn setting(text: &str) -> Result<Setting, String> {
    let (name, values) = text
        .split_once('=')
        .ok_or("expected a name and its values, such as spec=15/7-8,15/5-5-5")?;
    Ok((name.to_owned(), values.split(',').map(str::to_owned).collect()))
}

/// Returns a row of medians; the ratio is to `base` seconds.
fn row(
    program: &Program,
    rounds: &[Round],
    columns: &[Column],
    boards: Option<usize>,
    base: f64,
) -> Vec<String> {
    let seconds = || rounds.iter().map(Round::seconds);
    let middle = median(seconds());
    let mut cells = vec![program.name.clone()];
    cells.extend(
        [
            middle,
            seconds().fold(f64::INFINITY, f64::min),
            seconds().fold(0.0, f64::max),
            median(rounds.iter().map(|round| round.processor_seconds)),
        ]
        .map(cell),
    );
    cells.extend(boards.map(|boards| cell(1e3 * middle / boards as f64)));
    cells.extend(columns.iter().map(|column| {
        let values: Option<Vec<f64>> =
            rounds.iter().map(|round| column.value(round, boards.unwrap_or(1))).collect();
        values.map_or_else(|| "-".to_owned(), |values| cell(median(values)))
    }));
    cells.push(format!("{:.2}", middle / base));
    cells
}

impl Column {
    /// Returns the value of a run; `None` if the program does not print it.
    fn value(&self, round: &Round, boards: usize) -> Option<f64> {
        let numbers = round.numbers.get(&self.field)?;
        if numbers.is_empty() && !matches!(self.of, Aggregate::Count) {
            return None;
        }
        let numbers = numbers.iter().copied();
        let value = match self.of {
            Aggregate::Count => numbers.count() as f64,
            Aggregate::Sum => numbers.sum(),
            Aggregate::Board => numbers.sum::<f64>() / boards as f64,
            Aggregate::Median => median(numbers),
            Aggregate::P99 => quantile(numbers, 0.99),
            Aggregate::Most => numbers.fold(0.0, f64::max),
        };
        let divisor = match &self.per {
            None => 1.0,
            Some(per) => round.numbers.get(per)?.iter().sum(),
        };
        Some(value / divisor * self.factor)
    }
}

/// Returns a number: large and whole ones without decimals.
fn cell(number: f64) -> String {
    if number >= 1e3 || number.fract() == 0.0 {
        grouped(number.round() as u64)
    } else {
        format!("{number:.3}")
    }
}

/// Returns a line that describes the machine.
fn machine() -> Result<String> {
    let field = |path: &str, name: &str| -> Result<String> {
        let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {path}"))?;
        let line = text.lines().find(|line| line.starts_with(name));
        let value = line.and_then(|line| line.split_once(':'));
        Ok(value.map_or("unknown", |(_, value)| value.trim()).to_owned())
    };
    let (memory, cpu) =
        (field("/proc/meminfo", "MemTotal")?, field("/proc/cpuinfo", "model name")?);
    let cores = available_parallelism()?;
    Ok(format!("Measured on {cpu}, {cores} cores, {memory} of memory, {}.", std::env::consts::ARCH))
}

/// Returns the median.
fn median(values: impl IntoIterator<Item = f64>) -> f64 {
    quantile(values, 0.5)
}

/// Returns a quantile, interpolated between two values if necessary.
fn quantile(values: impl IntoIterator<Item = f64>, share: f64) -> f64 {
    let mut values: Vec<f64> = values.into_iter().collect();
    values.sort_by(f64::total_cmp);
    let place = share * (values.len() - 1) as f64;
    let (below, above) = (values[place.floor() as usize], values[place.ceil() as usize]);
    below + (above - below) * place.fract()
}

/// Returns a number with its digits in groups of three.
fn grouped(number: u64) -> String {
    if number < 1000 {
        return number.to_string();
    }
    format!("{},{:03}", grouped(number / 1000), number % 1000)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_lie_between_the_values_around_them() {
        assert!((median([3.0, 1.0, 2.0]) - 2.0).abs() < 1e-9);
        assert!((median([4.0, 1.0, 2.0, 3.0]) - 2.5).abs() < 1e-9);
        assert!((quantile((0..=100).map(f64::from), 0.99) - 99.0).abs() < 1e-9);
        assert!((quantile([7.0], 0.99) - 7.0).abs() < 1e-9);
    }

    #[test]
    fn large_and_whole_numbers_have_no_decimals() {
        assert_eq!(
            [0.0, 0.5, 57.0, 1234.5, 518_918_400.0].map(cell),
            ["0", "0.500", "57", "1,235", "518,918,400"]
        );
    }

    #[test]
    fn row_has_the_medians_and_the_ratio() {
        let program: Program = toml::from_str("name = 'x'\ncommand = ['solver']").unwrap();
        let rounds = [4.0, 1.0, 2.0].map(|seconds| Round {
            processor_seconds: seconds / 2.0,
            numbers: [
                ("seconds".to_owned(), vec![seconds]),
                ("generated".to_owned(), vec![500.0, 1500.0]),
                ("expanded".to_owned(), Vec::new()),
            ]
            .into(),
        });
        let columns = "
            column = [
                { head = 'a', field = 'generated', of = 'board' },
                { head = 'b', field = 'generated', of = 'most' },
                { head = 'c', field = 'generated', of = 'count' },
                { head = 'd', field = 'generated', of = 'sum', per = 'seconds', factor = 0.001 },
                { head = 'e', field = 'expanded', of = 'sum' },
                { head = 'f', field = 'generated', of = 'p99' },
                { head = 'g', field = 'generated', of = 'median' },
                { head = 'h', field = 'expanded', of = 'count' },
                { head = 'i', field = 'none', of = 'count' },
            ]";
        let mut columns: BTreeMap<String, Vec<Column>> = toml::from_str(columns).unwrap();
        let columns = columns.remove("column").unwrap();
        let expected = "x 2 1 4 1 1,000 1,000 1,500 2 1 - 1,490 1,000 0 - 4.00";
        assert_eq!(row(&program, &rounds, &columns, Some(2), 0.5).join(" "), expected);
    }

    #[test]
    fn tables_are_read_and_all_their_names_have_values() {
        let tables: BTreeMap<String, BenchTable> = read(&shell::root().join(TABLES)).unwrap();
        for (name, table) in tables {
            for program in table.row.iter().flat_map(|row| row.expanded(&table.each, &[])) {
                program.check().unwrap();
                let words = program.command.iter().chain([&program.name]);
                let is_open = |word: &&String| {
                    table.each.keys().any(|name| word.contains(&format!("{{{name}}}")))
                };
                assert_eq!(words.clone().find(is_open), None, "{name}");
            }
        }
    }
}
