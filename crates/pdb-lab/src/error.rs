//! Errors of names of heuristics and searches.

use pdb_core::{Board, Goal, Metric, Shape};
use pdb_search::WeightError;
use pdb_spec::SpecError;
use thiserror::Error;

use crate::Basic;
use crate::heuristics::LineTooLong;

/// End of the list of expected names.
const OR_NET: &str = if cfg!(feature = "net") { ", or net:FILE" } else { "" };

/// Reason why a heuristic or a search cannot be used.
#[derive(Clone, Debug, Error)]
pub enum EngineError {
    /// A name that is neither a heuristic nor a spec.
    #[error(
        "{found:?} is no heuristic: expected {known}, a spec file, or max(..) of several{}",
        OR_NET
    )]
    UnknownHeuristic {
        /// The text.
        found: String,
        /// The known names, with the specs for boards of this size.
        known: String,
    },
    /// A name that is not a search.
    #[error("{found:?} is no search: expected one of {known}")]
    UnknownSearch {
        /// The text.
        found: String,
        /// The known names.
        known: String,
    },
    /// Parentheses that do not match, or an empty part between commas.
    #[error(
        "expected names with a comma between them and all brackets closed, as in max(a, b), c, found \
         {found:?}"
    )]
    Syntax {
        /// The text.
        found: String,
    },
    /// A maximum of fewer than two heuristics, or of too many.
    #[error("max takes 2 to {max} heuristics, found {found}: {name}")]
    Parts {
        /// The maximum as written.
        name: String,
        /// Its number of parts.
        found: usize,
        /// The largest number of parts.
        max: usize,
    },
    /// A heuristic without bounds on slides of several tiles, where these count.
    #[error(
        "{name} does not bound slides of several tiles: expected tables of coloured tiles, such as \
         {tables}, or {}",
        Basic::Manhattan.name()
    )]
    NoSlides {
        /// The heuristic.
        name: String,
        /// The best spec for slides to the goal.
        tables: String,
    },
    /// A heuristic on a board of one line, where Manhattan distance is exact.
    #[error(
        "{name} is not made for a board of one line, {shape}: expected {}, which is exact there",
        Basic::Manhattan.name()
    )]
    OneLine {
        /// The heuristic.
        name: String,
        /// The shape of the board.
        shape: Shape,
    },
    /// A weight or another parameter for a search that takes none.
    #[error("{search} takes no weight, found {found:?}: weights are for {known}")]
    NoWeight {
        /// The search.
        search: &'static str,
        /// The text in place of the weight.
        found: String,
        /// The searches that take a weight.
        known: String,
    },
    /// A size or an order that a search does not have.
    #[error("expected {expected}, found {found:?}: write {example}")]
    Param {
        /// Description of the allowed values.
        expected: String,
        /// The text.
        found: String,
        /// The name of the search with its parameters.
        example: String,
    },
    /// A text that is not a weight.
    #[error(transparent)]
    Weight(#[from] WeightError),
    /// A heuristic that does not fit the board.
    #[error("{name}: {source}")]
    Line {
        /// The heuristic.
        name: String,
        /// The length of its lines.
        source: LineTooLong,
    },
    /// A network that cannot be read.
    #[cfg(feature = "net")]
    #[error("{name} {source}")]
    Net {
        /// The network.
        name: String,
        /// The error of its file.
        source: crate::networks::NetError,
    },
    /// A network for another goal.
    #[error(
        "{name} estimates distances to {found}, and no symmetry of the board makes that the goal {goal}: \
         name a network that was trained for this goal"
    )]
    NetGoal {
        /// The network.
        name: String,
        /// Its goal.
        found: Board,
        /// The goal of the boards.
        goal: Board,
    },
    /// A name after `net:` that is not a network.
    #[error(
        "{found:?} is no network: expected net:FILE, a safetensors file of weights, or net: and one of {known}; after it a share, as in net:15:0.99, lowers estimates so that this share \
         is not too large"
    )]
    UnknownNet {
        /// The text.
        found: String,
        /// The names of the embedded networks.
        known: String,
    },
    /// A network, in a build without the feature `net`.
    #[error("{found:?} is a network, and this build has no networks")]
    WithoutNetworks {
        /// The network as named.
        found: String,
    },
    /// A share for which the network has no shift.
    #[error("{name} has no shift for {found:?}: it has {known}")]
    Share {
        /// The network.
        name: String,
        /// The share.
        found: String,
        /// The shares for which it has one.
        known: String,
    },
    /// A spec that does not fit the board or the goal.
    #[error(transparent)]
    Spec(#[from] SpecError),
}

impl EngineError {
    /// Creates the error of a heuristic that bounds no slides to a goal, which is not on one line.
    pub(crate) fn no_slides(name: &str, goal: &Goal) -> Self {
        let best = pdb_spec::specs_for(goal, Metric::MultiTile).next();
        let tables = best.expect("there is a spec for every goal").name;
        Self::NoSlides { name: name.to_owned(), tables }
    }
}
