//! Costs of additive and of plain patterns.

use std::collections::{BTreeMap, VecDeque};

use crate::board::neighbours;

/// The cost of each pattern state: the cells of the pattern's tiles, in the order in which their
/// homes were given, and the blank's cell.
pub type PatternDistances = BTreeMap<(Vec<u8>, u8), u32>;

/// Returns the cost of each state that can reach the goal: the least number of moves of the
/// pattern's tiles that bring them home and the blank to `blank_home`. Moves of other tiles cost
/// nothing.
///
/// `homes` are the home cells of the pattern's tiles, in ascending order.
///
/// The search does not use regions of the blank, but states that differ only in the blank's cell
/// within its region have equal costs.
pub fn additive_pattern_distances(
    rows: usize,
    cols: usize,
    homes: &[usize],
    blank_home: usize,
) -> PatternDistances {
    assert!(homes.is_sorted(), "homes in ascending order");
    assert!(!homes.contains(&blank_home), "the blank is not in the pattern");
    let goal: Vec<u8> = homes.iter().map(|&home| home as u8).collect();
    let mut settled = BTreeMap::new();
    // A free move puts a state at the front, and a move that costs 1 puts it at the back. So the
    // queue is sorted by cost, and a state leaves it first with its least cost.
    let mut queue = VecDeque::from([((goal, blank_home as u8), 0)]);
    while let Some((state, cost)) = queue.pop_front() {
        if settled.contains_key(&state) {
            continue;
        }
        settled.insert(state.clone(), cost);
        let (tiles, blank) = state;
        for cell in neighbours(rows, cols, usize::from(blank)) {
            let cell = cell as u8;
            match tiles.iter().position(|&tile| tile == cell) {
                None => queue.push_front(((tiles.clone(), cell), cost)),
                Some(tile) => {
                    let mut moved = tiles.clone();
                    moved[tile] = blank;
                    queue.push_back(((moved, cell), cost + 1));
                }
            }
        }
    }
    settled
}

/// Returns the cost of each state that can reach the goal: the least number of moves of any tiles
/// that bring the pattern's tiles home and the blank to `blank_home`. The other tiles are not
/// distinguished.
///
/// `homes` are the home cells of the pattern's tiles, in ascending order.
pub fn plain_pattern_distances(
    rows: usize,
    cols: usize,
    homes: &[usize],
    blank_home: usize,
) -> PatternDistances {
    assert!(homes.is_sorted(), "homes in ascending order");
    assert!(!homes.contains(&blank_home), "the blank is not in the pattern");
    let goal: Vec<u8> = homes.iter().map(|&home| home as u8).collect();
    let goal = (goal, blank_home as u8);
    let mut found = BTreeMap::from([(goal.clone(), 0)]);
    let mut queue = VecDeque::from([(goal, 0)]);
    while let Some(((tiles, blank), cost)) = queue.pop_front() {
        for cell in neighbours(rows, cols, usize::from(blank)) {
            let cell = cell as u8;
            let moved = tiles.iter().map(|&tile| if tile == cell { blank } else { tile });
            let next = (moved.collect::<Vec<_>>(), cell);
            if !found.contains_key(&next) {
                found.insert(next.clone(), cost + 1);
                queue.push_back((next, cost + 1));
            }
        }
    }
    found
}

/// Returns the least cost over all cells of the blank, for each placement of the pattern's tiles.
pub fn collapsed(distances: &PatternDistances) -> BTreeMap<Vec<u8>, u32> {
    let mut least = BTreeMap::new();
    for ((tiles, _), &cost) in distances {
        let entry = least.entry(tiles.clone()).or_insert(cost);
        *entry = cost.min(*entry);
    }
    least
}
