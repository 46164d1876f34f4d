//! Prints the estimates of several heuristics beside the distance of each board.
//!
//! ```sh
//! cargo run --release -p tilebase --example estimate
//! ```
#![allow(clippy::print_stdout, reason = "an example shows what it does")]

use std::error::Error;

use tilebase::sets::BoardSet;
use tilebase::{Goal, Shape, Tilebase};

fn main() -> Result<(), Box<dyn Error>> {
    let goal = Goal::blank_last(Shape::new(3, 3)?);
    let names = ["manhattan", "linear-conflict", "walking-distance", "8/4-4", "8/whole"];
    let heuristics = names.map(|name| Tilebase::builder().spec(name).lazy());
    let heuristics = heuristics.into_iter().collect::<Result<Vec<_>, _>>()?;
    println!("board                {}  distance", names.join("  "));
    for board in BoardSet::random(&goal, 10, 1).boards {
        print!("{board}  ");
        for (tables, name) in heuristics.iter().zip(names) {
            print!("{:>1$}  ", tables.estimate(board)?, name.len());
        }
        let distance = heuristics[4].solve(board)?.length();
        println!("{:>8}", distance.ok_or("random boards can be solved")?);
    }
    Ok(())
}
