//! Results of a heuristic and a search on all boards.

use std::fmt;

use pdb_lab::SearchName;
use serde::{Serialize, Serializer};
use tilebase::pdb_search::StatusKind;

use crate::CompareError;

/// Result of one search on one board.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Sample {
    /// Number of the board, from 0.
    pub board: usize,
    /// Status of the search.
    #[serde(rename = "end", serialize_with = "name_of")]
    pub status: StatusKind,
    /// The heuristic's estimate. `None` without heuristic, or if parity decided.
    pub estimate: Option<u32>,
    /// Length of the solution, in moves.
    pub length: Option<u32>,
    /// Lower bound of the number of moves.
    pub lower_bound: u32,
    /// Nodes generated.
    pub generated: u64,
    /// Nodes expanded.
    pub expanded: u64,
    /// Time of the search.
    pub seconds: f64,
    /// Peak memory for stored boards, in bytes.
    pub memory_bytes: u64,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
fn name_of<S: Serializer>(status: &StatusKind, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(status.name())
}

/// Names of a heuristic and a search.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PairName {
    /// The heuristic's name. `None` for a search without heuristic.
    pub heuristic: Option<String>,
    /// The search's name.
    pub search: String,
}

/// Formats the name as `--baseline` reads it: `manhattan+astar`, or only the search.
impl fmt::Display for PairName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.heuristic {
            Some(heuristic) => write!(f, "{heuristic}+{}", self.search),
            None => f.write_str(&self.search),
        }
    }
}

impl PairName {
    /// Creates the name of a pair. A search that is not informed has no heuristic.
    pub fn new(heuristic: &str, search: SearchName) -> Self {
        let heuristic = search.is_informed().then(|| heuristic.to_owned());
        Self { heuristic, search: search.to_string() }
    }

    /// Finds the name that a text means: `HEURISTIC+SEARCH`, or one of both. Ignores spaces.
    ///
    /// # Errors
    /// [`CompareError::NoPair`] and [`CompareError::SeveralPairs`] list the names.
    pub fn find(names: &[Self], text: &str) -> Result<Self, CompareError> {
        let bare = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
        let query = bare(text);
        let is_whole = |name: &&Self| bare(&name.to_string()) == query;
        let is_part = |name: &&Self| {
            name.search == query || name.heuristic.as_deref().is_some_and(|h| bare(h) == query)
        };
        let list =
            |names: &[&Self]| names.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
        let mut found: Vec<&Self> = names.iter().filter(is_whole).collect();
        if found.is_empty() {
            found = names.iter().filter(is_part).collect();
        }
        match found[..] {
            [name] => Ok(name.clone()),
            [] => {
                let known = list(&names.iter().collect::<Vec<_>>());
                Err(CompareError::NoPair { found: text.to_owned(), known })
            }
            _ => {
                let matching = list(&found);
                Err(CompareError::SeveralPairs { found: text.to_owned(), matching })
            }
        }
    }
}

/// Results of a heuristic and a search on each board.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// Names of the heuristic and the search.
    #[serde(flatten)]
    pub name: PairName,
    /// Metric of estimates and lengths; absent where each tile does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metric: Option<&'static str>,
    /// Bytes of the heuristic's tables.
    pub table_bytes: u64,
    /// Results in the order of the boards. The last boards may be missing.
    pub samples: Vec<Sample>,
}

/// Returns the effective branching factor b*: a tree of depth d in which each node has b* children
/// has N + 1 = 1 + b* + b*^2 + .. + b*^d nodes (S. Russell and P. Norvig, "Artificial Intelligence:
/// A Modern Approach"). `None` for depth 0.
///
/// N may be the number of generated or of expanded nodes. A search that expands only the d boards
/// on the path to the goal has b* = 1 by expanded nodes.
///
/// The value is found by bisection to the precision of `f64`.
pub fn effective_branching_factor(node_count: u64, depth: u32) -> Option<f64> {
    if depth == 0 {
        return None;
    }
    let target = node_count as f64 + 1.0;
    // Horner's rule; the sum grows with b.
    let sum = |b: f64| (0..depth).fold(1.0, |sum, _| sum * b + 1.0);
    let (mut low, mut high) = (0.0, target.max(1.0));
    loop {
        let middle = f64::midpoint(low, high);
        if middle <= low || middle >= high {
            return Some(middle);
        }
        if sum(middle) < target {
            low = middle;
        } else {
            high = middle;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(pairs: &[(&str, &str)]) -> Vec<PairName> {
        let name = |&(heuristic, search): &(&str, &str)| PairName {
            heuristic: (!heuristic.is_empty()).then(|| heuristic.to_owned()),
            search: search.to_owned(),
        };
        pairs.iter().map(name).collect()
    }

    #[test]
    fn finds_a_pair_by_both_names_or_by_one() {
        let names = names(&[
            ("", "breadth-first"),
            ("manhattan", "ida"),
            ("manhattan", "weighted-astar:3/2"),
            ("max(manhattan, inversion)", "ida"),
            ("a+ida.toml", "lanes"),
        ]);
        for (text, number) in [
            ("breadth-first", 0),
            ("manhattan+ida", 1),
            (" manhattan + ida ", 1),
            ("manhattan+weighted-astar:3/2", 2),
            ("weighted-astar:3/2", 2),
            ("max(manhattan,inversion)", 3),
            ("max(manhattan,inversion)+ida", 3),
            ("a+ida.toml", 4),
            ("a+ida.toml+lanes", 4),
        ] {
            assert_eq!(PairName::find(&names, text).unwrap(), names[number], "{text}");
        }
        let several = PairName::find(&names, "ida").unwrap_err().to_string();
        assert!(several.contains("manhattan+ida, max(manhattan, inversion)+ida"), "{several}");
        let several = PairName::find(&names, "manhattan").unwrap_err().to_string();
        assert!(several.contains("manhattan+ida, manhattan+weighted-astar:3/2"), "{several}");
        for text in ["", "+", "inversion", "manhattan+lanes", "weighted-astar:2"] {
            let none = PairName::find(&names, text).unwrap_err().to_string();
            assert!(none.contains("breadth-first, manhattan+ida, "), "{text}: {none}");
        }
        // The same pair twice is ambiguous.
        assert!(PairName::find(&[&names[1..2], &names[1..2]].concat(), "manhattan+ida").is_err());
    }

    #[test]
    fn computes_the_branching_factor_of_full_trees() {
        // 2 + 4 + 8 + 16 + 32 nodes below the root.
        let of_two = effective_branching_factor(62, 5).unwrap();
        assert!((of_two - 2.0).abs() < 1e-12, "{of_two}");
        let chain = effective_branching_factor(7, 7).unwrap();
        assert!((chain - 1.0).abs() < 1e-12, "{chain}");
        // The example of the book: 52 nodes for a solution of 5 moves.
        let of_book = effective_branching_factor(52, 5).unwrap();
        assert!((of_book - 1.92).abs() < 0.005, "{of_book}");
        assert_eq!(effective_branching_factor(1, 0), None);
    }

    #[test]
    fn computes_the_branching_factor_of_large_counts() {
        let b = effective_branching_factor(u64::MAX, 80).unwrap();
        assert!(b > 1.5 && b < 1.8, "{b}");
    }
}
