//! `tilebase completions`: shell completions.
//!
//! Arguments that take a spec complete to shipped names and to files. The generators support only
//! one of both, so this module gives them a placeholder and replaces it by the names.

use std::fmt::Write as _;
use std::io::Write;

use clap::builder::PossibleValuesParser;
use clap::{Command, CommandFactory};
use clap_complete::{Shell, generate};
use pdb_core::Metric;
use pdb_lab::HeuristicName;

use crate::Cli;
use crate::console::Console;
use crate::failure::Verdict;
use crate::help;

/// Arguments of `tilebase completions`.
#[derive(Debug, clap::Args)]
#[command(after_help = help::examples(&[
    (
        "for bash, from the next shell on",
        "tilebase completions bash > ~/.local/share/bash-completion/completions/tilebase",
    ),
    ("for fish", "tilebase completions fish > ~/.config/fish/completions/tilebase.fish"),
    ("for zsh, into a folder of $fpath", "tilebase completions zsh > ~/.zfunc/_tilebase"),
]))]
pub(crate) struct Args {
    shell: Shell,
}

/// The arguments that take a spec: command, argument, and placeholder of the names.
const ARGUMENTS: &[(&str, &str, &str)] = &[
    ("build", "specs", SPECS),
    ("estimate", "specs", SPECS),
    ("rate", "specs", SPECS),
    ("ship", "specs", SPECS),
    ("specs", "specs", SPECS),
    ("inspect", "tables", SPECS),
    ("verify", "tables", SPECS),
    ("solve", "spec", HEURISTICS),
    ("moves", "spec", HEURISTICS),
    ("check", "spec", HEURISTICS),
    ("explain", "spec", HEURISTICS),
    ("play", "spec", HEURISTICS),
    ("compare", "heuristics", HEURISTICS),
    ("scramble", "spec", HEURISTICS),
    ("draw", "spec", HEURISTICS),
    ("animate", "spec", HEURISTICS),
    ("animate", "heuristics", HEURISTICS),
];

/// Placeholder of the names of specs.
const SPECS: &str = "TILEBASE_SPECS";
/// Placeholder of the names of specs and other heuristics.
const HEURISTICS: &str = "TILEBASE_HEURISTICS";

impl Args {
    pub(crate) fn run(self, console: &mut Console) -> anyhow::Result<Verdict> {
        let command = Cli::command();
        let script = match self.shell {
            Shell::Bash => bash(&generated(self.shell, with_placeholders(command))?),
            Shell::Zsh => zsh(&generated(self.shell, with_placeholders(command))?),
            Shell::Fish => fish(&generated(self.shell, with_placeholders(command))?),
            // Other shells complete only commands and options.
            _ => generated(self.shell, command)?,
        };
        console.write_all(script.as_bytes())?;
        Ok(Verdict::Good)
    }
}

fn generated(shell: Shell, mut command: Command) -> anyhow::Result<String> {
    let mut script = Vec::new();
    generate(shell, &mut command, "tilebase", &mut script);
    Ok(String::from_utf8(script)?)
}

fn with_placeholders(command: Command) -> Command {
    // Subcommands that this build leaves out have no such arguments.
    let has = |command: &Command, name: &str, argument: &str| {
        let subcommand = command.find_subcommand(name);
        subcommand.is_some_and(|found| found.get_arguments().any(|own| own.get_id() == argument))
    };
    ARGUMENTS.iter().fold(command, |command, &(name, argument, placeholder)| {
        if !has(&command, name, argument) {
            return command;
        }
        command.mut_subcommand(name, |command| {
            command.mut_arg(argument, |argument| {
                argument.value_parser(PossibleValuesParser::new([placeholder]))
            })
        })
    })
}

/// Returns the names and titles of specs.
fn specs() -> Vec<(String, String)> {
    let title = |name| pdb_spec::builtin(name).map_or_else(|_| String::new(), |spec| spec.title);
    pdb_spec::builtin_names().into_iter().map(|name| (name.to_owned(), title(name))).collect()
}

/// Returns the names and titles of all heuristics.
fn heuristics() -> Vec<(String, String)> {
    let basic = HeuristicName::known(Metric::SingleTile).into_iter();
    let mut names: Vec<_> =
        basic.map(|name| (name.to_owned(), "heuristic of every shape".to_owned())).collect();
    names.extend(specs());
    names
}

/// Inserts the names; bash completes files if no name matches.
fn bash(script: &str) -> String {
    let names = |names: Vec<(String, String)>| {
        names.into_iter().map(|(name, _)| name).collect::<Vec<_>>().join(" ")
    };
    script.replace(SPECS, &names(specs())).replace(HEURISTICS, &names(heuristics()))
}

fn zsh(script: &str) -> String {
    let function = |function: &str, what: &str, names: Vec<(String, String)>| {
        let mut text =
            format!("(( $+functions[{function}] )) ||\n{function}() {{\n    local names; ");
        text.push_str("names=(\n");
        for (name, title) in names {
            let title = title.replace('\'', "");
            let _ = writeln!(text, "        '{name}:{title}'");
        }
        let _ = writeln!(text, "    )\n    _describe -t {what}s {what} names\n    _files\n}}\n");
        text
    };
    let functions = [
        function("_tilebase_specs", "spec", specs()),
        function("_tilebase_heuristics", "heuristic", heuristics()),
    ];
    let start = "if [ \"$funcstack[1]\" = \"_tilebase\" ]";
    script
        .replace(&format!("({SPECS})"), "_tilebase_specs")
        .replace(&format!("({HEURISTICS})"), "_tilebase_heuristics")
        .replace(start, &format!("{}{start}", functions.concat()))
}

fn fish(script: &str) -> String {
    let function = |function: &str, names: Vec<(String, String)>| {
        let mut text = format!("function {function}\n");
        for (name, title) in names {
            let title = title.replace('\'', "");
            let _ = writeln!(text, "    printf '%s\\t%s\\n' '{name}' '{title}'");
        }
        text.push_str("end\n\n");
        text
    };
    let option = |placeholder: &str| format!(" -r -f -a \"{placeholder}\\t''\"");
    let mut text = function("__fish_tilebase_specs", specs());
    text.push_str(&function("__fish_tilebase_heuristics", heuristics()));
    text.push_str(
        &script
            .replace(&option(SPECS), " -r -F -a \"(__fish_tilebase_specs)\"")
            .replace(&option(HEURISTICS), " -r -F -a \"(__fish_tilebase_heuristics)\""),
    );
    // The generator omits positional arguments.
    for (command, _, _) in ARGUMENTS.iter().filter(|argument| argument.2 == SPECS) {
        let _ = writeln!(
            text,
            "complete -c tilebase -n \"__fish_tilebase_using_subcommand {command}\" -a \
             \"(__fish_tilebase_specs)\""
        );
    }
    text
}
