//! `cargo xtask build`, `verify`, `ship` and `install`: the commands of `tilebase` in release mode,
//! with the same folder of tables as `tilebase` itself. The last line says what to do next.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{self, Command};

use anyhow::{Context, Result, ensure};
use serde::Deserialize;

use crate::{report, shell};

#[derive(clap::Args)]
struct Folder {
    /// Folder of the tables [default: `$TILEBASE_DB`, or tilebase in the XDG data directory]
    #[arg(long, value_name = "DIR")]
    db: Option<PathBuf>,
    /// Options for the command of `tilebase`
    #[arg(last = true)]
    options: Vec<OsString>,
}

#[derive(clap::Args)]
pub(crate) struct BuildArgs {
    /// Specs, by name or file; all shipped specs if none is given
    specs: Vec<String>,
    #[command(flatten)]
    folder: Folder,
}

#[derive(clap::Args)]
pub(crate) struct VerifyArgs {
    /// Specs, by name or file, or tables; all shipped specs that are built if none is given
    specs: Vec<String>,
    /// Level of verification, as in `tilebase verify`
    #[arg(long, default_value = "rebuild")]
    level: String,
    #[command(flatten)]
    folder: Folder,
}

#[derive(clap::Args)]
pub(crate) struct ShipArgs {
    /// Specs, by name or file; all shipped specs if none is given
    specs: Vec<String>,
    /// Folder for the archives
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    #[command(flatten)]
    folder: Folder,
}

#[derive(clap::Args)]
pub(crate) struct InstallArgs {
    /// Archives, or folders with archives
    #[arg(required = true)]
    archives: Vec<PathBuf>,
    #[command(flatten)]
    folder: Folder,
}

impl BuildArgs {
    pub(crate) fn run(&self) -> Result<()> {
        let mut build = shell::tilebase()?;
        build.arg("build").args(shell::specs_or_all(&self.specs)?);
        let next = [&["cargo xtask verify".to_owned()], &self.specs[..]].concat();
        self.folder.run(build, &next.join(" "))
    }
}

impl VerifyArgs {
    pub(crate) fn run(&self) -> Result<()> {
        let specs = if self.specs.is_empty() { self.folder.built()? } else { self.specs.clone() };
        let mut verify = shell::tilebase()?;
        verify.arg("verify").args(&specs).args(["--level", &self.level]);
        self.folder.run(verify, &format!("cargo xtask ship {} --out archives", specs.join(" ")))
    }
}

impl ShipArgs {
    pub(crate) fn run(&self) -> Result<()> {
        let mut ship = shell::tilebase()?;
        ship.arg("ship").args(shell::specs_or_all(&self.specs)?).arg("--out").arg(&self.out);
        let out = self.out.display();
        // On another machine the tables are in another folder.
        let next = format!("copy {out} to another machine, and there: cargo xtask install {out}");
        run_and_say(self.folder.of(ship), &next)
    }
}

impl InstallArgs {
    pub(crate) fn run(&self) -> Result<()> {
        let mut install = shell::tilebase()?;
        install.arg("install").args(&self.archives);
        self.folder.run(install, SOLVE)
    }
}

/// The next command after tables are installed.
const SOLVE: &str = "cargo run --release -- solve random:10:1";

impl Folder {
    /// Adds the folder, if one is named, and the other options to a command.
    fn of(&self, mut command: Command) -> Command {
        if let Some(db) = &self.db {
            command.arg("--db").arg(db);
        }
        command.args(&self.options);
        command
    }

    /// Runs a command with this folder, and prints what to do next with the same folder.
    fn run(&self, command: Command, next: &str) -> Result<()> {
        let db = self.db.as_deref().map(Path::display);
        let next = db.map_or_else(|| next.to_owned(), |db| format!("{next} --db {db}"));
        run_and_say(self.of(command), &next)
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

/// Runs a command to its end and prints what to do next. If the command fails, this process exits
/// with the same code.
fn run_and_say(mut command: Command, next: &str) -> Result<()> {
    let status = command.status().context("cannot run tilebase")?;
    if !status.success() {
        process::exit(status.code().unwrap_or(1));
    }
    println!("next: {next}");
    Ok(())
}
