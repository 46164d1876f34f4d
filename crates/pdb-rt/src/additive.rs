//! Additive pattern databases as a heuristic.
//!
//! The estimate is the Manhattan distance plus twice the largest sum of excesses over the
//! partitions. A move changes one pattern of each partition (Korf & Felner 2002, "Disjoint pattern
//! database heuristics"). A blank-aware table holds one bit per entry, the parity of the excess. A
//! tile move changes the value by exactly 1. So the new excess follows from its parity, the
//! parent's excess, and the change of the Manhattan distance.
//!
//! A child is looked up first in the partition with the largest sum at its parent, which is the
//! likeliest to prune. Only a child that passes is looked up in the other partitions. Boards of up
//! to 16 cells with two or three partitions have a faster form on some processors: see
//! [`shuffled`](crate::shuffled).

use std::fmt;

use arrayvec::ArrayVec;
use pdb_core::index::PatternState;
use pdb_core::plan::{LOOKUPS_MAX, PARTITIONS_MAX, View};
use pdb_core::processor;
use pdb_core::region::region_of;
use pdb_core::{
    Board, CELLS_MAX, Cell, CellSet, Estimator, Expansion, Goal, Heuristic, Memo, RootError, Slide,
    TileDistances,
};
use pdb_format::{Packing, read_bit};

use crate::Table;
use crate::arithmetic::{Arithmetic, Labels};
use crate::parts::PatternValue;
use crate::placement::{MASK, Placement};

/// Pairs of neighbouring cells: 8 x 8 cells have 112, the most of all shapes. At most one tile of a
/// pair moves towards the other cell.
const STEPS_MAX: usize = 112;

/// The part of a pattern's look-up that each node needs. Its size of two cache lines makes the
/// index a shift.
#[derive(Debug)]
#[repr(align(128))]
pub(crate) struct Lookup<'a, A: Arithmetic> {
    pub(crate) tables: &'a A::Tables,
    pub(crate) payload: &'a [u8],
    /// Shift from an entry to its byte.
    byte_shift: u8,
    /// The bits of an entry.
    mask: u8,
    /// The cell of the table for each cell of the board.
    pub(crate) cells: [Cell; MASK + 1],
}

/// The rest of a pattern's look-up.
#[derive(Debug)]
struct Pattern<'a> {
    /// The partition that the pattern belongs to.
    partition: usize,
    placement: Placement<'a>,
    /// The distance of each label from its home, by label and cell.
    distances: Vec<[u8; MASK + 1]>,
    neighbours: [CellSet; MASK + 1],
}

#[allow(clippy::expl_impl_clone_on_copy, reason = "deriving it would ask for a tables' clone")]
impl<A: Arithmetic> Clone for Lookup<'_, A> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<A: Arithmetic> Copy for Lookup<'_, A> {}

/// Pattern of a partition that has a tile, and the tile's label.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Owner {
    pub(crate) lookup: u8,
    pub(crate) label: u8,
}

/// Sum of excesses over the patterns of a plan, with room for `V` patterns, a power of two, and `P`
/// partitions. Up to [`EXACT_MAX`] partitions, `P` is their number.
///
/// Indexes of patterns are taken modulo `V`, those of partitions modulo [`PARTITIONS_MAX`] or
/// clamped to `P - 1`. This changes no index, and spares bounds checks.
pub struct PatternSum<'a, A: Arithmetic, const V: usize, const P: usize> {
    arithmetic: A,
    goal: Goal,
    patterns: Vec<Pattern<'a>>,
    /// One for each pattern; the rest is unused.
    pub(crate) lookups: [Lookup<'a, A>; V],
    partition_count: usize,
    /// The pattern of each partition that a tile belongs to.
    pub(crate) owners: [[Owner; MASK + 1]; PARTITIONS_MAX],
    pub(crate) distances: TileDistances,
}

impl<A: Arithmetic, const V: usize, const P: usize> fmt::Debug for PatternSum<'_, A, V, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PatternSum").field("goal", &self.goal).finish_non_exhaustive()
    }
}

/// Largest number of partitions with a heuristic of exactly that size.
const EXACT_MAX: usize = 4;

/// Per-node numbers of a search.
#[derive(Clone, Copy, Debug)]
pub struct PatternNode<S, const V: usize, const P: usize> {
    /// The entry of each pattern: its excess, or the lowest bit of it.
    excesses: [u8; V],
    /// For each partition, the Manhattan distance plus twice the sum of excesses.
    heights: [i16; P],
    /// The partition of the largest height.
    lead: u8,
    /// The change of the Manhattan distance by the last move.
    change: i8,
    /// The pattern of each partition that the last move changed, its state before the move, and
    /// its entry. The partition that was looked up first comes first; it has no late entry.
    numbers: [u8; P],
    before: [S; P],
    late: [u64; P],
}

/// Look-up of a child in the leading partition.
#[derive(Clone, Copy, Debug)]
pub struct PatternProbe<'a, S> {
    /// The byte of the entry.
    byte: &'a u8,
    /// The pattern's state after the move.
    state: S,
    /// The height of the leading partition after the move.
    height: i16,
    /// The change of the Manhattan distance by the move.
    change: i8,
    /// The pattern that is looked up.
    number: u8,
    /// The entry's lowest bit in its byte.
    shift: u8,
    /// The entry, once it was read.
    excess: u8,
}

impl<S: Default> Default for PatternProbe<'_, S> {
    fn default() -> Self {
        let state = S::default();
        Self { byte: &0, state, height: 0, change: 0, number: 0, shift: 0, excess: 0 }
    }
}

/// Sums of a board that a search starts from.
pub(crate) struct RootSums<const P: usize> {
    pub(crate) manhattan: i16,
    /// The excess of each pattern; the rest is 0.
    pub(crate) excesses: [i16; LOOKUPS_MAX],
    /// The sum of excesses of each partition.
    pub(crate) sums: [i16; P],
    /// The partition of the largest sum.
    pub(crate) lead: usize,
}

impl<'a, A: Arithmetic> Lookup<'a, A> {
    #[inline(always)]
    fn prefetch(&self, entry: u64) {
        processor::prefetch(self.payload, (entry >> self.byte_shift) as usize);
    }

    /// Returns whether an entry is only the lowest bit of an excess.
    pub(crate) fn is_bit(&self) -> bool {
        self.mask == ONE_BIT
    }

    /// Returns the excess of the entry that a move leads to.
    fn excess(&self, entry: u64, parent: i16, change: i16) -> i16 {
        parent + gain(self.mask, parent as u8 & self.mask, self.read(self.place(entry)), change)
    }

    /// Returns the byte of an entry, and the entry's lowest bit in it. An entry beyond a damaged
    /// table counts as 0.
    #[inline(always)]
    fn place(&self, entry: u64) -> (&'a u8, u8) {
        let byte = self.payload.get((entry >> self.byte_shift) as usize).unwrap_or(&0);
        (byte, (entry << (3 - self.byte_shift)) as u8 & 7)
    }

    /// Reads the entry at a place.
    #[inline(always)]
    fn read(&self, (byte, shift): (&u8, u8)) -> u8 {
        *byte >> (shift & 7) & self.mask
    }
}

/// The bits of an entry of a blank-aware table.
const ONE_BIT: u8 = 1;

/// Returns the change of a pattern's excess by a move, from its entries before and after, and the
/// change of the Manhattan distance.
#[inline(always)]
fn gain(mask: u8, old: u8, new: u8, change: i16) -> i16 {
    if mask == ONE_BIT {
        -(change & -i16::from(old ^ new))
    } else {
        i16::from(new) - i16::from(old)
    }
}

impl<'a> Pattern<'a> {
    fn new(partition: usize, placement: Placement<'a>) -> Self {
        let shape = placement.key.shape;
        let mut neighbours = [CellSet::EMPTY; MASK + 1];
        for cell in shape.all_cells().iter() {
            neighbours[usize::from(cell)] = shape.neighbours(cell);
        }
        let distances = placement.key.homes.iter().map(|home| {
            let mut row = [0; MASK + 1];
            for cell in shape.all_cells().iter() {
                row[usize::from(cell)] = shape.distance(home, cell) as u8;
            }
            row
        });
        Self { partition, distances: distances.collect(), placement, neighbours }
    }

    fn distance(&self, label: usize, cell: Cell) -> u8 {
        self.distances[label][usize::from(cell)]
    }

    fn manhattan(&self, state: PatternState) -> i32 {
        let index = self.placement.index;
        let labels = state.cells.iter().map(|cell| (index.label_at(state, cell), cell));
        labels.map(|(label, cell)| i32::from(self.distance(label, cell))).sum()
    }
}

/// Walk downhill from a state of a blank-aware table to its goal. Each step lowers the cost by 1,
/// so the number of steps is the cost.
struct Walk<'a, A: Arithmetic> {
    pattern: &'a Pattern<'a>,
    lookup: &'a Lookup<'a, A>,
    arithmetic: A,
    goal: PatternState,
    goal_cells: CellSet,
    state: PatternState,
    kept: A::State,
    blank: Cell,
    /// The bit of the state, if the table has it.
    bit: Option<u8>,
    cost: i32,
    steps: ArrayVec<WalkStep, STEPS_MAX>,
}

/// Move that may lead downhill.
struct WalkStep {
    from: Cell,
    to: Cell,
    entry: u64,
}

impl<'a, A: Arithmetic> Walk<'a, A> {
    fn new(
        pattern: &'a Pattern<'a>,
        lookup: &'a Lookup<'a, A>,
        arithmetic: A,
        state: PatternState,
        blank: Cell,
    ) -> Self {
        let placement = &pattern.placement;
        let kept = arithmetic.state(lookup.tables, state);
        Self {
            pattern,
            lookup,
            arithmetic,
            goal: placement.index.state(placement.key.homes, |home| home),
            goal_cells: placement.key.goal_cells(),
            state,
            kept,
            blank,
            bit: read_bit(lookup.payload, arithmetic.entry(lookup.tables, kept, blank)),
            cost: 0,
            steps: ArrayVec::new(),
        }
    }

    fn is_done(&self) -> bool {
        self.state == self.goal && self.goal_cells.contains(self.blank)
    }

    /// Finds the moves that increase the Manhattan distance, or those that decrease it, and
    /// prefetches their entries.
    #[inline(always)]
    fn locate(&mut self, grows: bool) {
        let Pattern { placement: Placement { key, index, .. }, neighbours, .. } = self.pattern;
        let tables = self.lookup.tables;
        self.steps.clear();
        let free = key.shape.all_cells().without(self.state.cells);
        let region = region_of(key.shape, free, self.blank);
        for from in self.state.cells.iter() {
            let targets = CellSet(neighbours[usize::from(from)].0 & region.0);
            if targets.is_empty() {
                continue;
            }
            let label = index.label_at(self.state, from);
            let distance = self.pattern.distance(label, from);
            for to in targets.iter() {
                if (self.pattern.distance(label, to) > distance) != grows {
                    continue;
                }
                let next = self.arithmetic.moved(tables, self.kept, label as u8, from, to);
                let entry = self.arithmetic.entry(tables, next, from);
                self.lookup.prefetch(entry);
                self.steps.push(WalkStep { from, to, entry });
            }
        }
    }

    /// Takes the first move downhill.
    #[inline(always)]
    fn step(&mut self) -> Result<(), RootError> {
        let Lookup { tables, payload, .. } = *self.lookup;
        let placement = &self.pattern.placement;
        let Placement { table, index, .. } = placement;
        let damaged = || placement.damaged();
        let here = self.bit.ok_or_else(damaged)?;
        // The cost follows the Manhattan distance exactly where the bits agree.
        let with_bit = |this: &Self, bit| {
            let has_it = |step: &&WalkStep| read_bit(payload, step.entry) == Some(bit);
            this.steps.iter().find(has_it).map(|&WalkStep { from, to, .. }| (from, to, bit))
        };
        let mut downhill = with_bit(self, here);
        if downhill.is_none() {
            // In rare cases only a move that increases the Manhattan distance leads down.
            self.locate(true);
            downhill = with_bit(self, here ^ 1);
        }
        let (from, to, bit) = downhill.ok_or_else(damaged)?;
        let label = index.label_at(self.state, from) as u8;
        self.kept = self.arithmetic.moved(tables, self.kept, label, from, to);
        self.state = self.state.moved(from, to, index.label_bits());
        (self.blank, self.bit, self.cost) = (from, Some(bit), self.cost + 1);
        // The bits of a damaged table could lead around in circles.
        if self.cost > table.header().level_max() as i32 { Err(damaged()) } else { Ok(()) }
    }
}

/// The patterns of a plan, for any number of them: what a [`PatternSum`] is made of.
struct Patterns<'a, A: Arithmetic> {
    all: Vec<Pattern<'a>>,
    lookups: Vec<Lookup<'a, A>>,
    owners: [[Owner; MASK + 1]; PARTITIONS_MAX],
}

impl<'a, A: Arithmetic> Patterns<'a, A> {
    /// Returns `None` where the arithmetic does not support a table.
    fn new(
        arithmetic: A,
        goal: &Goal,
        partitions: &[Vec<View>],
        tables: &'a [Table],
    ) -> Option<Self> {
        let (mut lookups, mut all) = (Vec::new(), Vec::new());
        let mut owners = [[Owner::default(); MASK + 1]; PARTITIONS_MAX];
        for (number, partition) in partitions.iter().enumerate() {
            for view in partition {
                let placement = Placement::new(goal, view, tables);
                for tile in placement.tiles() {
                    owners[number][usize::from(tile)] =
                        Owner { lookup: lookups.len() as u8, label: placement.label(goal, tile) };
                }
                let index = placement.table.table_index().expect("a pattern table has an index");
                let packing = placement.table.header().packing;
                let (byte_shift, mask) = match packing {
                    Packing::Bit => (3, ONE_BIT),
                    Packing::Nibble => (1, 15),
                    _ => (0, 255),
                };
                lookups.push(Lookup {
                    tables: arithmetic.tables(index)?,
                    payload: placement.table.payload(),
                    byte_shift,
                    mask,
                    cells: placement.cells,
                });
                all.push(Pattern::new(number, placement));
            }
        }
        Some(Self { all, lookups, owners })
    }
}

/// Returns the state of each pattern, and the blank's cell on the board of its table.
fn placed(patterns: &[Pattern<'_>], board: &Board) -> ArrayVec<(PatternState, Cell), LOOKUPS_MAX> {
    let (cell_of, blank) = (board.cells_by_tile(), usize::from(board.blank()));
    let placements = patterns.iter().map(|pattern| &pattern.placement);
    placements.map(|placement| (placement.state(&cell_of), placement.cells[blank])).collect()
}

/// Returns the excess of each pattern of a board.
fn root_excesses<A: Arithmetic>(
    arithmetic: A,
    patterns: &[Pattern<'_>],
    lookups: &[Lookup<'_, A>],
    states: &[(PatternState, Cell)],
) -> Result<[i16; LOOKUPS_MAX], RootError> {
    let mut excesses = [0; LOOKUPS_MAX];
    let mut walks = ArrayVec::<_, LOOKUPS_MAX>::new();
    for (number, ((pattern, lookup), &(state, blank))) in
        patterns.iter().zip(lookups).zip(states).enumerate()
    {
        if lookup.is_bit() {
            walks.push((number, Walk::new(pattern, lookup, arithmetic, state, blank)));
        } else {
            let entry = pattern.placement.index.entry(state, blank);
            excesses[number] = lookup.read(lookup.place(entry)).into();
        }
    }
    // All walks advance together, so that their loads overlap.
    let mut left = walks.iter().filter(|(_, walk)| !walk.is_done()).count();
    while left > 0 {
        for (_, walk) in walks.iter_mut().filter(|(_, walk)| !walk.is_done()) {
            walk.locate(false);
        }
        for (_, walk) in walks.iter_mut().filter(|(_, walk)| !walk.is_done()) {
            walk.step()?;
            left -= usize::from(walk.is_done());
        }
    }
    for (number, walk) in &walks {
        let (state, _) = states[*number];
        excesses[*number] = ((walk.cost - walk.pattern.manhattan(state)) / 2) as i16;
    }
    Ok(excesses)
}

impl<'a, A: Arithmetic, const V: usize, const P: usize> PatternSum<'a, A, V, P> {
    /// Creates the heuristic of a plan's partitions over its tables, which
    /// [`Database`](crate::Database) has checked. Returns `None` where the arithmetic does not
    /// support a table.
    pub(crate) fn new(
        arithmetic: A,
        goal: &Goal,
        partitions: &[Vec<View>],
        tables: &'a [Table],
    ) -> Option<Self> {
        let Patterns { all: patterns, mut lookups, owners } =
            Patterns::new(arithmetic, goal, partitions, tables)?;
        let is_exact = P > EXACT_MAX || P == partitions.len();
        assert!(
            lookups.len() <= V && partitions.len() <= P && is_exact,
            "the caller chose V and P"
        );
        let first = *lookups.first()?;
        lookups.resize(V, first);
        let lookups = lookups.try_into().ok()?;
        Some(Self {
            arithmetic,
            goal: *goal,
            patterns,
            lookups,
            partition_count: partitions.len(),
            owners,
            distances: TileDistances::new(goal),
        })
    }

    /// Returns the number of partitions, which the compiler knows where it is small.
    #[inline(always)]
    fn partition_count(&self) -> usize {
        if P <= EXACT_MAX { P } else { self.partition_count }
    }

    /// Returns the partition `places` after another one, cyclically.
    #[inline(always)]
    fn next_partition(&self, partition: usize, places: usize) -> usize {
        let sum = partition + places;
        if sum < self.partition_count() { sum } else { sum - self.partition_count() }
    }

    #[inline(always)]
    fn owner(&self, partition: usize, tile: u8) -> (usize, &Lookup<'a, A>, u8) {
        let Owner { lookup, label } =
            self.owners[partition % PARTITIONS_MAX][usize::from(tile) & MASK];
        let number = usize::from(lookup) % V;
        (number, &self.lookups[number], label)
    }

    /// Returns the pattern of a partition that a move changes, its state after the move, and its
    /// entry, which is prefetched.
    #[inline(always)]
    fn moved(
        &self,
        states: &[A::State; V],
        partition: usize,
        slide: Slide,
    ) -> (usize, A::State, u64) {
        let (number, lookup, label) = self.owner(partition, slide.tile);
        let from = lookup.cells[usize::from(slide.from) & MASK];
        let to = lookup.cells[usize::from(slide.to) & MASK];
        let state = self.arithmetic.moved(lookup.tables, states[number], label, from, to);
        let entry = self.arithmetic.entry(lookup.tables, state, from);
        lookup.prefetch(entry);
        (number, state, entry)
    }

    /// Returns the excess of each pattern of a board, whose states are given.
    fn root_excesses(
        &self,
        placed: &[(PatternState, Cell)],
    ) -> Result<[i16; LOOKUPS_MAX], RootError> {
        self.run(|| root_excesses(self.arithmetic, &self.patterns, &self.lookups, placed))
    }

    /// Returns the sums of a board, if it can be solved.
    pub(crate) fn root_sums(&self, board: &Board) -> Result<RootSums<P>, RootError> {
        self.goal.check(board)?;
        let excesses = self.root_excesses(&placed(&self.patterns, board))?;
        let (mut sums, mut lead) = ([0; P], 0);
        for (number, pattern) in self.patterns.iter().enumerate() {
            sums[pattern.partition] += excesses[number];
        }
        for partition in 1..self.partition_count() {
            if sums[partition] > sums[lead] {
                lead = partition;
            }
        }
        Ok(RootSums { manhattan: self.distances.manhattan(board) as i16, excesses, sums, lead })
    }
}

impl<A: Arithmetic, const V: usize, const P: usize> PatternSum<'_, A, V, P> {
    /// Returns the patterns of each partition, in the order of the plan. The estimate is the
    /// largest sum of a partition.
    ///
    /// # Errors
    /// [`RootError`] when the board has another shape than the goal, or a table is damaged.
    pub fn parts(&self, board: &Board) -> Result<Vec<Vec<PatternValue>>, RootError> {
        self.goal.check_shape(board).map_err(RootError::Board)?;
        let placed = placed(&self.patterns, board);
        let excesses = self.root_excesses(&placed);
        let excesses = excesses.map_err(|error| self.goal.check(board).err().unwrap_or(error))?;
        let mut partitions = vec![Vec::new(); self.partition_count()];
        for ((pattern, (state, _)), excess) in self.patterns.iter().zip(placed).zip(excesses) {
            let tiles = pattern.placement.tiles().collect();
            let value = pattern.manhattan(state) + 2 * i32::from(excess);
            // A damaged table may lead below zero.
            let value = value.max(0).unsigned_abs();
            partitions[pattern.partition].push(PatternValue { tiles, value });
        }
        Ok(partitions)
    }
}

/// The notes of a memo are the Manhattan distance, the leading partition, and the excess of each
/// pattern.
impl<const V: usize, const P: usize> Estimator for PatternSum<'_, Labels, V, P> {
    fn root(&self, board: &Board) -> Result<Memo, RootError> {
        let RootSums { manhattan, excesses, sums, lead } = self.root_sums(board)?;
        let mut memo = Memo::new(estimate(manhattan, sums[lead]), &[manhattan, lead as i16]);
        memo.notes[FIRST_EXCESS..][..V].copy_from_slice(&excesses[..V]);
        Ok(memo)
    }

    fn child(&self, board: &Board, parent: &Memo, slide: Slide) -> Memo {
        self.after(parent, slide, &self.entries(board, slide))
    }

    fn glance(&self, board: &Board, parent: &Memo, slide: Slide) -> Option<u32> {
        if self.partition_count() == 1 {
            return None;
        }
        let (change, lead) = (self.distances.change(slide), parent.notes[1] as usize);
        let (number, entry) = self.entry(&board.cells_by_tile(), lead, slide);
        let old = parent.notes[FIRST_EXCESS + number];
        let new = self.lookups[number].excess(entry, old, change);
        Some(estimate(parent.notes[0] + change, self.sums(parent)[lead] - old + new))
    }

    /// Overlaps the look-ups of a board's children.
    fn children(&self, parents: &[Expansion], memos: &mut [Memo]) {
        let mut memos = memos.iter_mut();
        for parent in parents {
            let mut entries = [[(0, 0); P]; 4];
            for (entries, (board, slide)) in entries.iter_mut().zip(parent.boards()) {
                *entries = self.entries(&board, slide);
            }
            for (&slide, entries) in parent.slides().iter().zip(&entries) {
                let memo = memos.next().expect("there is a place for each child");
                *memo = self.after(&parent.memo, slide, entries);
            }
        }
    }

    fn note_count(&self) -> usize {
        FIRST_EXCESS + self.patterns.len()
    }

    fn lookups(&self) -> [u32; 2] {
        Heuristic::lookups(self)
    }
}

/// Position of the first excess among the notes of a memo.
const FIRST_EXCESS: usize = 2;

impl<const V: usize, const P: usize> PatternSum<'_, Labels, V, P> {
    /// Returns the pattern of a partition that a move changes, and prefetches its entry.
    fn entry(&self, cell_of: &[Cell; CELLS_MAX], partition: usize, slide: Slide) -> (usize, u64) {
        let (number, lookup, _) = self.owner(partition, slide.tile);
        let blank = lookup.cells[usize::from(slide.from) & MASK];
        let state = self.patterns[number].placement.state(cell_of);
        let entry = self.arithmetic.entry(lookup.tables, state, blank);
        lookup.prefetch(entry);
        (number, entry)
    }

    /// Does the same for all partitions.
    fn entries(&self, board: &Board, slide: Slide) -> [(usize, u64); P] {
        let (mut entries, cell_of) = ([(0, 0); P], board.cells_by_tile());
        for (partition, entry) in entries.iter_mut().enumerate().take(self.partition_count()) {
            *entry = self.entry(&cell_of, partition, slide);
        }
        entries
    }

    /// Returns the sum of each partition's excesses.
    fn sums(&self, memo: &Memo) -> [i16; P] {
        let mut sums = [0; P];
        for (pattern, excess) in self.patterns.iter().zip(&memo.notes[FIRST_EXCESS..]) {
            sums[pattern.partition] += excess;
        }
        sums
    }

    fn after(&self, parent: &Memo, slide: Slide, entries: &[(usize, u64); P]) -> Memo {
        let (mut memo, change) = (*parent, self.distances.change(slide));
        for &(number, entry) in &entries[..self.partition_count()] {
            let excess = &mut memo.notes[FIRST_EXCESS + number];
            *excess = self.lookups[number].excess(entry, *excess, change);
        }
        let (sums, first) = (self.sums(&memo), parent.notes[1] as usize);
        // Among equals, the partition that led before leads, or the next one after it.
        let mut lead = first;
        for i in 1..self.partition_count() {
            let partition = self.next_partition(first, i);
            if sums[partition] > sums[lead] {
                lead = partition;
            }
        }
        memo.notes[0] += change;
        memo.notes[1] = lead as i16;
        memo.estimate = estimate(memo.notes[0], sums[lead]);
        memo
    }
}

/// Returns the Manhattan distance plus twice the excess, at least 0: a damaged table may lead below
/// zero.
#[inline(always)]
pub(crate) fn estimate(manhattan: i16, excess: i16) -> u32 {
    (i32::from(manhattan) + 2 * i32::from(excess)).max(0) as u32
}

/// Returns a height as an estimate: at least 0, as a damaged table may lead below zero.
#[inline(always)]
fn clamped(height: i16) -> u32 {
    i32::from(height).max(0) as u32
}

impl<'a, A: Arithmetic, const V: usize, const P: usize> Heuristic for PatternSum<'a, A, V, P> {
    /// The state of each pattern.
    type State = [A::State; V];
    type Node = PatternNode<A::State, V, P>;
    type Probe = PatternProbe<'a, A::State>;

    const SETTLES: bool = P > 1;

    fn root(&self, board: &Board) -> Result<(Self::State, Self::Node), RootError> {
        let RootSums { manhattan, excesses, sums, lead } = self.root_sums(board)?;
        let mut states = [A::State::default(); V];
        for (number, (state, _)) in placed(&self.patterns, board).into_iter().enumerate() {
            states[number] = self.arithmetic.state(self.lookups[number].tables, state);
        }
        let (mut entries, mut heights) = ([0; V], [0; P]);
        for (number, lookup) in self.lookups.iter().enumerate() {
            entries[number] = excesses[number] as u8 & lookup.mask;
        }
        for (partition, sum) in sums.iter().enumerate() {
            heights[partition] = manhattan + 2 * sum;
        }
        let node = PatternNode {
            excesses: entries,
            heights,
            lead: lead as u8,
            change: 0,
            numbers: [0; P],
            before: [A::State::default(); P],
            late: [0; P],
        };
        Ok((states, node))
    }

    #[inline(always)]
    fn estimate(&self, node: &Self::Node) -> u32 {
        clamped(node.heights[usize::from(node.lead).min(P - 1)])
    }

    #[inline(always)]
    fn locate(&self, states: &Self::State, parent: &Self::Node, slide: Slide) -> Self::Probe {
        let (number, state, entry) = self.moved(states, usize::from(parent.lead), slide);
        let (byte, shift) = self.lookups[number].place(entry);
        let change = self.distances.change(slide) as i8;
        PatternProbe { byte, state, height: 0, change, number: number as u8, shift, excess: 0 }
    }

    #[inline(always)]
    fn read(&self, parent: &Self::Node, _: Slide, probe: &mut Self::Probe) -> u32 {
        let change = i16::from(probe.change);
        let number = usize::from(probe.number) % V;
        let (lookup, old) = (&self.lookups[number], parent.excesses[number]);
        let height = parent.heights[usize::from(parent.lead).min(P - 1)];
        probe.excess = lookup.read((probe.byte, probe.shift));
        probe.height = height + change + 2 * gain(lookup.mask, old, probe.excess, change);
        clamped(probe.height)
    }

    #[inline(always)]
    fn enter(
        &self,
        states: &mut Self::State,
        parent: &Self::Node,
        slide: Slide,
        probe: &Self::Probe,
        child: &mut Self::Node,
    ) {
        let lead = usize::from(parent.lead).min(P - 1);
        let number = usize::from(probe.number) % V;
        child.excesses = parent.excesses;
        child.excesses[number] = probe.excess;
        child.heights = parent.heights;
        child.heights[lead] = probe.height;
        child.lead = parent.lead;
        child.change = probe.change;
        child.numbers[0] = probe.number;
        child.before[0] = states[number];
        states[number] = probe.state;
        for i in 1..self.partition_count() {
            let (number, state, entry) = self.moved(states, self.next_partition(lead, i), slide);
            child.numbers[i] = number as u8;
            child.before[i] = states[number];
            child.late[i] = entry;
            states[number] = state;
        }
    }

    #[inline(always)]
    fn settle(&self, node: &mut Self::Node) -> u32 {
        let (first, change) = (usize::from(node.lead), i16::from(node.change));
        let mut best = node.heights[first.min(P - 1)];
        for i in 1..self.partition_count() {
            let partition = self.next_partition(first, i).min(P - 1);
            let number = usize::from(node.numbers[i]) % V;
            let lookup = &self.lookups[number];
            let new = lookup.read(lookup.place(node.late[i]));
            let gain = gain(lookup.mask, node.excesses[number], new, change);
            let height = node.heights[partition] + change + 2 * gain;
            node.excesses[number] = new;
            node.heights[partition] = height;
            // The order of partitions only decides which of two equals is looked up first.
            if height > best {
                (node.lead, best) = (partition as u8, height);
            }
        }
        clamped(best)
    }

    #[inline(always)]
    fn leave(&self, states: &mut Self::State, node: &Self::Node, _: Slide) {
        for i in 0..self.partition_count() {
            states[usize::from(node.numbers[i]) % V] = node.before[i];
        }
    }

    #[inline(always)]
    fn prefetch<T>(&self, at: &T) {
        processor::prefetch_all(at);
    }

    fn lookups(&self) -> [u32; 2] {
        [1, self.partition_count() as u32 - 1]
    }

    #[inline(always)]
    fn run<R>(&self, work: impl FnOnce() -> R) -> R {
        self.arithmetic.run(work)
    }
}
