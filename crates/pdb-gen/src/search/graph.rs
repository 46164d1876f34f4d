//! Graph of blocks: the blocks from which moves lead to a block, and the rotations of these moves.
//!
//! A pattern tile that moves from cell to cell changes the parity of the cell set, such as the
//! number of its cells on dark squares. All states of a block thus have costs of one parity, and
//! the blocks form two classes: a level of the search reads one class and writes the other. In a
//! plain table the parity is that of the blank's cell, which every move changes.

use std::ops::Range;

use pdb_core::index::cell_sets;
use pdb_core::processor::with_wide_registers;
use pdb_core::region::RegionFinder;
use pdb_core::{
    BlankMode, CELLS_MAX, Cell, CellSet, IndexError, PatternIndex, PatternKey, Shape, binomial,
};

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
    pub(crate) pulls: Vec<Pull>,
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

/// Returns the number of reverse moves into all blocks of a pattern. Both classes have as many,
/// because a move leads from one to the other, and back.
pub(crate) fn pull_count(shape: Shape, tile_count: usize, mode: BlankMode) -> u64 {
    let (rows, cols) = (shape.rows() as u64, shape.cols() as u64);
    let edge_count = rows * (cols - 1) + cols * (rows - 1);
    // A tile beside a free cell is a move into the block: an edge with one end in the cell set. In
    // a plain table every edge at the blank's cell is a move.
    let places = match mode {
        BlankMode::Aware | BlankMode::Collapsed => binomial(shape.cell_count() - 2, tile_count - 1),
        BlankMode::Plain => binomial(shape.cell_count() - 1, tile_count),
    };
    2 * edge_count * places
}

/// Cells and masks of a board that the graph asks for often.
struct BoardMasks {
    mode: BlankMode,
    all: CellSet,
    /// The cells with an odd sum of row and column.
    odd: CellSet,
    neighbours: [CellSet; NEIGHBOURS],
    regions: RegionFinder,
}

/// Length of the neighbours of cells: a power of two, so that it limits an index without a branch.
const NEIGHBOURS: usize = CELLS_MAX.next_power_of_two();

impl BoardMasks {
    fn new(shape: Shape, mode: BlankMode) -> Self {
        let cells = || shape.all_cells().iter();
        let is_odd = |&cell: &Cell| {
            let (row, col) = shape.row_col(cell);
            (row + col) % 2 == 1
        };
        let mut neighbours = [CellSet::EMPTY; NEIGHBOURS];
        for cell in cells() {
            neighbours[usize::from(cell)] = shape.neighbours(cell);
        }
        Self {
            mode,
            all: shape.all_cells(),
            odd: cells().filter(is_odd).collect(),
            neighbours,
            regions: RegionFinder::new(shape),
        }
    }

    /// Returns the parity of the number of moves between two placements of the tiles (or of the
    /// blank), which follows from their cells.
    #[inline(always)]
    fn parity(&self, cells: CellSet) -> usize {
        CellSet(cells.0 & self.odd.0).len() % 2
    }

    /// Appends the possible cells of the blank in each block of a cell set, in the order of the
    /// blocks. Returns the number of blocks.
    #[inline(always)]
    fn add_blanks(&self, cells: CellSet, blanks: &mut Vec<CellSet>) -> usize {
        let (free, before) = (self.all.without(cells), blanks.len());
        match self.mode {
            BlankMode::Aware | BlankMode::Collapsed => {
                for region in self.regions.regions(free) {
                    blanks.push(region);
                }
            }
            BlankMode::Plain => blanks.extend(free.iter().map(CellSet::single)),
        }
        blanks.len() - before
    }

    #[inline(always)]
    fn neighbours(&self, cell: Cell) -> CellSet {
        self.neighbours[usize::from(cell) % NEIGHBOURS]
    }

    /// Adds the reverse moves of pattern tiles into a block with the blank on one of the cells
    /// `blank`.
    #[inline(always)]
    fn add_tile_pulls(
        &self,
        cells: CellSet,
        blank: CellSet,
        slot: impl Fn(CellSet, Cell) -> u32,
        pulls: &mut Vec<Pull>,
    ) {
        for from in blank.iter() {
            // A tile beside the blank came from the blank's cell; before, the blank was on the
            // tile's.
            let moved = CellSet(self.neighbours(from).0 & cells.0);
            for to in moved.iter() {
                let others = cells.without(CellSet::single(to));
                let before = CellSet(others.0 | CellSet::single(from).0);
                let (from, place) = (others.position(from), cells.position(to));
                let rotation = Rotation { from: from as u8, to: place as u8 };
                pulls.push(Pull { source: slot(before, to), rotation });
            }
        }
    }

    /// Adds the reverse moves of other tiles into a plain block: the blank came from a free cell,
    /// and the pattern's tiles stay.
    #[inline(always)]
    fn add_blank_pulls(
        &self,
        cells: CellSet,
        blank: CellSet,
        slot: impl Fn(CellSet, Cell) -> u32,
        pulls: &mut Vec<Pull>,
    ) {
        let came_from = blank.iter().flat_map(|to| self.neighbours(to).without(cells).iter());
        let pull = |from| Pull { source: slot(cells, from), rotation: Rotation::default() };
        pulls.extend(came_from.map(pull));
    }
}

impl BlockGraph {
    pub(crate) fn new(key: &PatternKey) -> Result<Self, IndexError> {
        // Sets of cells are counted all the time.
        with_wide_registers(
            #[inline(always)]
            || Self::with_popcnt(key),
        )
    }

    #[inline(always)]
    fn with_popcnt(key: &PatternKey) -> Result<Self, IndexError> {
        let PatternKey { shape, mode, .. } = *key;
        let tile_count = key.tile_count();
        // The search distinguishes regions even if the table does not.
        let search_mode = if mode == BlankMode::Collapsed { BlankMode::Aware } else { mode };
        let index = PatternIndex::new(shape, tile_count, search_mode)?;
        let board = BoardMasks::new(shape, mode);
        let class_of = |cells, blanks| match mode {
            BlankMode::Aware | BlankMode::Collapsed => board.parity(cells),
            BlankMode::Plain => board.parity(blanks),
        };
        // The cells of the blank in each block.
        let mut blanks = Vec::with_capacity(index.block_count());
        let mut classes = [Class::default(), Class::default()];
        let mut places = Vec::with_capacity(index.set_count());
        let mut slot_of_block = Vec::with_capacity(index.block_count());
        for cells in cell_sets(shape, tile_count) {
            let block_count = board.add_blanks(cells, &mut blanks);
            let together = if mode == BlankMode::Plain { 1 } else { block_count };
            for part in blanks[slot_of_block.len()..].chunks(together) {
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
            class.pulls = Vec::with_capacity(pull_count(shape, tile_count, mode) as usize / 2);
            class.pulls_start = Vec::with_capacity(class.slot_count + 1);
            class.pulls_start.push(0);
        }
        // Visits the blocks in the order of their slots, too.
        let mut blanks = blanks.into_iter();
        for place in &places {
            let class = &mut classes[place.class];
            let SetBlocks { cells, block_count, .. } = class.sets[place.set];
            for blank in blanks.by_ref().take(block_count) {
                board.add_tile_pulls(cells, blank, slot, &mut class.pulls);
                if mode == BlankMode::Plain {
                    board.add_blank_pulls(cells, blank, slot, &mut class.pulls);
                }
                class.pulls_start.push(class.pulls.len());
            }
        }
        let mut this = Self { index, classes, places, goal_slot: 0 };
        this.turn_to(key);
        Ok(this)
    }

    /// Makes this the graph of another pattern of the same shape, size and blank mode. Only the
    /// goal differs, and which of the two classes has it.
    pub(super) fn turn_to(&mut self, key: &PatternKey) {
        let block = |blank| self.index.block(key.homes, blank);
        let place = match key.mode {
            BlankMode::Aware | BlankMode::Collapsed => self.index.set_rank(key.homes),
            BlankMode::Plain => block(key.goal_region),
        };
        let SetPlace { class, set } = self.places[place];
        let set = &self.classes[class].sets[set];
        self.goal_slot = set.first_slot;
        if key.mode != BlankMode::Plain {
            let free = key.shape.all_cells().without(key.homes).first();
            // The first block of a set has its smallest free cell.
            self.goal_slot += block(key.goal_region) - free.map_or(0, block);
        }
        if class == 1 {
            self.classes.swap(0, 1);
            self.places.iter_mut().for_each(|place| place.class ^= 1);
        }
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
