//! The state of both axes of Walking Distance.

use pdb_core::{BLANK, Board, Goal};

use super::{CELL, HEADING, MARGIN, TEXT};
use crate::colour::{COLOURS, Colour, letters_on};
use crate::shape::{Anchor, Pen};
use crate::sheet::{Sheet, lettering};
use crate::tiles::{self, Colouring};

/// Size of a table's field.
const FIELD: f64 = 40.0;

/// Draws a board with K. Takahashi's table of each axis: the number of tiles of a row that belong
/// to row 1, row 2 and so on, and the same for columns. `moves` are the lower bounds of both axes.
pub fn walking(board: &Board, goal: &Goal, moves: Option<[u32; 2]>) -> Sheet {
    let shape = board.shape();
    let (rows, cols) = (shape.rows(), shape.cols());
    let (wide, high) = (CELL * cols as f64, CELL * rows as f64);
    let note = |axis: usize| {
        let lines = ["Moves from row to row", "Moves from column to column"][axis];
        moves.map_or_else(|| lines.to_owned(), |moves| format!("{lines}: at least {}", moves[axis]))
    };
    let (vertical, horizontal) = (note(0), note(1));
    let (left, top) = (MARGIN + 86.0, MARGIN + 62.0);
    let table = left + wide + 40.0;
    let right = (table + FIELD * rows as f64)
        .max(table + crate::text_width(&vertical, TEXT))
        .max(left + crate::text_width(&horizontal, TEXT));
    let below = top + high + 34.0;
    let height = below + FIELD * cols as f64 + 34.0 + MARGIN;
    let title = format!("Walking Distance of {board}");
    let about = format!(
        "The board {board}, and for each of its rows and columns how many of its tiles have their home in which. {vertical}; {horizontal}."
    );
    let mut sheet = Sheet::new(right + MARGIN, height, &title, about);
    let look = |tile, cell| Colouring::Rows.look(goal, tile, cell);
    tiles::board(&mut sheet, (left, top), CELL, board, |tile| tile.to_string(), look);
    sheet.bold((table, MARGIN + HEADING), TEXT, &vertical, Anchor::Start, Colour::Ink);
    for home in 0..rows {
        let x = table + FIELD * (home as f64 + 0.5);
        let label = if home == 0 { "row 1".to_owned() } else { (home + 1).to_string() };
        sheet.text((x, top - 14.0), TEXT * 0.9, &label, Anchor::Middle, Colour::Quiet);
    }
    for (row, counts) in counts(board, goal, false).into_iter().enumerate() {
        let y = top + CELL * (row as f64 + 0.5);
        for (home, count) in counts.into_iter().enumerate() {
            field(&mut sheet, (table + FIELD * (home as f64 + 0.5), y), home, count);
        }
        if shape.row_col(board.blank()).0 == row {
            sheet.text((left - 16.0, y + 5.0), TEXT, "blank", Anchor::End, Colour::Quiet);
        }
    }
    for (col, counts) in counts(board, goal, true).into_iter().enumerate() {
        let x = left + CELL * (col as f64 + 0.5);
        for (home, count) in counts.into_iter().enumerate() {
            field(&mut sheet, (x, below + FIELD * (home as f64 + 0.5)), home, count);
        }
        if shape.row_col(board.blank()).1 == col {
            sheet.text((x, top - 14.0), TEXT, "blank", Anchor::Middle, Colour::Quiet);
        }
    }
    for home in 0..cols {
        let label = if home == 0 { "column 1".to_owned() } else { (home + 1).to_string() };
        let y = below + FIELD * (home as f64 + 0.5) + TEXT * 0.45;
        sheet.text((left - 16.0, y), TEXT * 0.9, &label, Anchor::End, Colour::Quiet);
    }
    let y = below + FIELD * cols as f64 + 22.0;
    sheet.bold((left, y), TEXT, &horizontal, Anchor::Start, Colour::Ink);
    sheet
}

/// Returns for each line the number of its tiles that belong to line 1, line 2 and so on.
fn counts(board: &Board, goal: &Goal, by_columns: bool) -> Vec<Vec<u32>> {
    let shape = board.shape();
    let line = |cell| {
        let (row, col) = shape.row_col(cell);
        if by_columns { col } else { row }
    };
    let lines = if by_columns { shape.cols() } else { shape.rows() };
    let mut counts = vec![vec![0; lines]; lines];
    for (cell, &tile) in (0..).zip(board.tiles()) {
        if tile != BLANK {
            counts[line(cell)][line(goal.home(tile))] += 1;
        }
    }
    counts
}

fn field(sheet: &mut Sheet, (x, y): (f64, f64), home: usize, count: u32) {
    let half = FIELD * 0.42;
    let place = [x - half, y - half, 2.0 * half, 2.0 * half];
    let size = FIELD * 0.3;
    let ink = if count == 0 {
        sheet.frame(place, 5.0, Pen::new(Colour::Grid, 1.5));
        Colour::Quiet
    } else {
        let colour = COLOURS[home % COLOURS.len()];
        sheet.rectangle(place, 5.0, Colour::Fixed(colour));
        letters_on(colour)
    };
    let pen = Pen::new(ink, size * 0.16);
    let text = count.to_string();
    sheet.shapes.extend(lettering((x, y + size / 2.0), size, &text, Anchor::Middle, pen));
}
