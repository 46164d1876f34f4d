//! Subcommands that this build does not contain. The help still lists them, and each names a build
//! that contains it.

use std::ffi::OsString;

use crate::console::Console;
use crate::failure::{Verdict, usage};
use crate::help;

/// The feature of each subcommand that a build may leave out, and an example of the subcommand.
const COMMANDS: [(&str, &str); 7] = [
    ("full", "model 867254301 --horizon 31"),
    ("full", "play"),
    ("full", "serve --open"),
    ("train", "train --help"),
    ("full", "compare --heuristics 5-5-5,7-8 --boards random:20:1"),
    ("full", "rate 15/5-5-5"),
    ("full", "partition --sizes 5,5,5"),
];

/// Any arguments, of the subcommand at this index of [`COMMANDS`].
#[derive(Debug, clap::Args)]
#[command(after_help = after_help::<COMMAND>())]
pub(crate) struct Args<const COMMAND: usize> {
    #[arg(hide = true, trailing_var_arg = true, allow_hyphen_values = true)]
    _any: Vec<OsString>,
}

impl<const COMMAND: usize> Args<COMMAND> {
    /// Returns the error that names the builds which contain the subcommand.
    #[allow(clippy::unused_self, reason = "all subcommands are run in this way")]
    pub(crate) fn run(self, _: &mut Console) -> anyhow::Result<Verdict> {
        let example = COMMANDS[COMMAND].1;
        let name = example.split(' ').next().unwrap_or(example);
        let [run, install] = builds::<COMMAND>();
        Err(usage(format!(
            "this build does not contain `{name}`; run it with\n  {run}\nor install it with\n  {install}"
        )))
    }
}

/// Returns the commands that run a subcommand from the checkout, and that install it.
fn builds<const COMMAND: usize>() -> [String; 2] {
    let (feature, example) = COMMANDS[COMMAND];
    [
        format!("cargo run --release -F {feature} -- {example}"),
        format!("cargo install --path crates/tilebase-cli -F {feature}"),
    ]
}

fn after_help<const COMMAND: usize>() -> String {
    let [run, install] = builds::<COMMAND>();
    let examples = [("run it from the checkout", &*run), ("install it", &*install)];
    format!("This build does not contain it.\n\n{}", help::examples(&examples))
}

#[cfg(all(test, not(feature = "train")))]
mod tests {
    use clap::{CommandFactory, Parser};

    use super::*;
    use crate::Cli;

    #[test]
    fn lists_a_subcommand_that_is_left_out_and_names_a_build_with_it() {
        let command = "cargo run --release -F train -- train --help";
        let mut program = Cli::command();
        program.build();
        let train = program.find_subcommand("train").expect("the help lists it");
        let help = train.get_after_help().expect("it names a build").to_string();
        assert!(help.contains("does not contain it") && help.contains(command), "{help}");

        assert!(Cli::try_parse_from(["tilebase", "train", "--out", "file"]).is_ok());
        let [run, _] = builds::<3>();
        assert_eq!(run, command);
    }
}
