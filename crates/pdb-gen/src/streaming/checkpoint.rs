//! Checkpoints: how far a search has come, and in which files.
//!
//! The work folder of a table holds *segment files*, a file of counts and one checkpoint. The
//! checkpoint names all others with their lengths and digests, and is renamed into place after they
//! are durable. What it does not name is left over from a level that was not finished, or was
//! replaced by it, and means nothing.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{BufReader, Cursor, Read};
use std::path::{Path, PathBuf};

use pdb_core::PatternKey;
use pdb_format::{Digest, digest};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::segments::Segments;
use super::slices::{Cut, FileHasher};
use crate::disk::{self, sync_folder, write_file, write_part};
use crate::search::{COST_LIMIT, Tally, needs_visited, plane_count};
use crate::{GenError, WorkError};

/// What a checkpoint of this program is called and which version it has.
pub(crate) const CHECKPOINT: &str = "checkpoint";
const VERSION: u32 = 1;
/// No checkpoint is longer.
pub(crate) const CHECKPOINT_BYTES_MAX: u64 = 1 << 28;
const BUFFER_BYTES: usize = 1 << 18;

/// What a segment file holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    /// States with bit `i + 1` in their level.
    Plane(u8),
    /// States that have a level.
    Visited,
    /// States of the class's last level.
    Level,
}

/// The content of one segment file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Name {
    pub(crate) kind: Kind,
    pub(crate) class: usize,
    pub(crate) segment: usize,
}

impl Name {
    /// The file with the content of a level.
    fn file_name(self, level: u32) -> String {
        let kind = match self.kind {
            Kind::Level => "level".to_owned(),
            Kind::Visited => "visited".to_owned(),
            Kind::Plane(plane) => format!("plane{plane}"),
        };
        format!("{kind}-{}-{:05}-{level:03}", self.class, self.segment)
    }

    pub(crate) fn parse(name: &str) -> Option<(Self, u32)> {
        let [kind, class, segment, level] = name.split('-').collect::<Vec<_>>()[..] else {
            return None;
        };
        let kind = match kind {
            "level" => Kind::Level,
            "visited" => Kind::Visited,
            plane => Kind::Plane(plane.strip_prefix("plane")?.parse().ok()?),
        };
        let this = Self { kind, class: class.parse().ok()?, segment: segment.parse().ok()? };
        Some((this, level.parse().ok()?))
    }
}

/// A file that a checkpoint names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct WorkFile {
    name: String,
    pub(crate) bytes: u64,
    digest: Digest,
    /// How it is cut, if ranks fetch slices of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    cut: Option<Cut>,
}

impl WorkFile {
    /// The file that will hold a segment as it is after a level.
    pub(crate) fn path_of(folder: &Path, name: Name, level: u32) -> PathBuf {
        folder.join(name.file_name(level))
    }

    /// Writes a new file and makes it durable; a checkpoint may name it from then on. Returns the digests of
    /// its slices too, if it is cut.
    pub(crate) fn write<'a>(
        path: &Path,
        pieces: impl Iterator<Item = &'a [u8]>,
        cut: Option<Cut>,
    ) -> Result<(Self, Vec<Digest>), GenError> {
        let mut hasher = FileHasher::new(cut);
        let mut bytes = 0;
        let pieces = pieces.inspect(|piece| {
            hasher.update(piece);
            bytes += piece.len() as u64;
        });
        write_part(path, pieces)?;
        let name = path.file_name().expect("a file in the work folder").to_string_lossy();
        let (digest, slices) = hasher.finish();
        Ok((Self { name: name.into_owned(), bytes, digest, cut }, slices))
    }

    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    pub(crate) fn path(&self, folder: &Path) -> PathBuf {
        folder.join(&self.name)
    }

    /// Opens the file, if it has the length that the checkpoint says.
    pub(crate) fn open(&self, folder: &Path) -> Result<PartReader, GenError> {
        let path = self.path(folder);
        let file = File::open(&path).map_err(GenError::io("read", &path))?;
        let found = file.metadata().map_err(GenError::io("read", &path))?.len();
        if found != self.bytes {
            return Err(WorkError::Length { expected: self.bytes, found }.at(&path));
        }
        let source = Source::File(BufReader::with_capacity(BUFFER_BYTES, file));
        Ok(PartReader { path, source, hasher: FileHasher::new(self.cut), digest: self.digest })
    }

    /// The same for the file's bytes as they came from a rank.
    pub(crate) fn open_fetched(
        &self,
        path: PathBuf,
        bytes: Vec<u8>,
        rank: String,
    ) -> Result<PartReader, GenError> {
        let is_whole = bytes.len() as u64 == self.bytes;
        let source = Source::Fetched { bytes: Cursor::new(bytes), rank };
        let hasher = FileHasher::new(self.cut);
        let reader = PartReader { path, source, hasher, digest: self.digest };
        if is_whole { Ok(reader) } else { Err(reader.damaged()) }
    }

    /// Whether the file is there, with the right length.
    pub(crate) fn check(&self, folder: &Path) -> Result<(), GenError> {
        let path = self.path(folder);
        match fs::metadata(&path) {
            Ok(there) if there.len() == self.bytes => Ok(()),
            Ok(there) => {
                Err(WorkError::Length { expected: self.bytes, found: there.len() }.at(&path))
            }
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                Err(WorkError::Missing.at(&path))
            }
            Err(error) => Err(GenError::io("read", &path)(error)),
        }
    }
}

/// Where the bytes of a file are.
#[derive(Debug)]
enum Source {
    File(BufReader<File>),
    /// They came from another rank.
    Fetched {
        bytes: Cursor<Vec<u8>>,
        rank: String,
    },
}

impl Source {
    /// The error of a file whose content is not what was written.
    fn damaged(&self, path: &Path) -> GenError {
        match self {
            Self::File(_) => WorkError::Damaged.at(path),
            Self::Fetched { rank, .. } => {
                GenError::Fetched { rank: rank.clone(), path: path.to_owned() }
            }
        }
    }
}

/// A file of a work folder that is read from its first byte to its last.
#[derive(Debug)]
pub(crate) struct PartReader {
    path: PathBuf,
    source: Source,
    hasher: FileHasher,
    digest: Digest,
}

impl PartReader {
    pub(crate) fn read(&mut self, bytes: &mut [u8]) -> Result<(), GenError> {
        match &mut self.source {
            Source::File(file) => file.read_exact(bytes),
            Source::Fetched { bytes: fetched, .. } => fetched.read_exact(bytes),
        }
        .map_err(GenError::io("read", &self.path))?;
        self.hasher.update(bytes);
        Ok(())
    }

    /// The error of a file whose content is not what was written.
    pub(crate) fn damaged(&self) -> GenError {
        self.source.damaged(&self.path)
    }

    /// Compares the digest, after the last byte.
    pub(crate) fn finish(self) -> Result<(), GenError> {
        let Self { path, source, hasher, digest } = self;
        let is_right = hasher.finish().0 == digest;
        if is_right { Ok(()) } else { Err(source.damaged(&path)) }
    }
}

/// How far a search has come.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Checkpoint {
    version: u32,
    /// Name of the table, which is its key.
    pub(crate) table: String,
    /// The most slots of a segment.
    pub(crate) segment_slots: usize,
    /// The last level that is done.
    pub(crate) level: u32,
    /// Whether a level without states was met: what is left is packing.
    pub(crate) searched: bool,
    /// States reached so far.
    pub(crate) state_count: u64,
    /// Entries of each level.
    pub(crate) histogram: Vec<u64>,
    /// States of the last two levels, and of all, in each slot; nothing once all is searched.
    pub(crate) counts: Option<WorkFile>,
    segments: Vec<WorkFile>,
}

/// A checkpoint that was found, and the segments that it names.
#[derive(Debug)]
pub(crate) struct Saved {
    pub(crate) checkpoint: Checkpoint,
    pub(crate) files: BTreeMap<Name, WorkFile>,
}

/// What a checkpoint is a part of.
pub(crate) struct Whole<'a> {
    pub(crate) key: &'a PatternKey,
    pub(crate) segments: &'a Segments,
    /// States in all.
    pub(crate) total: u64,
}

impl Saved {
    /// Checks that a build of this table can have come to this checkpoint, as far as that can be told
    /// without reading its files.
    pub(crate) fn check(&self, folder: &Path, whole: &Whole<'_>) -> Result<(), GenError> {
        let Self { checkpoint, files } = self;
        checkpoint
            .check(whole.total)
            .and_then(|()| files.values().try_for_each(|file| checkpoint.check_file(file, whole)))
            .map_err(|error| error.at(&folder.join(CHECKPOINT)))
    }
}

impl Checkpoint {
    /// Checks that a build of this table can have written a segment by then.
    pub(crate) fn check_file(
        &self,
        file: &WorkFile,
        Whole { key, segments, .. }: &Whole<'_>,
    ) -> Result<(), WorkError> {
        let impossible = || {
            WorkError::impossible("names of files that a build of this table writes", &file.name)
        };
        let Self { level, searched, .. } = *self;
        let (name, of) = Name::parse(&file.name).ok_or_else(impossible)?;
        let is_kind = match name.kind {
            Kind::Plane(plane) => usize::from(plane) < plane_count(key.mode),
            Kind::Visited => needs_visited(key),
            Kind::Level => !searched,
        };
        let is_segment =
            segments.classes.get(name.class).is_some_and(|class| name.segment < class.count());
        let is_name = of <= level && file.name == name.file_name(of);
        if is_kind && is_segment && is_name { Ok(()) } else { Err(impossible()) }
    }
}

/// The version of a checkpoint, whatever else it says.
#[derive(Deserialize)]
struct Version {
    version: u32,
}

impl Checkpoint {
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

    /// Checks what it says of the search, of which all is done at `total` states, and its counts.
    fn check(&self, total: u64) -> Result<(), WorkError> {
        self.check_progress(total)?;
        let counts = self.counts.as_ref().map(|file| file.name.as_str());
        let expected = (!self.searched).then(|| counts_name(self.level));
        if counts != expected.as_deref() {
            let found = counts.unwrap_or("none");
            return Err(WorkError::impossible(
                "counts of the last level until all is searched",
                found,
            ));
        }
        Ok(())
    }

    /// Adds a level, which may reach no new entry of a blank-collapsed table and yet new states.
    pub(crate) fn add_level(&mut self, level: u32, tally: Tally) {
        self.histogram.push(tally.entries);
        self.state_count += tally.states;
        self.level = level;
    }

    /// Checks that it is one of a table.
    pub(crate) fn expect_table(&self, table: &str) -> Result<(), WorkError> {
        if self.table == table {
            return Ok(());
        }
        let (expected, found) = (table.to_owned(), self.table.clone());
        Err(WorkError::Table { expected, found })
    }

    /// Checks what it says of the search, of which all is done at `total` states.
    pub(crate) fn check_progress(&self, total: u64) -> Result<(), WorkError> {
        let Self { level, searched, state_count, ref histogram, .. } = *self;
        if level >= COST_LIMIT {
            return Err(WorkError::impossible("a level that costs reach", level.to_string()));
        }
        // Last levels without entries, of a blank-collapsed table, are left out in the end.
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

    /// Makes it the folder's checkpoint; the files must be durable.
    pub(crate) fn save(
        &mut self,
        folder: &Path,
        files: &BTreeMap<Name, WorkFile>,
    ) -> Result<(), GenError> {
        self.segments = files.values().cloned().collect();
        let sealed = seal(self);
        self.segments = Vec::new();
        // The names of the files first.
        sync_folder(folder)?;
        write_file(&folder.join(CHECKPOINT), sealed.as_bytes())
    }

    /// The checkpoint of a folder and the segments that it names, if it has one.
    pub(crate) fn load(folder: &Path, table: &str) -> Result<Option<Saved>, GenError> {
        let path = folder.join(CHECKPOINT);
        let file = match File::open(&path) {
            Ok(file) => file,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(GenError::io("read", &path)(error)),
        };
        let mut bytes = Vec::new();
        file.take(CHECKPOINT_BYTES_MAX)
            .read_to_end(&mut bytes)
            .map_err(GenError::io("read", &path))?;
        let saved = Saved::parse(bytes, table).map_err(|error| error.at(&path))?;
        for file in saved.files.values().chain(&saved.checkpoint.counts) {
            file.check(folder)?;
        }
        Ok(Some(saved))
    }
}

/// A record as text under its digest.
pub(crate) fn seal(record: &impl Serialize) -> String {
    let text = serde_json::to_string(record).expect("numbers and strings are JSON");
    format!("{}\n{text}\n", digest(text.as_bytes()))
}

/// The record of a sealed text of a version.
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

impl Saved {
    /// The checkpoint with a text, and the segments that it names.
    pub(crate) fn parse(bytes: Vec<u8>, table: &str) -> Result<Self, WorkError> {
        let mut checkpoint: Checkpoint = unseal(bytes, VERSION)?;
        checkpoint.expect_table(table)?;
        let mut files = BTreeMap::new();
        for file in std::mem::take(&mut checkpoint.segments) {
            let (name, _) = Name::parse(&file.name).ok_or(WorkError::Damaged)?;
            if let Some(other) = files.insert(name, file) {
                return Err(WorkError::impossible("one file of a segment", other.name));
            }
        }
        Ok(Self { checkpoint, files })
    }
}

/// Whether a folder has a checkpoint of a build on one machine.
pub(crate) fn is_there(folder: &Path) -> bool {
    folder.join(CHECKPOINT).exists()
}

/// The file of counts as it is after a level.
pub(crate) fn counts_path(folder: &Path, level: u32) -> PathBuf {
    folder.join(counts_name(level))
}

fn counts_name(level: u32) -> String {
    format!("counts-{level:03}")
}

/// A slab of the packed entries.
pub(crate) fn slab_path(folder: &Path, slab: usize) -> PathBuf {
    folder.join(format!("slab-{slab:05}"))
}

/// Removes the folder's files that the checkpoint does not name; foreign files are left alone.
pub(crate) fn remove_unnamed(
    folder: &Path,
    counts: Option<&WorkFile>,
    files: &BTreeMap<Name, WorkFile>,
) -> Result<(), GenError> {
    let entries = fs::read_dir(folder).map_err(GenError::io("list", folder))?;
    for entry in entries {
        let entry = entry.map_err(GenError::io("list", folder))?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let is_named = match Name::parse(&name) {
            Some((segment, _)) => files.get(&segment).is_some_and(|file| file.name == name),
            None if name.starts_with("counts-") => counts.is_some_and(|file| file.name == name),
            // The last is of who was killed while it wrote the checkpoint.
            None => !name.starts_with("slab-") && !name.starts_with(".checkpoint."),
        };
        if !is_named {
            let path = entry.path();
            disk::remove_file(&path).map_err(GenError::io("remove the leftover", &path))?;
        }
    }
    Ok(())
}

/// Removes the folder with all that a build put there.
pub(crate) fn remove_all(folder: &Path) -> Result<(), GenError> {
    // First of all the checkpoint, which would name what is no longer there.
    let path = folder.join(CHECKPOINT);
    match disk::remove_file(&path) {
        Ok(()) => sync_folder(folder)?,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
        Err(error) => return Err(GenError::io("remove", &path)(error)),
    }
    remove_unnamed(folder, None, &BTreeMap::new())?;
    // Somebody else's files keep the folder.
    let _ = disk::remove_folder(folder);
    Ok(())
}
