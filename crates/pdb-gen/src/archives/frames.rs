//! Frames, the parts of an archive, and their reader.
//!
//! An archive is the table's bytes in independent zstd frames, each of which states the size of its
//! content. Frame 0 holds everything before the payload: the header and the digest section. Each
//! later frame holds [`FRAME_CHUNKS`] chunks of the payload, the last one the rest. So an archive
//! unpacks in parallel, with any zstd, and each part can be checked as it arrives.
//!
//! Nothing in an archive is trusted before it is checked, and no size that it claims is allocated
//! before it is bounded:
//!
//! 1. A frame states the size of its content, which must be the size that follows from the table.
//! 2. The end of the frame is searched in the compressed bytes, up to the largest size to which
//!    such a content can be compressed.
//! 3. The frame is unpacked into a buffer of that size, and each chunk is checked against its
//!    digest.

use std::fs::File;
use std::io::{self, Read};
use std::ops::Range;
use std::path::Path;

use pdb_format::{
    CHUNK_BYTES, DIGEST_BYTES, Digest, FormatError, HEADER_BYTES, Header, PAGE_BYTES,
};
use zstd::zstd_safe;

use super::text::not_a_file;
use crate::disk::open_regular;
use crate::{ArchiveError, GenError};

/// Number of chunks of the payload in one frame.
const FRAME_CHUNKS: u64 = 4;

/// Number of bytes that are read from an archive at once.
const READ_BYTES: usize = 1 << 20;
/// Length of the longest header of a zstd frame, including the magic number, in bytes.
const FRAME_HEADER_BYTES_MAX: usize = 18;
/// Largest content of a block of a zstd frame, and smallest size of a block, in bytes.
const BLOCK_CONTENT_BYTES_MAX: u64 = 128 << 10;
const BLOCK_BYTES_MIN: u64 = 3;

/// Returns the number of frames in the archive of a table.
pub(super) fn frame_count(header: &Header) -> u64 {
    1 + header.chunk_count().div_ceil(FRAME_CHUNKS)
}

/// Returns the chunks in a frame after the first one.
fn frame_chunks(header: &Header, frame: u64) -> Range<u64> {
    (frame - 1) * FRAME_CHUNKS..(frame * FRAME_CHUNKS).min(header.chunk_count())
}

/// Returns the range of the table's bytes in a frame after the first one.
pub(super) fn frame_range(header: &Header, frame: u64) -> Range<u64> {
    let chunks = frame_chunks(header, frame);
    header.chunk_range(chunks.start).start..header.chunk_range(chunks.end - 1).end
}

/// Checks the chunks of an unpacked frame after the first one.
pub(super) fn check_frame(
    header: &Header,
    section: &[u8],
    frame: u64,
    bytes: &[u8],
) -> Result<(), FormatError> {
    frame_chunks(header, frame)
        .zip(bytes.chunks(CHUNK_BYTES as usize))
        .try_for_each(|(chunk, bytes)| header.check_chunk(section, chunk, bytes))
}

/// Unpacks a frame whose content has `content_bytes` bytes and begins at `offset` in the table.
pub(super) fn unpack_frame(
    packed: &[u8],
    content_bytes: u64,
    offset: u64,
) -> Result<Vec<u8>, ArchiveError> {
    // zstd refuses a frame whose content has another size than the frame states.
    zstd::bulk::decompress(packed, content_bytes as usize)
        .map_err(|source| ArchiveError::Unpack { offset, source })
}

/// The frames of an archive, one after another.
pub(super) struct Frames<'a> {
    pub(super) path: &'a Path,
    file: File,
    pub(super) archive_bytes: u64,
    /// Bytes that were read and are not returned yet.
    ahead: Vec<u8>,
    /// Offset in the archive of the bytes ahead.
    offset: u64,
    hasher: blake3::Hasher,
}

impl<'a> Frames<'a> {
    pub(super) fn open(path: &'a Path) -> Result<Self, GenError> {
        let (file, metadata) = open_regular(path)
            .map_err(GenError::io("read", path))?
            .ok_or_else(|| not_a_file(path))?;
        Ok(Self {
            path,
            file,
            archive_bytes: metadata.len(),
            ahead: Vec::new(),
            offset: 0,
            hasher: blake3::Hasher::new(),
        })
    }

    /// Reads until at least `bytes` bytes are ahead, or the archive ends.
    fn fill(&mut self, bytes: usize) -> io::Result<()> {
        while self.ahead.len() < bytes {
            let start = self.ahead.len();
            let read = (&self.file).take(READ_BYTES as u64).read_to_end(&mut self.ahead)?;
            self.hasher.update(&self.ahead[start..]);
            if read == 0 {
                break;
            }
        }
        Ok(())
    }

    fn no_frame(&self) -> GenError {
        let offset = self.offset;
        let expected =
            format!("a whole zstd frame that tells the size of its content at byte {offset}");
        GenError::other_archive(self.path, expected, "none")
    }

    /// Returns the size of the next frame's content, as the frame states it.
    fn next_content_bytes(&mut self) -> Result<u64, GenError> {
        self.fill(FRAME_HEADER_BYTES_MAX).map_err(GenError::io("read", self.path))?;
        match zstd_safe::get_frame_content_size(&self.ahead) {
            Ok(Some(content_bytes)) if content_bytes > 0 => Ok(content_bytes),
            _ => Err(self.no_frame()),
        }
    }

    /// Returns the next frame, still packed (steps 1 and 2).
    pub(super) fn next(&mut self, content_bytes: u64) -> Result<Vec<u8>, GenError> {
        let found = self.next_content_bytes()?;
        if found != content_bytes {
            let offset = self.offset;
            let expected =
                format!("a frame that unpacks to {content_bytes} bytes at byte {offset}");
            return Err(GenError::other_archive(self.path, expected, format!("one of {found}")));
        }
        let packed_max = zstd_safe::compress_bound(content_bytes as usize);
        self.fill(packed_max).map_err(GenError::io("read", self.path))?;
        let within = &self.ahead[..self.ahead.len().min(packed_max)];
        let Ok(packed_bytes) = zstd_safe::find_frame_compressed_size(within) else {
            return Err(self.no_frame());
        };
        self.offset += packed_bytes as u64;
        Ok(self.ahead.drain(..packed_bytes).collect())
    }

    /// Unpacks the first frame, and returns the header and the digest section, both checked.
    pub(super) fn head(&mut self) -> Result<(Header, Vec<u8>), GenError> {
        let path = self.path;
        let content_bytes = self.next_content_bytes()?;
        // The length of the archive limits the number of blocks, and thus the size of the payload
        // and of the digest section, to little more than the archive's own size.
        let payload_max =
            (self.archive_bytes / BLOCK_BYTES_MIN).saturating_mul(BLOCK_CONTENT_BYTES_MAX);
        let digests_max = payload_max.div_ceil(CHUNK_BYTES) * DIGEST_BYTES as u64;
        let expected_max = HEADER_BYTES as u64 + digests_max.next_multiple_of(PAGE_BYTES);
        if content_bytes > expected_max {
            let expected = format!("a first frame that unpacks to at most {expected_max} bytes");
            return Err(GenError::other_archive(path, expected, format!("one of {content_bytes}")));
        }
        let packed = self.next(content_bytes)?;
        let mut bytes = unpack_frame(&packed, content_bytes, 0).map_err(GenError::archive(path))?;
        let section = bytes.split_off(bytes.len().min(HEADER_BYTES));
        let checked = parse_header(&bytes).and_then(|header| {
            header.check_digest_section(&section)?;
            Ok(header)
        });
        Ok((checked.map_err(GenError::format(path))?, section))
    }

    /// Checks that nothing follows the last frame, and returns the digest of the archive.
    pub(super) fn end(&mut self) -> Result<Digest, GenError> {
        self.fill(1).map_err(GenError::io("read", self.path))?;
        if !self.ahead.is_empty() {
            let expected = format!("the end of the archive after {} bytes", self.offset);
            let found = format!("{} bytes", self.archive_bytes);
            return Err(GenError::other_archive(self.path, expected, found));
        }
        Ok(Digest(*self.hasher.finalize().as_bytes()))
    }
}

/// Reads a header whose file does not exist yet, so its length is the one in the header.
fn parse_header(bytes: &[u8]) -> Result<Header, FormatError> {
    match Header::parse(bytes, u64::MAX) {
        Err(FormatError::TooLong { expected, .. }) => Header::parse(bytes, expected),
        other => other,
    }
}
