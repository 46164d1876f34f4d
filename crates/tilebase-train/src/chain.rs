//! A chain of linear layers with `ReLU` between them, in 32-bit floats: its outputs, gradients, and
//! steps of Adam.
//!
//! Only additions, multiplications, divisions and square roots are used, in a fixed order, so that
//! every machine computes the same numbers.

use tilebase::sets::Dice;

/// Sums that a product of two lists is split into, so that the compiler can vectorize it.
const LANES: usize = 8;

/// A linear layer: the places of its parameters in those of the chain.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Linear {
    pub(crate) inputs: usize,
    pub(crate) outputs: usize,
    /// The first of the weights, `[inputs, outputs]`. The biases follow them.
    weights: usize,
}

impl Linear {
    fn biases(&self) -> usize {
        self.weights + self.inputs * self.outputs
    }

    fn end(&self) -> usize {
        self.biases() + self.outputs
    }
}

/// A network whose first layer sums rows of its matrix, one for each input that is 1. All other
/// inputs are 0.
#[derive(Clone, Debug)]
pub(crate) struct Chain {
    layers: Vec<Linear>,
    /// The first of the direct weights, one for each input, which are added to the output.
    direct: Option<usize>,
    /// All parameters.
    pub(crate) values: Vec<f32>,
}

/// The numbers of one evaluation that its gradient needs.
#[derive(Debug, Default)]
pub(crate) struct Units {
    /// The share of units that each evaluation drops, and what draws them. The last hidden layer
    /// keeps all its units.
    pub(crate) dropout: Option<(f32, Dice)>,
    /// Outputs of each layer, after `ReLU`.
    layers: Vec<Vec<f32>>,
    /// Gradients of the outputs of two layers.
    gradients: [Vec<f32>; 2],
}

impl Chain {
    /// Makes a chain of the hidden layers with these widths and of a last layer with one output.
    /// Weights are random and their sizes fit the number of inputs that are not zero, which is
    /// `active` in the first layer. Biases and direct weights are 0.
    pub(crate) fn new(
        inputs: usize,
        active: usize,
        hidden: &[usize],
        is_direct: bool,
        dice: &mut Dice,
    ) -> Self {
        let (mut layers, mut values) = (Vec::new(), Vec::new());
        let mut width = inputs;
        for &outputs in hidden.iter().chain(&[1]) {
            layers.push(Linear { inputs: width, outputs, weights: values.len() });
            let active = if layers.len() == 1 { active } else { width };
            let range = (6.0 / active as f32).sqrt() * if outputs == 1 { 0.3 } else { 1.0 };
            values.extend((0..width * outputs).map(|_| range * dice.signed_unit()));
            values.resize(values.len() + outputs, 0.0);
            width = outputs;
        }
        let direct = is_direct.then_some(values.len());
        values.resize(values.len() + if is_direct { inputs } else { 0 }, 0.0);
        Self { layers, direct, values }
    }

    pub(crate) fn layers(&self) -> &[Linear] {
        &self.layers
    }

    /// Returns the weights `[inputs, outputs]` of a layer.
    pub(crate) fn weights(&self, layer: &Linear) -> &[f32] {
        &self.values[layer.weights..layer.biases()]
    }

    /// Returns the weights of a layer, to change them.
    pub(crate) fn weights_mut(&mut self, layer: &Linear) -> &mut [f32] {
        &mut self.values[layer.weights..layer.biases()]
    }

    /// Returns the biases of a layer.
    pub(crate) fn biases(&self, layer: &Linear) -> &[f32] {
        &self.values[layer.biases()..layer.end()]
    }

    /// Returns the direct weights, one for each input.
    pub(crate) fn direct(&self) -> &[f32] {
        self.direct.map_or(&[], |first| &self.values[first..])
    }

    /// Returns the output if the inputs `rows` are 1.
    #[inline(always)]
    pub(crate) fn output(&self, rows: &[u32], units: &mut Units) -> f32 {
        units.layers.resize(self.layers.len(), Vec::new());
        for (number, layer) in self.layers.iter().enumerate() {
            let weights = self.weights(layer);
            let (before, after) = units.layers.split_at_mut(number);
            let sums = &mut after[0];
            sums.clear();
            sums.extend_from_slice(self.biases(layer));
            let row = |input: usize| &weights[input * layer.outputs..][..layer.outputs];
            if let Some(inputs) = before.last() {
                for (input, &value) in inputs.iter().enumerate() {
                    if value > 0.0 {
                        add(sums, value, row(input));
                    }
                }
            } else {
                for &input in rows {
                    add(sums, 1.0, row(input as usize));
                }
            }
            if number + 1 < self.layers.len() {
                for sum in &mut *sums {
                    *sum = sum.max(0.0);
                }
            }
            if number + 2 < self.layers.len()
                && let Some((share, dice)) = &mut units.dropout
            {
                for sum in sums {
                    let is_dropped = f32::midpoint(dice.signed_unit(), 1.0) < *share;
                    *sum = if is_dropped { 0.0 } else { *sum / (1.0 - *share) };
                }
            }
        }
        let output = units.layers.last().expect("there is a layer")[0];
        let direct = self.direct();
        if direct.is_empty() {
            return output;
        }
        rows.iter().fold(output, |output, &input| output + direct[input as usize])
    }

    /// Adds the gradient of `of_output * output` to `gradient`, after [`Self::output`] of the same
    /// rows.
    #[inline(always)]
    pub(crate) fn add_gradient(
        &self,
        rows: &[u32],
        units: &mut Units,
        of_output: f32,
        gradient: &mut [f32],
    ) {
        let Units { dropout, layers: outputs, gradients: [after, before] } = units;
        after.clear();
        after.push(of_output);
        for (number, layer) in self.layers.iter().enumerate().rev() {
            add(&mut gradient[layer.biases()..layer.end()], 1.0, after);
            let of_weights = &mut gradient[layer.weights..layer.biases()];
            let row = |input: usize| input * layer.outputs..(input + 1) * layer.outputs;
            let Some(number) = number.checked_sub(1) else {
                for &input in rows {
                    add(&mut of_weights[row(input as usize)], 1.0, after);
                }
                break;
            };
            let weights = self.weights(layer);
            let scale = match dropout {
                Some((share, _)) if number + 2 < self.layers.len() => 1.0 / (1.0 - *share),
                _ => 1.0,
            };
            before.clear();
            for (input, &value) in outputs[number].iter().enumerate() {
                let is_active = value > 0.0;
                let slope = if is_active { product(&weights[row(input)], after) } else { 0.0 };
                before.push(scale * slope);
                if is_active {
                    add(&mut of_weights[row(input)], value, after);
                }
            }
            std::mem::swap(after, before);
        }
        if let Some(first) = self.direct {
            for &input in rows {
                gradient[first + input as usize] += of_output;
            }
        }
    }
}

/// Adds a multiple of a list to another one.
#[inline(always)]
fn add(sums: &mut [f32], factor: f32, values: &[f32]) {
    for (sum, value) in sums.iter_mut().zip(values) {
        *sum += factor * value;
    }
}

/// Returns the sum of products, in the order of [`LANES`].
#[inline(always)]
fn product(left: &[f32], right: &[f32]) -> f32 {
    let ((left, left_rest), (right, right_rest)) =
        (left.as_chunks::<LANES>(), right.as_chunks::<LANES>());
    let mut sums = [0.0; LANES];
    for (left, right) in left.iter().zip(right) {
        for lane in 0..LANES {
            sums[lane] += left[lane] * right[lane];
        }
    }
    let rest = left_rest.iter().zip(right_rest).map(|(left, right)| left * right);
    sums.into_iter().chain(rest).sum()
}

/// The running means of Adam (D. Kingma and J. Ba, "Adam: a method for stochastic optimization",
/// 2015).
#[derive(Clone, Debug)]
pub(crate) struct Adam {
    pub(crate) means: Vec<f32>,
    pub(crate) squares: Vec<f32>,
    /// Decay of both means over all steps so far.
    pub(crate) decays: [f32; 2],
}

impl Adam {
    /// Decay of both means in a step.
    const DECAYS: [f32; 2] = [0.9, 0.999];

    pub(crate) fn new(count: usize) -> Self {
        Self { means: vec![0.0; count], squares: vec![0.0; count], decays: [1.0; 2] }
    }

    /// Makes a step against a gradient, which is `factor` times the given one.
    pub(crate) fn step(&mut self, values: &mut [f32], gradient: &[f32], factor: f32, rate: f32) {
        let [of_mean, of_square] = Self::DECAYS;
        self.decays = [self.decays[0] * of_mean, self.decays[1] * of_square];
        let [of_means, of_squares] = self.decays;
        let rate = rate * (1.0 - of_squares).sqrt() / (1.0 - of_means);
        let means = self.means.iter_mut().zip(&mut self.squares);
        for ((value, (mean, square)), &gradient) in values.iter_mut().zip(means).zip(gradient) {
            let gradient = factor * gradient;
            *mean = of_mean * *mean + (1.0 - of_mean) * gradient;
            *square = of_square * *square + (1.0 - of_square) * gradient * gradient;
            *value -= rate * *mean / (square.sqrt() + 1e-8);
        }
    }
}
