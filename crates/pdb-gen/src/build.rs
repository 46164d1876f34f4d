//! Building: from a table's key to a committed file.

use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use pdb_core::{BlankMode, PatternKey, TableKey, WalkingKey};
use pdb_format::{
    CHUNK_BYTES, Digest, FormatError, Header, Packing, digest, digest_section, table_digest,
};

use crate::commit::{Pending, WriteLock, end_commit};
use crate::graph::BlockGraph;
use crate::monitor::{Event, Monitor};
use crate::pack::entry_bits;
use crate::payload::PayloadWriter;
use crate::stream::Streamed;
use crate::transpose::Matrix;
use crate::words::Words;
use crate::{GenError, file, pack, sweep, walking};

/// The largest Walking Distance table that is built: its states are kept in memory, with a map.
pub const WALKING_STATES_MAX: usize = 20_000_000;

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

/// What a build took.
#[derive(Clone, Debug)]
pub struct BuildReport {
    /// The committed file.
    pub path: PathBuf,
    /// The file was there already, with the right key, and was left alone.
    pub already_there: bool,
    /// What the file says of itself.
    pub header: Header,
    /// States that the search reached, regions of the blank counted apart; 0 where nothing was
    /// searched.
    pub state_count: u64,
    /// Where the time went.
    pub times: BuildTimes,
    /// How the build streamed from disk, if it did.
    pub streamed: Option<Streamed>,
}

/// Where a build's time went.
///
/// All but `digest` and `write` are times by the clock; those two overlap on several threads, and
/// share out the time by the clock in proportion to what the threads spent.
#[derive(Clone, Copy, Debug, Default)]
pub struct BuildTimes {
    /// Breadth-first search.
    pub search: Duration,
    /// Packing, and putting the entries in their order.
    pub pack: Duration,
    /// Digesting the payload.
    pub digest: Duration,
    /// Writing the payload to the file.
    pub write: Duration,
    /// Making the file durable and renaming it.
    pub sync: Duration,
}

impl BuildTimes {
    /// The whole build.
    pub fn total(&self) -> Duration {
        self.search + self.pack + self.digest + self.write + self.sync
    }
}

fn pattern_content(
    key: &PatternKey,
    thread_count: usize,
    monitor: &Monitor<'_>,
    times: &mut BuildTimes,
) -> Result<Content, GenError> {
    let begun = Instant::now();
    let levels = sweep::search(key, thread_count, monitor)?;
    times.search = begun.elapsed();
    monitor.event(Event::Pack);
    let begun = Instant::now();
    let mut packing = pack::preferred(key.mode);
    let mut packed = pack::pack(key, &levels, packing, thread_count)?;
    if packed.is_none() {
        packing = Packing::Byte;
        packed = pack::pack(key, &levels, packing, thread_count)?;
    }
    let packed = packed.expect("half of a level fits a byte, so an excess does");
    let sweep::Levels { graph, record, histogram, .. } = levels;
    // Freed before the payload takes memory, which so needs no more than the search did.
    drop(record);
    let blocks = row_count(key, &graph);
    let block_len = graph.index.block_len();
    let (columns, entry_bits) = (block_len as usize, entry_bits(packing));
    let row_bits = columns * entry_bits;
    let matrix = Matrix { words: &packed, rows: blocks, columns, row_bits, entry_bits };
    let mut words = Words::zeroed(matrix.word_count())?;
    matrix.transpose(&mut words, thread_count);
    times.pack = begun.elapsed();
    Ok(Content {
        packing,
        histogram,
        entry_count: blocks as u64 * block_len,
        state_count: sweep::state_count(key, &graph),
        payload: Payload::Pattern { words, len: matrix.byte_count() },
    })
}

/// Blocks that the table of a pattern has.
pub(crate) fn row_count(key: &PatternKey, graph: &BlockGraph) -> usize {
    match key.mode {
        BlankMode::Aware | BlankMode::Plain => graph.index.block_count(),
        BlankMode::Collapsed => graph.index.set_count(),
    }
}

fn walking_content(
    key: &WalkingKey,
    monitor: &Monitor<'_>,
    times: &mut BuildTimes,
) -> Result<Content, GenError> {
    let begun = Instant::now();
    let table = walking::build(key, WALKING_STATES_MAX, monitor)?;
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
            TableKey::Walking(key) => walking_content(key, monitor, times),
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
/// A table that is there already, and whole as far as its header and length tell, is left alone
/// unless `replace` is set; a damaged one is built anew.
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
    if !replace && let Some(report) = already_there(key, &path)? {
        end_commit(&path)?;
        return Ok(report);
    }
    let lock = WriteLock::acquire(&path, monitor)?;
    if !replace && let Some(report) = already_there(key, &path)? {
        lock.confirm()?;
        return Ok(report);
    }
    let mut times = BuildTimes::default();
    let content = Content::compute(key, thread_count, monitor, &mut times)?;
    let pending = lock.begin()?;
    // The header's offsets depend on the length of the payload, not on its digest.
    let offset = content.header(key, Digest([0; 32])).payload_offset();
    let total = content.payload.len() as u64;
    let mut payload = PayloadWriter::new(&pending, offset, total, thread_count, monitor);
    payload.push(&content.payload, &mut times)?;
    let digests = payload.finish(&mut times)?;
    let header = write_header(&pending, &digests, |digest| content.header(key, digest))?;
    commit(pending, monitor, &mut times)?;
    let state_count = content.state_count;
    Ok(BuildReport { path, already_there: false, header, state_count, times, streamed: None })
}

/// The report of a table that is there already, whole as far as its header and length tell.
pub(crate) fn already_there(key: &TableKey, path: &Path) -> Result<Option<BuildReport>, GenError> {
    let header = match file::TableFile::open(path) {
        Ok(table) => table.header().clone(),
        // Somebody's newer program made it; to throw it away takes an explicit wish.
        Err(error @ GenError::Format { source: FormatError::NewerVersion { .. }, .. }) => {
            return Err(error);
        }
        Err(_) => return Ok(None),
    };
    let times = BuildTimes::default();
    let path = path.to_owned();
    Ok((header.key == *key).then_some(BuildReport {
        path,
        already_there: true,
        header,
        state_count: 0,
        times,
        streamed: None,
    }))
}

/// Writes the digest section and the header, once the chunks are written.
pub(crate) fn write_header(
    pending: &Pending<'_>,
    digests: &[Digest],
    header: impl FnOnce(Digest) -> Header,
) -> Result<Header, GenError> {
    let (section, payload_digest) = digest_section(digests);
    let header = header(payload_digest);
    pending.write_at(&section, header.digests_range().start)?;
    pending.write_at(&header.to_bytes(), 0)?;
    Ok(header)
}

/// Makes a table durable and visible.
pub(crate) fn commit(
    pending: Pending<'_>,
    monitor: &Monitor<'_>,
    times: &mut BuildTimes,
) -> Result<(), GenError> {
    if monitor.is_cancelled() {
        return Err(GenError::Interrupted);
    }
    monitor.event(Event::Sync);
    let begun = Instant::now();
    pending.commit()?;
    times.sync = begun.elapsed();
    Ok(())
}

/// Runs `work` on so many threads and returns the first error.
pub(crate) fn in_threads<E: Send>(
    thread_count: usize,
    work: impl Fn() -> Result<(), E> + Sync,
) -> Result<(), E> {
    std::thread::scope(|scope| {
        let others: Vec<_> = (1..thread_count).map(|_| scope.spawn(&work)).collect();
        let mut result = work();
        for other in others {
            result = result.and(other.join().expect("a working thread does not panic"));
        }
        result
    })
}

/// The digest that stands for a whole table: of its header, which holds the payload's.
pub fn digest_of(header: &Header) -> Digest {
    table_digest(&header.to_bytes())
}
