//! Boards on a sheet, and colours of tiles.

use pdb_core::{BLANK, Board, Cell, CellSet, Goal};

use crate::colour::{COLOURS, Colour, STEPS, letters_on};
use crate::shape::{Anchor, Outline, Pen, Shape};
use crate::sheet::{Sheet, strokes};

/// Meaning of tile colours.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Colouring {
    /// All tiles look alike, except that tiles at home have numbers of another colour.
    #[default]
    Plain,
    /// Row of a tile's goal cell.
    Rows,
    /// Column of a tile's goal cell.
    Columns,
    /// Chessboard colour of a tile's goal cell.
    Parity,
    /// Parity of a tile's number.
    OddEven,
    /// Manhattan distance of a tile, which changes when it moves.
    Distance,
    /// Pattern of a tile. Each pattern is a set of goal cells. If one has all tiles, their rows.
    Patterns(Vec<CellSet>),
}

/// Colours of a tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TileLook {
    pub(crate) face: Colour,
    pub(crate) number: Colour,
}

impl TileLook {
    /// Returns the colours of a tile with a coloured face.
    pub(crate) fn coloured(face: &'static str) -> Self {
        Self { face: Colour::Fixed(face), number: letters_on(face) }
    }
}

/// Colour of tiles in no pattern.
const NO_PATTERN: &str = "#c4c9ce";
const ONE: &str = "#0072b2";
const OTHER: &str = "#e69f00";

/// Returns a colour by its number. Colours repeat.
fn numbered(number: usize) -> &'static str {
    COLOURS[number % COLOURS.len()]
}

impl Colouring {
    /// Returns the colours of a tile on a cell.
    pub(crate) fn look(&self, goal: &Goal, tile: u8, cell: Cell) -> TileLook {
        let is_at_home = goal.home(tile) == cell;
        match self.face(goal, tile, cell) {
            Some(face) => TileLook::coloured(face),
            None => TileLook {
                face: Colour::Tile,
                number: if is_at_home { Colour::AtHome } else { Colour::Ink },
            },
        }
    }

    /// Returns the colour of a tile's face on a cell, or `None` without one of its own.
    pub(crate) fn face(&self, goal: &Goal, tile: u8, cell: Cell) -> Option<&'static str> {
        let shape = goal.shape();
        let home = goal.home(tile);
        let (row, col) = shape.row_col(home);
        Some(match self {
            Self::Plain => return None,
            // A pattern of all tiles would give them one colour.
            Self::Patterns(patterns) if is_whole(patterns, goal) => numbered(row),
            Self::Rows => numbered(row),
            Self::Columns => numbered(col),
            Self::Parity if (row + col).is_multiple_of(2) => ONE,
            Self::OddEven if !tile.is_multiple_of(2) => ONE,
            Self::Parity | Self::OddEven => OTHER,
            Self::Distance => STEPS[(shape.distance(cell, home) as usize).min(STEPS.len() - 1)],
            Self::Patterns(patterns) => {
                patterns.iter().position(|homes| homes.contains(home)).map_or(NO_PATTERN, numbered)
            }
        })
    }

    /// Returns the legend: each colour with its meaning.
    pub(crate) fn legend(&self, goal: &Goal) -> Vec<(&'static str, String)> {
        let shape = goal.shape();
        let named = |what: &str, count: usize| {
            (0..count).map(|number| (numbered(number), format!("{what} {}", number + 1))).collect()
        };
        match self {
            Self::Plain => Vec::new(),
            Self::Patterns(patterns) if is_whole(patterns, goal) => named("row", shape.rows()),
            Self::Rows => named("row", shape.rows()),
            Self::Columns => named("column", shape.cols()),
            Self::Parity => {
                vec![(ONE, "home on an even cell".into()), (OTHER, "on an odd cell".into())]
            }
            Self::OddEven => vec![(ONE, "odd".into()), (OTHER, "even".into())],
            Self::Distance => {
                let label = |steps: usize| match steps {
                    0 => "at home".to_owned(),
                    1 => "1 move away".to_owned(),
                    _ if steps + 1 == STEPS.len() => format!("{steps} or more"),
                    _ => steps.to_string(),
                };
                let furthest = (shape.rows() + shape.cols() - 2).min(STEPS.len() - 1);
                (0..=furthest).map(|steps| (STEPS[steps], label(steps))).collect()
            }
            Self::Patterns(patterns) => {
                let all: CellSet = patterns.iter().flat_map(|homes| homes.iter()).collect();
                let mut legend: Vec<_> = patterns
                    .iter()
                    .enumerate()
                    .map(|(number, homes)| (numbered(number), tile_count(homes.len())))
                    .collect();
                if all.len() + 1 < shape.cell_count() {
                    legend.push((NO_PATTERN, "in no pattern".to_owned()));
                }
                legend
            }
        }
    }
}

/// Returns whether one pattern has all tiles.
fn is_whole(patterns: &[CellSet], goal: &Goal) -> bool {
    patterns.iter().any(|homes| homes.len() + 1 == goal.shape().cell_count())
}

/// Returns a text such as "1 tile" or "8 tiles".
pub(crate) fn tile_count(count: usize) -> String {
    if count == 1 { "1 tile".to_owned() } else { format!("{count} tiles") }
}

/// Distance between a tile and the edge of its cell, in widths of a cell.
pub(crate) const INSET: f64 = 0.035;

/// Adds a tile, with the top left corner of its cell.
pub(crate) fn tile(
    sheet: &mut Vec<Shape>,
    (x, y): (f64, f64),
    cell: f64,
    name: &str,
    look: TileLook,
) {
    let inset = cell * INSET;
    let place = [x + inset, y + inset, cell - 2.0 * inset, cell - 2.0 * inset];
    let radius = (cell * 0.11 * 10.0).round() / 10.0;
    let edge = (look.face == Colour::Tile).then(|| Pen::new(Colour::TileEdge, cell / 64.0));
    sheet.push(Shape { edge, ..Shape::area(Outline::Rectangle(place, radius), look.face) });
    // Numbers are as bold and as wide as those of the page.
    let size = cell * 0.3;
    let pen = Pen::new(look.number, size * 0.22);
    let (x, y) = (x + cell / 2.0, y + cell / 2.0 + size / 2.0);
    let number = strokes((x, y), size, name, Anchor::Middle);
    let wide = number.into_iter().map(|segment| segment.stretched(x, 1.18)).collect();
    sheet.push(Shape::line(Outline::Path(wide), pen));
}

/// Adds the frame of a board, with its inner top left corner.
pub(crate) fn tray(sheet: &mut Sheet, (x, y): (f64, f64), cell: f64, shape: pdb_core::Shape) {
    let rim = cell * 0.07;
    let (width, height) = (cell * shape.cols() as f64, cell * shape.rows() as f64);
    let place = [x - rim, y - rim, width + 2.0 * rim, height + 2.0 * rim];
    sheet.rectangle(place, cell * 0.15, Colour::Tray);
}

/// Adds a board, with its top left corner. `name` returns the label of a tile.
pub(crate) fn board(
    sheet: &mut Sheet,
    (x, y): (f64, f64),
    cell: f64,
    board: &Board,
    name: impl Fn(u8) -> String,
    look: impl Fn(u8, Cell) -> TileLook,
) {
    let shape = board.shape();
    tray(sheet, (x, y), cell, shape);
    for (at, &piece) in (0..).zip(board.tiles()) {
        if piece != BLANK {
            let (row, col) = shape.row_col(at);
            let place = (x + cell * col as f64, y + cell * row as f64);
            tile(&mut sheet.shapes, place, cell, &name(piece), look(piece, at));
        }
    }
}

/// Height of letters in legends.
const LEGEND: f64 = 10.0;

/// Returns the height of a legend of a given width.
pub(crate) fn legend_height(legend: &[(&'static str, String)], width: f64) -> f64 {
    let (_, y) = places(legend, width).last().copied().unwrap_or((0.0, -24.0));
    y + 24.0
}

fn places(legend: &[(&'static str, String)], width: f64) -> Vec<(f64, f64)> {
    let (mut x, mut y) = (0.0, 0.0);
    let mut places = Vec::new();
    for (_, label) in legend {
        let wide = 18.0 + crate::text_width(label, LEGEND);
        if x > 0.0 && x + wide > width {
            (x, y) = (0.0, y + 22.0);
        }
        places.push((x, y));
        x += wide + 18.0;
    }
    places
}

/// Adds a legend of a given width.
pub(crate) fn legend(
    sheet: &mut Sheet,
    (x, y): (f64, f64),
    width: f64,
    legend: &[(&'static str, String)],
) {
    for ((dx, dy), (colour, label)) in places(legend, width).into_iter().zip(legend) {
        sheet.rectangle([x + dx, y + dy, 12.0, 12.0], 3.0, Colour::Fixed(colour));
        let at = (x + dx + 18.0, y + dy + 11.0);
        sheet.text(at, LEGEND, label, Anchor::Start, Colour::Ink);
    }
}

#[cfg(test)]
mod tests {
    use pdb_core::Shape;

    use super::*;

    #[test]
    fn pattern_of_all_tiles_has_the_colours_of_rows() {
        let goal = Goal::blank_last(Shape::new(3, 3).unwrap());
        let whole = Colouring::Patterns(vec![goal.homes(1..=8)]);
        let colours = |colouring: &Colouring| {
            (1..9).map(|tile| colouring.face(&goal, tile, 0)).collect::<Vec<_>>()
        };
        assert_eq!(colours(&whole), colours(&Colouring::Rows));
        assert_eq!(whole.legend(&goal), Colouring::Rows.legend(&goal));
    }

    #[test]
    fn legend_contains_every_colour() {
        for (rows, cols) in [(2, 3), (3, 3), (4, 4), (6, 6)] {
            let goal = Goal::blank_last(Shape::new(rows, cols).unwrap());
            let patterns = vec![goal.homes([1, 2]), goal.homes([3])];
            for colouring in [
                Colouring::Rows,
                Colouring::Columns,
                Colouring::Parity,
                Colouring::OddEven,
                Colouring::Distance,
                Colouring::Patterns(patterns),
            ] {
                let legend = colouring.legend(&goal);
                let cells = 0..goal.shape().cell_count() as u8;
                for (tile, cell) in
                    cells.clone().skip(1).flat_map(|t| cells.clone().map(move |c| (t, c)))
                {
                    let face = colouring.face(&goal, tile, cell);
                    assert!(legend.iter().any(|(known, _)| Some(*known) == face), "{colouring:?}");
                }
            }
        }
    }
}
