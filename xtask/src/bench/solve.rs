//! `cargo xtask bench solve`: boards per second by spec, mode, threads and residence of the tables.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use serde::Deserialize;

use super::{grouped, median, quantile};
use crate::markdown::print_table;
use crate::{report, shell};

const KORF: &str = "crates/tilebase/data/korf100_15puzzle.txt";
const ANTIPODES: &str = "tests/data/antipodes_15puzzle_stm80.txt";
/// A board that equals its own mirror image, so a mirrored look-up gives the same value again.
const MIRRORED: (&str, u32) = ("1 5 9 13 2 6 10 14 3 7 11 15 4 8 12 0", 72);
const CELL_COUNT: usize = 16;
/// Options of `tilebase scramble` for boards that are drawn evenly from all solvable ones.
const RANDOM: &str = "--size 4x4 --count 1000 --seed 1";
/// The specs that are compared by default.
const SPECS: &[&str] =
    &["15/5-5-5", "15/6-6-3", "15/7-8-collapsed", "15/7-8", "15/7-8-max", "15/7-8-dual"];
/// The spec whose tables are brought into memory in different ways.
const RESIDENT: &str = "15/7-8";

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Specs to solve with
    #[arg(default_values = SPECS)]
    specs: Vec<String>,
    /// Boards to solve
    #[arg(long, value_enum, default_values = ["korf", "random", "residence"])]
    boards: Vec<BoardSet>,
    /// Number of times that each solves all boards; random boards are solved once
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum BoardSet {
    /// Korf's hundred boards
    Korf,
    /// Korf's hundred boards ten times, so that the slow end of the batch counts less
    KorfTenTimes,
    /// A thousand random boards, always the same
    Random,
    /// The 17 boards at 80 moves, and one at 72 that is its own mirror image
    Hard,
    /// Korf's first board, his hundred boards, and these ten and fifty times, with the tables of
    /// 15/7-8 in each state of the page cache, brought into memory in different ways
    Residence,
}

/// Record of a board, from `tilebase solve --format ndjson`.
#[derive(Clone, Debug, Deserialize)]
struct SolveRecord {
    status: String,
    length: Option<u32>,
    seconds: f64,
}

/// Totals of all boards, from `tilebase solve --summary`.
#[derive(Clone, Debug, Deserialize)]
struct SolveSummary {
    boards: u64,
    generated: u64,
    lookups: u64,
    seconds: f64,
}

/// A spec with the options of a solver.
#[derive(Clone, Copy)]
struct Setup<'a> {
    spec: &'a str,
    mode: &'a str,
    threads: usize,
    tables: &'a str,
}

/// Boards, one per line, and the lengths of their shortest solutions where known.
pub(super) struct BenchBoards {
    name: &'static str,
    goal: &'static str,
    pub(super) text: String,
    pub(super) lengths: Vec<u32>,
}

/// One run over all boards.
struct SolveRound {
    answers: Vec<SolveRecord>,
    summary: SolveSummary,
    /// Elapsed time of the whole process.
    seconds: f64,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let db = shell::tables_folder()?;
    let threads = std::thread::available_parallelism()?.get();
    for &which in &args.boards {
        if which == BoardSet::Residence {
            residence(args.rounds, &db)?;
            continue;
        }
        let boards = BenchBoards::of(which)?;
        let rounds = if which == BoardSet::Random { 1 } else { args.rounds };
        let mut ways = Vec::new();
        for spec in &args.specs {
            for mode in ["throughput", "latency"] {
                for threads in [1, threads] {
                    ways.push(Setup { spec, mode, threads, tables: "prefaulted" });
                }
            }
        }
        print(&boards, &ways, rounds, &db)?;
    }
    Ok(())
}

/// Solves the boards with all setups in turn, and prints a row for each.
fn print(boards: &BenchBoards, ways: &[Setup<'_>], rounds: u32, db: &Path) -> Result<()> {
    let first = boards.text.lines().next().unwrap_or_default();
    let one =
        BenchBoards { text: format!("{first}\n"), ..BenchBoards::new(boards.name, boards.goal) };
    let mut bytes = Vec::new();
    for ways in ways.chunk_by(|a, b| a.spec == b.spec) {
        let tables: Vec<report::TableReport> = report::build(ways[0].spec, db)?;
        // The page cache is in the state after a restart and a first use, not after a build.
        evict(&tables, db)?;
        one.solve(ways[0], db)?;
        let spec_bytes: u64 = tables.iter().map(|table| table.file_bytes).sum();
        bytes.extend(ways.iter().map(|_| spec_bytes));
    }
    let mut results: Vec<Vec<SolveRound>> = ways.iter().map(|_| Vec::new()).collect();
    for round in 1..=rounds {
        for (way, results) in ways.iter().zip(&mut results) {
            let Setup { spec, mode, threads, .. } = way;
            eprintln!("{}, round {round}: {spec}, {mode}, {threads} threads", boards.name);
            results.push(boards.solve(*way, db)?);
        }
    }
    // Boards of unknown length must have the same length in all rounds.
    let lengths = |rounds: &[SolveRound]| -> Vec<_> {
        rounds[0].answers.iter().map(|answer| answer.length).collect()
    };
    let first = lengths(&results[0]);
    ensure!(results.iter().all(|rounds| lengths(rounds) == first), "lengths differ by the spec");
    let moves: u32 = first.iter().flatten().sum();
    println!("{}, the middle of {rounds} rounds, {moves} moves together:\n", boards.name);
    let rows: Vec<_> = ways
        .iter()
        .zip(&results)
        .zip(bytes)
        .map(|((way, rounds), bytes)| row(*way, rounds, bytes))
        .collect();
    let head = [
        "spec",
        "mode",
        "threads",
        "boards/s",
        "ms/board",
        "median ms",
        "p99 ms",
        "worst ms",
        "generated/board",
        "generated/s",
        "look-ups/node",
        "bytes",
    ];
    print_table(&head, &rows);
    println!();
    Ok(())
}

/// State of the tables in the page cache when a process starts.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Cache {
    /// As after a build.
    Built,
    /// In small pages, as after copying by a program that writes small pieces.
    Small,
    /// Evicted and read again.
    Read,
    /// Evicted.
    Cold,
}

impl Cache {
    const ALL: [(&str, Self); 4] = [
        ("just built", Self::Built),
        ("in small pages", Self::Small),
        ("read again", Self::Read),
        ("cold", Self::Cold),
    ];

    /// Puts tables into a folder, or uses the tables that are already in `db`.
    fn begin(self, tables: &[report::TableReport], db: &Path, folder: &Path) -> Result<PathBuf> {
        match self {
            Self::Built => {
                report::build::<report::TableReport>(RESIDENT, folder)?;
            }
            Self::Small => {
                for table in tables {
                    let path = |folder: &Path| folder.join(&table.table).display().to_string();
                    let mut dd = Command::new("dd");
                    dd.args(["bs=4k", "conv=fsync", "status=none"]);
                    dd.args([format!("if={}", path(db)), format!("of={}", path(folder))]);
                    shell::output(&mut dd)?;
                }
            }
            Self::Read | Self::Cold => {
                evict(tables, db)?;
                return Ok(db.to_owned());
            }
        }
        Ok(folder.to_owned())
    }
}

/// Solves boards with tables that come into memory in different ways.
fn residence(rounds: u32, db: &Path) -> Result<()> {
    let tables: Vec<report::TableReport> = report::build(RESIDENT, db)?;
    let mut sets = vec![BenchBoards::korf("Korf's first board", 1)?];
    let end = sets[0].text.find('\n').map_or(0, |at| at + 1);
    sets[0].text.truncate(end);
    sets[0].lengths.truncate(1);
    for (name, times) in [("once", 1), ("ten times", 10), ("fifty times", 50)] {
        sets.push(BenchBoards::korf(name, times)?);
    }
    let ways = ["mapped", "prefaulted", "auto", "copied"];
    let keys = |cache| {
        // Only the first process finds a cold cache.
        let sets = if cache == Cache::Cold { 2 } else { sets.len() };
        (0..sets).flat_map(|set| (0..ways.len()).map(move |way| (set, way)))
    };
    let mut results: BTreeMap<(usize, usize, usize), Vec<SolveRound>> = BTreeMap::new();
    for round in 1..=rounds {
        for (number, (name, cache)) in Cache::ALL.into_iter().enumerate() {
            eprintln!("round {round}: {name}");
            let folder = shell::temporary_folder()?;
            let folder = cache.begin(&tables, db, folder.path())?;
            let solve = |set: usize, tables| {
                let way = Setup { spec: RESIDENT, mode: "throughput", threads: 1, tables };
                sets[set].solve(way, &folder)
            };
            if cache != Cache::Cold {
                // The first process also checks the payloads.
                solve(0, "prefaulted")?;
            }
            for (set, way) in keys(cache) {
                if cache == Cache::Cold {
                    evict(&tables, db)?;
                }
                let solved = solve(set, ways[way])?;
                results.entry((set, number, way)).or_default().push(solved);
            }
        }
    }
    println!("Korf's boards, {RESIDENT}, one thread, the middle of {rounds} rounds:\n");
    let rows: Vec<[String; 6]> = results
        .iter()
        .map(|(&(set, cache, way), rounds)| {
            let ms = |seconds: f64| format!("{:.1}", 1e3 * seconds);
            let solving = median(rounds.iter().map(|round| round.summary.seconds));
            let whole = median(rounds.iter().map(|round| round.seconds));
            let each = 1e3 * solving / sets[set].lengths.len() as f64;
            [
                sets[set].name.to_owned(),
                Cache::ALL[cache].0.to_owned(),
                ways[way].to_owned(),
                ms(solving),
                format!("{each:.3}"),
                ms(whole),
            ]
        })
        .collect();
    print_table(
        &["boards", "in the page cache", "tables", "solving ms", "ms/board", "whole process ms"],
        &rows,
    );
    println!();
    Ok(())
}

/// Drops the tables' pages from the page cache.
fn evict(tables: &[report::TableReport], db: &Path) -> Result<()> {
    for table in tables {
        let mut dd = Command::new("dd");
        dd.args(["iflag=nocache", "count=0", "status=none"]);
        shell::output(dd.arg(format!("if={}", db.join(&table.table).display())))?;
    }
    Ok(())
}

impl BenchBoards {
    fn of(which: BoardSet) -> Result<Self> {
        match which {
            BoardSet::Korf | BoardSet::Residence => Self::korf("Korf's 100 boards", 1),
            BoardSet::KorfTenTimes => Self::korf("Korf's 100 boards ten times over", 10),
            BoardSet::Random => Self::random(),
            BoardSet::Hard => Self::hard(),
        }
    }

    /// Reads the columns id, cells and length; the other columns are ignored.
    pub(super) fn korf(name: &'static str, times: usize) -> Result<Self> {
        let file = read(KORF)?;
        let mut once = Self::new(name, "blank-first");
        for line in file.lines().filter(|line| !line.starts_with('#')) {
            let columns: Vec<&str> = line.split_whitespace().collect();
            let length = columns.get(CELL_COUNT + 1).and_then(|length| length.parse().ok());
            once.lengths.push(length.with_context(|| format!("{KORF}: no board in {line:?}"))?);
            writeln!(once.text, "{}", columns[1..=CELL_COUNT].join(" "))?;
        }
        Ok(Self { text: once.text.repeat(times), lengths: once.lengths.repeat(times), ..once })
    }

    /// Returns the boards at 80 moves, and one at 72.
    fn hard() -> Result<Self> {
        let mut boards = Self::new("The 17 boards at 80 moves and one at 72", "blank-last");
        for line in read(ANTIPODES)?.lines().filter(|line| !line.starts_with('#')) {
            let board = line.split(';').next().unwrap_or_default().trim();
            writeln!(boards.text, "{board}")?;
            boards.lengths.push(80);
        }
        writeln!(boards.text, "{}", MIRRORED.0)?;
        boards.lengths.push(MIRRORED.1);
        Ok(boards)
    }

    fn random() -> Result<Self> {
        let mut scramble = shell::tilebase()?;
        scramble.args(["scramble", "--quiet"]).args(RANDOM.split(' '));
        let text = shell::output(&mut scramble)?;
        Ok(Self { text, ..Self::new("1,000 random boards", "blank-last") })
    }

    fn new(name: &'static str, goal: &'static str) -> Self {
        Self { name, goal, text: String::new(), lengths: Vec::new() }
    }

    fn solve(&self, way: Setup<'_>, db: &Path) -> Result<SolveRound> {
        let folder = shell::temporary_folder()?;
        let (input, summary) = (folder.path().join("boards.txt"), folder.path().join("summary"));
        shell::write_file(&input, &self.text)?;
        let threads = way.threads.to_string();
        let mut tilebase = shell::tilebase()?;
        tilebase.args("solve --quiet --format ndjson --spec".split(' ')).arg(way.spec);
        tilebase.args(["--goal", self.goal, "--mode", way.mode, "--tables", way.tables]);
        tilebase.args(["--threads", &threads]).arg("--input").arg(&input).arg("--db").arg(db);
        tilebase.arg("--summary").arg(&summary);
        let begun = Instant::now();
        let output = shell::output(&mut tilebase)?;
        let seconds = begun.elapsed().as_secs_f64();
        let answers = report::read_lines(&output)?;
        self.check(&answers).with_context(|| format!("{} gave a wrong answer", way.spec))?;
        let summary: Vec<SolveSummary> = report::read_lines(&std::fs::read_to_string(&summary)?)?;
        let summary = summary.into_iter().next().context("the summary is empty")?;
        ensure!(summary.boards == answers.len() as u64, "the summary counts {}", summary.boards);
        Ok(SolveRound { answers, summary, seconds })
    }

    /// Checks that every board was solved, and in the known number of moves if there is one.
    fn check(&self, answers: &[SolveRecord]) -> Result<()> {
        let (expected, found) = (self.text.lines().count(), answers.len());
        ensure!(found == expected, "expected {expected} answers, found {found}");
        for (i, answer) in answers.iter().enumerate() {
            let expected = self.lengths.get(i);
            let is_right = answer.status == "optimal"
                && expected.is_none_or(|&length| answer.length == Some(length));
            ensure!(is_right, "board {} takes {expected:?} moves, found {answer:?}", i + 1);
        }
        Ok(())
    }
}

fn read(path: &str) -> Result<String> {
    std::fs::read_to_string(shell::root().join(path)).with_context(|| format!("cannot read {path}"))
}

fn row(way: Setup<'_>, rounds: &[SolveRound], bytes: u64) -> [String; 12] {
    let boards = rounds[0].answers.len();
    let seconds: Vec<f64> = (0..boards)
        .map(|board| median(rounds.iter().map(|round| round.answers[board].seconds)))
        .collect();
    let at = |share| format!("{:.3}", 1e3 * quantile(seconds.iter().copied(), share));
    let mid = |value: fn(&SolveSummary) -> f64| median(rounds.iter().map(|r| value(&r.summary)));
    let total = mid(|summary| summary.seconds);
    let generated = mid(|summary| summary.generated as f64);
    [
        way.spec.to_owned(),
        way.mode.to_owned(),
        way.threads.to_string(),
        format!("{:.1}", boards as f64 / total),
        format!("{:.3}", 1e3 * total / boards as f64),
        at(0.5),
        at(0.99),
        at(1.0),
        grouped((generated / boards as f64).round() as u64),
        format!("{:.1} M", generated / total / 1e6),
        format!("{:.2}", mid(|s| s.lookups as f64 / s.generated as f64)),
        grouped(bytes),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(status: &str, length: u32) -> SolveRecord {
        SolveRecord { status: status.into(), length: Some(length), seconds: 0.5 }
    }

    #[test]
    fn korfs_boards_are_read_and_wrong_answers_are_found() {
        let boards = BenchBoards::of(BoardSet::Korf).unwrap();
        assert!(boards.text.starts_with("14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3\n13 5 "));
        assert_eq!((boards.lengths.len(), boards.lengths.iter().sum::<u32>()), (100, 5305));

        let mut answers: Vec<_> = boards.lengths.iter().map(|&n| answer("optimal", n)).collect();
        boards.check(&answers).unwrap();
        answers[7] = answer("limit", boards.lengths[7]);
        assert!(boards.check(&answers).unwrap_err().to_string().starts_with("board 8 takes"));
        answers.pop();
        let error = boards.check(&answers).unwrap_err().to_string();
        assert_eq!(error, "expected 100 answers, found 99");
    }

    #[test]
    fn board_sets_are_as_large_as_their_names_say() {
        let count = |which| BenchBoards::of(which).unwrap().text.lines().count();
        assert_eq!([BoardSet::KorfTenTimes, BoardSet::Hard].map(count), [1000, 18]);
    }

    #[test]
    fn a_row_has_the_medians_of_the_rounds() {
        let rounds = [0.5, 9.0, 0.1].map(|seconds| SolveRound {
            answers: vec![SolveRecord { seconds, ..answer("optimal", 50) }, answer("optimal", 53)],
            summary: SolveSummary { boards: 2, generated: 2000, lookups: 3000, seconds },
            seconds,
        });
        let way = Setup { spec: "15/x", mode: "latency", threads: 1, tables: "mapped" };
        let expected = [
            "15/x",
            "latency",
            "1",
            "4.0",
            "250.000",
            "500.000",
            "500.000",
            "500.000",
            "1,000",
            "0.0 M",
            "1.50",
            "1,234,567",
        ];
        assert_eq!(row(way, &rounds, 1_234_567), expected);
    }
}
