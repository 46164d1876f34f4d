//! Measures the time until the tables of the 15-puzzle's 7-8 partition can be looked up.
//!
//! `cargo run --release -p pdb-rt --example open -- FOLDER`
//!
//! It includes all checks before the first look-up: headers, lengths, digest sections and keys. The
//! payload's own digests are not checked.
#![allow(clippy::print_stdout, reason = "an example prints")]

use std::error::Error;
use std::path::Path;
use std::time::Instant;

use pdb_core::{BlankMode, Goal, Plan, Shape};
use pdb_rt::Database;

const ROUNDS: usize = 200;

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args().nth(1).ok_or("usage: open FOLDER")?;
    let goal = Goal::blank_last(Shape::new(4, 4)?);
    let partition = vec![(1..=8).collect(), (9..=15).collect()];
    println!("| mode | tables | bytes | shortest ms | median ms |");
    println!("|---|---:|---:|---:|---:|");
    for mode in [BlankMode::Aware, BlankMode::Collapsed] {
        let plan = Plan::additive(&goal, std::slice::from_ref(&partition), mode, true)?;
        let mut times = Vec::new();
        let (mut table_count, mut bytes) = (0, 0);
        for _ in 0..ROUNDS {
            let begun = Instant::now();
            let database = Database::open(&plan, Path::new(&folder))?.trust();
            times.push(begun.elapsed());
            table_count = database.tables().len();
            bytes = database.tables().iter().map(|table| table.header().file_bytes()).sum();
        }
        times.sort();
        let [shortest, median] = [times[0], times[ROUNDS / 2]].map(|t| t.as_secs_f64() * 1e3);
        let mode = mode.name();
        println!("| blank-{mode} | {table_count} | {bytes} | {shortest:.3} | {median:.3} |");
    }
    Ok(())
}
