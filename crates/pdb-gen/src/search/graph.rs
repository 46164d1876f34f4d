//! Graph of blocks: the blocks from which moves lead to a block, and the rotations of these moves.
//!
//! A pattern tile that moves from cell to cell changes the parity of the cell set, such as the
//! number of its cells on dark squares. All states of a block thus have costs of one parity, and
//! the blocks form two classes: a level of the search reads one class and writes the other. In a
//! plain table the parity is that of the blank's cell, which every move changes.

use std::ops::Range;

use pdb_core::index::cell_sets;
use pdb_core::region::regions;
use pdb_core::{BlankMode, Cell, CellSet, IndexError, PatternIndex, PatternKey, Shape};

use super::rotation::Rotation;

/// A reverse move into a block.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pull {
    /// Slot of the block that the move comes from, in the other class.
    pub(crate) source: u32,
    pub(crate) rotation: Rotation,
}

/// A cell set with its blocks, one for each region; in a plain table, a cell set with the block of
/// one cell of the blank.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SetBlocks {
    pub(crate) cells: CellSet,
    /// Slot of its first block within the class.
    pub(crate) first_slot: usize,
    pub(crate) block_count: usize,
}

/// The blocks of one parity.
#[derive(Clone, Debug, Default)]
pub(crate) struct Class {
    /// The cell sets with their blocks, in the order of their ranks.
    pub(crate) sets: Vec<SetBlocks>,
    pub(crate) slot_count: usize,
    pulls_start: Vec<usize>,
    pulls: Vec<Pull>,
}

impl Class {
    /// Returns the reverse moves into a slot's block.
    #[inline]
    pub(crate) fn pulls(&self, slot: usize) -> &[Pull] {
        &self.pulls[self.pulls_start[slot]..self.pulls_start[slot + 1]]
    }

    /// Returns the memory of the moves, in bytes.
    fn pull_bytes(&self) -> usize {
        size_of_val(&self.pulls_start[..]) + size_of_val(&self.pulls[..])
    }

    /// Returns the slots of a range of sets.
    pub(crate) fn slots(&self, sets: &Range<usize>) -> Range<usize> {
        let end = |i: usize| self.sets.get(i).map_or(self.slot_count, |set| set.first_slot);
        end(sets.start)..end(sets.end)
    }
}

/// Position of a [`SetBlocks`]: class, and index within it.
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
    /// Positions by rank of the cell set; in a plain table, by block.
    pub(crate) places: Vec<SetPlace>,
    /// Slot of the goal's block, in class 0.
    pub(crate) goal_slot: usize,
}

/// Returns the parity of the number of moves between two placements of the tiles (or of the blank),
/// which follows from their cells.
fn parity(shape: Shape, cells: CellSet) -> usize {
    cells.iter().map(|cell| shape.row_col(cell)).map(|(row, col)| row + col).sum::<usize>() % 2
}

/// Returns the possible cells of the blank in each block of a cell set, in the order of the blocks.
fn blanks(shape: Shape, cells: CellSet, mode: BlankMode) -> Vec<CellSet> {
    let free = shape.all_cells().without(cells);
    match mode {
        BlankMode::Aware | BlankMode::Collapsed => regions(shape, free).collect(),
        BlankMode::Plain => free.iter().map(CellSet::single).collect(),
    }
}

impl BlockGraph {
    pub(crate) fn new(key: &PatternKey) -> Result<Self, IndexError> {
        let PatternKey { shape, mode, .. } = *key;
        // The search distinguishes regions even if the table does not.
        let search_mode = if mode == BlankMode::Collapsed { BlankMode::Aware } else { mode };
        let index = PatternIndex::new(shape, key.tile_count(), search_mode)?;
        let class_of = |cells, blanks| match mode {
            BlankMode::Aware | BlankMode::Collapsed => {
                parity(shape, cells) ^ parity(shape, key.homes)
            }
            BlankMode::Plain => parity(shape, blanks) ^ parity(shape, key.goal_cells()),
        };
        let mut classes = [Class::default(), Class::default()];
        let mut places = Vec::new();
        let mut slot_of_block = Vec::with_capacity(index.block_count());
        for cells in cell_sets(shape, key.tile_count()) {
            let blanks = blanks(shape, cells, mode);
            let together = if mode == BlankMode::Plain { 1 } else { blanks.len() };
            for part in blanks.chunks(together) {
                let class_number = class_of(cells, part[0]);
                let class = &mut classes[class_number];
                places.push(SetPlace { class: class_number, set: class.sets.len() });
                let first_slot = class.slot_count;
                class.sets.push(SetBlocks { cells, first_slot, block_count: part.len() });
                class.slot_count += part.len();
                slot_of_block.extend((first_slot..class.slot_count).map(|slot| slot as u32));
            }
        }
        let slot = |cells, blank| slot_of_block[index.block(cells, blank)];
        for class in &mut classes {
            class.pulls_start.push(0);
        }
        // Visits the blocks in the order of their slots, too.
        for cells in cell_sets(shape, key.tile_count()) {
            for blank in blanks(shape, cells, mode) {
                let class = &mut classes[class_of(cells, blank)];
                class.pulls.extend(tile_pulls(shape, cells, blank, slot));
                if mode == BlankMode::Plain {
                    class.pulls.extend(blank_pulls(shape, cells, blank, slot));
                }
                class.pulls_start.push(class.pulls.len());
            }
        }
        let goal_slot = slot(key.homes, key.goal_region) as usize;
        Ok(Self { index, classes, places, goal_slot })
    }

    /// Frees the moves, which only the search needs.
    pub(crate) fn drop_pulls(&mut self) {
        for class in &mut self.classes {
            (class.pulls_start, class.pulls) = (Vec::new(), Vec::new());
        }
    }

    /// Returns the memory in bytes, without that of the moves.
    pub(crate) fn bytes(&self) -> usize {
        // The index has up to 28 bytes per set.
        let places = (size_of::<SetPlace>() + 28) * self.places.len();
        places + self.classes.iter().map(|class| size_of_val(&class.sets[..])).sum::<usize>()
    }

    /// Returns the memory of the moves, in bytes.
    pub(crate) fn pull_bytes(&self) -> usize {
        self.classes.iter().map(Class::pull_bytes).sum()
    }
}

/// Returns the reverse moves of pattern tiles into a block with the blank on one of the cells
/// `blank`.
fn tile_pulls(
    shape: Shape,
    cells: CellSet,
    blank: CellSet,
    slot: impl Fn(CellSet, Cell) -> u32,
) -> Vec<Pull> {
    let mut pulls = Vec::new();
    for to in cells.iter() {
        // The tile on `to` came from a neighbour that the blank can reach now; before, the blank
        // was on `to`.
        let came_from = CellSet(shape.neighbours(to).0 & blank.0);
        let others = cells.without(CellSet::single(to));
        for from in came_from.iter() {
            let before = CellSet(others.0 | 1 << from);
            let position = |cell| others.position(cell) as u8;
            let rotation = Rotation { from: position(from), to: position(to) };
            pulls.push(Pull { source: slot(before, to), rotation });
        }
    }
    pulls
}

/// Returns the reverse moves of other tiles into a plain block: the blank came from a free cell,
/// and the pattern's tiles stay.
fn blank_pulls(
    shape: Shape,
    cells: CellSet,
    blank: CellSet,
    slot: impl Fn(CellSet, Cell) -> u32,
) -> Vec<Pull> {
    let came_from = blank.iter().flat_map(|to| shape.neighbours(to).without(cells).iter());
    let pull = |from| Pull { source: slot(cells, from), rotation: Rotation::default() };
    came_from.map(pull).collect()
}
