//! Estimates of the time, memory and disk space of builds.
//!
//! An estimate allocates nothing in proportion to the table and enumerates no cell sets:
//! [`region_count`] counts regions, so the largest patterns take as long as the smallest ones,
//! about a millisecond.

use pdb_core::index::{check_block_count, check_tile_count};
use pdb_core::region::region_count;
use pdb_core::{
    BlankMode, ColourIndex, ColourKey, IndexError, PatternKey, TableKey, WalkingKey, binomial,
    factorial,
};
use pdb_format::Packing;
use pdb_format::walking::Layout;

use super::table::outline;
use crate::GenError;
use crate::packing::preferred;
use crate::search::{BlockLayout, COLOURED_STATE_BYTES, pull_count, walking_state_count};

/// Speed of a build of a pattern table with two threads, in words per second: each move between two
/// blocks counts the words of a block; see `docs/notebook.md`. A search works on whole blocks, so
/// this predicts its time better than the number of states does. Measured with `15/7-8`,
/// `24/6-6-6-6` and `24/7-7-7-3` on two cores of an AMD EPYC at 2.6 GHz: 55 to 79 million for the
/// search alone, 39 to 59 million for the whole build.
pub const MOVE_WORDS_PER_SECOND: f64 = 60e6;
/// Time of each move besides its words, in seconds: most of the time of small blocks.
const MOVE_SECONDS: f64 = 80e-9;
/// Number of bytes that a disk writes durably in a second. Measured on a virtual disk, with a few
/// gigabytes at once: 297 to 463 million.
pub const DISK_BYTES_PER_SECOND: f64 = 400e6;
/// Number of times that a streamed search writes its bitsets: each class every second level, and
/// the record half as often, while most segments have new states. Measured with seven tiles of the
/// 24-puzzle, table included: 14.8.
const BITSETS_WRITTEN: u64 = 15;
/// Number of states of Walking Distance tables that are built in a second, with two threads: see
/// `docs/benchmarks.md`. Measured: 1.6 million on 4x5, 1.5 million on 5x5.
const WALKING_STATES_PER_SECOND: f64 = 1.5e6;
/// Memory per state in bytes: its key in its level, and its share of the payload's map and of the
/// search of a level.
const WALKING_STATE_BYTES: u64 = 20;
/// Number of states of coloured tables that are built in a second, with two threads.
const COLOURED_STATES_PER_SECOND: f64 = 15e6;
/// Number of planes of the record that a blank-collapsed build writes to while costs are below 64.
const PLANES_WRITTEN: u64 = 5;
/// Memory of the program itself and of its threads' scratch space, in bytes.
const PROGRAM_BYTES: u64 = 4 << 20;

/// The same for a streamed build, which has buffers of its own.
const STREAMED_PROGRAM_BYTES: u64 = 16 << 20;

/// Time, memory and disk of a build.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// Number of entries of the table.
    pub entry_count: u64,
    /// Number of states that the search reaches; regions of the blank count separately.
    pub state_count: u64,
    /// Size of the file in bytes, if every excess fits the first packing that is tried.
    pub file_bytes: u64,
    /// Peak memory of the build, in bytes.
    ///
    /// For a pattern, three things are in memory: the graph of blocks; the record; and the larger
    /// of the search's bitset (one bit per state) and the packed blocks, which follow each other.
    /// The record has one bit per entry of a blank-aware or plain table, up to six of a
    /// blank-collapsed one, and one more if half of the states are unreachable. Blocks are rounded
    /// up to words. The payload takes no more: when it is made from the packed blocks, the record,
    /// which is larger, is gone. For Walking Distance: the states and the payload. The program
    /// itself is not included.
    pub peak_memory_bytes: u64,
    /// Time on two threads with a core each, in seconds, at [`MOVE_WORDS_PER_SECOND`]
    /// and with a time for each move.
    pub seconds: f64,
    /// The estimate of a streamed build; `None` if the table is not a pattern table.
    pub streamed: Option<StreamedEstimate>,
}

/// Time, memory and disk space of a streamed build: see
/// [`Build::streamed`](crate::Build::streamed).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StreamedEstimate {
    /// Memory that is certainly enough, in bytes: the graph of blocks and their counts, and a
    /// sixteenth of the search's bitset for the segments that are in use at once. Less may be
    /// enough.
    pub least_memory_bytes: u64,
    /// Peak disk space including the table, in bytes.
    ///
    /// During the search: one bit per state for both classes, half as much again while a class is
    /// replaced, and as much of the record. After it: the record, and the packed entries twice, in
    /// slabs and in the table.
    pub disk_bytes: u64,
    /// Time on two threads, including the writing at [`DISK_BYTES_PER_SECOND`], in seconds.
    pub seconds: f64,
}

/// Estimates the cost of building a table.
///
/// # Errors
/// [`GenError::Index`] or [`GenError::TooManyStates`] when the table cannot be built at all.
pub fn estimate(key: &TableKey) -> Result<Estimate, GenError> {
    match key {
        TableKey::Pattern(pattern) => Ok(estimate_pattern(key, pattern)?),
        TableKey::Walking(walking) => estimate_walking(key, walking),
        TableKey::Coloured(coloured) => estimate_coloured(key, coloured),
    }
}

fn file_bytes(key: &TableKey, packing: Packing, entry_count: u64) -> u64 {
    // The length depends only on these three.
    outline(*key, packing, entry_count, Vec::new()).file_bytes()
}

fn estimate_pattern(table_key: &TableKey, key: &PatternKey) -> Result<Estimate, IndexError> {
    let (shape, tile_count) = (key.shape, key.tile_count());
    check_tile_count(shape, tile_count)?;
    let set_count = binomial(shape.cell_count(), tile_count);
    let free_count = (shape.cell_count() - tile_count) as u64;
    let block_count = match key.mode {
        BlankMode::Plain => set_count * free_count,
        BlankMode::Aware | BlankMode::Collapsed => region_count(shape, tile_count),
    };
    check_block_count(shape, tile_count, block_count)?;
    let state_total = block_count * factorial(tile_count);
    let (entry_count, record_blocks, record_planes) = match key.mode {
        BlankMode::Aware | BlankMode::Plain => {
            (state_total, block_count, 1 + u64::from(key.is_half_reachable()))
        }
        BlankMode::Collapsed => (table_key.entry_count_min(), set_count, PLANES_WRITTEN + 1),
    };
    let state_count = if key.is_half_reachable() { state_total / 2 } else { state_total };
    let packing = preferred(key.mode);

    let block_bytes = 8 * BlockLayout::new(tile_count).word_count as u64;
    let pull_count = pull_count(shape, tile_count, key.mode);
    // In a plain table each block counts as a set.
    let graph_sets = if key.mode == BlankMode::Plain { block_count } else { set_count };
    // Per set: index, place and blocks. Per block: counts and slots. Per move: the move.
    let graph = 64 * graph_sets + 24 * block_count + 8 * pull_count;
    let record = record_blocks * block_bytes * record_planes;
    let bits = block_count * block_bytes;
    let payload = packing.payload_bytes(table_key, entry_count);
    let peak_memory_bytes = PROGRAM_BYTES + graph + record + payload.max(bits);
    let file_bytes = file_bytes(table_key, packing, entry_count);
    let move_words = pull_count * block_bytes / 8;
    let seconds = move_words as f64 / MOVE_WORDS_PER_SECOND + pull_count as f64 * MOVE_SECONDS;
    let streamed = StreamedEstimate {
        least_memory_bytes: STREAMED_PROGRAM_BYTES + graph + bits / 16 + 16 * block_count,
        disk_bytes: (3 * (bits + record) / 2).max(record + payload + file_bytes),
        seconds: seconds + (BITSETS_WRITTEN * bits) as f64 / DISK_BYTES_PER_SECOND,
    };
    Ok(Estimate {
        entry_count,
        state_count,
        file_bytes,
        peak_memory_bytes,
        seconds,
        streamed: Some(streamed),
    })
}

fn estimate_walking(table_key: &TableKey, key: &WalkingKey) -> Result<Estimate, GenError> {
    let state_count = walking_state_count(key)?;
    let payload = Layout::new(state_count, key.lines).payload_bytes();
    Ok(Estimate {
        entry_count: state_count,
        state_count,
        file_bytes: file_bytes(table_key, Packing::Walking, state_count),
        peak_memory_bytes: PROGRAM_BYTES + state_count * WALKING_STATE_BYTES + payload,
        seconds: state_count as f64 / WALKING_STATES_PER_SECOND,
        streamed: None,
    })
}

fn estimate_coloured(table_key: &TableKey, key: &ColourKey) -> Result<Estimate, GenError> {
    ColourIndex::check(key)?;
    let state_count = table_key.entry_count_min();
    Ok(Estimate {
        entry_count: state_count,
        state_count,
        file_bytes: file_bytes(table_key, Packing::Slides, state_count),
        peak_memory_bytes: PROGRAM_BYTES + state_count * COLOURED_STATE_BYTES,
        seconds: state_count as f64 / COLOURED_STATES_PER_SECOND,
        streamed: None,
    })
}
