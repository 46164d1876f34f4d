//! Checkpoints: the progress of a search, and the files that hold it.
//!
//! A checkpoint is renamed into place after the files that it names are durable. It and its files
//! have digests, which show damage; what they hold is not checked, because a build has written it.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use pdb_core::TableKey;
use pdb_format::{Digest, Header, Packing, digest};
use serde::{Deserialize, Serialize};

use super::work_files::{CHECKPOINT, SegmentName, WorkFile};
use crate::building::outline;
use crate::disk::{sync_folder, write_file};
use crate::packing::Dimensions;
use crate::search::{LevelCount, SearchSpace};
use crate::{GenError, WorkError};

const VERSION: u32 = 2;
/// Size limit of a checkpoint, in bytes.
const CHECKPOINT_BYTES_MAX: u64 = 1 << 28;

/// The progress of a search.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Checkpoint {
    version: u32,
    /// Name of the table, which is its key.
    pub(crate) table: String,
    /// Largest number of slots of a segment.
    pub(crate) segment_slots: usize,
    /// The last finished level.
    pub(crate) level: u32,
    /// Whether the last level was found to be the last, so that only packing remains.
    pub(crate) searched: bool,
    /// Number of states reached so far.
    pub(crate) state_count: u64,
    /// Number of entries of each level.
    pub(crate) histogram: Vec<u64>,
    /// The files of the segments with any state.
    pub(crate) files: Vec<WorkFile>,
}

impl Checkpoint {
    /// Creates the checkpoint of level 0.
    pub(crate) fn new(table: String, segment_slots: usize) -> Self {
        Self {
            version: VERSION,
            table,
            segment_slots,
            level: 0,
            searched: false,
            state_count: 1,
            histogram: vec![1],
            files: Vec::new(),
        }
    }

    /// Adds a level, which may reach new states but no new entry of a blank-collapsed table.
    pub(crate) fn add_level(&mut self, level: u32, count: LevelCount) {
        self.histogram.push(count.entries);
        self.state_count += count.states;
        self.level = level;
    }

    /// Notes that the next level has no state.
    pub(crate) fn end_search(&mut self) {
        while self.histogram.last() == Some(&0) {
            self.histogram.pop();
        }
        self.searched = true;
    }

    /// Returns the header of the table in a packing, without the payload's digest.
    pub(crate) fn header(&self, space: &SearchSpace, packing: Packing) -> Header {
        let entry_count = Dimensions::new(space, packing).entry_count();
        outline(TableKey::Pattern(space.key), packing, entry_count, self.histogram.clone())
    }

    /// Makes this the folder's checkpoint; the files must be durable.
    pub(crate) fn save(&self, folder: &Path) -> Result<(), GenError> {
        // Makes the names of the files durable first.
        sync_folder(folder)?;
        write_file(&folder.join(CHECKPOINT), seal(self).as_bytes())
    }

    /// Reads the checkpoint of a folder, whose files must have the right lengths; `None` if there
    /// is none.
    pub(crate) fn load(folder: &Path, table: &str) -> Result<Option<Self>, GenError> {
        let path = folder.join(CHECKPOINT);
        let Some(bytes) = read_if_there(&path)? else { return Ok(None) };
        let checkpoint = Self::parse(bytes, table).map_err(|error| error.at(&path))?;
        for file in &checkpoint.files {
            file.open(folder)?;
        }
        Ok(Some(checkpoint))
    }

    /// Reads the text of a checkpoint of a table.
    pub(crate) fn parse(bytes: Vec<u8>, table: &str) -> Result<Self, WorkError> {
        let checkpoint = unseal(bytes)?;
        if checkpoint.table != table {
            let found = format!("one of {}", checkpoint.table);
            return Err(WorkError::other(format!("a checkpoint of {table}"), found));
        }
        Ok(checkpoint)
    }

    /// Returns the files by the names of their segments.
    pub(crate) fn segment_files(&self) -> BTreeMap<SegmentName, WorkFile> {
        let named = |file: &WorkFile| Some((SegmentName::parse(&file.name)?, file.clone()));
        self.files.iter().filter_map(named).collect()
    }
}

/// Reads a checkpoint up to the size limit; `None` if the file does not exist.
pub(crate) fn read_if_there(path: &Path) -> Result<Option<Vec<u8>>, GenError> {
    let mut bytes = Vec::new();
    match File::open(path).and_then(|file| file.take(CHECKPOINT_BYTES_MAX).read_to_end(&mut bytes))
    {
        Ok(_) => Ok(Some(bytes)),
        // Another rank on the same disk may just have removed it, or the folder is not a folder.
        Err(error)
            if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) =>
        {
            Ok(None)
        }
        Err(error) => Err(GenError::io("read", path)(error)),
    }
}

/// The version of a checkpoint, which is read before its other fields.
#[derive(Deserialize)]
struct CheckpointVersion {
    version: u32,
}

/// Returns a checkpoint as text, preceded by its digest.
fn seal(record: &Checkpoint) -> String {
    let text = serde_json::to_string(record).expect("numbers and strings are JSON");
    format!("{}\n{text}\n", digest(text.as_bytes()))
}

/// Reads the checkpoint of a sealed text.
fn unseal(bytes: Vec<u8>) -> Result<Checkpoint, WorkError> {
    let damaged = || WorkError::Damaged;
    let text = String::from_utf8(bytes).map_err(|_| damaged())?;
    let (seal, text) = text.split_once('\n').ok_or_else(damaged)?;
    let text = text.strip_suffix('\n').ok_or_else(damaged)?;
    if seal.parse::<Digest>().ok() != Some(digest(text.as_bytes())) {
        return Err(damaged());
    }
    let CheckpointVersion { version: found } = serde_json::from_str(text).map_err(|_| damaged())?;
    if found != VERSION {
        let expected = format!("a checkpoint of version {VERSION}");
        return Err(WorkError::other(expected, format!("one of version {found}")));
    }
    serde_json::from_str(text).map_err(|_| damaged())
}
