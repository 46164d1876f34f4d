//! Files of a work folder: segments, counts and slabs.
//!
//! The work folder of a table contains *segment files*, a file of counts and one checkpoint, which
//! names all others with their lengths and digests. Other files are leftovers of an unfinished
//! level, or were replaced by it, and are ignored.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{self, BufReader, Read};
use std::iter;
use std::ops::Range;
use std::path::{Path, PathBuf};

use pdb_format::Digest;
use serde::{Deserialize, Serialize};

use super::segments::Segments;
use crate::disk::{self, sync_folder, write_part};
use crate::{GenError, WorkError};

/// Name of the checkpoint's file.
pub(crate) const CHECKPOINT: &str = "checkpoint";
/// Starts of the names of a build's other files that are not segments.
const OTHER_STARTS: [&str; 2] = ["counts-", "slab-"];
/// Start of the name of a leftover of a process that was killed while it wrote the checkpoint.
const CHECKPOINT_LEFTOVER: &str = ".checkpoint.";
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
    pub(super) fn file_name(self, level: u32) -> String {
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
                segments.recorded(self.class, self.segment).len()
            }
        }
    }
}

/// Returns a bitset of the blocks with any state.
pub(crate) fn present_bits(blocks: impl Iterator<Item = bool>) -> Vec<u64> {
    let mut bits = Vec::new();
    for (i, is_present) in blocks.enumerate() {
        if i % 64 == 0 {
            bits.push(0);
        }
        bits[i / 64] |= u64::from(is_present) << (i % 64);
    }
    bits
}

/// Returns a bitset of the blocks that are not zero.
pub(crate) fn nonzero_bits(blocks: &[u64], block_words: usize) -> Vec<u64> {
    let blocks = blocks.chunks_exact(block_words);
    present_bits(blocks.map(|block| block.iter().any(|&word| word != 0)))
}

/// Returns runs of blocks with any state, as ranges of words.
pub(crate) fn block_runs(present: &[u64], words: usize) -> impl Iterator<Item = Range<usize>> {
    let is_present =
        move |i: usize| present.get(i / 64).is_some_and(|word| word >> (i % 64) & 1 == 1);
    let end = present.len() * 64;
    let mut next = 0;
    iter::from_fn(move || {
        let start = (next..end).find(|&i| is_present(i))?;
        next = (start..end).find(|&i| !is_present(i)).unwrap_or(end);
        Some(start * words..next * words)
    })
}

/// A file that a checkpoint names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct WorkFile {
    pub(crate) name: String,
    pub(crate) bytes: u64,
    digest: Digest,
}

impl WorkFile {
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

    /// Writes the blocks of a segment that have any state after a level: a bitset of these blocks,
    /// then the blocks.
    pub(crate) fn write_segment(
        folder: &Path,
        name: SegmentName,
        level: u32,
        present: &[u64],
        blocks: &[u64],
        block_words: usize,
    ) -> Result<Self, GenError> {
        let runs = block_runs(present, block_words).map(|run| &blocks[run]);
        let mut pieces = iter::once(present).chain(runs).map(bytemuck::cast_slice);
        Self::write(&folder.join(name.file_name(level)), &mut pieces)
    }

    pub(crate) fn path(&self, folder: &Path) -> PathBuf {
        folder.join(&self.name)
    }

    /// Reads the whole file, which consists of words, and checks its digest.
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
                WorkError::other("the file that the checkpoint names", "none").at(&path)
            } else {
                GenError::io("read", &path)(error)
            }
        })?;
        let found = file.metadata().map_err(GenError::io("read", &path))?.len();
        if found != self.bytes {
            let expected = format!("{} bytes as in the checkpoint", self.bytes);
            return Err(WorkError::other(expected, found.to_string()).at(&path));
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
    fn damaged(&self) -> GenError {
        WorkError::Damaged.at(&self.path)
    }

    /// Compares the digest, after the last byte was read.
    pub(crate) fn finish(self) -> Result<(), GenError> {
        let is_right = *self.hasher.finalize().as_bytes() == self.digest.0;
        if is_right { Ok(()) } else { Err(self.damaged()) }
    }
}

/// Returns the path of the file of counts after a level.
pub(crate) fn counts_path(folder: &Path, level: u32) -> PathBuf {
    folder.join(format!("counts-{level:03}"))
}

/// Returns the path of a slab of the packed entries.
pub(super) fn slab_path(folder: &Path, slab: usize) -> PathBuf {
    folder.join(format!("slab-{slab:05}"))
}

/// Removes the folder's files that are not kept; foreign files are left alone.
pub(crate) fn remove_others<'a>(
    folder: &Path,
    kept: impl IntoIterator<Item = &'a WorkFile>,
) -> Result<(), GenError> {
    let kept: HashSet<&str> = kept.into_iter().map(|file| file.name.as_str()).collect();
    let entries = fs::read_dir(folder).map_err(GenError::io("list", folder))?;
    for entry in entries {
        let entry = entry.map_err(GenError::io("list", folder))?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let is_of_build = SegmentName::parse(&name).is_some()
            || OTHER_STARTS.iter().any(|start| name.starts_with(start));
        if is_of_build && !kept.contains(name.as_str()) {
            remove_if_there(&entry.path(), "remove the leftover")?;
        } else if name.starts_with(CHECKPOINT_LEFTOVER) {
            // If it cannot be removed, the next writer of the checkpoint removes it.
            let _ = disk::remove_file(&entry.path());
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
    remove_others(folder, [])?;
    // Files that are not of a build keep the folder.
    let _ = disk::remove_folder(folder);
    Ok(())
}
