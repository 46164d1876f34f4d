//! Tests of `cargo xtask` with the real commands.

#![allow(
    clippy::disallowed_methods,
    reason = "no other process reads these files while they are written"
)]
#![allow(clippy::unwrap_used, reason = "a test fails where it unwraps")]
#![allow(clippy::print_stderr, reason = "a test says what it leaves out")]

mod peers;
mod tables;

use std::path::{Path, PathBuf};
use std::process::Command;

/// Returns the command line of the same build, if it exists: `cargo test --workspace` builds it,
/// and `cargo test -p xtask` alone does not.
fn tilebase() -> Option<PathBuf> {
    let beside = Path::new(env!("CARGO_BIN_EXE_xtask")).with_file_name("tilebase");
    let is_there = beside.is_file();
    if !is_there {
        eprintln!("left out: {} is not built", beside.display());
    }
    is_there.then_some(beside)
}

/// Runs a command that must end with `code`, and returns its standard output.
fn run(command: &mut Command, code: i32) -> String {
    outputs(command, code).0
}

/// Runs a command that must end with `code`, and returns its standard output and standard error.
fn outputs(command: &mut Command, code: i32) -> (String, String) {
    let output = command.output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(code), "{command:?}: {errors}");
    (String::from_utf8(output.stdout).unwrap(), errors)
}
