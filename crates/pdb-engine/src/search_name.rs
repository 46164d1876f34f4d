//! Searches by their names.

use std::fmt;
use std::str::FromStr;

use pdb_search::Weight;

use crate::EngineError;

/// A search, as a command line names it.
///
/// `weighted-astar` and `weighted-ida` take a weight after a colon, as in `weighted-ida:81/19`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SearchName {
    /// Breadth-first search, which uses no heuristic.
    BreadthFirst,
    /// Greedy best-first search.
    Greedy,
    /// A*.
    AStar,
    /// Weighted A*; without a weight, that of the whole comparison.
    WeightedAStar(Option<Weight>),
    /// IDA* as Korf described it.
    Ida,
    /// Weighted IDA*; without a weight, that of the whole comparison.
    WeightedIda(Option<Weight>),
    /// Bidirectional heuristic search.
    Bidirectional,
    /// IDA* in lanes, without duplicate sequences of moves: what `tilebase solve` does.
    Lanes,
}

impl SearchName {
    /// All searches, each with a line that says what it is.
    pub const ALL: [(Self, &'static str); 8] = [
        (Self::BreadthFirst, "breadth-first search, without a heuristic"),
        (Self::Greedy, "greedy best-first search: the smallest estimate first; not optimal"),
        (Self::AStar, "A*: the smallest g + h first"),
        (Self::WeightedAStar(None), "weighted A*: the smallest g + W h first; within W"),
        (Self::Ida, "IDA* as Korf described it"),
        (Self::WeightedIda(None), "IDA* with bounds on g + W h; within W"),
        (Self::Bidirectional, "NBS: from both ends, each with its heuristic"),
        (Self::Lanes, "IDA* side by side in lanes, without duplicate moves, as solve does"),
    ];

    /// The name without a weight.
    pub fn name(self) -> &'static str {
        match self {
            Self::BreadthFirst => "breadth-first",
            Self::Greedy => "greedy",
            Self::AStar => "astar",
            Self::WeightedAStar(_) => "weighted-astar",
            Self::Ida => "ida",
            Self::WeightedIda(_) => "weighted-ida",
            Self::Bidirectional => "bidirectional",
            Self::Lanes => "lanes",
        }
    }

    /// Whether it uses a heuristic.
    pub fn is_informed(self) -> bool {
        self != Self::BreadthFirst
    }

    /// Whether it keeps the boards that it has seen, so that a limit of memory concerns it.
    pub fn keeps_boards(self) -> bool {
        !matches!(self, Self::Ida | Self::WeightedIda(_) | Self::Lanes)
    }

    /// The same search, with `weight` where it takes one and has none.
    #[must_use]
    pub fn with_weight(self, weight: Weight) -> Self {
        match self {
            Self::WeightedAStar(own) => Self::WeightedAStar(own.or(Some(weight))),
            Self::WeightedIda(own) => Self::WeightedIda(own.or(Some(weight))),
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
        let known = Self::ALL.into_iter().map(|(search, _)| search);
        let Some(search) = known.clone().find(|search| search.name() == name) else {
            let known: Vec<_> = known.map(Self::name).collect();
            return Err(EngineError::UnknownSearch {
                found: name.to_owned(),
                known: known.join(", "),
            });
        };
        let Some(weight) = weight else { return Ok(search) };
        match search {
            Self::WeightedAStar(_) => Ok(Self::WeightedAStar(Some(weight.parse()?))),
            Self::WeightedIda(_) => Ok(Self::WeightedIda(Some(weight.parse()?))),
            _ => Err(EngineError::NoWeight { search: name.to_owned(), found: weight.to_owned() }),
        }
    }
}
