//! What a heuristic and a search did on all boards.

use std::fmt;

use pdb_lab::SearchName;
use serde::Serialize;

use crate::CompareError;

/// How the search of one board ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum End {
    /// With a solution that is proved to be a shortest one.
    Optimal,
    /// With a solution, perhaps not a shortest one.
    Solved,
    /// With the proof that there is none.
    Unsolvable,
    /// With a limit.
    Limit,
}

impl End {
    /// Its name in files.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Optimal => "optimal",
            Self::Solved => "solved",
            Self::Unsolvable => "unsolvable",
            Self::Limit => "limit",
        }
    }
}

/// What one search did on one board.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Sample {
    /// Which of the boards, from 0.
    pub board: usize,
    /// How it ended.
    pub end: End,
    /// The heuristic's estimate of the board; nothing without a heuristic, or where parity answered.
    pub estimate: Option<u32>,
    /// Moves of the solution that was found.
    pub length: Option<u32>,
    /// No solution has fewer moves.
    pub lower_bound: u32,
    /// Nodes generated.
    pub generated: u64,
    /// Nodes expanded.
    pub expanded: u64,
    /// From the beginning of its search to its answer.
    pub seconds: f64,
    /// The most memory for boards that were kept, in bytes.
    pub memory_bytes: u64,
}

/// A heuristic and a search, by their names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PairName {
    /// The heuristic's name; nothing for a search that uses none.
    pub heuristic: Option<String>,
    /// The search's name.
    pub search: String,
}

/// As `--baseline` takes it: `manhattan+astar`, or the search alone where there is no heuristic.
impl fmt::Display for PairName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.heuristic {
            Some(heuristic) => write!(f, "{heuristic}+{}", self.search),
            None => f.write_str(&self.search),
        }
    }
}

impl PairName {
    /// Those of an engine's heuristic and a search: a search that uses no heuristic has none.
    pub fn new(heuristic: &str, search: SearchName) -> Self {
        let heuristic = search.is_informed().then(|| heuristic.to_owned());
        Self { heuristic, search: search.to_string() }
    }

    /// The one of `names` that a text means: `HEURISTIC+SEARCH`, or one of both alone.
    ///
    /// Spaces do not count. A search's weight may be left out, or be written in another way. What is
    /// meant more exactly is preferred.
    ///
    /// # Errors
    /// [`CompareError::NoPair`] and [`CompareError::SeveralPairs`] list the names.
    pub fn find(names: &[Self], text: &str) -> Result<Self, CompareError> {
        let bare = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
        let wanted = bare(text);
        let is_search = |name: &Self, text: &str| {
            let weightless = name.search.split(':').next();
            let parsed = text.parse::<SearchName>().map(|search| search.to_string());
            weightless == Some(text) || parsed.is_ok_and(|text| text == name.search)
        };
        let is_heuristic =
            |name: &Self, text: &str| name.heuristic.as_deref().is_some_and(|h| bare(h) == text);
        // A heuristic may be a file with any name, so each sign may be the one between both.
        let is_both = |name: &Self| {
            wanted.match_indices('+').any(|(at, _)| {
                is_heuristic(name, &wanted[..at]) && is_search(name, &wanted[at + 1..])
            })
        };
        let is_one = |name: &Self| is_heuristic(name, &wanted) || is_search(name, &wanted);
        let exactly = |name: &Self| bare(&name.to_string()) == wanted;
        let stages: [&dyn Fn(&Self) -> bool; 3] = [&exactly, &is_both, &is_one];
        let list = |names: &mut dyn Iterator<Item = &Self>| {
            names.map(ToString::to_string).collect::<Vec<_>>().join(", ")
        };
        for matches in stages {
            let mut found = names.iter().filter(|name| matches(name));
            match (found.next(), found.next()) {
                (Some(name), None) => return Ok(name.clone()),
                (Some(_), Some(_)) => {
                    let matching = list(&mut names.iter().filter(|name| matches(name)));
                    return Err(CompareError::SeveralPairs { found: text.to_owned(), matching });
                }
                (None, _) => (),
            }
        }
        let known = list(&mut names.iter());
        Err(CompareError::NoPair { found: text.to_owned(), known })
    }
}

/// A heuristic, a search, and what they did on each board.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// The heuristic's name; nothing for a search that uses none.
    pub heuristic: Option<String>,
    /// The search's name.
    pub search: String,
    /// Bytes of the heuristic's tables.
    pub table_bytes: u64,
    /// In the order of the boards, of which some at the end may not have been searched.
    pub samples: Vec<Sample>,
}

/// The effective branching factor b*: a tree of depth d in which each node has b* children has
/// N + 1 = 1 + b* + b*^2 + .. + b*^d nodes (S. Russell and P. Norvig, "Artificial Intelligence: A
/// Modern Approach"). Nothing where no move was made.
///
/// N may count generated or expanded nodes; both are in use, so say which. A search that expands
/// nothing but the d boards on the way to the goal has b* = 1 by expanded nodes.
///
/// It is found by halving an interval until no double lies between its ends.
pub fn effective_branching_factor(node_count: u64, depth: u32) -> Option<f64> {
    if depth == 0 {
        return None;
    }
    let wanted = node_count as f64 + 1.0;
    // Horner's rule; the sum grows with b.
    let sum = |b: f64| (0..depth).fold(1.0, |sum, _| sum * b + 1.0);
    let (mut low, mut high) = (0.0, wanted.max(1.0));
    loop {
        let middle = f64::midpoint(low, high);
        if middle <= low || middle >= high {
            return Some(middle);
        }
        if sum(middle) < wanted {
            low = middle;
        } else {
            high = middle;
        }
    }
}

impl Row {
    /// Its names.
    pub fn name(&self) -> PairName {
        PairName { heuristic: self.heuristic.clone(), search: self.search.clone() }
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
    fn a_pair_is_found_by_both_names_or_by_one_that_is_enough() {
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
            ("manhattan+weighted-astar:1.5", 2),
            ("manhattan+weighted-astar", 2),
            ("weighted-astar:6/4", 2),
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
        // The same pair twice cannot be told apart.
        assert!(PairName::find(&[&names[1..2], &names[1..2]].concat(), "manhattan+ida").is_err());
    }

    #[test]
    fn the_branching_factor_of_a_full_tree_is_that_of_its_nodes() {
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
    fn large_counts_have_a_branching_factor_too() {
        let b = effective_branching_factor(u64::MAX, 80).unwrap();
        assert!(b > 1.5 && b < 1.8, "{b}");
    }
}
