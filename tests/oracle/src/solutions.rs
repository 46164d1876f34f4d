//! Numbers of shortest solutions, and all solutions of a given length.

use std::collections::BTreeMap;

use crate::board::{cell_of, neighbours, tile_cell};

/// Returns, for each board that can reach the goal, its distance and the number of its shortest
/// solutions. A breadth-first search from the goal adds each board's number to the boards that are
/// one move farther away.
pub fn shortest_solution_counts(
    rows: usize,
    cols: usize,
    goal: &[u8],
) -> BTreeMap<Vec<u8>, (u32, u128)> {
    let mut found = BTreeMap::from([(goal.to_vec(), (0, 1))]);
    let mut level = vec![goal.to_vec()];
    for distance in 1.. {
        let mut next = BTreeMap::new();
        for board in &level {
            let (_, count) = found[board];
            let blank = cell_of(board, 0);
            for cell in neighbours(rows, cols, blank) {
                let mut farther = board.clone();
                farther.swap(blank, cell);
                if !found.contains_key(&farther) {
                    *next.entry(farther).or_insert(0) += count;
                }
            }
        }
        if next.is_empty() {
            break;
        }
        level = next.keys().cloned().collect();
        found.extend(next.into_iter().map(|(board, count)| (board, (distance, count))));
    }
    found
}

/// Returns all move sequences of a given length that reach the goal with their last move and not
/// before. No move undoes the move before it. They are sorted by the order of directions in
/// `order`. Every sequence is tried, so the length must be small.
pub fn solutions_of_length(
    rows: usize,
    cols: usize,
    board: &[u8],
    goal: &[u8],
    length: u32,
    order: &str,
) -> Vec<String> {
    let mut found = Vec::new();
    let mut waiting = vec![(board.to_vec(), String::new())];
    while let Some((board, moves)) = waiting.pop() {
        let is_goal = board == goal;
        if moves.len() == length as usize {
            if is_goal {
                found.push(moves);
            }
            continue;
        }
        if is_goal {
            continue;
        }
        let blank = cell_of(&board, 0);
        // The last board on the stack is taken first.
        for direction in order.chars().rev() {
            let back = match direction {
                'U' => 'D',
                'D' => 'U',
                'L' => 'R',
                _ => 'L',
            };
            if let Some(cell) = tile_cell(rows, cols, blank, direction)
                && !moves.ends_with(back)
            {
                let mut next = board.clone();
                next.swap(blank, cell);
                waiting.push((next, format!("{moves}{direction}")));
            }
        }
    }
    found
}
