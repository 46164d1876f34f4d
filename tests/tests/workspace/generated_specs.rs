//! Generated specs: their estimates are lower bounds, and the runtime takes their plans.

use pdb_core::plan::{LOOKUPS_MAX, PARTITIONS_MAX};
use pdb_core::{BLANK, Board, Goal, PlanKind, Shape};
use pdb_search::{Options, Status, solve_manhattan};
use pdb_spec::{generated, generated_within};
use pdb_tests::are_long;
use pdb_tests::tables::engine;
use tilebase::sets::BoardSet;

fn goal(text: &str) -> Goal {
    Goal::new(text.parse().unwrap())
}

/// Compares the estimates of a generated spec with distances. More than half of the estimates must
/// be larger than Manhattan distance.
fn check(goal: &Goal, sizes: &[usize], boards: &[Board], distances: &[u32]) {
    let spec = generated(goal, sizes).unwrap();
    let engine = engine(&spec.plan);
    let estimates: Vec<u32> = boards.iter().map(|board| engine.estimate(board).unwrap()).collect();
    let mut more_count = 0;
    for ((board, estimate), distance) in boards.iter().zip(estimates).zip(distances) {
        assert!(estimate <= *distance, "{}: {estimate} of {distance} for {board}", spec.name);
        let manhattan = goal.manhattan_distance(board);
        assert!(estimate >= manhattan, "{}: {estimate} for {board}", spec.name);
        more_count += usize::from(estimate > manhattan);
    }
    assert!(more_count > boards.len() / 2, "{}: {more_count}", spec.name);
}

#[test]
fn estimates_are_lower_bounds_for_a_blank_on_any_cell() {
    let wide = ("1 2 0 3 4/5 6 7 8 9", &[5, 4][..]);
    let small = [
        ("1 2 3/4 0 5/6 7 8", &[4, 4][..]),
        ("1 2 3/8 0 4/7 6 5", &[5, 3]),
        ("3 0 1/2 5 4/8 7 6", &[3, 3, 2]),
        ("1 2 3 4/5 6 7 0", &[4, 3]),
    ];
    // Short tests try a sample of the wide boards and one in seven of the others.
    if !are_long() {
        check_sample(&goal(wide.0), &[wide.1]);
    }
    for (drawn, sizes) in small.into_iter().chain(are_long().then_some(wide)) {
        let goal = goal(drawn);
        let shape = goal.shape();
        let found = pdb_oracle::distances(shape.rows(), shape.cols(), goal.board().tiles());
        let (boards, distances): (Vec<Board>, Vec<u32>) = found
            .iter()
            .step_by(if are_long() { 1 } else { 7 })
            .map(|(tiles, &distance)| (Board::new(shape, tiles).unwrap(), distance))
            .unzip();
        check(&goal, sizes, &boards, &distances);
    }
}

/// Compares the estimates of specs with the distances of random boards.
fn check_sample(goal: &Goal, partitions: &[&[usize]]) {
    let boards = BoardSet::random(goal, if are_long() { 300 } else { 60 }, 1).boards;
    let distance = |board: &Board| {
        let outcome = solve_manhattan(goal, board, &Options::default()).unwrap();
        let Status::Optimal { moves } = outcome.status else { panic!("{board} has no limit") };
        moves.len() as u32
    };
    let distances: Vec<u32> = boards.iter().map(distance).collect();
    for sizes in partitions {
        check(goal, sizes, &boards, &distances);
    }
}

#[test]
fn estimates_of_boards_of_3x4_are_lower_bounds() {
    check_sample(&goal("1 2 3 4/5 0 6 7/8 9 10 11"), &[&[6, 5], &[4, 4, 3]]);
}

#[test]
fn generated_plans_stay_within_the_limits_of_the_runtime() {
    for rows in 2..=18_usize {
        for cols in 2..=36 / rows {
            let shape = Shape::new(rows, cols).unwrap();
            for blank in (0..shape.cell_count()).step_by(if are_long() { 1 } else { 5 }) {
                let mut tiles: Vec<u8> = (1..shape.cell_count() as u8).collect();
                tiles.insert(blank, BLANK);
                let goal = Goal::new(Board::new(shape, &tiles).unwrap());
                let spec = generated_within(&goal, 1 << 20);
                let PlanKind::Additive { partitions } = spec.plan.kind() else { panic!() };
                let pattern_count: usize = partitions.iter().map(Vec::len).sum();
                assert!(partitions.len() <= PARTITIONS_MAX, "{}", spec.name);
                assert!(pattern_count <= LOOKUPS_MAX, "{}", spec.name);
            }
        }
    }
}
