//! Reports of builds.

use std::path::{Path, PathBuf};

use pdb_format::Header;

use super::table::BuildTimes;

/// Time and memory of a finished build.
#[derive(Clone, Debug)]
pub struct BuildReport {
    /// The committed file.
    pub path: PathBuf,
    /// Whether the file existed, with the right key, and was left alone.
    pub already_there: bool,
    /// The file's header.
    pub header: Header,
    /// Number of states that the search reached; regions of the blank count separately; 0 without a
    /// search.
    pub state_count: u64,
    /// Time of each part.
    pub times: BuildTimes,
    /// Memory and files of a build that streamed from disk or was shared by several ranks.
    pub streamed: Option<StreamReport>,
}

impl BuildReport {
    /// Creates the report of a table that existed and was left alone.
    pub(crate) fn already_there(path: &Path, header: Header) -> Self {
        Self {
            path: path.to_owned(),
            already_there: true,
            header,
            state_count: 0,
            times: BuildTimes::default(),
            streamed: None,
        }
    }
}

/// Memory and files of a build with a work folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StreamReport {
    /// The level after which the build was resumed; `None` if it was not.
    pub resumed_level: Option<u32>,
    /// Peak memory that the builder counted, in bytes.
    pub memory_bytes: u64,
    /// Peak size of the work folder's files, in bytes.
    pub work_bytes: u64,
}
