//! `tilebase man`: the manual pages of the program and of its commands.

use std::io::Write;
use std::path::PathBuf;

use clap::CommandFactory;
use clap_mangen::Man;

use crate::Cli;
use crate::console::Console;
use crate::failure::{Verdict, usage};
use crate::help;
use crate::output::{naming_option, shown};

/// Windows has no reader of manual pages.
#[cfg(windows)]
const EXAMPLES: &[(&str, &str)] = &[
    ("write the page of a command", "tilebase man solve"),
    ("write all pages, for a system that reads them", "tilebase man --out man1"),
];
#[cfg(not(windows))]
const EXAMPLES: &[(&str, &str)] = &[
    ("read the page of a command", "tilebase man solve | man -l -"),
    ("install all pages", "tilebase man --out ~/.local/share/man/man1"),
];

/// Arguments of `tilebase man`.
#[derive(Debug, clap::Args)]
#[command(after_help = help::examples(EXAMPLES))]
pub(crate) struct Args {
    /// The command to describe [default: the program]
    command: Option<String>,
    /// Write the pages of the program and of every command into a folder, as tilebase.1,
    /// tilebase-build.1 and so on
    #[arg(long, value_name = "DIR", conflicts_with = "command", help_heading = help::OUTPUT)]
    out: Option<PathBuf>,
}

impl Args {
    pub(crate) fn run(self, console: &mut Console) -> anyhow::Result<Verdict> {
        let mut program = Cli::command().disable_help_subcommand(true);
        program.build();
        if let Some(folder) = self.out {
            for command in std::iter::once(&program).chain(program.get_subcommands()) {
                let page = Man::new(command.clone());
                let path = folder.join(page.get_filename());
                let mut text = Vec::new();
                page.render(&mut text)?;
                pdb_gen::write_file(&path, &text)
                    .map_err(|error| naming_option("--out", &folder, error))?;
                writeln!(console, "{}", shown(&path))?;
            }
            return Ok(Verdict::Good);
        }
        let command = match self.command {
            None => program,
            Some(name) => {
                let command = program.find_subcommand(&name);
                let unknown =
                    || usage(format!("there is no command \"{name}\": see `tilebase help`"));
                command.ok_or_else(unknown)?.clone()
            }
        };
        Man::new(command).render(console)?;
        Ok(Verdict::Good)
    }
}
