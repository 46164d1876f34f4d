//! The first levels of a search tree, and what a bound prunes.

use std::error::Error;
use std::fmt;

use pdb_core::{Board, Cell, Direction};

use super::{HEADING, MARGIN, TEXT};
use crate::colour::Colour;
use crate::shape::Pen;
use crate::sheet::Sheet;
use crate::svg::Anchor;
use crate::tiles;

/// So many leaves fit a picture.
pub const LEAVES_MAX: usize = 60;

const BETWEEN: f64 = 18.0;
/// Between a level and the next.
const FALL: f64 = 78.0;
const SIZE: f64 = 8.5;

/// A tree that no sheet has room for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLarge {
    /// How many levels below the board it was to have.
    pub depth: u32,
}

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { depth } = self;
        write!(
            f,
            "a tree of {depth} levels has more than {LEAVES_MAX} leaves, and no sheet has room for it: \
             ask for fewer levels, or for a smaller bound"
        )
    }
}

impl Error for TooLarge {}

/// What of a search tree is drawn.
#[derive(Clone, Debug)]
pub struct Tree<'a> {
    /// The board at its root.
    pub board: Board,
    /// How many levels there are below the root.
    pub depth: u32,
    /// The most moves that a solution may have; nothing for the estimate of the board.
    pub bound: Option<u32>,
    /// What the heuristic is called.
    pub heuristic: &'a str,
}

struct Node {
    board: Board,
    /// The move that led here, and where the tile has gone.
    by: Option<(Direction, Cell)>,
    moves: u32,
    estimate: u32,
    children: Vec<Node>,
    /// In leaves from the left, the middle of what is below.
    place: f64,
}

/// The first levels of the tree that IDA\* searches, with moves made plus estimate (g + h = f) at each node.
/// Where that is more than the bound, the search goes no further. No move takes back the one before.
///
/// # Errors
/// [`TooLarge`], and those of `estimate`.
pub fn tree<E: From<TooLarge>>(
    what: &Tree<'_>,
    estimate: &mut dyn FnMut(&Board) -> Result<u32, E>,
) -> Result<Sheet, E> {
    let &Tree { board, depth, bound, heuristic } = what;
    let first = estimate(&board)?;
    let bound = bound.unwrap_or(first);
    let mut grower = Grower { depth, bound, leaves: 0, estimate };
    let root = grower.grow(board, None, 0, first)?;
    let leaves = grower.leaves;

    let shape = board.shape();
    let cell = if shape.cell_count() > 16 { 18.0 } else { 22.0 };
    let (wide, high) = (cell * shape.cols() as f64, cell * shape.rows() as f64);
    let wide = wide.max(crate::text_width("00 + 00 = 000", SIZE));
    let title = format!("Search tree, {heuristic}, bound {bound}");
    let note = "g + h = f: moves made, estimate, and their sum; dashed: f is above the bound";
    let text = crate::text_width(&title, HEADING).max(crate::text_width(note, TEXT));
    let pitch = wide + BETWEEN;
    let width = (pitch * f64::from(leaves) - BETWEEN).max(text) + 2.0 * MARGIN;
    let top = MARGIN + 56.0;
    let height = top + (high + FALL) * f64::from(root.levels()) + high + 24.0 + MARGIN;
    let (generated, pruned) = root.counts(bound);
    let about = format!(
        "The tree below the board {board}, {depth} levels of it: {generated} nodes, of which {pruned} are \
         above the bound of {bound} moves and are not expanded. {note}."
    );
    let mut sheet = Sheet::new(width, height, &title, about);
    sheet.bold((MARGIN, MARGIN + HEADING), HEADING, &title, Anchor::Start, Colour::Ink);
    sheet.text((MARGIN, MARGIN + HEADING + 20.0), TEXT, note, Anchor::Start, Colour::Quiet);
    let left = (width - (pitch * f64::from(leaves) - BETWEEN)) / 2.0;
    let layout = Layout { left, top, cell, wide, high, bound };
    layout.draw(&root, &mut sheet);
    Ok(sheet)
}

struct Grower<'a, E> {
    depth: u32,
    bound: u32,
    leaves: u32,
    estimate: &'a mut dyn FnMut(&Board) -> Result<u32, E>,
}

impl<E: From<TooLarge>> Grower<'_, E> {
    fn grow(
        &mut self,
        board: Board,
        by: Option<(Direction, Cell)>,
        moves: u32,
        estimate: u32,
    ) -> Result<Node, E> {
        let mut node = Node { board, by, moves, estimate, children: Vec::new(), place: 0.0 };
        if moves < self.depth && estimate > 0 && moves + estimate <= self.bound {
            for direction in Direction::ALL {
                let is_back = by.is_some_and(|(last, _)| direction == last.opposite());
                if let (false, Some(next)) = (is_back, board.moved(direction)) {
                    let found = (self.estimate)(&next)?;
                    // The tile has gone to where the blank was.
                    let by = Some((direction, board.blank()));
                    node.children.push(self.grow(next, by, moves + 1, found)?);
                }
            }
        }
        node.place = match &node.children[..] {
            [] => {
                self.leaves += 1;
                if self.leaves as usize > LEAVES_MAX {
                    return Err(TooLarge { depth: self.depth }.into());
                }
                f64::from(self.leaves) - 0.5
            }
            [first, ..] => {
                let last = node.children.last().expect("there is a first one");
                f64::midpoint(first.place, last.place)
            }
        };
        Ok(node)
    }
}

impl Node {
    fn levels(&self) -> u32 {
        self.children.iter().map(|child| child.levels() + 1).max().unwrap_or(0)
    }

    /// How many nodes there are, and how many of them are above the bound.
    fn counts(&self, bound: u32) -> (usize, usize) {
        let own = usize::from(self.moves + self.estimate > bound);
        let below = self.children.iter().map(|child| child.counts(bound));
        below.fold((1, own), |(all, above), (more, more_above)| (all + more, above + more_above))
    }
}

struct Layout {
    left: f64,
    top: f64,
    cell: f64,
    wide: f64,
    high: f64,
    bound: u32,
}

impl Layout {
    /// The middle of a node's upper edge.
    fn place(&self, node: &Node) -> (f64, f64) {
        let x = self.left + node.place * (self.wide + BETWEEN) - BETWEEN / 2.0;
        (x, self.top + (self.high + FALL) * f64::from(node.moves))
    }

    fn draw(&self, node: &Node, sheet: &mut Sheet) {
        let (x, y) = self.place(node);
        let sum = node.moves + node.estimate;
        let is_pruned = sum > self.bound;
        for child in &node.children {
            let (to, end) = self.place(child);
            let is_cut = child.moves + child.estimate > self.bound;
            let colour = if is_cut { Colour::Quiet } else { Colour::Ink };
            let begin = y + self.high + 26.0;
            let dash = is_cut.then_some((4.0, 5.0));
            sheet.line(&[(x, begin), (to, end - 5.0)], Pen { colour, width: 1.5, dash });
            if let Some((direction, _)) = child.by {
                // Beside the middle of the line.
                let middle = (f64::midpoint(x, to), f64::midpoint(begin, end - 5.0));
                let letter = direction.letter().to_string();
                let place = [middle.0 - 7.0, middle.1 - 8.0, 14.0, 16.0];
                sheet.rectangle(place, 4.0, Colour::Paper);
                let at = (middle.0, middle.1 + SIZE / 2.0);
                sheet.text(at, SIZE, &letter, Anchor::Middle, colour);
            }
        }
        let moved = node.by.map(|(_, cell)| cell);
        let colour = |_, cell| match () {
            () if is_pruned => "#c4c9ce",
            () if moved == Some(cell) => "#e69f00",
            () => "#0072b2",
        };
        let left = x - self.cell * node.board.shape().cols() as f64 / 2.0;
        let name = |tile: u8| tile.to_string();
        tiles::board(sheet, (left, y), self.cell, &node.board, name, colour);
        let text = format!("{} + {} = {sum}", node.moves, node.estimate);
        let ink = if is_pruned { Colour::Quiet } else { Colour::Ink };
        let at = (x, y + self.high + 18.0);
        if is_pruned {
            sheet.text(at, SIZE, &text, Anchor::Middle, ink);
        } else {
            sheet.bold(at, SIZE, &text, Anchor::Middle, ink);
        }
        node.children.iter().for_each(|child| self.draw(child, sheet));
    }
}
