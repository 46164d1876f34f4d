//! A board in play: moves, undo and redo, and whether the goal is reached.

use pdb_core::{Board, BoardError, Cell, Direction, Goal, Unsolvable};

/// A board in play: its start, its moves, and its goal.
///
/// It knows neither keys nor clocks nor tables, so that every program in which people play has the
/// same moves, undo and counts. An unsolvable board can be played too.
///
/// ```
/// use tilebase::{Board, Direction, Game, Goal, Shape};
///
/// let shape = Shape::new(3, 3)?;
/// let board = Board::new(shape, &[1, 2, 3, 4, 5, 6, 0, 7, 8])?;
/// let mut game = Game::new(board, Goal::blank_last(shape))?;
/// // The tile at the end of the blank's row pushes all tiles between it and the blank.
/// assert_eq!(game.slide(8), 2);
/// assert!(game.is_solved());
/// assert_eq!(game.moves(), [Direction::Left, Direction::Left]);
/// assert_eq!(game.undo(), Some(Direction::Left));
/// # Ok::<(), tilebase::pdb_core::BoardError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    goal: Goal,
    start: Board,
    board: Board,
    moves: Vec<Direction>,
    /// Moves that were undone. The last one is the next to redo.
    undone: Vec<Direction>,
}

impl Game {
    /// Creates a game that begins with `board` and ends at `goal`.
    ///
    /// # Errors
    /// [`BoardError::OtherShape`] when the goal has another shape.
    pub fn new(board: Board, goal: Goal) -> Result<Self, BoardError> {
        if goal.shape() != board.shape() {
            return Err(BoardError::OtherShape { expected: goal.shape(), found: board.shape() });
        }
        Ok(Self { goal, start: board, board, moves: Vec::new(), undone: Vec::new() })
    }

    /// Returns the goal.
    pub fn goal(&self) -> &Goal {
        &self.goal
    }

    /// Returns the board at the start of the game.
    pub fn start(&self) -> &Board {
        &self.start
    }

    /// Returns the current board.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Returns the moves from the start to the current board, as directions of the tiles.
    pub fn moves(&self) -> &[Direction] {
        &self.moves
    }

    /// Returns whether the board is the goal.
    pub fn is_solved(&self) -> bool {
        self.board == *self.goal.board()
    }

    /// Checks whether the goal can be reached. Moves never change that.
    ///
    /// # Errors
    /// [`Unsolvable`] says why it cannot.
    pub fn check_solvable(&self) -> Result<(), Unsolvable> {
        self.goal.check_solvable(&self.start)
    }

    /// Moves the tile that can go in this direction, and returns whether there is one.
    ///
    /// If this equals the next move to redo, it redoes that move, and later moves can still be
    /// redone; any other move clears them.
    pub fn make(&mut self, direction: Direction) -> bool {
        let Some(board) = self.board.moved(direction) else { return false };
        if self.undone.pop() != Some(direction) {
            self.undone.clear();
        }
        self.board = board;
        self.moves.push(direction);
        true
    }

    /// Returns the moves that bring the blank to a cell of its row or column. They slide the tile
    /// of the cell, and all tiles between it and the blank, by one cell. Returns no moves if the
    /// cell is the blank's, in neither of these lines, or not on the board.
    pub fn slides(&self, cell: Cell) -> Vec<Direction> {
        let shape = self.board.shape();
        if usize::from(cell) >= shape.cell_count() {
            return Vec::new();
        }
        let ((row, col), (to_row, to_col)) =
            (shape.row_col(self.board.blank()), shape.row_col(cell));
        // Tiles move towards the blank.
        let direction = match (row == to_row, col == to_col) {
            (true, false) if to_col < col => Direction::Right,
            (true, false) => Direction::Left,
            (false, true) if to_row < row => Direction::Down,
            (false, true) => Direction::Up,
            _ => return Vec::new(),
        };
        vec![direction; row.abs_diff(to_row) + col.abs_diff(to_col)]
    }

    /// Makes the moves of [`slides`](Self::slides), and returns their number. Each counts as a move
    /// and can be undone by itself.
    pub fn slide(&mut self, cell: Cell) -> usize {
        let moves = self.slides(cell);
        for &direction in &moves {
            let is_made = self.make(direction);
            debug_assert!(is_made, "between the cell and the blank there are tiles");
        }
        moves.len()
    }

    /// Undoes the last move, and returns it.
    pub fn undo(&mut self) -> Option<Direction> {
        let last = self.moves.pop()?;
        let before = self.board.moved(last.opposite());
        self.board = before.expect("a move that was made can be taken back");
        self.undone.push(last);
        Some(last)
    }

    /// Redoes the move that was undone last, and returns it.
    pub fn redo(&mut self) -> Option<Direction> {
        let next = *self.undone.last()?;
        self.make(next).then_some(next)
    }

    /// Returns to the start. All moves can be redone.
    pub fn restart(&mut self) {
        while self.undo().is_some() {}
    }
}

#[cfg(test)]
mod tests;
