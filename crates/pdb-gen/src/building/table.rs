//! A table in memory: searched, packed and digested.

use std::time::Duration;

use pdb_clock::Instant;
use pdb_core::TableKey;
use pdb_format::{CHUNK_BYTES, Digest, Header, Packing, digest, digest_section};

use crate::GenError;
use crate::monitor::{Event, Monitor};
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

/// Time of each part of a build.
///
/// All times but `digest` and `write` are elapsed times. Those two overlap on several threads, so
/// they are shares of the elapsed time, in proportion to the time of the threads.
#[derive(Clone, Copy, Debug, Default)]
pub struct BuildTimes {
    /// Breadth-first search.
    pub search: Duration,
    /// Packing, and transposing the entries into their order.
    pub pack: Duration,
    /// Digesting the payload.
    pub digest: Duration,
    /// Writing the payload to the file.
    pub write: Duration,
    /// Making the file durable and renaming it.
    pub sync: Duration,
}

impl BuildTimes {
    /// Returns the time of the whole build.
    pub fn total(&self) -> Duration {
        self.search + self.pack + self.digest + self.write + self.sync
    }
}

/// A computed table without digests.
pub(super) struct Content {
    /// The header, without the payload's digest.
    pub(super) header: Header,
    /// Number of states that the search reached; regions of the blank count separately.
    pub(super) state_count: u64,
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

    pub(super) fn compute(
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

    pub(super) fn payload(&self) -> &[u8] {
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
