//! Reports of builds, and the check whether a table is there already.

use std::path::{Path, PathBuf};

use pdb_core::TableKey;
use pdb_format::Header;

use super::table::BuildTimes;
use crate::GenError;
use crate::disk::TableFile;
use crate::monitor::Monitor;

/// Time and memory of a finished build.
#[derive(Clone, Debug)]
pub struct BuildReport {
    /// The committed file.
    pub path: PathBuf,
    /// Whether the file existed, with the right key, and was left alone.
    pub already_there: bool,
    /// The file's header.
    pub header: Header,
    /// States that the search reached, regions of the blank counted apart; 0 where nothing was
    /// searched.
    pub state_count: u64,
    /// Where the time went.
    pub times: BuildTimes,
    /// Memory and files of a build that streamed from disk or was shared by several ranks.
    pub streamed: Option<StreamReport>,
}

impl BuildReport {
    /// Creates the report of a table that was built.
    pub(crate) fn new(
        path: PathBuf,
        header: Header,
        state_count: u64,
        times: BuildTimes,
        streamed: Option<StreamReport>,
    ) -> Self {
        Self { path, already_there: false, header, state_count, times, streamed }
    }

    /// Creates the report of a table that existed and was left alone.
    pub(crate) fn already_there(path: &Path, header: Header) -> Self {
        let report = Self::new(path.to_owned(), header, 0, BuildTimes::default(), None);
        Self { already_there: true, ..report }
    }
}

/// Memory and files of a build with a work folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StreamReport {
    /// The level after which the build was resumed, if it was.
    pub resumed_level: Option<u32>,
    /// Bytes of memory that the builder counted at the peak.
    pub memory_bytes: u64,
    /// Bytes of the work folder's files at the peak.
    pub work_bytes: u64,
}

/// Returns the report of a table that exists with every digest right.
pub(crate) fn already_there(
    key: &TableKey,
    path: &Path,
    thread_count: usize,
    monitor: &Monitor<'_>,
) -> Result<Option<BuildReport>, GenError> {
    let Some(table) = TableFile::find(path)?.filter(|table| table.header().key == *key) else {
        return Ok(None);
    };
    let report = BuildReport::already_there(path, table.header().clone());
    Ok(table.is_undamaged(thread_count, monitor)?.then_some(report))
}
