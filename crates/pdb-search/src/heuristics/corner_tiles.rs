//! Linear conflicts with corner tiles.

use pdb_core::{BLANK, Board, Cell, CellSet, Goal, Heuristic};

use super::LinearConflict;
use super::refined::{Addition, Refined, RefinedState};

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
pub type CornerTiles = Refined<Corners>;

/// What [`CornerTiles`] adds to linear conflicts.
#[derive(Clone, Debug)]
pub struct Corners {
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

impl Refined<Corners> {
    /// Linear conflicts and corner tiles against a goal of any shape.
    pub fn new(goal: &Goal) -> Self {
        Self::with(LinearConflict::new(goal), Corners::new(goal))
    }

    /// The corners of a board that add to linear conflicts: two moves for each tile beside them.
    pub fn corners(&self, board: &Board) -> Vec<WrongCorner> {
        self.addition.wrong(&self.base, &self.state(board))
    }
}

impl Corners {
    pub(super) fn new(goal: &Goal) -> Self {
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
        Self { corners: corners.into_iter().filter(is_tile).map(beside).collect() }
    }

    /// The tiles that have to move away and back, by their cells.
    #[inline]
    pub(super) fn cells(&self, base: &LinearConflict, state: &RefinedState) -> CellSet {
        let of_corners = self.corners.iter().map(|&corner| Self::beside(corner, base, state).0);
        CellSet(of_corners.fold(0, |cells, more| cells | more))
    }

    /// The same for one corner.
    #[inline]
    fn beside(
        (corner, beside): (Cell, [Cell; 2]),
        base: &LinearConflict,
        state: &RefinedState,
    ) -> CellSet {
        let RefinedState { board, codes, .. } = state;
        let at_home = base.goal().board();
        let mut cells = CellSet::EMPTY;
        let tile = board.tile(corner);
        if tile == BLANK || tile == at_home.tile(corner) {
            return cells;
        }
        for cell in beside {
            let tile = board.tile(cell);
            if tile != BLANK && tile == at_home.tile(cell) && !base.conflicted(codes, cell) {
                cells.0 |= 1 << cell;
            }
        }
        cells
    }

    /// The corners that add something, each tile beside them named once.
    pub(super) fn wrong(&self, base: &LinearConflict, state: &RefinedState) -> Vec<WrongCorner> {
        let mut named = CellSet::EMPTY;
        let mut wrong = Vec::new();
        for &corner in &self.corners {
            let cells = Self::beside(corner, base, state).without(named);
            named.0 |= cells.0;
            if !cells.is_empty() {
                let beside = cells.iter().map(|cell| state.board.tile(cell)).collect();
                wrong.push(WrongCorner {
                    cell: corner.0,
                    tile: state.board.tile(corner.0),
                    beside,
                });
            }
        }
        wrong
    }
}

impl Addition for Corners {
    #[inline]
    fn moves(&self, base: &LinearConflict, state: &RefinedState, _: u32) -> u32 {
        2 * self.cells(base, state).len() as u32
    }
}
