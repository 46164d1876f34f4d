//! `tilebase build`: the tables of specs.

use std::io::Write;
use std::time::Duration;

use pdb_core::numbers::metric;
use pdb_gen::{BuildReport, digest_of};
use serde::Serialize;
use tilebase::shelf::{BuildPlan, BuildPolicy};
use tilebase::{Error, Search};

use crate::Surroundings;
use crate::args::{Machine, Specs};
use crate::choices::{Format, TEXT_NDJSON, one_of};
use crate::console::Console;
use crate::failure::Verdict;
use crate::help;
use crate::interrupt;
use crate::output::{bytes, count, seconds};
use crate::record;

/// Arguments of `tilebase build`.
#[derive(Debug, clap::Args)]
#[command(after_help = help::examples(&[
    ("the usual tables of the 15-puzzle", "tilebase build 15/7-8"),
    ("streamed from disk, to save memory", "tilebase build 15/7-8 --memory 100M"),
    ("partitions of your own", "tilebase build my.toml"),
]))]
pub(crate) struct Args {
    #[command(flatten)]
    specs: Specs,
    #[command(flatten)]
    machine: Machine,
    /// Build existing tables again
    #[arg(long, help_heading = help::TABLES)]
    replace: bool,
    /// Output format of the report on each table
    #[arg(long, value_parser = one_of(TEXT_NDJSON), default_value = "text", value_name = "FORMAT",
        help_heading = help::OUTPUT)]
    report: Format,
}

impl Args {
    pub(crate) fn run(self, console: &mut Console) -> anyhow::Result<Verdict> {
        let specs = self.specs.load()?;
        let folder = self.machine.folder.path()?;
        let policy = BuildPolicy::new(self.machine.memory(), self.replace);
        // Specs that do not fit are refused before any build. With several machines, the available
        // memory is unknown.
        let is_alone = Surroundings::here().crew.is_none();
        let mut builds = BuildPlan::new(&folder, policy);
        for spec in &specs {
            let add = || builds.add(&spec.plan);
            let added = console.progress.slowly(&format!("estimating {}", spec.name), add)?;
            if is_alone {
                added.check(&[&spec.name]).map_err(Error::from)?;
            }
        }
        let names: Vec<&str> = specs.iter().map(|spec| &*spec.name).collect();
        if is_alone {
            builds.check(&names).map_err(Error::from)?;
        }
        let shelf = self.machine.shelf()?;
        let crew = Surroundings::here().crew.clone();
        let search = Search { crew, ..self.machine.search(console.progress) };
        let mut reports = shelf.build_each(&builds.tables, self.replace, &search);
        while let Some(report) = interrupt::orderly(|| reports.next()).transpose()? {
            console.progress.aside(|| {
                match self.report {
                    Format::Ndjson => record::write_json(console, &TableRecord::new(&report))?,
                    _ => write_line(console, &report)?,
                }
                console.flush()
            })?;
        }
        Ok(Verdict::Good)
    }
}

fn write_line(output: &mut impl Write, report: &BuildReport) -> std::io::Result<()> {
    let name = report.header.key.file_name();
    let entries = report.header.entry_count;
    let size = bytes(report.header.file_bytes());
    write!(output, "{name}: {} entries, {size}, ", count(entries))?;
    if report.already_there {
        return writeln!(output, "already there");
    }
    let total = report.times.total().as_secs_f64();
    let share = |part: Duration| 100.0 * part.as_secs_f64() / total;
    let times = &report.times;
    writeln!(
        output,
        "{} states, {}: search {:.0} %, pack {:.0} %, digest {:.0} %, write {:.0} %, \
         sync {:.0} %; {} entries/s, {} states/s",
        count(report.state_count),
        seconds(total),
        share(times.search),
        share(times.pack),
        share(times.digest),
        share(times.write),
        share(times.sync),
        metric(entries as f64 / total),
        metric(report.state_count as f64 / total),
    )
}

/// Record of one table.
#[derive(Serialize)]
struct TableRecord {
    table: String,
    path: String,
    already_there: bool,
    entry_count: u64,
    unreached_count: u64,
    state_count: u64,
    file_bytes: u64,
    histogram: Vec<u64>,
    digest: String,
    payload_digest: String,
    seconds: f64,
    search_seconds: f64,
    pack_seconds: f64,
    digest_seconds: f64,
    write_seconds: f64,
    sync_seconds: f64,
    /// Present if the build streamed from disk.
    streamed: Option<StreamedLine>,
    /// Peak of the process, earlier tables included.
    peak_memory_bytes: Option<u64>,
}

/// Memory and disk space of a streamed build.
#[derive(Serialize)]
struct StreamedLine {
    resumed_level: Option<u32>,
    counted_memory_bytes: u64,
    work_bytes: u64,
}

impl TableRecord {
    fn new(report: &BuildReport) -> Self {
        let BuildReport { header, times, .. } = report;
        Self {
            table: header.key.file_name(),
            path: report.path.to_string_lossy().into_owned(),
            already_there: report.already_there,
            entry_count: header.entry_count,
            unreached_count: header.unreached_count,
            state_count: report.state_count,
            file_bytes: header.file_bytes(),
            histogram: header.histogram.clone(),
            digest: digest_of(header).to_string(),
            payload_digest: header.payload_digest.to_string(),
            seconds: times.total().as_secs_f64(),
            search_seconds: times.search.as_secs_f64(),
            pack_seconds: times.pack.as_secs_f64(),
            digest_seconds: times.digest.as_secs_f64(),
            write_seconds: times.write.as_secs_f64(),
            sync_seconds: times.sync.as_secs_f64(),
            streamed: report.streamed.map(|streamed| StreamedLine {
                resumed_level: streamed.resumed_level,
                counted_memory_bytes: streamed.memory_bytes,
                work_bytes: streamed.work_bytes,
            }),
            peak_memory_bytes: tilebase::shelf::peak_memory_bytes(),
        }
    }
}
