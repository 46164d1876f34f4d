//! `tilebase completions`: shell completions.

use clap::{Command, CommandFactory, ValueHint};
use clap_complete::{Shell, generate};

use crate::Cli;
use crate::console::Console;
use crate::failure::Verdict;
use crate::help;

#[cfg(windows)]
const EXAMPLES: &[(&str, &str)] = &[
    ("for PowerShell, from the next one on", "tilebase completions powershell >> $PROFILE"),
    ("for Git Bash", "tilebase completions bash > tilebase.bash"),
];
#[cfg(not(windows))]
const EXAMPLES: &[(&str, &str)] = &[
    (
        "for bash, from the next shell on",
        "tilebase completions bash > ~/.local/share/bash-completion/completions/tilebase",
    ),
    ("for fish", "tilebase completions fish > ~/.config/fish/completions/tilebase.fish"),
    ("for zsh, into a folder of $fpath", "tilebase completions zsh > ~/.zfunc/_tilebase"),
];

/// Arguments of `tilebase completions`.
#[derive(Debug, clap::Args)]
#[command(after_help = help::examples(EXAMPLES))]
pub(crate) struct Args {
    shell: Shell,
}

impl Args {
    #[allow(clippy::unnecessary_wraps, reason = "all subcommands are run in this way")]
    pub(crate) fn run(self, console: &mut Console) -> anyhow::Result<Verdict> {
        generate(self.shell, &mut hinted(Cli::command()), "tilebase", console);
        Ok(Verdict::Good)
    }
}

/// Tells the shell which values are files or folders, by their names in the help. Without a hint,
/// shells complete files in place of any value.
fn hinted(command: Command) -> Command {
    let hint = |argument: clap::Arg| {
        if !argument.get_action().takes_values() {
            return argument;
        }
        let names = argument.get_value_names().unwrap_or_default().join(" ");
        let hint = match &*names {
            "DIR" => ValueHint::DirPath,
            names if ["FILE", "SPEC", "BOARD"].iter().any(|word| names.contains(word)) => {
                ValueHint::AnyPath
            }
            _ => ValueHint::Other,
        };
        argument.value_hint(hint)
    };
    command.mut_args(hint).mut_subcommands(hinted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_files_and_folders_are_completed_as_such() {
        let mut command = hinted(Cli::command());
        command.build();
        let mut count = 0;
        for command in command.get_subcommands() {
            for argument in command.get_arguments().filter(|arg| arg.get_action().takes_values()) {
                let name = format!("{} {argument}", command.get_name());
                assert_ne!(argument.get_value_hint(), ValueHint::Unknown, "{name}");
                // A name in capitals stands for any value, other names for themselves.
                let names = argument.get_value_names().unwrap_or_default();
                let is_list = names.iter().any(|name| !name.contains(|c: char| c.is_uppercase()));
                let is_completed = !argument.get_possible_values().is_empty();
                assert!(!is_list || is_completed, "{name} takes one of a list");
                count += usize::from(is_completed);
            }
        }
        assert!(count > 20, "{count}");
    }
}
