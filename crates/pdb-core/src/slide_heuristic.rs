//! The contract of heuristics for the multi-tile metric.

use crate::{Axis, Board, RootError, Slide};

/// Lower bound on the number of slides to the goal, of one or more tiles each.
///
/// A search keeps a [`State`](Self::State) beside its board. A node is looked up in stages: its
/// entries of a stage are located first, for all children of a board, so that memory can be waited
/// for together. Later stages are only for children that the earlier ones let pass.
pub trait SlideHeuristic: Send + Sync {
    /// The state that follows the board.
    type State: Copy;
    /// Located entries of a stage.
    type Place: Copy + Default;

    /// Returns the state of a board.
    ///
    /// # Errors
    /// [`RootError`] when the board has another shape than the goal, or no solution.
    fn root(&self, board: &Board) -> Result<Self::State, RootError>;

    /// Returns the state after a move of one tile, which is a part of a slide.
    fn moved(&self, state: &Self::State, slide: Slide) -> Self::State;

    /// Returns the number of stages, at least 1.
    fn stage_count(&self) -> usize;

    /// Locates the entries of a stage, and asks for their memory.
    fn locate(&self, stage: usize, state: &Self::State) -> Self::Place;

    /// Returns a lower bound on the slides to the goal, of which the first is along `first`.
    fn bound(&self, stage: usize, place: Self::Place, first: Axis) -> u32;

    /// Returns the number of entries that one stage reads.
    fn lookups(&self, stage: usize) -> u64;
}
