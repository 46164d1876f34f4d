//! Outputs of a network, for one board or for many at once.
//!
//! The first layer is not a product. One input for each cell is 1 and all others are 0, so its sums
//! consist of one column of weights for each cell. A move subtracts two columns and adds two (Y.
//! Nasu, "Efficiently updatable neural-network-based evaluation functions for computer shogi",
//! 2018). All other layers are products.
//!
//! Results are the same on every machine, and do not depend on whether a board is evaluated itself
//! or as a child. Sums of the first layer are exact: whole numbers, or floating-point numbers that
//! are multiples of one power of two and so few that no sum is rounded. In other layers,
//! floating-point sums are computed in the order of the inputs.

use std::ops::{Add, Sub};

use pdb_core::{Board, Expansion, Goal, Slide};
use pulp::{Arch, Simd, WithSimd};

use super::layers::{Evaluation, FloatLayer, LANES, LaterLayer, Scratch, columns};
use super::{Shift, Weights};

/// Number of bits of a floating-point number's fraction, including the implicit one.
const FLOAT_BITS: i32 = 24;

/// Numbers of boards, and of parents, that are evaluated together: the sums of more do not fit the
/// first-level cache.
const BOARDS: usize = 256;
const PARENTS: usize = 8;

/// A network, ready to estimate.
#[derive(Clone, Debug)]
pub struct Network {
    goal: Goal,
    first: Numbers,
    /// The scale and the bias of each unit of the first layer.
    scales: Vec<f32>,
    biases: Vec<f32>,
    rest: Vec<LaterLayer>,
    shifts: Vec<Shift>,
    arch: Arch,
}

/// The weights in one of the two types of numbers.
#[derive(Clone, Debug)]
enum Numbers {
    Float(WeightColumns<f32>),
    Whole(WeightColumns<i16>),
}

/// The weights of the first layer: a column of `width` numbers for each tile and cell.
#[derive(Clone, Debug)]
struct WeightColumns<T> {
    weights: Vec<T>,
    cells: usize,
    width: usize,
}

/// Boards, or the children of some boards.
#[derive(Clone, Copy)]
enum NetworkInput<'a> {
    Boards(&'a [Board]),
    Children(&'a [Expansion]),
}

impl Network {
    /// Makes a network that calculates in the numbers in which the weights of its first layer are
    /// stored.
    pub fn new(weights: &Weights) -> Self {
        let [first, rest @ ..] = &weights.layers[..] else { unreachable!("there is a layer") };
        let width = first.outputs.next_multiple_of(LANES);
        let cells = weights.shape().cell_count();
        let filled = |values: &[f32]| {
            let mut values = values.to_vec();
            values.resize(width, 0.0);
            values
        };
        let (numbers, scales, rest) = match first.whole() {
            None => {
                let exact = exact(&first.weights, first.inputs, cells);
                let rest = rest.iter().map(|layer| LaterLayer::Float(FloatLayer::new(layer)));
                let columns = WeightColumns::new(&exact, cells, width);
                (Numbers::Float(columns), vec![1.0; width], rest.collect())
            }
            Some(whole) => {
                let whole: Vec<i16> = whole.into_iter().map(i16::from).collect();
                let scales = filled(first.scales.as_deref().expect("it has scales"));
                let rest = rest.iter().map(LaterLayer::new).collect();
                (Numbers::Whole(WeightColumns::new(&whole, cells, width)), scales, rest)
            }
        };
        Self {
            goal: weights.goal,
            first: numbers,
            scales,
            biases: filled(&first.biases),
            rest,
            shifts: weights.shifts().unwrap_or_default(),
            arch: Arch::new(),
        }
    }

    /// Returns the goal of the distances.
    pub fn goal(&self) -> &Goal {
        &self.goal
    }

    /// Returns the shifts of its file.
    pub fn shifts(&self) -> &[Shift] {
        &self.shifts
    }

    /// Returns the outputs for boards, in moves.
    ///
    /// # Panics
    /// When a board has another shape than the goal.
    pub fn outputs(&self, boards: &[Board]) -> Vec<f32> {
        self.evaluate(boards.chunks(BOARDS).map(NetworkInput::Boards), boards.len())
    }

    /// Returns the outputs for the requested children of boards, in their order.
    ///
    /// # Panics
    /// When a board has another shape than the goal.
    pub fn child_outputs(&self, parents: &[Expansion]) -> Vec<f32> {
        let count = parents.iter().map(|parent| parent.slides().len()).sum();
        self.evaluate(parents.chunks(PARENTS).map(NetworkInput::Children), count)
    }

    /// Returns the output for a board of the goal's shape, in moves.
    pub fn output(&self, board: &Board) -> f32 {
        self.outputs(std::slice::from_ref(board))[0]
    }

    fn evaluate<'a>(
        &self,
        inputs: impl Iterator<Item = NetworkInput<'a>>,
        count: usize,
    ) -> Vec<f32> {
        match &self.first {
            Numbers::Float(columns) => self.evaluate_in(columns, inputs, count),
            Numbers::Whole(columns) => self.evaluate_in(columns, inputs, count),
        }
    }

    fn evaluate_in<'a, T: Number>(
        &self,
        columns: &WeightColumns<T>,
        inputs: impl Iterator<Item = NetworkInput<'a>>,
        count: usize,
    ) -> Vec<f32> {
        let Self { scales, biases, rest: layers, .. } = self;
        let (mut sums, mut scratch) = (Vec::new(), Scratch::default());
        let mut outputs = Vec::with_capacity(count);
        for input in inputs {
            self.add_up(columns, input, &mut sums);
            let (scratch, outputs) = (&mut scratch, &mut outputs);
            self.arch.dispatch(Evaluation {
                layers,
                scales,
                biases,
                sums: &sums,
                scratch,
                outputs,
            });
        }
        outputs
    }

    /// Computes the sums of the first layer for each board of an input.
    fn add_up<T: Number>(
        &self,
        columns: &WeightColumns<T>,
        input: NetworkInput<'_>,
        sums: &mut Vec<T>,
    ) {
        let width = columns.width;
        let add_board = |sums: &mut Vec<T>, board: &Board| {
            assert_eq!(board.shape(), self.goal.shape(), "boards have the shape of the network");
            let begin = sums.len();
            sums.resize(begin + width, T::default());
            let (sums, tiles) = (&mut sums[begin..], board.tiles());
            self.arch.dispatch(BoardSum { columns: &columns.weights, tiles, sums });
        };
        sums.clear();
        match input {
            NetworkInput::Boards(boards) => boards.iter().for_each(|board| add_board(sums, board)),
            NetworkInput::Children(parents) => {
                let mut of_parent = Vec::with_capacity(width);
                for parent in parents {
                    of_parent.clear();
                    add_board(&mut of_parent, &parent.board);
                    for &slide in parent.slides() {
                        let begin = sums.len();
                        sums.extend_from_slice(&of_parent);
                        let (places, sums) = (columns.places(slide), &mut sums[begin..]);
                        self.arch.dispatch(ColumnChange {
                            columns: &columns.weights,
                            places,
                            sums,
                        });
                    }
                }
            }
        }
    }
}

impl<T: Number> WeightColumns<T> {
    /// Makes columns from rows of weights.
    fn new(rows: &[T], cells: usize, width: usize) -> Self {
        Self { weights: columns(rows, cells * cells, width), cells, width }
    }

    /// Returns the columns that a move subtracts, and those that it adds.
    fn places(&self, Slide { tile, from, to }: Slide) -> [usize; 4] {
        [(tile, from), (0, to), (tile, to), (0, from)]
            .map(|(tile, cell)| (usize::from(tile) * self.cells + usize::from(cell)) * self.width)
    }
}

/// A number of the first layer. No sum is too large: at most 40 weights are added up.
trait Number: Copy + Default + Into<f32> + Add<Output = Self> + Sub<Output = Self> {}

impl Number for f32 {}
impl Number for i16 {}

/// Adds the columns of a board's tiles. This and [`ColumnChange`] are types instead of closures,
/// because the caller of a closure is not always compiled for wide registers with it.
struct BoardSum<'a, T> {
    columns: &'a [T],
    tiles: &'a [u8],
    sums: &'a mut [T],
}

impl<T: Number> WithSimd for BoardSum<'_, T> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let Self { columns, tiles, sums } = self;
        for (cell, &tile) in tiles.iter().enumerate() {
            let at = (usize::from(tile) * tiles.len() + cell) * sums.len();
            let column = &columns[at..][..sums.len()];
            for (sum, &weight) in sums.iter_mut().zip(column) {
                *sum = *sum + weight;
            }
        }
    }
}

/// Subtracts two columns and adds two.
struct ColumnChange<'a, T> {
    columns: &'a [T],
    places: [usize; 4],
    sums: &'a mut [T],
}

impl<T: Number> WithSimd for ColumnChange<'_, T> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let Self { columns, places, sums } = self;
        let [a, b, c, d] = places.map(|at| &columns[at..][..sums.len()]);
        let (out, into) = (a.iter().zip(b), c.iter().zip(d));
        for (sum, ((&a, &b), (&c, &d))) in sums.iter_mut().zip(out.zip(into)) {
            *sum = *sum + c - a + d - b;
        }
    }
}

/// Returns the weights of the first layer as multiples of a power of two that is large enough that
/// no sum of them is rounded, in any order. Each unit has its own power.
///
/// A board adds a weight for each of its cells, and a move four more: less than 2 to the power of 6
/// for boards of up to 59 cells, and of 7 for all.
fn exact(weights: &[f32], inputs: usize, cells: usize) -> Vec<f32> {
    let added_bits = if cells + 4 < 64 { 6 } else { 7 };
    let mut exact = Vec::with_capacity(weights.len());
    for row in weights.chunks_exact(inputs) {
        let largest = row.iter().fold(f32::MIN_POSITIVE, |most, weight| most.max(weight.abs()));
        // 2 to the power of this is more than the largest weight.
        let exponent = largest.log2().floor() as i32 + 1;
        let unit = 2f32.powi((exponent + added_bits - FLOAT_BITS).max(-120));
        exact.extend(row.iter().map(|weight| (weight / unit).round() * unit));
    }
    exact
}
