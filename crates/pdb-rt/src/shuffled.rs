//! Additive pattern databases of boards with up to 16 cells, looked up in all partitions at once.
//!
//! A node carries its board in one register, a byte a cell, and nothing that follows the patterns: a
//! shuffle turns the board to the side that a table was made for, a second one puts the nibble of the
//! pattern in the place of each tile, and these are packed into the word that [`Nibbles`] keeps. So a
//! child is a copy, no move is taken back, and it is all the same which partition is ahead: a search waits for
//! memory once for each node that it expands, where [`PatternSum`] lets it wait twice. The look-ups that it
//! makes in vain, as one partition would have been enough to prune, wait side by side with the others.
//!
//! Estimates are those of [`PatternSum`].

use arrayvec::ArrayVec;
use pdb_core::plan::View;
use pdb_core::{Board, CellSet, Goal, Heuristic, RootError, Slide};
use pdb_format::Packing;

use crate::additive::{self, PatternSum, estimate};
use crate::arithmetic::{NibbleTables, Nibbles};
use crate::bits::{Avx2, Bits, Sixteen};
use crate::{Table, map};

/// Cells and tiles are below this; a mask of it spares a check.
const CELLS: usize = 16;
/// The most patterns, all partitions together: a power of two. Each has a bit in [`ShuffledNode::parities`].
const PATTERNS_MAX: usize = 16;

/// The look-up of one pattern, in cache lines of its own.
#[derive(Clone, Copy, Debug)]
#[repr(align(128))]
struct Lookup<'a> {
    /// For each cell of the table, the board's.
    cells: Sixteen,
    /// For each tile, its nibble: 8 + label, or 0 if it belongs to another pattern.
    nibbles: Sixteen,
    /// For each cell of the board, the shift that [`NibbleTables::entry`] takes for the table's.
    shifts: [u8; CELLS],
    tables: &'a NibbleTables,
    payload: &'a [u8],
}

/// What a move of a tile touches.
#[derive(Clone, Copy, Debug)]
struct Touched<'a, const P: usize> {
    /// The look-ups of the tile's patterns, one of each partition: each tile has copies of its own, so that they
    /// are found at once.
    lookups: [Lookup<'a>; P],
    /// These patterns, a bit each.
    patterns: u16,
}

/// The additive heuristic of `P` partitions, four at most.
#[derive(Debug)]
pub(crate) struct ShuffledSum<'a, const P: usize> {
    bits: Avx2,
    /// The same heuristic in its general form: it knows what a search starts from.
    general: PatternSum<'a, Nibbles<Avx2>, PATTERNS_MAX, P>,
    /// By tile. That of the blank is never asked for.
    touched: [Touched<'a, P>; CELLS],
    /// The board after the tile on one cell and the blank on another one were exchanged.
    exchanges: [[Sixteen; CELLS]; CELLS],
}

/// What a search carries along with a node.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ShuffledNode {
    board: Sixteen,
    /// Sum of the excesses of each partition's patterns, sixteen bits each. One that a damaged table has led below
    /// zero borrows from the next.
    sums: u64,
    manhattan: i16,
    /// The largest sum.
    best: i16,
    /// Whether the excess of each pattern is odd, a bit each.
    parities: u16,
}

/// A child whose values are not known yet.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ShuffledProbe<'a, const P: usize> {
    node: ShuffledNode,
    /// The byte of each partition's entry, and the entry's bit of it.
    bytes: [&'a u8; P],
    places: [u8; P],
    /// The patterns of the moved tile, a bit each.
    patterns: u16,
}

impl<const P: usize> Default for ShuffledProbe<'_, P> {
    fn default() -> Self {
        let board = Sixteen::default();
        let node = ShuffledNode { board, sums: 0, manhattan: 0, best: 0, parities: 0 };
        Self { node, bytes: [&0; P], places: [0; P], patterns: 0 }
    }
}

impl<'a, const P: usize> ShuffledSum<'a, P> {
    /// The heuristic of a plan's partitions over its tables, both as [`Database`](crate::Database) has
    /// checked them; nothing where this way does not serve: for a larger board, for more patterns than there is
    /// room for, and for tables of another kind.
    pub(crate) fn new(
        bits: Avx2,
        goal: &Goal,
        partitions: &[Vec<View>],
        tables: &'a [Table],
    ) -> Option<Self> {
        const { assert!(P <= 4, "there is room for so many sums") };
        let shape = goal.shape();
        let pattern_count = partitions.iter().map(Vec::len).sum();
        if shape.cell_count() > CELLS || partitions.len() != P || pattern_count > PATTERNS_MAX {
            return None;
        }
        let general = PatternSum::new(Nibbles(bits), goal, partitions, tables)?;
        let looked_up = &general.lookups[..pattern_count];
        if looked_up.iter().any(|lookup| lookup.packing != Packing::Bit) {
            return None;
        }
        let lookup = |(number, lookup): (usize, &additive::Lookup<'a, _>)| {
            let mut cells = [Sixteen::NOTHING; CELLS];
            for cell in shape.all_cells().iter() {
                cells[usize::from(lookup.cells[usize::from(cell)])] = cell;
            }
            // The blank has no owner, though it is given the first one.
            let nibble = |tile: usize| {
                let mut owners = general.owners[..P].iter().map(|owners| owners[tile]);
                let own = owners.find(|owner| tile > 0 && usize::from(owner.lookup) == number);
                own.map_or(0, |own| 8 | own.label)
            };
            Lookup {
                cells: Sixteen::new(cells),
                nibbles: Sixteen::new(std::array::from_fn(nibble)),
                shifts: std::array::from_fn(|cell| NibbleTables::shift(lookup.cells[cell])),
                tables: lookup.tables,
                payload: lookup.payload,
            }
        };
        let lookups: ArrayVec<_, PATTERNS_MAX> = looked_up.iter().enumerate().map(lookup).collect();
        let touched = std::array::from_fn(|tile| {
            let numbers: [u8; P] = std::array::from_fn(|p| general.owners[p][tile].lookup);
            Touched {
                lookups: numbers.map(|number| lookups[usize::from(number)]),
                patterns: numbers.iter().fold(0, |patterns, number| patterns | 1 << number),
            }
        });
        Some(Self { bits, general, touched, exchanges: exchanges(shape.all_cells()) })
    }
}

/// For each two cells, the cells of the board before.
fn exchanges(cells: CellSet) -> [[Sixteen; CELLS]; CELLS] {
    let same: [u8; CELLS] = std::array::from_fn(|cell| cell as u8);
    let mut exchanges = [[Sixteen::default(); CELLS]; CELLS];
    for from in cells.iter().map(usize::from) {
        for to in cells.iter().map(usize::from) {
            let mut exchanged = same;
            exchanged.swap(from, to);
            exchanges[from][to] = Sixteen::new(exchanged);
        }
    }
    exchanges
}

impl<'a, const P: usize> Heuristic for ShuffledSum<'a, P> {
    type State = ();
    type Node = ShuffledNode;
    type Probe = ShuffledProbe<'a, P>;

    const SETTLES: bool = false;

    #[inline(always)]
    fn waits(&self) -> bool {
        true
    }

    fn state(&self, _: &Board) {}

    fn root(&self, board: &Board) -> Result<((), Self::Node), RootError> {
        let general = self.general.root_node(board)?;
        let mut cells = [0; CELLS];
        cells[..board.tiles().len()].copy_from_slice(board.tiles());
        let node = ShuffledNode {
            board: Sixteen::new(cells),
            sums: general
                .sums
                .iter()
                .rev()
                .fold(0, |sums, &sum| sums << 16 | u64::from(sum as u16)),
            manhattan: general.manhattan,
            best: general.best,
            parities: (0..PATTERNS_MAX).map(|i| (general.excesses[i] as u16 & 1) << i).sum(),
        };
        Ok(((), node))
    }

    #[inline(always)]
    fn estimate(&self, node: &Self::Node) -> u32 {
        estimate(node.manhattan, node.best)
    }

    #[inline(always)]
    fn locate(&self, (): &(), parent: &Self::Node, slide: Slide) -> Self::Probe {
        let from = usize::from(slide.from) % CELLS;
        let exchange = self.exchanges[from][usize::from(slide.to) % CELLS];
        let board = self.bits.shuffled(parent.board, exchange);
        let Touched { lookups, patterns } = &self.touched[usize::from(slide.tile) % CELLS];
        let mut bytes = [&0; P];
        let mut places = [0; P];
        for p in 0..P {
            let lookup = &lookups[p];
            let tiles = self.bits.shuffled(board, lookup.cells);
            let word = self.bits.packed(self.bits.shuffled(lookup.nibbles, tiles));
            let (cells, labels) = (self.bits.cells(word), self.bits.labels(word));
            let entry = lookup.tables.entry(cells, labels, lookup.shifts[from]);
            // An entry that a damaged table does not have counts as 0.
            bytes[p] = lookup.payload.get((entry >> 3) as usize).unwrap_or(&0);
            map::prefetch(std::slice::from_ref(bytes[p]), 0);
            places[p] = (entry & 7) as u8;
        }
        let manhattan = parent.manhattan + self.general.distances.change(slide);
        let node = ShuffledNode { board, manhattan, ..*parent };
        ShuffledProbe { node, bytes, places, patterns: *patterns }
    }

    // A search that calls itself cannot have the instructions in its own code.
    #[inline(always)]
    fn locate_all(
        &self,
        (): &mut (),
        parent: &Self::Node,
        slides: &[Slide],
        probes: &mut [Self::Probe],
    ) {
        self.bits.run(|| {
            for (probe, &slide) in probes.iter_mut().zip(slides) {
                *probe = self.locate(&(), parent, slide);
            }
        });
    }

    #[inline(always)]
    fn read(&self, parent: &Self::Node, _: Slide, probe: &mut Self::Probe) -> u32 {
        let ShuffledProbe { node, bytes, places, patterns } = probe;
        let patterns = u64::from(*patterns);
        let mut odd = 0;
        for p in 0..P {
            odd |= u64::from(*bytes[p] >> (places[p] & 7) & 1) << p;
        }
        // Where its parity changes, the excess changes by 1, against the Manhattan distance.
        let changed = odd ^ self.bits.gathered(parent.parities.into(), patterns);
        node.parities = parent.parities ^ self.bits.scattered(changed, patterns) as u16;
        let change = i64::from(node.manhattan - parent.manhattan).cast_unsigned();
        let each = self.bits.scattered(changed, 0x0001_0001_0001_0001);
        node.sums = parent.sums.wrapping_sub(each.wrapping_mul(change));
        node.best = (0..P).map(|p| (node.sums >> (16 * p)) as i16).fold(i16::MIN, i16::max);
        self.estimate(node)
    }

    #[inline(always)]
    fn enter(&self, (): &mut (), _: &Self::Node, _: Slide, probe: &Self::Probe) -> Self::Node {
        probe.node
    }

    #[inline(always)]
    fn settle(&self, node: &mut Self::Node) -> u32 {
        self.estimate(node)
    }

    #[inline(always)]
    fn leave(&self, (): &mut (), _: &Self::Node, _: Slide) {}

    fn lookups(&self) -> [u32; 2] {
        [P as u32, 0]
    }

    #[inline(always)]
    fn run<R>(&self, work: impl FnOnce() -> R) -> R {
        self.bits.run(work)
    }
}
