//! Build, ship, verify, bench and check Tilebase: `cargo xtask` lists the commands.
//!
//! It runs release binaries and does not link crates of this repository.
#![forbid(unsafe_code)]
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command line prints")]

mod bench;
mod fuzz;
mod golden;
mod markdown;
mod report;
mod shell;
mod tables;
mod tidy;
mod web;

use std::process::ExitCode;

use anyhow::Result;
use clap::{CommandFactory, Parser, Subcommand};

/// Build, ship, verify, bench and check Tilebase.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Cli {
    #[command(subcommand)]
    task: Option<Task>,
}

#[derive(Subcommand)]
enum Task {
    /// Build the tables of specs in release mode
    Build(tables::Build),
    /// Verify tables, by default by building them again
    Verify(tables::Verify),
    /// Pack the tables of specs for shipping
    Ship(tables::Ship),
    /// Unpack archives
    Install(tables::Install),
    /// Measure, and print tables for docs/benchmarks.md
    Bench(bench::Args),
    /// Generate the header of the C interface
    CHeader(shell::Script),
    /// Install the C interface: header, libraries, pkg-config file
    CInstall(shell::Script),
    /// Export the page as a folder for any static host, which needs no server
    Web(web::Args),
    /// Run all checks that a change must pass: .ci/run
    Ci(shell::Script),
    /// Check rules that the compiler and clippy do not check
    Tidy,
    /// Test every reader with hostile input
    Fuzz(fuzz::Args),
    /// Put load on the solver: a long batch, many threads, many processes
    Load(shell::Script),
    /// Build every shipped spec and write the golden beside it
    Golden(golden::Args),
}

fn main() -> ExitCode {
    let result = match Cli::parse().task {
        Some(task) => run(task),
        None => Cli::command().print_help().map_err(Into::into),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(task: Task) -> Result<()> {
    match task {
        Task::Build(args) => args.run(),
        Task::Verify(args) => args.run(),
        Task::Ship(args) => args.run(),
        Task::Install(args) => args.run(),
        Task::Bench(args) => bench::run(&args),
        Task::CHeader(script) => script.run("crates/tilebase-c/make-header"),
        Task::CInstall(script) => script.run("crates/tilebase-c/install"),
        Task::Web(args) => web::run(&args),
        Task::Ci(script) => script.run(".ci/run"),
        Task::Tidy => tidy::run(),
        Task::Fuzz(args) => fuzz::run(&args),
        Task::Load(script) => script.run("tests/load/run"),
        Task::Golden(args) => golden::run(&args),
    }
}
