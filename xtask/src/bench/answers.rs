//! `cargo xtask bench answers`: the time to count the shortest solutions of Korf's hundred boards,
//! and to compute the value of each move, compared with a search.

use std::path::Path;

use anyhow::{Result, ensure};
use serde::Deserialize;

use super::{grouped, median, quantile};
use crate::markdown::print_table;
use crate::{report, shell};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Specs to count the solutions with; the counts must agree
    #[arg(default_values = ["15/7-8", "15/5-5-5"])]
    specs: Vec<String>,
    /// Number of rounds; each counts the solutions and computes the values for all boards
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,
}

/// Fields of the records of three commands.
#[derive(Deserialize)]
struct CommandRecord {
    #[serde(default)]
    length: usize,
    #[serde(default)]
    solution_count: String,
    #[serde(default)]
    memory_bytes: u64,
    generated: u64,
    seconds: f64,
}

/// Number of boards per line of the table.
const A_LINE: usize = 3;

pub(crate) fn run(args: &Args) -> Result<()> {
    let db = shell::tables_folder()?;
    let mut counted = Vec::new();
    for spec in &args.specs {
        eprintln!("counting with {spec}");
        counted.push(records(&["solve", "--count", "korf100", "--spec", spec], &db)?);
    }
    let numbers = |records: &[CommandRecord]| -> Vec<String> {
        records.iter().map(|record| record.solution_count.clone()).collect()
    };
    for (spec, records) in args.specs.iter().zip(&counted) {
        ensure!(numbers(records) == numbers(&counted[0]), "{spec} comes to other numbers");
        let total: u64 = records.iter().filter_map(|r| r.solution_count.parse::<u64>().ok()).sum();
        let seconds: f64 = records.iter().map(|record| record.seconds).sum();
        let memory = records.iter().map(|record| record.memory_bytes).max().unwrap_or(0);
        println!(
            "{spec}: {} solutions in {seconds:.2} s, {} nodes generated, at most {:.1} MB to remember \
             boards",
            grouped(total),
            grouped(records.iter().map(|record| record.generated).sum()),
            memory as f64 / 1e6,
        );
    }
    println!();
    let cells = |(number, record): (usize, &CommandRecord)| {
        let ms = format!("{:.1}", record.seconds * 1e3);
        [(number + 1).to_string(), record.length.to_string(), record.solution_count.clone(), ms]
    };
    let cells: Vec<_> = counted[0].iter().enumerate().map(cells).collect();
    let line_count = cells.len().div_ceil(A_LINE);
    let line = |line: usize| -> [String; 4 * A_LINE] {
        std::array::from_fn(|column| {
            let board = cells.get(line + line_count * (column / 4));
            board.map_or_else(String::new, |cells| cells[column % 4].clone())
        })
    };
    let rows: Vec<_> = (0..line_count).map(line).collect();
    let head: [&str; 4 * A_LINE] =
        std::array::from_fn(|column| ["board", "moves", "solutions", "ms"][column % 4]);
    print_table(&head, &rows);

    let mut ratios = Vec::new();
    let mut totals = Vec::new();
    for round in 1..=args.rounds {
        eprintln!("round {round}");
        let spec = args.specs[0].as_str();
        let common = ["korf100", "--spec", spec];
        let solved = records(&[&["solve", "--mode", "latency"], &common[..]].concat(), &db)?;
        let weighed = records(&[&["moves"], &common[..]].concat(), &db)?;
        let ratio =
            |(moves, solve): (&CommandRecord, &CommandRecord)| moves.seconds / solve.seconds;
        ratios.push(median(weighed.iter().zip(&solved).map(ratio)));
        let sum =
            |records: &[CommandRecord]| records.iter().map(|record| record.seconds).sum::<f64>();
        totals.push((sum(&solved), sum(&weighed)));
        if round == 1 {
            let ratio =
                |(m, s): (&CommandRecord, &CommandRecord)| m.generated as f64 / s.generated as f64;
            let nodes: Vec<f64> = weighed.iter().zip(&solved).map(ratio).collect();
            println!(
                "\nNodes of moves to those of solve, a board: {:.2} in the middle, {:.2} at the 90th \
                 percentile.",
                median(nodes.iter().copied()),
                quantile(nodes, 0.9)
            );
        }
    }
    println!(
        "Time of moves to that of solve, a board: {:.2} in the middle; all boards {:.0} ms to {:.0} ms.",
        median(ratios),
        1e3 * median(totals.iter().map(|totals| totals.1)),
        1e3 * median(totals.iter().map(|totals| totals.0)),
    );
    Ok(())
}

fn records(arguments: &[&str], db: &Path) -> Result<Vec<CommandRecord>> {
    let mut tilebase = shell::tilebase()?;
    tilebase.args(arguments).args(["--quiet", "--format", "ndjson", "--db"]).arg(db);
    let records: Vec<CommandRecord> = report::read_lines(&shell::output(&mut tilebase)?)?;
    ensure!(!records.is_empty(), "there are no records");
    Ok(records)
}
