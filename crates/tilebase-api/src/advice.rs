//! Advice on errors, in terms of the page and its addresses.

use tilebase::text::MoveNaming;
use tilebase::{Error, Remedy};

/// Returns the message of an error, with advice for clients.
pub fn message(error: &Error) -> String {
    match error.remedy() {
        Some(remedy) => format!("{error}; {}", words(&remedy)),
        None => error.to_string(),
    }
}

fn words(remedy: &Remedy) -> &'static str {
    match remedy {
        Remedy::ListSpecs => "choose a spec of the list (GET /v1/specs)",
        Remedy::Build(_) | Remedy::RateWithTables => "build the tables first (POST /v1/builds)",
        // A client can replace no table, and chooses no folder.
        Remedy::Replace
        | Remedy::Verify
        | Remedy::Unpack
        | Remedy::Rename
        | Remedy::WritableFolder
        | Remedy::OtherCheckpoint
        | Remedy::MergeIncomplete => "choose another spec",
        Remedy::MoreMemory | Remedy::Estimate => "choose a spec with smaller patterns",
        Remedy::MoreSpace => "free some space, or choose a spec with smaller patterns",
        Remedy::RateParts => "rate its parts one by one",
        Remedy::NameBlank => "or name the blank with blank=-1",
        Remedy::NameColumns => "send the cells of the board alone",
        Remedy::NameMoves(MoveNaming::Blank) => "read them so with moves=blank",
        Remedy::NameMoves(_) => "leave out moves=blank",
        Remedy::WithNetworks => "choose another heuristic",
    }
}
