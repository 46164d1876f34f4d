//! `tilebase estimate`: the size of the tables of specs, and the time and memory to build them.

use std::io::Write;
use std::path::Path;

use pdb_core::excerpt::printable_text;
use pdb_spec::Spec;
use tilebase::shelf::{BuildPlan, BuildPolicy, Memory};

use crate::advice::message;
use crate::args::{Folder, MemoryArg, Specs};
use crate::console::Console;
use crate::failure::Verdict;
use crate::help;
use crate::output::{bytes, count, seconds};

/// Arguments of `tilebase estimate`.
#[derive(Debug, clap::Args)]
#[command(after_help = help::examples(&[
    ("two specs together, with shared tables counted once", "tilebase estimate 15/7-8 15/7-8-max"),
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
    pub(crate) fn run(self, console: &mut Console) -> anyhow::Result<Verdict> {
        let folder = self.folder.path()?;
        let memory = self.memory.memory();
        let specs = self.specs.load()?;
        for spec in &specs {
            let doing = format!("estimating {}", spec.name);
            console
                .progress
                .slowly(&doing, || write_spec(&mut console.output, spec, &folder, memory))?;
            console.flush()?;
        }
        if specs.len() > 1 {
            write_sum(console, &specs, &folder, memory)?;
        }
        Ok(Verdict::Good)
    }
}

fn write_spec(
    output: &mut impl Write,
    spec: &Spec,
    folder: &Path,
    memory: Memory,
) -> anyhow::Result<()> {
    writeln!(output, "{}: {}", printable_text(&spec.name), printable_text(&spec.title))?;
    for key in spec.plan.tables() {
        let estimate = pdb_gen::estimate(key)?;
        writeln!(
            output,
            "  {}: {} entries, {} states, {} on disk, {} of memory to build, {} on two cores",
            key.file_name(),
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
    let (all, _, verdict) = builds(std::slice::from_ref(spec), folder, memory)?;
    let (disk, memory) = (bytes(all.disk_bytes), bytes(all.memory_bytes));
    writeln!(output, "  together: {disk} on disk, {memory} of memory; {verdict}")?;
    Ok(())
}

/// Writes the sum over all specs, with shared tables counted once.
fn write_sum(
    output: &mut impl Write,
    specs: &[Spec],
    folder: &Path,
    memory: Memory,
) -> anyhow::Result<()> {
    let (all, missing, verdict) = builds(specs, folder, memory)?;
    let (spec_count, table_count) = (specs.len(), all.tables.len());
    let (disk, memory) = (bytes(all.disk_bytes), bytes(all.memory_bytes));
    let rest = match missing.missing.len() {
        count if count == 0 || count == table_count => String::new(),
        count => format!("; {count} of them to build, {} on disk", bytes(missing.disk_bytes)),
    };
    writeln!(
        output,
        "all {spec_count} specs: {table_count} tables, {disk} on disk, {memory} of memory{rest}; \
         {verdict}"
    )?;
    Ok(())
}

/// Returns the builds of all tables of specs, those of the missing tables, and whether these fit.
fn builds(
    specs: &[Spec],
    folder: &Path,
    memory: Memory,
) -> anyhow::Result<(BuildPlan, BuildPlan, String)> {
    let plans = || specs.iter().map(|spec| &spec.plan);
    let all = BuildPlan::of(plans(), folder, BuildPolicy::new(memory, true))?;
    let missing = BuildPlan::of(plans(), folder, BuildPolicy::new(memory, false))?;
    let names: Vec<&str> = specs.iter().map(|spec| &*spec.name).collect();
    let verdict = match missing.check(&names) {
        _ if missing.missing.is_empty() => "already built".to_owned(),
        Ok(()) if missing.is_streamed => "fits, streamed from disk".to_owned(),
        Ok(()) => "fits".to_owned(),
        Err(refusal) => format!("does not fit: {}", message(&refusal.into())),
    };
    Ok((all, missing, verdict))
}
