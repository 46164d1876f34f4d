//! How a build that streams begins: the table may be there, or the right to write it is taken.

use std::path::{Path, PathBuf};

use pdb_core::TableKey;

use crate::GenError;
use crate::building::{BuildReport, already_there};
use crate::disk::{WriteLock, end_commit};
use crate::monitor::Monitor;

/// The folder beside a table where its streamed build keeps its files.
pub fn work_folder(folder: &Path, key: &TableKey) -> PathBuf {
    folder.join(format!("{}.work", key.file_name()))
}

/// How a build begins.
pub(crate) enum Begun {
    /// The table is there. The lock is held if there was reason to take it, such as a work folder of a build
    /// that was killed at the very end.
    Table(Box<BuildReport>, Option<WriteLock>),
    Lock(WriteLock),
}

/// The table, if it is there and is not to be replaced, or the right to write it.
pub(crate) fn table_or_lock(
    key: &TableKey,
    path: &Path,
    work: &Path,
    thread_count: usize,
    replace: bool,
    monitor: &Monitor<'_>,
) -> Result<Begun, GenError> {
    if !replace
        && !work.exists()
        && let Some(report) = already_there(key, path, thread_count, monitor)?
    {
        end_commit(path)?;
        return Ok(Begun::Table(Box::new(report), None));
    }
    let lock = WriteLock::acquire(path, monitor)?;
    if !replace && let Some(report) = already_there(key, path, thread_count, monitor)? {
        lock.confirm()?;
        return Ok(Begun::Table(Box::new(report), Some(lock)));
    }
    Ok(Begun::Lock(lock))
}
