//! Additive pattern databases as a heuristic.
//!
//! The estimate is the Manhattan distance plus twice the largest sum of excesses over the
//! partitions; a move changes one pattern of each partition (Korf & Felner 2002, "Disjoint pattern
//! database heuristics"). A blank-aware table holds one bit an entry: a tile move changes the value
//! by exactly 1, so the parity of the excess tells which way, given the parent's excess and whether
//! the Manhattan distance grew.

use pdb_core::index::PatternState;
use pdb_core::plan::View;
use pdb_core::{
    BLANK, Board, CELLS_MAX, Cell, CellSet, Goal, Heuristic, PatternIndex, PatternKey, RootError,
    Slide, TableKey,
};
use pdb_format::{Packing, read_bit, read_byte, read_nibble};

use crate::{Table, map};

/// One pattern's look-up: its table, and how the board's cells lead into it.
#[derive(Debug)]
struct Lookup<'a> {
    table: &'a Table,
    index: &'a PatternIndex,
    payload: &'a [u8],
    packing: Packing,
    key: PatternKey,
    /// The partition that the pattern belongs to.
    partition: usize,
    /// From the board's cells to the table's.
    cells: [Cell; CELLS_MAX],
}

/// All look-ups of a plan, with room for `V` patterns and `P` partitions.
#[derive(Debug)]
pub struct PatternSum<'a, const V: usize, const P: usize> {
    goal: Goal,
    lookups: Vec<Lookup<'a>>,
    partition_count: usize,
    /// The pattern that a tile belongs to, at `partition * CELLS_MAX + tile`.
    lookup_of_tile: [u8; 512],
    distances: Distances,
}

/// Distance of each tile from its home, at `tile * 64 + cell`.
#[derive(Debug)]
struct Distances(Vec<i8>);

impl Distances {
    fn new(goal: &Goal) -> Self {
        let shape = goal.shape();
        let mut table = vec![0; 64 * shape.cell_count()];
        for tile in 1..shape.cell_count() as u8 {
            for cell in 0..shape.cell_count() as Cell {
                table[usize::from(tile) * 64 + usize::from(cell)] =
                    shape.distance(goal.home(tile), cell) as i8;
            }
        }
        Self(table)
    }

    /// How a move changes the Manhattan distance: 1 or -1.
    #[inline]
    fn change(&self, slide: Slide) -> i16 {
        let at = |cell: Cell| self.0[usize::from(slide.tile) * 64 + usize::from(cell)];
        i16::from(at(slide.to) - at(slide.from))
    }
}

/// What a search carries along with a board.
#[derive(Clone, Debug)]
pub struct PatternNode<const V: usize, const P: usize> {
    states: [PatternState; V],
    excesses: [i16; V],
    /// Sum of the excesses of each partition's patterns.
    sums: [i16; P],
    manhattan: i16,
    estimate: u32,
}

/// What a move touches in one partition.
#[derive(Clone, Copy, Debug, Default)]
struct Touch {
    state: PatternState,
    entry: u64,
    excess: i16,
}

/// What a move touches in all partitions.
#[derive(Clone, Copy, Debug)]
pub struct PatternProbe<const P: usize> {
    touches: [Touch; P],
    estimate: u32,
}

impl Lookup<'_> {
    #[inline]
    fn prefetch(&self, entry: u64) {
        let byte = match self.packing {
            Packing::Bit => entry / 8,
            Packing::Nibble => entry / 2,
            _ => entry,
        };
        map::prefetch(self.payload, byte as usize);
    }

    /// The excess of the entry that a move leads to. An entry that a damaged table does not have
    /// counts as 0.
    #[inline]
    fn excess(&self, entry: u64, parent: i16, change: i16) -> i16 {
        match self.packing {
            Packing::Bit => {
                let bit = i16::from(read_bit(self.payload, entry).unwrap_or(0));
                if bit == parent & 1 { parent } else { parent - change }
            }
            Packing::Nibble => i16::from(read_nibble(self.payload, entry).unwrap_or(0)),
            _ => i16::from(read_byte(self.payload, entry).unwrap_or(0)),
        }
    }

    fn manhattan(&self, state: PatternState) -> i32 {
        let homes: Vec<Cell> = self.key.homes.iter().collect();
        state
            .cells
            .iter()
            .map(|cell| {
                let home = homes[self.index.label_at(state, cell)];
                self.key.shape.distance(home, cell) as i32
            })
            .sum()
    }

    /// The excess of a state that a search starts from.
    fn root_excess(&self, state: PatternState, blank: Cell) -> Result<i16, RootError> {
        if self.packing != Packing::Bit {
            return Ok(self.excess(self.index.entry(state, blank), 0, 0));
        }
        let cost = self.walk_downhill(state, blank)?;
        Ok(((cost - self.manhattan(state)) / 2) as i16)
    }

    /// The cost of a state of a blank-aware table: the number of steps of a walk to the goal along
    /// which the cost falls by 1 each time.
    fn walk_downhill(&self, mut state: PatternState, mut blank: Cell) -> Result<i32, RootError> {
        let damaged = || RootError::Damaged { table: self.table.name().to_owned() };
        let shape = self.key.shape;
        let homes: Vec<Cell> = self.key.homes.iter().collect();
        let goal = self.index.state(self.key.homes, |home| home);
        let goal_cells = self.key.goal_cells();
        let bit = |state, blank| read_bit(self.payload, self.index.entry(state, blank));
        let mut here = bit(state, blank).ok_or_else(damaged)?;
        for cost in 0..=self.table.header().level_max() as i32 {
            if state == goal && goal_cells.contains(blank) {
                return Ok(cost);
            }
            let free = shape.all_cells().without(state.cells);
            let region = pdb_core::region::region_of(shape, free, blank);
            let downhill = state.cells.iter().find_map(|from| {
                let home = homes[self.index.label_at(state, from)];
                let steps = CellSet(shape.neighbours(from).0 & region.0);
                steps.iter().find_map(|to| {
                    let next = state.moved(from, to, self.index.label_bits());
                    let next_bit = bit(next, from)?;
                    let grows = shape.distance(home, to) > shape.distance(home, from);
                    // The cost follows the Manhattan distance exactly where the bits agree.
                    let falls = (next_bit == here) != grows;
                    falls.then_some((next, from, next_bit))
                })
            });
            (state, blank, here) = downhill.ok_or_else(damaged)?;
        }
        Err(damaged())
    }
}

impl<'a, const V: usize, const P: usize> PatternSum<'a, V, P> {
    /// The heuristic of a plan's partitions over its tables, both as [`Database`](crate::Database)
    /// has checked them.
    pub(crate) fn new(goal: &Goal, partitions: &[Vec<View>], tables: &'a [Table]) -> Self {
        let mut lookups = Vec::new();
        let mut lookup_of_tile = [0; 512];
        for (number, partition) in partitions.iter().enumerate() {
            for view in partition {
                let table = &tables[view.table];
                let TableKey::Pattern(key) = table.header().key else {
                    unreachable!("a plan's pattern looks into a pattern table")
                };
                let mut cells = [0; CELLS_MAX];
                for cell in 0..goal.shape().cell_count() as Cell {
                    cells[usize::from(cell)] = view.symmetry.cell(cell);
                }
                for tile in 1..goal.shape().cell_count() as u8 {
                    if key.homes.contains(view.symmetry.cell(goal.home(tile))) {
                        lookup_of_tile[number * CELLS_MAX + usize::from(tile)] =
                            lookups.len() as u8;
                    }
                }
                lookups.push(Lookup {
                    table,
                    index: table.index().expect("a pattern table has an index"),
                    payload: table.payload(),
                    packing: table.header().packing,
                    key,
                    partition: number,
                    cells,
                });
            }
        }
        assert!(lookups.len() <= V && partitions.len() <= P, "the caller chose V and P");
        Self {
            goal: *goal,
            lookups,
            partition_count: partitions.len(),
            lookup_of_tile,
            distances: Distances::new(goal),
        }
    }

    #[inline]
    fn lookup_number(&self, partition: usize, tile: u8) -> usize {
        usize::from(self.lookup_of_tile[partition * CELLS_MAX + usize::from(tile)])
    }
}

/// Manhattan distance plus twice the excess. A damaged table may lead below zero; its answers are
/// wrong then, but still numbers.
#[inline]
fn estimate(manhattan: i16, excess: i16) -> u32 {
    (i32::from(manhattan) + 2 * i32::from(excess)).max(0) as u32
}

impl<const V: usize, const P: usize> Heuristic for PatternSum<'_, V, P> {
    type Node = PatternNode<V, P>;
    type Probe = PatternProbe<P>;

    fn root(&self, board: &Board) -> Result<Self::Node, RootError> {
        let cell_of = board.cells_by_tile();
        let mut node = PatternNode {
            states: [PatternState::default(); V],
            excesses: [0; V],
            sums: [0; P],
            manhattan: self.goal.manhattan_distance(board) as i16,
            estimate: 0,
        };
        for (number, lookup) in self.lookups.iter().enumerate() {
            let mut cell_of_home = [0; CELLS_MAX];
            for tile in 1..board.shape().cell_count() as u8 {
                let home = lookup.cells[usize::from(self.goal.home(tile))];
                cell_of_home[usize::from(home)] =
                    lookup.cells[usize::from(cell_of[usize::from(tile)])];
            }
            let state =
                lookup.index.state(lookup.key.homes, |home| cell_of_home[usize::from(home)]);
            let blank = lookup.cells[usize::from(cell_of[usize::from(BLANK)])];
            node.states[number] = state;
            node.excesses[number] = lookup.root_excess(state, blank)?;
            node.sums[lookup.partition] += node.excesses[number];
        }
        let excess = node.sums.into_iter().max().expect("a plan has a partition");
        node.estimate = estimate(node.manhattan, excess);
        Ok(node)
    }

    #[inline]
    fn estimate(&self, node: &Self::Node) -> u32 {
        node.estimate
    }

    #[inline]
    fn locate(&self, parent: &Self::Node, slide: Slide) -> Self::Probe {
        let mut probe = PatternProbe { touches: [Touch::default(); P], estimate: 0 };
        for (partition, touch) in probe.touches.iter_mut().enumerate().take(self.partition_count) {
            let number = self.lookup_number(partition, slide.tile);
            let lookup = &self.lookups[number];
            let from = lookup.cells[usize::from(slide.from)];
            let to = lookup.cells[usize::from(slide.to)];
            touch.state = parent.states[number].moved(from, to, lookup.index.label_bits());
            touch.entry = lookup.index.entry(touch.state, from);
            lookup.prefetch(touch.entry);
        }
        probe
    }

    #[inline]
    fn read(&self, parent: &Self::Node, slide: Slide, probe: &mut Self::Probe) -> u32 {
        let change = self.distances.change(slide);
        let mut excess = i16::MIN;
        for (partition, touch) in probe.touches.iter_mut().enumerate().take(self.partition_count) {
            let number = self.lookup_number(partition, slide.tile);
            let old = parent.excesses[number];
            touch.excess = self.lookups[number].excess(touch.entry, old, change);
            excess = excess.max(parent.sums[partition] - old + touch.excess);
        }
        probe.estimate = estimate(parent.manhattan + change, excess);
        probe.estimate
    }

    #[inline]
    fn child(&self, parent: &Self::Node, slide: Slide, probe: Self::Probe) -> Self::Node {
        let mut node = parent.clone();
        node.manhattan += self.distances.change(slide);
        node.estimate = probe.estimate;
        for (partition, touch) in probe.touches.iter().enumerate().take(self.partition_count) {
            let number = self.lookup_number(partition, slide.tile);
            node.sums[partition] += touch.excess - node.excesses[number];
            node.states[number] = touch.state;
            node.excesses[number] = touch.excess;
        }
        node
    }
}
