//! `tilebase estimate`: how large the tables of specs are, and what building them takes.

use std::io::Write;
use std::path::Path;

use pdb_spec::Spec;
use tilebase::{Builds, Memory};

use crate::args::MemoryArg;
use crate::failure::Verdict;
use crate::folder::Folder;
use crate::output::{Output, bytes, count, seconds};
use crate::specs::Specs;

/// Arguments of `tilebase estimate`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    specs: Specs,
    #[command(flatten)]
    folder: Folder,
    #[command(flatten)]
    memory: MemoryArg,
}

impl Args {
    pub(crate) fn run(self, output: &mut Output) -> anyhow::Result<Verdict> {
        let folder = self.folder.path()?;
        for spec in self.specs.load()? {
            write_spec(output, &spec, &folder, self.memory.memory())?;
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
    writeln!(output, "{}: {}", spec.name, spec.title)?;
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
    write!(
        output,
        "  together: {} on disk, {} of memory; ",
        bytes(all.disk_bytes),
        bytes(all.memory_bytes)
    )?;
    let builds = Builds::of(&spec.plan, folder, false, memory)?;
    if builds.is_missing {
        match builds.check(&spec.name, spec.goal.shape(), folder, memory) {
            Ok(()) if builds.is_streamed => writeln!(output, "fits, streamed from disk")?,
            Ok(()) => writeln!(output, "fits")?,
            Err(refusal) => writeln!(output, "does not fit: {refusal}")?,
        }
    } else {
        writeln!(output, "already built")?;
    }
    Ok(())
}
