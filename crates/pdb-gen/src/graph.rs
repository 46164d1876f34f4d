//! The graph of blocks: which blocks a tile move leads from, and by which rotation.
//!
//! A pattern tile that moves from cell to cell changes the parity of the cell set (the number of its
//! cells on dark squares, say). All states of a block thus have costs of one parity, and the blocks
//! fall into two classes: a level of the search reads one class and writes the other.

use std::ops::Range;

use pdb_core::region::regions;
use pdb_core::{BlankMode, CellSet, IndexError, PatternIndex, PatternKey, Shape};

use crate::rotation::Rotation;

/// A reverse move into a block.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pull {
    /// Slot of the block that the move comes from, in the other class.
    pub(crate) source: u32,
    pub(crate) rotation: Rotation,
}

/// A cell set and its blocks, one for each region.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SetBlocks {
    pub(crate) cells: CellSet,
    /// Slot of its first block within the class.
    pub(crate) first_slot: usize,
    pub(crate) region_count: usize,
}

/// The blocks of one parity.
#[derive(Clone, Debug, Default)]
pub(crate) struct Class {
    /// In the order of their ranks.
    pub(crate) sets: Vec<SetBlocks>,
    pub(crate) slot_count: usize,
    pulls_start: Vec<usize>,
    pulls: Vec<Pull>,
}

impl Class {
    /// The reverse moves into a slot's block.
    #[inline]
    pub(crate) fn pulls(&self, slot: usize) -> &[Pull] {
        &self.pulls[self.pulls_start[slot]..self.pulls_start[slot + 1]]
    }

    /// Slots of a range of sets.
    pub(crate) fn slots(&self, sets: &Range<usize>) -> Range<usize> {
        let end = |i: usize| self.sets.get(i).map_or(self.slot_count, |set| set.first_slot);
        end(sets.start)..end(sets.end)
    }
}

/// Where a cell set's blocks are: class and place within it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SetPlace {
    pub(crate) class: usize,
    pub(crate) set: usize,
}

/// All blocks of a pattern, with their moves.
#[derive(Clone, Debug)]
pub(crate) struct BlockGraph {
    pub(crate) index: PatternIndex,
    pub(crate) classes: [Class; 2],
    /// By rank of the cell set.
    pub(crate) places: Vec<SetPlace>,
    /// Slot of the goal's block, in class 0.
    pub(crate) goal_slot: usize,
}

/// Parity of the number of moves between two placements of the tiles, from their cells alone.
fn parity(shape: Shape, cells: CellSet) -> usize {
    cells.iter().map(|cell| shape.row_col(cell)).map(|(row, col)| row + col).sum::<usize>() % 2
}

impl BlockGraph {
    pub(crate) fn new(key: &PatternKey) -> Result<Self, IndexError> {
        let shape = key.shape;
        let index = PatternIndex::new(shape, key.tile_count(), BlankMode::Aware)?;
        let mut classes = [Class::default(), Class::default()];
        let mut places = Vec::with_capacity(index.set_count());
        let mut slot_of_block = Vec::with_capacity(index.block_count());
        let goal_parity = parity(shape, key.homes);
        for cells in pdb_core::index::cell_sets(shape, key.tile_count()) {
            let class_number = parity(shape, cells) ^ goal_parity;
            let class = &mut classes[class_number];
            let region_count = regions(shape, shape.all_cells().without(cells)).count();
            places.push(SetPlace { class: class_number, set: class.sets.len() });
            let first_slot = class.slot_count;
            slot_of_block.extend((first_slot..first_slot + region_count).map(|s| s as u32));
            class.sets.push(SetBlocks { cells, first_slot, region_count });
            class.slot_count += region_count;
        }
        for class in &mut classes {
            class.pulls_start.push(0);
            for set in &class.sets {
                for region in regions(shape, shape.all_cells().without(set.cells)) {
                    for to in set.cells.iter() {
                        // The tile now on `to` came from a neighbour in the blank's region, where
                        // the blank is now; before, the blank was on `to`.
                        let came_from = CellSet(shape.neighbours(to).0 & region.0);
                        for from in came_from.iter() {
                            let others = set.cells.without(CellSet::single(to));
                            let before = CellSet(others.0 | 1 << from);
                            class.pulls.push(Pull {
                                source: slot_of_block[index.block(before, to)],
                                rotation: Rotation {
                                    from: others.position(from) as u8,
                                    to: others.position(to) as u8,
                                },
                            });
                        }
                    }
                    class.pulls_start.push(class.pulls.len());
                }
            }
        }
        let goal_slot = slot_of_block[index.block(key.homes, key.goal_region)] as usize;
        Ok(Self { index, classes, places, goal_slot })
    }
}
