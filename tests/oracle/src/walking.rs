//! Walking Distance (Ken'ichiro Takahashi's lower bound), from rows or columns alone.

use std::collections::{BTreeMap, VecDeque};

/// The number of tiles of each home line in each line, as `counts[line][home line]`, and the
/// blank's line.
pub type WalkingState = (Vec<Vec<u8>>, usize);

/// The number of moves across lines from each reachable state to the goal.
pub type WalkingDistances = BTreeMap<WalkingState, u32>;

/// Returns the distance of every state of `lines` lines of `line_len` cells from the state in which
/// each tile is in its home line and the blank in `blank_line`.
///
/// A move exchanges the blank with any tile of a neighbouring line.
pub fn walking_distances(lines: usize, line_len: usize, blank_line: usize) -> WalkingDistances {
    let mut counts = vec![vec![0u8; lines]; lines];
    for (line, row) in counts.iter_mut().enumerate() {
        row[line] = line_len as u8 - u8::from(line == blank_line);
    }
    let goal = (counts, blank_line);
    let mut found = BTreeMap::from([(goal.clone(), 0)]);
    let mut queue = VecDeque::from([(goal, 0)]);
    while let Some(((counts, blank), distance)) = queue.pop_front() {
        for line in 0..lines {
            if line.abs_diff(blank) != 1 {
                continue;
            }
            for home in 0..lines {
                if counts[line][home] == 0 {
                    continue;
                }
                let mut next = counts.clone();
                next[line][home] -= 1;
                next[blank][home] += 1;
                let next = (next, line);
                if !found.contains_key(&next) {
                    found.insert(next.clone(), distance + 1);
                    queue.push_back((next, distance + 1));
                }
            }
        }
    }
    found
}
