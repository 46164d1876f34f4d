//! Writer of tables: all threads digest and write chunks of the payload as they come; everything
//! before the payload is written last, because it contains their digests.

use std::sync::atomic::{AtomicU64, Ordering};

use pdb_clock::Instant;
use pdb_format::{CHUNK_BYTES, Digest, Header, digest, digest_section};

use super::table::BuildTimes;
use crate::GenError;
use crate::disk::{PendingFile, WriteLock, write_head};
use crate::monitor::Event;
use crate::threads::{Workers, map_in_threads};

/// A table whose payload is written from the first byte to the last, in parts of any length.
pub(crate) struct TableWriter<'a> {
    pending: PendingFile<'a>,
    /// The header, without the payload's digest.
    outline: Header,
    /// Digests of the chunks that were written.
    digests: Vec<Digest>,
    /// The bytes after the last whole chunk.
    tail: Vec<u8>,
    /// Number of bytes that were written.
    written: u64,
    workers: Workers<'a>,
}

impl<'a> TableWriter<'a> {
    /// Begins the file of `lock`. The payload's digest in `outline` is ignored.
    pub(crate) fn begin(
        lock: &'a WriteLock,
        outline: Header,
        workers: Workers<'a>,
    ) -> Result<Self, GenError> {
        let (pending, digests, tail) = (lock.begin()?, Vec::new(), Vec::new());
        Ok(Self { pending, outline, digests, tail, written: 0, workers })
    }

    /// Appends bytes to the payload.
    ///
    /// # Errors
    /// [`GenError::Io`], or [`GenError::Interrupted`] when cancelled.
    pub(crate) fn push(
        &mut self,
        mut bytes: &[u8],
        times: &mut BuildTimes,
    ) -> Result<(), GenError> {
        if !self.tail.is_empty() {
            let missing = CHUNK_BYTES as usize - self.tail.len();
            self.tail
                .extend(bytes.split_off(..missing.min(bytes.len())).expect("the range is within"));
            if self.tail.len() < CHUNK_BYTES as usize {
                return Ok(());
            }
            let chunk = std::mem::take(&mut self.tail);
            self.write(&chunk, times)?;
        }
        let (whole, rest) = bytes.split_at(bytes.len() - bytes.len() % CHUNK_BYTES as usize);
        self.write(whole, times)?;
        self.tail.extend(rest);
        Ok(())
    }

    /// Writes a chunk of the payload at its place, with its digest. All bytes that were pushed
    /// before must end at the end of a chunk.
    ///
    /// # Errors
    /// [`GenError::Io`], or [`GenError::Interrupted`] when cancelled.
    #[cfg(feature = "team")]
    pub(crate) fn put(
        &mut self,
        chunk: u64,
        digest: Digest,
        bytes: &[u8],
        times: &mut BuildTimes,
    ) -> Result<(), GenError> {
        self.workers.monitor.check_cancelled()?;
        let (begun, nth) = (Instant::now(), chunk as usize);
        if self.digests.len() <= nth {
            self.digests.resize(nth + 1, Digest([0; 32]));
        }
        self.digests[nth] = digest;
        self.pending.write_at(bytes, self.outline.payload_offset() + chunk * CHUNK_BYTES)?;
        self.written += bytes.len() as u64;
        times.write += begun.elapsed();
        let total = self.outline.payload_bytes();
        self.workers.monitor.event(Event::Write { done: self.written, total });
        Ok(())
    }

    /// Ends the payload, and makes the table durable and visible. Returns its header.
    ///
    /// # Errors
    /// [`GenError::Io`], or [`GenError::Interrupted`] when cancelled.
    pub(crate) fn commit(mut self, times: &mut BuildTimes) -> Result<Header, GenError> {
        let tail = std::mem::take(&mut self.tail);
        self.write(&tail, times)?;
        let (section, payload_digest) = digest_section(&self.digests);
        let header = Header { payload_digest, ..self.outline };
        write_head(&self.pending, &header, &section)?;
        self.workers.monitor.check_cancelled()?;
        self.workers.monitor.event(Event::Sync);
        let begun = Instant::now();
        self.pending.commit()?;
        times.sync = begun.elapsed();
        Ok(header)
    }

    /// Digests and writes the next chunks. Only the last chunk of the payload may be shorter.
    pub(super) fn write(&mut self, bytes: &[u8], times: &mut BuildTimes) -> Result<(), GenError> {
        let begun = Instant::now();
        let before = self.digests.len();
        let chunks = bytes.chunks(CHUNK_BYTES as usize);
        self.digests.resize(before + chunks.len(), Digest([0; 32]));
        let starts = (before as u64..).map(|chunk| chunk * CHUNK_BYTES);
        let parts = starts.zip(chunks.zip(&mut self.digests[before..]));
        let (digest_nanos, write_nanos) = (AtomicU64::new(0), AtomicU64::new(0));
        let written = AtomicU64::new(self.written);
        let Self { ref pending, ref outline, workers, .. } = *self;
        // They depend on the length of the payload, not on its digest.
        let (offset, total) = (outline.payload_offset(), outline.payload_bytes());
        map_in_threads(workers.thread_count, parts, |(at, (chunk, slot))| {
            workers.monitor.check_cancelled()?;
            let begun = Instant::now();
            *slot = digest(chunk);
            let digested = Instant::now();
            pending.write_at(chunk, offset + at)?;
            let digesting = digested.saturating_duration_since(begun);
            digest_nanos.fetch_add(digesting.as_nanos() as u64, Ordering::Relaxed);
            write_nanos.fetch_add(digested.elapsed().as_nanos() as u64, Ordering::Relaxed);
            let len = chunk.len() as u64;
            let done = written.fetch_add(len, Ordering::Relaxed) + len;
            workers.monitor.event(Event::Write { done, total });
            Ok::<_, GenError>(())
        })?;
        self.written = written.into_inner();
        let spent = begun.elapsed();
        let (digest_nanos, write_nanos) = (digest_nanos.into_inner(), write_nanos.into_inner());
        let digesting = digest_nanos as f64 / (digest_nanos + write_nanos).max(1) as f64;
        times.digest += spent.mul_f64(digesting);
        times.write += spent.saturating_sub(spent.mul_f64(digesting));
        Ok(())
    }
}
