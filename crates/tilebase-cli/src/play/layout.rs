//! Positions on the screen, in columns and rows from the top left.

use ratatui_core::layout::Rect;
use tilebase::Shape;
use tilebase::pdb_core::Cell;

/// Columns to the left of the board and of the help.
pub(super) const LEFT: u16 = 2;
/// Rows above the board: the title and an empty row.
pub(super) const TOP: u16 = 2;
/// Columns between the board and the panel.
const GAP: u16 = 2;
/// Least and greatest width of the panel, in columns.
const PANEL_COLUMNS: (u16, u16) = (25, 40);
/// Least rows of the panel, and rows that show all of it.
const PANEL_ROWS: (u16, u16) = (9, 14);
/// Rows of the news below the board and the panel.
const NEWS_ROWS: u16 = 3;
/// Greatest height of a cell, in rows.
const CELL_ROWS_MAX: u16 = 99;
/// Columns and rows of the help.
pub(super) const HELP_SIZE: (u16, u16) = (78, 22);
/// Columns and rows around the board, with the smallest panel. The last row is for the keys.
const AROUND: (u16, u16) = (LEFT + GAP + PANEL_COLUMNS.0, TOP + NEWS_ROWS + 1);

/// Size of the cells of a board, without the lines around them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct CellSize {
    pub(super) columns: u16,
    pub(super) rows: u16,
}

impl CellSize {
    /// Characters are about twice as high as wide.
    fn new(rows: u16) -> Self {
        Self { columns: if rows == 1 { 4 } else { 2 * rows + 1 }, rows }
    }

    /// Columns and rows of a board with its lines.
    pub(super) fn board(self, shape: Shape) -> (u16, u16) {
        let Self { columns, rows } = self;
        (shape.cols() as u16 * (columns + 1) + 1, shape.rows() as u16 * (rows + 1) + 1)
    }

    /// Columns and rows of the smallest window for a board with such cells.
    fn window(self, shape: Shape) -> (u16, u16) {
        let board = self.board(shape);
        (board.0 + AROUND.0, board.1.max(PANEL_ROWS.0) + AROUND.1)
    }
}

/// The places of the board and of the texts around it. A title is in row 0, and keys are in the row
/// after `below`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct GameLayout {
    shape: Shape,
    pub(super) cell: CellSize,
    /// The panel beside the board.
    pub(super) panel: Rect,
    /// The area of the news.
    pub(super) below: Rect,
}

impl GameLayout {
    /// Returns the layout with the largest cells that fit a window; `None` if none fit.
    pub(super) fn new(shape: Shape, (columns, rows): (u16, u16)) -> Option<Self> {
        let fits = |cell: &CellSize| {
            let window = cell.window(shape);
            window.0 <= columns && window.1 <= rows
        };
        let sizes = (1..=CELL_ROWS_MAX).step_by(2).map(CellSize::new);
        let cell = sizes.take_while(fits).last()?;
        let board = cell.board(shape);
        let news_top = (TOP + board.1.max(PANEL_ROWS.1) + 1).min(rows - 1 - NEWS_ROWS);
        let panel_left = LEFT + board.0 + GAP;
        let panel_columns = (columns - panel_left).min(PANEL_COLUMNS.1);
        Some(Self {
            shape,
            cell,
            panel: Rect::new(panel_left, TOP, panel_columns, news_top - TOP),
            below: Rect::new(LEFT, news_top, columns - 2 * LEFT, NEWS_ROWS),
        })
    }

    /// Returns the cell at a place on the screen; a line belongs to the cell to its right or below
    /// it.
    pub(super) fn cell_at(&self, column: u16, row: u16) -> Option<Cell> {
        let CellSize { columns, rows } = self.cell;
        let col = usize::from(column.checked_sub(LEFT)? / (columns + 1));
        let row = usize::from(row.checked_sub(TOP)? / (rows + 1));
        let is_inside = row < self.shape.rows() && col < self.shape.cols();
        is_inside.then(|| self.shape.cell(row, col))
    }
}

/// Returns columns and rows of the smallest window for a board.
pub(super) fn needed(shape: Shape) -> (u16, u16) {
    CellSize::new(1).window(shape)
}

/// Breaks a text between words into lines of at most `columns` characters.
pub(super) fn wrapped(text: &str, columns: u16) -> Vec<String> {
    joined(text.split_whitespace(), " ", columns)
}

/// Joins items into lines of at most `columns` characters.
pub(super) fn joined<'a>(
    items: impl IntoIterator<Item = &'a str>,
    separator: &str,
    columns: u16,
) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for item in items {
        match lines.last_mut() {
            Some(line)
                if line.chars().count() + separator.len() + item.chars().count()
                    <= usize::from(columns) =>
            {
                line.push_str(separator);
                line.push_str(item);
            }
            _ => lines.push(item.to_owned()),
        }
    }
    lines
}
