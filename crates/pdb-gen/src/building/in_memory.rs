//! Building in memory: from a table's key to a committed file, or to a [`Table`].

use std::ops::Deref;
use std::path::Path;
use std::time::Instant;

use pdb_core::{PatternKey, TableKey, WalkingKey};
use pdb_format::{CHUNK_BYTES, Digest, Header, Packing, digest, digest_section};

use super::report::{BuildReport, BuildTimes, already_there};
use super::writer::TableWriter;
use crate::GenError;
use crate::disk::{WriteLock, end_commit};
use crate::monitor::{Event, Monitor};
use crate::packing::{Dimensions, pack_preferred};
use crate::search::{Levels, search, state_count, walking_table};
use crate::words::Words;

/// A table in memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// What the payload is; its digest matches.
    pub header: Header,
    /// The digests of the payload's chunks.
    pub digest_section: Vec<u8>,
    /// The packed entries.
    pub payload: Vec<u8>,
}

impl Table {
    /// The whole file.
    pub fn to_bytes(&self) -> Vec<u8> {
        [&self.header.to_bytes()[..], &self.digest_section, &self.payload].concat()
    }
}

/// A table's payload and what the header says about it, before anything is digested.
struct Content {
    packing: Packing,
    histogram: Vec<u64>,
    entry_count: u64,
    /// States that the search reached, regions of the blank counted apart.
    state_count: u64,
    payload: Payload,
}

/// The bytes of a payload, wherever they were made.
enum Payload {
    /// The first `len` bytes of the words: a pattern table needs the huge pages.
    Pattern {
        words: Words,
        len: usize,
    },
    Walking(Vec<u8>),
}

impl Deref for Payload {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Self::Pattern { words, len } => &bytemuck::cast_slice(words)[..*len],
            Self::Walking(bytes) => bytes,
        }
    }
}

impl Payload {
    fn into_bytes(self) -> Vec<u8> {
        match self {
            Self::Pattern { .. } => self.to_vec(),
            Self::Walking(bytes) => bytes,
        }
    }
}

fn pattern_content(
    key: &PatternKey,
    thread_count: usize,
    monitor: &Monitor<'_>,
    times: &mut BuildTimes,
) -> Result<Content, GenError> {
    let begun = Instant::now();
    let levels = search(key, thread_count, monitor)?;
    times.search = begun.elapsed();
    monitor.event(Event::Pack);
    let begun = Instant::now();
    let (packing, packed) = pack_preferred(key, &levels, thread_count)?;
    let Levels { graph, record, histogram, .. } = levels;
    // Freed before the payload takes memory, which so needs no more than the search did.
    drop(record);
    let dimensions = Dimensions::new(key, &graph, packing);
    let matrix = dimensions.matrix(&packed);
    let mut words = Words::zeroed(matrix.word_count())?;
    matrix.transpose(&mut words, thread_count);
    times.pack = begun.elapsed();
    Ok(Content {
        packing,
        histogram,
        entry_count: dimensions.entry_count(),
        state_count: state_count(key, &graph),
        payload: Payload::Pattern { words, len: matrix.byte_count() },
    })
}

fn walking_content(
    key: &WalkingKey,
    thread_count: usize,
    monitor: &Monitor<'_>,
    times: &mut BuildTimes,
) -> Result<Content, GenError> {
    let begun = Instant::now();
    let table = walking_table(key, thread_count, monitor)?;
    times.search = begun.elapsed();
    let entry_count = table.histogram.iter().sum();
    Ok(Content {
        packing: Packing::Walking,
        histogram: table.histogram,
        entry_count,
        state_count: entry_count,
        payload: Payload::Walking(table.payload),
    })
}

impl Content {
    fn compute(
        key: &TableKey,
        thread_count: usize,
        monitor: &Monitor<'_>,
        times: &mut BuildTimes,
    ) -> Result<Self, GenError> {
        match key {
            TableKey::Pattern(key) => pattern_content(key, thread_count, monitor, times),
            TableKey::Walking(key) => walking_content(key, thread_count, monitor, times),
            _ => unreachable!("there are two kinds of table"),
        }
    }

    fn header(&self, key: &TableKey, payload_digest: Digest) -> Header {
        Header {
            key: *key,
            packing: self.packing,
            entry_count: self.entry_count,
            unreached_count: self.entry_count - self.histogram.iter().sum::<u64>(),
            histogram: self.histogram.clone(),
            payload_digest,
        }
    }
}

/// Builds a table in memory.
///
/// # Errors
/// [`GenError::Index`] or another that says why the table cannot be built, or
/// [`GenError::Interrupted`].
pub fn build_in_memory(
    key: &TableKey,
    thread_count: usize,
    monitor: &Monitor<'_>,
) -> Result<Table, GenError> {
    let content = Content::compute(key, thread_count, monitor, &mut BuildTimes::default())?;
    let chunks: Vec<Digest> = content.payload.chunks(CHUNK_BYTES as usize).map(digest).collect();
    let (digest_section, payload_digest) = digest_section(&chunks);
    let header = content.header(key, payload_digest);
    Ok(Table { header, digest_section, payload: content.payload.into_bytes() })
}

/// Builds a table and commits it as `folder/` [`TableKey::file_name`].
///
/// A table that is there already, with every digest in it right, is left alone unless `replace` is set; a
/// damaged one is built anew.
///
/// # Errors
/// A [`GenError`]; the folder then holds what it held before, unless making the rename durable is
/// what failed: then the new table is there, whole, but may be gone after a power cut.
pub fn build(
    key: &TableKey,
    folder: &Path,
    thread_count: usize,
    replace: bool,
    monitor: &Monitor<'_>,
) -> Result<BuildReport, GenError> {
    let path = folder.join(key.file_name());
    // Looked for without the lock, which a read-only folder would not give, and again with it: a
    // builder that had the lock before may have finished the table.
    if !replace && let Some(report) = already_there(key, &path, thread_count, monitor)? {
        end_commit(&path)?;
        return Ok(report);
    }
    let lock = WriteLock::acquire(&path, monitor)?;
    if !replace && let Some(report) = already_there(key, &path, thread_count, monitor)? {
        lock.confirm()?;
        return Ok(report);
    }
    let mut times = BuildTimes::default();
    let content = Content::compute(key, thread_count, monitor, &mut times)?;
    let outline = content.header(key, Digest([0; 32]));
    let mut table = TableWriter::begin(&lock, outline, thread_count, monitor)?;
    table.push(&content.payload, &mut times)?;
    let header = table.commit(&mut times)?;
    let state_count = content.state_count;
    Ok(BuildReport { path, already_there: false, header, state_count, times, streamed: None })
}
