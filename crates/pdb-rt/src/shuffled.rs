//! Additive pattern databases of boards with up to 16 cells, looked up in all partitions at once.
//!
//! A node carries its board in one register, one byte per cell, and no state of patterns. One
//! shuffle maps the board to that of a table. A second one replaces each tile by its nibble in the
//! pattern. The set of cells and the labels are those of [`Nibbles`]. So a child is a copy, and no
//! move is taken back. A search waits for memory once per expanded node, with [`PatternSum`] twice.
//! Look-ups of partitions that were not needed to prune overlap with the others.
//!
//! Estimates are those of [`PatternSum`].

use arrayvec::ArrayVec;
use pdb_core::plan::View;
use pdb_core::processor::prefetch;
use pdb_core::{Board, CellSet, Goal, Heuristic, RootError, Slide};

use crate::Table;
use crate::additive::{self, PatternSum, RootSums, estimate};
use crate::arithmetic::{NibbleTables, Nibbles};
use crate::bits::{Bits, Shuffles, Sixteen};

/// Exclusive upper limit of cells and tiles; taken modulo this, they need no check.
const CELLS: usize = 16;
/// Largest number of patterns of all partitions, a power of two. Each has a bit in
/// [`ShuffledNode::parities`].
const PATTERNS_MAX: usize = 16;

/// Look-up of one pattern, in its own cache lines.
#[derive(Clone, Copy, Debug)]
#[repr(align(128))]
struct Lookup<'a> {
    /// The cell of the board for each cell of the table.
    cells: Sixteen,
    /// The nibble of each tile: 8 + label, or 0 if it belongs to another pattern.
    nibbles: Sixteen,
    /// The shift of [`NibbleTables::entry`] for each cell of the board.
    shifts: [u8; CELLS],
    tables: &'a NibbleTables,
    payload: &'a [u8],
}

/// Look-ups of a tile's patterns.
#[derive(Clone, Copy, Debug)]
struct TileLookups<'a, const P: usize> {
    /// One of each partition, copied for each tile, so that they are found at once.
    lookups: [Lookup<'a>; P],
    /// These patterns, one bit each.
    patterns: u16,
}

/// Additive heuristic of `P` partitions, at most four.
pub(crate) struct ShuffledSum<'a, const P: usize> {
    bits: Shuffles,
    /// The same heuristic in its general form, for the root.
    general: PatternSum<'a, Nibbles<Shuffles>, PATTERNS_MAX, P>,
    /// By tile. That of the blank is unused.
    by_tile: [TileLookups<'a, P>; CELLS],
    /// The permutation of cells by a move from one cell to another.
    exchanges: [[Sixteen; CELLS]; CELLS],
}

/// Per-node numbers of a search.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ShuffledNode {
    board: Sixteen,
    /// The sum of excesses of each partition, sixteen bits each. A sum below zero, from a damaged
    /// table, borrows from the next.
    sums: u64,
    manhattan: i16,
    /// The largest sum.
    best: i16,
    /// The parity of the excess of each pattern, one bit each.
    parities: u16,
}

/// Child whose values are not read yet.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ShuffledProbe<'a, const P: usize> {
    node: ShuffledNode,
    /// The byte of each partition's entry, and the entry's bit of it.
    bytes: [&'a u8; P],
    places: [u8; P],
    /// The patterns of the moved tile, one bit each.
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
    /// Creates the heuristic of a plan's partitions over its tables, which
    /// [`Database`](crate::Database) has checked. Returns `None` for larger boards, too many
    /// patterns, and tables of other kinds.
    pub(crate) fn new(
        bits: Shuffles,
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
        if !looked_up.iter().all(additive::Lookup::is_bit) {
            return None;
        }
        let lookup = |(number, lookup): (usize, &additive::Lookup<'a, _>)| {
            let mut cells = [Sixteen::NOTHING; CELLS];
            for cell in shape.all_cells().iter() {
                cells[usize::from(lookup.cells[usize::from(cell)])] = cell;
            }
            // The blank has no owner.
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
        let by_tile = std::array::from_fn(|tile| {
            let numbers: [u8; P] = std::array::from_fn(|p| general.owners[p][tile].lookup);
            TileLookups {
                lookups: numbers.map(|number| lookups[usize::from(number)]),
                patterns: numbers.iter().fold(0, |patterns, number| patterns | 1 << number),
            }
        });
        Some(Self { bits, general, by_tile, exchanges: exchanges(shape.all_cells()) })
    }
}

/// Returns the permutation of cells for each pair of cells.
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

    fn root(&self, board: &Board) -> Result<((), Self::Node), RootError> {
        let RootSums { manhattan, excesses, sums, lead } = self.general.root_sums(board)?;
        let mut cells = [0; CELLS];
        cells[..board.tiles().len()].copy_from_slice(board.tiles());
        let node = ShuffledNode {
            board: Sixteen::new(cells),
            sums: sums.iter().rev().fold(0, |sums, &sum| sums << 16 | u64::from(sum as u16)),
            manhattan,
            best: sums[lead],
            parities: (0..PATTERNS_MAX).map(|i| (excesses[i] as u16 & 1) << i).sum(),
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
        let TileLookups { lookups, patterns } = &self.by_tile[usize::from(slide.tile) % CELLS];
        let mut bytes = [&0; P];
        let mut places = [0; P];
        for p in 0..P {
            let lookup = &lookups[p];
            let tiles = self.bits.shuffled(board, lookup.cells);
            let nibbles = self.bits.shuffled(lookup.nibbles, tiles);
            let (cells, labels) = self.bits.cells_and_labels(nibbles);
            let entry = lookup.tables.entry(cells, labels, lookup.shifts[from]);
            // An entry beyond a damaged table counts as 0.
            bytes[p] = lookup.payload.get((entry >> 3) as usize).unwrap_or(&0);
            prefetch(std::slice::from_ref(bytes[p]), 0);
            places[p] = (entry & 7) as u8;
        }
        let manhattan = parent.manhattan + self.general.distances.change(slide);
        let node = ShuffledNode { board, manhattan, ..*parent };
        ShuffledProbe { node, bytes, places, patterns: *patterns }
    }

    // A recursive search is not compiled for the instructions itself, so this function is.
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
        // An excess whose parity changes goes by 1 against the Manhattan distance.
        let (parities, each) = self.bits.set::<P>(parent.parities.into(), patterns, odd);
        node.parities = parities as u16;
        let change = i64::from(node.manhattan - parent.manhattan).cast_unsigned();
        node.sums = parent.sums.wrapping_sub(each.wrapping_mul(change));
        node.best = (0..P).map(|p| (node.sums >> (16 * p)) as i16).fold(i16::MIN, i16::max);
        self.estimate(node)
    }

    #[inline(always)]
    fn enter(
        &self,
        (): &mut (),
        _: &Self::Node,
        _: Slide,
        probe: &Self::Probe,
        child: &mut Self::Node,
    ) {
        *child = probe.node;
    }

    fn lookups(&self) -> [u32; 2] {
        [P as u32, 0]
    }

    #[inline(always)]
    fn run<R>(&self, work: impl FnOnce() -> R) -> R {
        self.bits.run(work)
    }
}
