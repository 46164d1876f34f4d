//! The program `tilebase`.

use std::process::ExitCode;

use tilebase_cli::Surroundings;

fn main() -> ExitCode {
    ExitCode::from(tilebase_cli::run(std::env::args_os(), Surroundings::default()))
}
