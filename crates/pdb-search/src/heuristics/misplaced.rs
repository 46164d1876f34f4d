//! Misplaced tiles.

use pdb_core::{BLANK, Board, Goal, Heuristic, RootError, Slide};

/// The number of tiles that are not at home, the blank left out: Hamming distance.
///
/// Each of them has to move at least once, so the estimate is admissible; a move changes it by at
/// most 1, so it is consistent. It is what is left of the puzzle when a tile may move to any cell in
/// one move, and the weakest of all heuristics here. A textbook example since N. J. Nilsson,
/// "Problem-solving methods in artificial intelligence", 1971.
///
/// A node is nothing but its estimate; a move costs two comparisons.
#[derive(Clone, Debug)]
pub struct Misplaced {
    goal: Goal,
}

impl Misplaced {
    /// Misplaced tiles against a goal of any shape.
    pub fn new(goal: &Goal) -> Self {
        Self { goal: *goal }
    }

    /// The tiles that are not at home, in the order of their cells: the estimate is their number.
    pub fn tiles(&self, board: &Board) -> Vec<u8> {
        let pairs = board.tiles().iter().zip(self.goal.board().tiles());
        pairs
            .filter(|(tile, at_home)| tile != at_home)
            .map(|(&tile, _)| tile)
            .filter(|&tile| tile != BLANK)
            .collect()
    }
}

impl Heuristic for Misplaced {
    type State = ();
    type Node = u32;
    /// The child's estimate, once it was read.
    type Probe = u32;

    const SETTLES: bool = false;
    const WAITS: bool = false;

    fn state(&self, _: &Board) {}

    fn root(&self, board: &Board) -> Result<((), u32), RootError> {
        let pairs = board.tiles().iter().zip(self.goal.board().tiles());
        let misplaced = pairs.filter(|(tile, at_home)| **tile != BLANK && tile != at_home);
        Ok(((), misplaced.count() as u32))
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
        let home = self.goal.home(slide.tile);
        *probe = *parent + u32::from(slide.from == home) - u32::from(slide.to == home);
        *probe
    }

    #[inline]
    fn enter(&self, (): &mut (), _: &u32, _: Slide, probe: &u32) -> u32 {
        *probe
    }

    #[inline]
    fn settle(&self, node: &mut u32) -> u32 {
        *node
    }

    fn lookups(&self) -> [u32; 2] {
        [0, 0]
    }

    #[inline]
    fn leave(&self, (): &mut (), _: &u32, _: Slide) {}
}
