//! Opens a table, waits for a line on standard input, and sums the bytes of its payload: `cut TABLE
//! HOW`. If `HOW` is `outlive`, the process handles `SIGBUS`; otherwise it does not.
#![allow(clippy::print_stdout, reason = "its answer is read by a test")]

use std::io::{self, BufRead};
use std::path::Path;

use pdb_rt::{Table, outlive_cut_files};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, path, how] = &arguments[..] else {
        return Err("expected TABLE HOW".into());
    };
    let table = Table::open(Path::new(path))?;
    if how == "outlive" {
        outlive_cut_files()?;
    }
    let sum = || table.payload().iter().map(|&byte| u64::from(byte)).sum::<u64>();
    let has_changed = || table.check_unchanged().is_err();
    println!("{} {}", sum(), has_changed());
    io::stdin().lock().read_line(&mut String::new())?;
    let sum = sum();
    println!("{sum} {}", has_changed());
    table.check_unchanged()?;
    Ok(())
}
