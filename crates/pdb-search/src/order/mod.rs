//! A learned order of boards, which beams keep the best boards by: Manhattan distance and a small
//! network.
//!
//! The first layer of the network has a row of numbers for each tile on each cell, the blank
//! included. Its sums change by four rows a move (Y. Nasu, "Efficiently updatable
//! neural-network-based evaluation functions for computer shogi", 2018). All numbers are integers,
//! so that every machine finds the same solution. An order is no bound: it chooses boards and
//! proves nothing.

mod bytes;

use std::sync::LazyLock;

use pdb_core::processor::prefetch_all;
use pdb_core::{BLANK, Board, Cell, Goal, Shape, Slide, TileDistances};

pub use bytes::OrderError;

/// Numbers of a row.
pub(crate) const ROW: usize = 64;
/// Units of the second layer.
pub(crate) const UNITS: usize = 16;

/// Steps of an order in a move.
const STEPS_PER_MOVE: i32 = 16;

/// The weights of a network for one shape, for the goal "1 to n, the blank last".
///
/// The network's output for a board, in 1024ths of a move, is
///
/// ```text
/// sum of skip + (last_bias + sum of last[u] * (max(0, outputs[u]) >> 14)) >> last_bits
/// outputs[u] = second_bias[u] + sum of second[u][i] * max(0, sums[i])
/// sums       = base + sum of rows
/// ```
///
/// where both first sums are over all pairs (tile, cell) of the board, which have the index
/// `tile * cells + cell`. Sums of rows have 16 bits, all others 32. What exceeds them wraps around;
/// the trainer chooses scales at which no board does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OrderNetwork {
    /// The shape of its boards.
    pub shape: Shape,
    /// A row for each tile on each cell: `cells * cells` rows.
    pub rows: Vec<[i8; ROW]>,
    /// A linear term for each tile on each cell, in 1024ths of a move.
    pub skip: Vec<i16>,
    /// The layers after the rows.
    pub head: OrderHead,
}

/// The layers of an [`OrderNetwork`] after its rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OrderHead {
    /// The sums of a board without tiles.
    pub base: [i16; ROW],
    /// The weights of each unit of the second layer.
    pub second: [[i16; ROW]; UNITS],
    /// The biases of the second layer.
    pub second_bias: [i32; UNITS],
    /// The weights of the last layer.
    pub last: [i16; UNITS],
    /// The bias of the last layer.
    pub last_bias: i32,
    /// Bits of the last layer's output that are left out, less than 32.
    pub last_bits: u8,
}

/// The order of boards by an [`OrderNetwork`], for one goal.
///
/// ```no_run
/// use pdb_core::{Board, Goal};
/// use pdb_search::{LearnedOrder, OrderNetwork};
///
/// let board: Board = "8 6 7/2 5 4/3 0 1".parse()?;
/// let network = OrderNetwork::read(&std::fs::read("3x3.order")?)?;
/// let order = LearnedOrder::new(&network, &Goal::blank_last(board.shape()));
/// println!("{:?} sixteenths of a move", order.map(|order| order.of(&board)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct LearnedOrder {
    goal: Goal,
    pub(crate) distances: TileDistances,
    cell_count: usize,
    /// The network's rows, by the tiles and cells of the goal.
    rows: Vec<Row>,
    /// The linear terms with the Manhattan distance, in 1024ths of a move.
    linear: Vec<i32>,
    head: OrderHead,
}

/// A learned order that is made when a search first needs it; `None` where there is none.
pub type LazyOrder =
    LazyLock<Option<LearnedOrder>, Box<dyn FnOnce() -> Option<LearnedOrder> + Send>>;

/// A row, in one cache line.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Row([i8; ROW]);

/// The numbers of a board that follow from those of its parent.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OrderState {
    sums: [i16; ROW],
    linear: i32,
}

impl OrderNetwork {
    /// Widths of the hidden layers: the numbers of a row, and the units of the second layer.
    pub const HIDDEN: [usize; 2] = [ROW, UNITS];
    /// Steps of the network's output and of `skip` in a move.
    pub const STEPS_PER_MOVE: i32 = 1024;
    /// Bits of a second layer's output that the last layer leaves out.
    pub const OUTPUT_BITS: u32 = 14;
}

impl LearnedOrder {
    /// Makes the order for a goal. Returns `None` where no symmetry takes the goal to the one of
    /// the network: the shapes differ, or the goal's blank is not in a corner.
    pub fn new(network: &OrderNetwork, goal: &Goal) -> Option<Self> {
        let shape = goal.shape();
        let home = Goal::blank_last(network.shape);
        let symmetry = goal.board().symmetries_to(home.board()).next()?;
        let distances = TileDistances::new(goal);
        let cell_count = shape.cell_count();
        let (mut rows, mut linear) = (Vec::new(), Vec::new());
        for tile in 0..cell_count as u8 {
            let renamed = home.board().tile(symmetry.cell(goal.home(tile)));
            for cell in shape.all_cells().iter() {
                let index = usize::from(renamed) * cell_count + usize::from(symmetry.cell(cell));
                rows.push(Row(network.rows[index]));
                let distance = i32::from(distances.of(tile, cell));
                linear
                    .push(OrderNetwork::STEPS_PER_MOVE * distance + i32::from(network.skip[index]));
            }
        }
        let head = network.head.clone();
        Some(Self { goal: *goal, distances, cell_count, rows, linear, head })
    }

    /// Returns the goal.
    pub fn goal(&self) -> &Goal {
        &self.goal
    }

    /// Returns the order of a board of the goal's shape, in sixteenths of a move: its Manhattan
    /// distance and the output of the network, at least 0.
    pub fn of(&self, board: &Board) -> u32 {
        self.of_state(&self.state(board))
    }

    /// Returns the numbers of any board.
    pub(crate) fn state(&self, board: &Board) -> OrderState {
        let (mut sums, mut linear) = (self.head.base, 0i32);
        for (cell, &tile) in (0..).zip(board.tiles()) {
            let index = self.index(tile, cell);
            for (sum, &number) in sums.iter_mut().zip(&self.rows[index].0) {
                *sum = sum.wrapping_add(number.into());
            }
            linear = linear.wrapping_add(self.linear[index]);
        }
        OrderState { sums, linear }
    }

    /// Prefetches what [`after`](Self::after) reads, but for the blank.
    #[inline(always)]
    pub(crate) fn prefetch(&self, Slide { tile, from, to }: Slide) {
        for cell in [from, to] {
            prefetch_all(&self.rows[self.index(tile, cell)]);
        }
    }

    /// Returns the numbers of a board after a move.
    #[inline(always)]
    pub(crate) fn after(&self, before: &OrderState, Slide { tile, from, to }: Slide) -> OrderState {
        let (tile_to, tile_from) = (self.index(tile, to), self.index(tile, from));
        let (blank_from, blank_to) = (self.index(BLANK, from), self.index(BLANK, to));
        let (rows, linear, mut sums) = (&self.rows, &self.linear, before.sums);
        let (plus, minus) = (&rows[tile_to].0, &rows[tile_from].0);
        let (blank_plus, blank_minus) = (&rows[blank_from].0, &rows[blank_to].0);
        for i in 0..ROW {
            let change = i16::from(plus[i]) - i16::from(minus[i]) + i16::from(blank_plus[i])
                - i16::from(blank_minus[i]);
            sums[i] = sums[i].wrapping_add(change);
        }
        let change = linear[tile_to] - linear[tile_from] + linear[blank_from] - linear[blank_to];
        OrderState { sums, linear: before.linear.wrapping_add(change) }
    }

    /// Returns the order of a board. Plain loops: iterators and maps of arrays may become calls
    /// here, which take four times as long.
    #[inline(always)]
    pub(crate) fn of_state(&self, state: &OrderState) -> u32 {
        let OrderHead { second, second_bias, last, last_bias, last_bits, .. } = &self.head;
        let (mut inputs, mut sum) = (state.sums, *last_bias);
        for input in &mut inputs {
            *input = (*input).max(0);
        }
        for unit in 0..UNITS {
            // Summed from 0: the compiler chooses instructions for such sums of products.
            let mut output = 0_i32;
            for i in 0..ROW {
                output = output.wrapping_add(i32::from(second[unit][i]) * i32::from(inputs[i]));
            }
            output = output.wrapping_add(second_bias[unit]).max(0) >> OrderNetwork::OUTPUT_BITS;
            sum = sum.wrapping_add(output.wrapping_mul(last[unit].into()));
        }
        let linear = state.linear.wrapping_add(sum >> last_bits);
        (linear / (OrderNetwork::STEPS_PER_MOVE / STEPS_PER_MOVE)).max(0) as u32
    }

    #[inline(always)]
    fn index(&self, tile: u8, cell: Cell) -> usize {
        usize::from(tile) * self.cell_count + usize::from(cell)
    }
}
