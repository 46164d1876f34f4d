//! IDA* in its textbook form.

use crate::board::{cell_of, manhattan, tile_cell};

/// Returns the length of a shortest solution and the number of generated nodes, by IDA* with
/// Manhattan distance, which is computed from scratch at every node.
///
/// Children are generated in the order of `order`, the directions in which tiles slide, such as
/// `"URDL"`. A move that undoes the last one is skipped. The root counts once; every other node
/// counts in each round that generates it, even if it is pruned. The search ends with the first
/// node that is the goal. The board must be solvable.
pub fn ida_star_md(rows: usize, cols: usize, board: &[u8], goal: &[u8], order: &str) -> (u32, u64) {
    let mut search = Search { rows, cols, goal, order, generated: 1 };
    let mut bound = manhattan(cols, board, goal);
    loop {
        match search.visit(board, 0, bound, ' ') {
            Visit::Solved(length) => return (length, search.generated),
            Visit::Beyond(next) => bound = next,
        }
    }
}

struct Search<'a> {
    rows: usize,
    cols: usize,
    goal: &'a [u8],
    order: &'a str,
    generated: u64,
}

enum Visit {
    /// The goal was found at this depth, in moves.
    Solved(u32),
    /// The goal was not found. The value is the least estimate above the bound.
    Beyond(u32),
}

impl Search<'_> {
    fn visit(&mut self, board: &[u8], moves: u32, bound: u32, last: char) -> Visit {
        let estimate = moves + manhattan(self.cols, board, self.goal);
        if estimate > bound {
            return Visit::Beyond(estimate);
        }
        if board == self.goal {
            return Visit::Solved(moves);
        }
        let blank = cell_of(board, 0);
        let mut least = u32::MAX;
        for direction in self.order.chars() {
            if direction == opposite(last) {
                continue;
            }
            let Some(cell) = tile_cell(self.rows, self.cols, blank, direction) else {
                continue;
            };
            let mut next = board.to_vec();
            next.swap(blank, cell);
            self.generated += 1;
            match self.visit(&next, moves + 1, bound, direction) {
                Visit::Solved(length) => return Visit::Solved(length),
                Visit::Beyond(estimate) => least = least.min(estimate),
            }
        }
        Visit::Beyond(least)
    }
}

fn opposite(direction: char) -> char {
    match direction {
        'U' => 'D',
        'D' => 'U',
        'L' => 'R',
        'R' => 'L',
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::distances;

    #[test]
    fn lengths_are_the_distances_of_a_full_search() {
        let goal = [1, 2, 3, 4, 5, 6, 7, 8, 0];
        for (board, distance) in distances(3, 3, &goal).into_iter().step_by(997) {
            for order in ["URDL", "LDRU"] {
                let (length, generated) = ida_star_md(3, 3, &board, &goal, order);
                assert_eq!(length, distance, "{board:?}");
                assert!(generated > u64::from(length));
            }
        }
    }

    #[test]
    fn the_goal_itself_is_the_only_node() {
        let goal = [0, 1, 2, 3];
        assert_eq!(ida_star_md(2, 2, &goal, &goal, "URDL"), (0, 1));
    }

    #[test]
    fn a_pruned_child_counts_as_generated() {
        // The goal is one move away: tile 2 slides up into the blank. If `U` comes first, only its
        // child is generated. If `R` comes first, its child is generated and pruned before.
        let goal = [1, 2, 3, 0];
        let board = [1, 0, 3, 2];
        assert_eq!(ida_star_md(2, 2, &board, &goal, "URDL"), (1, 2));
        assert_eq!(ida_star_md(2, 2, &board, &goal, "RULD"), (1, 3));
    }

    #[test]
    fn easiest_board_of_korf_generates_his_count_of_nodes() {
        // Board 79 of the hundred, which needs the fewest nodes.
        let goal: Vec<u8> = (0..16).collect();
        let board = [0, 1, 9, 7, 11, 13, 5, 3, 14, 12, 4, 2, 8, 6, 10, 15];
        assert_eq!(ida_star_md(4, 4, &board, &goal, "DRLU"), (42, 540_860));
    }
}
