//! Duals: boards with the same distance as another board, to another goal.

use crate::{Board, Cell, Direction, Goal, Symmetry};

/// Dual of a board: if tile 5 stands at the home of tile 3, then tile 3 stands at the home of tile
/// 5 on the dual.
///
/// The moves from the goal back to the board solve the dual, whose tiles are named by the cells
/// they have to reach. So both have the same distance, and a search with tables for both can choose
/// the one that takes fewer nodes. Source: Zahavi, Felner, Holte & Schaeffer 2008, "Duality in
/// permutation state spaces and the dual search algorithm". The goal of the dual has the blank
/// where the board has it, or where a symmetry takes that cell.
///
/// ```
/// use pdb_core::{Board, Dual, Goal};
///
/// let board: Board = "1 2 3/4 8 5/7 6 0".parse()?;
/// let goal = Goal::blank_last(board.shape());
/// let dual = Dual::new(&goal, &board, &goal).expect("the blank is in a corner of both");
/// assert_eq!(dual.board().to_string(), "1 2 3/4 6 8/7 5 0");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dual {
    board: Board,
    /// The blank's cell on the board.
    blank: Cell,
    /// Symmetry from the board's cells to the dual's.
    symmetry: Symmetry,
}

impl Dual {
    /// Creates the dual of a board with the goal `goal`, as a board with the goal `dual_goal`.
    /// Returns `None` where no symmetry takes the board's blank to the home of the blank there.
    ///
    /// # Panics
    /// When the board and its goal differ in shape.
    pub fn new(goal: &Goal, board: &Board, dual_goal: &Goal) -> Option<Self> {
        let shape = goal.shape();
        assert_eq!(board.shape(), shape, "a board has the shape of its goal");
        let symmetry = board.symmetries_to(dual_goal.board()).next()?;
        let mut tiles = vec![0; shape.cell_count()];
        for cell in board.shape().all_cells().iter() {
            let home = symmetry.cell(goal.home(board.tile(cell)));
            tiles[usize::from(home)] = dual_goal.board().tile(symmetry.cell(cell));
        }
        let dual = Board::new(dual_goal.shape(), &tiles).expect("each tile is given one cell");
        Some(Self { board: dual, blank: board.blank(), symmetry })
    }

    /// Returns the dual as a board.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Converts a solution of the dual to a solution of the board. Returns `None` for impossible
    /// moves.
    pub fn solution(&self, moves: &[Direction]) -> Option<Vec<Direction>> {
        backwards(&self.symmetry.inverse(), self.board.blank(), moves)
    }

    /// Converts a solution of the board to a solution of the dual. Returns `None` for impossible
    /// moves.
    pub fn of_solution(&self, moves: &[Direction]) -> Option<Vec<Direction>> {
        backwards(&self.symmetry, self.blank, moves)
    }
}

/// Reverses moves from a board with the given blank, on the board that a symmetry leads to.
fn backwards(symmetry: &Symmetry, mut blank: Cell, moves: &[Direction]) -> Option<Vec<Direction>> {
    let mut cells = vec![symmetry.cell(blank)];
    for direction in moves {
        blank = direction.tile_cell(symmetry.from_shape(), blank)?;
        cells.push(symmetry.cell(blank));
    }
    let leads = |step: &[Cell]| {
        let [to, from] = *step else { unreachable!("windows of two cells") };
        let is_it =
            |direction: &Direction| direction.tile_cell(symmetry.to_shape(), from) == Some(to);
        Direction::ALL.into_iter().find(is_it)
    };
    cells.windows(2).rev().map(leads).collect()
}
