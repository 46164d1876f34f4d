//! Checkpoints: the progress of a search, and the files that hold it.
//!
//! The work folder of a table contains *segment files*, a file of counts and one checkpoint. The
//! checkpoint names all others with their lengths and digests, and is renamed into place after they
//! are durable. Other files are leftovers of an unfinished level, or were replaced by it, and are
//! ignored.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, BufReader, Read};
use std::ops::Range;
use std::path::{Path, PathBuf};

use pdb_core::TableKey;
use pdb_format::{Digest, Header, Packing, digest};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::segments::Segments;
use super::space::SearchSpace;
use crate::disk::{self, sync_folder, write_file, write_part};
use crate::packing::Dimensions;
use crate::search::{COST_LIMIT, LevelCount, needs_visited, plane_count};
use crate::{GenError, WorkError};

/// Name of the checkpoint's file.
pub(crate) const CHECKPOINT: &str = "checkpoint";
const VERSION: u32 = 1;
/// Size limit of a checkpoint, in bytes.
const CHECKPOINT_BYTES_MAX: u64 = 1 << 28;
const BUFFER_BYTES: usize = 1 << 18;

/// Kind of states in a segment file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum SegmentKind {
    /// States with bit `i + 1` in their level.
    Plane(u8),
    /// States that have a level.
    Visited,
    /// States of the class's last level.
    Level,
}

/// Name of a segment's content.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct SegmentName {
    pub(crate) kind: SegmentKind,
    pub(crate) class: usize,
    pub(crate) segment: usize,
}

impl SegmentName {
    /// Returns the name of the file with the content after a level.
    fn file_name(self, level: u32) -> String {
        let kind = match self.kind {
            SegmentKind::Level => "level".to_owned(),
            SegmentKind::Visited => "visited".to_owned(),
            SegmentKind::Plane(plane) => format!("plane{plane}"),
        };
        format!("{kind}-{}-{:05}-{level:03}", self.class, self.segment)
    }

    /// Reads a file name as the name of a segment and a level.
    pub(crate) fn parse(name: &str) -> Option<(Self, u32)> {
        let [kind, class, segment, level] = name.split('-').collect::<Vec<_>>()[..] else {
            return None;
        };
        let kind = match kind {
            "level" => SegmentKind::Level,
            "visited" => SegmentKind::Visited,
            plane => SegmentKind::Plane(plane.strip_prefix("plane")?.parse().ok()?),
        };
        let this = Self { kind, class: class.parse().ok()?, segment: segment.parse().ok()? };
        Some((this, level.parse().ok()?))
    }

    /// Returns the number of blocks of the content.
    pub(crate) fn blocks(self, segments: &Segments) -> usize {
        match self.kind {
            SegmentKind::Level => segments.classes[self.class].slots[self.segment].len(),
            SegmentKind::Visited | SegmentKind::Plane(_) => {
                segments.record_blocks(self.class, self.segment)
            }
        }
    }
}

/// Returns a bitset of the blocks with any state.
pub(crate) fn present_bits(blocks: &[bool]) -> Vec<u64> {
    let mut bits = vec![0; blocks.len().div_ceil(64)];
    for (i, _) in blocks.iter().enumerate().filter(|(_, present)| **present) {
        bits[i / 64] |= 1 << (i % 64);
    }
    bits
}

/// Returns runs of blocks with any state, as ranges of words.
pub(crate) fn block_runs(present: &[u64], words: usize) -> impl Iterator<Item = Range<usize>> {
    let is_present =
        move |i: usize| present.get(i / 64).is_some_and(|word| word >> (i % 64) & 1 == 1);
    let end = present.len() * 64;
    let mut next = 0;
    std::iter::from_fn(move || {
        let start = (next..end).find(|&i| is_present(i))?;
        next = (start..end).find(|&i| !is_present(i)).unwrap_or(end);
        Some(start * words..next * words)
    })
}

/// A file that a checkpoint names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct WorkFile {
    name: String,
    pub(crate) bytes: u64,
    digest: Digest,
}

impl WorkFile {
    /// Returns the path of a segment's file after a level.
    pub(crate) fn path_of(folder: &Path, name: SegmentName, level: u32) -> PathBuf {
        folder.join(name.file_name(level))
    }

    /// Writes a new file and makes it durable, so that a checkpoint may name it.
    pub(crate) fn write(
        path: &Path,
        pieces: &mut dyn Iterator<Item = &[u8]>,
    ) -> Result<Self, GenError> {
        let mut hasher = blake3::Hasher::new();
        let mut bytes = 0;
        let mut pieces = pieces.inspect(|piece| {
            hasher.update(piece);
            bytes += piece.len() as u64;
        });
        write_part(path, &mut pieces)?;
        let name = path.file_name().expect("a file in the work folder").to_string_lossy();
        let digest = Digest(*hasher.finalize().as_bytes());
        Ok(Self { name: name.into_owned(), bytes, digest })
    }

    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    pub(crate) fn path(&self, folder: &Path) -> PathBuf {
        folder.join(&self.name)
    }

    /// Reads the whole file, which consists of words, and checks its digest.
    #[cfg(feature = "team")]
    pub(crate) fn read_words(&self, folder: &Path) -> Result<Vec<u64>, GenError> {
        let mut reader = self.open(folder)?;
        if !self.bytes.is_multiple_of(size_of::<u64>() as u64) {
            return Err(reader.damaged());
        }
        let mut words = vec![0u64; self.bytes as usize / size_of::<u64>()];
        reader.read(bytemuck::cast_slice_mut(&mut words))?;
        reader.finish()?;
        Ok(words)
    }

    /// Opens the file, if it has the length that the checkpoint names.
    pub(crate) fn open(&self, folder: &Path) -> Result<WorkFileReader, GenError> {
        let path = self.path(folder);
        let file = File::open(&path).map_err(|error| {
            if error.kind() == io::ErrorKind::NotFound {
                WorkError::Missing.at(&path)
            } else {
                GenError::io("read", &path)(error)
            }
        })?;
        let found = file.metadata().map_err(GenError::io("read", &path))?.len();
        if found != self.bytes {
            return Err(WorkError::Length { expected: self.bytes, found }.at(&path));
        }
        let source = BufReader::with_capacity(BUFFER_BYTES, file);
        Ok(WorkFileReader { path, source, hasher: blake3::Hasher::new(), digest: self.digest })
    }
}

/// A file of a work folder that is read sequentially.
#[derive(Debug)]
pub(crate) struct WorkFileReader {
    path: PathBuf,
    source: BufReader<File>,
    hasher: blake3::Hasher,
    digest: Digest,
}

impl WorkFileReader {
    pub(crate) fn read(&mut self, bytes: &mut [u8]) -> Result<(), GenError> {
        self.source.read_exact(bytes).map_err(GenError::io("read", &self.path))?;
        self.hasher.update(bytes);
        Ok(())
    }

    /// Reads the start of a segment file: a bitset of the blocks that follow.
    pub(crate) fn read_present(
        &mut self,
        blocks: usize,
        words: usize,
        file_bytes: u64,
    ) -> Result<Vec<u64>, GenError> {
        let mut present = vec![0u64; blocks.div_ceil(64)];
        let head_bytes = size_of_val(&present[..]) as u64;
        if file_bytes < head_bytes {
            return Err(self.damaged());
        }
        self.read(bytemuck::cast_slice_mut(&mut present))?;
        let count: u32 = present.iter().map(|word| word.count_ones()).sum();
        let block_bytes = (words * size_of::<u64>()) as u64;
        let padding = blocks % 64;
        let is_padded = padding == 0 || present.last().is_none_or(|word| word >> padding == 0);
        if file_bytes != head_bytes + u64::from(count) * block_bytes || !is_padded {
            return Err(self.damaged());
        }
        Ok(present)
    }

    /// Returns the error of a file whose content differs from what was written.
    pub(crate) fn damaged(&self) -> GenError {
        WorkError::Damaged.at(&self.path)
    }

    /// Compares the digest, after the last byte was read.
    pub(crate) fn finish(self) -> Result<(), GenError> {
        let is_right = *self.hasher.finalize().as_bytes() == self.digest.0;
        if is_right { Ok(()) } else { Err(self.damaged()) }
    }
}

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
    segments: Vec<WorkFile>,
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

    /// Checks that it belongs to a table.
    pub(crate) fn expect_table(&self, table: &str) -> Result<(), WorkError> {
        if self.table == table {
            return Ok(());
        }
        let (expected, found) = (table.to_owned(), self.table.clone());
        Err(WorkError::Table { expected, found })
    }

    /// Checks that the progress is possible for a search of `total` states.
    pub(crate) fn check_progress(&self, total: u64) -> Result<(), WorkError> {
        let Self { level, searched, state_count, ref histogram, .. } = *self;
        if level >= COST_LIMIT {
            return Err(WorkError::impossible("a level that costs reach", level.to_string()));
        }
        // A blank-collapsed table may have last levels without entries, which are omitted in the
        // end.
        let levels = level as usize + 1;
        if histogram.is_empty() || histogram.len() > levels || !searched && histogram.len() < levels
        {
            let found = format!("{} at level {level}", histogram.len());
            return Err(WorkError::impossible("a count of entries for each level", found));
        }
        let entries: u128 = histogram.iter().copied().map(u128::from).sum();
        if entries > u128::from(state_count)
            || state_count > total
            || searched && state_count < total
        {
            let found = format!("{entries} entries, {state_count} of {total} states");
            return Err(WorkError::impossible("counts that belong together", found));
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
        let entry_count = Dimensions::new(&space.key, &space.graph, packing).entry_count();
        let reached: u64 = self.histogram.iter().sum();
        let header = Header {
            key: TableKey::Pattern(space.key),
            packing,
            entry_count,
            unreached_count: entry_count.saturating_sub(reached),
            histogram: self.histogram.clone(),
            payload_digest: Digest([0; 32]),
        };
        let checked = header.expect_entry_count(reached + header.unreached_count);
        checked.and_then(|()| header.check()).map_err(|error| {
            let expected = "counts that a table can have";
            WorkError::impossible(expected, error.to_string()).at(folder)
        })?;
        Ok(header)
    }

    /// Checks that a build of this table can have written a segment by this level, and returns its
    /// name.
    pub(crate) fn check_file(
        &self,
        file: &WorkFile,
        space: &SearchSpace,
        segments: &Segments,
    ) -> Result<SegmentName, WorkError> {
        let impossible = || {
            WorkError::impossible("names of files that a build of this table writes", &file.name)
        };
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
    pub(crate) fn save(
        &mut self,
        folder: &Path,
        files: &BTreeMap<SegmentName, WorkFile>,
    ) -> Result<(), GenError> {
        self.segments = files.values().cloned().collect();
        let sealed = seal(self);
        self.segments = Vec::new();
        // Makes the names of the files durable first.
        sync_folder(folder)?;
        write_file(&folder.join(CHECKPOINT), sealed.as_bytes())
    }

    /// Reads the checkpoint of a folder and the segments that it names; `None` if there is none.
    pub(crate) fn load(folder: &Path, table: &str) -> Result<Option<Saved>, GenError> {
        let path = folder.join(CHECKPOINT);
        let Some(bytes) = read_if_there(&path)? else { return Ok(None) };
        let saved = Saved::parse(bytes, table).map_err(|error| error.at(&path))?;
        for file in saved.files.values().chain(&saved.checkpoint.counts) {
            file.open(folder)?;
        }
        Ok(Some(saved))
    }
}

/// A checkpoint with the segments that it names.
#[derive(Debug)]
pub(crate) struct Saved {
    pub(crate) checkpoint: Checkpoint,
    pub(crate) files: BTreeMap<SegmentName, WorkFile>,
}

impl Saved {
    /// Creates the state at the start of a search.
    pub(crate) fn beginning(table: String, segment_slots: usize) -> Self {
        Self { checkpoint: Checkpoint::new(table, segment_slots), files: BTreeMap::new() }
    }

    /// Reads the text of a checkpoint of a table.
    pub(crate) fn parse(bytes: Vec<u8>, table: &str) -> Result<Self, WorkError> {
        let mut checkpoint: Checkpoint = unseal(bytes, VERSION)?;
        checkpoint.expect_table(table)?;
        let mut files = BTreeMap::new();
        for file in std::mem::take(&mut checkpoint.segments) {
            let (name, _) = SegmentName::parse(&file.name).ok_or(WorkError::Damaged)?;
            if let Some(other) = files.insert(name, file) {
                return Err(WorkError::impossible("one file of a segment", other.name));
            }
        }
        Ok(Self { checkpoint, files })
    }

    /// Checks, without reading its files, that a build of this table can have written it.
    pub(crate) fn check(
        &self,
        folder: &Path,
        space: &SearchSpace,
        segments: &Segments,
    ) -> Result<(), GenError> {
        let Self { checkpoint, files } = self;
        let check = || {
            checkpoint.check_progress(space.state_count)?;
            let counts = checkpoint.counts.as_ref().map(WorkFile::name);
            let expected = (!checkpoint.searched).then(|| counts_name(checkpoint.level));
            if counts != expected.as_deref() {
                let expected = "counts of the last level until all is searched";
                return Err(WorkError::impossible(expected, counts.unwrap_or("none")));
            }
            files
                .values()
                .try_for_each(|file| checkpoint.check_file(file, space, segments).map(drop))
        };
        check().map_err(|error: WorkError| error.at(&folder.join(CHECKPOINT)))
    }
}

/// Returns which segments have a state of their class's last level.
pub(crate) fn live_segments(segments: &Segments, ones: &[Vec<u32>; 2]) -> [Vec<bool>; 2] {
    [0, 1].map(|class| {
        let slots = segments.classes[class].slots.iter();
        slots.map(|slots| ones[class][slots.clone()].iter().any(|&ones| ones > 0)).collect()
    })
}

/// Checks that counts fit the blocks and the checkpoint: the search relies on both.
pub(crate) fn check_counts(
    checkpoint: &Checkpoint,
    block_len: u64,
    ones: &[Vec<u32>; 2],
    reached: &[Vec<u32>; 2],
) -> Result<(), WorkError> {
    let mut all = ones.iter().chain(reached).flatten();
    if let Some(most) = all.find(|&&count| u64::from(count) > block_len) {
        return Err(WorkError::impossible("no more states than a block has", most.to_string()));
    }
    let reached: u64 = reached.iter().flatten().copied().map(u64::from).sum();
    if reached != checkpoint.state_count {
        let expected = "the number of states that the checkpoint has";
        return Err(WorkError::impossible(expected, reached.to_string()));
    }
    Ok(())
}

/// Checks that there is a file for each segment whose last level has a state, and for no other
/// segment.
pub(crate) fn check_levels(
    live: &[Vec<bool>; 2],
    has_file: impl Fn(SegmentName) -> bool,
) -> Result<(), WorkError> {
    for (class, live) in live.iter().enumerate() {
        for (segment, &is_live) in live.iter().enumerate() {
            if has_file(SegmentName { kind: SegmentKind::Level, class, segment }) != is_live {
                let expected = "a file for each segment of the last levels that has a state";
                let found = if is_live { "none" } else { "one without states" };
                let found = format!("{found} for segment {segment} of class {class}");
                return Err(WorkError::impossible(expected, found));
            }
        }
    }
    Ok(())
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
struct Version {
    version: u32,
}

/// Returns a record as text, preceded by its digest.
pub(crate) fn seal(record: &impl Serialize) -> String {
    let text = serde_json::to_string(record).expect("numbers and strings are JSON");
    format!("{}\n{text}\n", digest(text.as_bytes()))
}

/// Reads the record of a sealed text with the given version.
pub(crate) fn unseal<T: DeserializeOwned>(bytes: Vec<u8>, version: u32) -> Result<T, WorkError> {
    let damaged = || WorkError::Damaged;
    let text = String::from_utf8(bytes).map_err(|_| damaged())?;
    let (seal, text) = text.split_once('\n').ok_or_else(damaged)?;
    let text = text.strip_suffix('\n').ok_or_else(damaged)?;
    if seal.parse::<Digest>().ok() != Some(digest(text.as_bytes())) {
        return Err(damaged());
    }
    let Version { version: found } = serde_json::from_str(text).map_err(|_| damaged())?;
    if found != version {
        return Err(WorkError::Version { expected: version, found });
    }
    serde_json::from_str(text).map_err(|_| damaged())
}

/// Returns whether a folder has the checkpoint of a build on one machine.
pub(crate) fn is_there(folder: &Path) -> bool {
    folder.join(CHECKPOINT).exists()
}

/// Returns the path of the file of counts after a level.
pub(crate) fn counts_path(folder: &Path, level: u32) -> PathBuf {
    folder.join(counts_name(level))
}

fn counts_name(level: u32) -> String {
    format!("counts-{level:03}")
}

/// Returns the path of a slab of the packed entries.
pub(crate) fn slab_path(folder: &Path, slab: usize) -> PathBuf {
    folder.join(format!("slab-{slab:05}"))
}

/// Removes the folder's files that the checkpoint does not name; foreign files are left alone.
pub(crate) fn remove_unnamed(
    folder: &Path,
    counts: Option<&WorkFile>,
    files: &BTreeMap<SegmentName, WorkFile>,
) -> Result<(), GenError> {
    let entries = fs::read_dir(folder).map_err(GenError::io("list", folder))?;
    for entry in entries {
        let entry = entry.map_err(GenError::io("list", folder))?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let is_named = match SegmentName::parse(&name) {
            Some((segment, _)) => files.get(&segment).is_some_and(|file| file.name == name),
            None if name.starts_with("counts-") => counts.is_some_and(|file| file.name == name),
            // The last kind is a leftover of a process that was killed while it wrote the
            // checkpoint.
            None => !name.starts_with("slab-") && !name.starts_with(".checkpoint."),
        };
        if !is_named {
            let path = entry.path();
            remove_if_there(&path, "remove the leftover")?;
        }
    }
    Ok(())
}

/// Removes a file, and returns whether it existed. Another rank on the same disk may have removed
/// it.
fn remove_if_there(path: &Path, action: &'static str) -> Result<bool, GenError> {
    match disk::remove_file(path) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(GenError::io(action, path)(error)),
    }
}

/// Removes the folder with all files of a build.
pub(crate) fn remove_all(folder: &Path) -> Result<(), GenError> {
    // Removes the checkpoint before the files that it names.
    if remove_if_there(&folder.join(CHECKPOINT), "remove")? {
        sync_folder(folder)?;
    }
    remove_unnamed(folder, None, &BTreeMap::new())?;
    // Files that are not of a build keep the folder.
    let _ = disk::remove_folder(folder);
    Ok(())
}
