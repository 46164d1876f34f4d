//! The networks that are compiled in.

use pdb_core::{Board, Heuristic};
use pdb_net::{Learned, Network, Precision, SHIPPED, Weights};

/// Boards, distances that tables gave, and what candle works out for the weights as they are shipped.
const GOLDEN: &str = include_str!("../data/candle.txt");

#[test]
fn shipped_networks_are_small_and_say_what_they_are() {
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

#[test]
fn outputs_are_those_of_the_library_that_trained_them() {
    let mut count = 0;
    for line in GOLDEN.lines().filter(|line| !line.starts_with('#')) {
        let [name, board, distance, expected] = line.split('\t').collect::<Vec<_>>()[..] else {
            panic!("{line}")
        };
        let (_, bytes) = SHIPPED.into_iter().find(|(known, _)| *known == name).unwrap();
        let weights = Weights::read(bytes).unwrap();
        let board: Board = board.parse().unwrap();
        let expected: f32 = expected.parse().unwrap();
        for (precision, tolerance) in [(Precision::Float, 1e-3), (Precision::Int8, 2e-2)] {
            let output = Network::with_precision(&weights, precision).output(&board);
            assert!((output - expected).abs() < tolerance, "{board} {output} {expected}");
        }
        let learned = Learned::new(Network::new(&weights));
        let estimate = learned.estimate(&learned.root(&board).unwrap().1);
        let distance: u32 = distance.parse().unwrap();
        assert!(estimate.abs_diff(distance) <= 12, "{board} {estimate} {distance}");
        count += 1;
    }
    assert!(count >= 100, "{count}");
}
