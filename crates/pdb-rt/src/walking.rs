//! Walking Distance as a heuristic (K. Takahashi).
//!
//! For each axis a table holds the fewest moves across the lines that could bring every tile into
//! its home line. The two axes add up. A search follows links from state to state and never looks
//! up a key.

use std::fmt;

use pdb_core::plan::AxisView;
use pdb_core::{BLANK, Board, Estimator, Goal, Heuristic, Memo, RootError, Slide, TableKey};
use pdb_format::walking::{Layout, NO_LINK, Step, pack_key};

use crate::Table;
use crate::parts::WalkingCounts;

/// Walking Distance of one axis: a lower bound on the moves from line to line.
///
/// Both axes add up, because no move counts in both.
#[derive(Clone)]
pub struct WalkingAxis<'a> {
    payload: &'a [u8],
    name: &'a str,
    layout: Layout,
    state_count: u32,
    lines: usize,
    line_of: [u8; pdb_core::CELLS_MAX],
    home_line: [u8; pdb_core::CELLS_MAX],
    goal: Goal,
}

impl fmt::Debug for WalkingAxis<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WalkingAxis")
            .field("goal", &self.goal)
            .field("table", &self.name)
            .finish_non_exhaustive()
    }
}

/// Numbers of tiles by line and home line.
type Counts = [[u8; pdb_core::CELLS_MAX]; pdb_core::CELLS_MAX];

impl<'a> WalkingAxis<'a> {
    fn new(goal: &Goal, table: &'a Table, view: AxisView, vertical: bool) -> Self {
        let TableKey::Walking(key) = table.header().key else {
            unreachable!("a plan's axis looks into a walking distance table")
        };
        let shape = goal.shape();
        let mut line_of = [0; pdb_core::CELLS_MAX];
        for cell in 0..shape.cell_count() as u8 {
            let (row, col) = shape.row_col(cell);
            let line = if vertical { row } else { col };
            line_of[usize::from(cell)] =
                if view.flipped { key.lines - 1 - line } else { line } as u8;
        }
        let mut home_line = [0; pdb_core::CELLS_MAX];
        for tile in 0..shape.cell_count() as u8 {
            home_line[usize::from(tile)] = line_of[usize::from(goal.home(tile))];
        }
        Self {
            payload: table.payload(),
            name: table.name(),
            layout: Layout::new(table.header().entry_count, key.lines),
            state_count: table.header().entry_count as u32,
            lines: key.lines,
            line_of,
            home_line,
            goal: *goal,
        }
    }

    /// Returns the number of tiles of each home line in each line, and the blank's line, as the
    /// table counts lines.
    fn counts(&self, board: &Board) -> (Counts, usize) {
        let mut counts = [[0; pdb_core::CELLS_MAX]; pdb_core::CELLS_MAX];
        for (cell, &tile) in board.tiles().iter().enumerate() {
            if tile != BLANK {
                counts[usize::from(self.line_of[cell])]
                    [usize::from(self.home_line[usize::from(tile)])] += 1;
            }
        }
        (counts, usize::from(self.line_of[usize::from(board.blank())]))
    }

    /// Returns the state of a board, with lines in the order of the board, and its value.
    ///
    /// # Errors
    /// As [`state`](Self::state).
    pub fn parts(&self, board: &Board) -> Result<WalkingCounts, RootError> {
        let value = self.value(self.state(board)?);
        let (counts, blank_line) = self.counts(board);
        // The first cell is in the first line, unless the table counts from the other side.
        let is_flipped = self.line_of[0] != 0;
        let turned = |line: usize| if is_flipped { self.lines - 1 - line } else { line };
        let line = |line: usize| -> Vec<u8> {
            (0..self.lines).map(|home| counts[turned(line)][turned(home)]).collect()
        };
        Ok(WalkingCounts {
            lines: (0..self.lines).map(line).collect(),
            blank_line: turned(blank_line),
            blank_home: turned(usize::from(self.home_line[usize::from(BLANK)])),
            value,
        })
    }

    /// Returns the number of a board's state, found by a scan of all keys.
    ///
    /// # Errors
    /// [`RootError`] when the board has another shape than the goal, or the table is damaged.
    pub fn state(&self, board: &Board) -> Result<u32, RootError> {
        self.goal.check_shape(board).map_err(RootError::Board)?;
        let (counts, blank_line) = self.counts(board);
        let key = pack_key(self.lines, |line, home| counts[line][home], blank_line);
        (0..self.state_count)
            .find(|&state| self.layout.key(self.payload, state) == Some(key))
            .ok_or_else(|| {
                let damaged = || RootError::Damaged { table: self.name.to_owned() };
                self.goal.check(board).err().unwrap_or_else(damaged)
            })
    }

    /// Returns the fewest moves from line to line of a state.
    #[inline]
    pub fn value(&self, state: u32) -> u32 {
        self.layout.value(self.payload, state).map_or(0, u32::from)
    }

    /// Returns the state after a move: the same state when the move stays within a line.
    #[inline]
    pub fn after(&self, state: u32, slide: Slide) -> u32 {
        let from = self.line_of[usize::from(slide.from)];
        let to = self.line_of[usize::from(slide.to)];
        // The blank goes to the tile's old line.
        let step = match from.cmp(&to) {
            std::cmp::Ordering::Equal => return state,
            std::cmp::Ordering::Less => Step::Up,
            std::cmp::Ordering::Greater => Step::Down,
        };
        let home_line = usize::from(self.home_line[usize::from(slide.tile)]);
        match self.layout.link(self.payload, state, step, home_line) {
            Some(link) if link != NO_LINK => link,
            // Only a damaged table lacks the link of a legal move.
            _ => state,
        }
    }
}

/// State of an axis, and its value.
#[derive(Clone, Copy, Debug)]
pub struct WalkingNode {
    state: u32,
    estimate: u32,
}

impl<'a> WalkingAxis<'a> {
    /// Creates both axes of a plan over its tables, which [`Database`](crate::Database) has
    /// checked.
    pub(crate) fn both(
        goal: &Goal,
        vertical: AxisView,
        horizontal: AxisView,
        tables: &'a [Table],
    ) -> [Self; 2] {
        let axis =
            |view: AxisView, is_vertical| Self::new(goal, &tables[view.table], view, is_vertical);
        [axis(vertical, true), axis(horizontal, false)]
    }

    #[inline]
    fn node(&self, state: u32) -> WalkingNode {
        WalkingNode { state, estimate: self.value(state) }
    }

    /// Returns the node after a move.
    #[inline(always)]
    fn moved(&self, parent: WalkingNode, slide: Slide) -> WalkingNode {
        let state = self.after(parent.state, slide);
        // Half of the moves cross the other axis.
        if state == parent.state { parent } else { self.node(state) }
    }
}

/// Sum of the Walking Distances of both axes.
#[derive(Clone, Debug)]
pub struct WalkingDistance<'a> {
    pub(crate) axes: [WalkingAxis<'a>; 2],
}

impl Estimator for WalkingDistance<'_> {
    fn root(&self, board: &Board) -> Result<Memo, RootError> {
        Ok(self.memo(self.states(board)?))
    }

    fn child(&self, _: &Board, parent: &Memo, slide: Slide) -> Memo {
        let [rows, cols] = &self.axes;
        self.memo([rows.after(parent.whole(0), slide), cols.after(parent.whole(2), slide)])
    }

    fn note_count(&self) -> usize {
        4
    }

    fn lookups(&self) -> [u32; 2] {
        Heuristic::lookups(self)
    }
}

impl WalkingDistance<'_> {
    /// Returns the states of a board that can be solved.
    fn states(&self, board: &Board) -> Result<[u32; 2], RootError> {
        let [rows, cols] = &self.axes;
        rows.goal.check(board)?;
        Ok([rows.state(board)?, cols.state(board)?])
    }

    fn memo(&self, states: [u32; 2]) -> Memo {
        let values = self.axes.iter().zip(states).map(|(axis, state)| axis.value(state));
        Memo::new(values.sum(), states.map(Memo::halves).as_flattened())
    }
}

impl Heuristic for WalkingDistance<'_> {
    type State = ();
    type Node = [WalkingNode; 2];
    /// The child, after it was read.
    type Probe = Option<[WalkingNode; 2]>;

    const SETTLES: bool = false;

    /// Returns `false`, because the tables are small enough for the caches.
    #[inline(always)]
    fn waits(&self) -> bool {
        false
    }

    fn root(&self, board: &Board) -> Result<((), Self::Node), RootError> {
        let ([rows, cols], [row, col]) = (&self.axes, self.states(board)?);
        Ok(((), [rows.node(row), cols.node(col)]))
    }

    #[inline]
    fn estimate(&self, [rows, cols]: &Self::Node) -> u32 {
        rows.estimate + cols.estimate
    }

    #[inline]
    fn locate(&self, (): &(), _: &Self::Node, _: Slide) -> Self::Probe {
        None
    }

    #[inline]
    fn read(&self, [rows, cols]: &Self::Node, slide: Slide, probe: &mut Self::Probe) -> u32 {
        let node = [self.axes[0].moved(*rows, slide), self.axes[1].moved(*cols, slide)];
        *probe = Some(node);
        Heuristic::estimate(self, &node)
    }

    #[inline]
    fn enter(
        &self,
        (): &mut (),
        _: &Self::Node,
        _: Slide,
        probe: &Self::Probe,
        child: &mut Self::Node,
    ) {
        *child = probe.expect("a child is entered after its estimate was read");
    }

    fn lookups(&self) -> [u32; 2] {
        // A link and a value for the axis that the move crosses.
        [2, 0]
    }
}
