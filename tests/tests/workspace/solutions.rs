//! Boards of the literature are solved in their known numbers of moves.

use pdb_core::{Board, Goal, Shape};
use pdb_search::{Outcome, Sharing};
use pdb_tests::tables::{LATENCY, THROUGHPUT, engine, plan, solve, solve_all, thread_count};
use pdb_tests::{KorfBoard, antipodes80, are_long, korf100};

fn shape() -> Shape {
    Shape::new(4, 4).unwrap()
}

/// On one thread and one lane, only the boards determine the generated nodes: by the order of
/// moves, and by what earlier bounds found.
const ONE_LANE: Sharing = Sharing { lanes: Some(1), boards_at_once: Some(1), subtrees: 1 };
const ONE_LANE_IN_ORDER: Sharing = Sharing { subtrees: 2000, ..ONE_LANE };

/// Means over the searches of boards.
#[derive(Clone, Copy, Debug)]
struct Means {
    estimate: f64,
    generated: f64,
}

/// Solves the easiest of Korf's boards, or all of them in long tests, with plain IDA* or with the
/// solver and a sharing.
fn solve_korf(spec: &str, board_count: usize, sharing: Option<Sharing>) -> Means {
    let engine = engine(&plan(spec, &Goal::blank_first(shape())));
    let mut korf = korf100();
    korf.sort_by_key(|board| board.nodes);
    if !are_long() && board_count < 100 {
        println!("{spec}: {} boards left out, the hardest ones", 100 - board_count);
        korf.truncate(board_count);
    }
    let board = |korf: &KorfBoard| Board::new(shape(), &korf.tiles).unwrap();
    let boards: Vec<Board> = korf.iter().map(board).collect();
    let answers = match sharing {
        None => boards.iter().map(|board| solve(&engine, board)).collect(),
        Some(sharing) => {
            let threads = if sharing.lanes == Some(1) { 1 } else { thread_count() };
            solve_all(&engine, &boards, sharing, threads)
        }
    };
    let (mut estimates, mut generated) = (0, 0);
    for (korf, (length, outcome)) in korf.iter().zip(&answers) {
        assert_eq!(*length, korf.length as usize, "board {} by {spec}", korf.id);
        estimates += u64::from(outcome.initial_estimate.unwrap());
        generated += outcome.generated;
    }
    let mean = |sum| sum as f64 / korf.len() as f64;
    Means { estimate: mean(estimates), generated: mean(generated) }
}

/// Returns one sharing of threads among boards, or both in long tests.
fn sharings(one: Sharing) -> Vec<Sharing> {
    if are_long() { vec![LATENCY, THROUGHPUT] } else { vec![one] }
}

#[test]
fn korf100_by_7_8() {
    let Means { estimate, generated } = solve_korf("15/7-8", 100, None);
    assert_eq!(format!("{estimate:.2} {generated:.2}"), "46.43 20924.28");
    // Its tables of 288 MB take seconds to build.
    if are_long() {
        let Means { estimate, generated } = solve_korf("15/7-8-collapsed", 100, None);
        assert_eq!(format!("{estimate:.2} {generated:.2}"), "45.59 38325.99");
    }
}

#[test]
fn korf100_by_the_solver() {
    let specs = [
        ("15/7-8", THROUGHPUT, ["16628.69", "11905.58"]),
        ("15/7-8-max", LATENCY, ["11262.45", "8025.64"]),
    ];
    if !are_long() {
        println!("15/7-8-max and 15/7-8-collapsed are left to long tests");
    }
    for (spec, sharing, generated) in specs.into_iter().take(1 + usize::from(are_long())) {
        for sharing in sharings(sharing) {
            solve_korf(spec, 100, Some(sharing));
        }
        let in_one_lane = [ONE_LANE, ONE_LANE_IN_ORDER].map(|sharing| {
            let means = solve_korf(spec, 100, Some(sharing));
            format!("{:.2}", means.generated)
        });
        assert_eq!(in_one_lane, generated, "{spec}");
    }
}

#[test]
fn korfs_easy_boards_by_weaker_tables() {
    for name in ["15/6-6-3", "15/5-5-5"] {
        let collapsed = format!("{name}-collapsed");
        let pairs = [(name, LATENCY), (&*collapsed, THROUGHPUT)];
        let [aware, collapsed] = pairs.map(|(spec, sharing)| {
            for sharing in sharings(sharing) {
                solve_korf(spec, 10, Some(sharing));
            }
            solve_korf(spec, 10, None)
        });
        assert!(aware.estimate >= collapsed.estimate, "{aware:?} {collapsed:?}");
        assert!(aware.generated < collapsed.generated, "{aware:?} {collapsed:?}");
    }
    solve_korf("15/walking-distance", 20, Some(THROUGHPUT));
    solve_korf("15/fringes", 5, Some(THROUGHPUT));
}

#[test]
fn hardest_17_boards_take_80_moves() {
    let engine = engine(&plan("15/7-8", &Goal::blank_last(shape())));
    let tiles = antipodes80();
    let mut boards: Vec<_> = tiles.iter().map(|b| Board::new(shape(), &b.tiles).unwrap()).collect();
    // A board that is its own mirror image.
    boards.push("1 5 9 13/2 6 10 14/3 7 11 15/4 8 12 0".parse().unwrap());
    let lengths = [vec![80; 17], vec![72]].concat();
    let check = |count: usize, answers: Vec<(usize, Outcome)>| {
        let found: Vec<_> = answers.into_iter().map(|(length, _)| length).collect();
        assert_eq!(found, lengths[18 - count..]);
    };
    let [few, fewer] = if are_long() { [18; 2] } else { [1; 2] };
    println!("{} of 18 boards left out", 18 - few);
    check(few, solve_all(&engine, &boards[18 - few..], THROUGHPUT, thread_count()));
    check(fewer, solve_all(&engine, &boards[18 - fewer..], LATENCY, thread_count()));
    if are_long() {
        check(18, boards.iter().map(|board| solve(&engine, board)).collect());
    }
}

/// Solves states of the 8-puzzle with its shipped specs, and compares the lengths with a full
/// breadth-first search.
#[test]
fn states_of_the_8_puzzle_are_solved_in_their_exact_distances() {
    let goal = Goal::blank_last(Shape::new(3, 3).unwrap());
    let distances = pdb_oracle::distances(3, 3, goal.board().tiles());
    assert_eq!(distances.len(), 181_440);
    assert_eq!(distances.values().max(), Some(&31));
    let states: Vec<_> = distances
        .into_iter()
        .map(|(tiles, distance)| (Board::new(goal.shape(), &tiles).unwrap(), distance as usize))
        .collect();
    // A sample of the states is solved in three ways: by plain IDA*, with all threads on one board,
    // and with many boards at the same time. With a plain pattern the searches have more nodes, and
    // handing boards over takes longer than solving them.
    for (spec, steps) in
        [("8/whole", [20, 50, 20]), ("8/4-4", [20, 50, 20]), ("8/fringe", [100, 100, 100])]
    {
        let engine = engine(&plan(spec, &goal));
        let steps = if are_long() && spec != "8/fringe" { [1; 3] } else { steps };
        for (way, step) in [None, Some(LATENCY), Some(THROUGHPUT)].into_iter().zip(steps) {
            let (boards, lengths): (Vec<Board>, Vec<usize>) =
                states.iter().step_by(step).copied().unzip();
            let answers = match way {
                None => boards.iter().map(|board| solve(&engine, board)).collect(),
                Some(sharing) => solve_all(&engine, &boards, sharing, thread_count()),
            };
            for ((board, expected), (length, outcome)) in boards.iter().zip(lengths).zip(answers) {
                assert_eq!(length, expected, "{board} by {spec}");
                let estimate = outcome.initial_estimate;
                assert!(spec != "8/whole" || estimate == Some(expected as u32), "{board}");
            }
        }
    }
}
