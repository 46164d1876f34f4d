//! `cargo xtask c-header`: generates the header of the C interface by cbindgen.
//!
//! cbindgen takes as long to compile as all of xtask, so it is a separate program, installed once.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};

use crate::shell;

/// Version of cbindgen; other versions may write the header differently.
const VERSION: &str = "0.29.4";
const PACKAGE: &str = "crates/tilebase-c";
pub(crate) const HEADER: &str = "crates/tilebase-c/include/tilebase.h";

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Only compare with the existing header
    #[arg(long)]
    check: bool,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let mut cbindgen = Command::new(cbindgen()?);
    cbindgen.current_dir(shell::root());
    cbindgen.args(["--quiet", "--config"]).arg(format!("{PACKAGE}/cbindgen.toml"));
    let made = shell::output(cbindgen.args(["--crate", "tilebase-c", PACKAGE]))?;
    let path = shell::root().join(HEADER);
    let there = std::fs::read_to_string(&path).unwrap_or_default();
    if made == there {
        println!("{HEADER} is up to date");
        return Ok(());
    }
    ensure!(!args.check, "{HEADER} is out of date: run `cargo xtask c-header`");
    shell::write_file(&path, &made)?;
    println!("{HEADER} was updated");
    Ok(())
}

/// Returns the program in the right version: the installed one, or one in Cargo's target directory,
/// which is compiled if necessary.
fn cbindgen() -> Result<PathBuf> {
    let tools = shell::target_folder()?.join("tools");
    let own = tools.join("bin/cbindgen");
    for program in [PathBuf::from("cbindgen"), own.clone()] {
        let version = Command::new(&program).arg("--version").stderr(Stdio::null()).output();
        let is_right = version
            .is_ok_and(|output| output.stdout.trim_ascii_end().ends_with(VERSION.as_bytes()));
        if is_right {
            return Ok(program);
        }
    }
    let mut install = shell::cargo();
    install.args(["install", "cbindgen", "--locked", "--debug", "--version", VERSION, "--root"]);
    shell::output(install.arg(&tools).args(["--target-dir"]).arg(tools.join("target")))
        .with_context(|| format!("cannot install cbindgen {VERSION}"))?;
    Ok(own)
}
