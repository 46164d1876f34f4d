//! The first levels of a search tree, with pruned nodes.

use pdb_core::{Board, Cell, Direction};

use super::{HEADING, MARGIN, TEXT};
use crate::colour::Colour;
use crate::shape::{Anchor, Pen};
use crate::sheet::Sheet;
use crate::tiles::{self, TileLook};

/// Largest number of leaves of a picture.
pub const LEAVES_MAX: usize = 60;

const BETWEEN: f64 = 18.0;
/// Gap between two levels.
const FALL: f64 = 78.0;
const SIZE: f64 = 8.5;

/// Error of a tree with too many leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "a tree of {depth} levels has more than {LEAVES_MAX} leaves, and no sheet has room for it: ask for \
     fewer levels, or for a smaller bound"
)]
pub struct TooLarge {
    /// Requested number of levels below the board.
    pub depth: u32,
}

/// Parameters of a search tree.
#[derive(Clone, Debug)]
pub struct Tree<'a> {
    /// Board of the root.
    pub board: Board,
    /// Number of levels below the root.
    pub depth: u32,
    /// The bound. Default: the estimate of the board.
    pub bound: Option<u32>,
    /// Name of the heuristic.
    pub heuristic: &'a str,
}

struct Node {
    board: Board,
    /// The move to this node, and the new cell of the tile.
    by: Option<(Direction, Cell)>,
    moves: u32,
    estimate: u32,
    children: Vec<Node>,
    /// Horizontal position in leaves: the middle of the subtree.
    place: f64,
}

/// Draws the first levels of the tree of IDA\*, with moves made plus estimate (g + h = f) at each
/// node. Nodes above the bound are pruned. No move takes back the one before.
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
    let mut builder = TreeBuilder { depth, bound, leaves: 0, estimate };
    let root = builder.grow(board, None, 0, first)?;
    let leaves = builder.leaves;

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

struct TreeBuilder<'a, E> {
    depth: u32,
    bound: u32,
    leaves: u32,
    estimate: &'a mut dyn FnMut(&Board) -> Result<u32, E>,
}

impl<E: From<TooLarge>> TreeBuilder<'_, E> {
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
                    // The tile moves to the cell of the blank.
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

    /// Returns the number of nodes, and of nodes above the bound.
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
    /// Returns the middle of a node's upper edge.
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
            let dash: &[f64] = if is_cut { &[4.0, 5.0] } else { &[] };
            sheet.line(&[(x, begin), (to, end - 5.0)], Pen { colour, width: 1.5, dash });
            if let Some((direction, _)) = child.by {
                // The letter is in the middle of the line.
                let middle = (f64::midpoint(x, to), f64::midpoint(begin, end - 5.0));
                let letter = direction.letter().to_string();
                let place = [middle.0 - 7.0, middle.1 - 8.0, 14.0, 16.0];
                sheet.rectangle(place, 4.0, Colour::Paper);
                let at = (middle.0, middle.1 + SIZE / 2.0);
                sheet.text(at, SIZE, &letter, Anchor::Middle, colour);
            }
        }
        let moved = node.by.map(|(_, cell)| cell);
        let look = |_, cell| {
            TileLook::coloured(match () {
                () if is_pruned => "#c4c9ce",
                () if moved == Some(cell) => "#e69f00",
                () => "#0072b2",
            })
        };
        let left = x - self.cell * node.board.shape().cols() as f64 / 2.0;
        let name = |tile: u8| tile.to_string();
        tiles::board(sheet, (left, y), self.cell, &node.board, name, look);
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
