//! Learned orders: their numbers, their bytes, and beams by them.

use std::num::NonZeroU32;

use pdb_core::{BLANK, Board, Goal, Shape};
use pdb_oracle::Random;
use pdb_search::{
    LearnedOrder, Limits, Options, OrderError, OrderHead, OrderNetwork, Status, beam_by_order,
};

use crate::common::{random_board, shape};

/// Returns a network of random numbers, whose outputs are a few moves.
pub(crate) fn network(shape: Shape, random: &mut Random) -> OrderNetwork {
    let pairs = shape.cell_count() * shape.cell_count();
    let mut number = |max: i32| random.below(2 * max as usize + 1) as i32 - max;
    OrderNetwork {
        shape,
        rows: (0..pairs).map(|_| std::array::from_fn(|_| number(127) as i8)).collect(),
        skip: (0..pairs).map(|_| number(300) as i16).collect(),
        head: OrderHead {
            base: std::array::from_fn(|_| number(500) as i16),
            second: std::array::from_fn(|_| std::array::from_fn(|_| number(2_000) as i16)),
            second_bias: std::array::from_fn(|_| number(100_000)),
            last: std::array::from_fn(|_| number(1_000) as i16),
            last_bias: number(100_000),
            last_bits: 6,
        },
    }
}

/// Returns the order of a board, by the formula, on the board that the network knows.
fn slow_order(network: &OrderNetwork, goal: &Goal, board: &Board) -> u32 {
    let home = Goal::blank_last(network.shape);
    let symmetry = goal.board().symmetries_to(home.board()).next().unwrap();
    let cells = network.shape.cell_count();
    let mut turned = vec![0; cells];
    for (cell, &tile) in (0..).zip(board.tiles()) {
        let named = home.board().tile(symmetry.cell(goal.home(tile)));
        turned[usize::from(symmetry.cell(cell))] = named;
    }
    let manhattan = home.manhattan_distance(&Board::new(network.shape, &turned).unwrap());
    let head = &network.head;
    let mut sums = head.base.map(i64::from);
    let mut linear = 1024 * i64::from(manhattan);
    for (cell, &tile) in turned.iter().enumerate() {
        let row = &network.rows[usize::from(tile) * cells + cell];
        sums.iter_mut().zip(row).for_each(|(sum, &number)| *sum += i64::from(number));
        linear += i64::from(network.skip[usize::from(tile) * cells + cell]);
    }
    let mut last = i64::from(head.last_bias);
    for unit in 0..head.last.len() {
        let products = sums.iter().zip(&head.second[unit]).map(|(&s, &w)| s.max(0) * i64::from(w));
        let output = i64::from(head.second_bias[unit]) + products.sum::<i64>();
        last += i64::from(head.last[unit]) * (output.max(0) >> 14);
    }
    ((linear + (last >> head.last_bits)) / 64).max(0) as u32
}

/// Returns goals of a shape and of the transposed one, with the blank in each corner and tiles in
/// two orders.
fn served_goals(shape: Shape) -> Vec<Goal> {
    let mut goals = Vec::new();
    for shape in [shape, shape.transposed()] {
        let (cells, cols) = (shape.cell_count() as u8, shape.cols() as u8);
        for corner in [0, cols - 1, cells - cols, cells - 1] {
            let mut tiles: Vec<u8> = (1..cells).rev().collect();
            tiles.insert(corner.into(), BLANK);
            let reversed = Goal::new(Board::new(shape, &tiles).unwrap());
            goals.extend([Goal::in_order(shape, corner), reversed]);
        }
    }
    goals
}

#[test]
fn the_order_is_that_of_the_formula_for_every_shape_and_goal() {
    let mut random = Random::default();
    for (rows, cols) in [(2, 2), (2, 3), (3, 3), (4, 4), (4, 5), (5, 5), (6, 5), (8, 8), (3, 21)] {
        let network = network(shape(rows, cols), &mut random);
        for goal in served_goals(network.shape) {
            let order = LearnedOrder::new(&network, &goal).unwrap();
            for _ in 0..20 {
                let board = random_board(goal.shape(), &goal, &mut random);
                assert_eq!(order.of(&board), slow_order(&network, &goal, &board), "{board}");
            }
        }
    }
}

#[test]
fn goals_that_no_symmetry_leads_to_have_no_order() {
    let network = network(shape(3, 4), &mut Random::default());
    for cell in [1, 4, 5, 6] {
        assert!(LearnedOrder::new(&network, &Goal::in_order(network.shape, cell)).is_none());
    }
    assert!(LearnedOrder::new(&network, &Goal::blank_last(shape(4, 4))).is_none());
}

#[test]
fn a_beam_keeps_the_boards_that_come_first() {
    let mut random = Random::default();
    let network = network(shape(4, 5), &mut random);
    for goal in served_goals(network.shape) {
        let order = LearnedOrder::new(&network, &goal).unwrap();
        let board = random_board(goal.shape(), &goal, &mut random);
        let limits = Limits { nodes: Some(20_000), ..Limits::default() };
        let options = Options { limits, ..Options::default() };
        let mut layers = 0;
        let check = |kept: &[Board], left_out: &[Board]| {
            layers += 1;
            assert!(!kept.is_empty() && kept.len() <= 130 && left_out.len() <= 300);
            let orders = |boards: &[Board]| -> Vec<u32> {
                boards.iter().map(|board| slow_order(&network, &goal, board)).collect()
            };
            let last = orders(kept).into_iter().max().unwrap();
            assert!(orders(left_out).into_iter().all(|order| order >= last));
        };
        let width = NonZeroU32::new(100).unwrap();
        beam_by_order(&order, &board, width, &options, Some(Box::new(check))).unwrap();
        assert!(layers > 20, "{layers} layers of {board}");
    }
}

#[test]
fn beams_by_an_order_solve_boards_to_every_goal_that_it_serves() {
    let mut random = Random::default();
    let network = network(shape(3, 4), &mut random);
    for goal in served_goals(network.shape) {
        let order = LearnedOrder::new(&network, &goal).unwrap();
        let board = random_board(goal.shape(), &goal, &mut random);
        let width = NonZeroU32::new(500).unwrap();
        let found = beam_by_order(&order, &board, width, &Options::default(), None).unwrap();
        let Status::Solved { moves, lower_bound, .. } = found.status else {
            panic!("{board} is not solved: {found:?}")
        };
        assert_eq!(board.after(&moves), Ok(*goal.board()));
        assert!(lower_bound >= goal.manhattan_distance(&board));
    }
}

#[test]
fn bytes_are_read_as_they_were_written_and_damaged_ones_are_refused() {
    let network = network(shape(2, 3), &mut Random::default());
    let bytes = network.write();
    assert_eq!(OrderNetwork::read(&bytes).as_ref(), Ok(&network));
    for place in 0..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[place] ^= 1 << (place % 8);
        assert!(OrderNetwork::read(&damaged).is_err(), "byte {place}");
    }
    for length in 0..bytes.len() {
        assert!(OrderNetwork::read(&bytes[..length]).is_err(), "{length} bytes");
    }
    let longer = [&bytes[..], &[0]].concat();
    let expected =
        OrderError::Length { shape: network.shape, expected: bytes.len(), found: longer.len() };
    assert_eq!(OrderNetwork::read(&longer), Err(expected));
    let no_format = OrderNetwork::read(b"a text of more than twenty-four bytes");
    assert_eq!(no_format, Err(OrderError::Format));
}
