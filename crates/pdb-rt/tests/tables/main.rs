//! Tables in use: their estimates against the oracle, their parts, and bytes that are no tables.
//! One program for all of it, as each way to look a database up is compiled for every form of
//! tables.

#![allow(clippy::unwrap_used, reason = "a test fails where it unwraps")]

mod examples;
mod parts;
mod plain;
mod runtime;

use std::slice::from_ref;

use pdb_core::{Board, Direction, Goal, Heuristic, Plan, RootError};
use pdb_gen::Monitor;
use pdb_rt::{Database, Visitor};
use pdb_search::{Options, Outcome, SearchError, ida_star};

fn bytes_of(plan: &Plan) -> Vec<Vec<u8>> {
    let bytes = |key| pdb_gen::Table::build(key, 2, &Monitor::silent()).unwrap().to_bytes();
    plan.tables().iter().map(bytes).collect()
}

/// Returns a walk of so many moves, the same every time for a seed.
fn walk(goal: &Goal, seed: u64, moves: usize) -> Vec<Board> {
    let mut state = seed;
    let mut boards = vec![*goal.board()];
    while boards.len() <= moves {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        let direction = Direction::ALL[(state >> 33) as usize % 4];
        boards.extend(boards[boards.len() - 1].moved(direction));
    }
    boards
}

/// The estimates of boards, each from nothing.
struct Roots<'a>(&'a [Board]);

impl<'h> Visitor<'h> for Roots<'_> {
    type Output = Vec<Result<u32, RootError>>;

    fn visit<H: Heuristic + Send + 'h>(self, heuristic: H) -> Self::Output {
        let estimate = |board| Ok(heuristic.estimate(&heuristic.root(board)?.1));
        self.0.iter().map(estimate).collect()
    }
}

/// Returns the estimate of one board, from nothing.
fn estimate(database: &Database, board: &Board) -> Result<u32, RootError> {
    database.visit(Roots(from_ref(board))).remove(0)
}

/// A search for a shortest solution.
struct Solve<'a>(&'a Goal, &'a Board);

impl<'h> Visitor<'h> for Solve<'_> {
    type Output = Result<Outcome, SearchError>;

    fn visit<H: Heuristic + Send + 'h>(self, heuristic: H) -> Self::Output {
        ida_star(&heuristic, self.0, self.1, &Options::default())
    }
}
