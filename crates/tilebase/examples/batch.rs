//! Solves boards from standard input on all cores, and writes answers in their order.
//!
//! ```sh
//! cargo run --release -p tilebase --example batch < boards.txt
//! ```
#![allow(clippy::print_stdout, reason = "an example shows what it does")]

use std::error::Error;
use std::time::Duration;

use tilebase::sets::InputOptions;
use tilebase::{Search, Tilebase};

fn main() -> Result<(), Box<dyn Error>> {
    // Searches each board for a minute at most, then prints its lower bound.
    let search = Search { time: Some(Duration::from_mins(1)), ..Search::default() };
    let tables = Tilebase::builder().lazy()?;
    let boards = InputOptions::default().file("-".as_ref())?.boards;
    let mut answers = tables.solve_input(boards, search);
    for answer in answers.by_ref() {
        match answer {
            Ok(answer) => println!("{}: {:?} moves", answer.board, answer.length()),
            // Reports a bad line and continues with the others.
            Err(error) if error.is_of_board() => println!("{error}"),
            Err(error) => return Err(error.into()),
        }
    }
    println!("{} boards, {} nodes", answers.totals().boards, answers.totals().generated);
    Ok(())
}
