//! The training loop: steps of Adam on batches of labelled boards.

use std::collections::BTreeMap;

use pdb_core::Goal;
use pdb_core::processor::with_wide_registers;
use pdb_lab::networks::{Layer, Weights};
use serde::{Deserialize, Serialize};

use crate::Labels;
use crate::chain::{Adam, Chain, Units};
use crate::dice::Purpose;
use crate::mirror::mirrored_pairs;

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

impl Loss {
    /// Returns the loss of an output that is `error` above the distance, and its slope.
    fn at(self, error: f32) -> (f32, f32) {
        match self {
            Self::Squared => (error * error, 2.0 * error),
            Self::Absolute => {
                let small = error.clamp(-1.0, 1.0);
                (small * (error - small / 2.0), small)
            }
            Self::Quantile(share) => {
                let slope = if error > 0.0 { share } else { share - 1.0 };
                (error * slope, slope)
            }
        }
    }
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

/// A network that is being trained.
#[derive(Debug)]
pub struct Trainer {
    pub(crate) goal: Goal,
    pub(crate) recipe: Recipe,
    pub(crate) chain: Chain,
    pub(crate) adam: Adam,
    /// Number of steps done.
    pub(crate) step: u64,
    /// The mirror image of each pair of a tile and a cell.
    mirror: Option<Vec<u32>>,
}

impl Trainer {
    /// Creates a network that starts near Manhattan distance.
    pub fn new(goal: &Goal, recipe: &Recipe) -> Self {
        let cells = goal.shape().cell_count();
        let mut dice = Purpose::Weights.dice(recipe.seed, 0);
        let mut chain = Chain::new(cells * cells, cells, &recipe.hidden, false, &mut dice);
        // The first unit of each layer passes Manhattan distance on.
        for (number, layer) in chain.layers().to_vec().iter().enumerate() {
            let rows = chain.weights_mut(layer).chunks_exact_mut(layer.outputs);
            for (input, row) in rows.enumerate() {
                row[0] = match (number, layer.outputs) {
                    (0, outputs) => first_unit(goal, input, outputs == 1),
                    (_, 1) if input > 0 => row[0],
                    (_, 1) => UNIT,
                    _ => f32::from(u8::from(input == 0)),
                };
            }
        }
        let adam = Adam::new(chain.values.len());
        let mirror = recipe.mirrors.then(|| mirrored_pairs(goal)).flatten();
        Self { goal: *goal, recipe: recipe.clone(), chain, adam, step: 0, mirror }
    }

    /// Takes an existing network, to train it further. The widths of its layers replace those of
    /// the recipe.
    pub fn of_weights(weights: &Weights, recipe: &Recipe) -> Self {
        let mut hidden: Vec<usize> = weights.layers.iter().map(|layer| layer.outputs).collect();
        hidden.pop();
        let mut trainer = Self::new(&weights.goal, &Recipe { hidden, ..recipe.clone() });
        let values = &mut trainer.chain.values;
        values.clear();
        for layer in &weights.layers {
            let &Layer { inputs, outputs, .. } = layer;
            let at = |number: usize| layer.weights[number % outputs * inputs + number / outputs];
            values.extend((0..inputs * outputs).map(at));
            values.extend(&layer.biases);
        }
        trainer
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
    pub fn step(&mut self, labels: &Labels, numbers: &[u32]) -> f32 {
        let mut dice = Purpose::Step.dice(self.recipe.seed, self.step);
        let mut rows = Vec::new();
        for &number in numbers {
            let mirrored = self.mirror.is_some() && dice.below(2) == 0;
            self.rows(labels, number as usize, mirrored, &mut rows);
        }
        let mut units = Units::default();
        if self.recipe.dropout > 0.0 {
            units.dropout = Some((self.recipe.dropout, dice));
        }
        let mut gradient = vec![0.0; self.chain.values.len()];
        let mut loss = 0.0;
        let cells = self.goal.shape().cell_count();
        with_wide_registers(
            #[inline(always)]
            || {
                for (rows, &number) in rows.chunks_exact(cells).zip(numbers) {
                    let distance = f32::from(labels.distance(number as usize));
                    let output = self.chain.output(rows, &mut units);
                    let (cost, slope) = self.recipe.loss.at(output - distance);
                    loss += cost;
                    self.chain.add_gradient(rows, &mut units, slope, &mut gradient);
                }
            },
        );
        let share = 1.0 / numbers.len() as f32;
        let rate = self.rate() as f32;
        self.step += 1;
        self.adam.step(&mut self.chain.values, &gradient, share, rate);
        loss * share
    }

    /// Returns the outputs of the network for labelled boards.
    pub fn outputs(&self, labels: &Labels, numbers: &[u32]) -> Vec<f32> {
        let mut outputs = Vec::with_capacity(numbers.len());
        let (mut rows, mut units) = (Vec::new(), Units::default());
        with_wide_registers(
            #[inline(always)]
            || {
                for &number in numbers {
                    rows.clear();
                    self.rows(labels, number as usize, false, &mut rows);
                    outputs.push(self.chain.output(&rows, &mut units));
                }
            },
        );
        outputs
    }

    /// Returns the network's weights.
    pub fn weights(&self) -> Weights {
        let layers = self.chain.layers().iter().map(|layer| {
            let weights = self.chain.weights(layer);
            let of_output = |output: usize| weights.iter().skip(output).step_by(layer.outputs);
            Layer {
                inputs: layer.inputs,
                outputs: layer.outputs,
                weights: (0..layer.outputs).flat_map(of_output).copied().collect(),
                biases: self.chain.biases(layer).to_vec(),
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
