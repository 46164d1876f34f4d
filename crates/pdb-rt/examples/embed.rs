//! A program that needs no other crate than `pdb-rt`, with a search of its own. It opens the tables
//! of a partition of the 8-puzzle once, and solves the boards in its arguments.
//! `tilebase build 8/4-4 --db FOLDER` builds the tables.
//!
//! ```sh
//! cargo run --release -p pdb-rt --example embed FOLDER "8 6 7/2 5 4/3 0 1"
//! ```

#![allow(clippy::print_stdout, reason = "an example shows its answers")]

use std::error::Error;
use std::path::Path;

use pdb_rt::Database;
use pdb_rt::pdb_core::notation::letters;
use pdb_rt::pdb_core::{BlankMode, Board, Direction, Estimator, Goal, Plan, RootError, Shape};

/// Depth-first search for a solution of at most `bound` moves, which then end `path`.
fn is_within(
    estimator: &dyn Estimator,
    goal: &Goal,
    board: &Board,
    bound: u32,
    path: &mut Vec<Direction>,
) -> Result<bool, RootError> {
    if board == goal.board() {
        return Ok(true);
    }
    for (direction, next) in board.legal_moves() {
        let is_back = path.last() == Some(&direction.opposite());
        if is_back || estimator.estimate(&next)? + 1 > bound {
            continue;
        }
        path.push(direction);
        if is_within(estimator, goal, &next, bound - 1, path)? {
            return Ok(true);
        }
        path.pop();
    }
    Ok(false)
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let folder = arguments.next().ok_or("usage: embed FOLDER BOARD...")?;

    let goal = Goal::blank_last(Shape::new(3, 3)?);
    let partition = vec![vec![1, 2, 3, 6], vec![4, 5, 7, 8]];
    let plan = Plan::additive(&goal, &[partition], BlankMode::Aware, true)?;
    let database = Database::open(&plan, Path::new(&folder))?.check(1)?;
    let estimator = database.estimator();

    for text in arguments {
        let board: Board = text.parse()?;
        if let Err(reason) = goal.check_solvable(&board) {
            println!("unsolvable: {reason}");
            continue;
        }
        let (mut bound, mut moves) = (estimator.estimate(&board)?, Vec::new());
        while !is_within(&*estimator, &goal, &board, bound, &mut moves)? {
            bound += 2;
        }
        println!("{} moves: {}", moves.len(), letters(&moves));
    }
    Ok(())
}
