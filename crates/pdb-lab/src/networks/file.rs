//! Files of weights: safetensors, with notes about the network in the metadata.
//!
//! A file consists of the length of its header in eight bytes, the header, and the numbers of all
//! tensors. The header is a JSON object: each tensor has a type, a shape and the position of its
//! numbers, and `__metadata__` has texts by key. Everything is checked: lengths against the file,
//! positions against shapes, that each byte belongs to one tensor, and that numbers are finite.

use std::collections::BTreeMap;

use pdb_core::{Board, Goal};
use serde::{Deserialize, Serialize};

use super::{Layer, NetError, Weights};

/// Size limit of a file, in bytes.
pub const FILE_BYTES_MAX: u64 = 16 << 20;
/// Largest number of layers.
const LAYERS_MAX: usize = 16;
/// Largest absolute value of a network's numbers, so that sums of products are finite.
const NUMBER_MAX: u32 = 1_000_000;
/// The note of the format.
const FORMAT: &str = "tilebase-net-1";
/// Keys of the notes that a network must have, and of the digest; they are not among
/// [`Weights::notes`].
const FORMAT_KEY: &str = "format";
const SHAPE_KEY: &str = "shape";
const GOAL_KEY: &str = "goal";
const DIGEST_KEY: &str = "digest";
/// The types of numbers.
const FLOAT: &str = "F32";
const WHOLE: &str = "I8";

/// The place, the type and the shape of a tensor. Files have them in this order.
#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Tensor {
    data_offsets: [u64; 2],
    dtype: String,
    shape: Vec<u64>,
}

/// The header of a file. Its names are in the order of the alphabet.
#[derive(Debug, Deserialize, Serialize)]
struct FileHeader {
    #[serde(flatten)]
    tensors: BTreeMap<String, Tensor>,
    #[serde(rename = "__metadata__", default)]
    notes: Notes,
}

/// The tensors of a file that no layer has taken.
struct Tensors<'a> {
    tensors: BTreeMap<String, Tensor>,
    numbers: &'a [u8],
}

impl Weights {
    /// Reads and checks a file.
    ///
    /// # Errors
    /// A [`NetError`] with the first problem.
    pub fn read(bytes: &[u8]) -> Result<Self, NetError> {
        let length = bytes.len() as u64;
        if length > FILE_BYTES_MAX {
            return Err(NetError::TooLong { found: length, max: FILE_BYTES_MAX });
        }
        let wrong = |expected| NetError::Length { expected, found: length };
        let (head, rest) = bytes.split_first_chunk::<8>().ok_or_else(|| wrong(8))?;
        let header_bytes = u64::from_le_bytes(*head);
        let header_end = header_bytes.saturating_add(8);
        let at = usize::try_from(header_bytes).map_err(|_| wrong(header_end))?;
        let (header, numbers) = rest.split_at_checked(at).ok_or_else(|| wrong(header_end))?;
        let (tensors, mut notes, numbers_end) = read_header(header)?;
        if numbers_end != numbers.len() as u64 {
            return Err(wrong(header_end.saturating_add(numbers_end)));
        }
        let digests = notes.remove(DIGEST_KEY).map(|expected| (expected, digest(&notes, numbers)));
        let goal = read_goal(&mut notes)?;
        let layers = Tensors { tensors, numbers }.layers(&goal)?;
        let weights = Self { goal, layers, notes };
        weights.shifts()?;
        match digests {
            Some((expected, found)) if expected != found => {
                Err(NetError::Digest { expected, found })
            }
            _ => Ok(weights),
        }
    }

    /// Writes the file: the same bytes for the same network.
    pub fn write(&self) -> Vec<u8> {
        let mut notes = self.notes.clone();
        notes.insert(FORMAT_KEY.to_owned(), FORMAT.to_owned());
        notes.insert(SHAPE_KEY.to_owned(), self.shape().to_string());
        notes.insert(GOAL_KEY.to_owned(), self.goal.board().to_string());
        let (mut tensors, mut numbers) = (BTreeMap::new(), Vec::new());
        let mut put = |name: String, dtype: &str, shape: &[usize], bytes: &[u8]| {
            let begin = numbers.len() as u64;
            numbers.extend_from_slice(bytes);
            let data_offsets = [begin, numbers.len() as u64];
            let shape = shape.iter().map(|&side| side as u64).collect();
            tensors.insert(name, Tensor { data_offsets, dtype: dtype.to_owned(), shape });
        };
        let floats = |values: &[f32]| -> Vec<u8> {
            values.iter().flat_map(|value| value.to_le_bytes()).collect()
        };
        // Numbers of four bytes come first, so that all of them are aligned.
        for (number, layer) in self.layers.iter().enumerate() {
            put(format!("{number}.bias"), FLOAT, &[layer.outputs], &floats(&layer.biases));
            if let Some(scales) = &layer.scales {
                put(format!("{number}.scale"), FLOAT, &[layer.outputs], &floats(scales));
            }
        }
        for (number, layer) in self.layers.iter().enumerate() {
            let (name, shape) = (format!("{number}.weight"), [layer.outputs, layer.inputs]);
            match layer.whole() {
                Some(whole) => put(name, WHOLE, &shape, bytemuck::cast_slice(&whole)),
                None => put(name, FLOAT, &shape, &floats(&layer.weights)),
            }
        }
        notes.insert(DIGEST_KEY.to_owned(), digest(&notes, &numbers));
        let header = FileHeader { tensors, notes };
        let mut header = serde_json::to_vec(&header).expect("numbers and texts are JSON");
        // The numbers begin at a multiple of eight bytes.
        header.resize(header.len().next_multiple_of(8), b' ');
        let mut bytes = (header.len() as u64).to_le_bytes().to_vec();
        bytes.append(&mut header);
        bytes.append(&mut numbers);
        bytes
    }
}

type Notes = BTreeMap<String, String>;

/// Returns the BLAKE3 digest of the numbers and of all notes except the digest itself, in the order
/// of their keys. Positions and shapes are checked against the numbers, so the digest does not
/// cover them.
fn digest(notes: &Notes, numbers: &[u8]) -> String {
    let mut hasher = blake3::Hasher::new();
    for text in notes.iter().flat_map(|(key, value)| [key, value]) {
        hasher.update(&(text.len() as u64).to_le_bytes());
        hasher.update(text.as_bytes());
    }
    hasher.update(numbers).finalize().to_hex().to_string()
}

/// Reads the tensors of a header, whose places follow one another, the notes, and the end of the
/// last place.
fn read_header(header: &[u8]) -> Result<(BTreeMap<String, Tensor>, Notes, u64), NetError> {
    let problem = |error: serde_json::Error| NetError::Header { problem: error.to_string() };
    let FileHeader { notes, tensors } = serde_json::from_slice(header).map_err(problem)?;
    let mut in_order: Vec<_> = tensors.iter().collect();
    in_order.sort_unstable_by_key(|(_, tensor)| tensor.data_offsets);
    let mut at = 0;
    for (name, Tensor { dtype, shape, data_offsets: [begin, end] }) in in_order {
        let size = match dtype.as_str() {
            FLOAT => 4,
            WHOLE => 1,
            _ => return Err(NetError::of_type(name, dtype, "F32 or I8")),
        };
        let bytes = shape.iter().try_fold(size, |bytes: u64, &side| bytes.checked_mul(side));
        if *begin != at || bytes.and_then(|bytes| bytes.checked_add(at)) != Some(*end) {
            return Err(NetError::Tensor {
                found: format!(
                    "{name} of type {dtype} and shape {shape:?} at bytes {begin} to {end}"
                ),
                expected: format!("its numbers, and no others, from byte {at} on"),
            });
        }
        at = *end;
    }
    Ok((tensors, notes, at))
}

/// Checks the notes of format and shape, and returns the goal; all three are removed from the
/// notes.
fn read_goal(notes: &mut Notes) -> Result<Goal, NetError> {
    let problem = |key, problem| NetError::Note { key, problem };
    let missing = |key| {
        let expected = "format = \"tilebase-net-1\", shape = \"4x4\" and goal = \"1 2 3 4/5 6 7 8/9 10 11 \
                        12/13 14 15 0\" (see docs/neural.md)";
        problem(key, format!("no note {key:?}: expected the metadata {expected}"))
    };
    let mut take = |key: &'static str| notes.remove(key).ok_or_else(|| missing(key));
    let (format, shape, goal) = (take(FORMAT_KEY)?, take(SHAPE_KEY)?, take(GOAL_KEY)?);
    if format != FORMAT {
        let found =
            format!("the format {format:?}: expected {FORMAT:?}; a newer version may read it");
        return Err(problem(FORMAT_KEY, found));
    }
    let board: Board = goal
        .parse()
        .map_err(|error| problem(GOAL_KEY, format!("a goal that is no board: {error}")))?;
    if shape != board.shape().to_string() {
        let found = format!("the shape {shape:?}: expected {}, as its goal has", board.shape());
        return Err(problem(SHAPE_KEY, found));
    }
    Ok(Goal::new(board))
}

impl Tensors<'_> {
    /// Takes all layers, which must use all tensors.
    fn layers(mut self, goal: &Goal) -> Result<Vec<Layer>, NetError> {
        let cells = goal.shape().cell_count();
        let mut layers: Vec<Layer> = Vec::new();
        while layers.len() < LAYERS_MAX && (layers.is_empty() || !self.tensors.is_empty()) {
            let number = layers.len();
            let weight = format!("{number}.weight");
            if !layers.is_empty() && !self.tensors.contains_key(&weight) {
                break;
            }
            let inputs = layers.last().map_or(cells * cells, |layer| layer.outputs);
            layers.push(self.layer(number, inputs)?);
        }
        if let Some(tensor) = self.tensors.into_keys().next() {
            let expected =
                "0.weight, 0.bias, 1.weight and so on, and 0.scale beside weights of type I8";
            let (found, expected) = (format!("a tensor {tensor:?}"), expected.to_owned());
            return Err(NetError::Tensor { found, expected });
        }
        let last = layers.last().expect("there is one layer at least");
        if last.outputs != 1 {
            let shape = [last.outputs as u64, last.inputs as u64];
            let expected = format!("[1, {}], as the last layer has one output", last.inputs);
            return Err(NetError::of_shape(
                &format!("{}.weight", layers.len() - 1),
                &shape,
                expected,
            ));
        }
        Ok(layers)
    }

    fn layer(&mut self, number: usize, inputs: usize) -> Result<Layer, NetError> {
        let name = format!("{number}.weight");
        let expected = || format!("weights [outputs, {inputs}] of layer {number}");
        let Some(tensor) = self.tensors.get(&name) else {
            return Err(NetError::no_tensor(&name, expected()));
        };
        let outputs = match tensor.shape[..] {
            [outputs, found] if found == inputs as u64 && outputs > 0 => outputs as usize,
            _ => {
                return Err(NetError::of_shape(&name, &tensor.shape, expected()));
            }
        };
        let is_whole = tensor.dtype == WHOLE;
        let mut weights = self.take(&name, outputs * inputs, true)?;
        let mut vector = |kind: &str| {
            let name = format!("{number}.{kind}");
            let shape = self.tensors.get(&name).map(|tensor| &tensor.shape);
            match shape {
                None => {
                    let expected = format!("{outputs} numbers of layer {number}");
                    Err(NetError::no_tensor(&name, expected))
                }
                Some(shape) if shape[..] != [outputs as u64] => {
                    Err(NetError::of_shape(&name, shape, format!("[{outputs}]")))
                }
                Some(_) => self.take(&name, outputs, false),
            }
        };
        let biases = vector("bias")?;
        let scales = is_whole.then(|| vector("scale")).transpose()?;
        if let Some(scales) = &scales {
            for (row, scale) in weights.chunks_exact_mut(inputs).zip(scales) {
                for weight in row {
                    *weight *= scale;
                }
            }
        }
        Ok(Layer { inputs, outputs, weights, biases, scales })
    }

    /// Takes the `count` numbers of an existing tensor.
    fn take(&mut self, name: &str, count: usize, may_be_whole: bool) -> Result<Vec<f32>, NetError> {
        let tensor = self.tensors.remove(name).expect("its shape was checked");
        let [begin, end] = tensor.data_offsets.map(|at| at as usize);
        let bytes = &self.numbers[begin..end];
        let values: Vec<f32> = match tensor.dtype.as_str() {
            FLOAT => bytes.as_chunks().0.iter().map(|&b| f32::from_le_bytes(b)).collect(),
            WHOLE if may_be_whole => bytes.iter().map(|&b| f32::from(b as i8)).collect(),
            _ => {
                return Err(NetError::of_type(name, &tensor.dtype, FLOAT));
            }
        };
        assert_eq!(values.len(), count, "the place of a tensor was held against its shape");
        let is_number = |value: &f32| value.abs() <= NUMBER_MAX as f32;
        match values.iter().position(|value| !is_number(value)) {
            Some(at) => Err(NetError::Tensor {
                found: format!("{name}[{at}] = {}", values[at]),
                expected: format!(
                    "numbers between -{NUMBER_MAX} and {NUMBER_MAX}; training may have diverged"
                ),
            }),
            None => Ok(values),
        }
    }
}

impl NetError {
    fn no_tensor(name: &str, expected: String) -> Self {
        Self::Tensor { found: format!("no tensor {name}"), expected }
    }

    fn of_type(name: &str, dtype: &str, expected: &str) -> Self {
        Self::Tensor { found: format!("{name} as {dtype}"), expected: expected.to_owned() }
    }

    fn of_shape(name: &str, shape: &[u64], expected: String) -> Self {
        Self::Tensor { found: format!("{name} of shape {shape:?}"), expected }
    }
}
