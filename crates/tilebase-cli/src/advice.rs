//! Advice on errors, in terms of the command line.

use std::fmt::Display;

use tilebase::text::MoveNaming;
use tilebase::{Error, Remedy};

/// Returns the message of an error, with advice.
pub fn message(error: &Error) -> String {
    advised(error, error.remedy())
}

/// Returns a message with the words of a remedy.
pub(crate) fn advised(message: impl Display, remedy: Option<Remedy>) -> String {
    tilebase::advised(message, remedy.map(words))
}

fn words(remedy: Remedy) -> String {
    let words = match remedy {
        Remedy::ListSpecs => "`tilebase specs` lists the shipped specs",
        Remedy::Build(Some(spec)) => return format!("build it first with `tilebase build {spec}`"),
        Remedy::Build(None) => "build it with `tilebase build` or install it",
        Remedy::Replace => {
            "build the table again with `tilebase build --replace`, or install it again"
        }
        Remedy::MoreMemory => "give more with --memory",
        Remedy::Unpack => "an archive (.pdb.zst) is unpacked by `tilebase install`",
        Remedy::OtherFolder => "choose another folder with --db",
        Remedy::OtherCheckpoint => {
            "name another file with --checkpoint, or repeat the command that wrote this one"
        }
        Remedy::MergeIncomplete => {
            "search the shards that hold them, or add --incomplete to merge what there is"
        }
        Remedy::NameBlank => "or name the blank with --blank -1",
        Remedy::NameColumns => "name the columns of a file with --input-columns",
        Remedy::NamePairs => "read boards and their goals in turn with --pairs",
        Remedy::NameMoves(MoveNaming::Blank) => "read them so with --moves blank",
        Remedy::NameMoves(_) => "leave out --moves blank",
        Remedy::WithNetworks => {
            "name another heuristic, or build the program with networks, as `cargo run --release -F \
             full --` does"
        }
    };
    words.to_owned()
}
