//! The data of the literature agree with the oracle.

use pdb_oracle::{distances, is_solvable, manhattan};

use pdb_tests::{Distribution, distance_distributions, korf50_24, korf100};

fn blank_last(cell_count: usize) -> Vec<u8> {
    (1..cell_count as u8).chain([0]).collect()
}

fn blank_first(cell_count: usize) -> Vec<u8> {
    (0..cell_count as u8).collect()
}

#[test]
fn boards_of_korf_can_be_solved_and_have_their_manhattan_distances() {
    for (boards, side, count) in [(korf100(), 4, 100), (korf50_24(), 5, 50)] {
        assert_eq!(boards.len(), count);
        let goal = blank_first(side * side);
        for (board, id) in boards.iter().zip(1..) {
            assert_eq!(board.id, id);
            assert!(is_solvable(side, &board.tiles, &goal), "board {id}");
            assert_eq!(board.manhattan, manhattan(side, &board.tiles, &goal), "board {id}");
        }
    }
}

#[test]
fn distributions_of_small_puzzles_agree_with_the_oracle() {
    let mut compared = 0;
    for distribution in distance_distributions() {
        let Distribution { rows, cols, .. } = distribution;
        if rows * cols > 9 {
            continue;
        }
        let mut goal = blank_last(rows * cols);
        match distribution.blank {
            "corner" => {}
            "edge" => goal.swap(8, 7),
            "centre" => goal.swap(8, 4),
            other => panic!("where is {other}?"),
        }
        let all = distances(rows, cols, &goal);
        assert_eq!(distribution.counts, counted(all.into_values()), "{rows}x{cols}");
        compared += 1;
    }
    assert_eq!(compared, 6);
}

fn counted(values: impl Iterator<Item = u32>) -> Vec<u64> {
    let mut counts = Vec::new();
    for value in values {
        let value = value as usize;
        counts.resize(counts.len().max(value + 1), 0);
        counts[value] += 1;
    }
    counts
}
