//! The integers of a network, from its floats. Each scale is the largest at which no board exceeds
//! the range of the integers.

use pdb_core::Goal;
use tilebase::pdb_search::{OrderHead, OrderNetwork};

use crate::chain::{Chain, Units};

/// Largest numbers of the rows and of the other weights.
const BYTE_MAX: f32 = i8::MAX as f32;
const SHORT_MAX: f32 = i16::MAX as f32;
/// Largest size of a sum.
const SUM_MAX: f32 = (1 << 30) as f32;
/// Bits of the outputs of the second layer that the last layer leaves out, as a factor.
const OUTPUT_UNIT: f32 = (1 << OrderNetwork::OUTPUT_BITS) as f32;
/// Steps of an output in a move.
const STEPS_PER_MOVE: f32 = OrderNetwork::STEPS_PER_MOVE as f32;

/// The order of the goal, in moves. A network learns differences of orders alone, so its outputs
/// may be far below 0, but an order is never less than 0.
const GOAL_ORDER: f32 = 64.0;

/// Returns the network in integers.
///
/// `ReLU` commutes with scales above 0, so each unit of both hidden layers has a scale of its own,
/// which the weights of the next layer take back.
pub(super) fn quantized(chain: &Chain, goal: &Goal) -> OrderNetwork {
    let shape = goal.shape();
    let [first, second, last] = chain.layers() else { unreachable!("it has three layers") };
    let (rows, base) = (chain.weights(first), chain.biases(first));
    let sums_max = sums_max(rows, base, shape.cell_count());
    let row_scales: Vec<f32> = (0..first.outputs)
        .map(|unit| {
            let of_rows = largest(rows.iter().skip(unit).step_by(first.outputs));
            (BYTE_MAX / of_rows).min(SHORT_MAX / largest([&base[unit]]))
        })
        .collect();

    let (weights, biases) = (chain.weights(second), chain.biases(second));
    let of_unit = |unit: usize| weights.iter().skip(unit).step_by(second.outputs);
    let outputs_max: Vec<f32> = (0..second.outputs)
        .map(|unit| {
            let products = of_unit(unit).zip(&sums_max).map(|(weight, sum)| weight.abs() * sum);
            biases[unit].abs() + products.sum::<f32>()
        })
        .collect();
    let unit_scales: Vec<f32> = (0..second.outputs)
        .map(|unit| {
            let weights: Vec<f32> =
                of_unit(unit).zip(&row_scales).map(|(weight, scale)| weight / scale).collect();
            (SHORT_MAX / largest(&weights)).min(SUM_MAX / largest([&outputs_max[unit]]))
        })
        .collect();

    let cells = shape.cell_count() as u32;
    let of_goal: Vec<u32> = (0..)
        .zip(goal.board().tiles())
        .map(|(cell, &tile)| u32::from(tile) * cells + cell)
        .collect();
    let output_of_goal = chain.output(&of_goal, &mut Units::default());
    let last_bias = chain.biases(last)[0] + GOAL_ORDER - output_of_goal;
    let weights_of_last = chain.weights(last);
    let last_weights: Vec<f32> = weights_of_last
        .iter()
        .zip(&unit_scales)
        .map(|(weight, scale)| weight * OUTPUT_UNIT / scale)
        .collect();
    let products = weights_of_last.iter().zip(&outputs_max);
    let output_max = last_bias.abs() + products.map(|(w, max)| w.abs() * max).sum::<f32>();
    let output_scale = |bits: i32| STEPS_PER_MOVE * 2f32.powi(bits);
    let fits = |&bits: &i32| {
        output_scale(bits) * largest(&last_weights) <= SHORT_MAX
            && output_scale(bits) * output_max <= SUM_MAX
    };
    let last_bits = (0..31).rev().find(fits).unwrap_or(0);

    let short = |value: f32| value.round() as i16;
    OrderNetwork {
        shape,
        rows: rows
            .chunks_exact(first.outputs)
            .map(|row| std::array::from_fn(|i| (row[i] * row_scales[i]).round() as i8))
            .collect(),
        skip: chain.direct().iter().map(|value| short(value * STEPS_PER_MOVE)).collect(),
        head: OrderHead {
            base: std::array::from_fn(|i| short(base[i] * row_scales[i])),
            second: std::array::from_fn(|unit| {
                let weight = |i: usize| weights[i * second.outputs + unit];
                std::array::from_fn(|i| short(weight(i) / row_scales[i] * unit_scales[unit]))
            }),
            second_bias: std::array::from_fn(|i| (biases[i] * unit_scales[i]).round() as i32),
            last: std::array::from_fn(|i| short(last_weights[i] * output_scale(last_bits))),
            last_bias: (last_bias * output_scale(last_bits)).round() as i32,
            last_bits: last_bits as u8,
        },
    }
}

fn largest<'a>(values: impl IntoIterator<Item = &'a f32>) -> f32 {
    values.into_iter().fold(f32::MIN_POSITIVE, |largest, value| largest.max(value.abs()))
}

/// Returns bounds on the sums of the first layer: on each cell, the tile with the largest number.
fn sums_max(rows: &[f32], base: &[f32], cell_count: usize) -> Vec<f32> {
    let width = base.len();
    let mut sums: Vec<f32> = base.iter().map(|value| value.abs()).collect();
    for cell in 0..cell_count {
        for (column, sum) in sums.iter_mut().enumerate() {
            let of_tile = |tile: usize| rows[(tile * cell_count + cell) * width + column];
            *sum += (0..cell_count).map(of_tile).fold(0.0, f32::max);
        }
    }
    sums
}
