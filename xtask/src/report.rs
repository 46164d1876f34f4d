//! What the command line tells programs: one JSON object a line.

use std::ffi::OsStr;
use std::path::Path;

use anyhow::{Context, Result};
use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::shell;

/// What `tilebase build --report json` says of a table that was built or was there already.
#[derive(Debug, Deserialize)]
pub(crate) struct TableReport {
    /// The file's name.
    pub(crate) table: String,
    pub(crate) file_bytes: u64,
    pub(crate) entry_count: u64,
    /// States that the search reached, regions of the blank counted apart; 0 where the table was
    /// there already, as are the times.
    pub(crate) state_count: u64,
    pub(crate) seconds: f64,
    pub(crate) search_seconds: f64,
    pub(crate) pack_seconds: f64,
    pub(crate) digest_seconds: f64,
    pub(crate) write_seconds: f64,
    pub(crate) sync_seconds: f64,
    /// Of the process up to then, the tables before this one included.
    pub(crate) peak_memory_bytes: u64,
}

/// Builds the tables of a spec that the folder lacks, and tells what it has then.
pub(crate) fn build<T: DeserializeOwned>(spec: impl AsRef<OsStr>, db: &Path) -> Result<Vec<T>> {
    let mut tilebase = shell::tilebase()?;
    tilebase.arg("build").arg(spec).args(["--report", "json", "--db"]).arg(db);
    read_lines(&shell::output(&mut tilebase)?)
}

/// Reads what the command line printed.
pub(crate) fn read_lines<T: DeserializeOwned>(text: &str) -> Result<Vec<T>> {
    let read = |line| serde_json::from_str(line).with_context(|| format!("cannot use {line}"));
    text.lines().map(read).collect()
}
