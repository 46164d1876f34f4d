//! `tilebase estimate`: how large the tables of specs are, and what building them takes.

use std::io::Write;
use std::path::Path;

use pdb_core::notation::printable_text;
use pdb_spec::Spec;
use tilebase::{Builds, Memory, NoRoom};

use crate::args::MemoryArg;
use crate::failure::Verdict;
use crate::folder::Folder;
use crate::help;
use crate::output::{Output, bytes, count, seconds};
use crate::progress::Progress;
use crate::specs::Specs;

/// Arguments of `tilebase estimate`.
#[derive(Debug, clap::Args)]
#[command(after_help = help::examples(&[
    ("what two specs take together, shared tables counted once", "tilebase estimate 15/7-8 15/7-8-max"),
    ("whether a spec can be built in less memory", "tilebase estimate 24/7-7-7-3 --memory 1G"),
]))]
pub(crate) struct Args {
    #[command(flatten)]
    specs: Specs,
    #[command(flatten)]
    folder: Folder,
    #[command(flatten)]
    memory: MemoryArg,
}

impl Args {
    pub(crate) fn run(self, output: &mut Output, progress: Progress) -> anyhow::Result<Verdict> {
        let folder = self.folder.path()?;
        let memory = self.memory.memory();
        let specs = self.specs.load()?;
        for spec in &specs {
            let doing = format!("estimating {}", spec.name);
            progress.slowly(&doing, || write_spec(output, spec, &folder, memory))?;
            output.flush()?;
        }
        if specs.len() > 1 {
            write_sum(output, &specs, &folder, memory)?;
        }
        Ok(Verdict::Good)
    }
}

fn write_spec(
    output: &mut Output,
    spec: &Spec,
    folder: &Path,
    memory: Memory,
) -> anyhow::Result<()> {
    writeln!(output, "{}: {}", printable_text(&spec.name), printable_text(&spec.title))?;
    for key in spec.plan.tables() {
        let estimate = pdb_gen::estimate(key)?;
        writeln!(
            output,
            "  {}: {}{} entries, {} states, {} on disk, {} of memory to build, {} on two cores",
            key.file_name(),
            if estimate.exact { "" } else { "at least " },
            count(estimate.entry_count),
            count(estimate.state_count),
            bytes(estimate.file_bytes),
            bytes(estimate.peak_memory_bytes),
            seconds(estimate.seconds),
        )?;
        if let Some(streamed) = estimate.streamed {
            writeln!(
                output,
                "    streamed: {} of disk while it is built, {} of memory at least, {} on two cores",
                bytes(streamed.disk_bytes),
                bytes(streamed.least_memory_bytes),
                seconds(streamed.seconds),
            )?;
        }
    }
    let all = Builds::of(&spec.plan, folder, true, memory)?;
    let builds = Builds::of(&spec.plan, folder, false, memory)?;
    let room = builds.check(&spec.name, spec.goal.shape(), folder, memory);
    let verdict = verdict(&builds, room);
    let (disk, memory) = (bytes(all.disk_bytes), bytes(all.memory_bytes));
    writeln!(output, "  together: {disk} on disk, {memory} of memory; {verdict}")?;
    Ok(())
}

/// What all specs take, a table that they share counted once.
fn write_sum(
    output: &mut Output,
    specs: &[Spec],
    folder: &Path,
    memory: Memory,
) -> anyhow::Result<()> {
    let plans = || specs.iter().map(|spec| &spec.plan);
    let all = Builds::of_all(plans(), folder, true, memory)?;
    let builds = Builds::of_all(plans(), folder, false, memory)?;
    let names: Vec<&str> = specs.iter().map(|spec| &*spec.name).collect();
    let verdict = verdict(&builds, builds.check_all(&names, folder, memory));
    let (spec_count, table_count) = (specs.len(), all.tables.len());
    let (disk, memory) = (bytes(all.disk_bytes), bytes(all.memory_bytes));
    let rest = match builds.missing_count {
        missing if missing == 0 || missing == table_count => String::new(),
        missing => format!("; {missing} of them to build, {} on disk", bytes(builds.disk_bytes)),
    };
    writeln!(
        output,
        "all {spec_count} specs: {table_count} tables, {disk} on disk, {memory} of memory{rest}; \
         {verdict}"
    )?;
    Ok(())
}

fn verdict(builds: &Builds, room: Result<(), Box<NoRoom>>) -> String {
    match room {
        _ if !builds.is_missing => "already built".to_owned(),
        Ok(()) if builds.is_streamed => "fits, streamed from disk".to_owned(),
        Ok(()) => "fits".to_owned(),
        Err(refusal) => format!("does not fit: {refusal}"),
    }
}
