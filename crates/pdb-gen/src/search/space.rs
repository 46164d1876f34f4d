//! Search space of a pattern's table.

use std::sync::OnceLock;

use pdb_core::PatternKey;

use super::graph::BlockGraph;
use super::rotation::{BlockLayout, Rotations};
use crate::GenError;

/// Largest number of tiles of a pattern that can be built: the arrangements of one more tile cannot
/// be counted in 32 bits.
const TILES_MAX: usize = 12;

/// The constant data of a pattern's search.
#[derive(Debug)]
pub(crate) struct SearchSpace {
    pub(crate) key: PatternKey,
    pub(crate) graph: BlockGraph,
    pub(crate) layout: BlockLayout,
    rotations: OnceLock<Rotations>,
    /// Number of states that the search reaches.
    pub(crate) state_count: u64,
    pub(crate) thread_count: usize,
}

impl SearchSpace {
    /// Creates the space of a pattern, if the pattern is small enough to search.
    pub(crate) fn new(key: &PatternKey, thread_count: usize) -> Result<Self, GenError> {
        if key.tile_count() > TILES_MAX {
            return Err(GenError::TooManyTiles { found: key.tile_count(), max: TILES_MAX });
        }
        let graph = BlockGraph::new(key)?;
        let layout = BlockLayout::new(key.tile_count());
        let state_count = state_count(&graph, key);
        Ok(Self { key: *key, graph, layout, rotations: OnceLock::new(), state_count, thread_count })
    }

    /// Creates the space of a pattern from that of an earlier one with the same shape, number of
    /// tiles and blank mode. Any other one is freed, and a new space is created.
    pub(crate) fn after(
        earlier: Option<Self>,
        key: &PatternKey,
        thread_count: usize,
    ) -> Result<Self, GenError> {
        let size = |key: &PatternKey| (key.shape, key.tile_count(), key.mode);
        let Some(mut space) = earlier.filter(|space| size(&space.key) == size(key)) else {
            return Self::new(key, thread_count);
        };
        space.graph.turn_to(key);
        let state_count = state_count(&space.graph, key);
        Ok(Self { key: *key, state_count, thread_count, ..space })
    }

    /// Returns the rotations. The first call computes them: after a search in memory has allocated
    /// its large arrays, whose allocation reports a lack of memory cleanly.
    pub(crate) fn rotations(&self) -> &Rotations {
        let reach = self.key.shape.cols() - 1;
        self.rotations.get_or_init(|| Rotations::new(self.key.tile_count(), reach))
    }

    /// Frees the moves and the rotations, which only the search needs.
    pub(crate) fn end_search(&mut self) {
        self.graph.drop_pulls();
        self.rotations.take();
    }

    /// Returns the number of words of a block.
    pub(crate) fn words(&self) -> usize {
        self.layout.word_count
    }

    pub(crate) fn block_bytes(&self) -> usize {
        self.words() * size_of::<u64>()
    }

    /// Returns a zero for each slot of each class.
    pub(crate) fn zero_counts(&self) -> [Vec<u32>; 2] {
        self.graph.classes.each_ref().map(|class| vec![0; class.slot_count])
    }
}

fn state_count(graph: &BlockGraph, key: &PatternKey) -> u64 {
    graph.index.entry_count() / if key.is_half_reachable() { 2 } else { 1 }
}
