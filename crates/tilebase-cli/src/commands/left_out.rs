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
