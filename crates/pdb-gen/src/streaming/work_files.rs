//! Files of a work folder: segments and slabs.
//!
//! The work folder of a table contains *segment files* and one checkpoint, which names all of them
//! with their lengths and digests. Other files are leftovers of an unfinished level, or were
//! replaced by it, and are ignored. A segment file has a *head*, the counts of all blocks of the
//! segment, and then the blocks with any state.

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
/// Start of the name of a slab.
const SLAB: &str = "slab-";
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

    /// Reads a file name as the name of a segment; the level after it is any number.
    pub(crate) fn parse(name: &str) -> Option<Self> {
        let [kind, class, segment, level] = name.split('-').collect::<Vec<_>>()[..] else {
            return None;
        };
        let kind = match kind {
            "level" => SegmentKind::Level,
            "visited" => SegmentKind::Visited,
            plane => SegmentKind::Plane(plane.strip_prefix("plane")?.parse().ok()?),
        };
        level.parse::<u32>().ok()?;
        Some(Self { kind, class: class.parse().ok()?, segment: segment.parse().ok()? })
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

/// Numbers of states of a block: in its segment's file, and with a level. Of a block of the record,
/// the first one is 1 for any number, and the second one is 0.
pub(crate) type BlockCounts = [u32; 2];

/// Returns the head of a level's file, from the counts of its blocks.
pub(crate) fn level_head(ones: &[u32], reached: &[u32]) -> Vec<BlockCounts> {
    ones.iter().zip(reached).map(|(&ones, &reached)| [ones, reached]).collect()
}

/// Returns the head of a file of the record.
pub(crate) fn record_head(blocks: &[u64], block_words: usize) -> Vec<BlockCounts> {
    let has_any = |block: &[u64]| block.iter().any(|&word| word != 0);
    blocks.chunks_exact(block_words).map(|block| [has_any(block).into(), 0]).collect()
}

/// Returns runs of blocks with any state, as ranges of words.
pub(crate) fn block_runs(head: &[BlockCounts], words: usize) -> impl Iterator<Item = Range<usize>> {
    let mut end = 0;
    head.chunk_by(|a, b| (a[0] > 0) == (b[0] > 0)).filter_map(move |run| {
        let start = end;
        end += run.len() * words;
        (run[0][0] > 0).then_some(start..end)
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
    /// Writes the head of a segment and its blocks that have any state after a level, and makes the
    /// file durable, so that a checkpoint may name it.
    pub(crate) fn write_segment(
        folder: &Path,
        name: SegmentName,
        level: u32,
        head: &[BlockCounts],
        blocks: &[u64],
        block_words: usize,
    ) -> Result<Self, GenError> {
        let runs =
            block_runs(head, block_words).map(|run| bytemuck::cast_slice::<_, u8>(&blocks[run]));
        let pieces = iter::once(bytemuck::cast_slice::<_, u8>(head)).chain(runs);
        let (mut hasher, mut bytes) = (blake3::Hasher::new(), 0);
        let mut pieces = pieces.inspect(|piece| {
            hasher.update(piece);
            bytes += piece.len() as u64;
        });
        let name = name.file_name(level);
        write_part(&folder.join(&name), &mut pieces)?;
        Ok(Self { name, bytes, digest: Digest(*hasher.finalize().as_bytes()) })
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
    pub(crate) fn open(&self, folder: &Path) -> Result<WorkFileReader<'_>, GenError> {
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
        Ok(WorkFileReader { path, source, hasher: blake3::Hasher::new(), file: self })
    }
}

/// A file of a work folder that is read sequentially.
#[derive(Debug)]
pub(crate) struct WorkFileReader<'a> {
    file: &'a WorkFile,
    path: PathBuf,
    source: BufReader<File>,
    hasher: blake3::Hasher,
}

impl WorkFileReader<'_> {
    pub(crate) fn read(&mut self, bytes: &mut [u8]) -> Result<(), GenError> {
        self.source.read_exact(bytes).map_err(GenError::io("read", &self.path))?;
        self.hasher.update(bytes);
        Ok(())
    }

    /// Reads the head of a segment file, which determines its length.
    pub(crate) fn read_head(
        &mut self,
        blocks: usize,
        words: usize,
    ) -> Result<Vec<BlockCounts>, GenError> {
        let mut head = vec![[0; 2]; blocks];
        let head_bytes = size_of_val(&head[..]) as u64;
        if self.file.bytes < head_bytes {
            return Err(self.damaged());
        }
        self.read(bytemuck::cast_slice_mut(&mut head))?;
        let count = head.iter().filter(|[ones, _]| *ones > 0).count();
        if self.file.bytes != head_bytes + (count * words * size_of::<u64>()) as u64 {
            return Err(self.damaged());
        }
        Ok(head)
    }

    /// Returns the error of a file whose content differs from what was written.
    fn damaged(&self) -> GenError {
        WorkError::Damaged.at(&self.path)
    }

    /// Reads what is left for the digest alone, and compares it.
    pub(crate) fn skip_to_end(mut self) -> Result<(), GenError> {
        io::copy(&mut self.source, &mut self.hasher).map_err(GenError::io("read", &self.path))?;
        self.finish()
    }

    /// Compares the digest, after the last byte was read.
    pub(crate) fn finish(self) -> Result<(), GenError> {
        let is_right = *self.hasher.finalize().as_bytes() == self.file.digest.0;
        if is_right { Ok(()) } else { Err(self.damaged()) }
    }
}

/// Returns the path of a slab of the packed entries.
pub(super) fn slab_path(folder: &Path, slab: usize) -> PathBuf {
    folder.join(format!("{SLAB}{slab:05}"))
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
        let is_of_build = SegmentName::parse(&name).is_some() || name.starts_with(SLAB);
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
