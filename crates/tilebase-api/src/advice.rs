//! Advice on errors, in terms of the page and its addresses.

use tilebase::names::SpecError;
use tilebase::pdb_lab::EngineError;
use tilebase::text::MoveNaming;
use tilebase::{Error, Remedy, advised};

/// Advice on the name of a spec.
pub(crate) const CHOOSE_SPEC: &str =
    "choose a spec of the list (GET /v1/specs), or send the text of one (POST /v1/specs)";

/// Returns the message of an error, with advice for clients. The library's own words for unknown
/// names offer files, which no request can name.
pub fn message(error: &Error) -> String {
    match error {
        Error::Spec(SpecError::UnknownName { name, nearest }) => {
            let nearest = nearest.map(|name| format!(" (did you mean {name}?)"));
            format!("no spec is named {name:?}{}: {CHOOSE_SPEC}", nearest.unwrap_or_default())
        }
        Error::Engine(EngineError::UnknownHeuristic { found, known }) => format!(
            "{found:?} is no heuristic: expected {known}, a spec, or max(..) of several; {CHOOSE_SPEC}"
        ),
        _ => advised(error, error.remedy().as_ref().map(words)),
    }
}

fn words(remedy: &Remedy) -> &'static str {
    match remedy {
        Remedy::ListSpecs => CHOOSE_SPEC,
        Remedy::Build(_) => "build the tables first (POST /v1/builds)",
        // A client can replace no table, and chooses no folder.
        Remedy::Replace | Remedy::Unpack | Remedy::OtherCheckpoint | Remedy::MergeIncomplete => {
            "choose another spec"
        }
        Remedy::MoreMemory | Remedy::OtherFolder => "choose a spec with smaller patterns",
        Remedy::NameBlank => "or name the blank with blank=-1",
        Remedy::NameColumns => "send the cells of the board alone",
        Remedy::NamePairs => "send the board and the goal apart",
        Remedy::NameMoves(MoveNaming::Blank) => "read them so with moves=blank",
        Remedy::NameMoves(_) => "leave out moves=blank",
        Remedy::WithNetworks => "choose another heuristic",
    }
}
