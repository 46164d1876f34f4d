//! A program that only maps tables. It opens the tables of a partition of the 8-puzzle once, and
//! solves the boards in its arguments. `tilebase build 8/4-4 --db FOLDER` builds the tables.
//!
//! ```sh
//! cargo run --release -p pdb-rt --example embed FOLDER "8 6 7/2 5 4/3 0 1"
//! ```

#![allow(clippy::print_stdout, reason = "an example shows its answers")]

use std::error::Error;
use std::path::Path;

use pdb_core::notation::letters;
use pdb_core::{BlankMode, Board, Goal, Heuristic, Plan, Shape};
use pdb_rt::{Database, Visitor};
use pdb_search::{Options, Outcome, SearchError, Status, ida_star};

/// A search with the database's heuristic, for any type of heuristic.
struct Solve<'a>(&'a Goal, &'a Board);

impl<'h> Visitor<'h> for Solve<'_> {
    type Output = Result<Outcome, SearchError>;

    fn visit<H: Heuristic + Send + 'h>(self, heuristic: H) -> Self::Output {
        ida_star(&heuristic, self.0, self.1, &Options::default())
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let folder = arguments.next().ok_or("usage: embed FOLDER BOARD...")?;

    let goal = Goal::blank_last(Shape::new(3, 3)?);
    let partition = vec![vec![1, 2, 3, 6], vec![4, 5, 7, 8]];
    let plan = Plan::additive(&goal, &[partition], BlankMode::Aware, true)?;
    let database = Database::open(&plan, Path::new(&folder))?.check(1)?;

    for text in arguments {
        let board: Board = text.parse()?;
        let outcome = database.visit(Solve(&goal, &board))?;
        match outcome.status {
            Status::Optimal { moves } => {
                println!("{} moves: {}", moves.len(), letters(&moves));
            }
            other => println!("{other:?}"),
        }
    }
    Ok(())
}
