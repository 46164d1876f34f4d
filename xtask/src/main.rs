//! Build, ship, verify, bench and check Tilebase: `cargo xtask` lists the commands.
//!
//! It runs release binaries and does not link crates of this repository.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command line prints")]

mod bench;
mod dist;
mod golden;
mod report;
mod shell;
mod tables;
mod tidy;
mod toolchain;
mod web;

use std::process::ExitCode;

use anyhow::Result;
use clap::Parser;

/// Build, ship, verify, bench and check Tilebase.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
enum Xtask {
    /// Build the tables of specs in release mode
    Build(tables::Args),
    /// Verify tables, by default by building them again
    Verify(tables::Args),
    /// Pack the tables of specs for shipping
    Ship(tables::Args),
    /// Unpack archives
    Install(tables::Args),
    /// Measure the rows of a table of xtask/bench.toml, for docs/benchmarks.md
    Bench(bench::Args),
    /// Make the archives of a release: programs, packages, wheels, the C library, the page
    Dist(dist::Args),
    /// Export the page as a folder for any static host, which needs no server
    Web(web::Args),
    /// Check rules that the compiler and clippy do not check
    Tidy(tidy::Args),
    /// Build shipped specs and write the golden beside each
    Golden(golden::Args),
}

fn main() -> ExitCode {
    match run(Xtask::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(task: Xtask) -> Result<()> {
    match task {
        Xtask::Build(args) => args.run("build"),
        Xtask::Verify(args) => args.run("verify"),
        Xtask::Ship(args) => args.run("ship"),
        Xtask::Install(args) => args.run("install"),
        Xtask::Bench(args) => bench::run(&args),
        Xtask::Dist(args) => dist::run(&args),
        Xtask::Web(args) => web::run(&args),
        Xtask::Tidy(args) => tidy::run(&args),
        Xtask::Golden(args) => golden::run(&args),
    }
}
