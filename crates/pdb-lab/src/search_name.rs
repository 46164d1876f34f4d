//! Names of searches.

use std::fmt;
use std::mem::discriminant;
use std::num::NonZeroU32;
use std::str::FromStr;

use pdb_search::Weight;

use crate::EngineError;

/// Largest batch, in boards. It takes some megabytes while its boards are expanded.
const BATCH_MAX: u32 = 1_000_000;
/// Default batch, in boards.
const BATCH: NonZeroU32 = NonZeroU32::new(100).expect("it is not 0");

/// A search, as a command line names it.
///
/// `weighted-astar` and `weighted-ida` take a weight after a colon, as in `weighted-ida:81/19`.
/// `batch-astar` takes the number of boards that are expanded at once, and a weight after that, as
/// in `batch-astar:1000:3/2`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SearchName {
    /// Breadth-first search, which uses no heuristic.
    BreadthFirst,
    /// Greedy best-first search.
    Greedy,
    /// A*.
    AStar,
    /// Weighted A*; without a weight, with the weight of the whole comparison.
    WeightedAStar(Option<Weight>),
    /// Weighted A* that expands the best boards together.
    BatchAStar {
        /// Number of boards that are expanded at once, at most a million.
        batch: NonZeroU32,
        /// The weight; `None` for the weight of the whole comparison.
        weight: Option<Weight>,
    },
    /// IDA* as Korf described it.
    Ida,
    /// Weighted IDA*; without a weight, with the weight of the whole comparison.
    WeightedIda(Option<Weight>),
    /// Bidirectional heuristic search.
    Bidirectional,
    /// IDA* in lanes, without duplicate sequences of moves, as `tilebase solve` uses it.
    Lanes,
}

impl SearchName {
    /// All searches, each with its name and a line that describes it.
    pub const ALL: [(Self, &'static str, &'static str); 9] = [
        (Self::BreadthFirst, "breadth-first", "breadth-first search, without a heuristic"),
        (
            Self::Greedy,
            "greedy",
            "greedy best-first search: the smallest estimate first; not optimal",
        ),
        (Self::AStar, "astar", "A*: the smallest g + h first"),
        (
            Self::WeightedAStar(None),
            "weighted-astar",
            "weighted A*: the smallest g + W h first; within W",
        ),
        (
            Self::BatchAStar { batch: BATCH, weight: None },
            "batch-astar",
            "weighted A*, 100 boards at once; batch-astar:N takes N; within W",
        ),
        (Self::Ida, "ida", "IDA* as Korf described it"),
        (Self::WeightedIda(None), "weighted-ida", "IDA* with bounds on g + W h; within W"),
        (Self::Bidirectional, "bidirectional", "NBS: from both ends, each with its heuristic"),
        (
            Self::Lanes,
            "lanes",
            "IDA* side by side in lanes, without duplicate moves, as solve does",
        ),
    ];

    /// Returns the name without a weight.
    pub fn name(self) -> &'static str {
        let is_it = |(other, ..): &(Self, &str, &str)| discriminant(other) == discriminant(&self);
        Self::ALL.iter().find(|entry| is_it(entry)).expect("all searches are listed").1
    }

    /// Returns whether it uses a heuristic.
    pub fn is_informed(self) -> bool {
        self != Self::BreadthFirst
    }

    /// Returns whether it proves solutions by estimates, and so refuses learned heuristics: see
    /// [`Engine::is_admissible`](crate::Engine::is_admissible).
    pub fn needs_admissible(self) -> bool {
        matches!(self, Self::Ida | Self::Bidirectional | Self::Lanes)
    }

    /// Returns whether it keeps the boards that it meets, so that it obeys a memory limit.
    pub fn keeps_boards(self) -> bool {
        !matches!(self, Self::Ida | Self::WeightedIda(_) | Self::Lanes)
    }

    /// Returns the same search, with `weight` if it takes a weight and has none.
    #[must_use]
    pub fn with_weight(self, weight: Weight) -> Self {
        match self {
            Self::WeightedAStar(own) => Self::WeightedAStar(own.or(Some(weight))),
            Self::WeightedIda(own) => Self::WeightedIda(own.or(Some(weight))),
            Self::BatchAStar { batch, weight: own } => {
                Self::BatchAStar { batch, weight: own.or(Some(weight)) }
            }
            other => other,
        }
    }
}

impl fmt::Display for SearchName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::WeightedAStar(Some(weight)) | Self::WeightedIda(Some(weight)) => {
                write!(f, "{}:{weight}", self.name())
            }
            Self::BatchAStar { batch, weight: None } => write!(f, "{}:{batch}", self.name()),
            Self::BatchAStar { batch, weight: Some(weight) } => {
                write!(f, "{}:{batch}:{weight}", self.name())
            }
            _ => f.write_str(self.name()),
        }
    }
}

impl FromStr for SearchName {
    type Err = EngineError;

    fn from_str(text: &str) -> Result<Self, EngineError> {
        let (name, weight) = match text.split_once(':') {
            Some((name, weight)) => (name.trim(), Some(weight.trim())),
            None => (text.trim(), None),
        };
        let Some((search, ..)) = Self::ALL.into_iter().find(|(_, known, _)| *known == name) else {
            let known = Self::ALL.map(|(_, name, _)| name).join(", ");
            return Err(EngineError::UnknownSearch { found: name.to_owned(), known });
        };
        let Some(weight) = weight else { return Ok(search) };
        match search {
            Self::WeightedAStar(_) => Ok(Self::WeightedAStar(Some(weight.parse()?))),
            Self::WeightedIda(_) => Ok(Self::WeightedIda(Some(weight.parse()?))),
            Self::BatchAStar { .. } => {
                let (batch, weight) = match weight.split_once(':') {
                    Some((batch, weight)) => (batch.trim(), Some(weight.trim().parse()?)),
                    None => (weight, None),
                };
                let size = batch.parse().ok().filter(|size: &NonZeroU32| size.get() <= BATCH_MAX);
                let wrong = || EngineError::NoBatch { found: batch.to_owned(), most: BATCH_MAX };
                Ok(Self::BatchAStar { batch: size.ok_or_else(wrong)?, weight })
            }
            _ => Err(EngineError::NoWeight { search: name.to_owned(), found: weight.to_owned() }),
        }
    }
}
