//! Coloured tables: lower bounds on slides, in the multi-tile metric.
//!
//! They are also lower bounds on moves of single tiles, because each slide is at least one of them,
//! but low ones.
//!
//! A slide within a row of a table's board keeps the sequence of classes, so it leads to neighbours
//! of an entry, most of them in the same cache line. A colouring and its mirror image are looked up
//! in one table with rows and columns exchanged, so each slide keeps the sequence of one of the two
//! and rotates a part of the other one.

use std::fmt;

use pdb_core::colours::CLASSES_MAX;
use pdb_core::plan::View;
use pdb_core::processor;
use pdb_core::{
    Axis, BLANK, Board, Cell, ColourIndex, Estimator, Goal, Memo, RootError, Slide, SlideHeuristic,
    TableKey,
};
use pdb_format::slides;

use crate::Table;
use crate::bits::Bits;
use crate::placement::MASK;

/// Largest number of cells of boards whose classes fit a word.
const NARROW_CELLS: usize = 16;

/// Sets of places in a sequence, one for each class but the last: `64 / LANE` of them a word.
#[derive(Clone, Copy, Debug)]
pub struct Classes<const WORDS: usize, const LANE: usize>([u64; WORDS]);

/// Classes of boards with up to 16 cells, in one word.
pub(crate) type NarrowClasses = Classes<1, NARROW_CELLS>;
/// Classes of any board.
pub(crate) type WideClasses = Classes<{ CLASSES_MAX - 1 }, 64>;

impl<const WORDS: usize, const LANE: usize> Classes<WORDS, LANE> {
    /// Largest number of classes.
    const COUNT_MAX: usize = WORDS * 64 / LANE + 1;
    /// The lowest bit of each lane.
    const ONES: u64 = u64::MAX / (u64::MAX >> (64 - LANE));

    fn insert(&mut self, class: usize, place: Cell) {
        let bit = class * LANE + usize::from(place);
        self.0[bit / 64] |= 1 << (bit % 64);
    }

    #[inline(always)]
    fn get(&self, class: usize) -> u64 {
        let bit = class * LANE;
        self.0[bit / 64] >> (bit % 64) & (u64::MAX >> (64 - LANE))
    }

    /// Rotates the places `start..start + len` by one: the last one becomes the first, or the first
    /// one the last.
    #[inline(always)]
    fn rotate(&mut self, start: u32, len: u32, is_last_first: bool) {
        let all = Self::ONES * ((1 << len) - 1);
        for word in &mut self.0 {
            let old = *word >> start & all;
            let new = if is_last_first {
                (old << 1 & all) | (old >> (len - 1) & Self::ONES)
            } else {
                (old >> 1 & all) | (old & Self::ONES) << (len - 1)
            };
            *word ^= (old ^ new) << start;
        }
    }
}

/// State of a colouring.
#[derive(Clone, Copy, Debug)]
struct Sequence<C> {
    classes: C,
    /// Number of its first entry: that with the blank in the first cell.
    first: u64,
}

/// State of a board.
#[derive(Clone, Copy, Debug)]
pub struct SlideState<C, const V: usize> {
    blank: Cell,
    /// For each axis, the sequences that slides along it keep.
    sequences: [[Sequence<C>; V]; 2],
}

/// Look-up of one colouring.
struct Colouring<'a> {
    payload: &'a [u8],
    index: &'a ColourIndex,
    /// The cell of the table for each cell of the board.
    cells: [Cell; MASK + 1],
    cell_count: usize,
    /// Number of columns of the table's board.
    cols: u32,
    /// The number of each tile's class.
    classes: [u8; MASK + 1],
    /// The rank of each set of places, on boards of up to 16 cells.
    ranks: Box<[u16; 1 << (NARROW_CELLS - 1)]>,
}

impl<'a> Colouring<'a> {
    fn new(goal: &Goal, view: &View, tables: &'a [Table]) -> Self {
        let table = &tables[view.table];
        let TableKey::Coloured(key) = &table.header().key else {
            unreachable!("a plan's colouring looks into a coloured table")
        };
        let (mut cells, mut classes) = ([0; MASK + 1], [0; MASK + 1]);
        for cell in goal.shape().all_cells().iter() {
            let (image, tile) = (view.symmetry.cell(cell), goal.board().tile(cell));
            cells[usize::from(cell)] = image;
            classes[usize::from(tile)] = key.class_of(image).unwrap_or(0) as u8;
        }
        let index = table.colour_index().expect("a coloured table has an index");
        let ranks: Vec<u16> = if key.shape.cell_count() <= NARROW_CELLS {
            // Places that the board lacks belong to no sequence.
            (0..1 << (NARROW_CELLS - 1)).map(|places| index.rank_of(places) as u16).collect()
        } else {
            vec![0; 1 << (NARROW_CELLS - 1)]
        };
        Self {
            payload: table.payload(),
            index,
            ranks: ranks.into_boxed_slice().try_into().expect("there are so many sets"),
            cells,
            cell_count: key.shape.cell_count(),
            cols: key.shape.cols() as u32,
            classes,
        }
    }

    #[inline(always)]
    fn cell(&self, cell: Cell) -> Cell {
        self.cells[usize::from(cell) & MASK]
    }

    /// Returns the distance of the entry with a sequence and the blank on a cell of the board, if
    /// the first slide has an axis on the table's board.
    #[inline(always)]
    fn distance<C>(&self, sequence: &Sequence<C>, blank: Cell, first: Axis) -> u32 {
        let number = sequence.first as usize + usize::from(self.cell(blank));
        // Every state has an entry; 0 is a lower bound, too.
        self.payload.get(number).map_or(0, |&entry| slides::distance(entry, first).into())
    }

    #[inline(always)]
    fn prefetch<C>(&self, sequence: &Sequence<C>, blank: Cell) {
        processor::prefetch(self.payload, sequence.first as usize + usize::from(self.cell(blank)));
    }
}

impl Colouring<'_> {
    fn sequence<B: Bits, const WORDS: usize, const LANE: usize>(
        &self,
        bits: B,
        board: &Board,
    ) -> Sequence<Classes<WORDS, LANE>> {
        let mut classes = Classes([0; WORDS]);
        let blank = self.cell(board.blank());
        for (cell, &tile) in board.tiles().iter().enumerate() {
            let class = usize::from(self.classes[usize::from(tile) & MASK]);
            let cell = self.cells[cell];
            // The last class is not a part of the state.
            if tile != BLANK && class < self.index.radices().len() {
                classes.insert(class, cell - Cell::from(cell > blank));
            }
        }
        Sequence { classes, first: self.first(bits, &classes) }
    }

    /// Moves one tile between two cells of the board, in different rows of the table's.
    #[inline(always)]
    fn rotate<const WORDS: usize, const LANE: usize>(
        &self,
        classes: &mut Classes<WORDS, LANE>,
        blank: Cell,
        from: Cell,
    ) {
        let (blank, from) = (u32::from(self.cell(blank)), u32::from(self.cell(from)));
        // The tile passes those between the two cells.
        classes.rotate(blank.min(from), self.cols, from > blank);
    }

    /// Returns the number of the first entry with a sequence.
    #[inline(always)]
    fn first<B: Bits, const WORDS: usize, const LANE: usize>(
        &self,
        bits: B,
        classes: &Classes<WORDS, LANE>,
    ) -> u64 {
        let (mut number, mut free) = (0, u64::MAX >> (65 - self.cell_count));
        for (class, radix) in self.index.radices().iter().enumerate() {
            let cells = classes.get(class);
            let places = bits.gathered(cells, free);
            // The constant `LANE` leaves one of both.
            let rank = if LANE <= NARROW_CELLS {
                self.ranks[places as usize % (1 << (NARROW_CELLS - 1))].into()
            } else {
                self.index.rank_of(places)
            };
            number = number * radix + u64::from(rank);
            free ^= cells;
        }
        number * self.cell_count as u64
    }
}

/// The colourings of a plan.
pub(crate) struct Colourings<'a> {
    goal: Goal,
    /// For each axis, the colourings whose sequences slides along it keep.
    by_axis: [Vec<Colouring<'a>>; 2],
}

impl<'a> Colourings<'a> {
    /// Makes the colourings over their tables, which [`Database`](crate::Database) has checked.
    pub(crate) fn new(goal: &Goal, views: &[View], tables: &'a [Table]) -> Self {
        let by_axis = [false, true].map(|is_turned| {
            let views = views.iter().filter(|view| view.symmetry.swaps_axes() == is_turned);
            let mut views: Vec<&View> = views.collect();
            // The same table first for both axes.
            views.sort_by_key(|view| view.table);
            views.iter().map(|view| Colouring::new(goal, view, tables)).collect()
        });
        Self { goal: *goal, by_axis }
    }

    /// Returns whether no more cells, colourings of an axis and classes of a state are needed.
    fn fit(&self, cells: usize, count: usize, class_count: usize) -> bool {
        let fits = |colouring: &Colouring<'_>| colouring.index.radices().len() < class_count;
        self.goal.shape().cell_count() <= cells
            && self.by_axis.iter().all(|of_axis| of_axis.len() <= count)
            && self.by_axis.iter().flatten().all(fits)
    }
}

/// The maximum over the colourings of a plan, with room for `V` of them whose sequences slides
/// along one axis keep.
pub struct SlideMax<'a, B, C, const V: usize> {
    bits: B,
    colourings: Colourings<'a>,
    classes: std::marker::PhantomData<C>,
}

impl<B, C, const V: usize> fmt::Debug for SlideMax<'_, B, C, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SlideMax").field("goal", &self.colourings.goal).finish_non_exhaustive()
    }
}

impl<'a, B: Bits, const V: usize, const WORDS: usize, const LANE: usize>
    SlideMax<'a, B, Classes<WORDS, LANE>, V>
{
    /// Creates the heuristic of the colourings of a plan. Gives them back without room for them.
    pub(crate) fn new(bits: B, colourings: Colourings<'a>) -> Result<Self, Colourings<'a>> {
        if colourings.fit(LANE, V, Classes::<WORDS, LANE>::COUNT_MAX) {
            Ok(Self { bits, colourings, classes: std::marker::PhantomData })
        } else {
            Err(colourings)
        }
    }

    /// Returns a lower bound on the slides to the goal after a slide along `axis`, by the sequences
    /// that it kept.
    #[inline(always)]
    fn near(
        &self,
        sequences: &[Sequence<Classes<WORDS, LANE>>; V],
        blank: Cell,
        axis: Axis,
    ) -> u32 {
        let (mut bound, colourings) = (0, &self.colourings.by_axis[axis as usize]);
        // Plain loops, because `zip` may become a call in the code of wide registers.
        for i in 0..colourings.len() {
            // The slide was horizontal for this table.
            bound = bound.max(colourings[i].distance(&sequences[i], blank, Axis::Vertical));
        }
        bound
    }

    /// Returns a lower bound on the slides from a board to the goal.
    ///
    /// # Errors
    /// As [`SlideHeuristic::root`].
    pub fn slides(&self, board: &Board) -> Result<u32, RootError> {
        let [horizontal, vertical] = self.bounds(&SlideHeuristic::root(self, board)?);
        Ok(horizontal.min(vertical))
    }
}

impl<B: Bits, const V: usize, const WORDS: usize, const LANE: usize> SlideHeuristic
    for SlideMax<'_, B, Classes<WORDS, LANE>, V>
{
    type State = SlideState<Classes<WORDS, LANE>, V>;

    fn root(&self, board: &Board) -> Result<Self::State, RootError> {
        self.colourings.goal.check(board)?;
        let empty = Sequence { classes: Classes([0; WORDS]), first: 0 };
        let mut state = SlideState { blank: board.blank(), sequences: [[empty; V]; 2] };
        for axis in 0..2 {
            for (i, colouring) in self.colourings.by_axis[axis].iter().enumerate() {
                state.sequences[axis][i] = colouring.sequence(self.bits, board);
            }
        }
        Ok(state)
    }

    #[inline(always)]
    fn blank(&self, state: &Self::State) -> Cell {
        state.blank
    }

    #[inline(always)]
    fn slide(
        &self,
        state: &Self::State,
        run: &[Cell],
        axis: Axis,
        left: u32,
        children: &mut Vec<Self::State>,
    ) {
        let (kept, changed) = (axis as usize, axis.other() as usize);
        let (mut sequences, colourings) =
            (state.sequences[changed], &self.colourings.by_axis[changed]);
        let mut blank = state.blank;
        for &from in run {
            for i in 0..colourings.len() {
                colourings[i].rotate(&mut sequences[i].classes, blank, from);
            }
            blank = from;
            if self.near(&state.sequences[kept], blank, axis) > left {
                continue;
            }
            if let (Some(sequence), Some(colouring)) = (sequences.first_mut(), colourings.first()) {
                sequence.first = colouring.first(self.bits, &sequence.classes);
                colouring.prefetch(sequence, blank);
            }
            let mut child = [sequences; 2];
            child[kept] = state.sequences[kept];
            children.push(SlideState { blank, sequences: child });
        }
    }

    #[inline(always)]
    fn stage_count(&self, axis: Axis) -> usize {
        self.colourings.by_axis[axis.other() as usize].len()
    }

    #[inline(always)]
    fn locate(&self, stage: usize, state: &mut Self::State, axis: Axis) {
        let changed = axis.other() as usize;
        let colouring = &self.colourings.by_axis[changed][stage];
        let sequence = &mut state.sequences[changed][stage];
        sequence.first = colouring.first(self.bits, &sequence.classes);
        colouring.prefetch(sequence, state.blank);
    }

    #[inline(always)]
    fn bound(&self, stage: usize, state: &Self::State, axis: Axis) -> u32 {
        let changed = axis.other() as usize;
        let sequence = &state.sequences[changed][stage];
        // The slide was vertical for this table.
        self.colourings.by_axis[changed][stage].distance(sequence, state.blank, Axis::Horizontal)
    }

    fn bounds(&self, state: &Self::State) -> [u32; 2] {
        let mut bounds = [0; 2];
        for next in Axis::BOTH {
            let axis = next.other();
            let mut bound = self.near(&state.sequences[axis as usize], state.blank, axis);
            for stage in 0..self.stage_count(axis) {
                bound = bound.max(self.bound(stage, state, axis));
            }
            bounds[next as usize] = bound;
        }
        bounds
    }

    #[inline(always)]
    fn run<R>(&self, work: impl FnOnce() -> R) -> R {
        self.bits.run(work)
    }
}

impl<B: Bits, const V: usize, const WORDS: usize, const LANE: usize> Estimator
    for SlideMax<'_, B, Classes<WORDS, LANE>, V>
{
    fn root(&self, board: &Board) -> Result<Memo, RootError> {
        Ok(Memo::new(self.slides(board)?, &[]))
    }

    fn child(&self, board: &Board, _: &Memo, _: Slide) -> Memo {
        Memo::new(self.slides(board).unwrap_or(0), &[])
    }
}
