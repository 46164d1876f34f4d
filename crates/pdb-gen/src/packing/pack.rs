//! Packing: from recorded levels to the excess, in the bits of a payload.
//!
//! Entries are packed block by block, in the order of the search; `transpose` puts them into the
//! table's order.
//!
//! The Manhattan distance of an arrangement is the sum of two shares: that of the positions before
//! the unit, one sum per unit, and that of the positions within it, which depends only on the
//! labels that remain for them. The second share is computed once for each cell set and each choice
//! of labels. In a plain table the excess is measured from the parity of the level, so nothing is
//! computed: only bit 1 of the level is stored.

use std::convert::Infallible;
use std::ops::Range;

use pdb_core::index::PATTERN_TILES_MAX;
use pdb_core::processor::with_wide_registers;
use pdb_core::{BlankMode, Cell, CellSet, PatternKey};
use pdb_format::Packing;

use super::dimensions::Dimensions;
use crate::GenError;
use crate::search::{
    BlockLayout, COST_LIMIT, RecordBlocks, SearchSpace, SetPlace, UNIT_POSITIONS, arrangements,
    plane_count, recorded,
};
use crate::threads::map_in_threads_with;

/// `SPREAD[b]` holds bit `i` of `b` in its byte `i`.
const SPREAD: [u64; 256] = {
    let mut table = [0; 256];
    let mut b = 0;
    while b < 256 {
        let mut bit = 0;
        while bit < 8 {
            table[b] |= ((b as u64) >> bit & 1) << (8 * bit);
            bit += 1;
        }
        b += 1;
    }
    table
};

const ONES: u64 = 0x0101_0101_0101_0101;
const LOW_NIBBLES: u64 = 0x0f0f_0f0f_0f0f_0f0f;

/// Largest number of planes of a record.
const PLANES_MAX: usize = COST_LIMIT.ilog2() as usize;

/// Units are padded to 128 entries, so that they can be read in words.
const UNIT_PADDED: usize = 128;

/// Numbers that depend only on the pattern.
#[derive(Debug)]
struct DistancePlan {
    layout: BlockLayout,
    /// Distance of the tile with label `l` from its home on cell `c`, at `l * 64 + c`.
    distance: Vec<u8>,
    /// Labels on the positions before the unit, `layout.high` of them per unit.
    prefixes: Vec<u8>,
    /// Index of the choice of labels that remains for each unit.
    choice_of_unit: Vec<u16>,
    /// The labels of each choice, ascending.
    choices: Vec<Vec<u8>>,
    /// Arrangements within a unit, as positions in the choice.
    arrangements: Vec<[u8; UNIT_POSITIONS]>,
    /// For each choice, each position within a unit and each cell there, at
    /// `(choice * UNIT_POSITIONS + position) * cell_count + cell`: bits 0 and 1 of the distance of
    /// the tile at that position, in each arrangement. Only for the parity of the excess.
    shares: Vec<[u128; 2]>,
    cell_count: usize,
}

impl DistancePlan {
    fn new(key: &PatternKey, layout: &BlockLayout) -> Self {
        let k = layout.tile_count;
        let mut distance = vec![0; k * 64];
        for (label, home) in key.homes.iter().enumerate() {
            for cell in 0..key.shape.cell_count() as Cell {
                distance[label * 64 + usize::from(cell)] = key.shape.distance(home, cell) as u8;
            }
        }
        let mut this = Self {
            layout: *layout,
            distance,
            prefixes: Vec::with_capacity(layout.unit_count * layout.high),
            choice_of_unit: Vec::with_capacity(layout.unit_count),
            choices: Vec::new(),
            arrangements: arrangements(layout.low, layout.low)
                .into_iter()
                .map(|word| {
                    let label = |i| word >> (4 * (layout.low - 1 - i)) & 15;
                    std::array::from_fn(|i| if i < layout.low { label(i) as u8 } else { 0 })
                })
                .collect(),
            shares: Vec::new(),
            cell_count: key.shape.cell_count(),
        };
        let mut choice_of_mask = vec![None; 1 << k];
        // Without a list of the prefixes, which would exceed the budget for many tiles.
        for unit in 0..layout.unit_count {
            let mut left: Vec<u8> = (0..k as u8).collect();
            let (mut rest, mut weight) = (unit, layout.unit_count);
            for position in 0..layout.high {
                weight /= k - position;
                this.prefixes.push(left.remove(rest / weight));
                rest %= weight;
            }
            let mask = left.iter().fold(0usize, |mask, &label| mask | 1 << label);
            let choice = *choice_of_mask[mask].get_or_insert_with(|| {
                this.choices.push(left);
                this.choices.len() as u16 - 1
            });
            this.choice_of_unit.push(choice);
        }
        this
    }

    /// Makes the shares of the distances.
    fn add_shares(&mut self) {
        // For each position and each label of a choice: the arrangements that have it there.
        let mut having = [[0u128; UNIT_POSITIONS]; UNIT_POSITIONS];
        for (nth, arrangement) in self.arrangements.iter().enumerate() {
            for position in 0..self.layout.low {
                having[position][usize::from(arrangement[position])] |= 1 << nth;
            }
        }
        let row_count = self.choices.len() * UNIT_POSITIONS;
        self.shares = vec![[0; 2]; row_count * self.cell_count];
        let mut shares = self.shares.chunks_exact_mut(self.cell_count);
        for labels in &self.choices {
            for (having, shares) in having.iter().zip(&mut shares) {
                for (&label, &having) in labels.iter().zip(having) {
                    let distances = &self.distance[usize::from(label) * 64..][..64];
                    for (share, distance) in shares.iter_mut().zip(distances) {
                        share[0] |= having & u128::from(distance & 1).wrapping_neg();
                        share[1] |= having & u128::from(distance >> 1 & 1).wrapping_neg();
                    }
                }
            }
        }
    }
}

/// Numbers that depend on one cell set: the Manhattan distances of its arrangements.
#[derive(Debug)]
struct SetDistances {
    /// For each choice of labels, half the distance of each arrangement within a unit, rounded
    /// down, after adding 0 and after adding 1, because an odd sum of the prefix carries over.
    halves: Vec<[[u8; UNIT_PADDED]; 2]>,
    /// For each choice and each prefix sum modulo 4: bit 1 of the distance.
    second_bits: Vec<[u128; 4]>,
    /// Distance of the labels on the positions before the unit, at `position * 16 + label`.
    prefix: [u8; 256],
}

impl SetDistances {
    fn new(plan: &DistancePlan) -> Self {
        let n = plan.choices.len();
        Self {
            halves: if plan.shares.is_empty() {
                vec![[[0; UNIT_PADDED]; 2]; n]
            } else {
                Vec::new()
            },
            second_bits: vec![[0; 4]; n],
            prefix: [0; 256],
        }
    }

    #[inline(always)]
    fn fill(&mut self, plan: &DistancePlan, cells: CellSet, packing: Packing) {
        let mut cell_of = [0; PATTERN_TILES_MAX];
        for (position, cell) in cells.iter().enumerate() {
            cell_of[position] = usize::from(cell);
        }
        for (position, &cell) in cell_of[..plan.layout.high].iter().enumerate() {
            for label in 0..plan.layout.tile_count {
                self.prefix[position * 16 + label] = plan.distance[label * 64 + cell];
            }
        }
        let low_cells = &cell_of[plan.layout.high..plan.layout.tile_count];
        if packing == Packing::Bit {
            let choices = plan.shares.chunks_exact(UNIT_POSITIONS * plan.cell_count);
            for (second_bits, shares) in self.second_bits.iter_mut().zip(choices) {
                // The sums of all arrangements modulo 4, one bit of each in a word.
                let (mut ones, mut twos) = (0, 0);
                for (position, &cell) in low_cells.iter().enumerate() {
                    let [one, two] = shares[position * plan.cell_count + cell];
                    twos ^= two ^ (ones & one);
                    ones ^= one;
                }
                // Bit 1 of the sum after adding 0, 1, 2 and 3.
                *second_bits = [twos, twos ^ ones, !twos, !(twos ^ ones)];
            }
            return;
        }
        for (labels, halves) in plan.choices.iter().zip(&mut self.halves) {
            let mut part = [[0u8; UNIT_POSITIONS]; UNIT_POSITIONS];
            for (i, &label) in labels.iter().enumerate() {
                for (j, &cell) in low_cells.iter().enumerate() {
                    part[i][j] = plan.distance[usize::from(label) * 64 + cell];
                }
            }
            let mut sums = [0u8; UNIT_PADDED];
            for (sum, arrangement) in sums.iter_mut().zip(&plan.arrangements) {
                *sum = (0..plan.layout.low).map(|j| part[usize::from(arrangement[j])][j]).sum();
            }
            for (odd, halves) in halves.iter_mut().enumerate() {
                for (half, &sum) in halves.iter_mut().zip(&sums) {
                    *half = (sum + odd as u8) >> 1;
                }
            }
        }
    }

    fn prefix_sum(&self, plan: &DistancePlan, unit: usize) -> u8 {
        let high = plan.layout.high;
        let labels = &plan.prefixes[unit * high..][..high];
        labels.iter().enumerate().map(|(i, &label)| self.prefix[i * 16 + usize::from(label)]).sum()
    }
}

/// Writes bits one after another into a zeroed slice, lowest first. The bits of a value after the
/// first `count` are zero.
struct BitWriter<'a> {
    out: &'a mut [u8],
    position_bits: usize,
}

impl BitWriter<'_> {
    #[inline(always)]
    fn push(&mut self, value: u128, count: usize) {
        if self.position_bits.is_multiple_of(8) && count.is_multiple_of(8) {
            let (out, bytes) = (&mut self.out[self.position_bits / 8..], value.to_le_bytes());
            if let Some(out) = out.first_chunk_mut() {
                // The zeros after the value are overwritten later.
                *out = bytes;
            } else {
                out[..count / 8].copy_from_slice(&bytes[..count / 8]);
            }
        } else {
            for i in 0..count {
                let at = self.position_bits + i;
                self.out[at / 8] |= ((value >> i & 1) as u8) << (at % 8);
            }
        }
        self.position_bits += count;
    }
}

/// Packs the low nibbles of eight bytes into four bytes.
fn squeeze_nibbles(bytes: u64) -> u32 {
    let pairs = (bytes | bytes >> 4) & 0x00ff_00ff_00ff_00ff;
    let quads = (pairs | pairs >> 8) & 0x0000_ffff_0000_ffff;
    (quads | quads >> 16) as u32
}

/// One block of the record, read unit by unit.
struct RecordBlock<'a> {
    layout: &'a BlockLayout,
    visited: Option<&'a [u64]>,
    /// The planes with any state, then empty ones.
    planes: [&'a [u64]; PLANES_MAX],
    plane_count: usize,
}

impl RecordBlock<'_> {
    /// Writes the parity of the excess: whether bit 1 of the level and of the distance differ. Both
    /// have the same bit 0, so the subtraction has no borrow.
    #[inline(always)]
    fn push_bits(&self, unit: usize, second_bit: u128, out: &mut BitWriter<'_>) {
        let valid =
            self.visited.map_or((1 << self.layout.unit_bits) - 1, |v| self.layout.unit(v, unit));
        let bits = (self.layout.unit(self.planes[0], unit) ^ second_bit) & valid;
        out.push(bits, self.layout.unit_bits);
    }

    /// Writes the excess itself, a byte per entry, or a nibble on request. Returns whether every
    /// excess fits the packing.
    #[inline(always)]
    fn push_excess(
        &self,
        unit: usize,
        halves: &[u8; UNIT_PADDED],
        prefix_half: u8,
        nibbles: bool,
        out: &mut BitWriter<'_>,
    ) -> bool {
        let visited = self.layout.unit(self.visited.expect("an excess needs it"), unit);
        let mut planes = [0u128; PLANES_MAX];
        for (bits, plane) in planes.iter_mut().zip(&self.planes[..self.plane_count]) {
            *bits = self.layout.unit(plane, unit);
        }
        let mut too_large = 0;
        for first in (0..self.layout.unit_bits).step_by(8) {
            let spread = |bits: u128| SPREAD[(bits >> first & 255) as usize];
            let level_half: u64 =
                planes.iter().enumerate().map(|(i, &bits)| spread(bits) << i).sum();
            let word: [u8; 8] = halves[first..first + 8].try_into().expect("eight bytes");
            let distance_half = u64::from_le_bytes(word) + ONES * u64::from(prefix_half);
            // Bytes of unreached states would borrow from their neighbours.
            let reached = spread(visited) * 255;
            let excess = (level_half & reached | distance_half & !reached) - distance_half;
            let count = (self.layout.unit_bits - first).min(8);
            if nibbles {
                too_large |= (excess + ONES) & !LOW_NIBBLES;
                out.push(u128::from(squeeze_nibbles(excess | !reached & LOW_NIBBLES)), count * 4);
            } else {
                out.push(u128::from(excess | !reached), count * 8);
            }
        }
        too_large == 0
    }
}

/// Returns the packings of a pattern's entries, the smallest first, as `docs/benchmarks.md` shows.
/// Every excess fits the last one.
fn packings(mode: BlankMode) -> &'static [Packing] {
    match mode {
        BlankMode::Aware | BlankMode::Plain => &[Packing::Bit],
        BlankMode::Collapsed => &[Packing::Nibble, Packing::Byte],
    }
}

/// Returns the packing that is tried first.
pub(crate) fn preferred(mode: BlankMode) -> Packing {
    packings(mode)[0]
}

/// Returns the packing with the largest entries.
pub(crate) fn widest(mode: BlankMode) -> Packing {
    packings(mode)[packings(mode).len() - 1]
}

/// Packer of a pattern's entries, which takes some cell sets at a time.
#[derive(Debug)]
pub(crate) struct Packer<'a> {
    pub(crate) space: &'a SearchSpace,
    pub(crate) dimensions: Dimensions,
    /// Number of planes with any state.
    pub(super) plane_count: usize,
    plan: DistancePlan,
}

impl<'a> Packer<'a> {
    fn new(space: &'a SearchSpace, packing: Packing, level_max: usize) -> Self {
        let SearchSpace { key, layout, .. } = space;
        // Planes beyond the largest level are empty; there is at least one.
        let level_bits = level_max.checked_ilog2().unwrap_or(0) as usize;
        let plane_count = level_bits.clamp(1, plane_count(key.mode));
        let mut plan = DistancePlan::new(key, layout);
        if packing == Packing::Bit && key.mode != BlankMode::Plain {
            plan.add_shares();
        }
        Self { space, dimensions: Dimensions::new(space, packing), plane_count, plan }
    }

    /// Returns the blocks of the record that the table has of a cell set.
    fn recorded(&self, place: &SetPlace) -> Range<usize> {
        let SearchSpace { key, graph, .. } = self.space;
        let set = &graph.classes[place.class].sets[place.set];
        let slots = set.first_slot..set.first_slot + set.block_count;
        recorded(key.mode, &slots, &(place.set..place.set + 1))
    }

    /// Returns the number of blocks that a cell set has in the table.
    pub(crate) fn blocks(&self, place: &SetPlace) -> usize {
        self.recorded(place).len()
    }

    /// Packs the cell sets of some ranks into `out`, block by block without gaps; `out` is zeroed.
    /// Returns whether every excess fits the packing.
    pub(super) fn pack_group(
        &self,
        record: &dyn RecordBlocks,
        ranks: Range<usize>,
        out: &mut [u64],
    ) -> bool {
        // Blocks of whole bytes are shared between threads. Smaller blocks belong to tables that
        // one thread packs quickly.
        let block_bits = self.dimensions.row_bits();
        let batch_sets = if block_bits.is_multiple_of(8) { 16 } else { ranks.len().max(1) };
        let mut batches = Vec::new();
        let mut rest: &mut [u8] = bytemuck::cast_slice_mut(out);
        for first in ranks.clone().step_by(batch_sets) {
            let ranks = first..(first + batch_sets).min(ranks.end);
            let places = &self.space.graph.places[ranks];
            let blocks: usize = places.iter().map(|place| self.blocks(place)).sum();
            let bytes = (blocks * block_bits).div_ceil(8);
            batches.push((places, rest.split_off_mut(..bytes).expect("the blocks have room")));
        }
        let distances = || SetDistances::new(&self.plan);
        let thread_count = self.space.thread_count;
        let Ok(fits) =
            map_in_threads_with(thread_count, batches, distances, |distances, (places, out)| {
                let mut writer = BitWriter { out, position_bits: 0 };
                Ok::<_, Infallible>(with_wide_registers(
                    #[inline(always)]
                    || self.pack_sets(record, places, distances, &mut writer),
                ))
            });
        fits.into_iter().all(|fits| fits)
    }

    #[inline(always)]
    fn pack_sets(
        &self,
        record: &dyn RecordBlocks,
        places: &[SetPlace],
        distances: &mut SetDistances,
        writer: &mut BitWriter<'_>,
    ) -> bool {
        let Self { space: SearchSpace { key, graph, .. }, plan, .. } = self;
        let (packing, layout) = (self.dimensions.packing, &plan.layout);
        let mut fits = true;
        for place in places {
            let set = &graph.classes[place.class].sets[place.set];
            // The base of a plain table is 0 or 1, so its bit 1 is never set.
            let is_plain = key.mode == BlankMode::Plain;
            if !is_plain {
                distances.fill(plan, set.cells, packing);
            }
            for block in self.recorded(place) {
                let mut planes = [&[][..]; PLANES_MAX];
                for (number, plane) in planes[..self.plane_count].iter_mut().enumerate() {
                    *plane = record.plane(number, place.class, block);
                }
                let view = RecordBlock {
                    layout,
                    visited: record.visited(place.class, block),
                    planes,
                    plane_count: self.plane_count,
                };
                for unit in 0..layout.unit_count {
                    if is_plain {
                        view.push_bits(unit, 0, writer);
                        continue;
                    }
                    let choice = usize::from(plan.choice_of_unit[unit]);
                    let prefix = distances.prefix_sum(plan, unit);
                    if packing == Packing::Bit {
                        let second = distances.second_bits[choice][usize::from(prefix % 4)];
                        view.push_bits(unit, second, writer);
                    } else {
                        let halves = &distances.halves[choice][usize::from(prefix % 2)];
                        let nibbles = packing == Packing::Nibble;
                        fits &= view.push_excess(unit, halves, prefix / 2, nibbles, writer);
                    }
                }
            }
        }
        fits
    }
}

/// Packs a table by `pack` in the smallest packing that every excess fits. `pack` returns `None` if
/// an excess does not fit. `level_max` is the last level of the search.
pub(crate) fn pack_smallest<T>(
    space: &SearchSpace,
    level_max: usize,
    mut pack: impl FnMut(&Packer<'_>) -> Result<Option<T>, GenError>,
) -> Result<(Dimensions, T), GenError> {
    for &packing in packings(space.key.mode) {
        let packer = Packer::new(space, packing, level_max);
        if let Some(packed) = pack(&packer)? {
            return Ok((packer.dimensions, packed));
        }
    }
    unreachable!("half of a level fits a byte, so an excess does");
}
