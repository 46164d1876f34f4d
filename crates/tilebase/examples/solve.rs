//! Solves one board.
//!
//! ```sh
//! cargo run --release -p tilebase --example solve "0 12 9 13/15 11 10 14/3 7 2 5/4 8 6 1"
//! ```
#![allow(clippy::print_stdout, reason = "an example shows what it does")]

use std::env;
use std::error::Error;

use tilebase::text::letters;
use tilebase::{Status, Tilebase};

fn main() -> Result<(), Box<dyn Error>> {
    let board = env::args().nth(1).unwrap_or_else(|| "8 6 7/2 5 4/3 0 1".to_owned());
    // The first run builds the best tables that the machine has room for; later runs find them.
    let tables = Tilebase::builder().lazy()?;
    let answer = tables.solve(&board)?;
    match answer.status {
        Status::Optimal { moves } => {
            println!("{} moves: {}", moves.len(), letters(&moves));
        }
        Status::Unsolvable(reason) => println!("unsolvable: {reason}"),
        other => println!("{other:?}"),
    }
    Ok(())
}
