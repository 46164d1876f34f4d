//! Rotations: the permutations of a block's arrangements by tile moves.
//!
//! A block is the set of arrangements of `k` tiles on one cell set, one bit each. A tile that moves
//! from position `p` to position `q` of the cell order keeps its label: the element at `p` is
//! removed and inserted at `q`. In Lehmer order that changes only the digits between `p` and `q`.
//!
//! Layout: the last five positions (fewer in a small pattern) make a unit of 5! = 120 bits in two
//! words; the positions before them number the units. A block stores the low words of all units,
//! then their high words, so that plain loops over words run in vector registers.
//!
//! 1. Rotations before the unit exchange whole units.
//! 2. Rotations within the unit are a fixed permutation of 120 bits, done as masked shifts.
//! 3. A rotation across the border is a rotation before it, an exchange of the two positions at the
//!    border, and a rotation within the unit, in the order that the direction requires.

use std::ops::Range;

use pdb_core::factorial;
use pdb_core::processor::with_wide_registers;

/// Number of positions of a unit.
pub(crate) const UNIT_POSITIONS: usize = 5;
/// Number of bits in one field of a unit: the arrangements with the same first position of the
/// unit.
const FIELD_BITS: usize = 24;
const FIELD_MASK: u128 = (1 << FIELD_BITS) - 1;

/// Layout of the arrangements of `k` tiles in the words of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BlockLayout {
    pub(crate) tile_count: usize,
    /// Number of positions within a unit.
    pub(crate) low: usize,
    /// Number of positions before the unit.
    pub(crate) high: usize,
    pub(crate) unit_count: usize,
    /// Number of arrangements in a unit.
    pub(crate) unit_bits: usize,
    /// Number of words of a block.
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

    /// Returns a unit of a block, as one number.
    #[inline(always)]
    pub(crate) fn unit(&self, block: &[u64], unit: usize) -> u128 {
        let low = u128::from(block[unit]);
        if self.low < UNIT_POSITIONS {
            low
        } else {
            low | u128::from(block[self.unit_count + unit]) << 64
        }
    }
}

/// The words of units that are permuted side by side: low words, then high words.
type Lanes<const N: usize> = [[u64; N]; 2];

/// One term of a bit permutation: the bits of `mask` move by `shift` places.
#[derive(Clone, Copy, Debug)]
struct ShiftTerm {
    mask: u64,
    shift: u32,
}

/// A fixed permutation of the bits of a unit.
#[derive(Clone, Debug, Default)]
struct UnitPermutation {
    /// The terms from half `f` to half `t`, to higher places (`d` = 0) or lower ones (`d` = 1), at
    /// `f * 4 + t * 2 + d`.
    terms: [Vec<ShiftTerm>; 8],
    /// Destination of each bit.
    bit: Vec<u8>,
}

impl UnitPermutation {
    fn new(bit: Vec<u8>) -> Self {
        let mut this = Self { terms: Default::default(), bit };
        for (source, &target) in this.bit.iter().enumerate() {
            let target = usize::from(target);
            let down = target % 64 < source % 64;
            let shift = (target % 64).abs_diff(source % 64) as u32;
            let mask = 1 << (source % 64);
            let terms = &mut this.terms[source / 64 * 4 + target / 64 * 2 + usize::from(down)];
            match terms.iter_mut().find(|term| term.shift == shift) {
                Some(term) => term.mask |= mask,
                None => terms.push(ShiftTerm { mask, shift }),
            }
        }
        this
    }

    fn term_count(&self) -> usize {
        self.terms.iter().map(Vec::len).sum()
    }

    #[inline(always)]
    fn apply<const N: usize>(&self, source: &Lanes<N>) -> Lanes<N> {
        let mut target = [[0; N]; 2];
        self.add_terms::<0, 0, N>(&mut target, source);
        self.add_terms::<0, 1, N>(&mut target, source);
        self.add_terms::<1, 0, N>(&mut target, source);
        self.add_terms::<1, 1, N>(&mut target, source);
        target
    }

    #[inline(always)]
    fn add_terms<const FROM: usize, const TO: usize, const N: usize>(
        &self,
        target: &mut Lanes<N>,
        source: &Lanes<N>,
    ) {
        for term in &self.terms[FROM * 4 + TO * 2] {
            for i in 0..N {
                target[TO][i] |= (source[FROM][i] & term.mask) << term.shift;
            }
        }
        for term in &self.terms[FROM * 4 + TO * 2 + 1] {
            for i in 0..N {
                target[TO][i] |= (source[FROM][i] & term.mask) >> term.shift;
            }
        }
    }
}

/// All rotations of the arrangements of one pattern size.
#[derive(Clone, Debug)]
pub(crate) struct Rotations {
    pub(crate) layout: BlockLayout,
    /// For positions `(p, q)` before the unit: the destination of each unit.
    units: Vec<Vec<u32>>,
    /// For positions `(p, q)` within the unit, counted from its first.
    within: Vec<UnitPermutation>,
    /// For positions `(p, q)` within the unit: the stations of the cheapest path from `p` to `q`,
    /// in which each step is a rotation. A long rotation has many terms, several short ones have
    /// fewer.
    routes: Vec<Vec<usize>>,
}

/// Number of blocks of one unit that are rotated side by side.
const QUEUE_LANES: usize = 8;

/// Blocks that wait for one rotation.
#[derive(Clone, Debug)]
struct RotationQueue {
    rotation: Rotation,
    sources: Lanes<QUEUE_LANES>,
    /// The numbers of the blocks that receive them.
    targets: [u32; QUEUE_LANES],
    len: usize,
}

/// Blocks of one unit that wait until enough of them have the same rotation. A single unit would
/// not fill a vector register.
#[derive(Clone, Debug)]
pub(crate) struct RotationQueues(Vec<RotationQueue>);

impl RotationQueues {
    /// Creates queues for all rotations within a unit; none for larger blocks.
    pub(crate) fn new(layout: &BlockLayout) -> Self {
        let queue = |place| RotationQueue {
            rotation: Rotation::of_place(place),
            sources: [[0; QUEUE_LANES]; 2],
            targets: [0; QUEUE_LANES],
            len: 0,
        };
        let count = if layout.high == 0 { UNIT_POSITIONS * UNIT_POSITIONS } else { 0 };
        Self((0..count).map(queue).collect())
    }
}

/// A rotation: the element at position `from` is removed and inserted at position `to`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Rotation {
    pub(crate) from: u8,
    pub(crate) to: u8,
}

impl Rotation {
    fn is_identity(self) -> bool {
        self.from == self.to
    }

    /// Returns the place of a rotation within a unit among all of them.
    fn place(self) -> usize {
        usize::from(self.from) * UNIT_POSITIONS + usize::from(self.to)
    }

    fn of_place(place: usize) -> Self {
        Self { from: (place / UNIT_POSITIONS) as u8, to: (place % UNIT_POSITIONS) as u8 }
    }
}

/// Returns all arrangements of `count` of the labels `0..labels`, in lexicographic order. An
/// arrangement is a word with a nibble for each label, the first label highest.
pub(crate) fn arrangements(labels: usize, count: usize) -> Vec<u64> {
    let mut all = vec![0u64];
    for len in 0..count {
        let longer = |head: u64| {
            let has = move |label: u64| (0..len).any(|i| head >> (4 * i) & 15 == label);
            (0..labels as u64).filter(move |&next| !has(next)).map(move |next| head << 4 | next)
        };
        all = all.into_iter().flat_map(longer).collect();
    }
    all
}

/// Returns the rank of each of all arrangements of `count` labels after the rotation `from -> to`.
fn rank_map(all: &[u64], count: usize, from: usize, to: usize) -> Vec<u32> {
    let [from, to] = [from, to].map(|position| 4 * (count - 1 - position));
    let below = |word: u64, bits: usize| word & ((1 << bits) - 1);
    let rank = |&word: &u64| {
        let rest = word >> from >> 4 << from | below(word, from);
        let rotated = rest >> to << to << 4 | (word >> from & 15) << to | below(rest, to);
        all.binary_search(&rotated).expect("it is an arrangement of the same labels") as u32
    };
    all.iter().map(rank).collect()
}

/// Returns the stations of the path from `p` to `q` with the fewest terms, plus a small cost per
/// step.
fn cheapest_route(within: &[UnitPermutation], low: usize, p: usize, q: usize) -> Vec<usize> {
    const STEP_COST: usize = 4;
    let between: Vec<usize> = (p.min(q) + 1..p.max(q)).collect();
    let route = |chosen: usize| {
        let mut stations = vec![p];
        let mut picked: Vec<usize> = between
            .iter()
            .enumerate()
            .filter(|(i, _)| chosen >> i & 1 == 1)
            .map(|(_, &s)| s)
            .collect();
        if p > q {
            picked.reverse();
        }
        stations.extend(picked);
        stations.push(q);
        stations
    };
    let cost = |stations: &Vec<usize>| -> usize {
        stations.windows(2).map(|s| within[s[0] * low + s[1]].term_count() + STEP_COST).sum()
    };
    (0..1 << between.len()).map(route).min_by_key(cost).expect("the direct way is one")
}

/// `target |= source`.
#[inline(always)]
pub(crate) fn or(target: &mut [u64], source: &[u64]) {
    let len = target.len().min(source.len());
    let (target, source) = (&mut target[..len], &source[..len]);
    for i in 0..len {
        target[i] |= source[i];
    }
}

impl Rotations {
    /// Creates the rotations; `reach` is the largest number of positions that one move passes: the
    /// board's width minus one.
    pub(crate) fn new(tile_count: usize, reach: usize) -> Self {
        let layout = BlockLayout::new(tile_count);
        let pairs = |n: usize| (0..n * n).map(move |i| (i / n, i % n));
        let (before, inside) =
            (arrangements(tile_count, layout.high), arrangements(layout.low, layout.low));
        // No move is longer, and no move is the identity, so those maps are never requested.
        let is_move = |p: usize, q: usize| p != q && p.abs_diff(q) <= reach;
        let unit =
            |(p, q)| if is_move(p, q) { rank_map(&before, layout.high, p, q) } else { Vec::new() };
        let units = pairs(layout.high).map(unit).collect();
        let within: Vec<UnitPermutation> = pairs(layout.low)
            .map(|(p, q)| {
                let map = rank_map(&inside, layout.low, p, q);
                UnitPermutation::new(map.into_iter().map(|bit| bit as u8).collect())
            })
            .collect();
        let routes =
            pairs(layout.low).map(|(p, q)| cheapest_route(&within, layout.low, p, q)).collect();
        Self { layout, units, within, routes }
    }

    /// Returns the memory, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        let units: usize = self.units.iter().map(|map| size_of_val(&map[..])).sum();
        let terms: usize = self.within.iter().map(UnitPermutation::term_count).sum();
        units + terms * size_of::<ShiftTerm>() + self.within.len() * size_of::<UnitPermutation>()
    }

    fn unit_map(&self, from: usize, to: usize) -> &[u32] {
        &self.units[from * self.layout.high + to]
    }

    fn within(&self, from: usize, to: usize) -> &UnitPermutation {
        &self.within[from * self.layout.low + to]
    }

    /// `target |= rotation(source)` for positions within the unit, counted from its first.
    #[inline(always)]
    fn rotate_within(&self, target: &mut [u64], source: &[u64], from: usize, to: usize) {
        // Wide enough to make a term's loop worthwhile, narrow enough for the first-level cache,
        // and with little padding: blocks have 6, 42, 336 or more units.
        match self.layout.unit_count {
            6 => self.rotate_lanes::<8>(target, source, from, to, 6),
            42 => self.rotate_lanes::<48>(target, source, from, to, 42),
            n => self.rotate_lanes::<112>(target, source, from, to, n),
        }
    }

    /// Does the same for `n` units per block, `N` at a time.
    #[inline(always)]
    fn rotate_lanes<const N: usize>(
        &self,
        target: &mut [u64],
        source: &[u64],
        from: usize,
        to: usize,
        n: usize,
    ) {
        let route = &self.routes[from * self.layout.low + to];
        let whole = n - n % N;
        for first in (0..whole).step_by(N) {
            self.rotate_part::<N>(target, source, route, n, first..first + N);
        }
        if whole < n {
            self.rotate_part::<N>(target, source, route, n, whole..n);
        }
    }

    /// Does the same for some units of a block, at most `N`.
    #[inline(always)]
    fn rotate_part<const N: usize>(
        &self,
        target: &mut [u64],
        source: &[u64],
        route: &[usize],
        n: usize,
        units: Range<usize>,
    ) {
        let mut lanes = [[0; N]; 2];
        for (half, lane) in lanes.iter_mut().enumerate() {
            lane[..units.len()].copy_from_slice(&source[half * n..][units.clone()]);
        }
        for step in route.windows(2) {
            lanes = self.within(step[0], step[1]).apply(&lanes);
        }
        for (half, lane) in lanes.iter().enumerate() {
            or(&mut target[half * n..][units.clone()], &lane[..units.len()]);
        }
    }

    /// `target |= rotation(source)` for blocks of several units, where `source` has `ones` bits
    /// set. `scratch` is a block with any content.
    #[inline(always)]
    pub(crate) fn apply_or(
        &self,
        target: &mut [u64],
        source: &[u64],
        rotation: Rotation,
        ones: u32,
        scratch: &mut [u64],
    ) {
        if rotation.is_identity() {
            or(target, source);
        } else if u64::from(ones) * SPARSE_RATIO
            < (self.layout.unit_count * self.layout.unit_bits) as u64
        {
            self.apply_sparse(target, source, rotation);
        } else {
            self.apply_dense(target, source, rotation, scratch);
        }
    }

    /// `targets[target] |= rotation(source)` for blocks of one unit in `WORDS` words, at once or
    /// with [`end_queues`](Self::end_queues).
    #[inline(always)]
    pub(crate) fn queue_or<const WORDS: usize>(
        &self,
        targets: &mut [[u64; WORDS]],
        target: usize,
        source: &[u64; WORDS],
        rotation: Rotation,
        queues: &mut RotationQueues,
    ) {
        if rotation.is_identity() {
            or(&mut targets[target], source);
            return;
        }
        let queue = &mut queues.0[rotation.place()];
        let lane = queue.len % QUEUE_LANES;
        for (i, &word) in source.iter().enumerate() {
            queue.sources[i][lane] = word;
        }
        queue.targets[lane] = target as u32;
        queue.len = lane + 1;
        if queue.len == QUEUE_LANES {
            self.end_queue(targets, queue);
        }
    }

    /// Rotates all blocks that wait.
    #[inline(always)]
    pub(crate) fn end_queues<const WORDS: usize>(
        &self,
        targets: &mut [[u64; WORDS]],
        queues: &mut RotationQueues,
    ) {
        for queue in &mut queues.0 {
            if queue.len > 0 {
                self.end_queue(targets, queue);
            }
        }
    }

    /// Rotates the blocks of a queue. A call of its own leaves the caller's loop its registers.
    #[inline(never)]
    fn end_queue<const WORDS: usize>(
        &self,
        targets: &mut [[u64; WORDS]],
        queue: &mut RotationQueue,
    ) {
        with_wide_registers(
            #[inline(always)]
            || self.rotate_queue(targets, queue),
        );
    }

    #[inline(always)]
    fn rotate_queue<const WORDS: usize>(
        &self,
        targets: &mut [[u64; WORDS]],
        queue: &mut RotationQueue,
    ) {
        let Rotation { from, to } = queue.rotation;
        let mut lanes = queue.sources;
        for step in self.routes[usize::from(from) * self.layout.low + usize::from(to)].windows(2) {
            lanes = self.within(step[0], step[1]).apply(&lanes);
        }
        for lane in 0..queue.len {
            let target = &mut targets[queue.targets[lane] as usize];
            for i in 0..WORDS {
                target[i] |= lanes[i][lane];
            }
        }
        queue.len = 0;
    }

    /// Rotates word by word: the cost does not depend on the number of set bits.
    #[inline(always)]
    fn apply_dense(
        &self,
        target: &mut [u64],
        source: &[u64],
        rotation: Rotation,
        scratch: &mut [u64],
    ) {
        let high = self.layout.high;
        let (p, q) = (usize::from(rotation.from), usize::from(rotation.to));
        match (p < high, q < high) {
            (true, true) => self.move_units(target, source, self.unit_map(q, p)),
            (false, false) => self.rotate_within(target, source, p - high, q - high),
            (true, false) => {
                // The inverse of p -> high - 1 gives the source of a unit.
                let from = (p + 1 < high).then(|| self.unit_map(high - 1, p));
                if q == high {
                    self.exchange_border(target, source, from, None);
                } else {
                    scratch.fill(0);
                    self.exchange_border(scratch, source, from, None);
                    self.rotate_within(target, scratch, 0, q - high);
                }
            }
            (false, true) => {
                let to = (q + 1 < high).then(|| self.unit_map(high - 1, q));
                if p == high {
                    self.exchange_border(target, source, None, to);
                } else {
                    scratch.fill(0);
                    self.rotate_within(scratch, source, p - high, 0);
                    self.exchange_border(target, scratch, None, to);
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

    /// Rotates bit by bit: for blocks with few set bits.
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

/// A block is sparse if less than one in this number of its bits is set.
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

    /// Returns the block of a queued rotation, in the last of so many blocks that some of them are
    /// rotated at once and others in the end.
    fn queued<const WORDS: usize>(
        rotations: &Rotations,
        source: &[u64],
        rotation: Rotation,
    ) -> Vec<u64> {
        let mut queues = RotationQueues::new(&rotations.layout);
        let mut targets = [[0; WORDS]; QUEUE_LANES + 2];
        let source = source.try_into().expect("the words of a block");
        for target in 0..targets.len() {
            rotations.queue_or(&mut targets, target, &source, rotation, &mut queues);
        }
        rotations.end_queues(&mut targets, &mut queues);
        assert!(targets.iter().all(|target| *target == targets[0]));
        targets[0].to_vec()
    }

    #[test]
    fn rotations_equal_the_map_of_ranks() {
        for tile_count in 1..=8 {
            let rotations = Rotations::new(tile_count, 5);
            let layout = rotations.layout;
            let mut scratch = vec![0; layout.word_count];
            let all = arrangements(tile_count, tile_count);
            for (p, q) in (0..tile_count * tile_count).map(|i| (i / tile_count, i % tile_count)) {
                if p == q || p.abs_diff(q) > 5 {
                    continue;
                }
                let map = rank_map(&all, tile_count, p, q);
                let rotation = Rotation { from: p as u8, to: q as u8 };
                for keep in [1, 3, 7] {
                    let ranks = || (0..all.len()).filter(|r| r * 2_654_435_761 % 8 < keep);
                    let source = set_bits(&layout, ranks());
                    let expected = set_bits(&layout, ranks().map(|r| map[r] as usize));
                    let found = match layout.word_count {
                        1 => vec![queued::<1>(&rotations, &source, rotation)],
                        2 => vec![queued::<2>(&rotations, &source, rotation)],
                        words => {
                            let mut dense = vec![0; words];
                            rotations.apply_dense(&mut dense, &source, rotation, &mut scratch);
                            let mut sparse = vec![0; words];
                            rotations.apply_sparse(&mut sparse, &source, rotation);
                            vec![dense, sparse]
                        }
                    };
                    for block in found {
                        assert_eq!(block, expected, "{tile_count} tiles, {p} to {q}");
                    }
                }
            }
        }
    }
}
