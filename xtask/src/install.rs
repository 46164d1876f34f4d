//! `cargo xtask install`: shipped archives to tables, in release mode.

use std::path::PathBuf;

use anyhow::Result;

use crate::shell;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Archives, or folders of them
    #[arg(required = true)]
    archives: Vec<PathBuf>,
    /// Where the tables go [default: tables in cargo's target directory]
    #[arg(long, value_name = "DIR")]
    db: Option<PathBuf>,
    /// Options for `tilebase install`
    #[arg(last = true)]
    options: Vec<String>,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let mut tilebase = shell::tilebase()?;
    tilebase.arg("install").args(&args.archives);
    tilebase.arg("--db").arg(shell::db_or_default(args.db.as_ref())?).args(&args.options);
    shell::become_it(tilebase)
}
