//! `cargo xtask ci`: what the continuous integration runs.

use std::process::Command;

use anyhow::Result;

use crate::shell;

/// Goes on as `.ci/run`.
pub(crate) fn run() -> Result<()> {
    shell::become_it(Command::new(shell::root().join(".ci/run")))
}
