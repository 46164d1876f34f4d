//! A network as numbers: its layers, and its notes.

use std::collections::BTreeMap;

use pdb_core::{Goal, Shape};

use super::NetError;

/// Number of moves of an output that share a shift.
pub const SHIFT_MOVES: usize = 8;

/// Smallest number of weights of a later layer that is stored in eight bits.
const WHOLE_WEIGHTS_MIN: usize = 4096;

/// A layer: each output is the sum of all inputs, each times its weight, and a bias.
#[derive(Clone, Debug, PartialEq)]
pub struct Layer {
    /// Number of inputs.
    pub inputs: usize,
    /// Number of outputs.
    pub outputs: usize,
    /// `outputs` rows of `inputs` weights.
    pub weights: Vec<f32>,
    /// A bias for each output.
    pub biases: Vec<f32>,
    /// The scale of each output's weights, if they are stored in eight bits. Each weight is a whole
    /// number from -127 to 127 times the scale.
    pub scales: Option<Vec<f32>>,
}

/// A network that estimates distances to one goal.
///
/// Its input has a number for each tile and cell, the blank among the tiles: 1 where the tile is on
/// the cell, else 0, at `tile * cells + cell`. Between layers negative numbers become 0 (`ReLU`);
/// the last layer has one output, the distance in moves.
#[derive(Clone, Debug, PartialEq)]
pub struct Weights {
    /// The goal of the distances.
    pub goal: Goal,
    /// The layers, that of the input first.
    pub layers: Vec<Layer>,
    /// All other notes of the file, by key: labels, seed, error and so on.
    pub notes: BTreeMap<String, String>,
}

/// Moves by which outputs are lowered so that only a share of them may be too large.
#[derive(Clone, Debug, PartialEq)]
pub struct Shift {
    /// The share of boards that should not be overestimated, as written: `0.99`.
    pub share: String,
    /// The moves for an output below [`SHIFT_MOVES`], below twice as many, and so on; the last one
    /// is for all larger outputs.
    pub moves: Vec<f32>,
}

impl Layer {
    /// Returns the same layer with weights of eight bits.
    fn to_int8(&self) -> Self {
        let rows = self.weights.chunks_exact(self.inputs);
        let largest = |row: &[f32]| row.iter().fold(0f32, |most, weight| most.max(weight.abs()));
        let scales: Vec<f32> = rows.clone().map(|row| largest(row) / 127.0).collect();
        let weights = rows.zip(&scales).flat_map(|(row, &scale)| {
            let round = move |weight: &f32| {
                if scale == 0.0 { 0.0 } else { (weight / scale).round() * scale }
            };
            row.iter().map(round)
        });
        let (weights, biases) = (weights.collect(), self.biases.clone());
        Self { weights, biases, scales: Some(scales), ..*self }
    }

    /// Returns the weights as whole numbers, if they are stored in eight bits.
    pub(crate) fn whole(&self) -> Option<Vec<i8>> {
        let rows = self.weights.chunks_exact(self.inputs).zip(self.scales.as_ref()?);
        let whole = rows.flat_map(|(row, &scale)| {
            row.iter()
                .map(move |weight| if scale == 0.0 { 0 } else { (weight / scale).round() as i8 })
        });
        Some(whole.collect())
    }
}

impl Weights {
    /// Returns the boards' shape.
    pub fn shape(&self) -> Shape {
        self.goal.shape()
    }

    /// Returns the same network for another goal. A symmetry of the board and a renaming of the
    /// tiles map each board to one with the same distance to the network's own goal. Returns `None`
    /// if there is no such symmetry.
    pub fn for_goal(&self, goal: &Goal) -> Option<Self> {
        if self.goal == *goal {
            return Some(self.clone());
        }
        let symmetry = goal.board().symmetries_to(self.goal.board()).next()?;
        let cells = goal.shape().cell_count();
        // A tile gets the name of the one whose home is the image of its own.
        let tile = |tile: usize| self.goal.board().tile(symmetry.cell(goal.home(tile as u8)));
        let image = |input: usize| {
            let (at, cell) = (input / cells, (input % cells) as u8);
            usize::from(tile(at)) * cells + usize::from(symmetry.cell(cell))
        };
        let images: Vec<usize> = (0..cells * cells).map(image).collect();
        let mut layers = self.layers.clone();
        let first = layers.first_mut()?;
        let rows = first.weights.chunks_exact(first.inputs);
        first.weights = rows.flat_map(|row| images.iter().map(|&at| row[at])).collect();
        Some(Self { goal: *goal, layers, notes: self.notes.clone() })
    }

    /// Returns the number of weights and biases.
    pub fn count(&self) -> usize {
        self.layers.iter().map(|layer| layer.weights.len() + layer.biases.len()).sum()
    }

    /// Returns the widths of input, hidden layers and output.
    pub fn widths(&self) -> Vec<usize> {
        let first = self.layers.first().map(|layer| layer.inputs);
        first.into_iter().chain(self.layers.iter().map(|layer| layer.outputs)).collect()
    }

    /// Returns the same network with eight-bit weights: the largest one of each row becomes 127.
    /// Small layers are unchanged, because they gain little, and the last ones lose most.
    #[must_use]
    pub fn to_int8(&self) -> Self {
        let to_int8 = |(number, layer): (usize, &Layer)| {
            let is_large = number == 0 || layer.weights.len() >= WHOLE_WEIGHTS_MIN;
            if is_large && layer.scales.is_none() { layer.to_int8() } else { layer.clone() }
        };
        let layers = self.layers.iter().enumerate().map(to_int8).collect();
        Self { goal: self.goal, layers, notes: self.notes.clone() }
    }

    /// Returns the shifts of its note `shift`: a JSON object of lists by share.
    ///
    /// # Errors
    /// [`NetError::Note`] when the note is something else.
    pub fn shifts(&self) -> Result<Vec<Shift>, NetError> {
        let Some(note) = self.notes.get("shift") else { return Ok(Vec::new()) };
        let problem = |problem: String| {
            let problem = format!("a note \"shift\" that is no list of shifts: {problem}");
            NetError::Note { key: "shift", problem }
        };
        let lists: BTreeMap<String, Vec<f32>> =
            serde_json::from_str(note).map_err(|error| problem(error.to_string()))?;
        let check = |(share, moves): (String, Vec<f32>)| {
            let is_share = share.parse().is_ok_and(|share: f64| share > 0.0 && share < 1.0);
            if !is_share {
                return Err(problem(format!("{share:?} is no share between 0 and 1")));
            }
            if moves.is_empty() {
                return Err(problem(format!(
                    "{share} has an empty list: expected one shift at least"
                )));
            }
            // A negative shift would raise estimates.
            if let Some(shift) = moves.iter().find(|shift| !(0.0..=1000.0).contains(*shift)) {
                return Err(problem(format!(
                    "{share} has {shift}: expected shifts from 0 to 1000"
                )));
            }
            Ok(Shift { share, moves })
        };
        lists.into_iter().map(check).collect()
    }
}
