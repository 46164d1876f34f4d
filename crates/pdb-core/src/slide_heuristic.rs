//! The contract of heuristics for the multi-tile metric.

use crate::{Axis, Board, Cell, RootError};

/// Lower bound on the number of slides to the goal, of one or more tiles each.
///
/// A search keeps a [`State`](Self::State) for each node. After a slide along an axis, some entries
/// of a board are beside those of the board before the slide: they cost no access to memory, so
/// they are [read before all others](Self::slide). The others are read in stages, one entry each:
/// the entries of a stage are located first, for all children of a board, so that memory can be
/// waited for together. Later stages are only for children that the earlier ones let pass.
pub trait SlideHeuristic: Send + Sync {
    /// The state of a board. It is complete if all its entries are located.
    type State: Copy + Send + Sync + 'static;

    /// Returns the complete state of a board.
    ///
    /// # Errors
    /// [`RootError`] when the board has another shape than the goal, or no solution.
    fn root(&self, board: &Board) -> Result<Self::State, RootError>;

    /// Returns the blank's cell.
    fn blank(&self, state: &Self::State) -> Cell;

    /// Adds the states after slides along an axis, from the shortest one: the tiles on the cells of
    /// `run` move towards the blank beside the first of them. Leaves out those whose entries beside
    /// the ones of `state` need more than `left` slides. The first stage is located.
    fn slide(
        &self,
        state: &Self::State,
        run: &[Cell],
        axis: Axis,
        left: u32,
        children: &mut Vec<Self::State>,
    );

    /// Returns the number of stages after a slide along `axis`. After a slide along the other axis,
    /// as many entries are beside those of the board before. The default is for bounds that are
    /// known at once.
    fn stage_count(&self, _: Axis) -> usize {
        0
    }

    /// Locates the entry of a stage after a slide along `axis`, and asks for its memory.
    fn locate(&self, _: usize, _: &mut Self::State, _: Axis) {}

    /// Returns a lower bound on the slides to the goal after a slide along `axis`, by the located
    /// entry of a stage. The next slide is along the other axis.
    fn bound(&self, stage: usize, state: &Self::State, axis: Axis) -> u32;

    /// Returns the bounds of a complete state by the axis of the next slide: horizontal, vertical.
    fn bounds(&self, state: &Self::State) -> [u32; 2];

    /// Returns a number that is smaller on boards nearer to the goal, for searches that keep the
    /// best boards and prove nothing. It may distinguish more boards than bounds do.
    fn score(&self, state: &Self::State) -> u32 {
        self.bounds(state).into_iter().sum()
    }

    /// Runs work with many look-ups. A heuristic that uses instructions of some processors only
    /// compiles the work for them.
    #[inline(always)]
    fn run<R>(&self, work: impl FnOnce() -> R) -> R {
        work()
    }
}
