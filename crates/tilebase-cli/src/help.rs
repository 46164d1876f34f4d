//! Shared parts of the help: headings, and examples at the end.

/// Heading of boards, goals and sets of boards.
pub(crate) const BOARDS: &str = "Boards";
/// Heading of search methods and limits.
pub(crate) const SEARCH: &str = "Search";
/// Heading of the choice of solutions.
pub(crate) const SOLUTIONS: &str = "Solutions";
/// Heading of tables and specs, and of their limits.
pub(crate) const TABLES: &str = "Tables";
/// Heading of the server's address, and of the limits on its clients.
#[cfg(feature = "serve")]
pub(crate) const SERVER: &str = "Server";
/// Heading of the form of integer programs.
#[cfg(feature = "model")]
pub(crate) const MODEL: &str = "Model";
/// Heading of the training of networks.
#[cfg(feature = "research")]
pub(crate) const TRAINING: &str = "Training";
/// Heading of output formats and files.
pub(crate) const OUTPUT: &str = "Output";
/// Heading of limits on memory and threads.
pub(crate) const MACHINE: &str = "Machine";

/// Returns the examples at the end of a help: the purpose of each, and its command.
pub(crate) fn examples(examples: &[(&str, &str)]) -> String {
    let example = |(what, command): &(&str, &str)| format!("  # {what}\n  {command}");
    format!("Examples:\n{}", examples.iter().map(example).collect::<Vec<_>>().join("\n"))
}

#[cfg(test)]
mod tests {
    use clap::error::ErrorKind;
    use clap::{CommandFactory, Parser};

    use crate::Cli;

    /// Splits a command into words as a shell does, up to a pipe or a redirection.
    fn words(command: &str) -> Vec<String> {
        let mut words = Vec::new();
        for (nth, part) in command.split('"').enumerate() {
            // Every second part is in quotes.
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
    fn wrong_values_are_refused_in_our_own_words() {
        let mut program = Cli::command();
        program.build();
        let mut count = 0;
        for command in program.get_subcommands() {
            for option in command.get_arguments().filter_map(|argument| argument.get_long()) {
                for value in ["3x", "-", "", "99999999999999999999999999999", "nan", "1e"] {
                    let argument = format!("--{option}={value}");
                    let Err(error) =
                        Cli::try_parse_from(["tilebase", command.get_name(), &argument])
                    else {
                        continue;
                    };
                    if error.kind() != ErrorKind::ValueValidation {
                        continue;
                    }
                    let (command, text) = (command.get_name(), error.to_string());
                    let (_, problem) = text.split_once(">': ").expect("a value and its problem");
                    assert!(problem.contains("expected "), "{command} {argument}: {text}");
                    count += 1;
                }
            }
        }
        assert!(count > 100, "{count}");
    }

    #[test]
    fn help_names_places_and_programs_of_its_system() {
        let mut program = Cli::command();
        program.build();
        let is_of_unix = |command: &&clap::Command| {
            let help = (*command).clone().render_long_help().to_string();
            ["~/", "man -l", "XDG", "$TILEBASE_DB"].iter().any(|name| help.contains(name))
        };
        let commands = program.get_subcommands().filter(is_of_unix);
        let names: Vec<&str> = commands.map(clap::Command::get_name).collect();
        let expected = ["build", "completions", "man", "solve"];
        assert!(expected.iter().all(|name| names.contains(name) != cfg!(windows)), "{names:?}");
        assert!(!cfg!(windows) || names.is_empty(), "{names:?}");
    }

    #[test]
    fn every_example_is_a_command_line_that_is_understood() {
        let mut program = Cli::command();
        program.build();
        for command in program.get_subcommands().chain([&program]) {
            let name = command.get_name();
            let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
            let mut count = 0;
            for example in help.lines().filter(|line| line.starts_with("  tilebase ")) {
                let result = Cli::try_parse_from(words(example));
                assert!(result.is_ok(), "{example}: {}", result.unwrap_err());
                count += 1;
            }
            assert!(name == "help" || (2..=3).contains(&count), "{name}: {count} examples");
        }
    }
}
