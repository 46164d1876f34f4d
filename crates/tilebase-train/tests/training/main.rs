//! Labels and measures, and the training of networks and of the orders of beams.
#![allow(clippy::unwrap_used, reason = "a test ends where something is not as it should be")]

mod labels;
mod networks;
mod order;

use std::sync::OnceLock;

use tempfile::TempDir;
use tilebase::{Board, Goal, Shape, Tilebase};

/// Returns the goal of the 8-puzzle.
fn goal() -> Goal {
    Goal::blank_last(Shape::new(3, 3).unwrap())
}

/// Returns the tables of the 8-puzzle, built once.
fn tables(threads: usize) -> Tilebase {
    static FOLDER: OnceLock<TempDir> = OnceLock::new();
    let folder = FOLDER.get_or_init(|| tempfile::tempdir().unwrap());
    Tilebase::builder().spec("8/whole").folder(folder.path()).threads(threads).ensure().unwrap()
}

/// Returns the Manhattan distances of boards.
fn manhattan(boards: &[Board]) -> Vec<u32> {
    boards.iter().map(|board| goal().manhattan_distance(board)).collect()
}
