//! The networks that are compiled in.

use pdb_core::{Board, Estimator};
use pdb_lab::networks::{Learned, Network, SHIPPED, Weights};

/// Boards, their distances from tables, and the outputs that candle, another library, computes from
/// the shipped weights.
const GOLDEN: &str = include_str!("../../data/outputs.txt");

#[test]
fn shipped_networks_are_small_and_have_notes() {
    for (name, bytes) in SHIPPED {
        assert!(bytes.len() < 1_000_000, "{name} has {} bytes", bytes.len());
        let weights = Weights::read(bytes).unwrap();
        assert_eq!(weights.shape().cell_count() - 1, name.parse::<usize>().unwrap());
        assert!(weights.write() == bytes, "{name} is written in another way");
        for key in ["labels", "seed", "data_digest", "error", "layers", "recipe", "shift"] {
            assert!(weights.notes.contains_key(key), "{name} has no note {key}");
        }
    }
}

/// The errors of `net:8` over all boards. docs/neural.md has them beside those on solutions.
#[test]
fn errors_over_all_boards_of_the_8_puzzle_are_those_of_the_page() {
    let (_, bytes) = SHIPPED.into_iter().find(|(name, _)| *name == "8").unwrap();
    let weights = Weights::read(bytes).unwrap();
    let learned = Learned::new(Network::new(&weights));
    // Boards, errors of the network and of Manhattan distance at distances 0-15, 16-25 and 26-31.
    let mut sums = [[0u64; 3]; 3];
    let known = pdb_oracle::distances(3, 3, weights.goal.board().tiles());
    let board = |tiles: &Vec<u8>| Board::new(weights.shape(), tiles).unwrap();
    let boards: Vec<Board> = known.keys().map(board).collect();
    let estimates = learned.estimates(&boards);
    for ((board, estimate), &distance) in boards.iter().zip(estimates).zip(known.values()) {
        let band = usize::from(distance > 15) + usize::from(distance > 25);
        let manhattan = weights.goal.manhattan_distance(board);
        let errors = [1, estimate.abs_diff(distance), distance - manhattan];
        sums[band].iter_mut().zip(errors).for_each(|(sum, more)| *sum += u64::from(more));
    }
    let mean = |sum: u64, boards: u64| (sum as f64 / boards as f64 * 100.0).round() / 100.0;
    let means = sums.map(|[boards, net, manhattan]| [mean(net, boards), mean(manhattan, boards)]);
    assert_eq!(means, [[0.23, 3.2], [1.54, 7.78], [2.29, 10.43]]);
}

#[test]
fn outputs_are_those_of_the_library_that_trained_them() {
    let mut count = 0;
    for line in GOLDEN.lines().filter(|line| !line.starts_with('#')) {
        let [name, board, distance, expected] = line.split('\t').collect::<Vec<_>>()[..] else {
            panic!("{line}")
        };
        let (_, bytes) = SHIPPED.into_iter().find(|(known, _)| *known == name).unwrap();
        let weights = Weights::read(bytes).unwrap();
        // Weights that are calculated with in floating-point numbers.
        let mut floats = weights.clone();
        floats.layers.iter_mut().for_each(|layer| layer.scales = None);
        let board: Board = board.parse().unwrap();
        let expected: f32 = expected.parse().unwrap();
        for (weights, tolerance) in [(&floats, 1e-3), (&weights, 2e-2)] {
            let output = Network::new(weights).output(&board);
            assert!((output - expected).abs() < tolerance, "{board} {output} {expected}");
        }
        let learned = Learned::new(Network::new(&weights));
        let estimate = learned.root(&board).unwrap().estimate;
        let distance: u32 = distance.parse().unwrap();
        assert!(estimate.abs_diff(distance) <= 12, "{board} {estimate} {distance}");
        count += 1;
    }
    assert!(count >= 100, "{count}");
}
