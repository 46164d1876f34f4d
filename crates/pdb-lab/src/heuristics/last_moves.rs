//! Linear conflicts with corner tiles and last moves.

use pdb_core::{BLANK, Board, Cell, CellSet, Estimator, Goal, Memo, RootError, Shape, Slide};

use super::CornerTiles;
use crate::parts::{Explain, NOTHING, Part, counted, mark};

/// Linear conflicts and corner tiles, and the additional cost of the last two moves of a solution.
///
/// The last move slides a tile from the blank's home to the tile's own home beside it. The move
/// before slides another tile to its home, which is beside the home of the first tile. So each of
/// the two tiles must make a detour through the cell that it comes from, unless its path leads
/// through that cell anyway. The smallest sum of the detours over all possible endings is added. A
/// detour is not added if linear conflicts or corner tiles may already count it.
///
/// The estimate is admissible, but not consistent, because one addition can replace another.
/// Source: R. E. Korf and L. A. Taylor, "Finding optimal solutions to the twenty-four puzzle", AAAI
/// 1996.
///
/// The memo contains the linear conflicts. Everything else is computed only if these do not prune.
#[derive(Clone, Debug)]
pub struct LastMoves {
    /// The linear conflicts and corner tiles alone.
    corners: CornerTiles,
    /// The tile of the last move, and the tiles that may move before it.
    endings: Vec<(Detour, Vec<Detour>)>,
}

/// A tile that comes to its home from a neighbouring cell.
#[derive(Clone, Copy, Debug)]
struct Detour {
    shape: Shape,
    tile: u8,
    home: Cell,
    through: Cell,
}

/// Possible ending of a solution, with its additional cost.
struct Ending {
    /// The tile of the last move, and the moves of its detour over the blank's home: 0 or 2.
    last: (u8, u32),
    /// The tile of the second last move with the smallest detour, and the moves of the detour;
    /// `None` if a single move may remain.
    before: Option<(u8, u32)>,
}

impl Ending {
    /// Returns the additional cost, in moves.
    fn moves(&self) -> u32 {
        self.last.1 + self.before.map_or(0, |(_, moves)| moves)
    }
}

impl Detour {
    fn new(goal: &Goal, home: Cell, through: Cell) -> Self {
        Self { shape: goal.shape(), tile: goal.board().tile(home), home, through }
    }

    /// Returns the additional moves of the tile from a cell.
    fn moves(self, from: Cell) -> u32 {
        self.shape.distance(from, self.through) + 1 - self.shape.distance(from, self.home)
    }
}

impl LastMoves {
    /// Makes the heuristic for a goal of any shape.
    pub fn new(goal: &Goal) -> Self {
        let (shape, blank) = (goal.shape(), goal.home(BLANK));
        let ending = |last: Cell| {
            let before = shape.neighbours(last).iter().filter(|&cell| cell != blank);
            let before = before.map(|cell| Detour::new(goal, cell, last)).collect();
            (Detour::new(goal, last, blank), before)
        };
        let endings = shape.neighbours(blank).iter().map(ending).collect();
        Self { corners: CornerTiles::new(goal), endings }
    }

    /// Returns each ending; none at the goal. The tiles on the cells `counted` make no further
    /// detour, and `estimate` is the estimate so far.
    fn endings(
        &self,
        board: &Board,
        counted: CellSet,
        estimate: u32,
    ) -> impl Iterator<Item = Ending> {
        let extra = move |detour: &Detour| {
            let cell = board.tiles().iter().position(|&tile| tile == detour.tile);
            let cell = cell.expect("a board has all tiles") as Cell;
            let moves = detour.moves(cell);
            let is_counted =
                || counted.contains(cell) || self.corners.conflict.is_conflicted(board, cell);
            (detour.tile, if moves == 0 || is_counted() { 0 } else { moves })
        };
        // The goal has no last move, and a board one move before it has no second last move.
        let endings = if estimate == 0 { &[] } else { &self.endings[..] };
        endings.iter().map(move |(last, before)| {
            let before = before.iter().map(extra).min_by_key(|&(_, moves)| moves);
            Ending { last: extra(last), before: before.filter(|_| estimate != 1) }
        })
    }

    fn memo(&self, board: &Board, conflicts: u32) -> Memo {
        let counted = self.corners.counted(board);
        let estimate = conflicts + 2 * counted.len() as u32;
        let least = self.endings(board, counted, estimate).map(|ending| ending.moves()).min();
        Memo::new(estimate + least.unwrap_or(0), &[conflicts as i16])
    }
}

impl Estimator for LastMoves {
    fn root(&self, board: &Board) -> Result<Memo, RootError> {
        Ok(self.memo(board, self.corners.conflict.of(board)))
    }

    fn child(&self, board: &Board, parent: &Memo, slide: Slide) -> Memo {
        self.memo(board, self.corners.conflicts_after(board, parent, slide))
    }

    fn glance(&self, board: &Board, parent: &Memo, slide: Slide) -> Option<u32> {
        Some(self.corners.conflicts_after(board, parent, slide))
    }

    fn note_count(&self) -> usize {
        1
    }
}

/// The estimate is that of corner tiles and the moves of the first of `endings`: the possible last
/// moves of a solution, the cheapest first.
impl Explain for LastMoves {
    fn parts(&self, goal: &Goal, board: &Board) -> Result<Part, RootError> {
        let whole = self.corners.parts(goal, board)?.extended("last-moves");
        let counted_beside = self.corners.counted(board);
        let mut endings: Vec<Ending> = self.endings(board, counted_beside, whole.moves()).collect();
        endings.sort_by_key(Ending::moves);
        let text = match &endings[..] {
            [] => NOTHING,
            _ => "Corner tiles, and the detours of the cheapest way in which a solution may end:",
        };
        let detour =
            |(tile, moves): (u8, u32)| Part::default().field("tile", tile).plus("moves", moves);
        let part = |(place, Ending { last, before }): (usize, Ending)| {
            let part = Part::default().plus("last", detour(last));
            let part = part.plus("before", before.map(detour)).with_moves();
            let told = |(tile, moves)| format!("{tile} ({})", counted(moves, "move"));
            let before = before.map_or_else(String::new, |it| format!(", before it {}", told(it)));
            let moves = counted(part.moves(), "move");
            part.text(format!("last {}{before}: {moves}{}", told(last), mark(place == 0)))
        };
        let least = endings.first().map_or(0, Ending::moves);
        let endings: Vec<Part> = endings.into_iter().enumerate().map(part).collect();
        Ok(whole.text(text).plus_moves(least).field("endings", endings))
    }
}
