//! `tilebase man`: the manual page of the program, or of one of its commands.

use clap::CommandFactory;
use clap_mangen::Man;

use crate::Cli;
use crate::failure::{Verdict, usage};
use crate::output::Output;

/// Arguments of `tilebase man`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The command that the page is about [default: the program]
    command: Option<String>,
}

impl Args {
    pub(crate) fn run(self, output: &mut Output) -> anyhow::Result<Verdict> {
        let mut program = Cli::command();
        program.build();
        let page = match self.command {
            None => program,
            Some(name) => {
                let command = program.find_subcommand(&name);
                let unknown =
                    || usage(format!("there is no command \"{name}\": see `tilebase help`"));
                command.ok_or_else(unknown)?.clone()
            }
        };
        Man::new(page).render(output)?;
        Ok(Verdict::Good)
    }
}
