//! The mirror image of boards that keeps a goal.

use pdb_core::Goal;

/// Returns the image of each pair `tile * cells + cell` under a symmetry that keeps the goal except
/// for the names of the tiles, if there is one.
pub(crate) fn mirrored_pairs(goal: &Goal) -> Option<Vec<u32>> {
    let symmetry = goal.mirrors().nth(1)?;
    let cells = goal.shape().cell_count() as u32;
    let image = |tile: u8| goal.board().tile(symmetry.cell(goal.home(tile)));
    let pairs = (0..cells as u8).flat_map(|tile| (0..cells as u8).map(move |cell| (tile, cell)));
    Some(
        pairs
            .map(|(tile, cell)| u32::from(image(tile)) * cells + u32::from(symmetry.cell(cell)))
            .collect(),
    )
}
