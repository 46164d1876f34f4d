//! `tilebase completions`: the completions of a shell.

use clap::CommandFactory;
use clap_complete::{Shell, generate};

use crate::Cli;
use crate::failure::Verdict;
use crate::output::Output;

/// Arguments of `tilebase completions`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    shell: Shell,
}

impl Args {
    pub(crate) fn run(self, output: &mut Output) -> anyhow::Result<Verdict> {
        generate(self.shell, &mut Cli::command(), "tilebase", output);
        Ok(Verdict::Good)
    }
}
