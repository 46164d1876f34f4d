//! One nibble per cell in one word, for boards of up to 16 cells.

use pdb_core::index::{ArrangementShares, cell_sets, rank_share};
use pdb_core::{BlankMode, Cell, CellSet, PatternIndex, PatternState};

use super::{Arithmetic, TableIndex};
use crate::bits::Bits;

/// One word per pattern: nibble `c` is 0 or 8 + the label of the tile on cell `c`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Nibbles<B>(pub(crate) B);

const CELLS: usize = 16;
/// Room for all cell sets of one size, at most 12,870.
const SETS: usize = 1 << 14;

/// Tables of [`Nibbles`]: a few times 10 KB, for the caches next to the core.
#[derive(Debug)]
pub(crate) struct NibbleTables {
    /// Shares of a cell set's rank of its lower eight cells, and of its upper eight.
    set_shares: [[u16; 256]; 2],
    /// For each cell set, its first block in the low 16 bits, then the number of each cell's
    /// region, three bits a cell.
    places: Box<[u64; SETS]>,
    arrangement_shares: ArrangementShares,
    /// Distance from one arrangement to the next, in entries.
    stride: u64,
}

impl NibbleTables {
    /// Creates the tables of an index, unless it is too large for them or that of a plain table.
    pub(super) fn new(index: &PatternIndex) -> Option<Box<Self>> {
        let shape = index.shape();
        let tile_count = index.tile_count();
        let is_small = shape.cell_count() <= CELLS && index.block_count() <= 1 << 16;
        if index.mode() == BlankMode::Plain || !is_small {
            return None;
        }
        let arrangement_shares = *index.arrangement_shares()?;
        let mut tables = Box::new(NibbleTables {
            set_shares: [[0; 256]; 2],
            places: vec![0; SETS].try_into().ok()?,
            arrangement_shares,
            stride: index.block_count() as u64,
        });
        for byte in 0..256usize {
            let cells = CellSet(byte as u64);
            tables.set_shares[0][byte] = rank_share(cells, 0) as u16;
            // All tiles outside the upper cells are in the lower ones.
            if let Some(lower) = tile_count.checked_sub(cells.len()) {
                tables.set_shares[1][byte] = rank_share(CellSet(cells.0 << 8), lower) as u16;
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
        Some(tables)
    }

    /// Returns the argument `shift` of [`entry`](Self::entry) for the blank's cell.
    #[inline(always)]
    pub(crate) fn shift(blank: Cell) -> u8 {
        16 + 3 * (blank & 15)
    }

    /// Returns the entry of a set of cells, the labels on them, three bits each, and the blank's
    /// [`shift`](Self::shift).
    #[inline(always)]
    pub(crate) fn entry(&self, cells: u64, labels: u64, shift: u8) -> u64 {
        let [lower, upper] = &self.set_shares;
        let rank = lower[(cells & 255) as usize] + upper[(cells >> 8 & 255) as usize];
        let place = self.places[usize::from(rank) % SETS];
        let block = (place & 0xffff) + (place >> (shift & 63) & 7);
        let [first, last] = &self.arrangement_shares;
        let arrangement = first[(labels & 4095) as usize] + last[(labels >> 12 & 4095) as usize];
        u64::from(arrangement) * self.stride + block
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
        // Cells are below 16, so the masks change nothing and spare a check.
        state ^ nibble << (4 * (from & 15)) ^ nibble << (4 * (to & 15))
    }

    #[inline(always)]
    fn entry(self, tables: &NibbleTables, state: u64, blank: Cell) -> u64 {
        tables.entry(self.0.cells(state), self.0.labels(state), NibbleTables::shift(blank))
    }

    #[inline(always)]
    fn run<R>(self, work: impl FnOnce() -> R) -> R {
        self.0.run(work)
    }
}
