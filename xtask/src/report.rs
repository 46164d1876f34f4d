//! Records that the command line prints for programs, one JSON object per line.

use std::ffi::OsStr;
use std::path::Path;

use anyhow::{Context, Result};
use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::shell;

/// Record of a table, from `tilebase build --report json`.
#[derive(Debug, Deserialize)]
pub(crate) struct TableReport {
    /// The file's name.
    pub(crate) table: String,
    pub(crate) file_bytes: u64,
    pub(crate) entry_count: u64,
    /// Number of states that the search reached; 0, like the times, if the table existed already.
    pub(crate) state_count: u64,
    pub(crate) seconds: f64,
    pub(crate) search_seconds: f64,
    pub(crate) pack_seconds: f64,
    pub(crate) digest_seconds: f64,
    pub(crate) write_seconds: f64,
    pub(crate) sync_seconds: f64,
    /// Peak memory of the process, including earlier tables.
    pub(crate) peak_memory_bytes: u64,
}

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
