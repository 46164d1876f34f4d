//! Tests of the tree of moves, of the expected nodes of IDA\*, and of boards drawn by distance.

use std::collections::BTreeMap;

use pdb_core::{BLANK, Board, Direction, Goal, Shape};

use super::{Contributions, ExpectedNodes, Transitions, TreeLevels};
use crate::rate::tilted::TiltedBoards;

fn shape(rows: usize, cols: usize) -> Shape {
    Shape::new(rows, cols).expect("a shape")
}

fn is_near(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * (1.0 + b.abs())
}

/// Returns the children of a board, but for the one that takes the last move back.
fn children(board: &Board, last: Option<Direction>) -> Vec<(Board, Direction)> {
    let undo = last.map(Direction::opposite);
    let moves = Direction::ALL.into_iter().filter(|&direction| Some(direction) != undo);
    moves.filter_map(|direction| Some((board.moved(direction)?, direction))).collect()
}

/// Counts the nodes of a search within a bound that never ends early.
fn nodes_within(
    board: &Board,
    last: Option<Direction>,
    left: i64,
    estimate: &dyn Fn(&Board) -> u32,
) -> ExpectedNodes {
    let mut found = ExpectedNodes::default();
    if i64::from(estimate(board)) > left {
        return found;
    }
    found.expanded += 1.0;
    for (child, direction) in children(board, last) {
        found.generated += 1.0;
        let below = nodes_within(&child, Some(direction), left - 1, estimate);
        found.generated += below.generated;
        found.expanded += below.expanded;
    }
    found
}

/// Returns all boards from which the goal can be reached.
fn solvable_boards(goal: &Goal) -> Vec<Board> {
    let tiles: Vec<u8> = goal.board().tiles().to_vec();
    let cols = goal.shape().cols();
    let reached = pdb_oracle::distances(goal.shape().rows(), cols, &tiles);
    reached.keys().map(|tiles| Board::new(goal.shape(), tiles).expect("a board")).collect()
}

#[test]
fn tree_levels_have_the_counted_nodes() {
    for shape in [shape(2, 2), shape(2, 4), shape(3, 3), shape(4, 4)] {
        for root in shape.all_cells().iter() {
            let mut level = vec![(root, None)];
            for found in TreeLevels::new(shape, root).take(9) {
                for cell in shape.all_cells().iter() {
                    let nodes = level.iter().filter(|(blank, _)| *blank == cell);
                    let further = |before: &Option<u8>| {
                        shape.neighbours(cell).iter().filter(|next| Some(*next) != *before).count()
                    };
                    let children: usize = nodes.clone().map(|(_, before)| further(before)).sum();
                    assert!(is_near(found.nodes(cell), nodes.count() as f64));
                    assert!(is_near(found.children(cell), children as f64));
                }
                let steps = |(blank, before): &(u8, Option<u8>)| {
                    let (blank, before) = (*blank, *before);
                    let next = shape.neighbours(blank).iter().filter(move |c| Some(*c) != before);
                    next.map(move |next| (next, Some(blank))).collect::<Vec<_>>()
                };
                level = level.iter().flat_map(steps).collect();
            }
        }
    }
}

/// With the exact distribution, the formula of Korf, Reid and Edelkamp is exact in the mean over
/// all boards. The reason: each path from a board to another one is a path back.
#[test]
fn equilibrium_distribution_predicts_the_mean_of_all_boards() {
    // Each bound has twice as many nodes as the one before; the largest ones in long tests.
    let largest = if pdb_oracle::are_long() { 16 } else { 11 };
    for (goal, bounds) in [
        (Goal::blank_last(shape(2, 3)), 0..=21),
        (Goal::snail(shape(3, 3)), 6..=largest - 1),
        (Goal::blank_last(shape(3, 3)), 6..=largest),
    ] {
        let shape = goal.shape();
        let boards = solvable_boards(&goal);
        let manhattan = |board: &Board| goal.manhattan_distance(board);
        for bound in bounds {
            let is_root = |blank| shape.distance(blank, goal.home(BLANK)) % 2 == bound % 2;
            let roots: Vec<u8> = shape.all_cells().iter().filter(|&cell| is_root(cell)).collect();
            let share = 1.0 / roots.len() as f64;
            let roots: Vec<(u8, f64)> = roots.into_iter().map(|cell| (cell, share)).collect();
            let contributions = Contributions::new(shape, &roots, bound);
            let (mut expected, mut counted) = (ExpectedNodes::default(), ExpectedNodes::default());
            let mut root_count = 0.0;
            for board in &boards {
                let blank = board.blank();
                let one = contributions.of(blank, manhattan(board));
                let scale = shape.cell_count() as f64 / boards.len() as f64;
                expected.generated += scale * one.generated;
                expected.expanded += scale * one.expanded;
                if is_root(blank) {
                    root_count += 1.0;
                    let nodes = nodes_within(board, None, i64::from(bound), &manhattan);
                    counted.generated += nodes.generated;
                    counted.expanded += nodes.expanded;
                }
            }
            let counted = (counted.generated / root_count, counted.expanded / root_count);
            assert!(counted.1 > 0.0, "{shape}, bound {bound}");
            assert!(is_near(expected.generated, counted.0), "{expected:?} {counted:?}");
            assert!(is_near(expected.expanded, counted.1), "{expected:?} {counted:?}");
        }
    }
}

/// If the blank's cell determines a board's estimate, the step determines its children's estimates.
#[test]
fn conditional_distribution_predicts_each_board() {
    let shape = shape(3, 3);
    let goal = Goal::blank_last(shape);
    let boards = solvable_boards(&goal);
    let of_blank = |board: &Board| shape.distance(board.blank(), 8);
    let nothing = |_: &Board| 0;
    for estimate in [&of_blank as &dyn Fn(&Board) -> u32, &nothing] {
        let mut transitions = Transitions::new(shape);
        for board in boards.iter().step_by(97) {
            for (child, _) in children(board, None) {
                let (from, to) = (board.blank(), child.blank());
                transitions.add(from, to, estimate(board), estimate(&child), 0.5);
            }
        }
        let prediction = transitions.prediction();
        for board in boards.iter().step_by(20_011) {
            for bound in 0..=14 {
                let root = [(board.blank(), estimate(board), 1.0)];
                let expected = prediction.nodes(&root, bound);
                let counted = nodes_within(board, None, i64::from(bound), estimate);
                assert!(is_near(expected.generated, counted.generated), "{expected:?} {counted:?}");
                assert!(is_near(expected.expanded, counted.expanded), "{expected:?} {counted:?}");
            }
        }
    }
}

#[test]
fn tilted_boards_are_drawn_by_their_distance() {
    for goal in
        [Goal::blank_last(shape(2, 3)), Goal::blank_first(shape(3, 2)), Goal::snail(shape(2, 3))]
    {
        let boards = solvable_boards(&goal);
        for base in [1.0, 1.5, 3.0] {
            let tilted = TiltedBoards::new(&goal, base).expect("there are few cells");
            let likelihood = |board: &Board| tilted.likelihood(goal.manhattan_distance(board));
            let mean = boards.iter().map(likelihood).sum::<f64>() / boards.len() as f64;
            assert!((mean - 1.0).abs() < 1e-5, "{mean}");
            let mut random = pdb_oracle::Random::new(7);
            let mut draw = || random.below(1 << 53) as f64 / (1u64 << 53) as f64;
            let mut drawn: BTreeMap<Vec<u8>, f64> = BTreeMap::new();
            let mut solvable_count = 0.0;
            for _ in 0..60_000 {
                let board = tilted.draw(&mut draw);
                if goal.check_solvable(&board).is_ok() {
                    solvable_count += 1.0;
                    *drawn.entry(board.tiles().to_vec()).or_default() += 1.0;
                }
            }
            assert!(solvable_count > 25_000.0);
            for board in &boards {
                let expected = solvable_count * likelihood(board) / boards.len() as f64;
                let found = drawn.get(board.tiles()).copied().unwrap_or(0.0);
                // Six standard deviations, and some for the rarest.
                assert!(
                    (found - expected).abs() < 6.0 * expected.sqrt() + 3.0,
                    "{board}: {found}, {expected}"
                );
            }
        }
    }
}

#[test]
fn boards_of_many_cells_are_not_drawn_by_distance() {
    assert!(TiltedBoards::new(&Goal::blank_last(shape(2, 13)), 2.0).is_none());
}
