//! Measures the time of an estimate of the 15-puzzle's network: as whole numbers and in floating
//! point, for the children of a board and of many boards together. It measures all of them in
//! turns.
//!
//! ```sh
//! cargo run --release -p pdb-lab --example speed
//! ```
#![allow(clippy::print_stdout, reason = "an example shows what it found")]

use std::hint::black_box;
use std::time::Instant;

use pdb_core::{Board, Direction, Estimator, Expansion, Memo, Slide};
use pdb_lab::networks::{Learned, Network, Precision, Weights, shipped};

/// Total number of parents, and number of measurements of each method.
const PARENTS: usize = 4096;
const ROUNDS: usize = 15;
/// Numbers of parents that are evaluated together.
const BATCHES: [usize; 4] = [1, 4, 64, 4096];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let weights = Weights::read(shipped("15").ok_or("the network is compiled in")?)?;
    let networks = [("int8", Precision::Int8), ("f32", Precision::Float)];
    let networks = networks.map(|(name, precision)| {
        (name, Learned::new(Network::with_precision(&weights, precision)))
    });
    let mut times = vec![Vec::new(); networks.len() * BATCHES.len()];
    let boards = boards(&networks[0].1);
    for round in 0..=ROUNDS {
        let mut times = times.iter_mut();
        for (_, learned) in &networks {
            let parents: Vec<Expansion> =
                boards.iter().map(|board| parent(learned, board)).collect();
            let children: usize = parents.iter().map(|parent| parent.slides().len()).sum();
            let mut measure = |work: &mut dyn FnMut()| {
                let begun = Instant::now();
                work();
                let time = begun.elapsed().as_secs_f64() * 1e9 / children as f64;
                // The first round only warms up the caches.
                if let (Some(times), true) = (times.next(), round > 0) {
                    times.push(time);
                }
            };
            let mut memos = vec![Memo::new(0, &[]); children];
            for batch in BATCHES {
                measure(&mut || {
                    let mut memos = &mut memos[..];
                    for parents in parents.chunks(batch) {
                        let count = parents.iter().map(|parent| parent.slides().len()).sum();
                        let asked = memos.split_off_mut(..count).expect("each child has a place");
                        learned.children(black_box(parents), asked);
                    }
                });
            }
        }
    }
    println!("nanoseconds an estimate, median of {ROUNDS} rounds (smallest to largest)");
    let ways = BATCHES.map(|batch| format!("children of {batch} boards together"));
    let names = networks.iter().flat_map(|(name, _)| ways.iter().map(move |way| (name, way)));
    for ((name, way), times) in names.zip(&mut times) {
        times.sort_unstable_by(f64::total_cmp);
        let (median, last) = (times[ROUNDS / 2], times[ROUNDS - 1]);
        println!("{name:<5} {way:<35} {median:>7.0} ({:.0} to {last:.0})", times[0]);
    }
    Ok(())
}

/// Returns boards on a long walk from the goal.
fn boards(learned: &Learned) -> Vec<Board> {
    let mut board = *learned.goal().board();
    let mut random: u64 = 1;
    let mut boards = Vec::with_capacity(PARENTS);
    for step in 0..60 * PARENTS {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        if let Some(next) = board.moved(Direction::ALL[(random >> 62) as usize]) {
            board = next;
        }
        if step % 60 == 0 {
            boards.push(board);
        }
    }
    boards
}

/// Returns a board with requests for all its children.
fn parent(learned: &Learned, board: &Board) -> Expansion {
    let memo = learned.root(board).expect("there is no table that could be damaged");
    let mut parent = Expansion::new(*board, memo);
    let to = board.blank();
    for from in Direction::ALL.into_iter().filter_map(|d| d.tile_cell(board.shape(), to)) {
        parent.ask(Slide { tile: board.tile(from), from, to });
    }
    parent
}
