//! The training loop: steps of Adam on batches of labelled boards.

use std::collections::BTreeMap;

use candle_core::{Device, Tensor, Var};
use pdb_core::Goal;
use pdb_lab::networks::{Layer, Weights};
use serde::{Deserialize, Serialize};
use tilebase::sets::Dice;

use crate::columns::SumColumns;
use crate::dice::Purpose;
use crate::mirror::mirrored_pairs;
use crate::{Labels, TrainError};

/// Unit of Manhattan distance in the initial network: it brings the distance near the size of other
/// activations.
const UNIT: f32 = 16.0;

/// The loss that training minimizes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Loss {
    /// The squared error. Its minimum is the mean of the distances of boards that look alike.
    Squared,
    /// The absolute error, squared below 1. Its minimum is close to the median.
    Absolute,
    /// The pinball loss for the share of estimates that must not exceed the distance.
    Quantile(f32),
}

/// The settings of a training.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Recipe {
    /// Widths of the hidden layers.
    pub hidden: Vec<usize>,
    /// The loss to minimize.
    pub loss: Loss,
    /// Number of boards per step.
    pub batch: usize,
    /// Total number of steps.
    pub steps: u64,
    /// Largest step size of Adam. It falls to 0 along half a cosine. If `steps` is 0, as in a
    /// curriculum, it is constant.
    pub rate: f64,
    /// Share of hidden units that each step drops. The last hidden layer keeps all its units.
    pub dropout: f32,
    /// Whether boards are mirrored at random, if a symmetry keeps the goal.
    pub mirrors: bool,
    /// Seed of the weights, the order of boards and the mirrors.
    pub seed: u64,
}

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
    fn new(dims: Vec<usize>, values: Vec<f32>) -> Self {
        let zeros = vec![0.0; values.len()];
        Self { dims, values, gradient_mean: zeros.clone(), square_mean: zeros }
    }

    /// Makes a step of Adam.
    fn step(&mut self, gradient: &[f32], rate: f64, number: u64) {
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

/// A network that is being trained.
#[derive(Debug)]
pub struct Trainer {
    pub(crate) goal: Goal,
    pub(crate) recipe: Recipe,
    /// Weights as `[inputs, outputs]` and biases, alternately.
    pub(crate) parameters: Vec<Parameter>,
    /// Number of steps done.
    pub(crate) step: u64,
    /// The mirror image of each pair of a tile and a cell.
    mirror: Option<Vec<u32>>,
}

impl Trainer {
    /// Creates a network that starts near Manhattan distance.
    pub fn new(goal: &Goal, recipe: &Recipe) -> Self {
        let cells = goal.shape().cell_count();
        let widths: Vec<usize> = std::iter::once(cells * cells)
            .chain(recipe.hidden.iter().copied())
            .chain([1])
            .collect();
        let mut dice = Purpose::Weights.dice(recipe.seed, 0);
        let mut parameters = Vec::new();
        for (number, pair) in widths.windows(2).enumerate() {
            let [inputs, outputs] = [pair[0], pair[1]];
            // For each cell, only one input of the first layer is not zero.
            let active = if number == 0 { cells } else { inputs };
            let range = (6.0 / active as f32).sqrt() * if outputs == 1 { 0.3 } else { 1.0 };
            let mut values: Vec<f32> =
                (0..inputs * outputs).map(|_| range * dice.signed_unit()).collect();
            // The first unit of each layer passes Manhattan distance on.
            for input in 0..inputs {
                values[input * outputs] = match (number, outputs) {
                    (0, _) => first_unit(goal, input, outputs == 1),
                    (_, 1) if input > 0 => values[input * outputs],
                    (_, 1) => UNIT,
                    _ => f32::from(u8::from(input == 0)),
                };
            }
            parameters.push(Parameter::new(vec![inputs, outputs], values));
            parameters.push(Parameter::new(vec![outputs], vec![0.0; outputs]));
        }
        let mirror = recipe.mirrors.then(|| mirrored_pairs(goal)).flatten();
        Self { goal: *goal, recipe: recipe.clone(), parameters, step: 0, mirror }
    }

    /// Takes an existing network, to train it further or to evaluate it with candle.
    pub fn of_weights(weights: &Weights, recipe: &Recipe) -> Self {
        let mut parameters = Vec::new();
        for layer in &weights.layers {
            let &Layer { inputs, outputs, .. } = layer;
            let at = |number: usize| layer.weights[number % outputs * inputs + number / outputs];
            let values = (0..inputs * outputs).map(at).collect();
            parameters.push(Parameter::new(vec![inputs, outputs], values));
            parameters.push(Parameter::new(vec![outputs], layer.biases.clone()));
        }
        let mirror = recipe.mirrors.then(|| mirrored_pairs(&weights.goal)).flatten();
        Self { goal: weights.goal, recipe: recipe.clone(), parameters, step: 0, mirror }
    }

    /// Returns the step size of the next step.
    fn rate(&self) -> f64 {
        let Recipe { steps, rate, .. } = self.recipe;
        if steps == 0 {
            return rate;
        }
        let warm = ((self.step + 1) as f64 / 200.0).min(1.0);
        let done = (self.step as f64 / steps.max(1) as f64).min(1.0);
        rate * warm * (0.5 + 0.5 * (std::f64::consts::PI * done).cos()).max(0.002)
    }

    fn rows(&self, labels: &Labels, number: usize, mirrored: bool, rows: &mut Vec<u32>) {
        let tiles = labels.tiles(number);
        let cells = tiles.len();
        let pairs = (0..).zip(tiles).map(|(cell, &tile)| usize::from(tile) * cells + cell);
        match &self.mirror {
            Some(mirror) if mirrored => rows.extend(pairs.map(|pair| mirror[pair])),
            _ => rows.extend(pairs.map(|pair| pair as u32)),
        }
    }

    /// Makes a step on the boards with these numbers; returns the loss.
    ///
    /// # Errors
    /// [`TrainError::Candle`].
    pub fn step(&mut self, labels: &Labels, numbers: &[u32]) -> Result<f32, TrainError> {
        let cells = self.goal.shape().cell_count();
        let device = Device::Cpu;
        let mut dice = Purpose::Step.dice(self.recipe.seed, self.step);
        let mut rows = Vec::with_capacity(numbers.len() * cells);
        let mut distances = Vec::with_capacity(numbers.len());
        for &number in numbers {
            let mirrored = self.mirror.is_some() && dice.below(2) == 0;
            self.rows(labels, number as usize, mirrored, &mut rows);
            distances.push(f32::from(labels.distance(number as usize)));
        }
        let rows = Tensor::from_vec(rows, (numbers.len(), cells), &device)?;
        let distances = Tensor::from_vec(distances, numbers.len(), &device)?;
        let variables = self.variables()?;
        let output = forward(&variables, &rows, self.recipe.dropout, Some(&mut dice))?;
        let loss = match self.recipe.loss {
            Loss::Squared => (output - distances)?.sqr()?.mean_all()?,
            Loss::Absolute => {
                let error = (output - distances)?.abs()?;
                let small = error.minimum(1f32)?;
                // The loss is e^2 / 2 if |e| < 1, and |e| - 1/2 otherwise.
                ((&small * (error - (&small * 0.5)?)?)?).mean_all()?
            }
            Loss::Quantile(share) => {
                let error = (distances - output)?;
                let share = f64::from(share);
                // Each move above the distance costs `share`, each move below it costs `1 - share`.
                (&error * (1.0 - share))?.maximum(&(&error * -share)?)?.mean_all()?
            }
        };
        let gradients = loss.backward()?;
        let rate = self.rate();
        self.step += 1;
        for (variable, parameter) in variables.iter().zip(&mut self.parameters) {
            let Some(gradient) = gradients.get(variable) else { continue };
            let gradient = gradient.flatten_all()?.to_vec1::<f32>()?;
            parameter.step(&gradient, rate, self.step);
        }
        Ok(loss.to_scalar()?)
    }

    fn variables(&self) -> Result<Vec<Var>, TrainError> {
        let of = |parameter: &Parameter| -> Result<Var, TrainError> {
            Ok(Var::from_slice(&parameter.values, parameter.dims.as_slice(), &Device::Cpu)?)
        };
        self.parameters.iter().map(of).collect()
    }

    /// Returns candle's outputs of the network for labelled boards.
    ///
    /// # Errors
    /// [`TrainError::Candle`].
    pub fn outputs(&self, labels: &Labels, numbers: &[u32]) -> Result<Vec<f32>, TrainError> {
        let cells = self.goal.shape().cell_count();
        let variables = self.variables()?;
        let mut outputs = Vec::with_capacity(numbers.len());
        for numbers in numbers.chunks(4096) {
            let mut rows = Vec::new();
            for &number in numbers {
                self.rows(labels, number as usize, false, &mut rows);
            }
            let rows = Tensor::from_vec(rows, (numbers.len(), cells), &Device::Cpu)?;
            outputs.extend(forward(&variables, &rows, 0.0, None)?.to_vec1::<f32>()?);
        }
        Ok(outputs)
    }

    /// Returns the network's weights.
    pub fn weights(&self) -> Weights {
        let layers = self.parameters.chunks(2).map(|pair| {
            let [weights, biases] = pair else { unreachable!("each layer has both") };
            let (inputs, outputs) = (weights.dims[0], weights.dims[1]);
            let at = |row: usize, col: usize| weights.values[col * outputs + row];
            let rows = (0..outputs).flat_map(|row| (0..inputs).map(move |col| (row, col)));
            Layer {
                inputs,
                outputs,
                weights: rows.map(|(row, col)| at(row, col)).collect(),
                biases: biases.values.clone(),
                scales: None,
            }
        });
        Weights { goal: self.goal, layers: layers.collect(), notes: BTreeMap::new() }
    }
}

/// Returns the weight of the first unit for a tile on a cell: its share of Manhattan distance.
fn first_unit(goal: &Goal, input: usize, is_last: bool) -> f32 {
    let shape = goal.shape();
    let cells = shape.cell_count();
    let (tile, cell) = ((input / cells) as u8, (input % cells) as u8);
    let distance = if tile == 0 { 0 } else { shape.distance(cell, goal.home(tile)) };
    distance as f32 / if is_last { 1.0 } else { UNIT }
}

fn forward(
    variables: &[Var],
    rows: &Tensor,
    dropout: f32,
    mut dice: Option<&mut Dice>,
) -> Result<Tensor, TrainError> {
    let [matrix, biases, rest @ ..] = variables else { unreachable!("there is a layer") };
    let mut x = rows.apply_op2(matrix.as_tensor(), SumColumns)?.broadcast_add(biases)?;
    let count = rest.len() / 2;
    for (number, pair) in rest.chunks(2).enumerate() {
        x = x.relu()?;
        // The last hidden layer keeps all its units.
        let is_thinned = dropout > 0.0 && number + 1 < count;
        if let Some(dice) = dice.as_deref_mut().filter(|_| is_thinned) {
            let scale = 1.0 / (1.0 - dropout);
            let keep =
                |_| if f32::midpoint(dice.signed_unit(), 1.0) < dropout { 0.0 } else { scale };
            let mask: Vec<f32> = (0..x.elem_count()).map(keep).collect();
            x = (x.clone() * Tensor::from_vec(mask, x.shape().clone(), &Device::Cpu)?)?;
        }
        x = x.matmul(&pair[0])?.broadcast_add(&pair[1])?;
    }
    Ok(x.squeeze(1)?)
}
