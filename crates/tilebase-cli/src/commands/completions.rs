//! `tilebase completions`: the completions of a shell.

use std::io::Write;

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
        let mut script = Vec::new();
        generate(self.shell, &mut Cli::command(), "tilebase", &mut script);
        output.write_all(&script)?;
        Ok(Verdict::Good)
    }
}
