//! Positions on the screen, in columns and rows from the top left.

use ratatui_core::layout::Rect;
use tilebase::Shape;
use tilebase::pdb_core::Cell;

/// Columns to the left of the board where there is a panel, and of the pages.
pub(super) const LEFT: u16 = 2;
/// Rows above the board where there is a panel: the title and an empty row.
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
/// Columns and rows of the whole help, and of the whole menu.
pub(super) const HELP_SIZE: (u16, u16) = (78, 23);
pub(super) const MENU_SIZE: (u16, u16) = (72, 17);

/// Size of the cells of a board, without the lines between them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct CellSize {
    pub(super) columns: u16,
    pub(super) rows: u16,
    /// Width of the lines around cells: 1 or 0.
    pub(super) line: u16,
}

impl CellSize {
    /// The smallest cells: room for a number and a space.
    const BARE: Self = Self { columns: 3, rows: 1, line: 0 };

    /// Cells with lines around them. Characters are about twice as high as wide.
    fn lined(rows: u16) -> Self {
        Self { columns: if rows == 1 { 4 } else { 2 * rows + 1 }, rows, line: 1 }
    }

    /// Columns and rows of a board with its lines.
    pub(super) fn board(self, shape: Shape) -> (u16, u16) {
        let Self { columns, rows, line } = self;
        (shape.cols() as u16 * (columns + line) + line, shape.rows() as u16 * (rows + line) + line)
    }
}

/// The places of the board and of the texts around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct GameLayout {
    shape: Shape,
    /// The first column and the first row of the board.
    pub(super) left: u16,
    pub(super) top: u16,
    pub(super) cell: CellSize,
    /// The panel beside the board. With a panel there are also a title in row 0 and keys in the row
    /// after `below`; without it, `below` has the status line.
    pub(super) panel: Option<Rect>,
    /// The area of the news, or of the status line and the news; may have no rows.
    pub(super) below: Rect,
}

impl GameLayout {
    /// Returns the layout with the largest cells that fit a window: with a panel, else with a
    /// status line, else the board alone, else without lines. `None` if not even that fits.
    pub(super) fn new(shape: Shape, (columns, rows): (u16, u16)) -> Option<Self> {
        let fits = |cell: &CellSize, around: (u16, u16)| {
            let board = cell.board(shape);
            board.0 + around.0 <= columns && board.1 + around.1 <= rows
        };
        let largest = |around| {
            let sizes = (1..=CELL_ROWS_MAX).step_by(2).map(CellSize::lined);
            sizes.take_while(|cell| fits(cell, around)).last()
        };
        // The last row is for the keys.
        let around = (LEFT + GAP + PANEL_COLUMNS.0, TOP + NEWS_ROWS + 1);
        if rows >= around.1 + PANEL_ROWS.0
            && let Some(cell) = largest(around)
        {
            let board = cell.board(shape);
            let news_top = (TOP + board.1.max(PANEL_ROWS.1) + 1).min(rows - 1 - NEWS_ROWS);
            let panel_left = LEFT + board.0 + GAP;
            let panel_columns = (columns - panel_left).min(PANEL_COLUMNS.1);
            return Some(Self {
                shape,
                left: LEFT,
                top: TOP,
                cell,
                panel: Some(Rect::new(panel_left, TOP, panel_columns, news_top - TOP)),
                below: Rect::new(LEFT, news_top, columns - 2 * LEFT, NEWS_ROWS),
            });
        }
        let bare = Some(CellSize::BARE).filter(|cell| fits(cell, (0, 0)));
        let cell = largest((0, 1)).or_else(|| largest((0, 0))).or(bare)?;
        let below = cell.board(shape).1;
        Some(Self {
            shape,
            left: 0,
            top: 0,
            cell,
            panel: None,
            below: Rect::new(0, below, columns, rows - below),
        })
    }

    /// Returns the cell at a place on the screen; a line belongs to the cell to its right or below
    /// it.
    pub(super) fn cell_at(&self, column: u16, row: u16) -> Option<Cell> {
        let CellSize { columns, rows, line } = self.cell;
        let col = usize::from(column.checked_sub(self.left)? / (columns + line));
        let row = usize::from(row.checked_sub(self.top)? / (rows + line));
        let is_inside = row < self.shape.rows() && col < self.shape.cols();
        is_inside.then(|| self.shape.cell(row, col))
    }
}

/// Returns columns and rows of the smallest window for a board.
pub(super) fn needed(shape: Shape) -> (u16, u16) {
    CellSize::BARE.board(shape)
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
