//! The record: what a search keeps of each state's level, as far as packing needs it.

use std::ops::Range;

use pdb_core::{BlankMode, PatternKey};
use pdb_format::LEVELS_MAX;

use super::graph::BlockGraph;
use super::rotation::BlockLayout;
use crate::GenError;
use crate::words::Words;

/// The builder records costs below this; no pattern that fits any memory comes near it.
pub const COST_LIMIT: u32 = 256;

const _: () = assert!(COST_LIMIT as usize <= LEVELS_MAX);

/// What a search recorded, wherever its blocks are. A block is a cell set's in a blank-collapsed table
/// and a slot's in others.
pub(crate) trait Recorded: Sync {
    /// States that have a level; missing where every state has one and nothing else needs it.
    fn visited(&self, class: usize, block: usize) -> Option<&[u64]>;
    /// The states with bit `plane + 1` in their level.
    fn plane(&self, plane: usize, class: usize, block: usize) -> &[u64];
}

/// One bitset a class, in slots (or sets) of the block layout.
type ClassBits = [Words; 2];

/// The levels of all states, as far as the packing needs them.
///
/// In a blank-collapsed table a record belongs to a cell set, in others to a slot.
#[derive(Debug)]
pub(crate) struct Record {
    /// Words of a block.
    words: usize,
    /// States that have a level; missing where every state has one and nothing else needs it.
    pub(super) visited: Option<ClassBits>,
    /// `planes[i]` holds bit `i + 1` of the level; bit 0 is the class.
    pub(super) planes: Vec<ClassBits>,
}

impl Recorded for Record {
    #[inline(always)]
    fn visited(&self, class: usize, block: usize) -> Option<&[u64]> {
        self.visited.as_ref().map(|bits| &bits[class][block * self.words..][..self.words])
    }

    #[inline(always)]
    fn plane(&self, plane: usize, class: usize, block: usize) -> &[u64] {
        &self.planes[plane][class][block * self.words..][..self.words]
    }
}

impl Record {
    pub(super) fn new(
        key: &PatternKey,
        graph: &BlockGraph,
        layout: &BlockLayout,
    ) -> Result<Self, GenError> {
        let bits = || -> Result<ClassBits, GenError> {
            let blocks = graph
                .classes
                .each_ref()
                .map(|class| record_blocks(key.mode, class.slot_count, &(0..class.sets.len())));
            zeroed(blocks, layout)
        };
        let visited = if needs_visited(key) { Some(bits()?) } else { None };
        // The planes of levels that the search never reaches are never touched.
        let planes = (0..plane_count(key.mode)).map(|_| bits()).collect::<Result<_, _>>()?;
        Ok(Self { words: layout.word_count, visited, planes })
    }
}

/// Empty blocks of each class.
pub(super) fn zeroed(blocks: [usize; 2], layout: &BlockLayout) -> Result<ClassBits, GenError> {
    let [even, odd] = blocks.map(|count| Words::zeroed(count * layout.word_count));
    Ok([even?, odd?])
}

/// The planes that a level's states are recorded in: those of the bits that are set in its number.
pub(crate) fn has_plane(level: u32, plane: usize) -> bool {
    level >> (plane + 1) & 1 == 1
}

/// Planes that a record has.
pub(crate) fn plane_count(mode: BlankMode) -> usize {
    // The parity of the excess needs bit 1 of the level alone; the excess itself needs all.
    match mode {
        BlankMode::Aware | BlankMode::Plain => 1,
        BlankMode::Collapsed => (COST_LIMIT - 1).ilog2() as usize,
    }
}

/// Whether a record tells which states have a level at all.
pub(crate) fn needs_visited(key: &PatternKey) -> bool {
    key.mode == BlankMode::Collapsed || key.is_half_reachable()
}

/// Blocks of the record that belong to some sets with so many slots.
pub(crate) fn record_blocks(mode: BlankMode, slots: usize, sets: &Range<usize>) -> usize {
    match mode {
        BlankMode::Aware | BlankMode::Plain => slots,
        BlankMode::Collapsed => sets.len(),
    }
}

/// The block of the record that holds the goal, in class 0.
pub(crate) fn goal_record(key: &PatternKey, graph: &BlockGraph) -> usize {
    match key.mode {
        BlankMode::Aware | BlankMode::Plain => graph.goal_slot,
        BlankMode::Collapsed => graph.places[graph.index.set_rank(key.homes)].set,
    }
}
