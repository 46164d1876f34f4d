//! `cargo xtask build`, `verify`, `ship` and `install`: the commands of `tilebase` in release mode,
//! with the same folder of tables as `tilebase` itself. The last line says what to do next.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process;

use anyhow::{Context, Result, ensure};
use serde::Deserialize;

use crate::{report, shell};

/// The arguments of all four commands. Each option goes to `tilebase` as it is.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Specs, by name or file; to verify also tables, to install archives or folders with archives.
    /// Without one, all shipped specs are built or shipped, and those that are built verified
    names: Vec<String>,
    /// Folder of the tables [default: `$TILEBASE_DB`, or tilebase in the XDG data directory]
    #[arg(long, value_name = "DIR")]
    db: Option<PathBuf>,
    /// Folder for the archives (ship)
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Level of verification, as in `tilebase verify` (verify) [default: rebuild]
    #[arg(long)]
    level: Option<String>,
    /// Other options for the command of `tilebase`
    #[arg(last = true)]
    options: Vec<OsString>,
}

/// The next command after tables are installed.
const SOLVE: &str = "cargo run --release -- solve random:10:1";

impl Args {
    /// Runs a command of `tilebase` to its end, and prints what to do next with the same folder. If
    /// the command fails, this process exits with the same code.
    pub(crate) fn run(&self, command: &str) -> Result<()> {
        let (names, level) = match command {
            "verify" if self.names.is_empty() => (self.built()?, Some("rebuild")),
            "verify" => (self.names.clone(), Some("rebuild")),
            "install" => (self.names.clone(), None),
            _ => (shell::specs_or_all(&self.names)?, None),
        };
        let mut tilebase = shell::tilebase()?;
        tilebase.arg(command).args(&names);
        if let Some(level) = self.level.as_deref().or(level) {
            tilebase.args(["--level", level]);
        }
        for (option, folder) in [("--out", &self.out), ("--db", &self.db)] {
            tilebase.args(folder.iter().flat_map(|folder| [option.as_ref(), folder.as_os_str()]));
        }
        let status = tilebase.args(&self.options).status().context("cannot run tilebase")?;
        if !status.success() {
            process::exit(status.code().unwrap_or(1));
        }
        let out = self.out.as_deref().unwrap_or(Path::new("archives")).display();
        let next = match command {
            "build" => [&["cargo xtask verify".to_owned()], &self.names[..]].concat().join(" "),
            "verify" => format!("cargo xtask ship {} --out {out}", names.join(" ")),
            "ship" => {
                // On another machine the tables are in another folder.
                println!(
                    "next: copy {out} to another machine, and there: cargo xtask install {out}"
                );
                return Ok(());
            }
            _ => SOLVE.to_owned(),
        };
        let db = self.db.as_ref().map_or_else(String::new, |db| format!(" --db {}", db.display()));
        println!("next: {next}{db}");
        Ok(())
    }

    /// Returns the shipped specs whose tables are all in the folder.
    fn built(&self) -> Result<Vec<String>> {
        #[derive(Deserialize)]
        struct SpecRecord {
            name: String,
            built: String,
        }

        let mut specs = shell::tilebase()?;
        specs.args(["specs", "--format", "json"]);
        if let Some(db) = &self.db {
            specs.arg("--db").arg(db);
        }
        let list: Vec<SpecRecord> = report::read_lines(&shell::output(&mut specs)?)?;
        let built: Vec<_> = list.into_iter().filter(|spec| spec.built == "there").collect();
        ensure!(
            !built.is_empty(),
            "expected the tables of a shipped spec to verify, found none; build some with \
             `cargo xtask build 15/7-8`, in the same folder"
        );
        Ok(built.into_iter().map(|spec| spec.name).collect())
    }
}
