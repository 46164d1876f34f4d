//! Inversions: pairs of tiles in the wrong order of reading.

use pdb_core::{BLANK, Board, Cell, Goal};

use super::{CELL, HEADING, MARGIN, TEXT};
use crate::colour::Colour;
use crate::shape::{Anchor, Outline, Pen, Segment, Shape};
use crate::sheet::{Sheet, lettering};
use crate::tiles::{self, Colouring, TileLook};

/// Size of a tile in the sequence below a board.
const BEAD: f64 = 26.0;

/// The inversions of a board along an axis.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inversions {
    /// Cells in the order of reading.
    pub cells: Vec<Cell>,
    /// Tiles in the order of reading, without the blank.
    pub tiles: Vec<u8>,
    /// Pairs in the wrong order, as indices of `tiles`.
    pub pairs: Vec<(usize, usize)>,
}

impl Inversions {
    /// Returns the inversions of a board that is read row by row or column by column.
    pub fn of(board: &Board, goal: &Goal, by_columns: bool) -> Self {
        let shape = board.shape();
        let cells: Vec<Cell> = if by_columns {
            let down = |col| (0..shape.rows()).map(move |row| shape.cell(row, col));
            (0..shape.cols()).flat_map(down).collect()
        } else {
            (0..shape.cell_count() as Cell).collect()
        };
        let read = |board: &Board| -> Vec<u8> {
            cells.iter().map(|&cell| board.tile(cell)).filter(|&tile| tile != BLANK).collect()
        };
        let at_goal = read(goal.board());
        let rank = |tile: u8| at_goal.iter().position(|&other| other == tile);
        let tiles = read(board);
        let ranks: Vec<_> = tiles.iter().map(|&tile| rank(tile)).collect();
        let after = |first: usize| (first + 1..ranks.len()).map(move |second| (first, second));
        let all = (0..ranks.len()).flat_map(after);
        let pairs = all.filter(|&(first, second)| ranks[first] > ranks[second]).collect();
        Self { cells, tiles, pairs }
    }
}

/// Draws both orders of reading, with an arc for each inversion. `moves` are the lower bounds of
/// moves between rows and between columns.
pub fn inversions(board: &Board, goal: &Goal, moves: Option<[u32; 2]>) -> Sheet {
    let shape = board.shape();
    let (wide, high) = (CELL * shape.cols() as f64, CELL * shape.rows() as f64);
    let both = [false, true].map(|by_columns| Inversions::of(board, goal, by_columns));
    let beads = BEAD * both[0].tiles.len() as f64;
    let arcs = (BEAD * 0.42 * both[0].tiles.len() as f64).clamp(40.0, 260.0);
    let notes = [0, 1].map(|axis| {
        let (way, line) =
            [("row by row", "row to row"), ("column by column", "column to column")][axis];
        let count = both[axis].pairs.len();
        let count =
            if count == 1 { "1 inversion".to_owned() } else { format!("{count} inversions") };
        let least = moves.map_or_else(String::new, |moves| {
            let what = if moves[axis] == 1 { "move" } else { "moves" };
            format!(": at least {} {what} from {line}", moves[axis])
        });
        format!("{way}: {count}{least}")
    });
    let text = notes.iter().map(|note| crate::text_width(note, TEXT)).fold(0.0, f64::max);
    let column = wide.max(beads).max(text);
    let between = 48.0;
    let width = 2.0 * column + between + 2.0 * MARGIN;
    let top = MARGIN + 42.0;
    let height = top + high + 34.0 + arcs + BEAD + MARGIN;
    let about = format!("The board {board}. Read {}. Read {}.", notes[0], notes[1]);
    let mut sheet = Sheet::new(width, height, &format!("Inversions of {board}"), about);
    for (axis, inversions) in both.iter().enumerate() {
        let left = MARGIN + (column + between) * axis as f64;
        sheet.bold((left, MARGIN + HEADING), TEXT, &notes[axis], Anchor::Start, Colour::Ink);
        let colouring = [Colouring::Rows, Colouring::Columns][axis].clone();
        let look = |tile, cell| colouring.look(goal, tile, cell);
        let x = left + (column - wide) / 2.0;
        tiles::board(&mut sheet, (x, top), CELL, board, |_| String::new(), look);
        reading(&mut sheet, (x, top), board, inversions, &colouring, goal);
        let start = (left + (column - beads) / 2.0, top + high + 34.0 + arcs);
        sequence(&mut sheet, start, arcs, inversions, |tile| colouring.look(goal, tile, 0));
    }
    sheet
}

/// Draws the order of reading below the numbers.
fn reading(
    sheet: &mut Sheet,
    (x, y): (f64, f64),
    board: &Board,
    inversions: &Inversions,
    colouring: &Colouring,
    goal: &Goal,
) {
    let shape = board.shape();
    let middle = |&cell: &Cell| {
        let (row, col) = shape.row_col(cell);
        (x + CELL * (col as f64 + 0.5), y + CELL * (row as f64 + 0.5))
    };
    let points: Vec<(f64, f64)> = inversions.cells.iter().map(middle).collect();
    let mut segments = vec![Segment::Move(points[0])];
    segments.extend(points[1..].iter().copied().map(Segment::Line));
    let line = Shape::line(Outline::Path(segments), Pen::new(Colour::Fixed("#1b1b1b"), 3.0));
    sheet.shapes.push(Shape { opacity: 0.35, ..line });
    for cell in &inversions.cells {
        let tile = board.tile(*cell);
        if tile == BLANK {
            continue;
        }
        let (cx, cy) = middle(cell);
        let look = colouring.look(goal, tile, *cell);
        let half = CELL * 0.3;
        sheet.rectangle([cx - half, cy - half, 2.0 * half, 2.0 * half], half, look.face);
        let size = CELL * 0.3;
        let pen = Pen::new(look.number, size * 0.17);
        let at = (cx, cy + size / 2.0);
        sheet.shapes.extend(lettering(at, size, &tile.to_string(), Anchor::Middle, pen));
    }
}

/// Draws the tiles in a line, with arcs above.
fn sequence(
    sheet: &mut Sheet,
    (x, y): (f64, f64),
    room: f64,
    inversions: &Inversions,
    look: impl Fn(u8) -> TileLook,
) {
    let middle = |nth: usize| x + BEAD * (nth as f64 + 0.5);
    let furthest = (inversions.tiles.len() as f64 - 1.0).max(1.0);
    for &(first, second) in &inversions.pairs {
        let (from, to) = (middle(first), middle(second));
        // A curve rises to three quarters of its control points.
        let rise = (room - 6.0) * (second - first) as f64 / furthest / 0.75;
        let lean = (to - from) * 0.15;
        let curve = Segment::Curve((from + lean, y - rise), (to - lean, y - rise), (to, y));
        let pen = Pen::new(look(inversions.tiles[first]).face, 1.6);
        let arc = Shape::line(Outline::Path(vec![Segment::Move((from, y)), curve]), pen);
        sheet.shapes.push(Shape { opacity: 0.75, ..arc });
    }
    for (nth, &tile) in inversions.tiles.iter().enumerate() {
        let place = (x + BEAD * nth as f64, y);
        tiles::tile(&mut sheet.shapes, place, BEAD, &tile.to_string(), look(tile));
    }
}
