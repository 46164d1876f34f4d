//! Plain pattern databases as a heuristic: the maximum over several (Culberson & Schaeffer 1996,
//! "Searching with pattern databases"; 1998, "Pattern databases").
//!
//! Every move changes every value by exactly 1, so one bit per entry is enough: bit 1 of the value.
//! The two possible values of a child differ by 2, so the bit tells them apart.
//!
//! A child is looked up first in the pattern that is largest at its parent. Another can be at most
//! as large at the parent, so its look-up waits until the first has let the child pass.

use std::fmt;

use pdb_core::plan::View;
use pdb_core::processor;
use pdb_core::{
    Board, Cell, Estimator, Expansion, Goal, Heuristic, Memo, PatternState, RootError, Slide,
};
use pdb_format::read_bit;

use crate::Table;
use crate::parts::PatternValue;
use crate::placement::{MASK, Placement};

/// One pattern's look-up.
#[derive(Clone, Copy, Debug)]
struct Pattern<'a> {
    placement: Placement<'a>,
    payload: &'a [u8],
}

impl Pattern<'_> {
    /// Returns the state after a move: the same where the tile is outside the pattern.
    #[inline(always)]
    fn moved(&self, state: PatternState, tile: u8, from: Cell, to: Cell) -> PatternState {
        let Placement { tiles, cells, index, .. } = &self.placement;
        if tiles >> (tile & 63) & 1 == 0 {
            return state;
        }
        let (from, to) = (cells[usize::from(from) & MASK], cells[usize::from(to) & MASK]);
        state.moved(from, to, index.label_bits())
    }

    /// Returns the entry of a state with the blank on a cell of the board, and prefetches it.
    #[inline(always)]
    fn locate(&self, state: PatternState, blank: Cell) -> u64 {
        let entry =
            self.placement.index.entry(state, self.placement.cells[usize::from(blank) & MASK]);
        processor::prefetch(self.payload, (entry >> 3) as usize);
        entry
    }

    /// Returns the value of an entry after a move from an entry with the value `parent`.
    #[inline(always)]
    fn value(&self, entry: u64, parent: i16) -> i16 {
        let bit = i16::from(read_bit(self.payload, entry).unwrap_or(0));
        let above = parent + 1;
        if above >> 1 & 1 == bit { above } else { parent - 1 }
    }

    /// Returns the value of a state, which is the number of steps of a walk downhill.
    fn root_value(&self, mut state: PatternState, mut blank: Cell) -> Result<i16, RootError> {
        let Placement { table, index, key, .. } = self.placement;
        let shape = key.shape;
        let damaged = || self.placement.damaged();
        let goal = index.state(key.homes, |home| home);
        let level_max = table.header().level_max() as i16;
        let mut is_odd = shape.distance(blank, key.goal_region) % 2 == 1;
        let bit_of = |state, blank| read_bit(self.payload, index.entry(state, blank));
        let mut bit = bit_of(state, blank).ok_or_else(damaged)?;
        let mut value = 0;
        while state != goal || blank != key.goal_region {
            // The bits of a damaged table could lead around in circles.
            if value >= level_max {
                return Err(damaged());
            }
            // Down from an odd value, bit 1 stays; down from an even one, it changes.
            bit ^= u8::from(!is_odd);
            is_odd = !is_odd;
            let step = |from: Cell| {
                let is_tile = state.cells.contains(from);
                let moved = || state.moved(from, blank, index.label_bits());
                (if is_tile { moved() } else { state }, from)
            };
            (state, blank) = shape
                .neighbours(blank)
                .iter()
                .map(step)
                .find(|&(next, from)| bit_of(next, from) == Some(bit))
                .ok_or_else(damaged)?;
            value += 1;
        }
        // The goal's own bit says 0 or 2.
        if bit == 0 { Ok(value) } else { Err(damaged()) }
    }
}

/// Maximum over the patterns of a plan, with room for `V` of them.
pub struct PlainMax<'a, const V: usize> {
    goal: Goal,
    /// The patterns; the rest repeats the first and is unused.
    patterns: [Pattern<'a>; V],
    /// At most `V`.
    pattern_count: usize,
}

impl<const V: usize> fmt::Debug for PlainMax<'_, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PlainMax").field("goal", &self.goal).finish_non_exhaustive()
    }
}

/// Per-node numbers of a search.
#[derive(Clone, Copy, Debug)]
pub struct PlainNode<const V: usize> {
    values: [i16; V],
    /// Entries after the last move, without that of the pattern that was looked up first.
    late: [u64; V],
    /// The pattern with the largest value.
    lead: u8,
}

/// Look-up of a child in the leading pattern.
#[derive(Clone, Copy, Debug, Default)]
pub struct PlainProbe {
    entry: u64,
    value: i16,
}

/// Returns the estimate of a value, at least 0: a damaged table may lead below zero.
#[inline(always)]
fn estimate(value: i16) -> u32 {
    u32::from(value.max(0).unsigned_abs())
}

impl<'a, const V: usize> PlainMax<'a, V> {
    /// Creates the heuristic of 1 to `V` patterns of a plan over its tables, which
    /// [`Database`](crate::Database) has checked.
    pub(crate) fn new(goal: &Goal, views: &[View], tables: &'a [Table]) -> Self {
        assert!((1..=V).contains(&views.len()), "the caller chose V");
        let pattern = |view: &View| {
            let placement = Placement::new(goal, view, tables);
            Pattern { placement, payload: placement.table.payload() }
        };
        let patterns = std::array::from_fn(|i| pattern(views.get(i).unwrap_or(&views[0])));
        Self { goal: *goal, patterns, pattern_count: views.len() }
    }

    /// Returns the patterns in the order of the plan. The estimate is the largest of their values.
    ///
    /// # Errors
    /// [`RootError`] when the board has another shape than the goal, or a table is damaged.
    pub fn parts(&self, board: &Board) -> Result<Vec<PatternValue>, RootError> {
        self.goal.check_shape(board).map_err(RootError::Board)?;
        let (_, node) =
            self.looked_up(board).map_err(|error| self.goal.check(board).err().unwrap_or(error))?;
        let part = |(pattern, value): (&Pattern<'_>, i16)| PatternValue {
            tiles: pattern.placement.tiles().collect(),
            value: estimate(value),
        };
        let patterns = self.patterns.iter().zip(node.values).take(self.pattern_count);
        Ok(patterns.map(part).collect())
    }

    /// Returns the states and the node of a board of the goal's shape.
    fn looked_up(&self, board: &Board) -> Result<([PatternState; V], PlainNode<V>), RootError> {
        let (mut states, cell_of) = ([PatternState::default(); V], board.cells_by_tile());
        for (pattern, state) in self.placed(&mut states) {
            *state = pattern.placement.state(&cell_of);
        }
        let blank = usize::from(board.blank());
        let mut values = [0; V];
        for i in 0..self.pattern_count {
            let pattern = &self.patterns[i];
            values[i] = pattern.root_value(states[i], pattern.placement.cells[blank])?;
        }
        Ok((states, PlainNode { values, late: [0; V], lead: self.lead(&values) }))
    }

    /// Returns each pattern with its state.
    #[inline(always)]
    fn placed<'s>(
        &'s self,
        states: &'s mut [PatternState; V],
    ) -> impl Iterator<Item = (&'s Pattern<'a>, &'s mut PatternState)> {
        self.patterns.iter().zip(states).take(self.pattern_count)
    }

    /// Returns the first pattern of the largest value.
    #[inline(always)]
    fn lead(&self, values: &[i16; V]) -> u8 {
        let mut lead = 0;
        for i in 1..self.pattern_count {
            if values[i] > values[lead] {
                lead = i;
            }
        }
        lead as u8
    }
}

/// The notes of a memo are the values of the patterns.
impl<const V: usize> Estimator for PlainMax<'_, V> {
    fn root(&self, board: &Board) -> Result<Memo, RootError> {
        let (_, node) = Heuristic::root(self, board)?;
        Ok(self.memo(&node.values))
    }

    fn child(&self, board: &Board, parent: &Memo, slide: Slide) -> Memo {
        self.after(parent, &self.entries(board, slide))
    }

    fn glance(&self, board: &Board, parent: &Memo, slide: Slide) -> Option<u32> {
        if self.pattern_count == 1 {
            return None;
        }
        let lead = usize::from(self.lead(Self::values(parent)));
        let pattern = &self.patterns[lead];
        let entry = pattern.locate(pattern.placement.state(&board.cells_by_tile()), slide.from);
        Some(estimate(pattern.value(entry, parent.notes[lead])))
    }

    /// Overlaps the look-ups of a board's children.
    fn children(&self, parents: &[Expansion], memos: &mut [Memo]) {
        let mut memos = memos.iter_mut();
        for parent in parents {
            let mut entries = [[0; V]; 4];
            for (entries, (board, slide)) in entries.iter_mut().zip(parent.boards()) {
                *entries = self.entries(&board, slide);
            }
            for (_, entries) in parent.slides().iter().zip(&entries) {
                let memo = memos.next().expect("there is a place for each child");
                *memo = self.after(&parent.memo, entries);
            }
        }
    }

    fn note_count(&self) -> usize {
        self.pattern_count
    }

    fn lookups(&self) -> [u32; 2] {
        Heuristic::lookups(self)
    }
}

impl<const V: usize> PlainMax<'_, V> {
    fn memo(&self, values: &[i16; V]) -> Memo {
        Memo::new(estimate(values[usize::from(self.lead(values))]), values)
    }

    fn values(memo: &Memo) -> &[i16; V] {
        memo.notes.first_chunk().expect("a memo has room for all patterns")
    }

    /// Returns the entry of each pattern after a move, and prefetches it.
    fn entries(&self, board: &Board, slide: Slide) -> [u64; V] {
        let cell_of = board.cells_by_tile();
        let mut entries = [0; V];
        for (entry, pattern) in entries.iter_mut().zip(&self.patterns[..self.pattern_count]) {
            *entry = pattern.locate(pattern.placement.state(&cell_of), slide.from);
        }
        entries
    }

    fn after(&self, parent: &Memo, entries: &[u64; V]) -> Memo {
        let mut values = *Self::values(parent);
        for i in 0..self.pattern_count {
            values[i] = self.patterns[i].value(entries[i], values[i]);
        }
        self.memo(&values)
    }
}

impl<const V: usize> Heuristic for PlainMax<'_, V> {
    /// The state of each pattern, in cells of its table.
    type State = [PatternState; V];
    type Node = PlainNode<V>;
    type Probe = PlainProbe;

    const SETTLES: bool = V > 1;

    fn root(&self, board: &Board) -> Result<(Self::State, Self::Node), RootError> {
        self.goal.check(board)?;
        self.looked_up(board)
    }

    #[inline(always)]
    fn estimate(&self, node: &Self::Node) -> u32 {
        estimate(node.values[usize::from(node.lead) % V])
    }

    #[inline(always)]
    fn locate(&self, states: &Self::State, parent: &Self::Node, slide: Slide) -> PlainProbe {
        let lead = usize::from(parent.lead) % V;
        let pattern = &self.patterns[lead];
        let state = pattern.moved(states[lead], slide.tile, slide.from, slide.to);
        PlainProbe { entry: pattern.locate(state, slide.from), value: 0 }
    }

    #[inline(always)]
    fn read(&self, parent: &Self::Node, _: Slide, probe: &mut PlainProbe) -> u32 {
        let lead = usize::from(parent.lead) % V;
        probe.value = self.patterns[lead].value(probe.entry, parent.values[lead]);
        estimate(probe.value)
    }

    #[inline(always)]
    fn enter(
        &self,
        states: &mut Self::State,
        parent: &Self::Node,
        slide: Slide,
        probe: &PlainProbe,
        child: &mut Self::Node,
    ) {
        *child = *parent;
        let lead = usize::from(parent.lead) % V;
        for (i, (pattern, state)) in self.placed(states).enumerate() {
            *state = pattern.moved(*state, slide.tile, slide.from, slide.to);
            if i == lead {
                child.values[i] = probe.value;
            } else {
                child.late[i] = pattern.locate(*state, slide.from);
            }
        }
    }

    #[inline(always)]
    fn settle(&self, node: &mut Self::Node) -> u32 {
        for i in 0..self.pattern_count {
            if i != usize::from(node.lead) {
                node.values[i] = self.patterns[i].value(node.late[i], node.values[i]);
            }
        }
        node.lead = self.lead(&node.values);
        Heuristic::estimate(self, node)
    }

    #[inline(always)]
    fn leave(&self, states: &mut Self::State, _: &Self::Node, slide: Slide) {
        for (pattern, state) in self.placed(states) {
            *state = pattern.moved(*state, slide.tile, slide.to, slide.from);
        }
    }

    fn lookups(&self) -> [u32; 2] {
        [1, self.pattern_count as u32 - 1]
    }
}
