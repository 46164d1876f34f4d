//! `cargo xtask ship`: archives of the tables of specs, in release mode.

use std::path::PathBuf;

use anyhow::Result;

use crate::shell;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Specs, by name or file; every shipped one if none is given
    specs: Vec<String>,
    /// Where the archives go
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Where the tables are [default: tables in cargo's target directory]
    #[arg(long, value_name = "DIR")]
    db: Option<PathBuf>,
    /// Options for `tilebase ship`
    #[arg(last = true)]
    options: Vec<String>,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let mut tilebase = shell::tilebase()?;
    tilebase.arg("ship").args(shell::specs_or_all(&args.specs)?).arg("--out").arg(&args.out);
    tilebase.arg("--db").arg(shell::db_or_default(args.db.as_ref())?).args(&args.options);
    shell::become_it(tilebase)
}
