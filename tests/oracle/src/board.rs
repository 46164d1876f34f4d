//! Boards, their moves and their distances.

use std::collections::{BTreeMap, VecDeque};

/// The number of moves from each solvable board to the goal.
pub type Distances = BTreeMap<Vec<u8>, u32>;

/// Returns the cells above, to the left of, to the right of and below a cell, as far as they exist.
pub(crate) fn neighbours(rows: usize, cols: usize, cell: usize) -> Vec<usize> {
    let (row, col) = (cell / cols, cell % cols);
    let mut found = Vec::new();
    if row > 0 {
        found.push(cell - cols);
    }
    if col > 0 {
        found.push(cell - 1);
    }
    if col + 1 < cols {
        found.push(cell + 1);
    }
    if row + 1 < rows {
        found.push(cell + cols);
    }
    found
}

/// Returns the cell of a tile, or of the blank for 0.
pub(crate) fn cell_of(board: &[u8], tile: u8) -> usize {
    board.iter().position(|&found| found == tile).expect("the board has every tile")
}

/// Returns the distance of every board from which the goal can be reached, by a breadth-first
/// search from the goal; one move slides one tile by one cell.
pub fn distances(rows: usize, cols: usize, goal: &[u8]) -> Distances {
    assert_eq!(goal.len(), rows * cols, "a tile for each cell");
    let mut found = BTreeMap::from([(goal.to_vec(), 0)]);
    let mut queue = VecDeque::from([(goal.to_vec(), 0)]);
    while let Some((board, distance)) = queue.pop_front() {
        let blank = cell_of(&board, 0);
        for cell in neighbours(rows, cols, blank) {
            let mut next = board.clone();
            next.swap(blank, cell);
            if !found.contains_key(&next) {
                found.insert(next.clone(), distance + 1);
                queue.push_back((next, distance + 1));
            }
        }
    }
    found
}

/// Returns the sum of the distances of all tiles, without the blank, from their cells in the goal.
pub fn manhattan(cols: usize, board: &[u8], goal: &[u8]) -> u32 {
    let mut sum = 0;
    for (cell, &tile) in board.iter().enumerate() {
        if tile != 0 {
            let home = cell_of(goal, tile);
            sum += (cell / cols).abs_diff(home / cols) + (cell % cols).abs_diff(home % cols);
        }
    }
    sum as u32
}

/// Returns whether a board can reach the goal, by the well-known rule of parity.
///
/// An inversion is a pair of tiles of which the larger comes first in reading order; the blank does
/// not count. A horizontal move changes no pair, and a vertical move changes `cols - 1` pairs. So
/// if the width is odd, every move keeps the parity of the inversions; if it is even, every move
/// keeps the parity of the inversions plus the blank's row. Two boards of the same parity can reach
/// each other.
pub fn is_solvable(cols: usize, board: &[u8], goal: &[u8]) -> bool {
    parity(cols, board) == parity(cols, goal)
}

fn parity(cols: usize, board: &[u8]) -> usize {
    let mut sum = 0;
    for (first_cell, &first) in board.iter().enumerate() {
        for &second in &board[first_cell + 1..] {
            if second != 0 && first > second {
                sum += 1;
            }
        }
    }
    if cols.is_multiple_of(2) {
        sum += cell_of(board, 0) / cols;
    }
    sum % 2
}

/// Returns the board after moves, or `None` if a letter is unknown or a move is not possible. A
/// letter is the direction in which a tile slides into the blank: `U`, `R`, `D` or `L`.
pub fn replay(rows: usize, cols: usize, board: &[u8], moves: &str) -> Option<Vec<u8>> {
    let mut board = board.to_vec();
    for direction in moves.chars() {
        let blank = cell_of(&board, 0);
        let tile = tile_cell(rows, cols, blank, direction)?;
        board.swap(blank, tile);
    }
    Some(board)
}

/// Returns the cell of the tile that slides in a direction into the blank.
pub(crate) fn tile_cell(rows: usize, cols: usize, blank: usize, direction: char) -> Option<usize> {
    let (row, col) = (blank / cols, blank % cols);
    match direction {
        'U' if row + 1 < rows => Some(blank + cols),
        'R' if col > 0 => Some(blank - 1),
        'D' if row > 0 => Some(blank - cols),
        'L' if col + 1 < cols => Some(blank + 1),
        _ => None,
    }
}
