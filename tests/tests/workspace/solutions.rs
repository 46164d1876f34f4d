//! Boards of the literature are solved in their known numbers of moves.

use std::sync::Mutex;

use pdb_core::{Board, Goal, Shape};
use pdb_lab::Engine;
use pdb_search::packets::{Advance, Share};
use pdb_search::{Sharing, Status, Work};
use pdb_tests::tables::{
    LATENCY, THROUGHPUT, engine, on_all_cores, plan, solve, solve_all, thread_count,
};
use pdb_tests::{antipodes80, are_long, korf100};

fn shape() -> Shape {
    Shape::new(4, 4).unwrap()
}

/// Solves Korf's 100 boards by the solver; returns the mean number of generated nodes.
fn solve_korf100_together(engine: &Engine, sharing: Sharing, threads: usize) -> f64 {
    let korf = korf100();
    let board = |tiles: &[u8]| Board::new(shape(), tiles).unwrap();
    let boards: Vec<Board> = korf.iter().map(|korf| board(&korf.tiles)).collect();
    let answers = solve_all(engine, &boards, sharing, threads);
    for (korf, (length, outcome)) in korf.iter().zip(&answers) {
        assert_eq!(*length, korf.length as usize, "board {}", korf.id);
        assert!(outcome.initial_estimate.unwrap() >= korf.manhattan, "board {}", korf.id);
    }
    assert_eq!(answers.iter().map(|(length, _)| length).sum::<usize>(), 5305);
    answers.iter().map(|(_, outcome)| outcome.generated).sum::<u64>() as f64 / 100.0
}

/// Solves Korf's 100 boards by plain IDA*, and by the solver with each sharing. Returns the mean
/// estimate of the roots and the mean number of nodes that plain IDA* generates.
fn solve_korf100(spec: &str, sharings: &[Sharing]) -> (f64, f64) {
    let goal = Goal::blank_first(shape());
    let engine = engine(&plan(spec, &goal));
    let sums = Mutex::new((0, 0, 0));
    on_all_cores(&korf100(), |board| {
        let tiles = Board::new(shape(), &board.tiles).unwrap();
        let (length, outcome) = solve(&engine, &tiles);
        assert_eq!(length, board.length as usize, "board {} by {spec}", board.id);
        let mut sums = sums.lock().unwrap();
        sums.0 += u64::from(outcome.initial_estimate.unwrap());
        sums.1 += outcome.generated;
        sums.2 += length;
    });
    let (estimates, generated, lengths) = sums.into_inner().unwrap();
    assert_eq!(lengths, 5305);
    for &sharing in sharings {
        solve_korf100_together(&engine, sharing, thread_count());
    }
    (estimates as f64 / 100.0, generated as f64 / 100.0)
}

#[test]
fn korf100_by_7_8() {
    // `korf100_by_the_solver_and_7_8` has these tables, too.
    let (estimate, generated) = solve_korf100("15/7-8", &[]);
    assert_eq!(format!("{estimate:.2} {generated:.2}"), "46.43 20924.28");
}

#[test]
fn korf100_by_7_8_collapsed() {
    let (estimate, generated) = solve_korf100("15/7-8-collapsed", &[THROUGHPUT]);
    assert_eq!(format!("{estimate:.2} {generated:.2}"), "45.59 38325.99");
}

/// Solves Korf's 100 boards by a small partition, which takes many more nodes: once, and by plain
/// IDA* only in long tests.
fn korf100_by_small(name: &str, sharing: Sharing) {
    let collapsed = format!("15/{name}-collapsed");
    if are_long() {
        let aware = solve_korf100(&format!("15/{name}"), &[LATENCY, THROUGHPUT]);
        let collapsed = solve_korf100(&collapsed, &[LATENCY, THROUGHPUT]);
        assert!(aware.0 >= collapsed.0 && aware.1 <= collapsed.1, "{aware:?} {collapsed:?}");
        return;
    }
    println!("{name}: plain IDA* left out");
    let goal = Goal::blank_first(shape());
    let [aware, collapsed] = [&format!("15/{name}"), &collapsed].map(|spec| {
        let engine = engine(&plan(spec, &goal));
        solve_korf100_together(&engine, sharing, thread_count())
    });
    assert!(aware < collapsed, "{aware} {collapsed}");
}

#[test]
fn korf100_by_6_6_3() {
    korf100_by_small("6-6-3", LATENCY);
}

#[test]
fn korf100_by_5_5_5() {
    korf100_by_small("5-5-5", THROUGHPUT);
}

/// On one thread and one lane nothing but the boards decides what is generated: in the order of
/// moves, and in that of what the bound before met.
fn generated_in_one_lane(spec: &str) -> [String; 2] {
    let engine = engine(&plan(spec, &Goal::blank_first(shape())));
    let one = Sharing { lanes: Some(1), boards_at_once: Some(1), subtrees: 1 };
    let in_order = Sharing { subtrees: 2000, ..one };
    for sharing in [LATENCY, THROUGHPUT] {
        solve_korf100_together(&engine, sharing, thread_count());
    }
    [one, in_order].map(|sharing| format!("{:.2}", solve_korf100_together(&engine, sharing, 1)))
}

#[test]
fn korf100_by_the_solver_and_7_8() {
    assert_eq!(generated_in_one_lane("15/7-8"), ["16628.69", "11905.58"]);
}

#[test]
fn korf100_by_the_solver_and_the_maximum_of_two_7_8() {
    assert_eq!(generated_in_one_lane("15/7-8-max"), ["11262.45", "8025.64"]);
}

#[test]
fn korf100_by_walking_distance() {
    let goal = Goal::blank_first(shape());
    let engine = engine(&plan("15/walking-distance", &goal));
    if are_long() {
        solve_korf100_together(&engine, THROUGHPUT, thread_count());
        return;
    }
    let mut korf = korf100();
    korf.sort_by_key(|board| board.nodes);
    korf.truncate(60);
    println!("Walking Distance: 40 boards left out, the hardest ones");
    let board = |tiles: &[u8]| Board::new(shape(), tiles).unwrap();
    let boards: Vec<Board> = korf.iter().map(|korf| board(&korf.tiles)).collect();
    for (korf, (length, _)) in
        korf.iter().zip(solve_all(&engine, &boards, THROUGHPUT, thread_count()))
    {
        assert_eq!(length, korf.length as usize, "board {}", korf.id);
    }
}

#[test]
fn hardest_17_boards_take_80_moves() {
    let engine = engine(&plan("15/7-8", &Goal::blank_last(shape())));
    if are_long() {
        on_all_cores(&antipodes80(), |board| {
            let board = Board::new(shape(), &board.tiles).unwrap();
            assert_eq!(solve(&engine, &board).0, 80, "{board}");
        });
    } else {
        println!("plain IDA* left out");
    }
    let tiles = antipodes80();
    let mut boards: Vec<_> = tiles.iter().map(|b| Board::new(shape(), &b.tiles).unwrap()).collect();
    // A board that is its own mirror image.
    boards.push("1 5 9 13/2 6 10 14/3 7 11 15/4 8 12 0".parse().unwrap());
    let lengths = [vec![80; 17], vec![72]].concat();
    let few = if are_long() { 18 } else { 3 };
    println!("{} of 18 boards left out with all threads on one board", 18 - few);
    for (sharing, count) in [(THROUGHPUT, 18), (LATENCY, few)] {
        let answers = solve_all(&engine, &boards[18 - count..], sharing, thread_count());
        let found: Vec<_> = answers.into_iter().map(|(length, _)| length).collect();
        assert_eq!(found, lengths[18 - count..]);
    }
}

/// Every 8-puzzle state by the shipped additive specs, against a full breadth-first search.
#[test]
fn every_8_puzzle_state_is_solved_in_its_exact_distance() {
    let goal = Goal::blank_last(Shape::new(3, 3).unwrap());
    let distances = pdb_oracle::distances(3, 3, goal.board().tiles());
    assert_eq!(distances.len(), 181_440);
    assert_eq!(distances.values().max(), Some(&31));
    let states: Vec<_> = distances.into_iter().collect();
    for spec in ["8/whole", "8/4-4"] {
        let engine = engine(&plan(spec, &goal));
        // By plain IDA* one board in twenty, and all in long tests.
        let some: Vec<_> = states.iter().step_by(if are_long() { 1 } else { 20 }).collect();
        on_all_cores(&some, |(tiles, distance)| {
            let board = Board::new(goal.shape(), tiles).unwrap();
            let (length, outcome) = solve(&engine, &board);
            assert_eq!(length, *distance as usize, "{board} by {spec}");
            if spec == "8/whole" {
                assert_eq!(outcome.initial_estimate, Some(*distance), "{board}");
            }
        });
        let boards = states.iter().map(|(tiles, _)| Board::new(goal.shape(), tiles).unwrap());
        let boards: Vec<Board> = boards.collect();
        // With all threads on one board, most of the time goes into handing boards over.
        for (sharing, step) in [(THROUGHPUT, 1), (LATENCY, if are_long() { 1 } else { 50 })] {
            let some: Vec<Board> = boards.iter().step_by(step).copied().collect();
            let answers = solve_all(&engine, &some, sharing, thread_count());
            for ((tiles, distance), (length, _)) in states.iter().step_by(step).zip(answers) {
                assert_eq!(length, *distance as usize, "{tiles:?} by {spec}");
            }
        }
    }
}

/// One state in fifty, because a plain pattern takes more nodes.
#[test]
fn the_8_puzzle_is_solved_in_its_exact_distances_by_the_fringe() {
    let goal = Goal::blank_last(Shape::new(3, 3).unwrap());
    let distances = pdb_oracle::distances(3, 3, goal.board().tiles());
    let (boards, lengths): (Vec<Board>, Vec<usize>) = distances
        .iter()
        .step_by(50)
        .map(|(tiles, &distance)| (Board::new(goal.shape(), tiles).unwrap(), distance as usize))
        .unzip();
    let engine = engine(&plan("8/fringe", &goal));
    for sharing in [LATENCY, THROUGHPUT] {
        let answers = solve_all(&engine, &boards, sharing, thread_count());
        let found: Vec<usize> = answers.into_iter().map(|(length, _)| length).collect();
        assert_eq!(found, lengths);
    }
}

/// Searches a board in packets and compares the finished bounds with those of the solver.
fn check_packets(engine: &Engine, board: &Board) {
    // Searched from the root on, a bound has all nodes of its tree.
    let sharing = Sharing { subtrees: 1, ..Sharing::default() };
    let expected = engine.solve(board, &Work { sharing, ..Work::default() }).unwrap();
    let Status::Optimal { moves: shortest } = &expected.status else {
        panic!("{board} is not solved")
    };
    for packet_count in [3, 40, 1000] {
        let work = Work { thread_count: thread_count(), ..Work::default() };
        let search = engine.packets(board, work).unwrap();
        let subject = search.subject("test", Vec::new(), packet_count);
        let ledger = Mutex::new(search.begin(subject));
        assert_eq!(search.advance(&ledger, Share::ALL, &|_| ()), Ok(Advance::Solved));
        let ledger = ledger.into_inner().unwrap();
        assert_eq!(ledger.bounds, expected.bounds[..expected.bounds.len() - 1], "{board}");
        assert_eq!(ledger.lower_bound() as usize, shortest.len(), "{board}");
    }
}

#[test]
fn packets_with_tables_add_up_to_the_counts_of_the_solver() {
    let goal = Goal::blank_first(shape());
    for (spec, stride) in [("15/5-5-5", 10), ("15/walking-distance", 20)] {
        let engine = engine(&plan(spec, &goal));
        for korf in korf100().iter().step_by(stride) {
            let board = Board::new(shape(), &korf.tiles).unwrap();
            if korf.nodes < 300_000_000 {
                check_packets(&engine, &board);
            }
        }
    }
}
