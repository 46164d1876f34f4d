//! The search space of a table, and the memory that a streamed search takes besides its segments.

use pdb_core::PatternKey;

use super::segments::Segments;
use crate::GenError;
use crate::search::{
    BlockGraph, BlockLayout, Rotations, graph_of, needs_visited, plane_count, state_count,
};

/// Threads that write segments. They mostly wait for the disk, which makes many small files durable
/// at once in little more time than one.
pub(crate) const WRITERS: usize = 8;
/// Bytes of the program itself and of small things: measured, with a margin.
const PROGRAM_BYTES: usize = 8 << 20;
/// Bytes of a thread's buffers, blocks apart.
const THREAD_BYTES: usize = 5 << 16;
/// Bytes of a file in the list of files and in the text of the checkpoint.
const FILE_BYTES: usize = 512;

/// Everything about a pattern's search that does not change while it runs.
pub(crate) struct SearchSpace {
    pub(crate) key: PatternKey,
    pub(crate) graph: BlockGraph,
    pub(crate) rotations: Rotations,
    /// States that the search reaches.
    pub(crate) state_count: u64,
    pub(crate) thread_count: usize,
}

impl SearchSpace {
    pub(crate) fn new(key: &PatternKey, thread_count: usize) -> Result<Self, GenError> {
        let graph = graph_of(key)?;
        let rotations = Rotations::new(key.tile_count(), key.shape.cols() - 1);
        let state_count = state_count(key, &graph);
        Ok(Self { key: *key, graph, rotations, state_count, thread_count })
    }

    pub(crate) fn layout(&self) -> &BlockLayout {
        self.rotations.layout()
    }

    /// Words of a block.
    pub(crate) fn words(&self) -> usize {
        self.layout().word_count
    }

    pub(crate) fn block_bytes(&self) -> usize {
        self.words() * size_of::<u64>()
    }

    /// Bitsets of the record.
    pub(crate) fn record_count(&self) -> usize {
        plane_count(self.key.mode) + usize::from(needs_visited(&self.key))
    }

    /// A zero for each slot of each class.
    pub(crate) fn zero_counts(&self) -> [Vec<u32>; 2] {
        self.graph.classes.each_ref().map(|class| vec![0; class.slot_count])
    }

    /// Bytes while packing, apart from segments, rows and slabs.
    pub(crate) fn packing_bytes(&self, segments: &Segments) -> usize {
        let threads = (self.thread_count + WRITERS) * (THREAD_BYTES + 4 * self.block_bytes());
        let file_count = segments.count() * (self.record_count() + 1);
        PROGRAM_BYTES
            + self.graph.bytes()
            + threads
            + self.rotations.bytes()
            + segments.bytes()
            + file_count * FILE_BYTES
    }

    /// Bytes while searching, apart from segments.
    pub(crate) fn searching_bytes(&self, segments: &Segments) -> usize {
        let slots: usize = self.graph.classes.iter().map(|class| class.slot_count).sum();
        let counts = 2 * size_of::<u32>() * slots;
        self.packing_bytes(segments) + self.graph.pull_bytes() + counts
    }
}
