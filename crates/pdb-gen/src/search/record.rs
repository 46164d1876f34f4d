//! Record of each state's level, as far as packing needs it.

use std::ops::Range;

use pdb_core::{BlankMode, PatternKey};
use pdb_format::LEVELS_MAX;

use super::graph::BlockGraph;
use super::rotation::BlockLayout;
use crate::GenError;
use crate::words::Words;

/// Exclusive upper limit of recorded costs. No pattern that fits any memory comes near it.
pub const COST_LIMIT: u32 = 256;

const _: () = assert!(COST_LIMIT as usize <= LEVELS_MAX);

/// The record of a search, in memory or on disk. A block belongs to a cell set in a blank-collapsed
/// table, and to a slot in others.
pub(crate) trait RecordBlocks: Sync {
    /// Returns the states that have a level; `None` if every state has one and nothing else needs
    /// it.
    fn visited(&self, class: usize, block: usize) -> Option<&[u64]>;
    /// Returns the states with bit `plane + 1` in their level.
    fn plane(&self, plane: usize, class: usize, block: usize) -> &[u64];
}

/// One bitset per class, in slots (or sets) of the block layout.
pub(super) type ClassBits = [Words; 2];

/// Levels of all states of some sets, as far as packing needs them.
///
/// In a blank-collapsed table a record belongs to a cell set, in others to a slot.
#[derive(Debug)]
pub(crate) struct Record {
    /// Number of words of a block.
    words: usize,
    /// The first block of each class.
    first: [usize; 2],
    /// States that have a level; `None` if every state has one and nothing else needs it.
    pub(super) visited: Option<ClassBits>,
    /// `planes[i]` holds bit `i + 1` of the level; bit 0 is the class.
    pub(super) planes: Vec<ClassBits>,
}

impl RecordBlocks for Record {
    #[inline(always)]
    fn visited(&self, class: usize, block: usize) -> Option<&[u64]> {
        self.visited.as_ref().map(|bits| self.block(bits, class, block))
    }

    #[inline(always)]
    fn plane(&self, plane: usize, class: usize, block: usize) -> &[u64] {
        self.block(&self.planes[plane], class, block)
    }
}

impl Record {
    /// Creates an empty record of some sets of each class.
    pub(super) fn new(
        key: &PatternKey,
        graph: &BlockGraph,
        layout: &BlockLayout,
        sets: &[Range<usize>; 2],
    ) -> Result<Self, GenError> {
        let slots = [0, 1].map(|class| graph.classes[class].slots(&sets[class]));
        let bits = || -> Result<ClassBits, GenError> {
            let blocks =
                [0, 1].map(|class| record_blocks(key.mode, slots[class].len(), &sets[class]));
            zeroed(blocks, layout)
        };
        let first = [0, 1].map(|class| match key.mode {
            BlankMode::Aware | BlankMode::Plain => slots[class].start,
            BlankMode::Collapsed => sets[class].start,
        });
        let visited = if needs_visited(key) { Some(bits()?) } else { None };
        // The planes of levels that the search never reaches are never written.
        let planes = (0..plane_count(key.mode)).map(|_| bits()).collect::<Result<_, _>>()?;
        Ok(Self { words: layout.word_count, first, visited, planes })
    }

    /// Returns the number of words of a block.
    pub(crate) fn words(&self) -> usize {
        self.words
    }

    /// Returns consecutive blocks of a plane, or of the states that have a level.
    #[cfg(feature = "team")]
    pub(crate) fn blocks_mut(
        &mut self,
        plane: Option<usize>,
        class: usize,
        first: usize,
        count: usize,
    ) -> &mut [u64] {
        let bits = plane.map_or(self.visited.as_mut(), |plane| self.planes.get_mut(plane));
        let bits = bits.expect("a record has what its table needs");
        &mut bits[class][(first - self.first[class]) * self.words..][..count * self.words]
    }

    /// Records the level of the goal, whose block must be in the record.
    pub(super) fn put_goal(&mut self, key: &PatternKey, graph: &BlockGraph) {
        let at = (goal_record(key, graph) - self.first[0]) * self.words;
        if let Some(visited) = &mut self.visited {
            visited[0][at] = 1;
        }
    }

    #[inline(always)]
    fn block<'a>(&self, bits: &'a ClassBits, class: usize, block: usize) -> &'a [u64] {
        &bits[class][(block - self.first[class]) * self.words..][..self.words]
    }
}

/// Returns empty blocks of each class.
pub(super) fn zeroed(blocks: [usize; 2], layout: &BlockLayout) -> Result<ClassBits, GenError> {
    let [even, odd] = blocks.map(|count| Words::zeroed(count * layout.word_count));
    Ok([even?, odd?])
}

/// Returns whether a level's states are recorded in a plane: in those of the set bits of its
/// number.
pub(crate) fn has_plane(level: u32, plane: usize) -> bool {
    level >> (plane + 1) & 1 == 1
}

/// Returns the number of planes of a record.
pub(crate) fn plane_count(mode: BlankMode) -> usize {
    // The parity of the excess needs only bit 1 of the level; the excess itself needs all bits.
    match mode {
        BlankMode::Aware | BlankMode::Plain => 1,
        BlankMode::Collapsed => (COST_LIMIT - 1).ilog2() as usize,
    }
}

/// Returns whether a record must store which states have a level at all.
pub(crate) fn needs_visited(key: &PatternKey) -> bool {
    key.mode == BlankMode::Collapsed || key.is_half_reachable()
}

/// Returns the number of blocks of the record for some sets and their slots.
pub(crate) fn record_blocks(mode: BlankMode, slots: usize, sets: &Range<usize>) -> usize {
    match mode {
        BlankMode::Aware | BlankMode::Plain => slots,
        BlankMode::Collapsed => sets.len(),
    }
}

/// Returns the block of the record that contains the goal, in class 0.
pub(crate) fn goal_record(key: &PatternKey, graph: &BlockGraph) -> usize {
    match key.mode {
        BlankMode::Aware | BlankMode::Plain => graph.goal_slot,
        BlankMode::Collapsed => graph.places[graph.index.set_rank(key.homes)].set,
    }
}
