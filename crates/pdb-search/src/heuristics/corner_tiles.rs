//! Linear conflicts with corner tiles.

use pdb_core::{BLANK, Board, Cell, CellSet, Estimator, Glance, Goal, Memo, RootError, Slide};

use super::{LineConflict, LinearConflict};

/// Linear conflicts, and two moves more for each tile at home beside a corner that holds a wrong
/// tile.
///
/// A wrong tile leaves a corner through one of the two cells beside it, and the next tile comes into
/// the corner through the other one. So the tiles of both cells have to move, and one that is at home
/// has to come back: two moves that neither Manhattan distance nor the conflicts of other tiles count.
/// A tile that has a conflict of its own may have to make those moves anyway and is left out; one that
/// lies beside two such corners counts once. Corners that hold the blank, or are its home, say
/// nothing.
///
/// It is admissible, but not consistent: a move into a conflict may take the addition away. Source: R.
/// E. Korf and L. A. Taylor, "Finding optimal solutions to the twenty-four puzzle", AAAI 1996.
///
/// It is worked out for nodes that linear conflicts alone do not prune: a comparison for each corner.
#[derive(Clone, Debug)]
pub struct CornerTiles {
    goal: Goal,
    conflict: LinearConflict,
    /// Each corner whose tile is not the blank, and the two cells beside it.
    corners: Vec<(Cell, [Cell; 2])>,
}

/// A corner with a wrong tile in it, and tiles beside it that have to make way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrongCorner {
    /// The corner.
    pub cell: Cell,
    /// The wrong tile.
    pub tile: u8,
    /// The tiles at home beside it that have to move away and back, two moves each. One that lies beside
    /// two such corners is named with the first.
    pub beside: Vec<u8>,
}

impl CornerTiles {
    /// Linear conflicts and corner tiles against a goal of any shape.
    pub fn new(goal: &Goal) -> Self {
        let shape = goal.shape();
        let (bottom, right) = (shape.rows() - 1, shape.cols() - 1);
        let corners = [(0, 0), (0, right), (bottom, 0), (bottom, right)];
        let corners = corners.map(|(row, col)| shape.cell(row, col));
        let beside = |cell: Cell| {
            let mut cells = shape.neighbours(cell).iter();
            let mut next = || cells.next().expect("a corner has two neighbours");
            (cell, [next(), next()])
        };
        let is_tile = |cell: &Cell| goal.board().tile(*cell) != BLANK;
        let corners = corners.into_iter().filter(is_tile).map(beside).collect();
        Self { goal: *goal, conflict: LinearConflict::new(goal), corners }
    }

    /// The lines of a board that have conflicts, as [`LinearConflict::conflicts`].
    pub fn conflicts(&self, board: &Board) -> Vec<LineConflict> {
        self.conflict.conflicts(board)
    }

    /// The corners of a board that add to linear conflicts, two moves for each tile beside them:
    /// each tile named once.
    pub fn corners(&self, board: &Board) -> Vec<WrongCorner> {
        let mut named = CellSet::EMPTY;
        let mut wrong = Vec::new();
        for &corner in &self.corners {
            let cells = self.beside(corner, board).without(named);
            named.0 |= cells.0;
            if !cells.is_empty() {
                let beside = cells.iter().map(|cell| board.tile(cell)).collect();
                wrong.push(WrongCorner { cell: corner.0, tile: board.tile(corner.0), beside });
            }
        }
        wrong
    }

    /// The tiles that have to move away and back, by their cells.
    pub(super) fn counted(&self, board: &Board) -> CellSet {
        CellSet(self.corners.iter().fold(0, |cells, &corner| cells | self.beside(corner, board).0))
    }

    /// The same for one corner.
    fn beside(&self, (corner, beside): (Cell, [Cell; 2]), board: &Board) -> CellSet {
        let at_home = self.goal.board();
        let mut cells = CellSet::EMPTY;
        let tile = board.tile(corner);
        if tile == BLANK || tile == at_home.tile(corner) {
            return cells;
        }
        for cell in beside {
            let tile = board.tile(cell);
            if tile != BLANK && tile == at_home.tile(cell) && !self.conflicted(board, cell) {
                cells.0 |= 1 << cell;
            }
        }
        cells
    }

    /// Whether linear conflicts may have counted moves of the tile on a cell.
    pub(super) fn conflicted(&self, board: &Board, cell: Cell) -> bool {
        self.conflict.conflicted(board, cell)
    }

    /// The linear conflicts of a board, and of the child that a move leads to.
    pub(super) fn base(&self, board: &Board) -> Result<u32, RootError> {
        Ok(self.conflict.root(board)?.estimate)
    }

    pub(super) fn base_after(&self, board: &Board, before: i16, slide: Slide) -> u32 {
        self.conflict.after(board, before as u32, slide)
    }

    fn memo(&self, board: &Board, base: u32) -> Memo {
        Memo::new(base + 2 * self.counted(board).len() as u32, &[base as i16])
    }
}

impl Estimator for CornerTiles {
    fn root(&self, board: &Board) -> Result<Memo, RootError> {
        Ok(self.memo(board, self.base(board)?))
    }

    fn child(&self, board: &Board, parent: &Memo, slide: Slide) -> Memo {
        self.memo(board, self.base_after(board, parent.notes[0], slide))
    }

    fn glance(&self, board: &Board, parent: &Memo, slide: Slide) -> Glance {
        Glance::Bound(self.base_after(board, parent.notes[0], slide))
    }

    fn note_count(&self) -> usize {
        1
    }

    fn lookups(&self) -> [u32; 2] {
        self.conflict.lookups()
    }
}
