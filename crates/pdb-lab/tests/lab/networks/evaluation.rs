//! Outputs compared with simple sums in double precision, for all ways to compute them.

use pdb_core::{Board, Goal};
use pdb_lab::networks::{Network, Weights};

use super::{Random, goal, network, walk};

/// Computes the output by plain sums over the whole input.
fn plain(weights: &Weights, board: &Board) -> f64 {
    let cells = board.tiles().len();
    let mut values = vec![0f64; cells * cells];
    for (cell, &tile) in board.tiles().iter().enumerate() {
        values[usize::from(tile) * cells + cell] = 1.0;
    }
    for (number, layer) in weights.layers.iter().enumerate() {
        if number > 0 {
            for value in &mut values {
                *value = value.max(0.0);
            }
        }
        let rows = layer.weights.chunks_exact(layer.inputs).zip(&layer.biases);
        values = rows
            .map(|(row, &bias)| {
                let products =
                    row.iter().zip(&values).map(|(&weight, value)| f64::from(weight) * value);
                products.sum::<f64>() + f64::from(bias)
            })
            .collect();
    }
    values[0]
}

/// Returns networks of many shapes, whose widths fill registers or do not.
fn networks() -> Vec<Weights> {
    let cases: [(Goal, &[usize]); 6] = [
        (goal(2, 2), &[]),
        (goal(2, 3), &[5]),
        (goal(3, 3), &[32, 17]),
        (Goal::snail(goal(3, 4).shape()), &[64, 33, 8]),
        (goal(4, 4), &[128, 64, 32]),
        (goal(6, 6), &[48, 16]),
    ];
    (1..).zip(cases).map(|(seed, (goal, hidden))| network(&goal, hidden, seed)).collect()
}

#[test]
fn outputs_are_those_of_plain_sums() {
    for weights in networks() {
        let float = Network::new(&weights);
        let rounded = weights.to_int8();
        let whole = Network::new(&rounded);
        let mut random = Random::new(7);
        for steps in 0..60 {
            let board = walk(&weights.goal, steps, &mut random);
            let exact = plain(&weights, &board);
            let found = f64::from(float.output(&board));
            assert!((found - exact).abs() < 1e-3 * (1.0 + exact.abs()), "{found} {exact}");
            // Precision is lost when weights are rounded to eight bits, but not by the computation.
            let exact = plain(&rounded, &board);
            let found = f64::from(whole.output(&board));
            assert!((found - exact).abs() < 4e-2 * (1.0 + exact.abs()), "{found} {exact}");
        }
    }
}

#[test]
fn a_board_has_one_output_alone_and_in_a_batch() {
    let bits = |outputs: Vec<f32>| outputs.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
    for weights in networks() {
        for weights in [weights.to_int8(), weights] {
            let network = Network::new(&weights);
            let mut random = Random::new(9);
            let boards: Vec<Board> =
                (0..300).map(|steps| walk(&weights.goal, steps % 60, &mut random)).collect();
            let alone = bits(boards.iter().map(|board| network.output(board)).collect());
            for size in [1, 2, 3, 4, 7, 50, 300] {
                let together = boards.chunks(size).flat_map(|boards| network.outputs(boards));
                assert_eq!(bits(together.collect()), alone, "{size}");
            }
        }
    }
}

#[test]
fn a_network_serves_every_goal_that_a_symmetry_leads_to() {
    for weights in [network(&goal(4, 4), &[32], 3), network(&goal(3, 5), &[32], 4)] {
        let shape = weights.shape();
        let own = Network::new(&weights);
        let turned = Network::new(&weights.for_goal(&Goal::blank_first(shape)).unwrap());
        let mut random = Random::new(3);
        let last_tile = shape.cell_count() as u8;
        for steps in 0..100 {
            let board = walk(&weights.goal, steps, &mut random);
            // The board is rotated by 180 degrees, and its tiles are numbered from the other end.
            let number = |&tile: &u8| if tile == 0 { 0 } else { last_tile - tile };
            let tiles: Vec<u8> = board.tiles().iter().rev().map(number).collect();
            let image = Board::new(shape, &tiles).unwrap();
            assert_eq!(own.output(&board).to_bits(), turned.output(&image).to_bits());
        }
        // No symmetry maps the middle to a corner.
        let middle = Goal::in_order(shape, shape.cell(1, 1));
        assert_eq!(weights.for_goal(&middle), None);
    }
}
