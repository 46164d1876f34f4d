//! Where things are on the screen, in columns and rows from the top left.

use tilebase::Shape;
use tilebase::pdb_core::Cell;

/// The first column of the board.
pub(super) const LEFT: u16 = 2;
/// The first row of the board.
pub(super) const TOP: u16 = 2;
/// Columns from one cell to the next, of which one is the line between them.
pub(super) const CELL_COLUMNS: u16 = 5;
/// Rows from one cell to the next, of which one is the line between them.
pub(super) const CELL_ROWS: u16 = 2;
/// Columns of what stands beside the board.
pub(super) const PANEL_COLUMNS: u16 = 40;
/// Rows of it.
pub(super) const PANEL_ROWS: u16 = 14;
/// Rows of the news below.
pub(super) const NEWS_ROWS: u16 = 3;
/// Columns and rows of the help and of the menu.
pub(super) const PAGE: (u16, u16) = (78, 23);

/// Columns and rows of a board with its lines.
pub(super) fn board_size(shape: Shape) -> (u16, u16) {
    (shape.cols() as u16 * CELL_COLUMNS + 1, shape.rows() as u16 * CELL_ROWS + 1)
}

/// The first column of what stands beside the board.
pub(super) fn panel_left(shape: Shape) -> u16 {
    LEFT + board_size(shape).0 + 3
}

/// The first row of the news.
pub(super) fn news_top(shape: Shape) -> u16 {
    TOP + board_size(shape).1.max(PANEL_ROWS) + 1
}

/// Columns and rows that a game on a board takes.
pub(super) fn needed(shape: Shape) -> (u16, u16) {
    // One more row for the keys.
    (panel_left(shape) + PANEL_COLUMNS, news_top(shape) + NEWS_ROWS + 1)
}

/// The cell at a place on the screen; a line belongs to the cell to its right or below it.
pub(super) fn cell_at(shape: Shape, column: u16, row: u16) -> Option<Cell> {
    let col = usize::from(column.checked_sub(LEFT)? / CELL_COLUMNS);
    let row = usize::from(row.checked_sub(TOP)? / CELL_ROWS);
    (row < shape.rows() && col < shape.cols()).then(|| shape.cell(row, col))
}

/// Lines of at most so many characters, broken between words.
pub(super) fn wrapped(text: &str, columns: u16) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line)
                if line.chars().count() + 1 + word.chars().count() <= usize::from(columns) =>
            {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}
