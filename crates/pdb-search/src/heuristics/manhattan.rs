//! Manhattan distance.

use pdb_core::{BLANK, Board, CELLS_MAX, Cell, Goal, Heuristic, RootError, Slide};

/// The sum of every tile's distance from its home, the blank left out.
///
/// A move changes one tile's distance by 1, so a node is nothing but its estimate.
#[derive(Clone, Debug)]
pub struct Manhattan {
    /// Moves from a cell to a tile's home, by tile and cell.
    distances: Box<[[u8; CELLS_MAX]; CELLS_MAX]>,
}

impl Manhattan {
    /// Manhattan distance to a goal of any shape.
    pub fn new(goal: &Goal) -> Self {
        let mut distances = Box::new([[0; CELLS_MAX]; CELLS_MAX]);
        let shape = goal.shape();
        for &tile in goal.board().tiles().iter().filter(|&&tile| tile != BLANK) {
            for cell in shape.all_cells().iter() {
                distances[usize::from(tile)][usize::from(cell)] =
                    shape.distance(cell, goal.home(tile)) as u8;
            }
        }
        Self { distances }
    }

    /// By how much a move changes it: 1 or -1.
    #[inline]
    pub(super) fn change(&self, slide: Slide) -> i16 {
        let [to, from] = [slide.to, slide.from].map(|cell| self.distance(slide.tile, cell));
        to as i16 - from as i16
    }

    #[inline]
    fn distance(&self, tile: u8, cell: Cell) -> u32 {
        u32::from(self.distances[usize::from(tile)][usize::from(cell)])
    }
}

impl Heuristic for Manhattan {
    type State = ();
    type Node = u32;
    /// The child's estimate, once it was read.
    type Probe = u32;

    const SETTLES: bool = false;
    const WAITS: bool = false;

    fn state(&self, _: &Board) {}

    fn root(&self, board: &Board) -> Result<((), u32), RootError> {
        let distances = (0..).zip(board.tiles());
        Ok(((), distances.map(|(cell, &tile)| self.distance(tile, cell)).sum()))
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
        *probe =
            *parent + self.distance(slide.tile, slide.to) - self.distance(slide.tile, slide.from);
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
