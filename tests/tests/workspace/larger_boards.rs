//! Boards of more than 16 cells are solved with their shipped specs and have correct estimates.

use pdb_core::{BLANK, BlankMode, Board, Goal, Shape, TableKey};
use pdb_gen::{Build, Level, Monitor, verify};
use pdb_oracle::Random;
use pdb_search::{KORF_BLANK_LAST, Manhattan, Options, Solver, Status};
use pdb_tests::tables::{LATENCY, engine, pattern_key, plan, solve, solve_all, thread_count};
use pdb_tests::{are_long, korf50_24, walk};
use tempfile::TempDir;

#[test]
fn easy_boards_of_korfs_24_puzzle_have_their_published_lengths() {
    let shape = Shape::new(5, 5).expect("25 cells");
    let goal = Goal::blank_first(shape);
    if !are_long() {
        println!("boards 25, 38 and 40 of the 24-puzzle are left to long tests");
        return;
    }
    let easy = korf50_24().into_iter().filter(|board| [25, 38, 40].contains(&board.id));
    let easy: Vec<_> = easy.collect();
    let boards: Vec<Board> =
        easy.iter().map(|board| Board::new(shape, &board.tiles).expect("a board")).collect();
    for spec in ["24/6-6-6-6", "24/6-6-6-6-max"] {
        let engine = engine(&plan(spec, &goal));
        for (board, (length, outcome)) in
            easy.iter().zip(solve_all(&engine, &boards, LATENCY, thread_count()))
        {
            assert_eq!(length as u32, board.length, "{spec}, board {}", board.id);
            assert!(outcome.initial_estimate >= Some(board.manhattan));
        }
    }
}

#[test]
fn tables_and_manhattan_distance_find_equal_lengths_for_the_35_puzzle() {
    let goal = Goal::blank_last(Shape::new(6, 6).expect("36 cells"));
    let engine = engine(&plan("35/5-5-5-5-5-5-5", &goal));
    let manhattan =
        Solver::new(Manhattan::new(&goal), &goal, KORF_BLANK_LAST).expect("the order is good");
    let (mut longest, mut random) = (0, Random::default());
    for _ in 0..8 {
        // The distance of the last board may be smaller than the length of the walk.
        let board = walk(goal.board(), 30, &mut random)[30];
        let answer = manhattan.ida_star(&board, &Options::default());
        let Ok(Status::Optimal { moves }) = answer.map(|outcome| outcome.status) else {
            panic!("{board} is not solved")
        };
        assert_eq!(solve(&engine, &board).0, moves.len(), "{board}");
        longest = longest.max(moves.len());
    }
    assert_eq!(longest, 30);
}

#[test]
fn a_table_of_the_35_puzzle_passes_every_check() {
    let goal = Goal::blank_first(Shape::new(6, 6).expect("36 cells"));
    let folder = TempDir::new().expect("a temporary folder can be made");
    let (homes, blank) = (goal.homes([1, 2, 6, 7]), goal.home(BLANK));
    let key = TableKey::Pattern(pattern_key(goal.shape(), homes, blank, BlankMode::Aware));
    let build = Build { thread_count: thread_count(), ..Build::new(folder.path()) };
    let built = build.in_memory(&key).expect("the table can be built");
    let report = verify(&built.path, Level::Rebuild, thread_count(), &Monitor::silent())
        .expect("the table can be verified");
    assert_eq!((report.level, report.findings), (Level::Rebuild, vec![]));
}
