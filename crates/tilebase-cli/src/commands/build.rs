//! `tilebase build`: the tables of specs.

use std::io::Write;
use std::time::Duration;

use pdb_gen::{BuildReport, Streamed, digest_of};
use serde::Serialize;
use tilebase::pdb_rt::Database;
use tilebase::{Builds, Shelf, Watch};

use crate::Place;
use crate::args::{MemoryArg, Threads};
use crate::failure::Verdict;
use crate::folder::Folder;
use crate::help;
use crate::interrupt;
use crate::output::{Output, bytes, count, metric, seconds};
use crate::progress::Progress;
use crate::specs::Specs;

/// Arguments of `tilebase build`.
#[derive(Debug, clap::Args)]
#[command(after_help = help::examples(&[
    ("the usual tables of the 15-puzzle", "tilebase build 15/7-8"),
    ("streamed from disk, where memory is short", "tilebase build 15/7-8 --memory 100M"),
    ("partitions of your own", "tilebase build my.toml"),
]))]
pub(crate) struct Args {
    #[command(flatten)]
    specs: Specs,
    #[command(flatten)]
    folder: Folder,
    #[command(flatten)]
    threads: Threads,
    #[command(flatten)]
    memory: MemoryArg,
    /// Build tables anew that are there already
    #[arg(long, help_heading = help::TABLES)]
    replace: bool,
    /// How each table is reported
    #[arg(long, help_heading = help::OUTPUT, value_enum, default_value_t, value_name = "FORMAT")]
    report: Format,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// A line to read
    #[default]
    Text,
    /// A JSON object on a line
    Json,
}

impl Args {
    pub(crate) fn run(self, output: &mut Output, progress: Progress) -> anyhow::Result<Verdict> {
        let specs = self.specs.load()?;
        let folder = self.folder.path()?;
        let memory = self.memory.memory();
        // What does not fit is refused before anything is built; what fits several machines, nobody knows.
        let is_alone = Place::here().crew.is_none();
        for spec in &specs {
            Database::check_plan(&spec.plan).map_err(tilebase::Error::from)?;
            if !is_alone {
                continue;
            }
            let of = || Builds::of(&spec.plan, &folder, self.replace, memory);
            let builds = progress.slowly(&format!("estimating {}", spec.name), of)?;
            builds.check(&spec.name, spec.goal.shape(), &folder, memory)?;
        }
        let plans = specs.iter().map(|spec| &spec.plan);
        let builds = Builds::of_all(plans, &folder, self.replace, memory)?;
        let names: Vec<&str> = specs.iter().map(|spec| &*spec.name).collect();
        if is_alone {
            builds.check_all(&names, &folder, memory)?;
        }
        let shelf = Shelf {
            memory,
            thread_count: self.threads.count(),
            watch: Watch::new(progress.watcher()),
            cancel: interrupt::cancel(),
            crew: Place::here().crew.clone(),
            ..Shelf::new(&folder)
        };
        for (key, way) in &builds.tables {
            let report = interrupt::orderly(|| shelf.build(key, *way, self.replace))?;
            match self.report {
                Format::Text => write_line(output, &report)?,
                Format::Json => {
                    serde_json::to_writer(&mut *output, &Line::new(&report))?;
                    writeln!(output)?;
                }
            }
            output.flush()?;
        }
        Ok(Verdict::Good)
    }
}

fn write_line(output: &mut Output, report: &BuildReport) -> std::io::Result<()> {
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

/// The report of one table for programs; counts of entries and states, sizes in bytes.
#[derive(Serialize)]
struct Line {
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
    /// Whether it streamed from disk, and what it took then.
    streamed: Option<StreamedLine>,
    /// Of the process up to now, tables before this one included.
    peak_memory_bytes: Option<u64>,
}

/// What a streamed build took; sizes in bytes.
#[derive(Serialize)]
struct StreamedLine {
    resumed_level: Option<u32>,
    counted_memory_bytes: u64,
    work_bytes: u64,
}

impl StreamedLine {
    fn new(streamed: Streamed) -> Self {
        let Streamed { resumed_level, memory_bytes, work_bytes } = streamed;
        Self { resumed_level, counted_memory_bytes: memory_bytes, work_bytes }
    }
}

impl Line {
    fn new(report: &BuildReport) -> Self {
        let BuildReport { header, times, .. } = report;
        Self {
            table: header.key.file_name(),
            path: report.path.display().to_string(),
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
            streamed: report.streamed.map(StreamedLine::new),
            peak_memory_bytes: tilebase::peak_memory_bytes(),
        }
    }
}
