//! `cargo xtask bench`: measurements, as Markdown for `docs/benchmarks.md`.
//!
//! All candidates run in turns, round after round, so that changes of the machine's speed affect
//! them alike. Results are medians of the rounds.

mod answers;
mod build;
mod compile;
mod heuristics;
mod model;
mod peers;
mod solve;
mod verify;
mod within;

use std::process::Command;
use std::thread::available_parallelism;

use anyhow::{Context, Result};
use clap::Subcommand;

use crate::report::{self, TableReport};
use crate::shell;

#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    what: Measurement,
}

#[derive(Subcommand)]
enum Measurement {
    /// Time, memory and bytes of builds
    Build(build::Args),
    /// Seconds of a cold release build, compared with ripgrep
    Compile(compile::Args),
    /// Boards per second by spec, mode, threads and residence of the tables
    Solve(solve::Args),
    /// Time of other programs on the same boards, in turns with Tilebase
    Peers(peers::Args),
    /// Nodes per second by heuristic and search, on one thread
    Heuristics(heuristics::Args),
    /// Time to count shortest solutions of Korf's boards, and to compute the value of each move
    Answers(answers::Args),
    /// Time of integer programs by the number of moves, for each solver and a search
    Model(model::Args),
    /// Time until the tables of 15/7-8 can be looked up
    Open,
    /// The best solutions within a time, compared with known lengths
    Within(within::Args),
    /// Bytes per second that `tilebase verify --level digest` checks
    Verify(verify::Args),
}

pub(crate) fn run(args: &Args) -> Result<()> {
    println!("{}\n", machine()?);
    match &args.what {
        Measurement::Build(args) => build::run(args),
        Measurement::Compile(args) => compile::run(args),
        Measurement::Solve(args) => solve::run(args),
        Measurement::Peers(args) => peers::run(args),
        Measurement::Heuristics(args) => heuristics::run(args),
        Measurement::Answers(args) => answers::run(args),
        Measurement::Model(args) => model::run(args),
        Measurement::Open => open(),
        Measurement::Within(args) => within::run(args),
        Measurement::Verify(args) => verify::run(args),
    }
}

/// The specs that are compared by default: each partition with blank-aware and blank-collapsed
/// tables.
const SPECS: &[&str] = &[
    "15/7-8",
    "15/7-8-collapsed",
    "15/6-6-3",
    "15/6-6-3-collapsed",
    "15/5-5-5",
    "15/5-5-5-collapsed",
];

/// Measures the time until tables can be looked up.
fn open() -> Result<()> {
    let db = shell::tables_folder()?;
    for spec in ["15/7-8", "15/7-8-collapsed"] {
        report::build::<TableReport>(spec, &db)?;
    }
    let example = shell::release(&["--package", "pdb-rt", "--example", "open"])?;
    println!("Opening the tables of a spec, with all checks except the digests of payloads:\n");
    print!("{}", shell::output(Command::new(example).arg(&db))?);
    Ok(())
}

/// Returns a line that describes the machine.
fn machine() -> Result<String> {
    let field = |path: &str, name: &str| -> Result<String> {
        let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {path}"))?;
        let line = text.lines().find(|line| line.starts_with(name));
        let value = line.and_then(|line| line.split_once(':'));
        Ok(value.map_or("unknown", |(_, value)| value.trim()).to_owned())
    };
    let memory = field("/proc/meminfo", "MemTotal")?;
    let memory = memory
        .trim_end_matches(" kB")
        .parse::<u64>()
        .map_or(memory, |kib| format!("{:.1} GB of memory", (kib << 10) as f64 / 1e9));
    let (cpu, cores) = (field("/proc/cpuinfo", "model name")?, available_parallelism()?);
    Ok(format!("Measured on {cpu}, {cores} cores, {memory}, {}.", std::env::consts::ARCH))
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
    let digits = number.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
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
    fn digits_are_grouped_by_thousands() {
        assert_eq!([0, 999, 1000, 518_918_400].map(grouped), ["0", "999", "1,000", "518,918,400"]);
    }
}
