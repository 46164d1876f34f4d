//! Packing by all ranks: each has the rows of its blocks, and makes a part of the table, which
//! consists of columns.
//!
//! 1. The chunks of the table, and with them the columns that they contain, are distributed to the
//!    ranks.
//! 2. A rank packs its own blocks, which are rows, divides them, and sends each rank the words of
//!    its columns.
//! 3. When a rank has all rows of its columns, it transposes them and digests its chunks.
//! 4. Rank 0 writes its own chunks, and those of the other ranks as they arrive. The number of
//!    chunks in transit is limited.

use std::ops::Range;
use std::sync::Mutex;

use pdb_clock::Instant;
use pdb_format::{CHUNK_BYTES, DIGEST_BYTES, Digest, Header, digest};

use super::messages;
use super::rounds::{SentRound, unexpected};
use super::shares::TeamContext;
use crate::GenError;
use crate::building::{BuildTimes, TableWriter};
use crate::disk::WriteLock;
use crate::monitor::Event;
use crate::packing::{Dimensions, Packer, Slabs, pack_smallest, widest};
use crate::search::{LevelRecord, SearchSpace};
use crate::streaming::checkpoint::Checkpoint;
use crate::threads::{Workers, lock, map_in_threads};
use crate::words::Words;

const WORD_BYTES: usize = size_of::<u64>();
/// Largest size of the rows that are packed at once, in bytes, unless one cell set has more.
const ROWS_BYTES: usize = 4 << 20;
/// Largest number of chunks in transit to rank 0, but at least one from each rank.
const CHUNKS_UNDER_WAY: usize = 64;

/// Returns the peak memory of packing in bytes, without the record, on a rank with some blocks of
/// it.
pub(super) fn most_bytes(space: &SearchSpace, ranks: usize, recorded: usize) -> usize {
    let dimensions = Dimensions::new(space, widest(space.key.mode));
    let columns = dimensions.row_words().div_ceil(ranks) + 2;
    let slab = dimensions.rows * columns * WORD_BYTES;
    // Outgoing and incoming rows, the slab and its transposition, and chunks in transit.
    let chunks = (CHUNKS_UNDER_WAY + ranks) * CHUNK_BYTES as usize;
    recorded * dimensions.row_words() * WORD_BYTES + 3 * slab + chunks + 2 * ROWS_BYTES
}

/// The columns of a rank.
struct RankColumns {
    /// The chunks that the rank makes.
    chunks: Range<u64>,
    /// The words of a row that contain the rank's bytes.
    words: Range<usize>,
}

/// The columns of this rank in memory.
struct OwnSlab {
    /// The words of each row.
    rows: Words,
    /// Memory for the transposed rows.
    transposed: Words,
    columns: RankColumns,
}

/// A packing of a record by all ranks.
pub(super) struct TablePacker<'a> {
    pub(super) context: TeamContext<'a>,
    pub(super) progress: &'a Checkpoint,
}

impl TablePacker<'_> {
    /// Packs the record of this rank, and commits the table on rank 0, which has its lock.
    pub(super) fn pack(
        &self,
        mut record: LevelRecord,
        write_lock: Option<&WriteLock>,
        times: &mut BuildTimes,
    ) -> Result<Header, GenError> {
        let begun = Instant::now();
        let TeamContext { team, space, monitor, .. } = self.context;
        monitor.event(Event::Pack);
        let level_max = self.progress.level as usize;
        let (dimensions, slab) =
            pack_smallest(space, level_max, |packer| self.exchange_rows(&mut record, packer))?;
        drop(record);
        let OwnSlab { rows, mut transposed, columns: RankColumns { chunks, words } } = slab;
        let header = self.progress.header(space, dimensions.packing);
        let mut bytes: &[u8] = &[];
        if !chunks.is_empty() {
            dimensions.slab(&words, &rows).transpose(&mut transposed, space.thread_count);
            drop(rows);
            let start = chunks.start * CHUNK_BYTES;
            let end = (chunks.end * CHUNK_BYTES).min(header.payload_bytes());
            let skipped = start as usize - words.start * dimensions.rows * WORD_BYTES;
            bytes = &bytemuck::cast_slice(&transposed)[skipped..][..(end - start) as usize];
        }
        times.pack = begun.elapsed();
        // A rank begins the last round when it has sent everything, so rank 0 is the last.
        let round = if let Some(lock) = write_lock {
            let written = self.write_all(lock, header.clone(), bytes, times);
            SentRound::begin(team, written.map(|header| header.payload_digest.0.to_vec()))
        } else {
            let round = SentRound::begin(team, Ok(Vec::new()));
            self.send_chunks(&chunks, bytes, round.number())?;
            round
        };
        let digest = round.end(team)?.swap_remove(0);
        let digest: [u8; DIGEST_BYTES] = digest.try_into().map_err(|_| unexpected(team, 0))?;
        Ok(Header { payload_digest: Digest(digest), ..header })
    }

    /// Distributes the columns (step 1).
    fn columns(&self, header: &Header, dimensions: Dimensions) -> Vec<RankColumns> {
        let (ranks, chunks) = (self.context.team.count() as u64, header.chunk_count());
        let row_bits = 64 * dimensions.rows as u64;
        let columns = |rank: u64| {
            let chunks = rank * chunks / ranks..(rank + 1) * chunks / ranks;
            let start = chunks.start * CHUNK_BYTES;
            let end = (chunks.end * CHUNK_BYTES).min(header.payload_bytes());
            let words = (8 * start / row_bits) as usize..(8 * end).div_ceil(row_bits) as usize;
            let words = words.start..words.end.min(dimensions.row_words());
            RankColumns { words: if chunks.is_empty() { 0..0 } else { words }, chunks }
        };
        (0..ranks).map(columns).collect()
    }

    /// Packs and exchanges rows (steps 2 and 3, without the transposition); `None` if an excess of
    /// any rank does not fit the packing.
    fn exchange_rows(
        &self,
        record: &mut LevelRecord,
        packer: &Packer<'_>,
    ) -> Result<Option<OwnSlab>, GenError> {
        let TeamContext { team, space, .. } = self.context;
        let dimensions = packer.dimensions;
        let header = self.progress.header(space, dimensions.packing);
        let mut all_columns = self.columns(&header, dimensions);
        let own = all_columns[team.rank()].words.len();
        let words = || Words::zeroed(dimensions.rows * own);
        let mut send = || -> Result<_, GenError> {
            let (mut rows, transposed) = (words()?, words()?);
            let fits = self.send_rows(record, packer, &all_columns, &mut rows)?;
            Ok((rows, transposed, fits))
        };
        let (mut rows, transposed, part) = match send() {
            Ok((rows, transposed, fits)) => (rows, Some(transposed), Ok(vec![u8::from(fits)])),
            Err(error) => (Words::zeroed(0)?, None, Err(error)),
        };
        let own_places = space.graph.places.iter().filter(|place| record.contains(place));
        let own_rows: usize = own_places.map(|place| packer.blocks(place)).sum();
        let missing = if own == 0 || part.is_err() { 0 } else { dimensions.rows - own_rows };
        let all_fit = |parts: &[Vec<u8>]| parts.iter().all(|part| part[..] == [1]);
        let mut take = |from, message: Vec<u8>| match messages::read(&message) {
            Some((messages::ROWS, _, number)) if number == number_of(dimensions) => {
                take_rows(&message, own, dimensions.rows, &mut rows)
                    .ok_or_else(|| unexpected(team, from))
            }
            // Borders of the last level, which no rank needs, or rows of another packing.
            Some((messages::BLOCKS | messages::ROWS, ..)) => Ok(0),
            _ => Err(unexpected(team, from)),
        };
        let parts = SentRound::begin(team, part).end_after(team, missing, &all_fit, &mut take)?;
        if !all_fit(&parts) {
            return Ok(None);
        }
        let transposed = transposed.expect("an error ends the round");
        let columns = all_columns.swap_remove(team.rank());
        Ok(Some(OwnSlab { rows, transposed, columns }))
    }

    /// Packs and sends rows (step 2); those of this rank's columns go to `own`. Returns whether
    /// every excess fits the packing.
    fn send_rows(
        &self,
        record: &mut LevelRecord,
        packer: &Packer<'_>,
        columns: &[RankColumns],
        own: &mut [u64],
    ) -> Result<bool, GenError> {
        let TeamContext { team, monitor, .. } = self.context;
        let slabs: Vec<_> = columns.iter().map(|columns| columns.words.clone()).collect();
        let number = number_of(packer.dimensions);
        let own = Mutex::new(own);
        let send = |to: usize, first_row: usize, words: &[u64]| {
            let len = slabs[to].len();
            if to == team.rank() {
                lock(&own)[first_row * len..][..words.len()].copy_from_slice(words);
                return Ok(());
            }
            let bytes: &[u8] = bytemuck::cast_slice(words);
            let mut message = Vec::with_capacity(bytes.len() + 64);
            message.extend(messages::head(messages::ROWS, false, number));
            message.extend((first_row as u64).to_le_bytes());
            message.extend(((words.len() / len) as u64).to_le_bytes());
            message.extend_from_slice(bytes);
            team.send(to, message);
            Ok(())
        };
        packer.pack(record, ROWS_BYTES, &mut Slabs::new(packer, &slabs, &send), monitor)
    }

    /// Writes all chunks on rank 0 (step 4).
    fn write_all(
        &self,
        lock: &WriteLock,
        header: Header,
        own: &[u8],
        times: &mut BuildTimes,
    ) -> Result<Header, GenError> {
        let TeamContext { team, space, monitor, .. } = self.context;
        let chunk_count = header.chunk_count();
        let payload_bytes = header.payload_bytes();
        let workers = Workers { thread_count: space.thread_count, monitor };
        let mut table = TableWriter::begin(lock, header, workers)?;
        let mut done = (own.len() as u64).div_ceil(CHUNK_BYTES);
        table.push(own, times)?;
        while done < chunk_count {
            let message = team.receive(None)?;
            let Some((from, message)) = message else { continue };
            match messages::read(&message) {
                Some((messages::CHUNK, _, number)) => {
                    let at = u64::from(number) * CHUNK_BYTES;
                    let len = payload_bytes.saturating_sub(at).min(CHUNK_BYTES) as usize;
                    let head = messages::HEAD_BYTES;
                    let is_chunk = len > 0 && message.len() == head + DIGEST_BYTES + len;
                    let parts = message[head..].split_first_chunk().filter(|_| is_chunk);
                    let (digest, bytes) = parts.ok_or_else(|| unexpected(team, from))?;
                    table.put(u64::from(number), Digest(*digest), bytes, times)?;
                    done += 1;
                    team.send(from, messages::head(messages::NEXT, false, number).into());
                }
                Some((messages::BLOCKS | messages::ROWS, ..)) => {}
                _ => return Err(unexpected(team, from)),
            }
        }
        table.commit(times)
    }

    /// Sends chunks from another rank (step 4), and ends early if rank 0 has ended.
    fn send_chunks(
        &self,
        chunks: &Range<u64>,
        bytes: &[u8],
        round: Option<u64>,
    ) -> Result<(), GenError> {
        let TeamContext { team, space, .. } = self.context;
        let chunk_bytes = CHUNK_BYTES as usize;
        let pieces: Vec<_> = chunks.clone().zip(bytes.chunks(chunk_bytes)).collect();
        let most = (CHUNKS_UNDER_WAY / team.count()).max(1);
        let mut under_way = 0;
        // Each thread sends one chunk at a time.
        for some in pieces.chunks(space.thread_count) {
            while under_way + some.len() > most.max(some.len()) {
                match team.receive(round)? {
                    Some((_, message)) => {
                        let is_next =
                            matches!(messages::read(&message), Some((messages::NEXT, ..)));
                        under_way -= usize::from(is_next);
                    }
                    None => return Ok(()),
                }
            }
            under_way += some.len();
            let some = some.iter().copied();
            map_in_threads(space.thread_count, some, |(number, bytes)| {
                let mut message = Vec::with_capacity(bytes.len() + 128);
                message.extend(messages::head(messages::CHUNK, false, number as u32));
                message.extend(digest(bytes).0);
                message.extend_from_slice(bytes);
                team.send(0, message);
                Ok::<_, GenError>(())
            })?;
        }
        Ok(())
    }
}

/// Returns a number that distinguishes packings in messages.
fn number_of(dimensions: Dimensions) -> u32 {
    dimensions.entry_bits() as u32
}

/// Copies the rows of a message into a slab with `len` words per row, and returns their number.
fn take_rows(message: &[u8], len: usize, row_count: usize, slab: &mut [u64]) -> Option<usize> {
    let [first, rows, words @ ..] = messages::words(message)? else { return None };
    let number = |&word| usize::try_from(u64::from_le_bytes(word)).ok();
    let (first, rows) = (number(first)?, number(rows)?);
    let is_right = first.checked_add(rows)? <= row_count && words.len() == rows * len;
    let target = slab.get_mut(first * len..).filter(|_| is_right)?;
    bytemuck::cast_slice_mut(&mut target[..words.len()]).copy_from_slice(words);
    Some(rows)
}
