//! From where a pattern's tiles stand to an entry of its table.
//!
//! There are three ways, with equal results. [`Nibbles`] keeps a pattern in one word, a nibble a cell,
//! so that a move is two exclusive ors, and an index is two gatherings of bits and five small
//! tables; it serves boards of up to 16 cells and patterns of up to 8 tiles.
//! [`Packed`](crate::packed::Packed) has the cell set and the labels in one word, and serves boards of
//! up to 26 cells and patterns of up to 8 tiles. [`Labels`] keeps them apart, and serves all others.

use std::fmt::Debug;

use pdb_core::index::cell_sets;
use pdb_core::{BlankMode, Cell, IndexError, PatternIndex, PatternState, Shape};

use crate::bits::Bits;
use crate::packed::PackedTables;

/// A way to keep patterns and to find entries.
pub trait Arithmetic: Copy + Debug + Send + Sync {
    /// Where a pattern's tiles stand, in cells of the table.
    type State: Copy + Default + Debug + Send + Sync;
    /// What entries are found with.
    type Tables: Debug + Send + Sync;

    /// What finds the entries of an index; nothing where this way does not serve it.
    fn tables(self, index: &TableIndex) -> Option<&Self::Tables>;

    /// A state in this way's own form.
    fn state(self, tables: &Self::Tables, state: PatternState) -> Self::State;

    /// The state after the tile `label` moved from one cell to another.
    fn moved(
        self,
        tables: &Self::Tables,
        state: Self::State,
        label: u8,
        from: Cell,
        to: Cell,
    ) -> Self::State;

    /// The entry of a state with the blank on the free cell `blank`.
    fn entry(self, tables: &Self::Tables, state: Self::State, blank: Cell) -> u64;

    /// Runs a piece of work where this way's instructions may be used.
    fn run<R>(self, work: impl FnOnce() -> R) -> R;
}

/// The index of a table, and what is made of it once.
#[derive(Debug)]
pub struct TableIndex {
    pub(crate) index: PatternIndex,
    nibbles: Option<Box<NibbleTables>>,
    pub(crate) packed: Option<Box<PackedTables>>,
}

/// All that an index depends on.
pub(crate) type IndexSize = (Shape, usize, BlankMode);

impl TableIndex {
    pub(crate) fn new((shape, tile_count, mode): IndexSize) -> Result<Self, IndexError> {
        let index = PatternIndex::new(shape, tile_count, mode)?;
        let nibbles = NibbleTables::new(&index);
        let packed = PackedTables::new(&index).map(Box::new);
        Ok(Self { index, nibbles, packed })
    }

    pub(crate) fn size(&self) -> IndexSize {
        (self.index.shape(), self.index.tile_count(), self.index.mode())
    }
}

/// Share of an arrangement's rank that its first four labels have, and its last four.
pub(crate) type ArrangementShares = [[u16; 4096]; 2];

/// Works the shares of an index out, for patterns of up to eight tiles.
pub(crate) fn fill_arrangement_shares(index: &PatternIndex, shares: &mut ArrangementShares) {
    for labels in 0..4096 {
        shares[0][labels as usize] = index.arrangement_rank(labels) as u16;
        shares[1][labels as usize] = index.arrangement_rank(labels << 12) as u16;
    }
}

/// Cell set and labels apart, for every board and pattern.
#[derive(Clone, Copy, Debug)]
pub struct Labels;

impl Arithmetic for Labels {
    type State = PatternState;
    type Tables = PatternIndex;

    fn tables(self, index: &TableIndex) -> Option<&PatternIndex> {
        Some(&index.index)
    }

    fn state(self, _: &PatternIndex, state: PatternState) -> PatternState {
        state
    }

    #[inline(always)]
    fn moved(
        self,
        index: &PatternIndex,
        state: PatternState,
        _: u8,
        from: Cell,
        to: Cell,
    ) -> PatternState {
        state.moved(from, to, index.label_bits())
    }

    #[inline(always)]
    fn entry(self, index: &PatternIndex, state: PatternState, blank: Cell) -> u64 {
        index.entry(state, blank)
    }

    #[inline(always)]
    fn run<R>(self, work: impl FnOnce() -> R) -> R {
        work()
    }
}

/// One word a pattern: nibble `c` is 0 or 8 + the label of the tile on cell `c`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Nibbles<B>(pub(crate) B);

const CELLS: usize = 16;
const TILES: usize = 8;
/// Room for all cell sets of one size, of which there are 12,870 at most.
const SETS: usize = 1 << 14;

/// The tables of [`Nibbles`]: together a few times 10 KB, so that they stay in the caches next to
/// the core.
#[derive(Debug)]
pub(crate) struct NibbleTables {
    /// Share of a cell set's rank that its lower eight cells have, and its upper eight.
    set_shares: [[u16; 256]; 2],
    /// For each cell set, its first block in the low 16 bits, then the number of each cell's region,
    /// three bits a cell.
    places: Box<[u64; SETS]>,
    /// Share of an arrangement's rank that its first four labels have, and its last four.
    arrangement_shares: ArrangementShares,
    /// From one arrangement to the next.
    stride: u64,
}

impl NibbleTables {
    /// The tables of an index; nothing when it is too large for them, or that of a plain table.
    fn new(index: &PatternIndex) -> Option<Box<Self>> {
        let shape = index.shape();
        let tile_count = index.tile_count();
        let is_small = shape.cell_count() <= CELLS && tile_count <= TILES;
        if index.mode() == BlankMode::Plain || !is_small || index.block_count() > 1 << 16 {
            return None;
        }
        let mut tables = Box::new(NibbleTables {
            set_shares: [[0; 256]; 2],
            places: vec![0; SETS].try_into().ok()?,
            arrangement_shares: [[0; 4096]; 2],
            stride: index.block_count() as u64,
        });
        let share = |cell: usize, position: usize| pdb_core::binomial(cell, position) as u16;
        for byte in 0..256usize {
            let cells = || (0..8).filter(|cell| byte >> cell & 1 == 1);
            tables.set_shares[0][byte] =
                cells().enumerate().map(|(below, cell)| share(cell, below + 1)).sum();
            // All tiles that are not in the upper cells are in the lower ones.
            if let Some(lower) = tile_count.checked_sub(byte.count_ones() as usize) {
                let upper = cells().enumerate();
                tables.set_shares[1][byte] =
                    upper.map(|(below, cell)| share(cell + 8, lower + below + 1)).sum();
            }
        }
        for (set, slot) in cell_sets(shape, tile_count).zip(tables.places.iter_mut()) {
            let free = shape.all_cells().without(set);
            let block = |cell| index.block(set, cell) as u64;
            // The smallest free cell is in the first region.
            let first = block(free.first()?);
            let mut place = first;
            if index.mode() == BlankMode::Aware {
                for cell in free.iter() {
                    let region = block(cell) - first;
                    if region >= 8 {
                        return None;
                    }
                    place |= region << (16 + 3 * u32::from(cell));
                }
            }
            *slot = place;
        }
        fill_arrangement_shares(index, &mut tables.arrangement_shares);
        Some(tables)
    }
}

impl<B: Bits> Arithmetic for Nibbles<B> {
    type State = u64;
    type Tables = NibbleTables;

    fn tables(self, index: &TableIndex) -> Option<&NibbleTables> {
        index.nibbles.as_deref()
    }

    fn state(self, _: &NibbleTables, state: PatternState) -> u64 {
        let labels = |position: usize| 8 | state.labels >> (3 * position) & 7;
        state.cells.iter().enumerate().map(|(i, cell)| labels(i) << (4 * cell)).sum()
    }

    #[inline(always)]
    fn moved(self, _: &NibbleTables, state: u64, label: u8, from: Cell, to: Cell) -> u64 {
        let nibble = u64::from(8 | label);
        // Cells are below 16, so that the masks change nothing; they spare a check.
        state ^ nibble << (4 * (from & 15)) ^ nibble << (4 * (to & 15))
    }

    #[inline(always)]
    fn entry(self, tables: &NibbleTables, state: u64, blank: Cell) -> u64 {
        let cells = self.0.cells(state);
        let labels = self.0.labels(state);
        let [lower, upper] = &tables.set_shares;
        let rank = lower[(cells & 255) as usize] + upper[(cells >> 8 & 255) as usize];
        let place = tables.places[usize::from(rank) % SETS];
        let block = (place & 0xffff) + (place >> (16 + 3 * (blank & 15)) & 7);
        let [first, last] = &tables.arrangement_shares;
        let arrangement = first[(labels & 4095) as usize] + last[(labels >> 12 & 4095) as usize];
        u64::from(arrangement) * tables.stride + block
    }

    #[inline(always)]
    fn run<R>(self, work: impl FnOnce() -> R) -> R {
        self.0.run(work)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bits::Portable;
    use crate::packed::Packed;

    /// Every way against the index itself, along random walks of one pattern's tiles.
    fn check<A: Arithmetic>(arithmetic: A, table: &TableIndex) {
        let index = &table.index;
        let tables = arithmetic.tables(table).expect("this way serves the index");
        let shape = index.shape();
        let mut random = 0x9e37_79b9_7f4a_7c15_u64;
        let mut next = |below: usize| {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            (random >> 20) as usize % below
        };
        let (mut state, _) = index.unrank(0);
        let mut kept = arithmetic.state(tables, state);
        for _ in 0..200_000 {
            let cells: Vec<Cell> = state.cells.iter().collect();
            let from = cells[next(cells.len())];
            let free = shape.all_cells().without(state.cells);
            let targets: Vec<Cell> =
                shape.neighbours(from).iter().filter(|&cell| free.contains(cell)).collect();
            if targets.is_empty() {
                continue;
            }
            let to = targets[next(targets.len())];
            let label = index.label_at(state, from) as u8;
            let after = arithmetic.moved(tables, kept, label, from, to);
            let back = arithmetic.moved(tables, after, label, to, from);
            assert_eq!(format!("{back:?}"), format!("{kept:?}"));
            state = state.moved(from, to, index.label_bits());
            kept = after;
            for blank in shape.all_cells().without(state.cells).iter() {
                assert_eq!(arithmetic.entry(tables, kept, blank), index.entry(state, blank));
            }
        }
    }

    #[test]
    fn all_ways_find_the_entries_that_the_index_says() {
        for (rows, cols, tile_count) in [(4, 4, 8), (4, 4, 7), (4, 4, 3), (2, 3, 5), (3, 5, 6)] {
            let shape = Shape::new(rows, cols).unwrap();
            for mode in [BlankMode::Aware, BlankMode::Collapsed] {
                let index = TableIndex::new((shape, tile_count, mode)).unwrap();
                check(Labels, &index);
                check(Nibbles(Portable), &index);
                #[cfg(target_arch = "x86_64")]
                if let Some(fast) = crate::bits::Bmi2::detect() {
                    check(Nibbles(fast), &index);
                }
            }
        }
    }

    #[test]
    fn all_ways_for_larger_boards_find_the_entries_that_the_index_says() {
        for (rows, cols, tile_count) in [(5, 5, 6), (5, 5, 7), (5, 5, 1), (4, 5, 8), (2, 13, 5)] {
            let shape = Shape::new(rows, cols).unwrap();
            for mode in [BlankMode::Aware, BlankMode::Collapsed] {
                let index = TableIndex::new((shape, tile_count, mode)).unwrap();
                check(Labels, &index);
                check(Packed(Portable), &index);
                #[cfg(target_arch = "x86_64")]
                if let Some(fast) = crate::bits::Bmi2::detect() {
                    check(Packed(fast), &index);
                }
            }
        }
    }

    #[test]
    fn what_fits_no_word_is_left_to_labels() {
        for (rows, cols, tile_count) in [(4, 4, 9), (5, 5, 9), (5, 6, 4)] {
            let shape = Shape::new(rows, cols).unwrap();
            let index = TableIndex::new((shape, tile_count, BlankMode::Collapsed)).unwrap();
            assert!(Nibbles(Portable).tables(&index).is_none());
            assert!(Packed(Portable).tables(&index).is_none());
            assert!(Labels.tables(&index).is_some());
        }
    }
}
