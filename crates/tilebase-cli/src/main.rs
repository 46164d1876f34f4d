//! The program `tilebase`.
#![forbid(unsafe_code)]

use std::process::ExitCode;

use tilebase_cli::Place;

fn main() -> ExitCode {
    ExitCode::from(tilebase_cli::run(std::env::args_os(), Place::default()))
}
