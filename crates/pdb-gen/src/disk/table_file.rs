//! Tables on disk, read without mapping them.

use std::fs::{self, File, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use pdb_core::{PatternIndex, TableKey};
use pdb_format::{CHUNK_BYTES, Digest, FormatError, HEADER_BYTES, Header, table_digest};

use super::commit::PendingFile;
use super::platform::read_exact_at;
use crate::GenError;
use crate::monitor::Event;
use crate::threads::{Workers, map_in_threads_with};

/// Opens a regular file; `None` for anything else, which is not opened: a pipe would wait for its
/// other end, and a device might never end.
pub(crate) fn open_regular(path: &Path) -> io::Result<Option<(File, Metadata)>> {
    if !fs::metadata(path)?.is_file() {
        return Ok(None);
    }
    let file = File::open(path)?;
    let metadata = file.metadata()?;
    Ok(metadata.is_file().then_some((file, metadata)))
}

/// A table whose header and length have been checked.
#[derive(Debug)]
pub struct TableFile {
    path: PathBuf,
    file: File,
    header: Header,
}

impl TableFile {
    /// Opens a table and checks its header and length.
    ///
    /// # Errors
    /// [`GenError::Io`] or [`GenError::Format`].
    pub fn open(path: &Path) -> Result<Self, GenError> {
        let table = Self::open_unindexed(path)?;
        check_entry_count(&table.header).map_err(GenError::format(path))?;
        Ok(table)
    }

    /// Opens a table without its index, which takes time and memory for a large board. Then the
    /// number of entries in the header is not checked.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn open_unindexed(path: &Path) -> Result<Self, GenError> {
        let error = GenError::io("read", path);
        let (file, head, file_bytes) = (|| {
            let not_a_file = || {
                let problem = "expected a regular file, found a folder, a pipe or a device";
                io::Error::new(io::ErrorKind::InvalidInput, problem)
            };
            let (file, metadata) = open_regular(path)?.ok_or_else(not_a_file)?;
            let file_bytes = metadata.len();
            let mut head = vec![0; HEADER_BYTES.min(file_bytes as usize)];
            read_exact_at(&file, &mut head, 0)?;
            io::Result::Ok((file, head, file_bytes))
        })()
        .map_err(error)?;
        let header = Header::parse(&head, file_bytes).map_err(GenError::format(path))?;
        Ok(Self { path: path.to_owned(), file, header })
    }

    /// Returns the table's header.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Returns the file's path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Reads `buffer.len()` bytes at an offset.
    pub(crate) fn read_at(&self, buffer: &mut [u8], offset: u64) -> Result<(), GenError> {
        read_exact_at(&self.file, buffer, offset).map_err(GenError::io("read", &self.path))
    }

    /// Reads the digest section, and checks it against the header.
    pub(crate) fn digest_section(&self) -> Result<Vec<u8>, GenError> {
        let range = self.header.digests_range();
        let mut section = vec![0; (range.end - range.start) as usize];
        self.read_at(&mut section, range.start)?;
        self.header.check_digest_section(&section).map_err(GenError::format(&self.path))?;
        Ok(section)
    }

    /// Reads the whole payload, unchecked.
    pub(crate) fn payload(&self) -> Result<Vec<u8>, GenError> {
        let mut payload = vec![0; self.header.payload_bytes() as usize];
        self.read_at(&mut payload, self.header.payload_offset())?;
        Ok(payload)
    }

    /// Does the same as [`each_chunk`](Self::each_chunk), but passes on a chunk only if its digest
    /// is right.
    pub(crate) fn each_checked_chunk(
        &self,
        section: &[u8],
        workers: Workers<'_>,
        take: impl Fn(u64, &[u8]) -> Result<(), GenError> + Sync,
    ) -> Result<(), GenError> {
        self.each_chunk(workers, |chunk, bytes| {
            let checked = self.header.check_chunk(section, chunk, bytes);
            checked.map_err(GenError::format(&self.path))?;
            take(chunk, bytes)
        })?;
        Ok(())
    }

    /// Returns whether every digest in it is right. A table that cannot be read is an error.
    pub(crate) fn is_undamaged(&self, workers: Workers<'_>) -> Result<bool, GenError> {
        let check = |section: Vec<u8>| self.each_checked_chunk(&section, workers, |_, _| Ok(()));
        match self.digest_section().and_then(check) {
            Ok(()) => Ok(true),
            Err(GenError::Format { .. }) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Opens an existing table. Returns `None` if the file does not exist, or is not a table
    /// according to its header and length, so that it may be replaced.
    ///
    /// # Errors
    /// [`GenError::Io`] when the file exists and cannot be read, and [`GenError::Format`] when it
    /// has a newer format: a newer program made it, and it must not be replaced.
    pub fn find(path: &Path) -> Result<Option<Self>, GenError> {
        match Self::open(path) {
            Ok(table) => Ok(Some(table)),
            // Nothing, a missing folder, or a pipe or a device, which a rename replaces.
            Err(GenError::Io { source, .. })
                if matches!(
                    source.kind(),
                    io::ErrorKind::NotFound
                        | io::ErrorKind::NotADirectory
                        | io::ErrorKind::InvalidInput
                ) =>
            {
                Ok(None)
            }
            Err(error @ GenError::Format { source: FormatError::NewerVersion { .. }, .. }) => {
                Err(error)
            }
            Err(GenError::Format { .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Reads every chunk on several threads, and returns the results of `take` in the order of the
    /// chunks. `take` receives the number and the bytes of a chunk, on any thread; the first error
    /// ends the work.
    pub(crate) fn each_chunk<R: Send>(
        &self,
        workers: Workers<'_>,
        take: impl Fn(u64, &[u8]) -> Result<R, GenError> + Sync,
    ) -> Result<Vec<R>, GenError> {
        let total = self.header.payload_bytes();
        let done = AtomicU64::new(0);
        let chunks = 0..self.header.chunk_count();
        let buffer = || Vec::with_capacity(CHUNK_BYTES as usize);
        map_in_threads_with(workers.thread_count, chunks, buffer, |buffer, chunk| {
            workers.monitor.check_cancelled()?;
            let range = self.header.chunk_range(chunk);
            buffer.resize((range.end - range.start) as usize, 0);
            self.read_at(buffer, range.start)?;
            let result = take(chunk, buffer)?;
            let bytes = buffer.len() as u64;
            let done = done.fetch_add(bytes, Ordering::Relaxed) + bytes;
            workers.monitor.event(Event::Check { done, total });
            Ok(result)
        })
    }
}

/// Writes the digest section and the header, which precede the payload but contain its digests.
pub(crate) fn write_head(
    pending: &PendingFile<'_>,
    header: &Header,
    section: &[u8],
) -> Result<(), GenError> {
    pending.write_at(section, header.digests_range().start)?;
    pending.write_at(&header.to_bytes(), 0)
}

/// Checks that a table has as many entries as its index, which the header alone does not show.
pub(crate) fn check_entry_count(header: &Header) -> Result<(), FormatError> {
    let TableKey::Pattern(key) = &header.key else {
        return Ok(());
    };
    let index = PatternIndex::new(key.shape, key.tile_count(), key.mode)
        .map_err(|error| FormatError::bad_field("key", "a pattern that can be indexed", error))?;
    header.expect_entry_count(index.entry_count())
}

/// Returns the digest that identifies a whole table: that of its header, which contains the
/// payload's.
pub fn digest_of(header: &Header) -> Digest {
    table_digest(&header.to_bytes())
}
