//! What a build took, and the report of a table that is there already.

use std::path::{Path, PathBuf};
use std::time::Duration;

use pdb_core::TableKey;
use pdb_format::{FormatError, Header};

use crate::GenError;
use crate::disk::TableFile;

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

/// The report of a table that is there already, whole as far as its header and length tell.
pub(crate) fn already_there(key: &TableKey, path: &Path) -> Result<Option<BuildReport>, GenError> {
    let header = match TableFile::open(path) {
        Ok(table) => table.header().clone(),
        // Somebody's newer program made it; to throw it away takes an explicit wish.
        Err(error @ GenError::Format { source: FormatError::NewerVersion { .. }, .. }) => {
            return Err(error);
        }
        Err(_) => return Ok(None),
    };
    let times = BuildTimes::default();
    let path = path.to_owned();
    Ok((header.key == *key).then_some(BuildReport {
        path,
        already_there: true,
        header,
        state_count: 0,
        times,
        streamed: None,
    }))
}
