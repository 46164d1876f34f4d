//! `cargo xtask bench build`: time, memory and bytes of builds.

use anyhow::Result;

use super::{SPECS, grouped, median};
use crate::markdown::print_table;
use crate::report::{TableReport, read_lines};
use crate::shell;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Specs to build
    #[arg(default_values = SPECS)]
    specs: Vec<String>,
    /// Number of builds of each spec
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,
    /// Number of threads of a build [default: one per core]
    #[arg(long)]
    threads: Option<u32>,
}

/// Records of the tables of one spec, from one build.
type Run = Vec<TableReport>;

pub(crate) fn run(args: &Args) -> Result<()> {
    let db = shell::temporary_folder()?;
    let mut runs: Vec<Vec<Run>> = args.specs.iter().map(|_| Vec::new()).collect();
    for round in 1..=args.rounds {
        for (spec, runs) in args.specs.iter().zip(&mut runs) {
            eprintln!("round {round}: {spec}");
            let mut tilebase = shell::tilebase()?;
            tilebase.args(["build", spec, "--quiet", "--replace", "--report", "json"]);
            tilebase.args(args.threads.map(|threads| format!("--threads={threads}")));
            runs.push(read_lines(&shell::output(tilebase.arg("--db").arg(db.path()))?)?);
        }
    }
    println!("Building, the middle of {} rounds:\n", args.rounds);
    print_table(&TABLE_HEAD, &runs.iter().flat_map(|runs| table_rows(runs)).collect::<Vec<_>>());
    println!();
    let rows = args.specs.iter().zip(&runs).map(|(spec, runs)| spec_row(spec, runs));
    print_table(&SPEC_HEAD, &rows.collect::<Vec<_>>());
    Ok(())
}

const TABLE_HEAD: [&str; 13] = [
    "table",
    "entries",
    "states",
    "seconds",
    "entries/s",
    "states/s",
    "bytes/s",
    "search",
    "pack",
    "digest",
    "write",
    "sync",
    "bits/entry",
];

fn table_rows(runs: &[Run]) -> impl Iterator<Item = [String; 13]> {
    runs[0].iter().enumerate().map(|(i, table)| {
        let middle = |part: fn(&TableReport) -> f64| median(runs.iter().map(|run| part(&run[i])));
        let seconds = middle(|table| table.seconds);
        let rate = |count: u64| format!("{:.1} M", count as f64 / seconds / 1e6);
        let share = |part| format!("{:.0} %", 100.0 * middle(part) / seconds);
        [
            format!("`{}`", table.table),
            grouped(table.entry_count),
            grouped(table.state_count),
            format!("{seconds:.3}"),
            rate(table.entry_count),
            rate(table.state_count),
            rate(table.file_bytes),
            share(|table| table.search_seconds),
            share(|table| table.pack_seconds),
            share(|table| table.digest_seconds),
            share(|table| table.write_seconds),
            share(|table| table.sync_seconds),
            format!("{:.2}", 8.0 * table.file_bytes as f64 / table.entry_count as f64),
        ]
    })
}

const SPEC_HEAD: [&str; 4] = ["spec", "seconds", "bytes", "peak memory"];

fn spec_row(spec: &str, runs: &[Run]) -> [String; 4] {
    let seconds = runs.iter().map(|run| run.iter().map(|table| table.seconds).sum());
    let peak = runs.iter().flatten().map(|table| table.peak_memory_bytes).max();
    [
        spec.to_owned(),
        format!("{:.3}", median(seconds)),
        grouped(runs[0].iter().map(|table| table.file_bytes).sum()),
        format!("{:.0} MB", peak.unwrap_or_default() as f64 / 1e6),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_have_the_medians_of_the_rounds() {
        let line = |seconds: f64, peak: u64| {
            format!(
                "{{\"table\":\"t.pdb\",\"path\":\"db/t.pdb\",\"already_there\":false,\
                 \"entry_count\":4000000,\"state_count\":8000000,\"file_bytes\":2000000,\
                 \"digest\":\"00\",\"seconds\":{seconds},\"search_seconds\":{},\
                 \"pack_seconds\":0,\"digest_seconds\":0,\"write_seconds\":0,\
                 \"sync_seconds\":0,\"peak_memory_bytes\":{peak}}}\n",
                seconds / 2.0
            )
        };
        let runs: Vec<Run> = [(1.0, 3_000_000), (9.0, 5_000_000), (2.0, 4_000_000)]
            .map(|(seconds, peak)| read_lines(&line(seconds, peak)).unwrap())
            .into();
        let expected =
            "`t.pdb` 4,000,000 8,000,000 2.000 2.0 M 4.0 M 1.0 M 50 % 0 % 0 % 0 % 0 % 4.00";
        assert_eq!(table_rows(&runs).next().unwrap().join(" "), expected);
        assert_eq!(spec_row("15/x", &runs), ["15/x", "2.000", "2,000,000", "5 MB"]);
    }
}
