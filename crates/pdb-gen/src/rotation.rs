//! Rotations: how a tile move permutes the arrangements of a block.
//!
//! A block is the set of arrangements of `k` tiles on one cell set, a bit each. A tile that moves
//! from position `p` to position `q` of the cell order takes its place in the arrangement along:
//! the element at `p` is removed and inserted at `q`. In Lehmer order that touches the digits
//! between `p` and `q` only.
//!
//! Layout. The last five positions (fewer in a small pattern) make a unit of 5! = 120 bits in two
//! words; the positions before them number the units. A block stores the low words of all units,
//! then their high words, so that plain loops over words run side by side in vector registers.
//!
//! 1. Rotations before the unit exchange whole units.
//! 2. Rotations within it are one fixed permutation of 120 bits, done as masked shifts.
//! 3. A rotation across the border is a rotation before it, an exchange of the two positions at the
//!    border, and a rotation within, in the order that the direction asks for.

use pdb_core::factorial;

/// Positions that make up a unit.
const UNIT_POSITIONS: usize = 5;
/// Bits in one field of a unit: the arrangements that share the unit's first position.
const FIELD_BITS: usize = 24;
const FIELD_MASK: u128 = (1 << FIELD_BITS) - 1;

/// How the arrangements of `k` tiles lie in the words of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BlockLayout {
    pub(crate) tile_count: usize,
    /// Positions within a unit.
    pub(crate) low: usize,
    /// Positions before the unit.
    pub(crate) high: usize,
    pub(crate) unit_count: usize,
    /// Arrangements in a unit.
    pub(crate) unit_bits: usize,
    /// Words of a block.
    pub(crate) word_count: usize,
}

impl BlockLayout {
    pub(crate) fn new(tile_count: usize) -> Self {
        let low = tile_count.min(UNIT_POSITIONS);
        let unit_bits = factorial(low) as usize;
        let unit_count = (factorial(tile_count) / unit_bits as u64) as usize;
        let word_count = unit_count * unit_bits.div_ceil(64);
        Self { tile_count, low, high: tile_count - low, unit_count, unit_bits, word_count }
    }

    /// A unit of a block, as one number.
    #[inline(always)]
    pub(crate) fn unit(&self, block: &[u64], unit: usize) -> u128 {
        let low = u128::from(block[unit]);
        if self.low < UNIT_POSITIONS { low } else { low | u128::from(block[self.unit_count + unit]) << 64 }
    }
}

/// One term of a bit permutation: `out[to] |= shift(in[from] & mask)`; halves are 0 and 1.
#[derive(Clone, Copy, Debug)]
struct ShiftTerm {
    from: usize,
    to: usize,
    mask: u64,
    left: u32,
    right: u32,
}

/// A fixed permutation of the bits of a unit.
#[derive(Clone, Debug, Default)]
struct UnitPermutation {
    terms: Vec<ShiftTerm>,
    /// Where each bit goes.
    bit: Vec<u8>,
}

impl UnitPermutation {
    fn new(bit: Vec<u8>) -> Self {
        let mut terms: Vec<ShiftTerm> = Vec::new();
        for (source, &target) in bit.iter().enumerate() {
            let target = usize::from(target);
            let (left, right) =
                ((target % 64).saturating_sub(source % 64), (source % 64).saturating_sub(target % 64));
            let term = ShiftTerm {
                from: source / 64,
                to: target / 64,
                mask: 1 << (source % 64),
                left: left as u32,
                right: right as u32,
            };
            let same = |t: &&mut ShiftTerm| {
                (t.from, t.to, t.left, t.right) == (term.from, term.to, term.left, term.right)
            };
            match terms.iter_mut().find(same) {
                Some(t) => t.mask |= term.mask,
                None => terms.push(term),
            }
        }
        Self { terms, bit }
    }

    #[inline(always)]
    fn apply_or(&self, layout: &BlockLayout, target: &mut [u64], source: &[u64]) {
        let n = layout.unit_count;
        for term in &self.terms {
            let out = &mut target[term.to * n..][..n];
            let words = &source[term.from * n..][..n];
            if term.left > 0 {
                for (out, &word) in out.iter_mut().zip(words) {
                    *out |= (word & term.mask) << term.left;
                }
            } else {
                for (out, &word) in out.iter_mut().zip(words) {
                    *out |= (word & term.mask) >> term.right;
                }
            }
        }
    }
}

/// All rotations of the arrangements of one pattern size.
#[derive(Clone, Debug)]
pub(crate) struct Rotations {
    layout: BlockLayout,
    /// For positions `(p, q)` before the unit: where each unit goes.
    units: Vec<Vec<u32>>,
    /// For positions `(p, q)` within the unit, counted from its first.
    within: Vec<UnitPermutation>,
}

/// Buffers that one thread reuses from block to block.
#[derive(Clone, Debug)]
pub(crate) struct RotationScratch {
    a: Vec<u64>,
    b: Vec<u64>,
}

impl RotationScratch {
    pub(crate) fn new(layout: &BlockLayout) -> Self {
        Self { a: vec![0; layout.word_count], b: vec![0; layout.word_count] }
    }
}

/// A rotation: the element at position `from` is taken out and put in at position `to`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Rotation {
    pub(crate) from: u8,
    pub(crate) to: u8,
}

impl Rotation {
    fn is_identity(self) -> bool {
        self.from == self.to
    }
}

/// The rank of each arrangement of the positions `0..count`, drawn from `labels` labels, after the
/// rotation `from -> to`: the map on Lehmer digits, without the digits behind `count`.
fn rank_map(labels: usize, count: usize, from: usize, to: usize) -> Vec<u32> {
    let total: usize = (0..count).map(|i| labels - i).product();
    let unrank = |mut rank: usize| {
        let mut digits = vec![0; count];
        for i in (0..count).rev() {
            digits[i] = rank % (labels - i);
            rank /= labels - i;
        }
        let mut left: Vec<usize> = (0..labels).collect();
        digits.into_iter().map(|d| left.remove(d)).collect::<Vec<_>>()
    };
    let rank = |arrangement: &[usize]| {
        let mut left: Vec<usize> = (0..labels).collect();
        arrangement.iter().enumerate().fold(0, |rank, (i, label)| {
            let digit = left.iter().position(|l| l == label).expect("labels are distinct");
            left.remove(digit);
            rank * (labels - i) + digit
        })
    };
    (0..total)
        .map(|source| {
            let mut arrangement = unrank(source);
            let label = arrangement.remove(from);
            arrangement.insert(to, label);
            rank(&arrangement) as u32
        })
        .collect()
}

impl Rotations {
    /// `reach` is the largest number of positions that one move passes: the board's width less one.
    pub(crate) fn new(tile_count: usize, reach: usize) -> Self {
        let layout = BlockLayout::new(tile_count);
        let pairs = |n: usize| (0..n * n).map(move |i| (i / n, i % n));
        let units = pairs(layout.high)
            .map(|(p, q)| {
                // Without a move that long, or as the identity, the map is never asked for.
                if p == q || p.abs_diff(q) > reach {
                    return Vec::new();
                }
                rank_map(tile_count, layout.high, p, q)
            })
            .collect();
        let within = pairs(layout.low)
            .map(|(p, q)| {
                let map = rank_map(layout.low, layout.low, p, q);
                UnitPermutation::new(map.into_iter().map(|bit| bit as u8).collect())
            })
            .collect();
        Self { layout, units, within }
    }

    pub(crate) fn layout(&self) -> &BlockLayout {
        &self.layout
    }

    fn unit_map(&self, from: usize, to: usize) -> &[u32] {
        &self.units[from * self.layout.high + to]
    }

    fn within(&self, from: usize, to: usize) -> &UnitPermutation {
        &self.within[from * self.layout.low + to]
    }

    /// `target |= rotation(source)`, where `source` has `ones` bits set.
    #[inline(always)]
    pub(crate) fn apply_or(
        &self,
        target: &mut [u64],
        source: &[u64],
        rotation: Rotation,
        ones: u32,
        scratch: &mut RotationScratch,
    ) {
        if rotation.is_identity() {
            for (out, &word) in target.iter_mut().zip(source) {
                *out |= word;
            }
        } else if u64::from(ones) * SPARSE_RATIO < (self.layout.unit_count * self.layout.unit_bits) as u64
        {
            self.apply_sparse(target, source, rotation);
        } else {
            self.apply_dense(target, source, rotation, scratch);
        }
    }

    /// Word by word: what a block with many bits costs does not depend on how many they are.
    #[inline(always)]
    fn apply_dense(
        &self,
        target: &mut [u64],
        source: &[u64],
        rotation: Rotation,
        scratch: &mut RotationScratch,
    ) {
        let layout = &self.layout;
        let high = layout.high;
        let (p, q) = (usize::from(rotation.from), usize::from(rotation.to));
        match (p < high, q < high) {
            (true, true) => self.move_units(target, source, self.unit_map(q, p)),
            (false, false) => self.within(p - high, q - high).apply_or(layout, target, source),
            (true, false) => {
                // The inverse of p -> high - 1 says where a unit comes from.
                let from = (p + 1 < high).then(|| self.unit_map(high - 1, p));
                if q == high {
                    self.exchange_border(target, source, from, None);
                } else {
                    scratch.a.fill(0);
                    self.exchange_border(&mut scratch.a, source, from, None);
                    self.within(0, q - high).apply_or(layout, target, &scratch.a);
                }
            }
            (false, true) => {
                let to = (q + 1 < high).then(|| self.unit_map(high - 1, q));
                if p == high {
                    self.exchange_border(target, source, None, to);
                } else {
                    scratch.b.fill(0);
                    self.within(p - high, 0).apply_or(layout, &mut scratch.b, source);
                    self.exchange_border(target, &scratch.b, None, to);
                }
            }
        }
    }

    /// `target[u] |= source[map[u]]`.
    #[inline(always)]
    fn move_units(&self, target: &mut [u64], source: &[u64], map: &[u32]) {
        let n = self.layout.unit_count;
        let (target_low, target_high) = target.split_at_mut(n);
        let (source_low, source_high) = source.split_at(n);
        for ((low, high), &from) in target_low.iter_mut().zip(target_high).zip(map) {
            *low |= source_low[from as usize];
            *high |= source_high[from as usize];
        }
    }

    /// Exchanges the last position before the unit with the first one within it.
    ///
    /// Six units that differ in the last position before the unit make a group. With `(a, s)` the
    /// Lehmer digits of the two positions, the exchange leads to `(s + 1, a)` where `a <= s` and to
    /// `(s, a - 1)` elsewhere, so unit `u` receives one field from every other unit of its group.
    /// Source units are found through `from`, target units through `to`.
    #[inline(always)]
    fn exchange_border(
        &self,
        target: &mut [u64],
        source: &[u64],
        from: Option<&[u32]>,
        to: Option<&[u32]>,
    ) {
        const GROUP: usize = UNIT_POSITIONS + 1;
        let n = self.layout.unit_count;
        debug_assert!(n.is_multiple_of(GROUP), "there are positions before the unit");
        let mut group = [0u128; GROUP];
        for first in (0..n).step_by(GROUP) {
            for (i, unit) in group.iter_mut().enumerate() {
                let u = from.map_or(first + i, |map| map[first + i] as usize);
                *unit = u128::from(source[u]) | u128::from(source[n + u]) << 64;
            }
            for u in 0..GROUP {
                let mut out = 0u128;
                for (j, &unit) in group.iter().enumerate() {
                    if j < u {
                        out |= (unit >> (FIELD_BITS * (u - 1)) & FIELD_MASK) << (FIELD_BITS * j);
                    } else if j > u {
                        out |= (unit >> (FIELD_BITS * u) & FIELD_MASK) << (FIELD_BITS * (j - 1));
                    }
                }
                let at = to.map_or(first + u, |map| map[first + u] as usize);
                target[at] |= out as u64;
                target[n + at] |= (out >> 64) as u64;
            }
        }
    }

    /// Bit by bit: for blocks with few bits.
    #[inline(always)]
    fn apply_sparse(&self, target: &mut [u64], source: &[u64], rotation: Rotation) {
        let n = self.layout.unit_count;
        let high = self.layout.high;
        let (p, q) = (usize::from(rotation.from), usize::from(rotation.to));
        let unit_step = |p: usize, q: usize| (p != q).then(|| self.unit_map(p, q));
        let (first_unit, last_unit, first_bit, last_bit) = match (p < high, q < high) {
            (true, true) => (Some(self.unit_map(p, q)), None, None, None),
            (false, false) => (None, None, Some(&self.within(p - high, q - high).bit), None),
            (true, false) => {
                (unit_step(p, high - 1), None, None, Some(&self.within(0, q - high).bit))
            }
            (false, true) => {
                (None, unit_step(high - 1, q), Some(&self.within(p - high, 0).bit), None)
            }
        };
        let crosses = (p < high) != (q < high);
        for (index, &word) in source.iter().enumerate() {
            let mut rest = word;
            while rest != 0 {
                let mut unit = index % n;
                let mut bit = rest.trailing_zeros() as usize + if index >= n { 64 } else { 0 };
                rest &= rest - 1;
                if let Some(map) = first_unit {
                    unit = map[unit] as usize;
                }
                if let Some(map) = first_bit {
                    bit = usize::from(map[bit]);
                }
                if crosses {
                    let (a, s) = (unit % (UNIT_POSITIONS + 1), bit / FIELD_BITS);
                    let (to_a, to_s) = if a <= s { (s + 1, a) } else { (s, a - 1) };
                    unit = unit - a + to_a;
                    bit = bit - s * FIELD_BITS + to_s * FIELD_BITS;
                }
                if let Some(map) = last_bit {
                    bit = usize::from(map[bit]);
                }
                if let Some(map) = last_unit {
                    unit = map[unit] as usize;
                }
                target[bit / 64 * n + unit] |= 1 << (bit % 64);
            }
        }
    }
}

/// A block counts as sparse while fewer than one bit in so many is set.
const SPARSE_RATIO: u64 = 64;

#[cfg(test)]
mod tests {
    use super::*;

    fn set_bits(layout: &BlockLayout, ranks: impl Iterator<Item = usize>) -> Vec<u64> {
        let mut block = vec![0; layout.word_count];
        for rank in ranks {
            let (unit, bit) = (rank / layout.unit_bits, rank % layout.unit_bits);
            block[bit / 64 * layout.unit_count + unit] |= 1 << (bit % 64);
        }
        block
    }

    #[test]
    fn dense_and_sparse_rotations_equal_the_map_of_ranks() {
        for tile_count in 1..=8 {
            let rotations = Rotations::new(tile_count, 5);
            let layout = *rotations.layout();
            let mut scratch = RotationScratch::new(&layout);
            let total = factorial(tile_count) as usize;
            for (p, q) in (0..tile_count * tile_count).map(|i| (i / tile_count, i % tile_count)) {
                if p == q || p.abs_diff(q) > 5 {
                    continue;
                }
                let map = rank_map(tile_count, tile_count, p, q);
                let rotation = Rotation { from: p as u8, to: q as u8 };
                for keep in [1, 3, 7] {
                    let ranks = || (0..total).filter(|r| r * 2_654_435_761 % 8 < keep);
                    let source = set_bits(&layout, ranks());
                    let expected = set_bits(&layout, ranks().map(|r| map[r] as usize));
                    let mut dense = vec![0; layout.word_count];
                    rotations.apply_dense(&mut dense, &source, rotation, &mut scratch);
                    assert_eq!(dense, expected, "dense, {tile_count} tiles, {p} to {q}");
                    let mut sparse = vec![0; layout.word_count];
                    rotations.apply_sparse(&mut sparse, &source, rotation);
                    assert_eq!(sparse, expected, "sparse, {tile_count} tiles, {p} to {q}");
                }
            }
        }
    }
}
