//! Memory budget of a streamed build, and the division of its classes into segments that fit it.

use pdb_core::{BlankMode, TableKey};
use pdb_format::CHUNK_BYTES;

use super::segments::Segments;
use super::store::WRITERS;
use super::work_files::BlockCounts;
use crate::GenError;
use crate::packing::{Dimensions, widest};
use crate::search::{SearchSpace, bitset_count};

/// Limits of a streamed build.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    /// Memory limit of the whole process, in bytes.
    pub memory_bytes: u64,
    /// Size of a segment with one bit per state, rounded up to whole blocks, in bytes. Default: a
    /// size that suits the memory. A resumed build keeps the size in its checkpoint.
    pub segment_bytes: Option<u64>,
}

/// Default number of segments per class, unless they would be smaller or larger than the next two
/// limits; more if the memory requires it.
const SEGMENTS: usize = 64;
const SEGMENT_BYTES_MIN: usize = 1 << 20;
const SEGMENT_BYTES_MAX: usize = 32 << 20;
/// Memory of the program itself and of small data, in bytes: measured, with a margin.
const PROGRAM_BYTES: usize = 8 << 20;
/// Memory of a thread's buffers without blocks, in bytes.
const THREAD_BYTES: usize = 5 << 16;
/// Memory of a block's counts while its segment is written, in bytes.
const HEAD_BYTES: usize = size_of::<BlockCounts>();
/// Memory of a file in the list of files and in the text of the checkpoint, in bytes.
const FILE_BYTES: usize = 512;

/// Returns the largest number of slots of a segment if a class is divided into about
/// `segment_count` segments.
pub(crate) fn usual_slots(space: &SearchSpace, segment_count: usize) -> usize {
    let largest = space.graph.classes.iter().map(|class| class.slot_count).max().unwrap_or(1);
    largest
        .div_ceil(segment_count)
        .max(SEGMENT_BYTES_MIN / space.block_bytes())
        .min(SEGMENT_BYTES_MAX / space.block_bytes())
        .max(1)
}

/// Returns the memory for packing, without segments, rows and slabs, in bytes.
pub(crate) fn packing_bytes(space: &SearchSpace, segments: &Segments) -> usize {
    let threads = (space.thread_count + WRITERS) * (THREAD_BYTES + 4 * space.block_bytes());
    let file_count = segments.count() * (bitset_count(&space.key) + 1);
    PROGRAM_BYTES
        + space.graph.bytes()
        + threads
        + space.rotations().bytes()
        + segments.bytes()
        + file_count * FILE_BYTES
}

/// Returns the memory for searching, without segments, in bytes.
pub(crate) fn searching_bytes(space: &SearchSpace, segments: &Segments) -> usize {
    let slots: usize = space.graph.classes.iter().map(|class| class.slot_count).sum();
    let counts = 2 * size_of::<u32>() * slots;
    packing_bytes(space, segments) + space.graph.pull_bytes() + counts
}

/// Memory that a search with given segments needs.
pub(crate) struct MemoryNeed {
    /// Memory without segments, in bytes.
    pub(crate) fixed_bytes: usize,
    buffer_bytes: usize,
    /// Number of buffers that are in use at once.
    buffers: usize,
    packing_bytes: usize,
}

impl MemoryNeed {
    fn new(space: &SearchSpace, segments: &Segments) -> Self {
        let records = bitset_count(&space.key);
        let buffer_bytes = segments.slots_largest() * (space.block_bytes() + HEAD_BYTES);
        // The sources, the segment, its record, and one buffer that is being written. Packing needs
        // the record of one segment of each class.
        let buffers = (segments.sources_largest() + 2 + records).max(2 * records);
        let slabs = least_slab_bytes(space);
        let packing_bytes =
            packing_bytes(space, segments) + (2 * records * buffer_bytes).max(slabs) + slabs;
        let fixed_bytes = searching_bytes(space, segments);
        Self { fixed_bytes, buffer_bytes, buffers, packing_bytes }
    }

    fn bytes(&self) -> u64 {
        (self.fixed_bytes + self.buffers * self.buffer_bytes).max(self.packing_bytes) as u64
    }

    /// Returns the number of buffers that fit a budget.
    pub(crate) fn buffers_within(&self, memory_bytes: u64) -> usize {
        let left = (memory_bytes as usize).saturating_sub(self.fixed_bytes);
        (left / self.buffer_bytes.max(1)).max(self.buffers)
    }
}

/// Returns the size that the narrowest slab, or the rows of the cell set with the most rows, need,
/// in bytes.
fn least_slab_bytes(space: &SearchSpace) -> usize {
    let SearchSpace { key, graph, thread_count, .. } = space;
    let blocks = match key.mode {
        BlankMode::Aware | BlankMode::Plain => {
            let sets = graph.classes.iter().flat_map(|class| &class.sets);
            sets.map(|set| set.block_count).max().unwrap_or(1)
        }
        BlankMode::Collapsed => 1,
    };
    let dimensions = Dimensions::new(space, widest(key.mode));
    let slab = 2 * (dimensions.rows + 1) * size_of::<u64>() + CHUNK_BYTES as usize;
    let rows = (blocks * dimensions.row_words() + 1) * size_of::<u64>();
    slab.max((1 + thread_count) * rows)
}

/// Divides the classes so that the search fits the budget.
pub(crate) fn cut(
    space: &SearchSpace,
    budget: &Budget,
) -> Result<(Segments, MemoryNeed), GenError> {
    let asked =
        budget.segment_bytes.map(|bytes| (bytes as usize).div_ceil(space.block_bytes()).max(1));
    let mut slots_max = asked.unwrap_or_else(|| usual_slots(space, SEGMENTS));
    let mut needed_bytes = u64::MAX;
    loop {
        let segments = Segments::new(space, slots_max);
        let need = MemoryNeed::new(space, &segments);
        if need.bytes() <= budget.memory_bytes {
            return Ok((segments, need));
        }
        needed_bytes = needed_bytes.min(need.bytes());
        // A segment is never smaller than the blocks of one cell set.
        if asked.is_some() || slots_max == 1 || slots_max < segments.slots_max {
            break;
        }
        slots_max = slots_max.div_ceil(2);
    }
    let table = TableKey::Pattern(space.key).file_name();
    Err(GenError::Budget { table, memory_bytes: budget.memory_bytes, needed_bytes })
}
