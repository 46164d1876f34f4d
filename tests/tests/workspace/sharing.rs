//! Many threads with one map.
//!
//! `cargo test` runs it for a second; `tests/load/run` sets `TILEBASE_LOAD_SECONDS`.

use std::time::{Duration, Instant};

use pdb_core::{Board, Goal, Shape};
use pdb_lab::{Engine, SearchName};
use pdb_search::{Limits, Outcome, Weight};
use pdb_tests::tables::{engine, plan};
use pdb_tests::{Random, walk};

const THREAD_COUNT: usize = 64;

/// Solves the boards repeatedly on all threads, and compares the answers with those of one thread.
/// Returns the number of rounds of each thread.
fn share(engine: &Engine, boards: &[Board], time: Duration) -> Vec<u64> {
    // Each board is solved by one thread, so its search is the same each time.
    let solve = |board: &Board, is_plain: bool| {
        let search = if is_plain { SearchName::IDA } else { SearchName::LANES };
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
        // Each thread begins at another board.
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
    let mut random = Random::default();
    let boards: Vec<_> = (0..20).map(|_| walk(goal.board(), 50, &mut random)[50]).collect();
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
