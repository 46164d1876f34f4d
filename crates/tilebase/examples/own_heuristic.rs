//! Compares a heuristic of your own with Manhattan distance and a pattern database: estimates,
//! nodes, and the parts of an explanation.
//!
//! ```sh
//! cargo run --release -p tilebase --example own_heuristic "8 6 7/2 5 4/3 0 1"
//! ```
#![allow(clippy::print_stdout, reason = "an example shows what it does")]

use std::env;
use std::error::Error;
use std::sync::Arc;

use tilebase::names::heuristics;
use tilebase::pdb_core::{Estimator, Memo, RootError, Slide};
use tilebase::pdb_lab::HeuristicName;
use tilebase::rate::RatingOptions;
use tilebase::{Board, Goal, Tilebase};

/// Number of tiles out of their row plus the number of tiles out of their column. A move takes one
/// tile to another row or to another column, so no solution is shorter.
#[derive(Debug)]
struct OutOfLine(Goal);

impl OutOfLine {
    fn of(&self, board: &Board) -> Memo {
        let shape = board.shape();
        let out_of_line = |(cell, &tile): (u8, &u8)| {
            let ((row, col), (home_row, home_col)) =
                (shape.row_col(cell), shape.row_col(self.0.home(tile)));
            u32::from(tile != 0) * (u32::from(row != home_row) + u32::from(col != home_col))
        };
        Memo::new((0..).zip(board.tiles()).map(out_of_line).sum(), &[])
    }
}

impl Estimator for OutOfLine {
    fn root(&self, board: &Board) -> Result<Memo, RootError> {
        Ok(self.of(board))
    }

    fn child(&self, board: &Board, _parent: &Memo, _slide: Slide) -> Memo {
        self.of(board)
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let board = env::args().nth(1).unwrap_or_else(|| "8 6 7/2 5 4/3 0 1".to_owned());
    let board: Board = board.parse()?;
    let goal = Goal::blank_last(board.shape());
    let own = HeuristicName::own("out-of-line", |goal| Arc::new(OutOfLine(*goal)));
    let mut names = vec![own.clone()];
    names.extend(heuristics("manhattan,4-4", &goal)?);
    names.push(HeuristicName::Max(names[..2].to_vec()));

    println!("heuristic                    estimate  moves    nodes");
    for name in &names {
        let tables = Tilebase::builder().heuristic(name.clone()).lazy()?;
        let answer = tables.solve(board)?;
        let (estimate, length) = (tables.estimate(board)?, answer.length().unwrap_or_default());
        println!("{name:<28} {estimate:>8} {length:>6} {:>8}", answer.generated);
    }
    let tables = Tilebase::builder().heuristic(own).lazy()?;
    for rating in tables.rate(&goal, &names, &RatingOptions::default())? {
        println!("{:<28} {:>8.2} mean of all boards", rating.name, rating.estimate.mean);
    }
    println!("lower bound by all heuristics: {:?}", tables.explain(board)?.lower_bound);
    Ok(())
}
