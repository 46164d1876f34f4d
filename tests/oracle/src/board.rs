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

#[cfg(test)]
mod tests {
    use super::*;

    fn blank_last(cells: u8) -> Vec<u8> {
        (1..cells).chain([0]).collect()
    }

    #[test]
    fn small_puzzles_have_their_known_numbers_of_boards_and_greatest_distances() {
        for (rows, cols, boards, greatest) in [
            (2, 2, 12, 6),
            (2, 3, 360, 21),
            (3, 2, 360, 21),
            (2, 4, 20_160, 36),
            (3, 3, 181_440, 31),
        ] {
            let all = distances(rows, cols, &blank_last((rows * cols) as u8));
            assert_eq!(all.len(), boards, "{rows}x{cols}");
            assert_eq!(all.values().max(), Some(&greatest), "{rows}x{cols}");
        }
    }

    #[test]
    fn the_parity_rule_agrees_with_a_search() {
        let goals = [
            (2, 2, vec![0, 1, 2, 3]),
            (2, 3, vec![4, 1, 0, 3, 5, 2]),
            (3, 2, vec![1, 2, 3, 4, 5, 0]),
            (3, 3, vec![1, 2, 3, 8, 0, 4, 7, 6, 5]),
        ];
        for (rows, cols, goal) in goals {
            let reached = distances(rows, cols, &goal);
            for board in reached.keys() {
                assert!(is_solvable(cols, board, &goal), "{board:?}");
                // Half of all boards are reached, and the others are these.
                let exchanged = |&tile: &u8| if tile == 1 || tile == 2 { 3 - tile } else { tile };
                let other: Vec<u8> = board.iter().map(exchanged).collect();
                assert!(!is_solvable(cols, &other, &goal) && !reached.contains_key(&other));
            }
        }
    }

    #[test]
    fn moves_name_the_direction_of_the_tile() {
        let goal = blank_last(6);
        let after = |moves| replay(2, 3, &goal, moves);
        assert_eq!(after("D"), Some(vec![1, 2, 0, 4, 5, 3]));
        assert_eq!(after("R"), Some(vec![1, 2, 3, 4, 0, 5]));
        assert_eq!(after("RDLU"), Some(vec![1, 3, 5, 4, 2, 0]));
        assert_eq!(after("DU"), Some(goal.clone()));
        assert_eq!(after("U"), None);
        assert_eq!(after("RRR"), None);
        assert_eq!(after("x"), None);
    }
}
