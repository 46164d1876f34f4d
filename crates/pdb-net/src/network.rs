//! Estimates of a network, for one board or for many at once.
//!
//! The first layer is not a product: one input for each cell is 1 and all others are 0, so its sums are
//! those of one column of weights for each cell. They are kept along a search ([`Sums`]), and a move
//! takes two columns out and puts two in (Y. Nasu, "Efficiently updatable neural-network-based evaluation
//! functions for computer shogi", 2018). All other layers are products, worked out for several boards at
//! once, so that each weight is loaded once for all of them.
//!
//! Results are the same on every machine and whatever way led to a board. Sums of the first layer are
//! exact: whole numbers, or floating-point numbers that are all multiples of one power of two and so few
//! that no sum is rounded. Elsewhere floating-point sums are worked out in the order of the inputs.

use pdb_core::{Board, Cell, Goal, Slide};
use pulp::{Arch, Simd, WithSimd};

use crate::layers::{FloatLayer, FloatOutputs, MixedLayer, WholeOutputs};
use crate::scratch::{LANES, Scratch};
use crate::{NetError, Precision, Shift, Weights};

/// How many bits a floating-point number has for its value.
const FLOAT_BITS: i32 = 24;

/// A network, ready to estimate.
#[derive(Clone, Debug)]
pub struct Network {
    goal: Goal,
    cells: usize,
    /// Width of the first layer, filled up.
    width: usize,
    numbers: Numbers,
    shifts: Vec<Shift>,
    arch: Arch,
}

/// The weights in one type of numbers or the other.
#[derive(Clone, Debug)]
enum Numbers {
    Float {
        /// A column of `width` weights for each tile and cell.
        columns: Vec<f32>,
        biases: Vec<f32>,
        rest: Vec<FloatLayer>,
    },
    Whole {
        columns: Vec<i16>,
        /// What 1 stands for, and a bias, for each unit.
        scales: Vec<f32>,
        biases: Vec<f32>,
        rest: Vec<MixedLayer>,
    },
}

/// The sums of the first layer for a board, or for several boards one after another.
#[derive(Clone, Debug, PartialEq)]
pub struct Sums(SumsOf);

#[derive(Clone, Debug, PartialEq)]
enum SumsOf {
    Float(Vec<f32>),
    Whole(Vec<i16>),
}

impl Network {
    /// The network of these weights, which calculates in the numbers that they are kept in.
    pub fn new(weights: &Weights) -> Self {
        Self::with_precision(weights, weights.precision())
    }

    /// The same, in numbers of one's choice: weights that are kept as eight bits can be calculated with
    /// as floating-point numbers too, and others are rounded to eight bits.
    pub fn with_precision(weights: &Weights, precision: Precision) -> Self {
        let made_whole;
        let weights = match precision {
            Precision::Int8 if weights.precision() != Precision::Int8 => {
                made_whole = weights.to_int8();
                &made_whole
            }
            _ => weights,
        };
        let [first, rest @ ..] = &weights.layers[..] else { unreachable!("there is a layer") };
        let width = first.outputs.next_multiple_of(LANES);
        let filled = |values: &[f32]| {
            let mut values = values.to_vec();
            values.resize(width, 0.0);
            values
        };
        let biases = filled(&first.biases);
        let numbers = match precision {
            Precision::Float => {
                let exact = exact(&first.weights, &first.biases, first.inputs);
                Numbers::Float {
                    columns: columns(&exact.0, first.inputs, width),
                    biases: filled(&exact.1),
                    rest: rest.iter().map(FloatLayer::new).collect(),
                }
            }
            Precision::Int8 => {
                let whole = first.whole().expect("it is of eight bits");
                let whole: Vec<i16> = whole.into_iter().map(i16::from).collect();
                Numbers::Whole {
                    columns: columns(&whole, first.inputs, width),
                    scales: filled(first.scales.as_deref().expect("it has scales")),
                    biases,
                    rest: rest.iter().map(MixedLayer::new).collect(),
                }
            }
        };
        Self {
            goal: weights.goal,
            cells: weights.shape().cell_count(),
            width,
            numbers,
            shifts: weights.shifts().unwrap_or_default(),
            arch: Arch::new(),
        }
    }

    /// Reads a file and makes it a network.
    ///
    /// # Errors
    /// As [`Weights::read`].
    pub fn read(bytes: &[u8]) -> Result<Self, NetError> {
        Ok(Self::new(&Weights::read(bytes)?))
    }

    /// The goal that distances lead to.
    pub fn goal(&self) -> &Goal {
        &self.goal
    }

    /// In what numbers it calculates.
    pub fn precision(&self) -> Precision {
        match self.numbers {
            Numbers::Float { .. } => Precision::Float,
            Numbers::Whole { .. } => Precision::Int8,
        }
    }

    /// The shifts that its file has.
    pub fn shifts(&self) -> &[Shift] {
        &self.shifts
    }

    /// The sums of no board.
    pub fn no_sums(&self) -> Sums {
        Sums(match self.numbers {
            Numbers::Float { .. } => SumsOf::Float(Vec::new()),
            Numbers::Whole { .. } => SumsOf::Whole(Vec::new()),
        })
    }

    /// The sums of the first layer for a board of the goal's shape.
    pub fn sums(&self, board: &Board) -> Sums {
        let mut sums = self.no_sums();
        self.add_board(&mut sums, board);
        sums
    }

    /// Adds the sums of a further board.
    ///
    /// # Panics
    /// When the board has another shape, or the sums are another network's.
    pub fn add_board(&self, sums: &mut Sums, board: &Board) {
        assert_eq!(board.shape(), self.goal.shape(), "boards have the shape of the network");
        match (&self.numbers, &mut sums.0) {
            (Numbers::Float { columns, .. }, SumsOf::Float(sums)) => {
                self.add_to(sums, columns, board);
            }
            (Numbers::Whole { columns, .. }, SumsOf::Whole(sums)) => {
                self.add_to(sums, columns, board);
            }
            _ => mixed(),
        }
    }

    fn add_to<T: Number>(&self, sums: &mut Vec<T>, columns: &[T], board: &Board) {
        let begin = sums.len();
        sums.resize(begin + self.width, T::default());
        let (sums, tiles) = (&mut sums[begin..], board.tiles());
        self.arch.dispatch(Add { columns, tiles, sums });
    }

    /// Changes the sums of a single board by a move: two columns out, two in.
    pub fn slide(&self, sums: &mut Sums, slide: Slide) {
        let places = self.places(slide);
        match (&self.numbers, &mut sums.0) {
            (Numbers::Float { columns, .. }, SumsOf::Float(sums)) => {
                self.arch.dispatch(Change { columns, places, sums });
            }
            (Numbers::Whole { columns, .. }, SumsOf::Whole(sums)) => {
                self.arch.dispatch(Change { columns, places, sums });
            }
            _ => mixed(),
        }
    }

    /// Adds to `children` the sums of the boards that moves of one board lead to.
    pub fn add_children(&self, sums: &Sums, slides: &[Slide], children: &mut Sums) {
        match (&self.numbers, &sums.0, &mut children.0) {
            (Numbers::Float { columns, .. }, SumsOf::Float(sums), SumsOf::Float(children)) => {
                self.children(sums, columns, slides, children);
            }
            (Numbers::Whole { columns, .. }, SumsOf::Whole(sums), SumsOf::Whole(children)) => {
                self.children(sums, columns, slides, children);
            }
            _ => mixed(),
        }
    }

    fn children<T: Number>(
        &self,
        sums: &[T],
        columns: &[T],
        slides: &[Slide],
        children: &mut Vec<T>,
    ) {
        for &slide in slides {
            let begin = children.len();
            children.extend_from_slice(sums);
            let places = self.places(slide);
            self.arch.dispatch(Change { columns, places, sums: &mut children[begin..] });
        }
    }

    /// The outputs of boards whose sums are given, in moves; `outputs` has one for each afterwards.
    pub fn outputs(&self, sums: &Sums, scratch: &mut Scratch, outputs: &mut Vec<f32>) {
        outputs.clear();
        match (&self.numbers, &sums.0) {
            (Numbers::Float { biases, rest, .. }, SumsOf::Float(sums)) => {
                self.arch.dispatch(FloatOutputs { layers: rest, biases, sums, scratch, outputs });
            }
            (Numbers::Whole { scales, biases, rest, .. }, SumsOf::Whole(sums)) => {
                let layers = rest;
                self.arch.dispatch(WholeOutputs { layers, scales, biases, sums, scratch, outputs });
            }
            _ => mixed(),
        }
    }

    /// The output for a board of the goal's shape, in moves.
    pub fn output(&self, board: &Board) -> f32 {
        let mut outputs = Vec::new();
        self.outputs(&self.sums(board), &mut Scratch::default(), &mut outputs);
        outputs[0]
    }

    /// Where the column of a tile on a cell begins.
    #[inline(always)]
    fn column(&self, tile: u8, cell: Cell) -> usize {
        (usize::from(tile) * self.cells + usize::from(cell)) * self.width
    }

    /// The columns that a move takes out, and those that it puts in.
    #[inline(always)]
    fn places(&self, Slide { tile, from, to }: Slide) -> [usize; 4] {
        [self.column(tile, from), self.column(0, to), self.column(tile, to), self.column(0, from)]
    }
}

impl Sums {
    /// Forgets all boards.
    pub fn clear(&mut self) {
        match &mut self.0 {
            SumsOf::Float(sums) => sums.clear(),
            SumsOf::Whole(sums) => sums.clear(),
        }
    }
}

/// A number of the first layer.
trait Number: Copy + Default {
    /// No sum is too large: at most 40 weights are added up.
    fn plus(self, other: Self) -> Self;

    fn minus(self, other: Self) -> Self;
}

impl Number for f32 {
    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        self + other
    }

    #[inline(always)]
    fn minus(self, other: Self) -> Self {
        self - other
    }
}

impl Number for i16 {
    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        self.wrapping_add(other)
    }

    #[inline(always)]
    fn minus(self, other: Self) -> Self {
        self.wrapping_sub(other)
    }
}

/// Adds the columns of a board's tiles. This and [`Change`] are types and no closures: what calls a closure
/// is not always compiled for wide registers with it.
struct Add<'a, T> {
    columns: &'a [T],
    tiles: &'a [u8],
    sums: &'a mut [T],
}

impl<T: Number> WithSimd for Add<'_, T> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let Self { columns, tiles, sums } = self;
        for (cell, &tile) in tiles.iter().enumerate() {
            let at = (usize::from(tile) * tiles.len() + cell) * sums.len();
            let column = &columns[at..][..sums.len()];
            for (sum, &weight) in sums.iter_mut().zip(column) {
                *sum = sum.plus(weight);
            }
        }
    }
}

/// Takes two columns out and puts two in.
struct Change<'a, T> {
    columns: &'a [T],
    places: [usize; 4],
    sums: &'a mut [T],
}

impl<T: Number> WithSimd for Change<'_, T> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let Self { columns, places, sums } = self;
        let [a, b, c, d] = places.map(|at| &columns[at..][..sums.len()]);
        let (out, into) = (a.iter().zip(b), c.iter().zip(d));
        for (sum, ((&a, &b), (&c, &d))) in sums.iter_mut().zip(out.zip(into)) {
            *sum = sum.plus(c).minus(a).plus(d).minus(b);
        }
    }
}

/// Sums belong to the network that made them.
#[cold]
fn mixed() -> ! {
    unreachable!("the sums of one network are handed to another one")
}

/// Rows of weights as columns of `width` numbers.
fn columns<T: Copy + Default>(rows: &[T], inputs: usize, width: usize) -> Vec<T> {
    let mut columns = vec![T::default(); inputs * width];
    for (output, row) in rows.chunks_exact(inputs).enumerate() {
        for (input, &weight) in row.iter().enumerate() {
            columns[input * width + output] = weight;
        }
    }
    columns
}

/// Weights and biases of the first layer as multiples of a power of two that is so large that no sum of
/// them is rounded, whatever its order: each unit has its own.
///
/// A board has 36 cells at most, and a move adds four weights more: less than 2 to the power of 6.
fn exact(weights: &[f32], biases: &[f32], inputs: usize) -> (Vec<f32>, Vec<f32>) {
    let mut exact = Vec::with_capacity(weights.len());
    let mut rounded = Vec::with_capacity(biases.len());
    for (row, &bias) in weights.chunks_exact(inputs).zip(biases) {
        let largest = row.iter().fold(f32::MIN_POSITIVE, |most, weight| most.max(weight.abs()));
        // 2 to the power of this is more than the largest weight.
        let exponent = largest.log2().floor() as i32 + 1;
        let unit = 2f32.powi((exponent + 6 - FLOAT_BITS).max(-120));
        exact.extend(row.iter().map(|weight| (weight / unit).round() * unit));
        rounded.push(bias);
    }
    (exact, rounded)
}
