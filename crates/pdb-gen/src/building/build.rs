//! Building in memory: from a table's key to a committed file, or to a [`Table`]; and the start of
//! every build.

use std::path::Path;
use std::time::Instant;

use pdb_core::TableKey;
use pdb_format::{CHUNK_BYTES, Digest, Header, Packing, digest, digest_section};

use super::report::{BuildReport, BuildTimes, already_there};
use super::writer::TableWriter;
use crate::GenError;
use crate::disk::{WriteLock, end_commit};
use crate::monitor::{Event, Monitor, SILENT};
use crate::packing::{Dimensions, pack, pack_smallest};
use crate::search::{Levels, WalkingTable, search, state_count, walking_table};
use crate::words::Words;

/// A table in memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// The header, with the digest of the payload.
    pub header: Header,
    /// The digests of the payload's chunks.
    pub digest_section: Vec<u8>,
    /// The packed entries.
    pub payload: Vec<u8>,
}

/// A computed table without digests.
struct Content {
    /// The header, without the payload's digest.
    header: Header,
    /// Number of states that the search reached; regions of the blank count separately.
    state_count: u64,
    /// The payload, perhaps followed by other bytes.
    words: Words,
}

impl Content {
    fn new(
        key: &TableKey,
        packing: Packing,
        entry_count: u64,
        histogram: Vec<u64>,
        state_count: u64,
        words: Words,
    ) -> Self {
        let header = Header {
            key: *key,
            packing,
            entry_count,
            unreached_count: entry_count - histogram.iter().sum::<u64>(),
            histogram,
            payload_digest: Digest([0; 32]),
        };
        Self { header, state_count, words }
    }

    fn compute(
        table_key: &TableKey,
        thread_count: usize,
        monitor: &Monitor<'_>,
        times: &mut BuildTimes,
    ) -> Result<Self, GenError> {
        let begun = Instant::now();
        let key = match table_key {
            TableKey::Pattern(key) => key,
            TableKey::Walking(key) => {
                let WalkingTable { words, histogram } = walking_table(key, thread_count, monitor)?;
                times.search = begun.elapsed();
                let count = histogram.iter().sum();
                return Ok(Self::new(table_key, Packing::Walking, count, histogram, count, words));
            }
        };
        let levels = search(key, thread_count, monitor)?;
        times.search = begun.elapsed();
        monitor.event(Event::Pack);
        let begun = Instant::now();
        let (packing, packed) =
            pack_smallest(key.mode, |packing| pack(key, &levels, packing, thread_count))?;
        let Levels { graph, record, histogram, .. } = levels;
        // Frees the record first, so that the payload never exceeds the peak of the search.
        drop(record);
        let dimensions = Dimensions::new(key, &graph, packing);
        let matrix = dimensions.matrix(&packed);
        let mut words = Words::zeroed(matrix.word_count())?;
        matrix.transpose(&mut words, thread_count);
        times.pack = begun.elapsed();
        let (entries, states) = (dimensions.entry_count(), state_count(key, &graph));
        Ok(Self::new(table_key, packing, entries, histogram, states, words))
    }

    fn payload(&self) -> &[u8] {
        &bytemuck::cast_slice(&self.words)[..self.header.payload_bytes() as usize]
    }
}

impl Table {
    /// Builds a table in memory.
    ///
    /// # Errors
    /// [`GenError::Index`] or another reason why the table cannot be built, or
    /// [`GenError::Interrupted`].
    pub fn build(
        key: &TableKey,
        thread_count: usize,
        monitor: &Monitor<'_>,
    ) -> Result<Self, GenError> {
        let content = Content::compute(key, thread_count, monitor, &mut BuildTimes::default())?;
        let chunks: Vec<Digest> =
            content.payload().chunks(CHUNK_BYTES as usize).map(digest).collect();
        let (digest_section, payload_digest) = digest_section(&chunks);
        let payload = content.payload().to_vec();
        let header = Header { payload_digest, ..content.header };
        Ok(Self { header, digest_section, payload })
    }

    /// Returns the bytes of the whole file.
    pub fn to_bytes(&self) -> Vec<u8> {
        [&self.header.to_bytes()[..], &self.digest_section, &self.payload].concat()
    }
}

/// A build of tables into a folder.
///
/// An existing table with every digest right is left alone unless `replace` is set; a damaged one
/// is built again.
#[derive(Clone, Copy, Debug)]
pub struct Build<'a> {
    /// The folder of the tables, in which each is named [`TableKey::file_name`].
    pub folder: &'a Path,
    /// Number of threads.
    pub thread_count: usize,
    /// Whether an existing table is built again.
    pub replace: bool,
    /// Receiver of events.
    pub monitor: &'a Monitor<'a>,
}

/// The start of a build.
pub(crate) enum Start {
    /// The table exists. The lock is held if there was a reason to take it, such as the work folder
    /// of a build that was killed at its very end.
    AlreadyThere(Box<BuildReport>, Option<WriteLock>),
    /// The table is to be built, and this process holds the lock for writing it.
    Locked(WriteLock),
}

impl<'a> Build<'a> {
    /// Creates builds into a folder on one thread, which replace no table and report no events.
    pub fn new(folder: &'a Path) -> Self {
        Self { folder, thread_count: 1, replace: false, monitor: &SILENT }
    }

    /// Builds a table in memory and commits it.
    ///
    /// # Errors
    /// A [`GenError`]; then the folder is unchanged, unless the failed step was to make the rename
    /// durable: in that case the new table exists, but a power failure may lose it.
    pub fn in_memory(&self, key: &TableKey) -> Result<BuildReport, GenError> {
        let lock = match self.start(key, None)? {
            Start::AlreadyThere(report, _) => return Ok(*report),
            Start::Locked(lock) => lock,
        };
        let mut times = BuildTimes::default();
        let content = Content::compute(key, self.thread_count, self.monitor, &mut times)?;
        let header = content.header.clone();
        let mut table = TableWriter::begin(&lock, header, self.thread_count, self.monitor)?;
        table.push(content.payload(), &mut times)?;
        let header = table.commit(&mut times)?;
        let path = self.folder.join(key.file_name());
        Ok(BuildReport::new(path, header, content.state_count, times, None))
    }

    /// Looks for the table, or locks it for writing. If the folder `work` exists, it takes the lock
    /// even if the table exists.
    pub(crate) fn start(&self, key: &TableKey, work: Option<&Path>) -> Result<Start, GenError> {
        let path = self.folder.join(key.file_name());
        let already_there = || {
            if self.replace {
                return Ok(None);
            }
            already_there(key, &path, self.thread_count, self.monitor)
        };
        // The first look is without the lock, because a read-only folder would refuse it. The
        // second look is with the lock, because its previous owner may have finished the table.
        if !work.is_some_and(Path::exists)
            && let Some(report) = already_there()?
        {
            end_commit(&path)?;
            return Ok(Start::AlreadyThere(Box::new(report), None));
        }
        let lock = WriteLock::acquire(&path, self.monitor)?;
        if let Some(report) = already_there()? {
            lock.confirm()?;
            return Ok(Start::AlreadyThere(Box::new(report), Some(lock)));
        }
        Ok(Start::Locked(lock))
    }
}
