//! Building in memory, from a table's key to a committed file; and the start of every build.

use std::path::Path;

use pdb_core::TableKey;

use super::report::BuildReport;
use super::table::{BuildTimes, Content, Workspace};
use super::writer::TableWriter;
use crate::GenError;
use crate::disk::{TableFile, WriteLock, confirm, end_commit};
use crate::monitor::{Monitor, SILENT};
use crate::threads::Workers;

/// A build of tables into a folder.
///
/// An existing table with every digest right is left alone unless `replace` is set; a damaged one
/// is built again.
#[derive(Clone, Copy, Debug)]
pub struct Build<'a> {
    /// The folder of the tables, in which each is named [`TableKey::file_name`].
    pub folder: &'a Path,
    /// Number of threads.
    pub thread_count: usize,
    /// Whether an existing table is built again.
    pub replace: bool,
    /// Receiver of events.
    pub monitor: &'a Monitor<'a>,
}

/// The start of a build.
pub(crate) enum Start {
    /// The table exists. The lock is held if there was a reason to take it, such as the work folder
    /// of a build that was killed at its very end.
    AlreadyThere(Box<BuildReport>, Option<WriteLock>),
    /// The table is to be built, and this process holds the lock for writing it.
    Locked(WriteLock),
}

impl<'a> Build<'a> {
    /// Creates builds into a folder on one thread, which replace no table and report no events.
    pub fn new(folder: &'a Path) -> Self {
        Self { folder, thread_count: 1, replace: false, monitor: &SILENT }
    }

    /// Builds a table in memory and commits it.
    ///
    /// # Errors
    /// A [`GenError`]; then the folder is unchanged. There is one exception: if the rename cannot
    /// be made durable, the new table exists, but a power failure may lose it.
    pub fn in_memory(&self, key: &TableKey) -> Result<BuildReport, GenError> {
        self.in_memory_with(key, &mut Workspace::default())
    }

    /// Does the same as [`in_memory`](Self::in_memory), with the workspace of the table before.
    ///
    /// # Errors
    /// As [`in_memory`](Self::in_memory).
    pub fn in_memory_with(
        &self,
        key: &TableKey,
        workspace: &mut Workspace,
    ) -> Result<BuildReport, GenError> {
        let lock = match self.start(key, None)? {
            Start::AlreadyThere(report, _) => return Ok(*report),
            Start::Locked(lock) => lock,
        };
        let mut times = BuildTimes::default();
        let content = Content::compute(key, workspace, self.workers(), &mut times)?;
        let header = content.header.clone();
        let mut table = TableWriter::begin(&lock, header, self.workers())?;
        table.write(content.payload(), &mut times)?;
        let header = table.commit(&mut times)?;
        let (path, state_count) = (self.folder.join(key.file_name()), content.state_count);
        Ok(BuildReport { path, already_there: false, header, state_count, times, streamed: None })
    }

    fn workers(&self) -> Workers<'a> {
        Workers { thread_count: self.thread_count, monitor: self.monitor }
    }

    /// Looks for the table, or locks it for writing. If the folder `work` exists, it takes the lock
    /// even if the table exists.
    pub(crate) fn start(&self, key: &TableKey, work: Option<&Path>) -> Result<Start, GenError> {
        let path = self.folder.join(key.file_name());
        // The first look is without the lock, because a read-only folder would refuse it. The
        // second look is with the lock, because its previous owner may have finished the table.
        if !work.is_some_and(Path::exists)
            && let Some(report) = self.existing(key, &path)?
        {
            end_commit(&path)?;
            return Ok(Start::AlreadyThere(Box::new(report), None));
        }
        let lock = WriteLock::acquire(&path, self.monitor)?;
        if let Some(report) = self.existing(key, &path)? {
            confirm(&path)?;
            return Ok(Start::AlreadyThere(Box::new(report), Some(lock)));
        }
        Ok(Start::Locked(lock))
    }

    /// Returns the report of a table that exists with every digest right, and is not replaced.
    fn existing(&self, key: &TableKey, path: &Path) -> Result<Option<BuildReport>, GenError> {
        let table = if self.replace { None } else { TableFile::find(path)? };
        let Some(table) = table.filter(|table| table.header().key == *key) else {
            return Ok(None);
        };
        let report = BuildReport::already_there(path, table.header().clone());
        Ok(table.is_undamaged(self.workers())?.then_some(report))
    }
}
