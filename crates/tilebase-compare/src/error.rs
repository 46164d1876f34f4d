//! Errors of comparisons.

use pdb_search::SearchError;
use thiserror::Error;

/// Reason why a comparison fails.
#[derive(Clone, Debug, Error)]
#[non_exhaustive]
pub enum CompareError {
    /// A search failed.
    #[error(transparent)]
    Search(#[from] SearchError),
    /// Another rank of the crew failed.
    #[error("{0}")]
    Crew(String),
    /// No pair of heuristic and search has this name.
    #[error("no pair of heuristic and search is called {found:?}: expected one of {known}")]
    NoPair {
        /// The name as given.
        found: String,
        /// The known names.
        known: String,
    },
    /// Several pairs of heuristic and search have this name.
    #[error("{found:?} may be any of {matching}: name one pair, as HEURISTIC+SEARCH")]
    SeveralPairs {
        /// The name as given.
        found: String,
        /// The matching names.
        matching: String,
    },
}
