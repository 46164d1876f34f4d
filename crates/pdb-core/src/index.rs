//! Ranking of pattern states: the bijection between states and `0..entry_count`.
//!
//! A pattern state is a cell set, an arrangement of the pattern's tiles on it, and the region of
//! the blank (in a blank-aware table) or its cell (in a plain one). Its entry is arrangement rank
//! times `block_count` plus block. A block is one cell set (blank-collapsed), one cell set with one
//! region (blank-aware) or one cell set with one free cell (plain). Cell sets are ordered by their
//! bit masks as numbers, regions by their smallest cell, arrangements lexicographically by the
//! tiles on ascending cells (Lehmer order).
//!
//! The arrangement comes first because most moves of a search keep it: a tile that passes no other
//! tile of the pattern changes the cell set alone. The entries of one arrangement, a strip, take a
//! few kilobytes, so the look-ups of a search find each other's lines in the cache.

use core::fmt;
use core::ops::Range;
use std::error::Error;

use crate::region::{RegionFinder, regions};
use crate::{CELLS_MAX, Cell, CellSet, Shape};

/// Largest number of tiles in one pattern.
pub const PATTERN_TILES_MAX: usize = 15;

/// Largest number of classes of a colouring.
pub const CLASSES_MAX: usize = 10;

/// Largest number of cell sets of an index. Each costs up to 28 bytes of memory, so the limit is
/// far beyond any table that fits.
const SETS_MAX: u64 = 1 << 28;
/// Exclusive upper limit of the entries of an index.
pub const ENTRY_COUNT_END: u64 = 1 << 48;
/// Largest number of regions that a pattern cuts a board into: 16 single cells need at least 15
/// tiles between them.
pub const REGIONS_MAX: usize = 16;
/// Number of bits of a region's number.
const REGION_BITS: u32 = REGIONS_MAX.ilog2();
/// Number of cells whose region numbers fit one word.
const REGION_CELLS: usize = (u64::BITS / REGION_BITS) as usize;
/// Largest pattern with labels of three bits and shares of the ranks of its arrangements, in tiles.
pub const SHARED_TILES_MAX: usize = 8;

/// Returns `n!`, for `n` up to 20.
pub fn factorial(n: usize) -> u64 {
    (1..=n as u64).product()
}

/// Returns `n` over `k`, for `n` up to 64.
pub fn binomial(n: usize, k: usize) -> u64 {
    if k > n {
        return 0;
    }
    let next = |c: u128, i: usize| c * (n - i) as u128 / (i + 1) as u128;
    (0..k.min(n - k)).fold(1, next) as u64
}

/// The part of the blank in the index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum BlankMode {
    /// One entry for each cell set, region and arrangement.
    Aware,
    /// One entry for each cell set and arrangement: the minimum over all regions.
    Collapsed,
    /// One entry for each cell set, cell of the blank and arrangement; every move costs 1, also one
    /// of a tile outside the pattern (Culberson & Schaeffer 1996, "Searching with pattern
    /// databases"). Values of such tables do not add up: the largest counts.
    Plain,
}

impl BlankMode {
    /// Returns `aware`, `collapsed` or `plain`, as in file names.
    pub fn name(self) -> &'static str {
        match self {
            Self::Aware => "aware",
            Self::Collapsed => "collapsed",
            Self::Plain => "plain",
        }
    }
}

const BYTES_MAX: usize = CELLS_MAX.div_ceil(8);

/// Returns the share of `cells` in the rank of a cell set that has `below` smaller cells.
pub fn rank_share(cells: CellSet, below: usize) -> u64 {
    // The i-th smallest cell c of a set, from 1, adds binomial(c, i) to its rank.
    let shares = cells.iter().zip(below + 1..);
    shares.map(|(cell, position)| binomial(usize::from(cell), position)).sum()
}

/// Returns the set of a rank among those of `len` out of `cell_count` cells.
pub(crate) fn set_of_rank(cell_count: usize, len: usize, rank: u64) -> CellSet {
    let (mut set, mut cell, mut rest) = (CellSet::EMPTY, cell_count, rank);
    for position in (1..=len).rev() {
        cell -= 1;
        while binomial(cell, position) > rest {
            cell -= 1;
        }
        rest -= binomial(cell, position);
        set.0 |= 1 << cell;
    }
    set
}

/// Ranking of the `k`-subsets of the board's cells, in the order of their masks.
#[derive(Clone, Debug)]
pub struct CellSetRank {
    cell_count: usize,
    set_len: usize,
    byte_count: usize,
    /// The share of the rank for each byte of the mask, each number of cells below it and each
    /// value. Row `(byte, below)` starts at `(byte * (set_len + 1) + below) * 256`.
    shares: Vec<u32>,
    /// The share of the last byte, whose value determines the number of cells below it.
    last_shares: Box<[u32; 256]>,
}

impl CellSetRank {
    /// Creates the ranking of all sets of `set_len` out of `cell_count` cells.
    pub fn new(cell_count: usize, set_len: usize) -> Self {
        let byte_count = cell_count.div_ceil(8);
        let mut shares = vec![0; byte_count * (set_len + 1) * 256];
        let mut last_shares = Box::new([0; 256]);
        for byte in 0..byte_count {
            for below in 0..=set_len {
                let row = &mut shares[(byte * (set_len + 1) + below) * 256..][..256];
                for value in 1..256usize {
                    let (bit, position) = (value.ilog2(), below + value.count_ones() as usize);
                    let last = CellSet(1 << (byte * 8 + bit as usize));
                    let added = rank_share(last, position - 1);
                    // The ranks of all sets fit 32 bits. A share that does not is part of none.
                    row[value] = (u64::from(row[value ^ 1 << bit]) + added) as u32;
                }
                for (value, &share) in row.iter().enumerate() {
                    let position = below + value.count_ones() as usize;
                    if byte + 1 == byte_count && position == set_len {
                        last_shares[value] = share;
                    }
                }
            }
        }
        Self { cell_count, set_len, byte_count, shares, last_shares }
    }

    /// Returns the number of sets.
    pub fn count(&self) -> usize {
        binomial(self.cell_count, self.set_len) as usize
    }

    /// Returns the rank of a set of the right size, in `0..count`.
    #[inline]
    pub fn rank(&self, set: CellSet) -> usize {
        let last = self.byte_count - 1;
        let mut rank = self.last_shares[(set.0 >> (8 * last) & 255) as usize] as usize;
        let mut below = 0;
        for byte in 0..last.min(BYTES_MAX) {
            let value = (set.0 >> (8 * byte) & 255) as usize;
            rank += self.shares[(byte * (self.set_len + 1) + below) * 256 + value] as usize;
            if byte + 1 < last {
                below += value.count_ones() as usize;
            }
        }
        rank
    }

    /// Returns the rank of a set of any size, up to that of the ranking, among the sets of its
    /// size. It must fit 32 bits.
    #[inline]
    pub(crate) fn rank_of_any(&self, set: u64) -> u32 {
        let mut rank = 0;
        let mut below = 0;
        for byte in 0..self.byte_count {
            let value = (set >> (8 * byte) & 255) as usize;
            rank += self.shares[(byte * (self.set_len + 1) + below) * 256 + value];
            below += value.count_ones() as usize;
        }
        rank
    }

    /// Returns the set of a rank in `0..count`.
    pub fn unrank(&self, rank: usize) -> CellSet {
        set_of_rank(self.cell_count, self.set_len, rank as u64)
    }
}

/// Positions of a pattern's tiles: the cells, and the tile on each of them.
///
/// `labels` holds one label per cell, in fields of [`PatternIndex::label_bits`] bits, the smallest
/// cell lowest. The label of a tile is the position of its home among the pattern's home cells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct PatternState {
    /// The cells that the pattern's tiles occupy.
    pub cells: CellSet,
    /// The labels of the tiles on those cells.
    pub labels: u64,
}

impl PatternState {
    /// Returns the state after the pattern tile at `from` moved to the free cell `to`.
    #[inline]
    #[must_use]
    pub fn moved(self, from: Cell, to: Cell, label_bits: u32) -> Self {
        let cells = CellSet(self.cells.0 & !(1 << from) | 1 << to);
        // The labels stay as they are when no tile stands between the two cells.
        let (low, high) = if from < to { (from, to) } else { (to, from) };
        let passed = self.cells.0 & ((1 << high) - 1) & !((2 << low) - 1);
        if passed == 0 {
            return Self { cells, labels: self.labels };
        }
        let old = self.cells.position(from) as u32 * label_bits;
        let reach = passed.count_ones() * label_bits;
        let new = if from < to { old + reach } else { old - reach };
        let label = self.labels >> old & ((1 << label_bits) - 1);
        let low = |bits: u32| (1u64 << bits) - 1;
        let closed = self.labels & low(old) | self.labels >> label_bits & !low(old);
        let labels = closed & low(new) | label << new | (closed & !low(new)) << label_bits;
        Self { cells, labels }
    }
}

/// Shares of an arrangement's rank, for each four labels of three bits: as its first four, and as
/// its last four. The rank is the sum of both.
pub type ArrangementShares = [[u16; 4096]; 2];

/// Ranking of the arrangements of `k` tiles, in lexicographic order.
#[derive(Clone, Debug)]
struct ArrangementRank {
    tile_count: usize,
    label_bits: u32,
    /// For patterns of few tiles.
    shares: Option<Box<ArrangementShares>>,
}

impl ArrangementRank {
    fn new(tile_count: usize) -> Self {
        let has_shares = tile_count <= SHARED_TILES_MAX;
        let label_bits = if has_shares { 3 } else { 4 };
        let mut this = Self { tile_count, label_bits, shares: None };
        if has_shares {
            let first = tile_count.min(4);
            // The weight of each label among the first `count` of `labels` labels.
            let weights = |count: usize, labels: usize| -> [u16; 4] {
                core::array::from_fn(
                    |i| if i < count { factorial(labels - 1 - i) as u16 } else { 0 },
                )
            };
            let last = tile_count - first;
            let [early, late] = [weights(first, tile_count), weights(last, last)];
            let mut shares = Box::new([[0; 4096]; 2]);
            for labels in 0..4096 {
                let label = |i: usize| (labels >> (3 * i) & 7) as u16;
                let smaller = |i: usize, others: Range<usize>| {
                    others.map(|j| u16::from(label(j) < label(i))).sum::<u16>()
                };
                for i in 0..4 {
                    shares[0][labels] += label(i).saturating_sub(smaller(i, 0..i)) * early[i];
                    shares[1][labels] += smaller(i, i + 1..last) * late[i];
                }
            }
            this.shares = Some(shares);
        }
        this
    }

    #[inline]
    fn rank(&self, labels: u64) -> u64 {
        if let Some(shares) = &self.shares {
            let first = shares[0][(labels & 4095) as usize];
            let last = shares[1][(labels >> 12 & 4095) as usize];
            return u64::from(first) + u64::from(last);
        }
        let mut used = 0u32;
        let mut rank = 0;
        for i in 0..self.tile_count {
            let label = (labels >> (4 * i) & 15) as u32;
            let digit = label - (used & ((1 << label) - 1)).count_ones().min(label);
            rank = rank * (self.tile_count - i) as u64 + u64::from(digit);
            used |= 1 << label;
        }
        rank
    }

    fn unrank(&self, rank: u64) -> u64 {
        let mut rest = rank;
        let mut left: Vec<u64> = (0..self.tile_count as u64).collect();
        let mut labels = 0;
        for i in 0..self.tile_count {
            let step = factorial(self.tile_count - 1 - i);
            let digit = (rest / step) as usize;
            rest %= step;
            labels |= left.remove(digit) << (i as u32 * self.label_bits);
        }
        labels
    }
}

/// Bijection between a pattern's states and `0..entry_count`.
///
/// It depends on the board's shape, the number of tiles and the [`BlankMode`] alone, so patterns of
/// one size share it.
#[derive(Clone, Debug)]
pub struct PatternIndex {
    shape: Shape,
    tile_count: usize,
    mode: BlankMode,
    sets: CellSetRank,
    arrangements: ArrangementRank,
    block_len: u64,
    block_count: usize,
    /// First block of each cell set in a blank-aware table; in others it follows from the rank.
    first_block: Vec<u32>,
    /// Region number of each cell of each set, `codes_stride` words a set.
    region_codes: Vec<u64>,
    codes_stride: usize,
}

impl PatternIndex {
    /// Creates the index of patterns of `tile_count` tiles on a board.
    ///
    /// # Errors
    /// [`IndexError`] when the pattern is empty, leaves no cell free, or is too large to index.
    pub fn new(shape: Shape, tile_count: usize, mode: BlankMode) -> Result<Self, IndexError> {
        check_tile_count(shape, tile_count)?;
        // Each set has at least one block, so hopeless sizes fail before memory is allocated.
        check_block_count(shape, tile_count, binomial(shape.cell_count(), tile_count))?;
        let sets = CellSetRank::new(shape.cell_count(), tile_count);
        let codes_stride = shape.cell_count().div_ceil(REGION_CELLS);
        let mut first_block = Vec::new();
        let mut region_codes = Vec::new();
        let mut block_count = sets.count();
        if mode == BlankMode::Aware {
            first_block.reserve_exact(sets.count());
            region_codes.reserve_exact(sets.count() * codes_stride);
            let mut next = 0u32;
            let finder = RegionFinder::new(shape);
            for set in cell_sets(shape, tile_count) {
                first_block.push(next);
                let mut codes = [0u64; CELLS_MAX.div_ceil(REGION_CELLS)];
                let free = shape.all_cells().without(set);
                for (number, region) in finder.regions(free).enumerate() {
                    debug_assert!(number < REGIONS_MAX);
                    next += 1;
                    if number > 0 {
                        for cell in region.iter() {
                            let (word, shift) = region_place(cell);
                            codes[word] |= (number as u64) << shift;
                        }
                    }
                }
                region_codes.extend_from_slice(&codes[..codes_stride]);
            }
            block_count = next as usize;
        }
        if mode == BlankMode::Plain {
            block_count *= shape.cell_count() - tile_count;
        }
        check_block_count(shape, tile_count, block_count as u64)?;
        Ok(Self {
            shape,
            tile_count,
            mode,
            sets,
            arrangements: ArrangementRank::new(tile_count),
            block_len: factorial(tile_count),
            block_count,
            first_block,
            region_codes,
            codes_stride,
        })
    }

    /// Returns the board's shape.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// Returns the number of tiles in the pattern.
    pub fn tile_count(&self) -> usize {
        self.tile_count
    }

    /// Returns the part of the blank in the index.
    pub fn mode(&self) -> BlankMode {
        self.mode
    }

    /// Returns the number of bits of one label in [`PatternState::labels`].
    #[inline]
    pub fn label_bits(&self) -> u32 {
        self.arrangements.label_bits
    }

    /// Returns the number of entries of one block, which is that of arrangements: `tile_count!`.
    pub fn block_len(&self) -> u64 {
        self.block_len
    }

    /// Returns the number of blocks, which is the number of entries of one arrangement.
    pub fn block_count(&self) -> usize {
        self.block_count
    }

    /// Returns the number of cell sets.
    pub fn set_count(&self) -> usize {
        self.sets.count()
    }

    /// Returns the number of entries.
    pub fn entry_count(&self) -> u64 {
        self.block_count as u64 * self.block_len
    }

    /// Returns the rank of a cell set, in `0..set_count`.
    pub fn set_rank(&self, set: CellSet) -> usize {
        self.sets.rank(set)
    }

    /// Returns the block of a cell set with the blank on the free cell `blank`.
    #[inline]
    pub fn block(&self, set: CellSet, blank: Cell) -> usize {
        let rank = self.sets.rank(set);
        match self.mode {
            BlankMode::Aware => {}
            BlankMode::Collapsed => return rank,
            BlankMode::Plain => {
                let position = usize::from(blank) - set.position(blank);
                return rank * self.free_count() + position;
            }
        }
        let (word, shift) = region_place(blank);
        let codes = self.region_codes[rank * self.codes_stride + word];
        self.first_block[rank] as usize + (codes >> shift) as usize % REGIONS_MAX
    }

    /// Returns the first block of each cell set of a blank-aware table, in the order of their
    /// ranks, and the regions of its cells for [`region_number`]. Other tables have none.
    pub fn regions(&self) -> impl Iterator<Item = (u32, &[u64])> {
        self.first_block.iter().copied().zip(self.region_codes.chunks(self.codes_stride))
    }

    /// Returns the shares of the ranks of arrangements, for patterns of up to eight tiles.
    pub fn arrangement_shares(&self) -> Option<&ArrangementShares> {
        self.arrangements.shares.as_deref()
    }

    /// Returns the entry of a state with the blank on the free cell `blank`.
    #[inline]
    pub fn entry(&self, state: PatternState, blank: Cell) -> u64 {
        self.arrangements.rank(state.labels) * self.block_count as u64
            + self.block(state.cells, blank) as u64
    }

    /// Returns the number of cells without a pattern tile.
    fn free_count(&self) -> usize {
        self.shape.cell_count() - self.tile_count
    }

    /// Returns the state of an entry in `0..entry_count`, with the smallest cell of the blank's
    /// region (in a blank-collapsed table, the smallest free cell; in a plain one, the blank's
    /// cell).
    ///
    /// # Panics
    /// When `entry` is not below [`entry_count`](Self::entry_count).
    pub fn unrank(&self, entry: u64) -> (PatternState, Cell) {
        assert!(entry < self.entry_count(), "entry {entry} of {}", self.entry_count());
        let block = (entry % self.block_count as u64) as usize;
        let labels = self.arrangements.unrank(entry / self.block_count as u64);
        let (set_rank, place) = match self.mode {
            BlankMode::Collapsed => (block, 0),
            BlankMode::Aware => {
                let set = self.first_block.partition_point(|&first| first as usize <= block) - 1;
                (set, block - self.first_block[set] as usize)
            }
            BlankMode::Plain => (block / self.free_count(), block % self.free_count()),
        };
        let cells = self.sets.unrank(set_rank);
        let free = self.shape.all_cells().without(cells);
        let blank = match self.mode {
            BlankMode::Plain => free.iter().nth(place),
            _ => regions(self.shape, free).nth(place).and_then(CellSet::first),
        };
        (PatternState { cells, labels }, blank.expect("a block has a cell for the blank"))
    }

    /// Returns the state in which the tiles with homes `homes` stand on the cells `cell_of(home)`.
    pub fn state(&self, homes: CellSet, mut cell_of: impl FnMut(Cell) -> Cell) -> PatternState {
        let mut label_at = [0u64; CELLS_MAX];
        let mut cells = CellSet::EMPTY;
        for (label, home) in homes.iter().enumerate() {
            let cell = cell_of(home);
            label_at[usize::from(cell)] = label as u64;
            cells.0 |= 1 << cell;
        }
        let mut labels = 0;
        for (position, cell) in cells.iter().enumerate() {
            labels |= label_at[usize::from(cell)] << (position as u32 * self.label_bits());
        }
        PatternState { cells, labels }
    }

    /// Returns the label of the tile at `cell`, which is one of the state's cells.
    pub fn label_at(&self, state: PatternState, cell: Cell) -> usize {
        let shift = state.cells.position(cell) as u32 * self.label_bits();
        (state.labels >> shift & ((1 << self.label_bits()) - 1)) as usize
    }
}

/// Returns word and bit of the number of a cell's region.
#[inline]
fn region_place(cell: Cell) -> (usize, u32) {
    let cell = usize::from(cell);
    (cell / REGION_CELLS, (cell % REGION_CELLS) as u32 * REGION_BITS)
}

/// Returns the number of a free cell's region among those of its cell set, as
/// [`PatternIndex::regions`] gives them; 0 for the other cells.
#[inline]
pub fn region_number(regions: &[u64], cell: Cell) -> usize {
    let (word, shift) = region_place(cell);
    (regions[word] >> shift) as usize % REGIONS_MAX
}

/// Checks that a pattern with `block_count` blocks can be indexed. Allocates nothing.
///
/// # Errors
/// [`IndexError::TooLarge`].
pub fn check_block_count(
    shape: Shape,
    tile_count: usize,
    block_count: u64,
) -> Result<(), IndexError> {
    let entry_count = block_count.checked_mul(factorial(tile_count));
    let is_too_long = entry_count.is_none_or(|entry_count| entry_count >= ENTRY_COUNT_END);
    if is_too_long || binomial(shape.cell_count(), tile_count) > SETS_MAX {
        return Err(IndexError::TooLarge { shape, tile_count });
    }
    Ok(())
}

/// Checks that a pattern of `tile_count` tiles can be indexed. Allocates nothing.
///
/// # Errors
/// [`IndexError::TileCount`].
pub fn check_tile_count(shape: Shape, tile_count: usize) -> Result<(), IndexError> {
    if tile_count == 0 || tile_count >= shape.cell_count() || tile_count > PATTERN_TILES_MAX {
        return Err(IndexError::TileCount { shape, found: tile_count });
    }
    Ok(())
}

/// Returns all sets of `set_len` cells of the board, in the order of their ranks.
///
/// `set_len` is at least 1 and less than the number of cells.
pub fn cell_sets(shape: Shape, set_len: usize) -> impl Iterator<Item = CellSet> {
    let all = shape.all_cells().0;
    let mut next = Some((1u64 << set_len) - 1);
    core::iter::from_fn(move || {
        let set = next.filter(|&set| set <= all)?;
        // Gosper's hack: the next larger number with as many bits (HAKMEM 175).
        let low = set & set.wrapping_neg();
        next = set.checked_add(low).map(|ripple| ripple | ((set ^ ripple) / low) >> 2);
        Some(CellSet(set))
    })
}

/// Failure to number the states of a pattern or a colouring.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum IndexError {
    /// The pattern is empty, or leaves no cell for the blank, or is larger than
    /// [`PATTERN_TILES_MAX`].
    TileCount {
        /// The board's shape.
        shape: Shape,
        /// Number of tiles in the pattern.
        found: usize,
    },
    /// The index has too many entries.
    TooLarge {
        /// The board's shape.
        shape: Shape,
        /// Number of tiles in the pattern.
        tile_count: usize,
    },
    /// There is no class, or there are more than [`CLASSES_MAX`].
    ClassCount {
        /// Number of classes.
        found: usize,
    },
    /// No two tiles are in one class.
    NoEqualTiles,
    /// A colouring has too many states for a table.
    TooManyStates {
        /// The board's shape.
        shape: Shape,
    },
}

impl fmt::Display for IndexError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TileCount { shape, found } => write!(
                f,
                "a pattern on a {shape} board has 1 to {} tiles, but this one has {found}",
                (shape.cell_count() - 1).min(PATTERN_TILES_MAX)
            ),
            Self::TooLarge { shape, tile_count } => write!(
                f,
                "a pattern of {tile_count} tiles on a {shape} board has too many entries to \
                 index: use fewer tiles a pattern"
            ),
            Self::ClassCount { found } => write!(
                f,
                "expected 1 to {CLASSES_MAX} classes of tiles, found {found}: use fewer letters"
            ),
            Self::NoEqualTiles => f.write_str(
                "every tile is alone in its class: give some of them the same letter, or use a \
                 pattern",
            ),
            Self::TooManyStates { shape } => {
                write!(f, "the colouring has too many states on a {shape} board: use fewer letters")
            }
        }
    }
}

impl Error for IndexError {}
