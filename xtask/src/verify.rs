//! `cargo xtask verify`: tables checked in release mode, slow checks included.

use std::path::PathBuf;

use anyhow::{Context, Result, ensure};

use crate::shell;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Tables; all that `cargo xtask build` has put into its folder if none is given
    files: Vec<PathBuf>,
    /// How far to go, as in `tilebase verify`
    #[arg(long, default_value = "rebuild")]
    level: String,
    /// Options for `tilebase verify`
    #[arg(last = true)]
    options: Vec<String>,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let files = if args.files.is_empty() { built()? } else { args.files.clone() };
    let mut tilebase = shell::tilebase()?;
    tilebase.arg("verify").args(files).args(["--level", &args.level]).args(&args.options);
    shell::become_it(tilebase)
}

/// The tables in the default folder, sorted.
fn built() -> Result<Vec<PathBuf>> {
    let folder = shell::db_or_default(None)?;
    let mut files = Vec::new();
    if folder.is_dir() {
        for entry in
            folder.read_dir().with_context(|| format!("cannot list {}", folder.display()))?
        {
            files.push(entry?.path());
        }
    }
    files.retain(|file| file.extension().is_some_and(|extension| extension == "pdb"));
    files.sort();
    let folder = folder.display();
    ensure!(!files.is_empty(), "{folder} has no tables; build some with `cargo xtask build`");
    Ok(files)
}
