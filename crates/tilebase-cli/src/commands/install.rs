//! `tilebase install`: copies shipped tables into the folder of tables.

use std::fmt::Display;
use std::io::Write;
use std::path::PathBuf;

use pdb_gen::PublicKey;
use tilebase::shelf::known_digest;

use crate::args::{Folder, Threads};
use crate::console::Console;
use crate::failure::{Verdict, usage};
use crate::help;
use crate::output::{bytes, shown};

/// Arguments of `tilebase install`.
#[derive(Debug, clap::Args)]
#[command(after_help = help::examples(&[
    ("the archives of a folder", "tilebase install archives"),
    ("only archives signed for a key", "tilebase install archives --public-key minisign.pub"),
]))]
pub(crate) struct Args {
    /// Folders of archives with their manifest, archives (.pdb.zst) or tables (.pdb)
    #[arg(value_name = "DIR|FILE", required = true)]
    inputs: Vec<PathBuf>,
    /// Install only tables of a manifest that is signed for this minisign public key: the key
    /// itself, or its file (.pub)
    #[arg(long, help_heading = help::TABLES, value_name = "KEY|FILE")]
    public_key: Option<String>,
    #[command(flatten)]
    folder: Folder,
    #[command(flatten)]
    threads: Threads,
}

impl Args {
    pub(crate) fn run(self, console: &mut Console) -> anyhow::Result<Verdict> {
        let folder = self.folder.path()?;
        let signer = self.public_key.as_deref().map(public_key).transpose()?;
        let report = console.progress.watch("install", |monitor| {
            let (signer, threads) = (signer.as_ref(), self.threads.count());
            pdb_gen::install(&self.inputs, &folder, signer, &known_digest, threads, monitor)
        })?;
        for manifest in report.manifests {
            let (path, public_key) = (shown(&manifest.path), manifest.public_key);
            // Escaped: the signer may write control characters into a comment.
            let comment = manifest.trusted_comment.escape_debug();
            writeln!(
                console,
                "{path}: signed for public key {public_key}, trusted comment: {comment}"
            )?;
        }
        for table in report.tables {
            let state = if table.already_there { "already there" } else { "installed" };
            let size = bytes(table.header.file_bytes());
            writeln!(console, "{}: {size}, {state}", shown(&table.path))?;
        }
        Ok(Verdict::Good)
    }
}

/// Reads a public key: the argument itself, or the file that it names.
fn public_key(argument: &str) -> anyhow::Result<PublicKey> {
    if let Ok(key) = PublicKey::parse(argument) {
        return Ok(key);
    }
    let problem = |error: &dyn Display| {
        usage(format!(
            "--public-key takes a minisign public key, 56 characters that begin with RW, or a file \
             that has it: {error}"
        ))
    };
    let text = tilebase::names::read_text(argument).map_err(|error| problem(&error))?;
    PublicKey::parse(&text).map_err(|error| {
        let advice = "take the file that ends in .pub, or its second line";
        problem(&format!("{argument}: {error}; {advice}"))
    })
}
