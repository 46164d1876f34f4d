//! Why a comparison cannot be made.

use pdb_search::SearchError;
use thiserror::Error;

/// Why a comparison cannot be made.
#[derive(Clone, Debug, Error)]
#[non_exhaustive]
pub enum CompareError {
    /// A search without an answer.
    #[error(transparent)]
    Search(#[from] SearchError),
    /// Others who should search too, and cannot.
    #[error("{0}")]
    Crew(String),
    /// A name that no pair of heuristic and search has.
    #[error("no pair of heuristic and search is called {found:?}: expected one of {known}")]
    NoPair {
        /// What was given.
        found: String,
        /// The names that there are.
        known: String,
    },
    /// A name that several pairs of heuristic and search have.
    #[error("{found:?} may be any of {matching}: name one pair, as HEURISTIC+SEARCH")]
    SeveralPairs {
        /// What was given.
        found: String,
        /// Those whose name it is.
        matching: String,
    },
}
