//! Misplaced tiles.

use pdb_core::{BLANK, Board, Estimator, Goal, Memo, RootError, Slide};

use crate::parts::{Explain, NOTHING, Part, joined};

/// The number of tiles that are not at home, without the blank: Hamming distance.
///
/// Each of them has to move at least once, so the estimate is admissible; a move changes it by at
/// most 1, so it is consistent. It is the distance of a puzzle whose tiles move to any cell in one
/// move, and the weakest of all heuristics here. A textbook example since N. J. Nilsson,
/// "Problem-solving methods in artificial intelligence", 1971.
///
/// A move costs two comparisons.
#[derive(Clone, Debug)]
pub struct Misplaced {
    goal: Goal,
}

impl Misplaced {
    /// Makes the heuristic for a goal of any shape.
    pub fn new(goal: &Goal) -> Self {
        Self { goal: *goal }
    }

    /// Returns the tiles that are not at home, in the order of their cells.
    fn tiles(&self, board: &Board) -> Vec<u8> {
        let pairs = board.tiles().iter().zip(self.goal.board().tiles());
        pairs
            .filter(|(tile, at_home)| tile != at_home)
            .map(|(&tile, _)| tile)
            .filter(|&tile| tile != BLANK)
            .collect()
    }
}

impl Estimator for Misplaced {
    fn root(&self, board: &Board) -> Result<Memo, RootError> {
        Ok(Memo::new(self.tiles(board).len() as u32, &[]))
    }

    fn child(&self, _: &Board, parent: &Memo, slide: Slide) -> Memo {
        let home = self.goal.home(slide.tile);
        let estimate = parent.estimate + u32::from(slide.from == home);
        Memo::new(estimate - u32::from(slide.to == home), &[])
    }
}

/// The estimate is the number of `tiles`.
impl Explain for Misplaced {
    fn parts(&self, _: &Goal, board: &Board) -> Result<Part, RootError> {
        let tiles = self.tiles(board);
        let text = match &tiles[..] {
            [] => NOTHING.to_owned(),
            some => format!("not at home: {}", joined(some, " ")),
        };
        let whole = Part::of("misplaced").text(text).plus_moves(tiles.len() as u32);
        Ok(whole.field("tiles", tiles))
    }
}
