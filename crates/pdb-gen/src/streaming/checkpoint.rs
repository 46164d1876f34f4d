//! Checkpoints: the progress of a search, and the files that hold it.
//!
//! A checkpoint is renamed into place after the files that it names are durable.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read};
use std::ops::Range;
use std::path::Path;

use pdb_core::TableKey;
use pdb_format::{Digest, Header, Packing, digest};
use serde::{Deserialize, Serialize};

use super::segments::Segments;
use super::work_files::{CHECKPOINT, SegmentKind, SegmentName, WorkFile, counts_name};
use crate::building::outline;
use crate::disk::{sync_folder, write_file};
use crate::packing::Dimensions;
use crate::search::{COST_LIMIT, LevelCount, SearchSpace, needs_visited, plane_count};
use crate::{GenError, WorkError};

const VERSION: u32 = 1;
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
    /// The file with the numbers of states of the last two levels, and of all levels, in each slot;
    /// `None` after the search.
    pub(crate) counts: Option<WorkFile>,
    /// The segments with any state.
    pub(crate) segments: Vec<WorkFile>,
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
            counts: None,
            segments: Vec::new(),
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

    /// Returns the files that it names: the counts, if any, then the segments in their order.
    pub(crate) fn files(&self) -> impl Iterator<Item = &WorkFile> {
        self.counts.iter().chain(&self.segments)
    }

    /// Checks that the progress is possible for a search of `total` states.
    fn check_progress(&self, total: u64) -> Result<(), WorkError> {
        let Self { level, searched, state_count, ref histogram, .. } = *self;
        if level >= COST_LIMIT {
            return Err(WorkError::other("a level that costs reach", level.to_string()));
        }
        // A blank-collapsed table may have last levels without entries, which are omitted in the
        // end.
        let levels = level as usize + 1;
        if histogram.is_empty() || histogram.len() > levels || !searched && histogram.len() < levels
        {
            let found = format!("{} at level {level}", histogram.len());
            return Err(WorkError::other("a count of entries for each level", found));
        }
        let entries: u128 = histogram.iter().copied().map(u128::from).sum();
        if entries > u128::from(state_count)
            || state_count > total
            || searched && state_count < total
        {
            let found = format!("{entries} entries, {state_count} of {total} states");
            return Err(WorkError::other("counts that belong together", found));
        }
        Ok(())
    }

    /// Returns the header of the table in a packing, without the payload's digest. The checkpoint
    /// may be wrong, so its counts are checked.
    pub(crate) fn header(
        &self,
        space: &SearchSpace,
        packing: Packing,
        folder: &Path,
    ) -> Result<Header, GenError> {
        let entry_count = Dimensions::new(space, packing).entry_count();
        let key = TableKey::Pattern(space.key);
        let header = outline(key, packing, entry_count, self.histogram.clone());
        let counted = self.histogram.iter().sum::<u64>() + header.unreached_count;
        let checked = header.expect_entry_count(counted).and_then(|()| header.check());
        checked.map_err(|error| {
            let expected = "counts that a table can have";
            WorkError::other(expected, error.to_string()).at(folder)
        })?;
        Ok(header)
    }

    /// Checks that a build of this table can have written a segment by this level, and returns its
    /// name.
    fn check_file(
        &self,
        file: &WorkFile,
        space: &SearchSpace,
        segments: &Segments,
    ) -> Result<SegmentName, WorkError> {
        let impossible =
            || WorkError::other("names of files that a build of this table writes", &file.name);
        let (name, level) = SegmentName::parse(&file.name).ok_or_else(impossible)?;
        let is_kind = match name.kind {
            SegmentKind::Plane(plane) => usize::from(plane) < plane_count(space.key.mode),
            SegmentKind::Visited => needs_visited(&space.key),
            SegmentKind::Level => !self.searched,
        };
        let is_segment =
            segments.classes.get(name.class).is_some_and(|class| name.segment < class.count());
        let is_name = level <= self.level && file.name == name.file_name(level);
        if is_kind && is_segment && is_name { Ok(name) } else { Err(impossible()) }
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
        for file in checkpoint.files() {
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

    /// Checks, without reading its files, that a build of this table can have written it. Returns
    /// the files of the segments.
    pub(crate) fn check(
        &self,
        folder: &Path,
        space: &SearchSpace,
        segments: &Segments,
    ) -> Result<BTreeMap<SegmentName, WorkFile>, GenError> {
        let check = || {
            self.check_progress(space.state_count)?;
            let counts = self.counts.as_ref().map(|file| file.name.as_str());
            let expected = (!self.searched).then(|| counts_name(self.level));
            if counts != expected.as_deref() {
                let expected = "counts of the last level until all is searched";
                return Err(WorkError::other(expected, counts.unwrap_or("none")));
            }
            let mut files = BTreeMap::new();
            for file in &self.segments {
                let name = self.check_file(file, space, segments)?;
                if let Some(other) = files.insert(name, file.clone()) {
                    return Err(WorkError::other("one file of a segment", &other.name));
                }
            }
            Ok(files)
        };
        check().map_err(|error: WorkError| error.at(&folder.join(CHECKPOINT)))
    }
}

/// Numbers of states in each slot, which a checkpoint stores in one file.
#[derive(Debug, Default)]
pub(crate) struct StateCounts {
    /// States of the class's last level.
    pub(crate) ones: [Vec<u32>; 2],
    /// States with a level.
    pub(crate) reached: [Vec<u32>; 2],
}

impl StateCounts {
    /// Creates counts of no states.
    pub(crate) fn zeros(space: &SearchSpace) -> Self {
        Self { ones: space.zero_counts(), reached: space.zero_counts() }
    }

    /// Returns the size of the file, in bytes.
    pub(crate) fn file_bytes(space: &SearchSpace) -> u64 {
        let slot_count: usize = space.graph.classes.iter().map(|class| class.slot_count).sum();
        (2 * slot_count * size_of::<u32>()) as u64
    }

    /// Returns all counts in the order of the file.
    pub(crate) fn arrays_mut(&mut self) -> impl Iterator<Item = &mut Vec<u32>> {
        self.ones.iter_mut().chain(&mut self.reached)
    }

    /// Writes the file.
    pub(crate) fn write(&self, path: &Path) -> Result<WorkFile, GenError> {
        let arrays = self.ones.iter().chain(&self.reached);
        WorkFile::write(path, &mut arrays.map(|counts| bytemuck::cast_slice(counts)))
    }

    /// Reads the words of the file; `None` if its length is wrong.
    pub(crate) fn read(space: &SearchSpace, words: &[u64]) -> Option<Self> {
        let mut this = Self::zeros(space);
        let mut counts: &[u32] = bytemuck::cast_slice(words);
        for array in this.arrays_mut() {
            let len = array.len();
            array.copy_from_slice(counts.split_off(..len)?);
        }
        counts.is_empty().then_some(this)
    }

    /// Returns which segments have a state of their class's last level.
    pub(crate) fn live_segments(&self, segments: &Segments) -> [Vec<bool>; 2] {
        [0, 1].map(|class| {
            let has_any =
                |slots: &Range<usize>| self.ones[class][slots.clone()].iter().any(|&n| n > 0);
            segments.classes[class].slots.iter().map(has_any).collect()
        })
    }

    /// Checks that the counts fit the blocks, the checkpoint and the files of the last levels,
    /// because the search relies on all of them. Returns which segments have a state of their
    /// class's last level.
    pub(crate) fn check(
        &self,
        checkpoint: &Checkpoint,
        space: &SearchSpace,
        segments: &Segments,
        has_file: impl Fn(SegmentName) -> bool,
    ) -> Result<[Vec<bool>; 2], WorkError> {
        let block_len = space.graph.index.block_len();
        let mut all = self.ones.iter().chain(&self.reached).flatten();
        if let Some(most) = all.find(|&&count| u64::from(count) > block_len) {
            return Err(WorkError::other("no more states than a block has", most.to_string()));
        }
        let reached: u64 = self.reached.iter().flatten().copied().map(u64::from).sum();
        if reached != checkpoint.state_count {
            let expected = "the number of states that the checkpoint has";
            return Err(WorkError::other(expected, reached.to_string()));
        }
        let live = self.live_segments(segments);
        for (class, live) in live.iter().enumerate() {
            for (segment, &is_live) in live.iter().enumerate() {
                if has_file(SegmentName { kind: SegmentKind::Level, class, segment }) != is_live {
                    let expected = "a file for each segment of the last levels that has a state";
                    let found = if is_live { "none" } else { "one without states" };
                    let found = format!("{found} for segment {segment} of class {class}");
                    return Err(WorkError::other(expected, found));
                }
            }
        }
        Ok(live)
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
