//! Networks: files, evaluation, the heuristic, and its name.

mod estimates;
mod evaluation;
mod files;
mod names;
mod shipped;

use std::collections::BTreeMap;

use pdb_core::{Board, Direction, Goal, Slide};
use pdb_lab::networks::{Layer, Weights};
use pdb_oracle::Random;

use crate::common::shape;

/// Returns a number from -1 to 1.
fn even(random: &mut Random) -> f32 {
    (random.number() >> 40) as f32 / (1u32 << 23) as f32 - 1.0
}

fn goal(rows: usize, cols: usize) -> Goal {
    Goal::blank_last(shape(rows, cols))
}

/// Returns a network with random weights and outputs of the magnitude of distances.
fn network(goal: &Goal, hidden: &[usize], seed: u64) -> Weights {
    let mut random = Random::new(seed);
    let cells = goal.shape().cell_count();
    let mut widths = vec![cells * cells];
    widths.extend(hidden);
    widths.push(1);
    let layer = |pair: &[usize]| {
        let (inputs, outputs) = (pair[0], pair[1]);
        let range = 6.0 / (inputs as f32).sqrt();
        let mut numbers = |count: usize| (0..count).map(|_| range * even(&mut random)).collect();
        Layer {
            inputs,
            outputs,
            weights: numbers(inputs * outputs),
            biases: numbers(outputs),
            scales: None,
        }
    };
    let mut layers: Vec<_> = widths.windows(2).map(layer).collect();
    layers.last_mut().unwrap().biases[0] = 20.0;
    Weights { goal: *goal, layers, notes: BTreeMap::new() }
}

/// Returns the board after random moves from the goal.
fn walk(goal: &Goal, steps: usize, random: &mut Random) -> Board {
    let mut board = *goal.board();
    for _ in 0..steps {
        let direction = Direction::ALL[random.below(4)];
        board = board.moved(direction).unwrap_or(board);
    }
    board
}

/// Returns the possible moves of a board.
fn slides(board: &Board) -> Vec<Slide> {
    let to = board.blank();
    let cells = Direction::ALL.into_iter().filter_map(|d| d.tile_cell(board.shape(), to));
    cells.map(|from| Slide { tile: board.tile(from), from, to }).collect()
}
