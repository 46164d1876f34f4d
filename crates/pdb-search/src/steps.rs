//! Which tiles can move, for every cell of the blank and every last move.

use pdb_core::{CELLS_MAX, Cell, Direction, Shape};

/// A move that is possible where the blank is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step {
    /// The cell of the tile that moves.
    pub(crate) from: Cell,
    /// The direction in which it moves.
    pub(crate) direction: Direction,
}

/// The moves that are possible after a last move, in the order in which they are tried.
#[derive(Clone, Copy, Debug)]
struct StepList {
    steps: [Step; 4],
    len: u8,
}

/// The moves of a whole shape, by the blank's cell and the last move.
#[derive(Debug)]
pub(crate) struct Steps {
    lists: Box<[[StepList; 5]; CELLS_MAX]>,
}

impl Steps {
    /// The moves of a shape, each list in the order of `order`, without the move that would undo
    /// the last one.
    pub(crate) fn new(shape: Shape, order: [Direction; 4]) -> Self {
        let none = StepList { steps: [Step { from: 0, direction: Direction::Up }; 4], len: 0 };
        let mut lists = Box::new([[none; 5]; CELLS_MAX]);
        for blank in shape.all_cells().iter() {
            for last in Direction::ALL.into_iter().map(Some).chain([None]) {
                let list = &mut lists[usize::from(blank)][slot(last)];
                for direction in order {
                    if last == Some(direction.opposite()) {
                        continue;
                    }
                    if let Some(from) = direction.tile_cell(shape, blank) {
                        list.steps[usize::from(list.len)] = Step { from, direction };
                        list.len += 1;
                    }
                }
            }
        }
        Self { lists }
    }

    /// The moves with the blank at `blank` after the move `last`, if there was one.
    #[inline]
    pub(crate) fn after(&self, blank: Cell, last: Option<Direction>) -> &[Step] {
        let list = &self.lists[usize::from(blank)][slot(last)];
        &list.steps[..usize::from(list.len)]
    }
}

/// The place of a last move in a row of lists.
#[inline]
fn slot(last: Option<Direction>) -> usize {
    last.map_or(4, |direction| direction as usize)
}
