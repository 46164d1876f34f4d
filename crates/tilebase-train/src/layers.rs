//! The layers of a network that is being trained: outputs forwards, gradients backwards.
//!
//! The first layer is a sum of rows of its matrix, one row for the tile on each cell. That avoids a
//! product with an input that is nearly all zeros.

use ndarray::{Array2, ArrayView1, ArrayView2, Axis, Zip};
use tilebase::sets::Dice;

/// The values of a parameter, and Adam's moments of their gradients.
#[derive(Clone, Debug)]
pub(crate) struct Parameter {
    pub(crate) dims: Vec<usize>,
    pub(crate) values: Vec<f32>,
    /// Running mean of the gradients: Adam's first moment.
    pub(crate) gradient_mean: Vec<f32>,
    /// Running mean of their squares: Adam's second moment.
    pub(crate) square_mean: Vec<f32>,
}

impl Parameter {
    pub(crate) fn new(dims: Vec<usize>, values: Vec<f32>) -> Self {
        let zeros = vec![0.0; values.len()];
        Self { dims, values, gradient_mean: zeros.clone(), square_mean: zeros }
    }

    /// Returns the weights of a layer as `[inputs, outputs]`.
    fn matrix(&self) -> ArrayView2<'_, f32> {
        let &[inputs, outputs] = &*self.dims else { unreachable!("biases are no matrix") };
        ArrayView2::from_shape((inputs, outputs), &self.values).expect("a weight for each pair")
    }

    /// Makes a step of Adam.
    pub(crate) fn step(&mut self, gradient: &[f32], rate: f64, number: u64) {
        /// Decay of both means in a step.
        const MEAN_DECAY: f64 = 0.9;
        const SQUARE_DECAY: f64 = 0.999;
        let power = number.min(100_000) as i32;
        let correction = (1.0 - SQUARE_DECAY.powi(power)).sqrt() / (1.0 - MEAN_DECAY.powi(power));
        let rate = (rate * correction) as f32;
        let (mean_decay, square_decay) = (MEAN_DECAY as f32, SQUARE_DECAY as f32);
        let means = self.gradient_mean.iter_mut().zip(&mut self.square_mean);
        for ((value, (mean, square)), &g) in self.values.iter_mut().zip(means).zip(gradient) {
            *mean = mean_decay * *mean + (1.0 - mean_decay) * g;
            *square = square_decay * *square + (1.0 - square_decay) * g * g;
            *value -= rate * *mean / (square.sqrt() + 1e-8);
        }
    }
}

/// The outputs of a network for some boards, and what their gradients need.
pub(crate) struct Pass<'a> {
    /// Weights as `[inputs, outputs]` and biases, alternately.
    parameters: &'a [Parameter],
    /// The rows of the first matrix that are summed for each board.
    rows: &'a [u32],
    /// The inputs of each layer but the first one, as `[boards, units]`. A unit that is not
    /// positive or is dropped is 0.
    inputs: Vec<Array2<f32>>,
    /// The share of units that are dropped.
    dropout: f32,
    /// One output for each board.
    pub(crate) outputs: Vec<f32>,
}

impl<'a> Pass<'a> {
    /// Works out the outputs for the boards of `rows`, and drops units by `dice`.
    pub(crate) fn new(
        parameters: &'a [Parameter],
        rows: &'a [u32],
        boards: usize,
        (dropout, dice): (f32, &mut Dice),
    ) -> Self {
        let [matrix, biases, rest @ ..] = parameters else { unreachable!("there is a layer") };
        let width = biases.values.len();
        let mut sums: Vec<f32> = Vec::with_capacity(boards * width);
        for rows in rows.chunks_exact(rows.len() / boards) {
            let first = sums.len();
            sums.extend(&biases.values);
            for &row in rows {
                let weights = &matrix.values[row as usize * width..][..width];
                sums[first..].iter_mut().zip(weights).for_each(|(sum, weight)| *sum += weight);
            }
        }
        let mut x = Array2::from_shape_vec((boards, width), sums).expect("a sum for each unit");
        let mut inputs = Vec::new();
        for (number, pair) in rest.chunks(2).enumerate() {
            x.mapv_inplace(|unit| unit.max(0.0));
            let scale = scale(dropout, number, rest.len() / 2);
            if scale > 1.0 {
                let is_dropped = |dice: &mut Dice| f32::midpoint(dice.signed_unit(), 1.0) < dropout;
                x.mapv_inplace(|unit| if is_dropped(dice) { 0.0 } else { unit * scale });
            }
            let next = x.dot(&pair[0].matrix()) + ArrayView1::from(&pair[1].values);
            inputs.push(std::mem::replace(&mut x, next));
        }
        Self { parameters, rows, inputs, dropout, outputs: x.into_iter().collect() }
    }

    /// Returns the gradient of each parameter, from the slope of the loss at each output.
    pub(crate) fn gradients(&self, slopes: Vec<f32>) -> Vec<Vec<f32>> {
        let boards = slopes.len();
        let mut slopes = Array2::from_shape_vec((boards, 1), slopes).expect("one for each board");
        let mut gradients = Vec::new();
        let layers = self.parameters[2..].chunks(2).zip(&self.inputs).enumerate();
        for (number, (pair, input)) in layers.rev() {
            gradients.push(slopes.sum_axis(Axis(0)).to_vec());
            gradients.push(input.t().dot(&slopes).into_iter().collect());
            slopes = slopes.dot(&pair[0].matrix().t());
            let scale = scale(self.dropout, number, self.inputs.len());
            Zip::from(&mut slopes).and(input).for_each(|slope, &unit| {
                *slope *= if unit > 0.0 { scale } else { 0.0 };
            });
        }
        gradients.push(slopes.sum_axis(Axis(0)).to_vec());
        let width = slopes.ncols();
        let mut sums = vec![0.0; self.parameters[0].values.len()];
        let rows = self.rows.chunks_exact(self.rows.len() / boards);
        for (slopes, rows) in slopes.rows().into_iter().zip(rows) {
            for &row in rows {
                let sums = &mut sums[row as usize * width..][..width];
                sums.iter_mut().zip(slopes).for_each(|(sum, slope)| *sum += slope);
            }
        }
        gradients.push(sums);
        gradients.reverse();
        gradients
    }
}

/// Returns the factor of the units that are kept in the input of a layer. The input of the last one
/// keeps all its units.
fn scale(dropout: f32, layer: usize, count: usize) -> f32 {
    if layer + 1 < count { 1.0 / (1.0 - dropout) } else { 1.0 }
}
