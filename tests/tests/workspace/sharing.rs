//! Many threads on one map.
//!
//! `cargo test` takes a second for it; `cargo xtask load` sets `TILEBASE_LOAD_SECONDS`.

use std::time::{Duration, Instant};

use pdb_core::{Board, Direction, Goal, Shape};
use pdb_lab::{Engine, SearchName};
use pdb_oracle::Random;
use pdb_search::{Limits, Outcome, Weight};
use pdb_tests::tables::{engine, plan};

const THREAD_COUNT: usize = 64;

/// Returns boards that take up to so many moves.
fn scrambled(goal: &Goal, count: usize, moves: usize) -> Vec<Board> {
    let mut random = Random::default();
    let mut next = || Direction::ALL[random.below(4)];
    let board = |_| (0..moves).fold(*goal.board(), |board, _| board.moved(next()).unwrap_or(board));
    (0..count).map(board).collect()
}

/// Solves the boards over and over on all threads, and holds the answers against those of one
/// thread. Returns how often each thread has solved all boards.
fn share(engine: &Engine, boards: &[Board], time: Duration) -> Vec<u64> {
    // Each board on one thread, so that it is searched alike each time.
    let solve = |board: &Board, is_plain: bool| {
        let search = if is_plain { SearchName::Ida } else { SearchName::Lanes };
        let outcome = engine.search(search, board, Weight::ONE, Limits::default());
        Outcome { elapsed: Duration::ZERO, ..outcome.unwrap() }
    };
    let alone: Vec<_> =
        boards.iter().map(|board| [false, true].map(|plain| solve(board, plain))).collect();
    let hardest = alone.iter().map(|[outcome, _]| outcome.lookups).max();
    assert!(hardest > Some(1000), "all boards are easy: {hardest:?} look-ups");

    let begun = Instant::now();
    let work = |thread: usize| {
        let is_plain = thread.is_multiple_of(2);
        // Each begins elsewhere.
        let first = thread * boards.len() / THREAD_COUNT;
        let mut rounds = 0;
        loop {
            for i in (0..boards.len()).map(|i| (first + i) % boards.len()) {
                let found = solve(&boards[i], is_plain);
                assert_eq!(found, alone[i][usize::from(is_plain)], "{}", boards[i]);
            }
            rounds += 1;
            if begun.elapsed() >= time {
                return rounds;
            }
        }
    };
    std::thread::scope(|scope| {
        let work = &work;
        let threads: Vec<_> = (0..THREAD_COUNT).map(|i| scope.spawn(move || work(i))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    })
}

#[test]
fn sixty_four_threads_share_one_map() {
    let seconds = std::env::var("TILEBASE_LOAD_SECONDS").ok().map(|text| text.parse().unwrap());
    let time = Duration::from_secs_f64(seconds.unwrap_or(0.5));
    let goal = Goal::blank_last(Shape::new(4, 4).unwrap());
    let boards = scrambled(&goal, 20, 100);
    let engine = engine(&plan("15/5-5-5", &goal));
    let begun = Instant::now();
    let rounds = share(&engine, &boards, time);
    println!(
        "{THREAD_COUNT} threads on one map, {:.1} s: {} boards solved, at least {} by each thread, \
         all as on one thread",
        begun.elapsed().as_secs_f64(),
        rounds.iter().sum::<u64>() * boards.len() as u64,
        rounds.iter().min().unwrap() * boards.len() as u64
    );
}
