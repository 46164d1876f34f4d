//! Why a heuristic or a search cannot be had.

use pdb_search::WeightError;
use pdb_search::heuristics::LineTooLong;
use pdb_spec::SpecError;
use thiserror::Error;

/// Why a heuristic or a search cannot be had.
#[derive(Clone, Debug, Error)]
#[non_exhaustive]
pub enum EngineError {
    /// A name that is neither a heuristic's nor a spec's.
    #[error("{found:?} is no heuristic: expected {known}, a spec file, or max(..) of several")]
    UnknownHeuristic {
        /// What was found.
        found: String,
        /// The names that there are, those of the specs for boards of this size among them.
        known: String,
    },
    /// A name that is no search's.
    #[error("{found:?} is no search: expected one of {known}")]
    UnknownSearch {
        /// What was found.
        found: String,
        /// The names that there are.
        known: String,
    },
    /// Parentheses that do not match, or nothing between commas.
    #[error("{found:?} is no list of names: write a comma between names, as in max(a, b), c")]
    Syntax {
        /// What was found.
        found: String,
    },
    /// A maximum of fewer than two heuristics, or of too many.
    #[error("max takes 2 to {max} heuristics, found {found}: {name}")]
    Parts {
        /// The maximum as it was written.
        name: String,
        /// How many parts it has.
        found: usize,
        /// How many it may have.
        max: usize,
    },
    /// A weight at a search that takes none.
    #[error(
        "{search} takes no weight, found {found:?}: weights are for weighted-astar and weighted-ida"
    )]
    NoWeight {
        /// The search.
        search: String,
        /// What stands where the weight would be.
        found: String,
    },
    /// A weight that is none.
    #[error(transparent)]
    Weight(#[from] WeightError),
    /// A heuristic that does not fit the board.
    #[error("{name}: {source}")]
    Line {
        /// The heuristic.
        name: String,
        /// What does not fit.
        source: LineTooLong,
    },
    /// A spec that does not fit the board or the goal.
    #[error(transparent)]
    Spec(#[from] SpecError),
}
