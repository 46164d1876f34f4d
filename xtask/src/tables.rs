//! `cargo xtask build`, `verify`, `ship` and `install`: the commands of `tilebase` in release mode,
//! with the same folder of tables as `tilebase` itself.

use std::ffi::OsString;
use std::process;

use anyhow::{Context, Result, ensure};

use crate::{report, shell};

/// The arguments of all four commands. Each option goes to `tilebase` as it is.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Specs, by name or file; to verify also tables, to install archives or folders with archives.
    /// Without one, all shipped specs of up to 4 GB are built or shipped, and those that are built
    /// verified
    names: Vec<String>,
    /// Folder of the tables [default: `$TILEBASE_DB`, or tilebase in the XDG data directory]
    #[arg(long, value_name = "DIR")]
    db: Option<OsString>,
    /// Folder for the archives (ship)
    #[arg(long, value_name = "DIR")]
    out: Option<OsString>,
    /// Level of verification, as in `tilebase verify` (verify) [default: rebuild]
    #[arg(long)]
    level: Option<OsString>,
    /// Other options for the command of `tilebase`
    #[arg(last = true)]
    options: Vec<OsString>,
}

impl Args {
    /// Runs a command of `tilebase` to its end. If it fails, this process exits with the same code.
    pub(crate) fn run(&self, command: &str) -> Result<()> {
        let mut tilebase = shell::tilebase()?;
        tilebase.arg(command).args(match command {
            "verify" if self.names.is_empty() => self.built()?,
            "verify" | "install" => self.names.clone(),
            _ => report::specs_or_all(&self.names)?,
        });
        let rebuild = (command == "verify").then(|| "rebuild".into());
        let level = self.level.clone().or(rebuild);
        for (option, value) in [("--db", &self.db), ("--out", &self.out), ("--level", &level)] {
            tilebase.args(value.iter().flat_map(|value| [option.as_ref(), value.as_os_str()]));
        }
        let status = tilebase.args(&self.options).status().context("cannot run tilebase")?;
        if !status.success() {
            process::exit(status.code().unwrap_or(1));
        }
        Ok(())
    }

    /// Returns the shipped specs whose tables are all in the folder.
    fn built(&self) -> Result<Vec<String>> {
        let specs = report::specs(self.db.as_deref())?;
        let built: Vec<_> = specs.into_iter().filter(|spec| spec.built == "there").collect();
        ensure!(
            !built.is_empty(),
            "expected the tables of a shipped spec to verify, found none; build some with \
             `cargo xtask build 15/7-8`, in the same folder"
        );
        Ok(built.into_iter().map(|spec| spec.name).collect())
    }
}
