//! Regions: the cells that the blank can reach without moving a pattern tile.

use crate::shape::Growth;
use crate::{Cell, CellSet, Shape};

/// The region of `free` that contains `cell`.
///
/// `free` are the cells that no pattern tile occupies; `cell` is one of them.
pub fn region_of(shape: Shape, free: CellSet, cell: Cell) -> CellSet {
    debug_assert!(free.contains(cell));
    fill(&Growth::new(shape), free, cell)
}

fn fill(growth: &Growth, free: CellSet, cell: Cell) -> CellSet {
    let mut region = CellSet::single(cell);
    loop {
        let wider = CellSet(growth.grown(region).0 & free.0);
        if wider == region {
            return region;
        }
        region = wider;
    }
}

/// The regions of `free`, in the order of their smallest cells.
///
/// That order numbers the regions of a cell set: region 0 holds its smallest free cell.
pub fn regions(shape: Shape, free: CellSet) -> impl Iterator<Item = CellSet> {
    let growth = Growth::new(shape);
    let mut rest = free;
    core::iter::from_fn(move || {
        let region = fill(&growth, free, rest.first()?);
        rest = rest.without(region);
        Some(region)
    })
}
