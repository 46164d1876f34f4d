//! Gaschnig's heuristic.

use pdb_core::{BLANK, Board, Cell, Estimator, Goal, Memo, RootError, Slide};

use crate::parts::{Explain, NOTHING, Part, counted, cycle};

/// Number of moves if any tile may jump into the blank, near or far.
///
/// If the blank is at a tile's home, that tile jumps there; if the blank is at home and tiles are
/// not, a misplaced tile has to make room first. In terms of the permutation: every cycle of
/// misplaced tiles costs its length plus one, and the blank's own cycle costs its length, including
/// the blank, minus one. So the estimate is never below the number of misplaced tiles.
///
/// It is the exact distance of a puzzle with more moves, and so admissible and consistent. Source:
/// J. Gaschnig, "A problem similarity approach to devising heuristics", IJCAI 1979.
///
/// A move exchanges the blank with one tile, which joins two cycles or splits one. A walk along the
/// blank's cycle shows which of the two happens.
#[derive(Clone, Debug)]
pub struct Gaschnig {
    goal: Goal,
}

impl Gaschnig {
    /// Makes the heuristic for a goal of any shape.
    pub fn new(goal: &Goal) -> Self {
        Self { goal: *goal }
    }

    /// Returns whether two cells are in one cycle.
    #[inline]
    fn is_one_cycle(&self, board: &Board, a: Cell, b: Cell) -> bool {
        let mut cell = self.goal.home(board.tile(a));
        while cell != a && cell != b {
            cell = self.goal.home(board.tile(cell));
        }
        cell == b
    }
}

/// Returns the smallest number of jumps into the blank that bring the pieces of a cycle home: one
/// for each tile, and one more if the blank has to enter the cycle first.
fn jumps(cycle: &[u8]) -> u32 {
    if cycle[0] == BLANK { cycle.len() as u32 - 1 } else { cycle.len() as u32 + 1 }
}

impl Estimator for Gaschnig {
    fn root(&self, board: &Board) -> Result<Memo, RootError> {
        Ok(Memo::new(self.goal.cycles(board).iter().map(|cycle| jumps(cycle)).sum(), &[]))
    }

    fn child(&self, board: &Board, parent: &Memo, slide: Slide) -> Memo {
        let (home, blank_home) = (self.goal.home(slide.tile), self.goal.home(BLANK));
        let one_if = |holds: bool| i32::from(holds);
        // An exchange splits a cycle exactly if its cells are in different cycles afterwards.
        let is_parted = !self.is_one_cycle(board, slide.to, slide.from);
        let cycles = if is_parted { 1 } else { -1 };
        let [blank_before, blank_after] = [slide.to, slide.from].map(|c| one_if(c == blank_home));
        let fixed =
            one_if(slide.to == home) - one_if(slide.from == home) + blank_after - blank_before;
        // A misplaced cell counts 1, and so does a cycle of misplaced cells; the blank's cycle
        // saves both and one more.
        let change = cycles - 2 * fixed + 2 * (blank_after - blank_before);
        Memo::new(parent.estimate.wrapping_add_signed(change), &[])
    }
}

/// The estimate is the sum of the jumps of `cycles`, the blank's first.
impl Explain for Gaschnig {
    fn parts(&self, _: &Goal, board: &Board) -> Result<Part, RootError> {
        let part = |tiles: Vec<u8>| {
            let jumps = jumps(&tiles);
            let text = format!("{}: {}", cycle(&tiles), counted(jumps, "jump"));
            Part::default().text(text).field("tiles", tiles).plus("jumps", jumps)
        };
        let cycles: Vec<Part> = self.goal.cycles(board).into_iter().map(part).collect();
        let text = match &cycles[..] {
            [] => NOTHING,
            _ => "Any tile may jump into the blank, near or far:",
        };
        Ok(Part::of("gaschnig").text(text).plus("cycles", cycles))
    }
}
