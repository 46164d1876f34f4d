//! Why a heuristic or a search cannot be had.

use pdb_core::Board;
use pdb_search::WeightError;
use pdb_search::heuristics::LineTooLong;
use pdb_spec::SpecError;
use thiserror::Error;

/// End of the list of names that are expected.
const OR_NET: &str = if cfg!(feature = "net") { ", or net:FILE" } else { "" };

/// Why a heuristic or a search cannot be had.
#[derive(Clone, Debug, Error)]
#[non_exhaustive]
pub enum EngineError {
    /// A name that is neither a heuristic's nor a spec's.
    #[error(
        "{found:?} is no heuristic: expected {known}, a spec file, or max(..) of several{}",
        OR_NET
    )]
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
        "{search} takes no weight, found {found:?}: weights are for weighted-astar, weighted-ida and \
         batch-astar"
    )]
    NoWeight {
        /// The search.
        search: String,
        /// What stands where the weight would be.
        found: String,
    },
    /// Something else than how many boards are expanded at once.
    #[error(
        "expected how many boards batch-astar expands at once, 1 to {most}, found {found:?}: write \
         batch-astar:1000, or batch-astar:1000:3/2 with a weight"
    )]
    NoBatch {
        /// What was found.
        found: String,
        /// The largest number there is.
        most: u32,
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
    /// A network that cannot be read.
    #[cfg(feature = "net")]
    #[error("{name} {source}")]
    Net {
        /// The network.
        name: String,
        /// What is wrong with it.
        source: pdb_net::NetError,
    },
    /// A network that leads elsewhere.
    #[error(
        "{name} estimates distances to {found}, and no symmetry of the board makes that the goal {goal}: \
         name a network that was trained for this goal"
    )]
    NetGoal {
        /// The network.
        name: String,
        /// Its goal.
        found: Board,
        /// The goal that was asked for.
        goal: Board,
    },
    /// A name after `net:` that nobody can read.
    #[error(
        "{found:?} is no network: expected net:FILE, a file of weights such as tilebase train writes, or \
         net: and one of {known}; after it a share, as in net:15:0.99, lowers estimates so that so many \
         are not too large"
    )]
    UnknownNet {
        /// What was found.
        found: String,
        /// The names of the networks that are compiled in.
        known: String,
    },
    /// A network, in a build without the feature `net`.
    #[error(
        "{found:?} is a network, and this build has no networks: name another heuristic, or build with them, as \
         `cargo run --release -F full --` and the feature net of the crate tilebase do"
    )]
    WithoutNetworks {
        /// The network as it was named.
        found: String,
    },
    /// A share that the network has no shift for.
    #[error("{name} has no shift for {found:?}: it has {known}")]
    Share {
        /// The network.
        name: String,
        /// The share that was asked for.
        found: String,
        /// Those that there are.
        known: String,
    },
    /// A spec that does not fit the board or the goal.
    #[error(transparent)]
    Spec(#[from] SpecError),
}
