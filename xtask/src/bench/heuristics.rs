//! `cargo xtask bench heuristics`: nodes per second by heuristic and search, on one thread.

use std::path::Path;

use anyhow::{Context, Result, ensure};
use serde::Deserialize;

use super::{grouped, median};
use crate::markdown::print_table;
use crate::shell;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Heuristics, as `tilebase compare` names them
    #[arg(default_values = [
        "manhattan", "linear-conflict", "pairwise", "walking-distance", "walking-inversion",
    ])]
    heuristics: Vec<String>,
    /// Boards to search, as `tilebase compare` names them
    #[arg(long, default_value = "random:5:1")]
    boards: String,
    /// Searches, as `tilebase compare` names them
    #[arg(long, default_value = "ida,lanes")]
    searches: String,
    /// Number of times that each solves all boards
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,
}

/// Fields of `tilebase compare --json`.
#[derive(Deserialize)]
struct Comparison {
    rows: Vec<ComparisonRow>,
}

#[derive(Deserialize)]
struct ComparisonRow {
    heuristic: String,
    search: String,
    summary: ComparisonSummary,
}

#[derive(Deserialize)]
struct ComparisonSummary {
    generated: f64,
    nodes_per_second: f64,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let db = shell::tables_folder()?;
    let mut rounds = Vec::new();
    for round in 1..=args.rounds {
        eprintln!("round {round}");
        rounds.push(compare(args, &db)?.rows);
    }
    let rows: Vec<_> = rounds[0]
        .iter()
        .enumerate()
        .map(|(i, row)| {
            let rates = || rounds.iter().map(|rows| rows[i].summary.nodes_per_second);
            let millions = |rate: f64| format!("{:.1} M", rate / 1e6);
            [
                row.heuristic.clone(),
                row.search.clone(),
                grouped(row.summary.generated.round() as u64),
                millions(median(rates())),
                millions(rates().fold(f64::INFINITY, f64::min)),
                millions(rates().fold(0.0, f64::max)),
            ]
        })
        .collect();
    println!("{}, one thread, {} rounds:\n", args.boards, args.rounds);
    let head = ["heuristic", "search", "generated/board", "generated/s", "least", "most"];
    print_table(&head, &rows);
    Ok(())
}

/// Runs `tilebase compare` once with all heuristics and searches.
fn compare(args: &Args, db: &Path) -> Result<Comparison> {
    let folder = shell::temporary_folder()?;
    let path = folder.path().join("compared.json");
    let mut tilebase = shell::tilebase_with("research")?;
    tilebase.args(["compare", "--quiet", "--threads", "1", "--boards", &args.boards]);
    tilebase.args(["--heuristics", &args.heuristics.join(",")]);
    tilebase.args(["--searches", &args.searches]);
    shell::output(tilebase.arg("--json").arg(&path).arg("--db").arg(db))?;
    let text = std::fs::read_to_string(&path).context("the comparison wrote no file")?;
    let comparison: Comparison = serde_json::from_str(&text).context("cannot use its JSON")?;
    ensure!(!comparison.rows.is_empty(), "nothing was compared");
    Ok(comparison)
}
