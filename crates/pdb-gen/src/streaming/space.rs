//! Search space of a table, and the memory that a streamed search needs besides its segments.

use pdb_core::PatternKey;

use super::segments::Segments;
use crate::GenError;
use crate::search::{
    BlockGraph, BlockLayout, Rotations, graph_of, needs_visited, plane_count, state_count,
};

/// Number of threads that write segments. They mostly wait for the disk, which makes many small
/// files durable at once in little more time than one.
pub(crate) const WRITERS: usize = 8;
/// Memory of the program itself and of small data, in bytes: measured, with a margin.
const PROGRAM_BYTES: usize = 8 << 20;
/// Memory of a thread's buffers without blocks, in bytes.
const THREAD_BYTES: usize = 5 << 16;
/// Memory of a file in the list of files and in the text of the checkpoint, in bytes.
const FILE_BYTES: usize = 512;

/// The constant data of a pattern's search.
pub(crate) struct SearchSpace {
    pub(crate) key: PatternKey,
    pub(crate) graph: BlockGraph,
    pub(crate) rotations: Rotations,
    /// Number of states that the search reaches.
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

    /// Returns the number of words of a block.
    pub(crate) fn words(&self) -> usize {
        self.layout().word_count
    }

    pub(crate) fn block_bytes(&self) -> usize {
        self.words() * size_of::<u64>()
    }

    /// Returns the number of bitsets of the record.
    pub(crate) fn record_count(&self) -> usize {
        plane_count(self.key.mode) + usize::from(needs_visited(&self.key))
    }

    /// Returns a zero for each slot of each class.
    pub(crate) fn zero_counts(&self) -> [Vec<u32>; 2] {
        self.graph.classes.each_ref().map(|class| vec![0; class.slot_count])
    }

    /// Returns the memory for packing, without segments, rows and slabs, in bytes.
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

    /// Returns the memory for searching, without segments, in bytes.
    pub(crate) fn searching_bytes(&self, segments: &Segments) -> usize {
        let slots: usize = self.graph.classes.iter().map(|class| class.slot_count).sum();
        let counts = 2 * size_of::<u32>() * slots;
        self.packing_bytes(segments) + self.graph.pull_bytes() + counts
    }
}
