//! Coloured tables: lower bounds on slides, in the multi-tile metric.
//!
//! They are also lower bounds on moves of single tiles, because each slide is at least one of them,
//! but low ones.

use std::fmt;

use pdb_core::plan::View;
use pdb_core::{
    Axis, BLANK, Board, Cell, ColourIndex, ColourState, Estimator, Goal, Memo, RootError, Slide,
    SlideHeuristic, TableKey,
};
use pdb_format::slides;

use crate::placement::MASK;
use crate::{Table, bits};

/// Number of colourings of one stage: a colouring and its mirror image share a table.
const STAGE: usize = 2;

/// Look-up of one colouring.
struct Colouring<'a> {
    payload: &'a [u8],
    index: &'a ColourIndex,
    /// The cell of the table for each cell of the board.
    cells: [Cell; MASK + 1],
    /// The number of each tile's class.
    classes: [u8; MASK + 1],
    class_count: usize,
    /// Whether the rows of the board are the columns of the table.
    is_turned: bool,
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
        Self {
            payload: table.payload(),
            index: table.colour_index().expect("a coloured table has an index"),
            cells,
            classes,
            class_count: key.classes().len(),
            is_turned: view.symmetry.swaps_axes(),
        }
    }

    fn state(&self, board: &Board) -> ColourState {
        let mut state = ColourState::default();
        for (&cell, &tile) in self.cells.iter().zip(board.tiles()) {
            let class = usize::from(self.classes[usize::from(tile) & MASK]);
            if tile == BLANK {
                state.blank = cell;
            } else if class + 1 < self.class_count {
                state.classes[class] |= 1 << cell;
            }
        }
        state
    }

    #[inline(always)]
    fn moved(&self, state: &ColourState, slide: Slide) -> ColourState {
        let [from, to] = [slide.from, slide.to].map(|cell| self.cells[usize::from(cell) & MASK]);
        let class = usize::from(self.classes[usize::from(slide.tile) & MASK]);
        let mut next = ColourState { blank: from, ..*state };
        // The last class is not a part of the state.
        if class + 1 < self.class_count {
            next.classes[class] ^= 1 << from | 1 << to;
        }
        next
    }

    #[inline(always)]
    fn distance(&self, number: u64, first: Axis) -> u32 {
        let first = if self.is_turned { first.other() } else { first };
        // Every state has an entry; 0 is a lower bound, too.
        self.payload.get(number as usize).map_or(0, |&entry| slides::distance(entry, first).into())
    }
}

/// The maximum over the colourings of a plan, with room for `V` of them.
pub struct SlideMax<'a, const V: usize> {
    goal: Goal,
    colourings: Vec<Colouring<'a>>,
}

impl<const V: usize> fmt::Debug for SlideMax<'_, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SlideMax").field("goal", &self.goal).finish_non_exhaustive()
    }
}

impl<'a, const V: usize> SlideMax<'a, V> {
    /// Creates the heuristic of 1 to `V` colourings of a plan over its tables, which
    /// [`Database`](crate::Database) has checked.
    pub(crate) fn new(goal: &Goal, views: &[View], tables: &'a [Table]) -> Self {
        assert!((1..=V).contains(&views.len()), "the caller chose V");
        let mut views = views.to_vec();
        // A stage looks into one table, where a plan has mirror images.
        views.sort_by_key(|view| view.table);
        let colourings = views.iter().map(|view| Colouring::new(goal, view, tables)).collect();
        Self { goal: *goal, colourings }
    }

    /// Returns a lower bound on the slides from a board to the goal.
    ///
    /// # Errors
    /// As [`SlideHeuristic::root`].
    pub fn slides(&self, board: &Board) -> Result<u32, RootError> {
        let state = SlideHeuristic::root(self, board)?;
        let bound = |first| {
            let stages = 0..self.stage_count();
            stages.map(|stage| self.bound(stage, self.locate(stage, &state), first)).max()
        };
        Ok(Axis::BOTH.into_iter().filter_map(bound).min().unwrap_or(0))
    }

    fn stage(&self, stage: usize) -> &[Colouring<'a>] {
        let end = self.colourings.len().min((stage + 1) * STAGE);
        &self.colourings[stage * STAGE..end]
    }
}

impl<const V: usize> SlideHeuristic for SlideMax<'_, V> {
    type State = [ColourState; V];
    type Place = [u64; STAGE];

    fn root(&self, board: &Board) -> Result<Self::State, RootError> {
        self.goal.check(board)?;
        let mut states = [ColourState::default(); V];
        for (state, colouring) in states.iter_mut().zip(&self.colourings) {
            *state = colouring.state(board);
        }
        Ok(states)
    }

    #[inline]
    fn moved(&self, states: &Self::State, slide: Slide) -> Self::State {
        let mut states = *states;
        for (state, colouring) in states.iter_mut().zip(&self.colourings) {
            *state = colouring.moved(state, slide);
        }
        states
    }

    fn stage_count(&self) -> usize {
        self.colourings.len().div_ceil(STAGE)
    }

    #[inline]
    fn locate(&self, stage: usize, states: &Self::State) -> Self::Place {
        let mut place = [0; STAGE];
        let states = &states[stage * STAGE..];
        for ((number, state), colouring) in place.iter_mut().zip(states).zip(self.stage(stage)) {
            *number = colouring.index.rank(state);
            bits::prefetch(colouring.payload, *number as usize);
        }
        place
    }

    #[inline]
    fn bound(&self, stage: usize, place: Self::Place, first: Axis) -> u32 {
        let each = self.stage(stage).iter().zip(place);
        each.map(|(colouring, number)| colouring.distance(number, first)).max().unwrap_or(0)
    }

    fn lookups(&self, stage: usize) -> u64 {
        self.stage(stage).len() as u64
    }
}

impl<const V: usize> Estimator for SlideMax<'_, V> {
    fn root(&self, board: &Board) -> Result<Memo, RootError> {
        Ok(Memo::new(self.slides(board)?, &[]))
    }

    fn child(&self, board: &Board, _: &Memo, _: Slide) -> Memo {
        Memo::new(self.slides(board).unwrap_or(0), &[])
    }
}
