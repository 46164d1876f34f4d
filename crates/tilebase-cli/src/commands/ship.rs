//! `tilebase ship`: the tables of specs as archives.

use std::io::Write;
use std::path::PathBuf;

use tilebase::{Error, Need};

use crate::args::Threads;
use crate::failure::Verdict;
use crate::folder::Folder;
use crate::help;
use crate::output::{Output, bytes};
use crate::progress::Progress;
use crate::specs::Specs;

/// Arguments of `tilebase ship`.
#[derive(Debug, clap::Args)]
#[command(after_help = help::examples(&[
    ("archives, a manifest and digests", "tilebase ship 15/7-8 --out archives"),
    ("sooner done, and larger", "tilebase ship 15/7-8 --out archives --level 3"),
]))]
pub(crate) struct Args {
    #[command(flatten)]
    specs: Specs,
    /// Folder for the archives, the manifest and the digest list
    #[arg(long, help_heading = help::OUTPUT, value_name = "DIR")]
    out: PathBuf,
    /// How hard zstd compresses
    #[arg(long, help_heading = help::OUTPUT, value_name = "N", default_value_t = 19,
        value_parser = clap::value_parser!(i32).range(1..=22))]
    level: i32,
    #[command(flatten)]
    folder: Folder,
    #[command(flatten)]
    threads: Threads,
}

impl Args {
    pub(crate) fn run(self, output: &mut Output, progress: Progress) -> anyhow::Result<Verdict> {
        let folder = self.folder.path()?;
        let mut tables = Vec::new();
        for spec in self.specs.load()? {
            if let Some(key) = Need::of(&spec.plan, &folder, false)?.missing.first() {
                let path = folder.join(key.file_name());
                return Err(Error::MissingTable { path, spec: spec.name }.into());
            }
            let paths = spec.plan.tables().iter().map(|key| folder.join(key.file_name()));
            tables.extend(paths.filter(|path| !tables.contains(path)).collect::<Vec<_>>());
        }
        let report = progress.watch("ship", |monitor| {
            pdb_gen::ship(&tables, &self.out, self.level, self.threads.count(), monitor)
        })?;
        for archive in &report.archives {
            writeln!(
                output,
                "{}: {} of {}, {:.2} of {:.2} bits an entry",
                archive.path.display(),
                bytes(archive.archive_bytes),
                bytes(archive.header.file_bytes()),
                archive.archive_bits_per_entry(),
                archive.table_bits_per_entry(),
            )?;
        }
        let manifest = report.manifest.display();
        writeln!(output, "{manifest}")?;
        if let Some(signature) = report.removed_signature {
            writeln!(
                output,
                "{}: removed, because it signed another manifest; to sign this one: minisign -Sm \
                 {manifest}",
                signature.display()
            )?;
        }
        Ok(Verdict::Good)
    }
}
