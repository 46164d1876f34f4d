//! Builds the tables of a spec with a progress bar.
//!
//! ```sh
//! cargo run --release -p tilebase --example build 15/7-8
//! ```
#![allow(clippy::print_stdout, reason = "an example shows what it does")]

use std::env;
use std::error::Error;

use indicatif::ProgressBar;
use tilebase::Tilebase;
use tilebase::event::{Event, Step};
use tilebase::pdb_gen;
use tilebase::shelf::Bytes;

fn main() -> Result<(), Box<dyn Error>> {
    let spec = env::args().nth(1).unwrap_or_else(|| "8/4-4".to_owned());
    let bar = ProgressBar::new(0);
    let drawn = bar.clone();
    let tables = Tilebase::ensure(&spec, move |event| match event {
        Event::Task(_, Step::Table(pdb_gen::Event::Level { done, total, .. })) => {
            drawn.set_length(*total);
            drawn.set_position(*done);
        }
        Event::Built(report) => {
            drawn.println(format!(
                "{}: {} entries",
                report.header.key.file_name(),
                report.header.entry_count
            ));
        }
        _ => (),
    })?;
    bar.finish_and_clear();
    let goal = tables.goal(tables.shape().ok_or("the spec has no shape")?)?;
    let engine = tables.engine(&goal)?;
    println!("{spec} is ready: {}", Bytes(engine.table_bytes()));
    Ok(())
}
