//! `cargo xtask bench verify`: the speed at which the digests of tables are checked.

use std::time::Instant;

use anyhow::Result;

use super::{grouped, median};
use crate::markdown::print_table;
use crate::report::{self, TableReport};
use crate::shell;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Specs whose tables are verified
    #[arg(default_values = ["15/7-8", "15/7-8-collapsed"])]
    specs: Vec<String>,
    /// Number of verifications of each spec
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let db = shell::tables_folder()?;
    let mut rows = Vec::new();
    for spec in &args.specs {
        let tables: Vec<TableReport> = report::build(spec, &db)?;
        let bytes = tables.iter().map(|table| table.file_bytes).sum::<u64>();
        let mut seconds = Vec::new();
        for _ in 0..args.rounds {
            let mut tilebase = shell::tilebase()?;
            tilebase
                .args(["verify", "--quiet"])
                .args(tables.iter().map(|table| db.join(&table.table)));
            let begun = Instant::now();
            shell::output(tilebase.args(["--level", "digest"]))?;
            seconds.push(begun.elapsed().as_secs_f64());
        }
        let seconds = median(seconds);
        let rate = format!("{:.2}", bytes as f64 / seconds / 1e9);
        rows.push([spec.clone(), grouped(bytes), format!("{seconds:.3}"), rate]);
    }
    println!("Verifying digests, the whole process, the middle of {} rounds:\n", args.rounds);
    print_table(&["spec", "bytes", "seconds", "GB/s"], &rows);
    Ok(())
}
