//! A board in play: moves, undo and redo, and whether the goal is reached.

use pdb_core::{Board, BoardError, Cell, Direction, Goal, Unsolvable};

/// A board in play: where it began, what was moved since, and where it is to end.
///
/// It knows neither keys nor clocks nor tables, so that every program which lets people play has
/// the same moves, the same way back, and the same counts. A board without a solution can be played
/// too.
///
/// ```
/// use tilebase::{Board, Direction, Game, Goal, Shape};
///
/// let shape = Shape::new(3, 3)?;
/// let board = Board::new(shape, &[1, 2, 3, 4, 5, 6, 0, 7, 8])?;
/// let mut game = Game::new(board, Goal::blank_last(shape))?;
/// // The tile at the end of the blank's row takes all between it and the blank along.
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
    /// Moves that were taken back; the next one to redo is last.
    undone: Vec<Direction>,
}

impl Game {
    /// A game that begins with `board` and ends at `goal`.
    ///
    /// # Errors
    /// [`BoardError::OtherShape`] when the goal is for other boards.
    pub fn new(board: Board, goal: Goal) -> Result<Self, BoardError> {
        if goal.shape() != board.shape() {
            return Err(BoardError::OtherShape { expected: goal.shape(), found: board.shape() });
        }
        Ok(Self { goal, start: board, board, moves: Vec::new(), undone: Vec::new() })
    }

    /// Where the game ends.
    pub fn goal(&self) -> &Goal {
        &self.goal
    }

    /// The board that the game began with.
    pub fn start(&self) -> &Board {
        &self.start
    }

    /// The board as it is now.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The moves that lead from the start to the board, in the directions of the tiles.
    pub fn moves(&self) -> &[Direction] {
        &self.moves
    }

    /// How many moves were taken back and can be made again.
    pub fn redo_count(&self) -> usize {
        self.undone.len()
    }

    /// Whether the board is the goal.
    pub fn is_solved(&self) -> bool {
        self.board == *self.goal.board()
    }

    /// Whether moves lead to the goal. Moves never change that.
    ///
    /// # Errors
    /// [`Unsolvable`] says why none do.
    pub fn check_solvable(&self) -> Result<(), Unsolvable> {
        self.goal.check_solvable(&self.start)
    }

    /// Moves the tile that can go in this direction; tells whether there is one.
    ///
    /// A move that was taken back last is made again, and those behind it can still be; any other
    /// move forgets what was taken back.
    pub fn make(&mut self, direction: Direction) -> bool {
        let Some(board) = self.board.moved(direction) else { return false };
        if self.undone.pop() != Some(direction) {
            self.undone.clear();
        }
        self.board = board;
        self.moves.push(direction);
        true
    }

    /// The moves that bring the blank to a cell of its row or column: they slide the tile there,
    /// and all between it and the blank, by one cell. None where the cell is the blank's, in
    /// neither of them, or not on the board.
    pub fn slides(&self, cell: Cell) -> Vec<Direction> {
        let shape = self.board.shape();
        if usize::from(cell) >= shape.cell_count() {
            return Vec::new();
        }
        let ((row, col), (to_row, to_col)) =
            (shape.row_col(self.board.blank()), shape.row_col(cell));
        // The tiles go towards the blank.
        let direction = match (row == to_row, col == to_col) {
            (true, false) if to_col < col => Direction::Right,
            (true, false) => Direction::Left,
            (false, true) if to_row < row => Direction::Down,
            (false, true) => Direction::Up,
            _ => return Vec::new(),
        };
        vec![direction; row.abs_diff(to_row) + col.abs_diff(to_col)]
    }

    /// Makes the moves of [`slides`](Self::slides), each of which counts and can be taken back by
    /// itself; tells how many they are.
    pub fn slide(&mut self, cell: Cell) -> usize {
        let moves = self.slides(cell);
        for &direction in &moves {
            let is_made = self.make(direction);
            debug_assert!(is_made, "between the cell and the blank there are tiles");
        }
        moves.len()
    }

    /// Takes the last move back, and tells which it was.
    pub fn undo(&mut self) -> Option<Direction> {
        let last = self.moves.pop()?;
        let before = self.board.moved(last.opposite());
        self.board = before.expect("a move that was made can be taken back");
        self.undone.push(last);
        Some(last)
    }

    /// Makes the move again that was taken back last, and tells which it was.
    pub fn redo(&mut self) -> Option<Direction> {
        let next = *self.undone.last()?;
        self.make(next).then_some(next)
    }

    /// Goes back to the start; all moves can be made again.
    pub fn restart(&mut self) {
        while self.undo().is_some() {}
    }
}

#[cfg(test)]
mod tests;
