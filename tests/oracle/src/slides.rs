//! Distances in the multi-tile metric, in which a slide of several tiles of a line is one move.

use std::collections::BTreeMap;

/// Fewest slides from each arrangement to the goal: if the first one is horizontal, and if it is
/// vertical.
pub type SlideDistances = BTreeMap<Vec<u8>, [u32; 2]>;

/// Returns the arrangements after one slide along a row (axis 0) or a column (axis 1).
fn slides(rows: usize, cols: usize, tiles: &[u8], axis: usize) -> Vec<Vec<u8>> {
    let blank = tiles.iter().position(|&tile| tile == 0).expect("there is a blank");
    let (row, col) = (blank / cols, blank % cols);
    let line: Vec<usize> = if axis == 0 {
        (0..cols).map(|col| row * cols + col).collect()
    } else {
        (0..rows).map(|row| row * cols + col).collect()
    };
    let others = line.iter().copied().filter(|&cell| cell != blank);
    let after = |to: usize| {
        // Take the blank out of the line, and put it in again at its new cell.
        let mut held: Vec<u8> = line.iter().map(|&cell| tiles[cell]).collect();
        held.retain(|&tile| tile != 0);
        let place = line.iter().position(|&cell| cell == to).expect("it is in the line");
        held.insert(place, 0);
        let mut next = tiles.to_vec();
        for (&cell, &tile) in line.iter().zip(&held) {
            next[cell] = tile;
        }
        next
    };
    others.map(after).collect()
}

/// Computes the distances of all arrangements that slides lead to, by breadth-first search. Tiles
/// may be equal; 0 is the blank.
pub fn slide_distances(rows: usize, cols: usize, goal: &[u8]) -> SlideDistances {
    let mut known = SlideDistances::from([(goal.to_vec(), [0, 0])]);
    let mut level = vec![(goal.to_vec(), 0), (goal.to_vec(), 1)];
    let mut distance = 0;
    while !level.is_empty() {
        distance += 1;
        let mut next = Vec::new();
        // The slide before one along an axis is along the other one.
        for (tiles, axis) in level {
            for before in slides(rows, cols, &tiles, 1 - axis) {
                let distances = known.entry(before.clone()).or_insert([u32::MAX; 2]);
                if distances[1 - axis] == u32::MAX {
                    distances[1 - axis] = distance;
                    next.push((before, 1 - axis));
                }
            }
        }
        level = next;
    }
    known
}
