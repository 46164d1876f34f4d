//! `cargo xtask fuzz`: tests every reader with hostile input.

use anyhow::Result;

use crate::shell;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Number of inputs per target
    #[arg(long, default_value_t = 10_000_000)]
    executions: u64,
    /// Time limit per target, in seconds
    #[arg(long, default_value_t = 600)]
    seconds: u64,
    /// Number of targets at the same time
    #[arg(long, default_value_t = 2)]
    threads: usize,
    /// A part of the names of tests [default: all targets]
    #[arg(default_value = "or_refused")]
    target: String,
}

/// Runs the fuzz targets, which are tests and so have overflow checks and debug assertions.
pub(crate) fn run(args: &Args) -> Result<()> {
    let mut test = shell::cargo();
    test.env("TILEBASE_FUZZ_EXECUTIONS", args.executions.to_string());
    test.env("TILEBASE_FUZZ_SECONDS", args.seconds.to_string());
    test.args(["test", "--package", "pdb-tests", "--package", "tilebase"]);
    test.args(["--test", "fuzz", "--lib", "--", &args.target]);
    test.args(["--nocapture", "--test-threads", &args.threads.to_string()]);
    shell::become_it(test)
}
