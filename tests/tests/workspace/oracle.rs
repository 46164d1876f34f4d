//! The searches of the oracle agree with each other.

use pdb_oracle::{
    additive_pattern_distances, distances, largest_matching, plain_pattern_distances,
    shortest_solution_counts, solutions_of_length,
};

const GOAL: [u8; 6] = [1, 2, 3, 4, 5, 0];

fn cell_of(board: &[u8], tile: u8) -> u8 {
    board.iter().position(|&other| other == tile).unwrap() as u8
}

#[test]
fn a_pattern_of_every_tile_costs_the_distance_of_the_board() {
    let boards = distances(2, 3, &GOAL);
    let all = [0, 1, 2, 3, 4];
    // In the last one, the place of the fifth tile follows from the others.
    for pattern in [
        additive_pattern_distances(2, 3, &all, 5),
        plain_pattern_distances(2, 3, &all, 5),
        plain_pattern_distances(2, 3, &all[..4], 5),
    ] {
        assert_eq!(pattern.len(), boards.len());
        let tile_count = pattern.keys().next().unwrap().0.len() as u8;
        for (board, distance) in &boards {
            let tiles = (1..=tile_count).map(|tile| cell_of(board, tile)).collect();
            assert_eq!(pattern[&(tiles, cell_of(board, 0))], *distance);
        }
    }
}

#[test]
fn the_counts_of_the_shortest_solutions_are_those_of_all_sequences() {
    for (board, (distance, count)) in shortest_solution_counts(2, 3, &GOAL) {
        if distance < 14 {
            let all = solutions_of_length(2, 3, &board, &GOAL, distance, "URDL");
            assert_eq!(all.len() as u128, count, "{board:?}");
        }
    }
}

#[test]
fn the_matching_of_a_complete_graph_is_the_largest_of_its_fifteen_perfect_ones() {
    let weight = |a: usize, b: usize| (a * 7 + b * 5) as u32 % 11;
    let edges: Vec<_> = (0..6).flat_map(|b| (0..b).map(move |a| (a, b, weight(a, b)))).collect();
    let mut perfect = Vec::new();
    for b in 1..6 {
        let rest: Vec<usize> = (1..6).filter(|&other| other != b).collect();
        let [p, q, r, s] = rest[..] else { unreachable!("four of five are left") };
        for [c, d, e, f] in [[p, q, r, s], [p, r, q, s], [p, s, q, r]] {
            perfect.push(weight(0, b) + weight(c, d) + weight(e, f));
        }
    }
    assert_eq!(perfect.len(), 15);
    assert_eq!(Some(largest_matching(&edges)), perfect.into_iter().max());
}
