//! What a heuristic and a search did on all boards.

use serde::Serialize;

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

/// A row in a few numbers. Means are over the boards that were solved; nothing where there is none.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Summary {
    /// Boards that were searched.
    pub boards: usize,
    /// Those that a solution was found for.
    pub solved: usize,
    /// Those whose solution is proved to be a shortest one.
    pub proven: usize,
    /// Mean of the estimates, over all boards that have one.
    pub estimate: Option<f64>,
    /// Standard error of that mean, as a sample of all boards.
    pub estimate_error: Option<f64>,
    /// Mean length of the solutions.
    pub length: Option<f64>,
    /// The most moves that any solution may be longer than a shortest one, as far as is proved.
    pub excess_max: Option<u32>,
    /// Mean of generated nodes.
    pub generated: Option<f64>,
    /// Mean of expanded nodes.
    pub expanded: Option<f64>,
    /// Mean time of a board, in seconds.
    pub seconds: Option<f64>,
    /// Generated nodes a second of search, over all boards.
    pub nodes_per_second: Option<f64>,
    /// The most memory for boards that were kept, in bytes.
    pub memory_bytes: u64,
    /// Mean of the effective branching factors: see [`effective_branching_factor`].
    pub branching: Option<f64>,
}

fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (count, sum) = values.fold((0u32, 0.0), |(count, sum), value| (count + 1, sum + value));
    (count > 0).then(|| sum / f64::from(count))
}

impl Row {
    /// Its numbers.
    pub fn summary(&self) -> Summary {
        let solved = || self.samples.iter().filter(|sample| sample.length.is_some());
        let estimates = || self.samples.iter().filter_map(|sample| sample.estimate).map(f64::from);
        let count = estimates().count();
        let estimate = mean(estimates());
        let variance = estimate.and_then(|mean_estimate| {
            mean(estimates().map(|estimate| (estimate - mean_estimate).powi(2)))
        });
        let excesses = solved().filter_map(|sample| Some(sample.length? - sample.lower_bound));
        let generated: f64 = self.samples.iter().map(|sample| sample.generated as f64).sum();
        let seconds: f64 = self.samples.iter().map(|sample| sample.seconds).sum();
        let branching = solved()
            .filter_map(|sample| effective_branching_factor(sample.generated, sample.length?));
        Summary {
            boards: self.samples.len(),
            solved: solved().count(),
            proven: self.samples.iter().filter(|sample| sample.end == End::Optimal).count(),
            estimate,
            estimate_error: variance
                .filter(|_| count > 1)
                .map(|variance| (variance / (count - 1) as f64).sqrt()),
            length: mean(solved().filter_map(|sample| sample.length).map(f64::from)),
            excess_max: excesses.max(),
            generated: mean(solved().map(|sample| sample.generated as f64)),
            expanded: mean(solved().map(|sample| sample.expanded as f64)),
            seconds: mean(solved().map(|sample| sample.seconds)),
            nodes_per_second: (seconds > 0.0).then(|| generated / seconds),
            memory_bytes: self.samples.iter().map(|s| s.memory_bytes).max().unwrap_or(0),
            branching: mean(branching),
        }
    }
}

/// The effective branching factor b*: a tree of depth d in which each node has b* children has
/// N + 1 = 1 + b* + b*^2 + .. + b*^d nodes (S. Russell and P. Norvig, "Artificial Intelligence: A
/// Modern Approach"). Nothing where no move was made.
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

#[cfg(test)]
mod tests {
    use super::*;

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

    fn sample(length: Option<u32>, lower_bound: u32, estimate: u32) -> Sample {
        Sample {
            board: 0,
            end: match length {
                None => End::Limit,
                Some(length) if length == lower_bound => End::Optimal,
                Some(_) => End::Solved,
            },
            estimate: Some(estimate),
            length,
            lower_bound,
            generated: 100,
            expanded: 50,
            seconds: 0.5,
            memory_bytes: 7,
        }
    }

    #[test]
    fn a_summary_counts_each_end_and_means_over_what_was_solved() {
        let row = Row {
            heuristic: None,
            search: "test".to_owned(),
            table_bytes: 0,
            samples: vec![sample(Some(10), 10, 6), sample(Some(14), 10, 8), sample(None, 20, 16)],
        };
        let summary = row.summary();
        assert_eq!((summary.boards, summary.solved, summary.proven), (3, 2, 1));
        assert_eq!((summary.estimate, summary.length), (Some(10.0), Some(12.0)));
        // Deviations of -4, -2 and 6: variance 28, over three boards.
        assert!((summary.estimate_error.unwrap() - (28.0f64 / 3.0).sqrt()).abs() < 1e-12);
        assert_eq!((summary.excess_max, summary.nodes_per_second), (Some(4), Some(200.0)));
        let empty = Row { samples: Vec::new(), ..row }.summary();
        assert_eq!((empty.boards, empty.length, empty.nodes_per_second), (0, None, None));
    }
}
