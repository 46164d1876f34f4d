//! `tilebase install`: shipped tables into the folder of tables.

use std::io::Write;
use std::path::PathBuf;

use crate::args::Threads;
use crate::failure::Verdict;
use crate::folder::Folder;
use crate::output::{Output, bytes};
use crate::progress::Progress;

/// Arguments of `tilebase install`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Folders of archives with their manifest, archives (.pdb.zst) or tables (.pdb)
    #[arg(value_name = "DIR|FILE", required = true)]
    inputs: Vec<PathBuf>,
    #[command(flatten)]
    folder: Folder,
    #[command(flatten)]
    threads: Threads,
}

impl Args {
    pub(crate) fn run(self, output: &mut Output, progress: Progress) -> anyhow::Result<Verdict> {
        let folder = self.folder.path()?;
        let installed = progress.watch("install", |monitor| {
            pdb_gen::install(&self.inputs, &folder, self.threads.count(), monitor)
        })?;
        for table in installed {
            let state = if table.already_there { "already there" } else { "installed" };
            let size = bytes(table.header.file_bytes());
            writeln!(output, "{}: {size}, {state}", table.path.display())?;
        }
        Ok(Verdict::Good)
    }
}
