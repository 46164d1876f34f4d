//! Linear conflicts with corner tiles and last moves.

use pdb_core::{
    BLANK, Board, CELLS_MAX, Cell, CellSet, Estimator, Glance, Goal, Memo, RootError, Slide,
};

use super::{CornerTiles, LineConflict, WrongCorner};

/// Linear conflicts and corner tiles, and what the last two moves of a solution cost more.
///
/// The last move takes some tile from the blank's home to its own home beside it, so that tile has
/// to be at the blank's home before; the move before takes another one home to a cell beside that. For
/// each way in which a solution may end, each of the two tiles has to make the detour through the
/// cell that it comes from; the least of all ways is added. A tile whose detour linear conflicts or
/// corner tiles may have counted makes none.
///
/// It is admissible, but not consistent, since the additions take each other's place. Source: R. E.
/// Korf and L. A. Taylor, "Finding optimal solutions to the twenty-four puzzle", AAAI 1996.
///
/// It is worked out for nodes that linear conflicts alone do not prune: for a blank in the corner two
/// tiles and four pairs of tiles.
#[derive(Clone, Debug)]
pub struct LastMoves {
    corners: CornerTiles,
    /// The tile of the last move, and the tiles that may move before it.
    endings: Vec<(Detour, Vec<Detour>)>,
}

/// A tile that has to be on a certain cell before its last move.
#[derive(Clone, Debug)]
struct Detour {
    tile: u8,
    /// The moves that this costs more, by the tile's cell.
    moves: [u8; CELLS_MAX],
}

/// A way in which a solution may end, and what it costs more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ending {
    /// The tile of the last move, and the moves of its detour over the blank's home: 0 or 2.
    pub last: (u8, u32),
    /// The tile of the move before that has the least detour, and its moves; nothing where a single move
    /// may be left.
    pub before: Option<(u8, u32)>,
}

impl Ending {
    /// What it costs more, in moves.
    pub fn moves(&self) -> u32 {
        self.last.1 + self.before.map_or(0, |(_, moves)| moves)
    }
}

impl Detour {
    /// That of the tile with its home at `home`, which comes from `through`, beside it.
    fn new(goal: &Goal, home: Cell, through: Cell) -> Self {
        let shape = goal.shape();
        let mut moves = [0; CELLS_MAX];
        for cell in 0..shape.cell_count() as Cell {
            let detour = shape.distance(cell, through) + 1 - shape.distance(cell, home);
            moves[usize::from(cell)] = detour as u8;
        }
        Self { tile: goal.board().tile(home), moves }
    }
}

impl LastMoves {
    /// Linear conflicts, corner tiles and last moves against a goal of any shape.
    pub fn new(goal: &Goal) -> Self {
        let shape = goal.shape();
        let blank = goal.home(BLANK);
        let ending = |last: Cell| {
            let before = shape.neighbours(last).iter().filter(|&cell| cell != blank);
            let before = before.map(|cell| Detour::new(goal, cell, last)).collect();
            (Detour::new(goal, last, blank), before)
        };
        let endings = shape.neighbours(blank).iter().map(ending).collect();
        Self { corners: CornerTiles::new(goal), endings }
    }

    /// The lines of a board that have conflicts, as [`LinearConflict`](super::LinearConflict) has
    /// them.
    pub fn conflicts(&self, board: &Board) -> Vec<LineConflict> {
        self.corners.conflicts(board)
    }

    /// The corners of a board that add to linear conflicts, as [`CornerTiles::corners`].
    pub fn corners(&self, board: &Board) -> Vec<WrongCorner> {
        self.corners.corners(board)
    }

    /// The ways in which a solution may end: the least of them adds to linear conflicts and
    /// corners. At the goal there is none.
    pub fn endings(&self, board: &Board) -> Vec<Ending> {
        let base = self.corners.base(board).expect("there is no table that could be damaged");
        let counted = self.corners.counted(board);
        self.all(board, counted, base + 2 * counted.len() as u32).collect()
    }

    /// Each ending, where the tiles on the cells `counted` make no detour that is not counted yet and
    /// `estimate` is all that is counted.
    fn all(&self, board: &Board, counted: CellSet, estimate: u32) -> impl Iterator<Item = Ending> {
        let extra = move |detour: &Detour| {
            let is_it = |&tile: &u8| tile == detour.tile;
            let cell = board.tiles().iter().position(is_it).expect("a board has all tiles") as Cell;
            let moves = u32::from(detour.moves[usize::from(cell)]);
            if moves == 0 || counted.contains(cell) || self.corners.conflicted(board, cell) {
                (detour.tile, 0)
            } else {
                (detour.tile, moves)
            }
        };
        // The goal has no last move, and one move before it there is none before the last.
        let endings = if estimate == 0 { &[] } else { &self.endings[..] };
        endings.iter().map(move |(last, before)| Ending {
            last: extra(last),
            before: if estimate == 1 {
                None
            } else {
                before.iter().map(extra).min_by_key(|&(_, moves)| moves)
            },
        })
    }

    fn memo(&self, board: &Board, base: u32) -> Memo {
        let counted = self.corners.counted(board);
        let estimate = base + 2 * counted.len() as u32;
        let endings = self.all(board, counted, estimate).map(|ending| ending.moves());
        Memo::new(estimate + endings.min().unwrap_or(0), &[base as i16])
    }
}

impl Estimator for LastMoves {
    fn root(&self, board: &Board) -> Result<Memo, RootError> {
        Ok(self.memo(board, self.corners.base(board)?))
    }

    fn child(&self, board: &Board, parent: &Memo, slide: Slide) -> Memo {
        self.memo(board, self.corners.base_after(board, parent.notes[0], slide))
    }

    fn glance(&self, board: &Board, parent: &Memo, slide: Slide) -> Glance {
        Glance::Bound(self.corners.base_after(board, parent.notes[0], slide))
    }

    fn note_count(&self) -> usize {
        1
    }

    fn lookups(&self) -> [u32; 2] {
        self.corners.lookups()
    }
}
