//! Tips on arguments in a wrong place or with a wrong name, for the messages of the parser.

use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use tilebase::Shape;
use tilebase::text::read_board;

use crate::commands;

/// Adds a tip about a board, a size or a heuristic in a wrong place to an error of the parser.
pub(crate) fn with_tip(mut error: clap::Error) -> clap::Error {
    let text = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => text.as_str(),
        _ => "",
    };
    let (argument, value) = (text(ContextKind::InvalidArg), text(ContextKind::InvalidValue));
    let is_of = |command: &str| match error.get(ContextKind::Usage) {
        Some(ContextValue::StyledStr(text)) => {
            text.to_string().contains(&format!("tilebase {command} "))
        }
        _ => false,
    };
    let is_board = |text| read_board(text, None).is_ok();
    let subcommand = text(ContextKind::InvalidSubcommand);
    let absent = commands::absent().find(|(name, _)| *name == subcommand);
    let tip = match error.kind() {
        ErrorKind::InvalidSubcommand if let Some((name, features)) = absent => {
            format!("this build lacks `{name}`; in a checkout: {}", commands::installing(features))
        }
        ErrorKind::InvalidValue if argument == "<PICTURE>" && is_board(value) => {
            format!("name the kind of picture before the board: tilebase draw board \"{value}\"")
        }
        ErrorKind::UnknownArgument if argument.parse::<Shape>().is_ok() => {
            format!("a size is an option: --size {argument}")
        }
        ErrorKind::UnknownArgument if argument == "--moves" && is_of("scramble") => {
            "the number of random moves is an option: --walk 20".to_owned()
        }
        ErrorKind::UnknownArgument if argument == "--heuristic" => {
            "heuristics and tables are named alike: --spec manhattan".to_owned()
        }
        _ => return error,
    };
    error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![StyledStr::from(tip)]));
    error
}
