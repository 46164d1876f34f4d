//! Searches boards of known lengths for some seconds each, and draws both bounds over time.
//!
//! ```sh
//! cargo run --release -p tilebase-compare --example bounds -- 10 50 > bounds.svg
//! ```
//!
//! The numbers are the seconds for a board, and the number of boards of each set. One thread
//! searches. Missing tables are built before.
#![allow(clippy::print_stdout, reason = "an example shows what it does")]

use std::error::Error;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use std::{env, fs};

use tilebase::event::{Event, Watch};
use tilebase::{Search, Tilebase};
use tilebase_compare::chart::{Histories, History, bounds_over_time};

/// Sets of boards: a name, a file, and the spec that is searched with.
const SETS: [(&str, &str, &str); 2] = [
    ("24-puzzle", "deepcubea_24puzzle_first50.txt", "24/6-6-6-6"),
    ("35-puzzle", "deepcubea_35puzzle_first50.txt", "35/6-6-6-6-6-5"),
];

fn main() -> Result<(), Box<dyn Error>> {
    let mut numbers = env::args().skip(1);
    let within = Duration::from_secs(numbers.next().unwrap_or_default().parse()?);
    let count = numbers.next().unwrap_or_default().parse()?;
    let mut sets = Vec::new();
    for (name, file, spec) in SETS {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data").join(file);
        let text = fs::read_to_string(path)?;
        let tables = Tilebase::builder().spec(spec).threads(1).lazy()?;
        let lines = text.lines().filter(|line| !line.starts_with('#')).take(count);
        let boards: Result<_, Box<dyn Error>> =
            lines.map(|line| history(&tables, line, within)).collect();
        sets.push(Histories { name: name.to_owned(), boards: boards? });
    }
    let svg = bounds_over_time(&sets, Duration::from_millis(10), within);
    println!("{}", svg.ok_or("no solution in this time")?);
    Ok(())
}

/// Searches the board of a line: a board, its optimum or `-`, and a known length.
fn history(tables: &Tilebase, line: &str, within: Duration) -> Result<History, Box<dyn Error>> {
    let fields: Vec<&str> = line.split(';').map(str::trim).collect();
    let [board, optimum, length, ..] = fields[..] else { return Err("a short line".into()) };
    let known = optimum.parse().or_else(|_| length.parse())?;
    // The first look at the tables is not part of the search.
    let estimate = tables.estimate(board)?;
    let told = Arc::new(Mutex::new(History { known, ..History::default() }));
    let watched = Arc::clone(&told);
    let watch = Watch::new(move |event| {
        let mut told = watched.lock().expect("no panic while it is locked");
        match event {
            Event::Solution(state) => {
                told.solutions.push((state.elapsed, state.moves.len() as u32));
            }
            // No solution has the length of a finished bound, or one of the other parity.
            Event::Bound(state) => told.lower_bounds.push((state.elapsed, state.bound.bound + 2)),
            _ => {}
        }
    });
    let search = Search { within: Some(within), watch: Some(watch), ..tables.search().clone() };
    let answer = tables.solve_with(board, &search)?;
    let mut history = told.lock().expect("no panic while it is locked").clone();
    history.lower_bounds.insert(0, (Duration::ZERO, estimate));
    history.lower_bounds.extend(answer.lower_bound().map(|bound| (answer.elapsed, bound)));
    history.solutions.extend(answer.length().map(|length| (answer.elapsed, length as u32)));
    Ok(history)
}
