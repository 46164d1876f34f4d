//! Commands: cargo, and the release binaries that it builds.

use std::collections::BTreeMap;
use std::env::{self, consts::EXE_SUFFIX};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use anyhow::{Context, Result, ensure};
use serde::de::DeserializeOwned;
use serde_json::Value;
use tempfile::{NamedTempFile, TempDir};

/// Option of cargo for [`built`].
pub(crate) const JSON: &str = "--message-format=json-render-diagnostics";

/// Returns the repository's root.
pub(crate) fn root() -> &'static Path {
    let parent = Path::new(env!("CARGO_MANIFEST_DIR")).parent();
    parent.expect("xtask is a folder of the repository")
}

/// Returns the cargo that runs this program, in the repository's root.
pub(crate) fn cargo() -> Command {
    let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.current_dir(root());
    cargo
}

/// Returns the command `tilebase`: the program in the environment variable `TILEBASE`, or the
/// release binary, which the first call builds if necessary.
pub(crate) fn tilebase() -> Result<Command> {
    static BINARY: OnceLock<PathBuf> = OnceLock::new();
    if let Some(binary) = env::var_os("TILEBASE") {
        return Ok(Command::new(binary));
    }
    let binary = if let Some(binary) = BINARY.get() {
        binary
    } else {
        let mut build = cargo();
        build.args(["build", "--release", JSON, "--package", "tilebase-cli"]);
        let built = built(&mut build, &format!("tilebase{EXE_SUFFIX}"))?;
        BINARY.get_or_init(|| built)
    };
    Ok(Command::new(binary))
}

/// Runs a build of cargo with messages in JSON, and returns the path of the file with this name
/// that it made.
pub(crate) fn built(build: &mut Command, file: &str) -> Result<PathBuf> {
    let output = output(build)?;
    let lines = output.lines().filter_map(|line| serde_json::from_str(line).ok());
    let messages: Vec<Value> = lines.collect();
    let files = messages.iter().filter_map(|message| message["filenames"].as_array()).flatten();
    let mut paths = files.filter_map(Value::as_str).map(PathBuf::from);
    paths
        .rfind(|path| path.file_name().is_some_and(|name| name == file))
        .with_context(|| format!("{build:?} made no file {file}"))
}

/// Runs a command to its end and returns its standard output. Standard error is inherited.
pub(crate) fn output(command: &mut Command) -> Result<String> {
    let output = command
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output()
        .with_context(|| format!("cannot run {command:?}"))?;
    ensure!(output.status.success(), "{command:?} failed: {}", output.status);
    String::from_utf8(output.stdout).with_context(|| format!("{command:?} printed bytes"))
}

/// Returns the bytes of a file.
pub(crate) fn read(path: &Path) -> Result<Vec<u8>> {
    std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))
}

/// Returns all files and links below a folder, by their paths from it with `/`.
pub(crate) fn files_below(folder: &Path) -> Result<BTreeMap<String, PathBuf>> {
    let mut files = BTreeMap::new();
    let entries = std::fs::read_dir(folder);
    for entry in entries.with_context(|| format!("cannot read {}", folder.display()))? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if entry.file_type()?.is_dir() {
            let below = files_below(&entry.path())?.into_iter();
            files.extend(below.map(|(path, file)| (format!("{name}/{path}"), file)));
        } else {
            files.insert(name, entry.path());
        }
    }
    Ok(files)
}

/// Writes a file atomically.
pub(crate) fn write_file(path: &Path, content: impl AsRef<[u8]>) -> Result<()> {
    let write = || -> std::io::Result<()> {
        let mut file = NamedTempFile::new_in(path.parent().unwrap_or(root()))?;
        file.write_all(content.as_ref())?;
        #[cfg(unix)]
        file.as_file().set_permissions(std::os::unix::fs::PermissionsExt::from_mode(0o644))?;
        file.persist(path)?;
        Ok(())
    };
    write().with_context(|| format!("cannot write {}", path.display()))
}

/// Makes a temporary folder on the disk of Cargo's target directory.
pub(crate) fn temporary_folder() -> Result<TempDir> {
    let target = target_folder()?;
    std::fs::create_dir_all(&target)
        .and_then(|()| tempfile::Builder::new().prefix("xtask-").tempdir_in(&target))
        .with_context(|| format!("cannot create a folder in {}", target.display()))
}

/// Returns what Cargo knows of the packages of the workspace.
pub(crate) fn metadata<T: DeserializeOwned>() -> Result<T> {
    let json = output(cargo().args(["metadata", "--no-deps", "--format-version=1"]))?;
    serde_json::from_str(&json).context("cannot use the JSON of cargo metadata")
}

/// Returns Cargo's target directory.
pub(crate) fn target_folder() -> Result<PathBuf> {
    let metadata: Value = metadata()?;
    let target = metadata["target_directory"].as_str();
    target.map(PathBuf::from).context("cargo metadata names no target directory")
}

/// Returns whether a program can be run.
pub(crate) fn is_installed(tool: &str) -> bool {
    Command::new(tool).arg("--version").output().is_ok_and(|output| output.status.success())
}
