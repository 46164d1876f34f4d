//! `cargo xtask build`: the tables of specs, in release mode.

use std::path::PathBuf;

use anyhow::Result;

use crate::shell;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Specs, by name or file; every shipped one if none is given
    specs: Vec<String>,
    /// Where the tables go [default: tables in cargo's target directory]
    #[arg(long, value_name = "DIR")]
    db: Option<PathBuf>,
    /// Options for `tilebase build`
    #[arg(last = true)]
    options: Vec<String>,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let mut tilebase = shell::tilebase()?;
    tilebase.arg("build").args(shell::specs_or_all(&args.specs)?);
    tilebase.arg("--db").arg(shell::db_or_default(args.db.as_ref())?).args(&args.options);
    shell::become_it(tilebase)
}
