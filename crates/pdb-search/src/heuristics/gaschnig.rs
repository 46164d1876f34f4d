//! Gaschnig's heuristic.

use pdb_core::{BLANK, Board, Cell, Goal, Heuristic, RootError, Slide};

/// The moves left when any tile may jump into the blank, near or far.
///
/// Tile after tile jumps home where the blank is; when the blank is at home and tiles are not, a
/// misplaced one has to make room first. As a permutation: every cycle of misplaced tiles costs its
/// length and one more, and the blank's own cycle one less than its length, the blank included. So
/// the estimate is never below the number of misplaced tiles.
///
/// It is the exact distance of a puzzle with more moves, and so admissible and consistent. Source:
/// J. Gaschnig, "A problem similarity approach to devising heuristics", IJCAI 1979.
///
/// A move exchanges the blank with one tile, which joins two cycles, or parts one in two. Which of
/// the two happens takes a walk around the blank's cycle.
#[derive(Clone, Debug)]
pub struct Gaschnig {
    goal: Goal,
}

/// Pieces of which each stands on the home of the one before, and the jumps that bring them home.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JumpCycle {
    /// The pieces, as [`Goal::cycles`] has them; 0 for the blank.
    pub tiles: Vec<u8>,
    /// The fewest jumps into the blank: as many as there are tiles, and one more where the blank has to
    /// be let into the cycle first.
    pub jumps: u32,
}

/// A board as a permutation.
#[derive(Clone, Copy, Debug)]
pub struct Cycles {
    /// How many cycles there are, those of one cell included.
    count: u8,
    /// Cells whose tile is at home; the blank's, too.
    fixed: u8,
    /// Whether the blank is at home.
    is_blank_home: bool,
}

impl Gaschnig {
    /// Gaschnig's heuristic for a goal of any shape.
    pub fn new(goal: &Goal) -> Self {
        Self { goal: *goal }
    }

    /// The cycles of a board, the blank's first: the estimate is the sum of their jumps.
    pub fn cycles(&self, board: &Board) -> Vec<JumpCycle> {
        let jumps = |tiles: Vec<u8>| {
            let has_blank = tiles[0] == BLANK;
            let jumps = if has_blank { tiles.len() - 1 } else { tiles.len() + 1 } as u32;
            JumpCycle { tiles, jumps }
        };
        self.goal.cycles(board).into_iter().map(jumps).collect()
    }

    /// Whether two cells are in one cycle.
    #[inline]
    fn is_one_cycle(&self, board: &Board, a: Cell, b: Cell) -> bool {
        let mut cell = self.goal.home(board.tile(a));
        while cell != a && cell != b {
            cell = self.goal.home(board.tile(cell));
        }
        cell == b
    }
}

impl Heuristic for Gaschnig {
    type State = Board;
    type Node = Cycles;
    /// The child.
    type Probe = Option<Cycles>;

    const SETTLES: bool = false;
    const WAITS: bool = false;

    fn state(&self, board: &Board) -> Board {
        *board
    }

    fn root(&self, board: &Board) -> Result<(Board, Cycles), RootError> {
        let cells = || 0..board.shape().cell_count() as Cell;
        let is_smallest =
            |&cell: &Cell| (0..cell).all(|smaller| !self.is_one_cycle(board, cell, smaller));
        let node = Cycles {
            count: cells().filter(is_smallest).count() as u8,
            fixed: cells().filter(|&cell| self.goal.home(board.tile(cell)) == cell).count() as u8,
            is_blank_home: board.blank() == self.goal.home(BLANK),
        };
        Ok((*board, node))
    }

    #[inline]
    fn estimate(&self, node: &Cycles) -> u32 {
        // Misplaced cells, and one for each cycle of them; the blank's saves both and one more.
        let misplaced = self.goal.shape().cell_count() as u32 - u32::from(node.fixed);
        let cycles = u32::from(node.count - node.fixed);
        misplaced + cycles - if node.is_blank_home { 0 } else { 2 }
    }

    #[inline]
    fn locate(&self, board: &Board, parent: &Cycles, slide: Slide) -> Option<Cycles> {
        let blank_home = self.goal.home(BLANK);
        let home = self.goal.home(slide.tile);
        let is_parted = self.is_one_cycle(board, slide.to, slide.from);
        Some(Cycles {
            count: if is_parted { parent.count + 1 } else { parent.count - 1 },
            fixed: parent.fixed + u8::from(slide.to == home) + u8::from(slide.from == blank_home)
                - u8::from(slide.from == home)
                - u8::from(slide.to == blank_home),
            is_blank_home: slide.from == blank_home,
        })
    }

    #[inline]
    fn read(&self, _: &Cycles, _: Slide, probe: &mut Option<Cycles>) -> u32 {
        probe.as_ref().map_or(0, |node| self.estimate(node))
    }

    #[inline]
    fn enter(&self, board: &mut Board, _: &Cycles, slide: Slide, probe: &Option<Cycles>) -> Cycles {
        board.slide(slide.from, slide.to);
        probe.expect("a child is entered after it was located")
    }

    #[inline]
    fn settle(&self, node: &mut Cycles) -> u32 {
        self.estimate(node)
    }

    fn lookups(&self) -> [u32; 2] {
        [0, 0]
    }

    #[inline]
    fn leave(&self, board: &mut Board, _: &Cycles, slide: Slide) {
        board.slide(slide.to, slide.from);
    }
}
