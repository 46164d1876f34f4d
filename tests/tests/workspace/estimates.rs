//! Every heuristic that needs tables, against true distances and against each other.
//!
//! The boards are all of 2x3 and 2x4, a part of 3x3 (all in long tests), with the distances of a
//! breadth-first search, and a sample of 3x4, with the distances of IDA* with Manhattan distance.

use std::collections::BTreeMap;
use std::slice::from_ref;

use pdb_core::{BlankMode, Board, Direction, Estimator, Goal, Heuristic, Plan, Shape};
use pdb_lab::heuristics::Pairwise;
use pdb_rt::{Database, Visitor};
use pdb_search::{Manhattan, Options, Status, solve_manhattan};
use pdb_tests::are_long;
use pdb_tests::tables::database;

type Tiles = Vec<u8>;

/// A partition of all tiles, and patterns that may overlap.
struct Drawn {
    goal: Goal,
    partition: Vec<Tiles>,
    patterns: Vec<Tiles>,
}

fn drawn() -> [Drawn; 4] {
    let goal = |rows, cols| Goal::blank_last(Shape::new(rows, cols).unwrap());
    [
        Drawn {
            goal: goal(2, 3),
            partition: vec![vec![1, 2], vec![3, 4, 5]],
            patterns: vec![vec![1, 2, 3], vec![3, 5]],
        },
        Drawn {
            goal: goal(2, 4),
            partition: vec![vec![1, 2, 5], vec![3, 4, 6, 7]],
            patterns: vec![vec![1, 2, 3, 4], vec![4, 5, 7]],
        },
        Drawn {
            goal: goal(3, 3),
            partition: vec![vec![1, 2, 3], vec![4, 5, 6, 7, 8]],
            patterns: vec![vec![1, 2, 3, 4, 7], vec![3, 6, 8]],
        },
        Drawn {
            goal: goal(3, 4),
            partition: vec![vec![1, 2, 5, 6], vec![3, 4, 7, 8], vec![9, 10, 11]],
            patterns: vec![vec![1, 2, 3, 4], vec![4, 8, 11]],
        },
    ]
}

struct Estimates<'a>(&'a [Board]);

impl<'h> Visitor<'h> for Estimates<'_> {
    type Output = Vec<u32>;

    fn visit<H: Heuristic + Send + 'h>(self, heuristic: H) -> Vec<u32> {
        estimates(&heuristic, self.0)
    }
}

fn estimates<H: Heuristic>(heuristic: &H, boards: &[Board]) -> Vec<u32> {
    boards.iter().map(|board| heuristic.estimate(&heuristic.root(board).unwrap().1)).collect()
}

/// Returns the estimates by the contract of all searches but IDA*.
fn estimates_plainly(heuristic: &dyn Estimator, boards: &[Board]) -> Vec<u32> {
    heuristic.estimates(boards).unwrap()
}

/// Returns the estimates of each heuristic by its name.
fn all(drawn: &Drawn, boards: &[Board]) -> BTreeMap<&'static str, Vec<u32>> {
    let Drawn { goal, partition, patterns } = drawn;
    let is_square = goal.shape().rows() == goal.shape().cols();
    let additive = |mode, reflect| {
        database(&Plan::additive(goal, from_ref(partition), mode, reflect).unwrap())
    };
    let mut tables: Vec<(&str, Database)> = vec![
        ("aware", additive(BlankMode::Aware, false)),
        ("collapsed", additive(BlankMode::Collapsed, false)),
        ("plain", database(&Plan::plain(goal, patterns, false).unwrap())),
        ("walking-distance", database(&Plan::walking(goal))),
    ];
    if is_square {
        tables.extend([
            ("aware, mirrored", additive(BlankMode::Aware, true)),
            ("collapsed, mirrored", additive(BlankMode::Collapsed, true)),
            ("plain, mirrored", database(&Plan::plain(goal, patterns, true).unwrap())),
        ]);
    }
    let by_tables = tables.iter().map(|(name, database)| {
        let estimates = database.visit(Estimates(boards));
        assert_eq!(estimates, estimates_plainly(&*database.estimator(), boards), "{name}");
        (*name, estimates)
    });
    let mut all: BTreeMap<_, _> = by_tables.collect();
    all.insert("manhattan", estimates(&Manhattan::new(goal), boards));
    all.insert("pairwise", estimates_plainly(&Pairwise::new(goal).unwrap(), boards));
    all
}

/// Checks that all heuristics are lower bounds, and that the stronger of two is never smaller.
fn check(drawn: &Drawn, boards: &[Board], distances: &[u32]) {
    let shape = drawn.goal.shape();
    let all = all(drawn, boards);
    for (name, estimates) in &all {
        let rows = boards.iter().zip(estimates).zip(distances);
        for ((board, estimate), distance) in rows {
            assert!(estimate <= distance, "{name}: {estimate} of {distance} for {board}");
        }
        assert!(estimates.iter().any(|&estimate| estimate > 0), "{name} is always 0 on {shape}");
    }
    let mut chains = vec![
        vec!["manhattan", "walking-distance"],
        vec!["manhattan", "pairwise"],
        vec!["manhattan", "collapsed", "aware"],
    ];
    if all.contains_key("aware, mirrored") {
        chains.extend([
            vec!["collapsed", "collapsed, mirrored", "aware, mirrored"],
            vec!["aware", "aware, mirrored"],
            vec!["plain", "plain, mirrored"],
        ]);
    }
    for pair in chains.iter().flat_map(|chain| chain.windows(2)) {
        let (less, more) = (&all[pair[0]], &all[pair[1]]);
        for ((small, large), board) in less.iter().zip(more).zip(boards) {
            assert!(small <= large, "{} {small}, {} {large} of {board}", pair[0], pair[1]);
        }
        assert_ne!(less, more, "{} is never larger than {} on {shape}", pair[1], pair[0]);
    }
}

#[test]
fn estimates_of_boards_of_up_to_9_cells_are_lower_bounds() {
    for drawn in &drawn()[..3] {
        let shape = drawn.goal.shape();
        let found = pdb_oracle::distances(shape.rows(), shape.cols(), drawn.goal.board().tiles());
        let all_boards: u64 = (3..=shape.cell_count() as u64).product();
        assert_eq!(found.len() as u64, all_boards, "half of all boards can be solved");
        // Of 3x3 one board in seven, and all of them in long tests.
        let step = if are_long() || shape.cell_count() < 9 { 1 } else { 7 };
        let (boards, distances): (Vec<Board>, Vec<u32>) = found
            .iter()
            .step_by(step)
            .map(|(tiles, &distance)| (Board::new(shape, tiles).unwrap(), distance))
            .unzip();
        check(drawn, &boards, &distances);
    }
}

#[test]
fn estimates_of_boards_of_3x4_are_lower_bounds() {
    let drawn = &drawn()[3];
    // Boards of one long walk, far apart.
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut board = *drawn.goal.board();
    let mut boards = Vec::new();
    for step in 0..40_000 {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        let direction = Direction::ALL[(state >> 33) as usize % 4];
        board = board.moved(direction).unwrap_or(board);
        if step % 200 == 199 {
            boards.push(board);
        }
    }
    let distance = |board: &Board| {
        let outcome = solve_manhattan(&drawn.goal, board, &Options::default()).unwrap();
        let Status::Optimal { moves } = outcome.status else { panic!("{board} has no limit") };
        moves.len() as u32
    };
    let distances: Vec<u32> = boards.iter().map(distance).collect();
    assert!(distances.iter().any(|&distance| distance > 35), "{distances:?}");
    check(drawn, &boards, &distances);
}
