//! Parts of the help that several commands share: headings, and examples at the end.
//!
//! The manual pages take the examples from the end of the help.

/// Boards, goals and sets of boards.
pub(crate) const BOARDS: &str = "Boards";
/// How boards are searched, and how long.
pub(crate) const SEARCH: &str = "Search";
/// Which solutions are found.
pub(crate) const SOLUTIONS: &str = "Solutions";
/// Tables and specs, and what may be used of the machine for them.
pub(crate) const TABLES: &str = "Tables";
/// Where a server listens, and how much its clients may ask.
#[cfg(feature = "serve")]
pub(crate) const SERVER: &str = "Server";
/// How a puzzle becomes an integer program.
#[cfg(feature = "model")]
pub(crate) const MODEL: &str = "Model";
/// Training of networks.
#[cfg(feature = "train")]
pub(crate) const TRAINING: &str = "Training";
/// Output formats and files.
pub(crate) const OUTPUT: &str = "Output";
/// Limits on memory and threads.
pub(crate) const MACHINE: &str = "Machine";

/// The line before the examples.
pub(crate) const EXAMPLES: &str = "Examples:";

/// Examples for the end of a help: what each is good for, and the command.
pub(crate) fn examples(examples: &[(&str, &str)]) -> String {
    let example = |(what, command): &(&str, &str)| format!("  # {what}\n  {command}");
    format!("{EXAMPLES}\n{}", examples.iter().map(example).collect::<Vec<_>>().join("\n"))
}

/// Splits the end of a help into notes and examples.
pub(crate) fn split(after_help: &str) -> (&str, Option<&str>) {
    match after_help.split_once(EXAMPLES) {
        Some((before, examples)) => (before.trim_end(), Some(examples.trim_start_matches('\n'))),
        None => (after_help, None),
    }
}

#[cfg(test)]
mod tests {
    use clap::{CommandFactory, Parser};

    use super::*;
    use crate::Cli;

    /// Words as a shell reads them, up to what it does itself.
    fn words(command: &str) -> Vec<String> {
        let mut words = Vec::new();
        for (nth, part) in command.split('"').enumerate() {
            // Every second part stands in quotes.
            if nth % 2 == 1 {
                words.push(part.to_owned());
            } else {
                words.extend(part.split_whitespace().map(str::to_owned));
            }
        }
        let end = words.iter().position(|word| word == "|" || word == ">");
        words.truncate(end.unwrap_or(words.len()));
        words
    }

    #[test]
    fn every_example_is_a_command_line_that_is_understood() {
        let mut program = Cli::command();
        program.build();
        let mut count = 0;
        for command in program.get_subcommands().chain([&program]) {
            let after = command.get_after_help().map(ToString::to_string).unwrap_or_default();
            let (_, Some(examples)) = split(&after) else { continue };
            for example in examples.lines().map(str::trim) {
                // Others are comments, or cargo's where this build leaves a subcommand out.
                if !example.starts_with("tilebase ") {
                    continue;
                }
                let result = Cli::try_parse_from(words(example));
                assert!(result.is_ok(), "{example}: {}", result.unwrap_err());
                count += 1;
            }
        }
        assert!(count > 20, "{count}");
    }
}
