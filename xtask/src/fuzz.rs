//! `cargo xtask fuzz`: hostile input for every reader, for as long as it is told to.

use anyhow::Result;

use crate::shell;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Inputs for each target
    #[arg(long, default_value_t = 10_000_000)]
    executions: u64,
    /// The longest time for each target
    #[arg(long, default_value_t = 600)]
    seconds: u64,
    /// Targets at once
    #[arg(long, default_value_t = 2)]
    threads: usize,
    /// A part of the names of tests; all targets if it is left out
    #[arg(default_value = "any_")]
    target: String,
}

/// Runs the tests that are fuzz targets, with overflow checks and debug assertions as all tests.
pub(crate) fn run(args: &Args) -> Result<()> {
    let mut test = shell::cargo();
    test.env("TILEBASE_FUZZ_EXECUTIONS", args.executions.to_string());
    test.env("TILEBASE_FUZZ_SECONDS", args.seconds.to_string());
    test.args(["test", "--package", "pdb-tests", "--package", "tilebase"]);
    test.args(["--test", "fuzz", "--lib", "--", &args.target]);
    test.args(["--nocapture", "--test-threads", &args.threads.to_string()]);
    shell::become_it(test)
}
