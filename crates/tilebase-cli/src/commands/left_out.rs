//! Subcommands that this build leaves out: the help still lists them, and each says which build has it.

use std::ffi::OsString;

use crate::failure::{Verdict, usage};
use crate::help;

/// Arguments of a subcommand that is not compiled in: any.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[arg(hide = true, trailing_var_arg = true, allow_hyphen_values = true)]
    _any: Vec<OsString>,
}

/// How to run a subcommand from the checkout, and how to install it, each with a feature.
fn commands(feature: &str, example: &str) -> [(&'static str, String); 2] {
    [
        ("run it from the checkout", format!("cargo run --release -F {feature} -- {example}")),
        ("install it", format!("cargo install --path crates/tilebase-cli -F {feature}")),
    ]
}

/// The end of the help of a subcommand that is left out.
pub(crate) fn after_help(feature: &str, example: &str) -> String {
    let commands = commands(feature, example);
    let examples = commands.each_ref().map(|(what, command)| (*what, command.as_str()));
    format!("This build does not contain it.\n\n{}", help::examples(&examples))
}

/// The error that names the commands which have the subcommand.
pub(crate) fn refuse(feature: &str, example: &str) -> anyhow::Result<Verdict> {
    let name = example.split(' ').next().unwrap_or(example);
    let [run, install] = commands(feature, example).map(|(_, command)| command);
    Err(usage(format!(
        "this build does not contain `{name}`; run it with\n  {run}\nor install it with\n  {install}"
    )))
}

#[cfg(all(test, not(feature = "train")))]
mod tests {
    use clap::{CommandFactory, Parser};

    use super::*;
    use crate::Cli;

    #[test]
    fn a_subcommand_that_is_left_out_is_listed_and_names_the_build_that_has_it() {
        let command = "cargo run --release -F train -- train --help";
        let mut program = Cli::command();
        program.build();
        let train = program.find_subcommand("train").expect("the help lists it");
        let help = train.get_after_help().expect("it says where to find it").to_string();
        assert!(help.contains("does not contain it") && help.contains(command), "{help}");

        assert!(Cli::try_parse_from(["tilebase", "train", "--out", "file"]).is_ok());
        let error = refuse("train", "train --help").expect_err("there is nothing to run");
        assert!(error.to_string().contains("does not contain `train`"), "{error}");
        assert!(error.to_string().contains(command), "{error}");
    }
}
