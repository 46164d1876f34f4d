//! Records that the command line prints for programs, one JSON object per line.

use std::ffi::OsStr;
use std::path::Path;

use anyhow::{Context, Result};
use serde::de::DeserializeOwned;

use crate::shell;

/// Builds the missing tables of a spec, and returns the records of all its tables.
pub(crate) fn build<T: DeserializeOwned>(spec: impl AsRef<OsStr>, db: &Path) -> Result<Vec<T>> {
    let mut tilebase = shell::tilebase()?;
    tilebase.arg("build").arg(spec).args(["--report", "json", "--db"]).arg(db);
    read_lines(&shell::output(&mut tilebase)?)
}

/// Reads the records of the command line.
pub(crate) fn read_lines<T: DeserializeOwned>(text: &str) -> Result<Vec<T>> {
    let read = |line| serde_json::from_str(line).with_context(|| format!("cannot use {line}"));
    text.lines().map(read).collect()
}
