//! A solution of any board, line by line: long, but there at once.

use std::collections::VecDeque;
use std::ops::Range;

use arrayvec::ArrayVec;
use pdb_core::{Board, CELLS_MAX, Cell, CellSet, Direction, Goal, Shape, Unsolvable};

/// Solves the outer lines of a board, one after the other, until 2x2 cells are left.
///
/// It takes a line that does not hold the blank of the goal, and moves its tiles home two at a
/// time, with the fewest moves for these two. Cells of lines that are solved do not change again.
/// That takes milliseconds on every board. The solutions are two to three times as long as shortest
/// ones, and longer on boards of two rows.
///
/// # Errors
/// The reason why no moves lead to the goal.
///
/// # Panics
/// If the board and the goal differ in shape.
pub fn solve_by_lines(board: &Board, goal: &Goal) -> Result<Vec<Direction>, Unsolvable> {
    goal.check_solvable(board)?;
    let shape = goal.shape();
    let (goal_row, goal_col) = shape.row_col(goal.board().blank());
    let (mut rows, mut cols) = (0..shape.rows(), 0..shape.cols());
    let mut lines =
        Lines { goal, shape, board: *board, free: shape.all_cells(), moves: Vec::new() };
    while rows.len() > 2 || cols.len() > 2 {
        // The longer side becomes shorter.
        let line: ArrayVec<Cell, CELLS_MAX> = if rows.len() >= cols.len() {
            let row = take_end(&mut rows, goal_row);
            cols.clone().map(|col| shape.cell(row, col)).collect()
        } else {
            let col = take_end(&mut cols, goal_col);
            rows.clone().map(|row| shape.cell(row, col)).collect()
        };
        let (single, pairs) = line.split_at(line.len() % 2);
        for cells in single.chunks(1).chain(pairs.chunks(2)) {
            lines.bring_home(cells, None);
        }
    }
    let last = lines.free.without(CellSet::single(goal.board().blank()));
    let cells: ArrayVec<Cell, CELLS_MAX> = last.iter().take(2).collect();
    lines.bring_home(&cells, Some(goal.board().blank()));
    debug_assert_eq!(lines.board, *goal.board(), "the third tile follows from parity");
    Ok(lines.moves)
}

/// Takes the first or the last number of a range, but not a given one.
fn take_end(range: &mut Range<usize>, kept: usize) -> usize {
    let first = range.start;
    if first == kept {
        range.end -= 1;
        range.end
    } else {
        range.start += 1;
        first
    }
}

/// A board, part of which is solved.
struct Lines<'a> {
    goal: &'a Goal,
    shape: Shape,
    board: Board,
    /// The cells whose tiles may move.
    free: CellSet,
    moves: Vec<Direction>,
}

/// The cells of the blank and of up to two tiles. Cell 0 stands for a tile that is not there.
type Places = [Cell; 3];

impl Lines<'_> {
    /// Moves the tiles of one or two cells home, and the blank if it is given, with the fewest
    /// moves. The cells are no longer free.
    fn bring_home(&mut self, cells: &[Cell], blank: Option<Cell>) {
        let where_now = self.board.cells_by_tile();
        let mut start = [self.board.blank(), 0, 0];
        for (place, &cell) in start[1..].iter_mut().zip(cells) {
            *place = where_now[usize::from(self.goal.board().tile(cell))];
        }
        let is_home =
            |at: Places| at[1..].starts_with(cells) && blank.is_none_or(|cell| cell == at[0]);
        // How each state was reached, from which the way back follows.
        let mut last_moves = vec![None; CELLS_MAX * CELLS_MAX * CELLS_MAX];
        let number =
            |at: Places| at.iter().fold(0, |number, &cell| number * CELLS_MAX + usize::from(cell));
        let mut queue = VecDeque::from([start]);
        let mut end = start;
        while let Some(at) = queue.pop_front() {
            end = at;
            if is_home(at) {
                break;
            }
            for direction in Direction::ALL {
                if let Some(next) = self.after(at, direction, cells.len())
                    && next != start
                    && last_moves[number(next)].is_none()
                {
                    last_moves[number(next)] = Some(direction);
                    queue.push_back(next);
                }
            }
        }
        assert!(
            is_home(end),
            "two tiles reach all cells of an area of at least two rows and columns"
        );
        let begin = self.moves.len();
        while let Some(direction) = last_moves[number(end)] {
            self.moves.push(direction);
            end = self
                .after(end, direction.opposite(), cells.len())
                .expect("a move can be taken back");
        }
        self.moves[begin..].reverse();
        self.board = self.board.after(&self.moves[begin..]).expect("each move was possible");
        self.free = cells.iter().fold(self.free, |free, &cell| free.without(CellSet::single(cell)));
    }

    /// Returns the places of the blank and of some tiles after a move of a free cell's tile.
    fn after(&self, at: Places, direction: Direction, tile_count: usize) -> Option<Places> {
        let from =
            direction.tile_cell(self.shape, at[0]).filter(|&cell| self.free.contains(cell))?;
        let mut next = at;
        next[0] = from;
        for tile in &mut next[1..=tile_count] {
            if *tile == from {
                *tile = at[0];
            }
        }
        Some(next)
    }
}
