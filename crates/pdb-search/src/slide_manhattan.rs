//! Manhattan distance in slides of several tiles.

use pdb_core::{
    Axis, BLANK, Board, Cell, Goal, RootError, Shape, Slide, SlideHeuristic, TileDistances,
};

/// Manhattan distance by axis, and the slides that it takes at least. It needs no tables.
///
/// A slide along a row takes at most a tile for each other column of the row one column nearer, and
/// leaves all rows as they are. So the columns between tiles and their homes take at least their
/// sum divided by that number, rounded up. The same holds for rows. Horizontal and vertical slides
/// alternate in a shortest solution, so of n slides, half are along the first axis, and half of
/// n, rounded down, along the other one.
#[derive(Clone, Debug)]
pub struct SlideManhattan {
    goal: Goal,
    distances: TileDistances,
}

/// The columns between all tiles and their homes, and the rows, in the order of [`Axis::BOTH`].
#[derive(Clone, Copy, Debug)]
pub struct AxisDistances(pub [u32; 2]);

impl AxisDistances {
    /// Returns the sums of a board, which has the goal's shape.
    pub fn new(goal: &Goal, board: &Board) -> Self {
        let shape = goal.shape();
        let mut sums = [0; 2];
        for (cell, &tile) in (0..).zip(board.tiles()).filter(|&(_, &tile)| tile != BLANK) {
            let ((row, col), (home_row, home_col)) =
                (shape.row_col(cell), shape.row_col(goal.home(tile)));
            sums[0] += col.abs_diff(home_col) as u32;
            sums[1] += row.abs_diff(home_row) as u32;
        }
        Self(sums)
    }

    /// Returns lower bounds on the horizontal and on the vertical slides.
    pub fn slides(self, shape: Shape) -> [u32; 2] {
        // No tile slides along a line of one cell, whose distance is 0.
        let of = |distance: u32, line_len: usize| distance.div_ceil(line_len.max(2) as u32 - 1);
        [of(self.0[0], shape.cols()), of(self.0[1], shape.rows())]
    }

    /// Returns a lower bound on all slides, of which the first is along `first`.
    pub fn bound(self, shape: Shape, first: Axis) -> u32 {
        let slides = self.slides(shape);
        let [first, second] = [first, first.other()].map(|axis| slides[axis as usize]);
        (2 * first).saturating_sub(1).max(2 * second)
    }
}

impl SlideManhattan {
    /// Creates the heuristic for a goal of any shape.
    pub fn new(goal: &Goal) -> Self {
        Self { goal: *goal, distances: TileDistances::new(goal) }
    }
}

/// A board with its distances.
#[derive(Clone, Copy, Debug)]
pub struct SlideManhattanState {
    board: Board,
    blank: Cell,
    distances: AxisDistances,
}

impl SlideHeuristic for SlideManhattan {
    type State = SlideManhattanState;

    fn root(&self, board: &Board) -> Result<SlideManhattanState, RootError> {
        self.goal.check(board)?;
        let distances = AxisDistances::new(&self.goal, board);
        Ok(SlideManhattanState { board: *board, blank: board.blank(), distances })
    }

    #[inline]
    fn blank(&self, state: &SlideManhattanState) -> Cell {
        state.blank
    }

    #[inline]
    fn slide(
        &self,
        state: &SlideManhattanState,
        run: &[Cell],
        axis: Axis,
        left: u32,
        children: &mut Vec<SlideManhattanState>,
    ) {
        let mut child = *state;
        for &from in run {
            let slide = Slide { tile: child.board.tile(from), from, to: child.blank };
            let change = self.distances.change(slide).into();
            let distance = &mut child.distances.0[axis as usize];
            *distance = distance.wrapping_add_signed(change);
            child.board.slide(from, child.blank);
            child.blank = from;
            if child.distances.bound(self.goal.shape(), axis.other()) <= left {
                children.push(child);
            }
        }
    }

    #[inline]
    fn bound(&self, _: usize, state: &SlideManhattanState, axis: Axis) -> u32 {
        state.distances.bound(self.goal.shape(), axis.other())
    }

    fn bounds(&self, state: &SlideManhattanState) -> [u32; 2] {
        Axis::BOTH.map(|first| state.distances.bound(self.goal.shape(), first))
    }

    fn score(&self, state: &SlideManhattanState) -> u32 {
        state.distances.0.into_iter().sum()
    }
}
