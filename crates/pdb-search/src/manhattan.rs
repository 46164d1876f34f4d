//! Manhattan distance.

use pdb_core::{Board, Estimator, Goal, Heuristic, Memo, RootError, Slide, TileDistances};

/// The sum of every tile's distance from its home, the blank left out.
///
/// A move changes one tile's distance by 1, so a node is nothing but its estimate.
#[derive(Clone, Debug)]
pub struct Manhattan {
    distances: TileDistances,
}

impl Manhattan {
    /// Makes the heuristic for a goal of any shape.
    pub fn new(goal: &Goal) -> Self {
        Self { distances: TileDistances::new(goal) }
    }

    /// Returns the sum for a board.
    pub fn of(&self, board: &Board) -> u32 {
        self.distances.manhattan(board)
    }

    /// Returns the sum after a move, from that before it.
    #[inline]
    pub fn after(&self, before: u32, slide: Slide) -> u32 {
        self.distances.after(before, slide)
    }
}

impl Estimator for Manhattan {
    fn root(&self, board: &Board) -> Result<Memo, RootError> {
        Ok(Memo::new(self.of(board), &[]))
    }

    fn child(&self, _: &Board, parent: &Memo, slide: Slide) -> Memo {
        Memo::new(self.after(parent.estimate, slide), &[])
    }
}

impl Heuristic for Manhattan {
    type State = ();
    type Node = u32;
    /// The child's estimate, once it was read.
    type Probe = u32;

    const SETTLES: bool = false;

    #[inline(always)]
    fn waits(&self) -> bool {
        false
    }

    fn root(&self, board: &Board) -> Result<((), u32), RootError> {
        Ok(((), self.of(board)))
    }

    #[inline]
    fn estimate(&self, node: &u32) -> u32 {
        *node
    }

    #[inline]
    fn locate(&self, (): &(), _: &u32, _: Slide) -> u32 {
        0
    }

    #[inline]
    fn read(&self, parent: &u32, slide: Slide, probe: &mut u32) -> u32 {
        *probe = self.after(*parent, slide);
        *probe
    }

    #[inline]
    fn enter(&self, (): &mut (), _: &u32, _: Slide, probe: &u32, child: &mut u32) {
        *child = *probe;
    }

    fn lookups(&self) -> [u32; 2] {
        [0, 0]
    }
}
