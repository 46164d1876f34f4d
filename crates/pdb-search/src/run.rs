//! Runs of tiles that can slide together.

use arrayvec::ArrayVec;
use pdb_core::{CELLS_MAX, Cell, Direction, Shape};

/// The cells of tiles that slide into the blank one after another.
pub(crate) type Run = ArrayVec<Cell, { CELLS_MAX - 1 }>;

/// Returns the cells of the tiles that can slide in a direction, from the one beside the blank.
pub(crate) fn run(shape: Shape, blank: Cell, direction: Direction) -> Run {
    let next = |&cell: &Cell| direction.tile_cell(shape, cell);
    std::iter::successors(next(&blank), next).collect()
}
