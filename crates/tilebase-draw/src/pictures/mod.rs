//! Pictures, one file for each kind.

mod inversions;
mod partition;
mod tree;
mod walking;

use pdb_core::{Board, Goal};

use crate::colour::Colour;
use crate::shape::{Anchor, Pen};
use crate::sheet::Sheet;
use crate::tiles::{self, Colouring};

pub use inversions::{Inversions, inversions};
pub use partition::partition;
pub use tree::{LEAVES_MAX, TooLarge, Tree, tree};
pub use walking::walking;

/// Margin of a picture.
const MARGIN: f64 = 22.0;
/// Height of letters in headings.
const HEADING: f64 = 13.0;
/// Height of letters in texts.
const TEXT: f64 = 10.0;
/// Width of a cell of a large board.
const CELL: f64 = 64.0;

/// Draws a board, with its goal if `shows_goal`, and a caption.
pub fn board(
    board: &Board,
    goal: &Goal,
    colouring: &Colouring,
    shows_goal: bool,
    caption: Option<&str>,
) -> Sheet {
    let shape = board.shape();
    let (wide, high) = (CELL * shape.cols() as f64, CELL * shape.rows() as f64);
    let arrow = 70.0;
    let content = if shows_goal { 2.0 * wide + arrow } else { wide };
    let width = content.max(caption.map_or(0.0, |text| crate::text_width(text, HEADING)));
    let legend = colouring.legend(goal);
    let below = tiles::legend_height(&legend, width);
    let top = MARGIN + if caption.is_some() { 32.0 } else { 0.0 };
    let about = format!(
        "The board {board}{}.",
        if shows_goal { format!(", and its goal {}", goal.board()) } else { String::new() }
    );
    let title = caption.map_or_else(|| format!("Board {board}"), str::to_owned);
    let height = top + high + MARGIN + if below > 0.0 { below + 8.0 } else { 0.0 };
    let mut sheet = Sheet::new(width + 2.0 * MARGIN, height, &title, about);
    let middle = sheet.width / 2.0;
    if let Some(caption) = caption {
        sheet.bold((middle, MARGIN + HEADING), HEADING, caption, Anchor::Middle, Colour::Ink);
    }
    let left = middle - content / 2.0;
    let look = |tile, cell| colouring.look(goal, tile, cell);
    tiles::board(&mut sheet, (left, top), CELL, board, |tile| tile.to_string(), look);
    if shows_goal {
        let (from, to, y) = (left + wide + 18.0, left + wide + arrow - 18.0, top + high / 2.0);
        let pen = Pen::new(Colour::Quiet, 3.0);
        sheet.line(&[(from, y), (to, y)], pen);
        sheet.line(&[(to - 9.0, y - 8.0), (to, y), (to - 9.0, y + 8.0)], pen);
        let place = (left + wide + arrow, top);
        tiles::board(&mut sheet, place, CELL, goal.board(), |tile| tile.to_string(), look);
    }
    tiles::legend(&mut sheet, (MARGIN, top + high + MARGIN), width, &legend);
    sheet
}
