//! `tilebase ship`: compresses the tables of specs into archives.

use std::io::Write;
use std::path::PathBuf;

use tilebase::Error;
use tilebase::shelf::{BuildPlan, BuildPolicy, Memory};

use crate::args::{Folder, Specs, Threads, number};
use crate::console::Console;
use crate::failure::Verdict;
use crate::help;
use crate::output::{bytes, naming_option, shown};

/// Arguments of `tilebase ship`.
#[derive(Debug, clap::Args)]
#[command(after_help = help::examples(&[
    ("archives, a manifest and digests", "tilebase ship 15/7-8 --out archives"),
    ("faster, with larger archives", "tilebase ship 15/7-8 --out archives --level 3"),
]))]
pub(crate) struct Args {
    #[command(flatten)]
    specs: Specs,
    /// Folder for the archives, the manifest and the digest list
    #[arg(long, help_heading = help::OUTPUT, value_name = "DIR")]
    out: PathBuf,
    /// Compression level of zstd
    #[arg(long, help_heading = help::OUTPUT, value_name = "N", default_value_t = 19,
        value_parser = number::<i32>(1..=22))]
    level: i32,
    #[command(flatten)]
    folder: Folder,
    #[command(flatten)]
    threads: Threads,
}

impl Args {
    pub(crate) fn run(self, console: &mut Console) -> anyhow::Result<Verdict> {
        let folder = self.folder.path()?;
        let policy = BuildPolicy::new(Memory::ALL, false);
        let mut tables = Vec::new();
        for spec in self.specs.load()? {
            if let Some(table) = BuildPlan::of([&spec.plan], &folder, policy)?.missing.first() {
                let path = folder.join(table.key.file_name());
                return Err(Error::MissingTable { path, spec: spec.name }.into());
            }
            let paths = spec.plan.tables().iter().map(|key| folder.join(key.file_name()));
            tables.extend(paths.filter(|path| !tables.contains(path)).collect::<Vec<_>>());
        }
        let report = console.progress.watch("ship", |monitor| {
            pdb_gen::ship(&tables, &self.out, self.level, self.threads.count(), monitor)
        });
        let report = report.map_err(|error| naming_option("--out", &self.out, error))?;
        for archive in &report.archives {
            writeln!(
                console,
                "{}: {} of {}, {:.2} of {:.2} bits an entry",
                shown(&archive.path),
                bytes(archive.archive_bytes),
                bytes(archive.header.file_bytes()),
                archive.archive_bits_per_entry(),
                archive.table_bits_per_entry(),
            )?;
        }
        let manifest = shown(&report.manifest);
        writeln!(console, "{manifest}")?;
        if let Some(signature) = report.removed_signature {
            writeln!(
                console,
                "{}: removed, because it signed an older manifest; sign the new one: minisign -Sm {manifest}",
                shown(&signature)
            )?;
        }
        Ok(Verdict::Good)
    }
}
