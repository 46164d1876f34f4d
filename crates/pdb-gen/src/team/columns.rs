//! Packing by all ranks: each has the rows of its blocks, and makes a part of the table, which is columns.
//!
//! 1. The chunks of the table are shared out to the ranks, and with them the columns that they hold.
//! 2. A rank packs its own blocks, which are rows, cuts them, and sends each rank what is in its columns.
//! 3. When all rows of its columns have come, a rank transposes them, and digests its chunks.
//! 4. Rank 0 writes its own chunks, and those of the others as they come. No more than some are under way.

use std::ops::Range;
use std::time::Instant;

use crossbeam::queue::SegQueue;
use pdb_core::{BlankMode, PatternKey};
use pdb_format::{CHUNK_BYTES, DIGEST_BYTES, Digest, Header, Packing, digest};

use super::exchange::{Offered, offer};
use super::letters;
use super::shares::Shares;
use crate::GenError;
use crate::building::{BuildTimes, TableWriter};
use crate::disk::WriteLock;
use crate::monitor::Monitor;
use crate::packing::{Dimensions, Packer, copy_bits, preferred};
use crate::ranks::Team;
use crate::search::{BlockGraph, Record};
use crate::streaming::segments::Segments;
use crate::threads::in_threads;
use crate::words::Words;

const WORD_BYTES: usize = size_of::<u64>();
/// Rows are packed in parts of so many bytes, or of one cell set.
const ROWS_BYTES: usize = 4 << 20;
/// So many chunks of all ranks together are on their way to rank 0, but one of each rank at least.
const CHUNKS_UNDER_WAY: usize = 64;

/// What all ranks know of a table that is to be packed.
pub(super) struct Columns<'a> {
    pub(super) team: &'a dyn Team,
    pub(super) key: &'a PatternKey,
    pub(super) graph: &'a BlockGraph,
    pub(super) segments: &'a Segments,
    pub(super) shares: &'a Shares,
    pub(super) level_max: usize,
    pub(super) thread_count: usize,
    pub(super) monitor: &'a Monitor<'a>,
}

/// The most bytes that packing takes, apart from the record, on a rank with so many blocks of that.
pub(super) fn most_bytes(
    key: &PatternKey,
    graph: &BlockGraph,
    ranks: usize,
    recorded: usize,
) -> usize {
    let packing = match key.mode {
        BlankMode::Aware | BlankMode::Plain => preferred(key.mode),
        BlankMode::Collapsed => Packing::Byte,
    };
    let dimensions = Dimensions::new(key, graph, packing);
    let columns = dimensions.row_words().div_ceil(ranks) + 2;
    let slab = dimensions.rows * columns * WORD_BYTES;
    // Rows on their way out and in, the slab and what it turns into, and chunks on their way.
    let chunks = (CHUNKS_UNDER_WAY + ranks) * CHUNK_BYTES as usize;
    recorded * dimensions.row_words() * WORD_BYTES + 3 * slab + chunks + 2 * ROWS_BYTES
}

/// The columns of a rank.
struct Part {
    /// The chunks that it makes.
    chunks: Range<u64>,
    /// The words of a row that its bytes are in.
    words: Range<usize>,
}

/// Consecutive rows that a rank packs at once.
struct Piece {
    /// Ranks of their cell sets.
    places: Range<usize>,
    first_row: usize,
    rows: usize,
}

impl Columns<'_> {
    /// Step 1.
    fn parts(&self, outline: &Header, dimensions: Dimensions) -> Vec<Part> {
        let (ranks, chunks) = (self.team.count() as u64, outline.chunk_count());
        let row_bits = 64 * dimensions.rows as u64;
        let part = |rank: u64| {
            let chunks = rank * chunks / ranks..(rank + 1) * chunks / ranks;
            let start = chunks.start * CHUNK_BYTES;
            let end = (chunks.end * CHUNK_BYTES).min(outline.payload_bytes());
            let words = (8 * start / row_bits) as usize..(8 * end).div_ceil(row_bits) as usize;
            let words = words.start..words.end.min(dimensions.row_words());
            Part { words: if chunks.is_empty() { 0..0 } else { words }, chunks }
        };
        (0..ranks).map(part).collect()
    }

    /// The rows of this rank's blocks.
    fn pieces(&self, packer: &Packer<'_>, row_bits: usize) -> Vec<Piece> {
        let own = self.shares.sets(self.segments, self.team.rank());
        let mut pieces: Vec<Piece> = Vec::new();
        let mut row = 0;
        for (nth, place) in self.graph.places.iter().enumerate() {
            let rows = packer.blocks(place);
            if own[place.class].contains(&place.set) {
                match pieces.last_mut() {
                    Some(last)
                        if last.places.end == nth
                            && (last.rows + rows) * row_bits <= 8 * ROWS_BYTES =>
                    {
                        last.places.end += 1;
                        last.rows += rows;
                    }
                    _ => pieces.push(Piece { places: nth..nth + 1, first_row: row, rows }),
                }
            }
            row += rows;
        }
        pieces
    }

    /// Packs what this rank has recorded, and commits the table on rank 0, which has its lock. `outline` makes the
    /// header of a packing. Gives what rank 0 says of the table at the end.
    pub(super) fn pack(
        &self,
        record: Record,
        lock: Option<&WriteLock>,
        outline: &dyn Fn(Packing) -> Result<Header, GenError>,
        tell: &dyn Fn(&Header) -> Vec<u8>,
        times: &mut BuildTimes,
    ) -> Result<Vec<u8>, GenError> {
        let begun = Instant::now();
        let preferred = preferred(self.key.mode);
        let mut packed = self.pack_in(&record, preferred, &outline(preferred)?)?;
        if packed.is_none() {
            packed = self.pack_in(&record, Packing::Byte, &outline(Packing::Byte)?)?;
        }
        drop(record);
        let (packing, slab, mut transposed, part) =
            packed.expect("half of a level fits a byte, so an excess does");
        let outline = outline(packing)?;
        let dimensions = Dimensions::new(self.key, self.graph, packing);
        let matrix = dimensions.slab(&part.words, &slab);
        if !part.chunks.is_empty() {
            matrix.transpose(&mut transposed, self.thread_count);
        }
        drop(slab);
        let skipped =
            part.chunks.start * CHUNK_BYTES - (part.words.start * dimensions.rows * 8) as u64;
        let end = (part.chunks.end * CHUNK_BYTES).min(outline.payload_bytes());
        let len = end.saturating_sub(part.chunks.start * CHUNK_BYTES) as usize;
        let bytes: &[u8] = bytemuck::cast_slice(&transposed);
        let bytes = if part.chunks.is_empty() { &[] } else { &bytes[skipped as usize..][..len] };
        times.pack = begun.elapsed();
        // The end is offered by whoever has given all: rank 0 last.
        let offered = if let Some(lock) = lock {
            let header = self.write_all(lock, outline, bytes, times);
            offer(self.team, header.map(|header| tell(&header)))
        } else {
            let offered = offer(self.team, Ok(Vec::new()));
            self.send_chunks(&part.chunks, bytes, offered.round())?;
            offered
        };
        Ok(offered.collect(self.team)?.swap_remove(0))
    }

    /// Steps 2 and 3, up to the transposing; nothing when an excess does not fit the packing.
    fn pack_in(
        &self,
        record: &Record,
        packing: Packing,
        outline: &Header,
    ) -> Result<Option<(Packing, Words, Words, Part)>, GenError> {
        let team = self.team;
        let dimensions = Dimensions::new(self.key, self.graph, packing);
        let mut parts = self.parts(outline, dimensions);
        let own = parts[team.rank()].words.clone();
        let memory = Words::zeroed(dimensions.rows * own.len())
            .and_then(|slab| Ok((slab, Words::zeroed(dimensions.rows * own.len())?)));
        let packer = Packer::new(self.key, self.graph, packing, self.level_max);
        let pieces = self.pieces(&packer, dimensions.row_bits());
        let mut memory = memory;
        let fits = match &mut memory {
            Ok((slab, _)) => self.send_rows(record, &packer, &pieces, &parts, dimensions, slab),
            Err(_) => Ok(false),
        };
        let (memory, fits) = match (memory, fits) {
            (Ok(memory), Ok(fits)) => (Some(memory), Ok(fits)),
            (Ok(_), Err(error)) | (Err(error), _) => (None, Err(error)),
        };
        let offered = offer(team, fits.map(|fits| vec![u8::from(fits)]));
        let Some((mut slab, transposed)) = memory else {
            return Err(offered.collect(team).expect_err("this rank has one"));
        };
        let all_fit = |parts: Vec<Vec<u8>>| parts.iter().all(|part| part[..] == [1]);
        let own_rows: usize = pieces.iter().map(|piece| piece.rows).sum();
        let mut missing = if own.is_empty() { 0 } else { dimensions.rows - own_rows };
        let mut offered = Some(offered);
        while missing > 0 {
            let round = offered.as_ref().and_then(Offered::round);
            let letter = team.receive(round).map_err(|error| error.named(team))?;
            let Some((from, letter)) = letter else {
                let offered = offered.take().expect("its round was named");
                if !all_fit(offered.collect(team)?) {
                    return Ok(None);
                }
                continue;
            };
            // Borders of the last level, which nobody waited for; rows of another packing.
            match letters::read(&letter) {
                Some((letters::ROWS, _, number)) if number == dimensions.number() => {}
                Some((letters::BLOCKS | letters::ROWS, ..)) => continue,
                _ => return Err(letters::unexpected(team, from)),
            }
            let rows = take_rows(letter, own.len(), dimensions.rows, &mut slab);
            missing = rows
                .and_then(|rows| missing.checked_sub(rows))
                .ok_or_else(|| letters::unexpected(team, from))?;
        }
        if let Some(offered) = offered
            && !all_fit(offered.collect(team)?)
        {
            return Ok(None);
        }
        Ok(Some((packing, slab, transposed, parts.swap_remove(team.rank()))))
    }

    /// Step 2; gives whether every excess fits the packing.
    fn send_rows(
        &self,
        record: &Record,
        packer: &Packer<'_>,
        pieces: &[Piece],
        parts: &[Part],
        dimensions: Dimensions,
        slab: &mut [u64],
    ) -> Result<bool, GenError> {
        let (me, row_bits) = (self.team.rank(), dimensions.row_bits());
        let most = pieces.iter().map(|piece| (piece.rows * row_bits).div_ceil(64)).max();
        let mut packed = Words::zeroed(most.unwrap_or(0))?;
        for Piece { places, first_row, rows } in pieces {
            if self.monitor.is_cancelled() {
                return Err(GenError::Interrupted);
            }
            let byte_count = (rows * row_bits).div_ceil(8);
            let word_count = byte_count.div_ceil(WORD_BYTES);
            packed[..word_count].fill(0);
            let out = &mut bytemuck::cast_slice_mut(&mut packed)[..byte_count];
            if !packer.pack(record, places.clone(), out, self.thread_count) {
                return Ok(false);
            }
            let packed = &packed[..word_count];
            let cut = |words: &Range<usize>, out: &mut [u64]| {
                for (row, out) in out.chunks_exact_mut(words.len()).enumerate() {
                    copy_bits(packed, row * row_bits + 64 * words.start, out);
                }
            };
            let queue = SegQueue::new();
            for (to, part) in parts.iter().enumerate().filter(|(_, part)| !part.words.is_empty()) {
                if to == me {
                    let len = part.words.len();
                    cut(&part.words, &mut slab[first_row * len..(first_row + rows) * len]);
                } else {
                    queue.push((to, &part.words));
                }
            }
            in_threads(self.thread_count.min(queue.len()).max(1), || -> Result<(), GenError> {
                let mut columns = Vec::new();
                while let Some((to, words)) = queue.pop() {
                    columns.clear();
                    columns.resize(rows * words.len(), 0u64);
                    cut(words, &mut columns);
                    let bytes: &[u8] = bytemuck::cast_slice(&columns);
                    let mut letter = Vec::with_capacity(bytes.len() + 64);
                    letter.extend(letters::head(letters::ROWS, false, dimensions.number()));
                    letter.extend((*first_row as u64).to_le_bytes());
                    letter.extend((*rows as u64).to_le_bytes());
                    letter.extend_from_slice(bytes);
                    self.team.send(to, letter);
                }
                Ok(())
            })?;
        }
        Ok(true)
    }

    /// Step 4 on rank 0.
    fn write_all(
        &self,
        lock: &WriteLock,
        outline: Header,
        own: &[u8],
        times: &mut BuildTimes,
    ) -> Result<Header, GenError> {
        let team = self.team;
        let chunk_count = outline.chunk_count();
        let payload_bytes = outline.payload_bytes();
        let mut table = TableWriter::begin(lock, outline, self.thread_count, self.monitor)?;
        let mut done = (own.len() as u64).div_ceil(CHUNK_BYTES);
        table.push(own, times)?;
        while done < chunk_count {
            let letter = team.receive(None).map_err(|error| error.named(team))?;
            let Some((from, letter)) = letter else { continue };
            match letters::read(&letter) {
                Some((letters::CHUNK, _, number)) => {
                    let at = u64::from(number) * CHUNK_BYTES;
                    let len = payload_bytes.saturating_sub(at).min(CHUNK_BYTES) as usize;
                    let head = letters::head(letters::CHUNK, false, number).len();
                    let is_chunk = len > 0 && letter.len() == head + DIGEST_BYTES + len;
                    let parts = letter[head..].split_first_chunk().filter(|_| is_chunk);
                    let (digest, bytes) = parts.ok_or_else(|| letters::unexpected(team, from))?;
                    table.put(u64::from(number), Digest(*digest), bytes, times)?;
                    done += 1;
                    team.send(from, letters::head(letters::NEXT, false, number).into());
                }
                Some((letters::BLOCKS | letters::ROWS, ..)) => {}
                _ => return Err(letters::unexpected(team, from)),
            }
        }
        table.commit(times)
    }

    /// Step 4 on other ranks; it ends early when rank 0 has.
    fn send_chunks(
        &self,
        chunks: &Range<u64>,
        bytes: &[u8],
        round: Option<u64>,
    ) -> Result<(), GenError> {
        let team = self.team;
        let chunk_bytes = CHUNK_BYTES as usize;
        let pieces: Vec<_> = chunks.clone().zip(bytes.chunks(chunk_bytes)).collect();
        let most = (CHUNKS_UNDER_WAY / team.count()).max(1);
        let mut under_way = 0;
        // As many at a time as there are threads.
        for some in pieces.chunks(self.thread_count) {
            let queue = SegQueue::new();
            for piece in some {
                queue.push(*piece);
            }
            while under_way + some.len() > most.max(some.len()) {
                match team.receive(round).map_err(|error| error.named(team))? {
                    Some((_, letter)) => {
                        let is_next = matches!(letters::read(&letter), Some((letters::NEXT, ..)));
                        under_way -= usize::from(is_next);
                    }
                    None => return Ok(()),
                }
            }
            under_way += some.len();
            in_threads(self.thread_count.min(some.len()), || -> Result<(), GenError> {
                while let Some((number, bytes)) = queue.pop() {
                    let mut letter = Vec::with_capacity(bytes.len() + 128);
                    letter.extend(letters::head(letters::CHUNK, false, number as u32));
                    letter.extend(digest(bytes).0);
                    letter.extend_from_slice(bytes);
                    team.send(0, letter);
                }
                Ok(())
            })?;
        }
        Ok(())
    }
}

/// Puts the rows of a letter into a slab of so many words a row; gives how many there were.
fn take_rows(letter: Vec<u8>, len: usize, row_count: usize, slab: &mut [u64]) -> Option<usize> {
    let letter = letters::Aligned::new(letter)?;
    let [_, first, rows, words @ ..] = letter.words() else { return None };
    let first = usize::try_from(first.to_le()).ok()?;
    let rows = usize::try_from(rows.to_le()).ok()?;
    let is_right = first.checked_add(rows)? <= row_count && words.len() == rows * len;
    let target = slab.get_mut(first * len..).filter(|_| is_right)?;
    target[..words.len()].copy_from_slice(words);
    Some(rows)
}
