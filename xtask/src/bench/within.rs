//! `cargo xtask bench within`: the best solutions that a time gives, compared with known lengths.

use std::fs;

use anyhow::{Context, Result, ensure};
use serde::Deserialize;

use crate::markdown::print_table;
use crate::{report, shell};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// File of boards in tests/data: on each line a board, its optimum or "-", and a known length,
    /// separated by semicolons
    #[arg(long, default_value = "deepcubea_24puzzle_first50.txt")]
    boards: String,
    /// Number of boards
    #[arg(long, default_value_t = 50)]
    count: usize,
    /// Spec
    #[arg(long, default_value = "24/6-6-6-6")]
    spec: String,
    /// Number of threads, all for one board
    #[arg(long, default_value_t = 1)]
    threads: u32,
    /// Times for a board
    #[arg(default_values = ["100ms", "1s", "10s"])]
    times: Vec<String>,
}

#[derive(Deserialize)]
struct CommandRecord {
    status: String,
    length: Option<u32>,
    /// Missing where the length is proved.
    lower_bound: Option<u32>,
    seconds: f64,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let db = shell::tables_folder()?;
    let path = shell::root().join("tests/data").join(&args.boards);
    let text =
        fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let mut boards = Vec::new();
    for line in lines.take(args.count) {
        let fields: Vec<&str> = line.split(';').map(str::trim).collect();
        ensure!(fields.len() >= 3, "{line:?} is no board with two lengths");
        let known = fields[1].parse().or_else(|_| fields[2].parse::<u32>());
        boards.push((fields[0], known.with_context(|| format!("{line:?} has no length"))?));
    }
    let mut rows = Vec::new();
    for time in &args.times {
        let threads = args.threads.to_string();
        let mut records = Vec::new();
        for (board, _) in &boards {
            let mut tilebase = shell::tilebase()?;
            tilebase.args(["solve", board, "--spec", &args.spec, "--within", time]);
            tilebase
                .args(["--threads", &threads, "--quiet", "--format", "ndjson", "--db"])
                .arg(&db);
            records
                .append(&mut report::read_lines::<CommandRecord>(&shell::output(&mut tilebase)?)?);
        }
        ensure!(records.len() == boards.len(), "{} records", records.len());
        let pairs = || records.iter().zip(boards.iter().map(|&(_, known)| known));
        let mean = |sum: f64| format!("{:.2}", sum / boards.len() as f64);
        let above = pairs().map(|(record, known)| {
            record.length.map_or(f64::NAN, |length| f64::from(length) - f64::from(known))
        });
        let below = pairs().map(|(record, known)| {
            let bound = record.lower_bound.or(record.length).unwrap_or(0);
            f64::from(known) - f64::from(bound)
        });
        let reached = pairs().filter(|(record, known)| record.length <= Some(*known)).count();
        let proved = records.iter().filter(|record| record.status == "optimal").count();
        rows.push([
            time.clone(),
            mean(above.sum()),
            format!("{:.0} %", 100.0 * reached as f64 / boards.len() as f64),
            mean(below.sum()),
            proved.to_string(),
            mean(records.iter().map(|record| record.seconds).sum()),
        ]);
    }
    let (spec, threads) = (&args.spec, args.threads);
    println!("{} boards of {}, {spec}, {threads} threads:\n", boards.len(), args.boards);
    let head = ["within", "moves above", "not above", "bound below", "proved", "seconds"];
    print_table(&head, &rows);
    Ok(())
}
