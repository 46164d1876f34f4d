//! A table in memory: searched, packed and digested.

use std::time::Duration;

use pdb_clock::Instant;
use pdb_core::TableKey;
use pdb_format::{CHUNK_BYTES, Digest, Header, Packing, digest, digest_section};

use crate::GenError;
use crate::monitor::{Event, Monitor};
use crate::packing::pack_smallest;
use crate::search::{SearchSpace, coloured_table, search, walking_table};
use crate::threads::Workers;
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

/// Returns the header of a table whose payload is not digested yet. The unreached entries are those
/// that the histogram does not count.
pub(crate) fn outline(
    key: TableKey,
    packing: Packing,
    entry_count: u64,
    histogram: Vec<u64>,
) -> Header {
    let unreached_count = entry_count.saturating_sub(histogram.iter().sum());
    let payload_digest = Digest([0; 32]);
    Header { key, packing, entry_count, unreached_count, histogram, payload_digest }
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

/// The search space of the last build in memory. The next build takes less time if its pattern has
/// the same shape, number of tiles and blank mode.
#[derive(Debug, Default)]
pub struct Workspace(Option<SearchSpace>);

impl Content {
    pub(super) fn compute(
        table_key: &TableKey,
        workspace: &mut Workspace,
        workers: Workers<'_>,
        times: &mut BuildTimes,
    ) -> Result<Self, GenError> {
        let Workers { thread_count, monitor } = workers;
        let begun = Instant::now();
        let mut whole = |packing, (words, histogram): (Words, Vec<u64>)| {
            times.search = begun.elapsed();
            let state_count = histogram.iter().sum();
            let header = outline(*table_key, packing, state_count, histogram);
            Ok(Self { header, state_count, words })
        };
        let key = match table_key {
            TableKey::Pattern(key) => key,
            TableKey::Walking(key) => {
                return whole(Packing::Walking, walking_table(key, workers)?);
            }
            TableKey::Coloured(key) => {
                return whole(Packing::Slides, coloured_table(key, workers)?);
            }
        };
        let space = SearchSpace::after(workspace.0.take(), key, thread_count)?;
        let (mut record, histogram) = search(&space, monitor)?;
        times.search = begun.elapsed();
        monitor.event(Event::Pack);
        let begun = Instant::now();
        let (dimensions, packed) = pack_smallest(&space, histogram.len() - 1, |packer| {
            let mut packed = Words::zeroed(0)?;
            let fits = packer.pack(&mut record, usize::MAX, &mut packed, monitor)?;
            Ok(fits.then_some(packed))
        })?;
        // Frees the record first, so that the payload never exceeds the peak of the search.
        drop(record);
        let words = dimensions.matrix(&packed).transposed(thread_count)?;
        times.pack = begun.elapsed();
        let header = outline(*table_key, dimensions.packing, dimensions.entry_count(), histogram);
        let state_count = space.state_count;
        workspace.0 = Some(space);
        Ok(Self { header, state_count, words })
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
        let (mut workspace, mut times) = (Workspace::default(), BuildTimes::default());
        let workers = Workers { thread_count, monitor };
        let content = Content::compute(key, &mut workspace, workers, &mut times)?;
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
