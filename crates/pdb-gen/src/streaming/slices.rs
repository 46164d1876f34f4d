//! Slices: the parts of a segment's file that are fetched and checked by themselves.
//!
//! A segment has blocks that no move leads from to the share of another rank: most of them, for most ranks.
//! So whoever writes it announces a digest for each slice, and whoever needs it asks for the slices with
//! blocks that it needs. Which blocks the file has is known to all, from the counts.

use std::num::NonZeroUsize;
use std::ops::Range;

use pdb_format::{Digest, digest};
use serde::{Deserialize, Serialize};

/// A slice has at least so many bytes, unless the file ends: smaller blocks share one.
const SLICE_BYTES_MIN: usize = 8 << 10;

/// Bytes of a slice of whole blocks.
fn slice_bytes(block_bytes: usize) -> usize {
    block_bytes * (SLICE_BYTES_MIN / block_bytes).max(1)
}

/// Bytes before the first block of a file: a bit for each block of the segment.
fn head_bytes(blocks: usize) -> usize {
    blocks.div_ceil(64) * size_of::<u64>()
}

/// How a file is cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Cut {
    /// Bytes before the first slice.
    head_bytes: usize,
    slice_bytes: NonZeroUsize,
}

impl Cut {
    /// For a file about so many blocks of so many words.
    pub(crate) fn new(blocks: usize, words: usize) -> Self {
        let slice_bytes = NonZeroUsize::new(slice_bytes(words * size_of::<u64>()));
        let slice_bytes = slice_bytes.expect("a block has words");
        Self { head_bytes: head_bytes(blocks), slice_bytes }
    }
}

/// The digest of a file as its bytes come: of all bytes, or, if it is cut, of its head and the digests of its
/// slices, so that no byte is digested twice.
#[derive(Debug)]
pub(crate) struct FileHasher {
    hasher: blake3::Hasher,
    cut: Option<Slicer>,
}

#[derive(Debug)]
struct Slicer {
    slice_bytes: usize,
    /// Bytes of the head that are still to come.
    head: usize,
    hasher: blake3::Hasher,
    /// Bytes of the slice that is not complete.
    filled: usize,
    digests: Vec<Digest>,
}

impl FileHasher {
    pub(crate) fn new(cut: Option<Cut>) -> Self {
        let cut = cut.map(|Cut { head_bytes, slice_bytes }| Slicer {
            slice_bytes: slice_bytes.get(),
            head: head_bytes,
            hasher: blake3::Hasher::new(),
            filled: 0,
            digests: Vec::new(),
        });
        Self { hasher: blake3::Hasher::new(), cut }
    }

    pub(crate) fn update(&mut self, bytes: &[u8]) {
        let Some(cut) = &mut self.cut else {
            self.hasher.update(bytes);
            return;
        };
        let (head, mut bytes) = bytes.split_at(cut.head.min(bytes.len()));
        self.hasher.update(head);
        cut.head -= head.len();
        while !bytes.is_empty() {
            let (now, later) = bytes.split_at((cut.slice_bytes - cut.filled).min(bytes.len()));
            cut.hasher.update(now);
            cut.filled += now.len();
            bytes = later;
            if cut.filled == cut.slice_bytes {
                cut.end_slice(&mut self.hasher);
            }
        }
    }

    /// The digest of the file, and those of its slices.
    pub(crate) fn finish(mut self) -> (Digest, Vec<Digest>) {
        if let Some(cut) = self.cut.as_mut().filter(|cut| cut.filled > 0) {
            cut.end_slice(&mut self.hasher);
        }
        let digests = self.cut.map(|cut| cut.digests).unwrap_or_default();
        (Digest(*self.hasher.finalize().as_bytes()), digests)
    }
}

impl Slicer {
    fn end_slice(&mut self, file: &mut blake3::Hasher) {
        let digest = Digest(*self.hasher.finalize().as_bytes());
        file.update(&digest.0);
        self.digests.push(digest);
        self.hasher.reset();
        self.filled = 0;
    }
}

/// Consecutive blocks of a segment that are wanted, and the number of the first among those in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Run {
    blocks: Range<usize>,
    nth: usize,
}

/// What a rank wants of a segment's file.
#[derive(Clone, Debug)]
pub(crate) struct Wanted {
    slice_bytes: usize,
    block_bytes: usize,
    /// Bytes before the first block.
    head_bytes: usize,
    runs: Vec<Run>,
    /// Of all slices.
    pub(crate) digests: Vec<Digest>,
}

impl Wanted {
    /// For each block: whether the file has it, and whether it is needed.
    pub(crate) fn new<'a>(
        words: usize,
        blocks: impl ExactSizeIterator<Item = (bool, &'a bool)>,
    ) -> Self {
        let head_bytes = head_bytes(blocks.len());
        let mut runs: Vec<Run> = Vec::new();
        let mut nth = 0;
        for (block, (is_there, &is_needed)) in blocks.enumerate() {
            if is_there && is_needed {
                match runs.last_mut() {
                    Some(run) if run.blocks.end == block => run.blocks.end += 1,
                    _ => runs.push(Run { blocks: block..block + 1, nth }),
                }
            }
            nth += usize::from(is_there);
        }
        let block_bytes = words * size_of::<u64>();
        let slice_bytes = slice_bytes(block_bytes);
        Self { slice_bytes, block_bytes, head_bytes, runs, digests: Vec::new() }
    }

    /// Bytes of a file with so many blocks, all of a segment.
    pub(crate) fn file_bytes(&self, blocks: usize) -> u64 {
        (self.head_bytes + blocks * self.block_bytes) as u64
    }

    /// Slices of a file of so many bytes.
    pub(crate) fn slice_count(&self, file_bytes: u64) -> usize {
        file_bytes.saturating_sub(self.head_bytes as u64).div_ceil(self.slice_bytes as u64) as usize
    }

    /// The bytes of a run in the file.
    fn bytes_of(&self, run: &Run) -> Range<usize> {
        let start = self.head_bytes + run.nth * self.block_bytes;
        start..start + run.blocks.len() * self.block_bytes
    }

    /// The ranges of a file of so many bytes that hold all that is wanted, in whole slices.
    pub(crate) fn ranges(&self, file_bytes: u64) -> Vec<Range<u64>> {
        let mut ranges: Vec<Range<u64>> = Vec::new();
        for run in &self.runs {
            let blocks = self.slice_bytes / self.block_bytes;
            let first = run.nth / blocks;
            let end = (run.nth + run.blocks.len()).div_ceil(blocks);
            let at = |slice: usize| (self.head_bytes + slice * self.slice_bytes) as u64;
            let (start, end) = (at(first), at(end).min(file_bytes));
            match ranges.last_mut() {
                Some(last) if start <= last.end => last.end = last.end.max(end),
                _ => ranges.push(start..end),
            }
        }
        ranges
    }

    /// Takes the blocks that are wanted from the bytes of those ranges; gives whether all slices were as
    /// they were announced.
    pub(crate) fn take(
        &self,
        ranges: &[Range<u64>],
        bytes: &[u8],
        words: usize,
        segment: &mut [u64],
    ) -> bool {
        let mut rest = bytes;
        let mut runs = self.runs.iter().peekable();
        for range in ranges {
            let (start, end) = (range.start as usize, range.end as usize);
            // A file that is too short for what it should hold has no digests for it either.
            let Some((part, behind)) = rest.split_at_checked(end.saturating_sub(start)) else {
                return false;
            };
            rest = behind;
            let digests = self.digests.iter().skip((start - self.head_bytes) / self.slice_bytes);
            let mut slices = part.chunks(self.slice_bytes).zip(digests);
            if !slices.all(|(slice, expected)| digest(slice) == *expected) {
                return false;
            }
            while let Some(run) = runs.next_if(|run| self.bytes_of(run).start < end) {
                let from = self.bytes_of(run);
                let Some(from) = part.get(from.start - start..from.end - start) else {
                    return false;
                };
                let to = run.blocks.start * words..run.blocks.end * words;
                bytemuck::cast_slice_mut(&mut segment[to]).copy_from_slice(from);
            }
        }
        rest.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file with the blocks that are there, of two words each, and its slices' digests.
    fn file(is_there: &[bool]) -> (Vec<u8>, Vec<Digest>, Vec<u64>) {
        let words: Vec<u64> = (0..2 * is_there.len() as u64)
            .map(|word| word.wrapping_mul(0x1234_5678_9abc_def1))
            .collect();
        let mut bytes = vec![7; head_bytes(is_there.len())];
        for (block, _) in is_there.iter().enumerate().filter(|&(_, &is_there)| is_there) {
            bytes.extend_from_slice(bytemuck::cast_slice(&words[2 * block..2 * block + 2]));
        }
        let mut digests = FileHasher::new(Some(Cut::new(is_there.len(), 2)));
        // In pieces that end anywhere.
        bytes.chunks(1_000).for_each(|piece| digests.update(piece));
        (bytes, digests.finish().1, words)
    }

    #[test]
    fn what_is_wanted_of_a_file_is_taken_from_its_slices_and_nothing_else_passes() {
        for seed in 0..60usize {
            let count = 1 + seed * 37;
            let pick =
                |block: usize, every: usize| !(block * 7 + block / 11 + seed).is_multiple_of(every);
            let is_there: Vec<bool> = (0..count).map(|block| pick(block, 3)).collect();
            let is_needed: Vec<bool> =
                (0..count).map(|block| !pick(block + 5, 2 + seed % 40)).collect();
            let (bytes, digests, words) = file(&is_there);
            let mut wanted = Wanted::new(2, is_there.iter().copied().zip(&is_needed));
            assert_eq!(digests.len(), wanted.slice_count(bytes.len() as u64));
            wanted.digests = digests;
            let ranges = wanted.ranges(bytes.len() as u64);
            let part = |range: &Range<u64>| &bytes[range.start as usize..range.end as usize];
            let mut fetched = ranges.iter().map(part).collect::<Vec<_>>().concat();
            let mut segment = vec![0; 2 * count];
            assert!(wanted.take(&ranges, &fetched, 2, &mut segment));
            for block in (0..count).filter(|&block| is_there[block] && is_needed[block]) {
                assert_eq!(segment[2 * block..2 * block + 2], words[2 * block..2 * block + 2]);
            }
            let Some(last) = fetched.len().checked_sub(1) else { continue };
            assert!(!wanted.take(&ranges, &fetched[..last], 2, &mut segment));
            for at in [0, last / 2, last] {
                fetched[at] ^= 16;
                assert!(!wanted.take(&ranges, &fetched, 2, &mut segment), "byte {at}");
                fetched[at] ^= 16;
            }
        }
    }
}
