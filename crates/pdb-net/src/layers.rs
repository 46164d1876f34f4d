//! The layers after the first one, for several boards at once.

use pulp::{Simd, WithSimd};

use crate::Layer;
use crate::scratch::{LANES, Scratch};

/// The largest whole number that an input is rounded to. Products with weights of eight bits fit 32 bits
/// for so many inputs as a layer may have without being added up in parts.
const INPUT_MAX: f32 = 8191.0;
/// So many products of an input and a weight fit 32 bits together.
const PRODUCTS_MAX: usize = (i32::MAX as usize / 8191 / 128) / LANES * LANES;

/// A layer of floating-point numbers.
#[derive(Clone, Debug)]
pub(crate) struct FloatLayer {
    /// Inputs filled up.
    inputs: usize,
    /// Outputs filled up.
    width: usize,
    /// A row of `width` weights for each input.
    weights: Vec<f32>,
    biases: Vec<f32>,
}

impl FloatLayer {
    pub(crate) fn new(layer: &Layer) -> Self {
        let &Layer { inputs, outputs, .. } = layer;
        let width = outputs.next_multiple_of(if outputs == 1 { 1 } else { LANES });
        let filled = inputs.next_multiple_of(LANES);
        let mut weights = vec![0.0; filled * width];
        for (output, row) in layer.weights.chunks_exact(inputs).enumerate() {
            for (input, &weight) in row.iter().enumerate() {
                weights[input * width + output] = weight;
            }
        }
        let mut biases = layer.biases.clone();
        biases.resize(width, 0.0);
        Self { inputs: filled, width, weights, biases }
    }

    /// Works out a layer for boards whose inputs follow each other.
    #[inline(always)]
    fn of_boards(&self, inputs: &[f32], active: &mut Vec<u32>, values: &mut Vec<f32>) {
        for inputs in inputs.chunks_exact(self.inputs) {
            // About half of all units are 0 for a board. Which ones cannot be predicted, so they are
            // found without a branch.
            active.resize(inputs.len() + 1, 0);
            let mut count = 0;
            for (input, &x) in (0..).zip(inputs) {
                active[count] = input;
                count += usize::from(x > 0.0);
            }
            let begin = values.len();
            values.extend_from_slice(&self.biases);
            let values = &mut values[begin..];
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
}

/// The outputs of the last of all layers for boards whose sums in the first one are given.
pub(crate) struct FloatOutputs<'a> {
    pub(crate) layers: &'a [FloatLayer],
    /// Those of the first layer.
    pub(crate) biases: &'a [f32],
    pub(crate) sums: &'a [f32],
    pub(crate) scratch: &'a mut Scratch,
    pub(crate) outputs: &'a mut Vec<f32>,
}

impl WithSimd for FloatOutputs<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let Self { layers, biases, sums, scratch, outputs } = self;
        let Scratch { floats: [now, next], active, .. } = scratch;
        let is_last = layers.is_empty();
        now.clear();
        for sums in sums.chunks_exact(biases.len()) {
            let values = sums.iter().zip(biases).map(|(sum, bias)| sum + bias);
            if is_last {
                outputs.extend(values.take(1));
            } else {
                now.extend(values.map(|value| value.max(0.0)));
            }
        }
        let mut width = biases.len();
        for (number, layer) in layers.iter().enumerate() {
            next.clear();
            layer.of_boards(now, active, next);
            if number + 1 < layers.len() {
                for value in &mut *next {
                    *value = value.max(0.0);
                }
            }
            std::mem::swap(now, next);
            width = layer.width;
        }
        if !is_last {
            outputs.extend(now.chunks_exact(width).map(|values| values[0]));
        }
    }
}

/// A layer of a network whose first layer is of whole numbers.
#[derive(Clone, Debug)]
pub(crate) enum MixedLayer {
    Whole(WholeLayer),
    /// A small one.
    Float(FloatLayer),
}

impl MixedLayer {
    pub(crate) fn new(layer: &Layer) -> Self {
        match layer.whole() {
            Some(whole) => Self::Whole(WholeLayer::new(layer, &whole)),
            None => Self::Float(FloatLayer::new(layer)),
        }
    }
}

/// A layer of whole numbers of eight bits, which stand here as sixteen for the products.
///
/// The inputs of a board are rounded to whole numbers, of which the largest is [`INPUT_MAX`]: sums of
/// products are exact then, and what is left of the scale stands before them.
#[derive(Clone, Debug)]
pub(crate) struct WholeLayer {
    /// Inputs filled up.
    inputs: usize,
    /// A row of `inputs` weights for each output.
    weights: Vec<i16>,
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

    /// Works out a layer for a board; `inputs` are filled up, and none is negative.
    #[inline(always)]
    fn of_board(&self, inputs: &[f32], whole: &mut Vec<i16>, values: &mut Vec<f32>) {
        let (blocks, _) = inputs.as_chunks::<LANES>();
        // Maxima side by side, as the order does not matter.
        let mut largest = [0f32; LANES];
        for block in blocks {
            for lane in 0..LANES {
                largest[lane] =
                    if block[lane] > largest[lane] { block[lane] } else { largest[lane] };
            }
        }
        let largest = largest.into_iter().fold(0f32, f32::max);
        let factor = if largest > 0.0 { INPUT_MAX / largest } else { 0.0 };
        let unit = largest / INPUT_MAX;
        whole.resize(self.inputs, 0);
        let (rounded, _) = whole.as_chunks_mut::<LANES>();
        for (rounded, block) in rounded.iter_mut().zip(blocks) {
            for lane in 0..LANES {
                rounded[lane] = (block[lane] * factor + 0.5) as i32 as i16;
            }
        }
        let factors = self.scales.iter().zip(&self.biases);
        for (weights, (&scale, &bias)) in self.weights.chunks_exact(self.inputs).zip(factors) {
            let parts = weights.chunks(PRODUCTS_MAX).zip(whole.chunks(PRODUCTS_MAX));
            let sum: i64 = parts.map(|(weights, inputs)| i64::from(product(weights, inputs))).sum();
            values.push(sum as f32 * (scale * unit) + bias);
        }
    }
}

/// The outputs of the last of all layers for boards whose sums in the first one are given.
pub(crate) struct WholeOutputs<'a> {
    pub(crate) layers: &'a [MixedLayer],
    /// Those of the first layer.
    pub(crate) scales: &'a [f32],
    pub(crate) biases: &'a [f32],
    pub(crate) sums: &'a [i16],
    pub(crate) scratch: &'a mut Scratch,
    pub(crate) outputs: &'a mut Vec<f32>,
}

impl WithSimd for WholeOutputs<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let Self { layers, scales, biases, sums, scratch, outputs } = self;
        let Scratch { floats: [now, next], whole, active } = scratch;
        for sums in sums.chunks_exact(biases.len()) {
            now.clear();
            let factors = scales.iter().zip(biases);
            now.extend(
                sums.iter().zip(factors).map(|(&sum, (scale, bias))| f32::from(sum) * scale + bias),
            );
            for layer in layers {
                next.clear();
                for value in &mut *now {
                    *value = value.max(0.0);
                }
                now.resize(now.len().next_multiple_of(LANES), 0.0);
                match layer {
                    MixedLayer::Whole(layer) => layer.of_board(now, whole, next),
                    MixedLayer::Float(layer) => layer.of_boards(now, active, next),
                }
                std::mem::swap(now, next);
            }
            outputs.push(now[0]);
        }
    }
}

#[inline(always)]
fn product(weights: &[i16], inputs: &[i16]) -> i32 {
    let products = weights.iter().zip(inputs);
    // It fits; nothing is checked where it is added up.
    products.fold(0, |sum: i32, (&weight, &input)| {
        sum.wrapping_add(i32::from(weight).wrapping_mul(i32::from(input)))
    })
}
