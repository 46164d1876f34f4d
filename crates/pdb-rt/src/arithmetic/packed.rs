//! Cell set and labels in one word, for boards of 17 to 26 cells, on x86-64 processors with fast
//! instructions.

use std::collections::HashMap;

use pdb_core::index::{ArrangementShares, REGIONS_MAX, cell_sets, rank_share, region_number};
use pdb_core::{BlankMode, Cell, CellSet, PatternIndex, PatternState};

use super::{Arithmetic, TableIndex};
use crate::bits::{Avx2, Bits};

/// One word per pattern: two halves of 32 bits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Packed(pub(crate) Avx2);

/// State of a pattern.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct PackedState {
    cells: u32,
    /// Labels in the order of their cells, three bits each.
    labels: u32,
}

const CELLS: usize = 26;

/// Number of cells whose shares are in one table.
const HALF: u32 = CELLS as u32 / 2;
const HALF_SETS: usize = 1 << HALF;

/// The region number of each cell of a board.
type Regions = [u8; 32];

/// Tables of [`Packed`]. Those that every look-up reads are small, for the caches next to the core.
#[derive(Debug)]
pub(crate) struct PackedTables {
    mode: BlankMode,
    /// Shares of a cell set's rank of its lower 13 cells.
    lower_shares: [u16; HALF_SETS],
    /// Shares of its upper cells.
    upper_shares: [u32; HALF_SETS],
    /// In a blank-aware table, for each cell set its first block, and above it the number of its
    /// [`Regions`], in as few bytes as possible.
    places: Vec<u8>,
    place_bytes: usize,
    block_bits: u32,
    regions_mask: u64,
    /// All different [`Regions`]. There are few, because all regions but the largest are small.
    regions: Vec<Regions>,
    arrangement_shares: ArrangementShares,
    /// Distance from one arrangement to the next, in entries.
    stride: u64,
}

impl PackedTables {
    /// Creates the tables of an index, unless it is too large for them, that of a plain table, or
    /// small enough for nibbles.
    #[allow(
        clippy::large_stack_arrays,
        reason = "48 KB, once an index: they end up in one place, without a pointer to each"
    )]
    pub(crate) fn new(index: &PatternIndex) -> Option<Self> {
        let (shape, tile_count, mode) = (index.shape(), index.tile_count(), index.mode());
        let has_size = (17..=CELLS).contains(&shape.cell_count());
        if mode == BlankMode::Plain || !has_size {
            return None;
        }
        let arrangement_shares = *index.arrangement_shares()?;
        let mut lower_shares = [0; HALF_SETS];
        let mut upper_shares = [0; HALF_SETS];
        for set in 0..HALF_SETS {
            let cells = CellSet(set as u64);
            // There are fewer than 2^13 sets of up to eight out of 13 cells.
            lower_shares[set] = rank_share(cells, 0) as u16;
            // All tiles outside the upper cells are in the lower ones.
            if let Some(lower) = tile_count.checked_sub(cells.len()) {
                upper_shares[set] = rank_share(CellSet(cells.0 << HALF), lower) as u32;
            }
        }
        let block_bits = usize::BITS - index.block_count().leading_zeros();
        let (mut words, mut known) = (Vec::new(), HashMap::new());
        // Most cell sets leave one region, number 0.
        let mut all_regions = vec![[0; 32]];
        for (set, (first, regions)) in cell_sets(shape, tile_count).zip(index.regions()) {
            let mut number = 0;
            if regions.iter().any(|&word| word != 0) {
                let numbers = region_numbers(regions, shape.all_cells().without(set));
                number = *known.entry(numbers).or_insert_with(|| {
                    all_regions.push(numbers);
                    all_regions.len() as u64 - 1
                });
            }
            words.push(u64::from(first) | number << block_bits);
        }
        let region_bits = usize::BITS - all_regions.len().leading_zeros();
        let place_bytes = (block_bits + region_bits).div_ceil(8) as usize;
        if place_bytes > size_of::<u64>() {
            return None;
        }
        let mut places = Vec::with_capacity(words.len() * place_bytes + size_of::<u64>());
        for word in words {
            places.extend_from_slice(&word.to_le_bytes()[..place_bytes]);
        }
        // Padding, so that the last one can be read as a whole word.
        places.extend_from_slice(&[0; size_of::<u64>()]);
        Some(Self {
            mode,
            lower_shares,
            upper_shares,
            places,
            place_bytes,
            block_bits,
            regions_mask: (1 << region_bits) - 1,
            regions: all_regions,
            arrangement_shares,
            stride: index.block_count() as u64,
        })
    }

    /// Returns the block of a cell set with the blank on a free cell.
    #[inline(always)]
    fn block(&self, cells: u32, blank: Cell) -> u64 {
        let half = |cells: u32| cells as usize % HALF_SETS;
        let lower = self.lower_shares[half(cells)];
        let rank = u32::from(lower) + self.upper_shares[half(cells >> HALF)];
        if self.mode == BlankMode::Collapsed {
            return u64::from(rank);
        }
        let word = self.places[rank as usize * self.place_bytes..].first_chunk();
        let word = u64::from_le_bytes(*word.expect("the words are padded"));
        let block = word & ((1 << self.block_bits) - 1);
        let regions = &self.regions[(word >> self.block_bits & self.regions_mask) as usize];
        block + u64::from(regions[usize::from(blank & 31)])
    }
}

/// Returns the number of each cell's region. Cells of the pattern have that of the largest region,
/// so that cell sets with the same small regions have equal numbers.
fn region_numbers(regions: &[u64], free: CellSet) -> Regions {
    let mut sizes = [0; REGIONS_MAX];
    for cell in free.iter() {
        sizes[region_number(regions, cell)] += 1;
    }
    let largest = (0..REGIONS_MAX).max_by_key(|&number| sizes[number]);
    let mut numbers = [largest.unwrap_or(0) as u8; 32];
    for cell in free.iter() {
        numbers[usize::from(cell)] = region_number(regions, cell) as u8;
    }
    numbers
}

impl Arithmetic for Packed {
    type State = PackedState;
    type Tables = PackedTables;

    fn tables(self, index: &TableIndex) -> Option<&PackedTables> {
        index.packed.as_deref()
    }

    fn state(self, _: &PackedTables, state: PatternState) -> PackedState {
        PackedState { cells: state.cells.0 as u32, labels: state.labels as u32 }
    }

    #[inline(always)]
    fn moved(
        self,
        _: &PackedTables,
        state: PackedState,
        label: u8,
        from: Cell,
        to: Cell,
    ) -> PackedState {
        // Cells are below 32, so the masks change nothing and spare a check.
        let bit = |cell: Cell| 1u32 << (cell & 31);
        let others = state.cells ^ bit(from);
        let place = |cell| (others & (bit(cell) - 1)).count_ones();
        let labels = u64::from(state.labels);
        let labels = self.0.reordered(labels, u64::from(label), place(from), place(to));
        PackedState { cells: others ^ bit(to), labels: labels as u32 }
    }

    #[inline(always)]
    fn entry(self, tables: &PackedTables, state: PackedState, blank: Cell) -> u64 {
        let [first, last] = &tables.arrangement_shares;
        let labels = state.labels as usize;
        let arrangement = first[labels & 4095] + last[labels >> 12 & 4095];
        u64::from(arrangement) * tables.stride + tables.block(state.cells, blank)
    }

    #[inline(always)]
    fn run<R>(self, work: impl FnOnce() -> R) -> R {
        self.0.run(work)
    }
}
