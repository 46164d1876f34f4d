//! Numbers of boards and growth of their trees, compared with counting and with the literature.

use std::collections::BTreeMap;

use pdb_core::{BLANK, Board, Goal, Shape};

use crate::plain::{permutations, shape, shapes};

fn is_near(found: f64, expected: f64) -> bool {
    (found - expected).abs() < 1e-4
}

/// Returns the number of nodes in each level of the tree without moves back, summed over all start
/// cells of one colour.
fn levels(shape: Shape, colour: usize, count: usize) -> Vec<f64> {
    let starts = shape.all_cells().iter().filter(|&cell| {
        let (row, col) = shape.row_col(cell);
        (row + col) % 2 == colour
    });
    // A node is the blank's cell and the cell it came from.
    let mut level: BTreeMap<_, f64> = starts.map(|cell| ((cell, None), 1.0)).collect();
    let mut counts = Vec::new();
    for _ in 0..count {
        counts.push(level.values().sum());
        let mut next = BTreeMap::new();
        for ((cell, from), nodes) in level {
            for to in shape.neighbours(cell).iter().filter(|&to| Some(to) != from) {
                *next.entry((to, Some(cell))).or_insert(0.0) += nodes;
            }
        }
        level = next;
    }
    counts
}

#[test]
fn the_largest_shapes_have_their_known_numbers_of_boards() {
    assert_eq!(shape(4, 4).board_count(), "10461394944000");
    assert_eq!(shape(5, 5).board_count(), "7755605021665492992000000");
    assert_eq!(shape(6, 6).arrangement_count(), "371993326789901217467999448150835200000000");
    assert_eq!(shape(6, 6).board_count(), "185996663394950608733999724075417600000000");
    assert_eq!(shape(2, 18).board_count(), shape(6, 6).board_count());
    let fits = shapes().filter(|shape| shape.cell_count() <= 34);
    for shape in fits {
        let product: u128 = (1..=shape.cell_count() as u128).product();
        assert_eq!(shape.board_count(), (product / 2).to_string(), "{shape}");
    }
}

#[test]
fn numbers_of_boards_and_moves_agree_with_a_search() {
    for (rows, cols) in [(2, 2), (2, 3), (3, 2), (2, 4), (3, 3)] {
        let shape = shape(rows, cols);
        let goal = Goal::blank_last(shape);
        let boards = pdb_oracle::distances(rows, cols, goal.board().tiles());
        assert_eq!(shape.board_count(), boards.len().to_string());
        assert_eq!(shape.arrangement_count(), (2 * boards.len()).to_string());
        let moves = |tiles: &Vec<u8>| {
            let letters = ["U", "R", "D", "L"];
            letters.iter().filter(|m| pdb_oracle::replay(rows, cols, tiles, m).is_some()).count()
        };
        let sum: usize = boards.keys().map(moves).sum();
        assert!(is_near(shape.mean_moves(), sum as f64 / boards.len() as f64), "{shape}");
    }
    assert!(is_near(shape(4, 4).mean_moves(), 3.0) && is_near(shape(5, 5).mean_moves(), 3.2));
}

#[test]
fn growth_of_trees_agrees_with_their_levels_for_all_shapes() {
    // The tree of a line ends.
    assert!(shape(1, 6).tree_growth().into_iter().all(|factor| is_near(factor, 0.0)));
    // Edelkamp and Korf, "The branching factor of regular search spaces", table 2.
    let [first, second] = shape(5, 5).tree_growth();
    assert!(is_near((first * second).sqrt(), 2.3676), "{first} {second}");
    for shape in shapes() {
        let growth = shape.tree_growth();
        let turned = shape.transposed().tree_growth();
        assert!(is_near(growth[0], turned[0]) && is_near(growth[1], turned[1]), "{shape}");
        for colour in 0..2 {
            let counts = levels(shape, colour, 700);
            // After an even number of levels, the blank is on its first colour again.
            assert!(is_near(counts[699] / counts[698], growth[colour]), "{shape}: {growth:?}");
            assert!(is_near(counts[698] / counts[697], growth[1 - colour]), "{shape}: {growth:?}");
        }
    }
}

#[test]
fn cycles_move_each_tile_to_the_cell_of_the_tile_before_it() {
    for goal in
        [Goal::blank_last(shape(2, 3)), Goal::blank_first(shape(2, 3)), Goal::snail(shape(3, 2))]
    {
        let mut odd_count = 0;
        for tiles in permutations(&[0, 1, 2, 3, 4, 5]) {
            let board = Board::new(goal.shape(), &tiles).unwrap();
            let cycles = goal.cycles(&board);
            let mut named = cycles.concat();
            named.sort_unstable();
            let is_away = |&tile: &u8| board.tile(goal.home(tile)) != tile;
            assert!(named.into_iter().eq((0..6).filter(is_away)), "{board}: {cycles:?}");
            for cycle in &cycles {
                assert_eq!(cycle.iter().min(), cycle.first());
                let next = cycle.iter().cycle().skip(1);
                for (&tile, &next) in cycle.iter().zip(next) {
                    assert_eq!(board.tile(goal.home(tile)), next, "{board}: {cycles:?}");
                }
            }
            let exchanges: usize = cycles.iter().map(|cycle| cycle.len() - 1).sum();
            let blank_moves = goal.shape().distance(board.blank(), goal.home(BLANK));
            let is_even = (exchanges + blank_moves as usize).is_multiple_of(2);
            assert_eq!(is_even, goal.check_solvable(&board).is_ok(), "{board}");
            odd_count += usize::from(!is_even);
        }
        assert_eq!(odd_count, 360);
    }
}
