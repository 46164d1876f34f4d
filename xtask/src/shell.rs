//! Running things: cargo, and the release binaries that it builds.

use std::env;
use std::ffi::OsString;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, anyhow, ensure};
use serde_json::Value;
use tempfile::TempDir;

/// The repository's root.
pub(crate) fn root() -> &'static Path {
    let parent = Path::new(env!("CARGO_MANIFEST_DIR")).parent();
    parent.expect("xtask is a folder of the repository")
}

/// The cargo that runs us, in the repository's root.
pub(crate) fn cargo() -> Command {
    let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.current_dir(root());
    cargo
}

/// The command line in release mode, built anew if need be.
pub(crate) fn tilebase() -> Result<Command> {
    release(&["--package", "tilebase"]).map(Command::new)
}

/// Builds one binary or example in release mode and tells where it is.
pub(crate) fn release(what: &[&str]) -> Result<PathBuf> {
    let mut build = cargo();
    build.args(["build", "--release", "--message-format=json-render-diagnostics"]).args(what);
    let messages = output(&mut build)?;
    let executables = messages.lines().filter_map(|line| {
        let message: Value = serde_json::from_str(line).ok()?;
        message["executable"].as_str().map(PathBuf::from)
    });
    executables.last().with_context(|| format!("cargo built no executable for {}", what.join(" ")))
}

/// Runs a command to its end and returns what it printed; its errors go to ours.
pub(crate) fn output(command: &mut Command) -> Result<String> {
    let output = command
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output()
        .with_context(|| format!("cannot run {}", name(command)))?;
    ensure!(output.status.success(), "{} failed: {}", name(command), output.status);
    String::from_utf8(output.stdout).with_context(|| format!("{} printed bytes", name(command)))
}

/// Goes on as that command, whose exit code is then ours.
pub(crate) fn become_it(mut command: Command) -> Result<()> {
    let error = command.exec();
    Err(anyhow!(error).context(format!("cannot run {}", name(&command))))
}

/// Where tables are kept between runs: with what else is built, away from the user's own.
pub(crate) fn tables_folder() -> Result<PathBuf> {
    Ok(target_folder()?.join("tables"))
}

/// A folder that vanishes, on the disk that builds go to.
pub(crate) fn temporary_folder() -> Result<TempDir> {
    let target = target_folder()?;
    std::fs::create_dir_all(&target)
        .and_then(|()| tempfile::Builder::new().prefix("xtask-").tempdir_in(&target))
        .with_context(|| format!("cannot create a folder in {}", target.display()))
}

fn target_folder() -> Result<PathBuf> {
    let metadata = output(cargo().args(["metadata", "--no-deps", "--format-version=1"]))?;
    let metadata: Value = serde_json::from_str(&metadata)?;
    let target = metadata["target_directory"].as_str();
    target.map(PathBuf::from).context("cargo metadata names no target directory")
}

/// The command's program and arguments, for errors.
fn name(command: &Command) -> String {
    let words = [command.get_program()].into_iter().chain(command.get_args());
    let words: Vec<OsString> = words.map(OsString::from).collect();
    words.join(" ".as_ref()).display().to_string()
}
