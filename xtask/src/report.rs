//! Records that the command line prints for programs, one JSON object per line.

use std::ffi::OsStr;
use std::path::Path;

use anyhow::{Context, Result};
use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::shell;

/// Largest size of the tables of a spec that is built without being named, in bytes.
const UNNAMED_BYTES_MAX: u64 = 4_000_000_000;

/// A shipped spec.
#[derive(Deserialize)]
pub(crate) struct SpecRecord {
    pub(crate) name: String,
    pub(crate) built: String,
    file_bytes: u64,
}

/// Returns the shipped specs, and which are built in a folder of tables.
pub(crate) fn specs(db: Option<&OsStr>) -> Result<Vec<SpecRecord>> {
    let mut tilebase = shell::tilebase()?;
    tilebase.args(["specs", "--format", "json"]);
    if let Some(db) = db {
        tilebase.arg("--db").arg(db);
    }
    read_lines(&shell::output(&mut tilebase)?)
}

/// Returns the named specs, or if none is named, all shipped ones whose tables are not too large.
pub(crate) fn specs_or_all(named: &[String]) -> Result<Vec<String>> {
    if !named.is_empty() {
        return Ok(named.to_vec());
    }
    let specs = specs(None)?.into_iter();
    Ok(specs.filter(|spec| spec.file_bytes <= UNNAMED_BYTES_MAX).map(|spec| spec.name).collect())
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
