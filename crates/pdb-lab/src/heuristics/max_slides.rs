//! The maximum of several bounds on slides.

use pdb_core::{Axis, Board, Cell, Goal, RootError, SlideHeuristic};
use pdb_search::Solver;

/// The largest of several bounds on slides, for each axis of the next slide.
///
/// Each part looks up every board anew, so a spec that draws several colourings is faster.
#[derive(Debug)]
pub(crate) struct MaxSlides<'a> {
    goal: Goal,
    parts: Vec<Solver<'a>>,
}

/// A board with its bounds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MaxSlidesState {
    board: Board,
    blank: Cell,
    bounds: [u32; 2],
}

impl<'a> MaxSlides<'a> {
    /// Makes the maximum of bounds for one goal.
    pub(crate) fn new(goal: &Goal, parts: Vec<Solver<'a>>) -> Self {
        Self { goal: *goal, parts }
    }

    fn largest(&self, board: &Board) -> Result<[u32; 2], RootError> {
        self.parts.iter().try_fold([0; 2], |[horizontal, vertical], part| {
            let bounds = part.estimates(board)?;
            Ok([horizontal.max(bounds[0]), vertical.max(bounds[1])])
        })
    }
}

impl SlideHeuristic for MaxSlides<'_> {
    type State = MaxSlidesState;

    fn root(&self, board: &Board) -> Result<MaxSlidesState, RootError> {
        self.goal.check(board)?;
        Ok(MaxSlidesState { board: *board, blank: board.blank(), bounds: self.largest(board)? })
    }

    fn blank(&self, state: &MaxSlidesState) -> Cell {
        state.blank
    }

    fn slide(
        &self,
        state: &MaxSlidesState,
        run: &[Cell],
        axis: Axis,
        left: u32,
        children: &mut Vec<MaxSlidesState>,
    ) {
        let mut child = *state;
        for &from in run {
            child.board.slide(from, child.blank);
            child.blank = from;
            // A damaged table bounds nothing; its error follows when the answer is confirmed.
            child.bounds = self.largest(&child.board).unwrap_or_default();
            if self.bound(0, &child, axis) <= left {
                children.push(child);
            }
        }
    }

    fn bound(&self, _: usize, state: &MaxSlidesState, axis: Axis) -> u32 {
        state.bounds[axis.other() as usize]
    }

    fn bounds(&self, state: &MaxSlidesState) -> [u32; 2] {
        state.bounds
    }
}
