//! The layers of a network after the first one, which `network.rs` computes without products.

use pulp::{Simd, WithSimd};

use super::Layer;

/// Number of values that a loop computes side by side, in SIMD registers. Rows are padded with
/// zeros to a multiple of this, so that loops have no remainder.
pub(super) const LANES: usize = 16;

/// The whole number that the largest input becomes. It is so small that [`PRODUCTS_MAX`] products
/// with eight-bit weights can be added up in 32 bits.
const INPUT_MAX: f32 = 8191.0;
/// Number of products (an input times a weight) that can be added up in 32 bits without overflow.
const PRODUCTS_MAX: usize = (i32::MAX as usize / 8191 / 128) / LANES * LANES;

/// Buffers for intermediate results, which are reused for all boards.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    /// The inputs and the outputs of a layer.
    floats: [Vec<f32>; 2],
    /// The inputs of a layer, rounded to whole numbers.
    whole: Vec<i16>,
    /// The indices of the inputs that are not 0, and unused places after them.
    active: Vec<u32>,
}

/// Turns a row of weights for each output into a row of `width` weights for each input.
pub(super) fn columns<T: Copy + Default>(rows: &[T], inputs: usize, width: usize) -> Vec<T> {
    let mut weights = vec![T::default(); inputs * width];
    for (output, row) in rows.chunks_exact(inputs).enumerate() {
        for (input, &weight) in row.iter().enumerate() {
            weights[input * width + output] = weight;
        }
    }
    weights
}

/// A layer that calculates in floating-point numbers.
#[derive(Clone, Debug)]
pub(super) struct FloatLayer {
    /// Number of outputs, padded.
    width: usize,
    /// A row of `width` weights for each input.
    weights: Vec<f32>,
    biases: Vec<f32>,
}

impl FloatLayer {
    pub(super) fn new(layer: &Layer) -> Self {
        let &Layer { inputs, outputs, .. } = layer;
        let width = outputs.next_multiple_of(if outputs == 1 { 1 } else { LANES });
        let padded = inputs.next_multiple_of(LANES);
        let mut weights = columns(&layer.weights, inputs, width);
        weights.resize(padded * width, 0.0);
        let mut biases = layer.biases.clone();
        biases.resize(width, 0.0);
        Self { width, weights, biases }
    }

    /// Computes the outputs of the layer for a board, and appends them to `values`. `inputs` are
    /// padded.
    #[inline(always)]
    fn evaluate(&self, inputs: &[f32], active: &mut Vec<u32>, values: &mut Vec<f32>) {
        // About half of the inputs are 0, in no predictable order. So the indices of the others are
        // collected without a branch.
        active.resize(inputs.len() + 1, 0);
        let mut count = 0;
        for (input, &x) in (0..).zip(inputs) {
            active[count] = input;
            count += usize::from(x > 0.0);
        }
        values.extend_from_slice(&self.biases);
        let weights = |input: u32| &self.weights[input as usize * self.width..][..self.width];
        let (fours, rest) = active[..count].as_chunks::<4>();
        for four in fours {
            let [a, b, c, d] = four.map(weights);
            let [x, y, z, u] = four.map(|input| inputs[input as usize]);
            let weights = a.iter().zip(b).zip(c.iter().zip(d));
            for (value, ((a, b), (c, d))) in values.iter_mut().zip(weights) {
                *value = *value + x * a + y * b + z * c + u * d;
            }
        }
        for &input in rest {
            let x = inputs[input as usize];
            let weights = weights(input).iter();
            values.iter_mut().zip(weights).for_each(|(value, weight)| *value += x * weight);
        }
    }
}

/// A layer after the first one.
#[derive(Clone, Debug)]
pub(super) enum LaterLayer {
    Whole(WholeLayer),
    Float(FloatLayer),
}

impl LaterLayer {
    /// Makes a layer that calculates in the type of numbers of its stored weights.
    pub(super) fn new(layer: &Layer) -> Self {
        match layer.whole() {
            Some(whole) => Self::Whole(WholeLayer::new(layer, &whole)),
            None => Self::Float(FloatLayer::new(layer)),
        }
    }
}

/// A layer with eight-bit weights. They are kept in sixteen bits like the rounded inputs, because
/// SIMD multiplies numbers of one size.
///
/// The inputs of a board are scaled and rounded to whole numbers up to [`INPUT_MAX`], so that sums
/// of products are exact.
#[derive(Clone, Debug)]
pub(super) struct WholeLayer {
    /// Number of inputs, padded.
    inputs: usize,
    /// A row of `inputs` weights for each output.
    weights: Vec<i16>,
    /// For each output, the value of a weight of 1.
    scales: Vec<f32>,
    biases: Vec<f32>,
}

impl WholeLayer {
    fn new(layer: &Layer, whole: &[i8]) -> Self {
        let inputs = layer.inputs.next_multiple_of(LANES);
        let mut weights = Vec::with_capacity(inputs * layer.outputs);
        for row in whole.chunks_exact(layer.inputs) {
            weights.extend(row.iter().map(|&weight| i16::from(weight)));
            weights.resize(weights.len().next_multiple_of(inputs), 0);
        }
        let scales = layer.scales.clone().expect("it is of eight bits");
        Self { inputs, weights, scales, biases: layer.biases.clone() }
    }

    /// Computes the outputs of the layer for a board, and appends them to `values`. `inputs` are
    /// padded, and none is negative.
    #[inline(always)]
    fn evaluate(&self, inputs: &[f32], whole: &mut Vec<i16>, values: &mut Vec<f32>) {
        let (blocks, _) = inputs.as_chunks::<LANES>();
        // A maximum for each place of a block, so that SIMD finds all at once. A maximum does not
        // depend on the order.
        let mut largest = [0f32; LANES];
        for block in blocks {
            for lane in 0..LANES {
                largest[lane] =
                    if block[lane] > largest[lane] { block[lane] } else { largest[lane] };
            }
        }
        let largest = largest.into_iter().fold(0f32, f32::max);
        let factor = if largest > 0.0 { INPUT_MAX / largest } else { 0.0 };
        let input_scale = largest / INPUT_MAX;
        whole.resize(self.inputs, 0);
        let (rounded, _) = whole.as_chunks_mut::<LANES>();
        for (rounded, block) in rounded.iter_mut().zip(blocks) {
            for lane in 0..LANES {
                rounded[lane] = (block[lane] * factor + 0.5) as i32 as i16;
            }
        }
        let outputs = self.scales.iter().zip(&self.biases);
        for (weights, (&scale, &bias)) in self.weights.chunks_exact(self.inputs).zip(outputs) {
            let parts = weights.chunks(PRODUCTS_MAX).zip(whole.chunks(PRODUCTS_MAX));
            let sum: i64 =
                parts.map(|(weights, inputs)| i64::from(dot_product(weights, inputs))).sum();
            values.push(sum as f32 * (scale * input_scale) + bias);
        }
    }
}

/// Computes the outputs of the last layer from the sums of the first one.
pub(super) struct Evaluation<'a, T> {
    pub(super) layers: &'a [LaterLayer],
    /// For each unit of the first layer, the value of a sum of 1.
    pub(super) scales: &'a [f32],
    /// For each unit of the first layer, its bias.
    pub(super) biases: &'a [f32],
    /// The sums of all units for the first board, then those for the next one, and so on.
    pub(super) sums: &'a [T],
    pub(super) scratch: &'a mut Scratch,
    pub(super) outputs: &'a mut Vec<f32>,
}

impl<T: Copy + Into<f32>> WithSimd for Evaluation<'_, T> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let Self { layers, scales, biases, sums, scratch, outputs } = self;
        let Scratch { floats: [now, next], whole, active } = scratch;
        for sums in sums.chunks_exact(biases.len()) {
            // Not `extend`, which is not always compiled for wide registers.
            now.resize(sums.len(), 0.0);
            let units = sums.iter().zip(scales.iter().zip(biases));
            for (value, (&sum, (scale, bias))) in now.iter_mut().zip(units) {
                *value = sum.into() * scale + bias;
            }
            for layer in layers {
                next.clear();
                for value in &mut *now {
                    *value = value.max(0.0);
                }
                now.resize(now.len().next_multiple_of(LANES), 0.0);
                match layer {
                    LaterLayer::Whole(layer) => layer.evaluate(now, whole, next),
                    LaterLayer::Float(layer) => layer.evaluate(now, active, next),
                }
                std::mem::swap(now, next);
            }
            outputs.push(now[0]);
        }
    }
}

#[inline(always)]
fn dot_product(weights: &[i16], inputs: &[i16]) -> i32 {
    let products = weights.iter().zip(inputs);
    // At most `PRODUCTS_MAX` products are added up, so the sum cannot overflow.
    products.fold(0, |sum: i32, (&weight, &input)| {
        sum.wrapping_add(i32::from(weight).wrapping_mul(i32::from(input)))
    })
}
