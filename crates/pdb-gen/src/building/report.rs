//! What a build took, and the report of a table that is there already.

use std::path::{Path, PathBuf};
use std::time::Duration;

use pdb_core::TableKey;
use pdb_format::Header;

use crate::GenError;
use crate::disk::TableFile;
use crate::monitor::Monitor;

/// What a build took.
#[derive(Clone, Debug)]
pub struct BuildReport {
    /// The committed file.
    pub path: PathBuf,
    /// The file was there already, with the right key, and was left alone.
    pub already_there: bool,
    /// What the file says of itself.
    pub header: Header,
    /// States that the search reached, regions of the blank counted apart; 0 where nothing was
    /// searched.
    pub state_count: u64,
    /// Where the time went.
    pub times: BuildTimes,
    /// How the build streamed from disk, if it did.
    pub streamed: Option<Streamed>,
}

impl BuildReport {
    /// The report of a build that streamed.
    pub(crate) fn streamed(
        path: PathBuf,
        header: Header,
        state_count: u64,
        times: BuildTimes,
        streamed: Streamed,
    ) -> Self {
        let streamed = Some(streamed);
        Self { path, already_there: false, header, state_count, times, streamed }
    }
}

/// Where a build's time went.
///
/// All but `digest` and `write` are times by the clock; those two overlap on several threads, and
/// share out the time by the clock in proportion to what the threads spent.
#[derive(Clone, Copy, Debug, Default)]
pub struct BuildTimes {
    /// Breadth-first search.
    pub search: Duration,
    /// Packing, and putting the entries in their order.
    pub pack: Duration,
    /// Digesting the payload.
    pub digest: Duration,
    /// Writing the payload to the file.
    pub write: Duration,
    /// Making the file durable and renaming it.
    pub sync: Duration,
}

impl BuildTimes {
    /// The whole build.
    pub fn total(&self) -> Duration {
        self.search + self.pack + self.digest + self.write + self.sync
    }
}

/// What a streamed build took.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Streamed {
    /// The level after which it went on, if it did.
    pub resumed_level: Option<u32>,
    /// Bytes of memory that the builder counted at the peak.
    pub memory_bytes: u64,
    /// Bytes of the work folder's files at the peak.
    pub work_bytes: u64,
}

/// The report of a table that is there already with every digest in it right.
pub(crate) fn already_there(
    key: &TableKey,
    path: &Path,
    thread_count: usize,
    monitor: &Monitor<'_>,
) -> Result<Option<BuildReport>, GenError> {
    let Some(table) = TableFile::find(path)?.filter(|table| table.header().key == *key) else {
        return Ok(None);
    };
    let report = BuildReport {
        path: path.to_owned(),
        already_there: true,
        header: table.header().clone(),
        state_count: 0,
        times: BuildTimes::default(),
        streamed: None,
    };
    Ok(table.is_undamaged(thread_count, monitor)?.then_some(report))
}
