//! The parts of Manhattan distance, which belongs to `pdb-search`.

use pdb_core::{Axis, BLANK, Board, Goal, RootError};
use pdb_search::{AxisDistances, Manhattan};

use crate::parts::{Explain, Part, counted, joined};

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

/// Returns the parts of Manhattan distance in slides of several tiles.
pub(crate) fn manhattan_slides(goal: &Goal, board: &Board) -> Part {
    let shape = goal.shape();
    let distances = AxisDistances::new(goal, board);
    let AxisDistances([across, down]) = distances;
    let [horizontal, vertical] = distances.slides(shape);
    let axis = |word: &str, line: &str, distance: u32, line_len: usize, slides: u32| {
        let text = format!(
            "{word}: {} from home, at most {} in a slide: {}",
            counted(distance, line),
            line_len - 1,
            counted(slides, "slide")
        );
        Part::default().text(text).field("slides", slides).field("distance", distance)
    };
    let columns = axis("Along rows", "column", across, shape.cols(), horizontal);
    let rows = axis("Along columns", "row", down, shape.rows(), vertical);
    let bounds = Axis::BOTH.map(|first| distances.bound(shape, first));
    let slides = bounds[0].min(bounds[1]);
    let text = format!("Both kinds alternate, so at least {}:", counted(slides, "slide"));
    Part::of("manhattan-slides")
        .text(text)
        .field("horizontal", columns)
        .field("vertical", rows)
        .plus_moves(slides)
}
