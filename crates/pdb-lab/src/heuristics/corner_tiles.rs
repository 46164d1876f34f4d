//! Linear conflicts with corner tiles.

use pdb_core::{BLANK, Board, Cell, CellSet, Estimator, Goal, Memo, RootError, Slide};

use super::LinearConflict;
use crate::parts::{Explain, Part, counted, listed};

/// Linear conflicts, plus two moves for each tile at home beside a corner with a wrong tile.
///
/// A wrong tile leaves a corner through one of the two cells beside it, and the next tile enters
/// the corner through the other one. So the tiles of both cells have to move, and a tile that is at
/// home has to come back. Neither Manhattan distance nor the conflicts of other tiles count these
/// two moves. A tile with a conflict of its own may have to make those moves anyway, so it does not
/// count; a tile beside two such corners counts once. Corners with the blank, and the blank's home,
/// add nothing.
///
/// It is admissible, but not consistent: a move into a conflict may remove the addition. Source:
/// R. E. Korf and L. A. Taylor, "Finding optimal solutions to the twenty-four puzzle", AAAI 1996.
///
/// The memo contains the linear conflicts. The corners are checked only if these do not prune.
#[derive(Clone, Debug)]
pub struct CornerTiles {
    goal: Goal,
    /// The linear conflicts alone.
    pub(super) conflict: LinearConflict,
    /// Each corner whose tile is not the blank, with the two cells beside it.
    corners: Vec<(Cell, CellSet)>,
}

impl CornerTiles {
    /// Makes the heuristic for a goal of any shape.
    pub fn new(goal: &Goal) -> Self {
        let shape = goal.shape();
        let (bottom, right) = (shape.rows() - 1, shape.cols() - 1);
        let corners = [(0, 0), (0, right), (bottom, 0), (bottom, right)].into_iter();
        let corners = corners.map(|(row, col)| shape.cell(row, col));
        let corners = corners.filter(|&cell| goal.board().tile(cell) != BLANK);
        let corners = corners.map(|cell| (cell, shape.neighbours(cell))).collect();
        Self { goal: *goal, conflict: LinearConflict::new(goal), corners }
    }

    /// Returns the cells of the tiles that have to move away and back.
    pub(super) fn counted(&self, board: &Board) -> CellSet {
        let counted = |&(cell, beside)| self.counted_beside(cell, beside, board).0;
        CellSet(self.corners.iter().map(counted).fold(0, |all, cells| all | cells))
    }

    fn counted_beside(&self, corner: Cell, beside: CellSet, board: &Board) -> CellSet {
        let is_home = |cell| board.tile(cell) == self.goal.board().tile(cell);
        if board.tile(corner) == BLANK || is_home(corner) {
            return CellSet::EMPTY;
        }
        let is_counted = |&cell: &Cell| {
            board.tile(cell) != BLANK && is_home(cell) && !self.conflict.is_conflicted(board, cell)
        };
        beside.iter().filter(is_counted).collect()
    }

    fn memo(&self, board: &Board, conflicts: u32) -> Memo {
        Memo::new(conflicts + 2 * self.counted(board).len() as u32, &[conflicts as i16])
    }

    /// Returns the linear conflicts of a child.
    pub(super) fn conflicts_after(&self, board: &Board, parent: &Memo, slide: Slide) -> u32 {
        self.conflict.after(board, parent.notes[0] as u32, slide)
    }
}

impl Estimator for CornerTiles {
    fn root(&self, board: &Board) -> Result<Memo, RootError> {
        Ok(self.memo(board, self.conflict.of(board)))
    }

    fn child(&self, board: &Board, parent: &Memo, slide: Slide) -> Memo {
        self.memo(board, self.conflicts_after(board, parent, slide))
    }

    fn glance(&self, board: &Board, parent: &Memo, slide: Slide) -> Option<u32> {
        Some(self.conflicts_after(board, parent, slide))
    }

    fn note_count(&self) -> usize {
        1
    }
}

/// The estimate is that of linear conflicts and the sum of the moves of `corners`: two for each
/// tile `beside` them. A tile beside two such corners belongs to the first.
impl Explain for CornerTiles {
    fn parts(&self, goal: &Goal, board: &Board) -> Result<Part, RootError> {
        let (mut named, mut corners) = (CellSet::EMPTY, Vec::new());
        for &(corner, neighbours) in &self.corners {
            let cells = self.counted_beside(corner, neighbours, board).without(named);
            if cells.is_empty() {
                continue;
            }
            named.0 |= cells.0;
            let beside: Vec<u8> = cells.iter().map(|cell| board.tile(cell)).collect();
            let (row, col) = board.shape().row_col(corner);
            let (row, column, tile) = (row + 1, col + 1, board.tile(corner));
            let moves = 2 * beside.len() as u32;
            let text = format!(
                "{tile} has to leave the corner in row {row}, column {column}: {}, at home beside it, \
                 {} back: {}",
                listed(&beside),
                if beside.len() == 1 { "makes way and comes" } else { "make way and come" },
                counted(moves, "move")
            );
            let part = Part::default().text(text).field("row", row).field("column", column);
            corners.push(part.field("tile", tile).field("beside", beside).plus("moves", moves));
        }
        let whole = self.conflict.parts(goal, board)?.extended("corner-tiles");
        let mut whole = whole.text("Linear conflicts, and:");
        if corners.is_empty() {
            whole = whole.text("no tile at home has to let one out of a corner");
        }
        Ok(whole.plus("corners", corners))
    }
}
