//! Tips on an absent command and on the kind of a picture, for the messages of the parser.

use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue};

use crate::commands;

/// Adds a tip to an error about a command that this build lacks, or about the kind of a picture.
pub(crate) fn with_tip(mut error: clap::Error) -> clap::Error {
    let text = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => text.as_str(),
        _ => "",
    };
    let subcommand = text(ContextKind::InvalidSubcommand);
    let absent = commands::absent().find(|name| *name == subcommand);
    let tip = if let Some(name) = absent {
        format!("this build lacks `{name}`; in a checkout: {}", commands::INSTALLING)
    } else if text(ContextKind::InvalidArg) == "<PICTURE>" {
        "name the kind of picture first, as in `tilebase draw board BOARD` and `tilebase draw \
         partition SPEC`"
            .to_owned()
    } else {
        return error;
    };
    error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![StyledStr::from(tip)]));
    error
}
