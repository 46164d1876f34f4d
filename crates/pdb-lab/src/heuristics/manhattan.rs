//! The parts of Manhattan distance, which belongs to `pdb-search`.

use pdb_core::{BLANK, Board, Goal, RootError};
use pdb_search::Manhattan;

use crate::parts::{Explain, Part, joined};

/// The estimate is the sum of the moves of `tiles`, which are those that are not at home, in
/// ascending order.
impl Explain for Manhattan {
    fn parts(&self, goal: &Goal, board: &Board) -> Result<Part, RootError> {
        let (shape, cells) = (board.shape(), board.cells_by_tile());
        let part = |tile: u8| {
            let (row, col) = shape.row_col(cells[usize::from(tile)]);
            let (home_row, home_col) = shape.row_col(goal.home(tile));
            let part = Part::default().field("tile", tile);
            let part = part.plus("vertical", row.abs_diff(home_row));
            part.plus("horizontal", col.abs_diff(home_col)).with_moves()
        };
        let parts: Vec<Part> = (0..shape.cell_count() as u8).map(part).collect();
        let mut whole =
            Part::of("manhattan").text("Rows and columns between each tile and its home:");
        // The share of each tile is at its place on the board.
        for row in board.tiles().chunks(shape.cols()) {
            let share = |&tile: &u8| match tile {
                BLANK => format!("{:>2}", "."),
                tile => format!("{:>2}", parts[usize::from(tile)].moves()),
            };
            whole = whole.text(joined(row.iter().map(share), " "));
        }
        let parts = parts.into_iter().skip(1).filter(|part| part.moves() > 0);
        Ok(whole.plus("tiles", parts.collect::<Vec<_>>()).summed())
    }
}
