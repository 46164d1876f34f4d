//! Record of each state's level, as far as packing needs it.

use std::ops::Range;

use pdb_core::{BlankMode, PatternKey};
use pdb_format::LEVELS_MAX;

use super::graph::SetPlace;
use super::rotation::BlockLayout;
use super::space::SearchSpace;
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
pub(crate) type ClassBits = [Words; 2];

/// Levels of all states of some sets, as far as packing needs them.
///
/// In a blank-collapsed table a record belongs to a cell set, in others to a slot.
#[derive(Debug)]
pub(crate) struct LevelRecord {
    /// Number of words of a block.
    pub(crate) words: usize,
    /// The cell sets of each class.
    sets: [Range<usize>; 2],
    /// The first block of each class.
    pub(crate) first: [usize; 2],
    /// States that have a level; `None` if every state has one and nothing else needs it.
    pub(crate) visited: Option<ClassBits>,
    /// `planes[i]` holds bit `i + 1` of the level; bit 0 is the class.
    pub(crate) planes: Vec<ClassBits>,
}

impl RecordBlocks for LevelRecord {
    #[inline(always)]
    fn visited(&self, class: usize, block: usize) -> Option<&[u64]> {
        self.visited.as_ref().map(|bits| self.block(bits, class, block))
    }

    #[inline(always)]
    fn plane(&self, plane: usize, class: usize, block: usize) -> &[u64] {
        self.block(&self.planes[plane], class, block)
    }
}

impl LevelRecord {
    /// Creates an empty record of some sets of each class, which have these slots.
    pub(super) fn new(
        space: &SearchSpace,
        sets: &[Range<usize>; 2],
        slots: &[Range<usize>; 2],
    ) -> Result<Self, GenError> {
        let SearchSpace { key, layout, .. } = space;
        let blocks = [0, 1].map(|class| recorded(key.mode, &slots[class], &sets[class]));
        let bits = || zeroed(&blocks, layout);
        let visited = if needs_visited(key) { Some(bits()?) } else { None };
        // The planes of levels that the search never reaches are never written.
        let planes = (0..plane_count(key.mode)).map(|_| bits()).collect::<Result<_, _>>()?;
        Ok(Self {
            words: layout.word_count,
            sets: sets.clone(),
            first: blocks.map(|range| range.start),
            visited,
            planes,
        })
    }

    /// Returns whether it has the blocks of a cell set.
    pub(crate) fn contains(&self, place: &SetPlace) -> bool {
        self.sets[place.class].contains(&place.set)
    }

    /// Records the level of the goal, whose block must be in the record.
    pub(super) fn put_goal(&mut self, space: &SearchSpace) {
        let at = (goal_record(space) - self.first[0]) * self.words;
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
pub(super) fn zeroed(
    blocks: &[Range<usize>; 2],
    layout: &BlockLayout,
) -> Result<ClassBits, GenError> {
    let [even, odd] = blocks.each_ref().map(|range| Words::zeroed(range.len() * layout.word_count));
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

/// Returns the number of bitsets of a record.
pub(crate) fn bitset_count(key: &PatternKey) -> usize {
    plane_count(key.mode) + usize::from(needs_visited(key))
}

/// Returns the blocks of the record for some sets and their slots.
pub(crate) fn recorded(mode: BlankMode, slots: &Range<usize>, sets: &Range<usize>) -> Range<usize> {
    match mode {
        BlankMode::Aware | BlankMode::Plain => slots.clone(),
        BlankMode::Collapsed => sets.clone(),
    }
}

/// Returns the block of the record that contains the goal, in class 0.
pub(crate) fn goal_record(space: &SearchSpace) -> usize {
    let SearchSpace { key, graph, .. } = space;
    match key.mode {
        BlankMode::Aware | BlankMode::Plain => graph.goal_slot,
        BlankMode::Collapsed => graph.places[graph.index.set_rank(key.homes)].set,
    }
}
