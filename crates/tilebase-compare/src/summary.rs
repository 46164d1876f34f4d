//! Summary of a row.

use serde::Serialize;
use tilebase::pdb_search::StatusKind;

use crate::row::{Row, effective_branching_factor};
use crate::statistics::Spread;

/// Proved optima of the boards. An optimum is proved if the shortest solution of any search equals
/// the largest lower bound of any search.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Optima {
    proved: Vec<Option<u32>>,
    /// Lengths of the shortest solutions of any search.
    #[serde(skip)]
    best: Vec<Option<u32>>,
}

impl Optima {
    /// Combines the proofs of all rows.
    pub fn of(rows: &[Row]) -> Self {
        let count = rows.iter().flat_map(|row| &row.samples).map(|sample| sample.board + 1).max();
        let mut proved: Vec<(Option<u32>, u32)> = vec![(None, 0); count.unwrap_or(0)];
        for sample in rows.iter().flat_map(|row| &row.samples) {
            let (shortest, lower_bound) = &mut proved[sample.board];
            *shortest = [*shortest, sample.length].into_iter().flatten().min();
            *lower_bound = sample.lower_bound.max(*lower_bound);
        }
        let best = proved.iter().map(|&(shortest, _)| shortest).collect();
        let optimum = |(shortest, lower_bound): (Option<u32>, u32)| {
            shortest.filter(|&shortest| shortest == lower_bound)
        };
        Self { proved: proved.into_iter().map(optimum).collect(), best }
    }

    /// Returns the optimum of a board, by its number.
    pub fn of_board(&self, board: usize) -> Option<u32> {
        self.proved.get(board).copied().flatten()
    }

    /// Returns the length of the shortest known solution of a board, by its number.
    pub fn best_of_board(&self, board: usize) -> Option<u32> {
        self.best.get(board).copied().flatten()
    }
}

/// Summary of a row. Means are over solved boards, and `None` without any.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Summary {
    /// Number of searched boards.
    pub boards: usize,
    /// Number of solved boards.
    pub solved: usize,
    /// Number of boards with a proved optimum.
    pub proven: usize,
    /// Mean estimate, over all boards with an estimate.
    pub estimate: Option<f64>,
    /// Standard error of that mean.
    pub estimate_error: Option<f64>,
    /// Mean length of the solutions.
    pub length: Option<f64>,
    /// Largest proved bound of moves above the optimum.
    pub excess_max: Option<u32>,
    /// Mean of generated nodes.
    pub generated: Option<f64>,
    /// Mean of expanded nodes.
    pub expanded: Option<f64>,
    /// Mean time of a board, in seconds.
    pub seconds: Option<f64>,
    /// Generated nodes per second of search, over all boards.
    pub nodes_per_second: Option<f64>,
    /// Peak memory for stored boards, in bytes.
    pub memory_bytes: u64,
    /// Mean of the effective branching factors by generated nodes: see
    /// [`effective_branching_factor`].
    pub branching: Option<f64>,
    /// Mean of the effective branching factors by expanded nodes.
    pub branching_expanded: Option<f64>,
    /// Mean optimum, over the solved boards with a known optimum.
    pub optimum: Option<f64>,
    /// Distributions over the boards.
    pub spread: Spreads,
}

/// Distributions over the solved boards of a row.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Spreads {
    /// Nodes generated.
    pub generated: Option<Spread>,
    /// Nodes expanded.
    pub expanded: Option<Spread>,
    /// Time of a board, in seconds.
    pub seconds: Option<Spread>,
    /// Length of the solution, in moves.
    pub length: Option<Spread>,
    /// Moves above the optimum, if it is known.
    pub above_optimum: Option<Spread>,
    /// Moves above the shortest known solution of any search.
    pub above_best: Option<Spread>,
    /// (h* - h) / h* for the estimate h and the distance h*: 0 is a perfect estimate, and 1 is an
    /// estimate of 0. Over all boards with an estimate and a known distance above 0.
    pub relative_error: Option<Spread>,
}

/// Returns the relative error of an estimate: see [`Spreads::relative_error`]. `None` at the goal.
pub fn relative_error(estimate: u32, distance: u32) -> Option<f64> {
    let distance = f64::from(distance);
    (distance > 0.0).then(|| (distance - f64::from(estimate)) / distance)
}

impl Row {
    /// Returns the summary with known optima.
    pub fn summary(&self, optima: &Optima) -> Summary {
        let solved = || self.samples.iter().filter(|sample| sample.length.is_some());
        let estimates = self.samples.iter().filter_map(|sample| sample.estimate).map(f64::from);
        let estimates = Spread::of(estimates);
        let excesses = solved().filter_map(|sample| Some(sample.length? - sample.lower_bound));
        let generated: f64 = self.samples.iter().map(|sample| sample.generated as f64).sum();
        let seconds: f64 = self.samples.iter().map(|sample| sample.seconds).sum();
        let with_optimum = || {
            solved().filter_map(|sample| {
                Some((f64::from(sample.length?), f64::from(optima.of_board(sample.board)?)))
            })
        };
        let spread = Spreads {
            generated: Spread::of(solved().map(|sample| sample.generated as f64)),
            expanded: Spread::of(solved().map(|sample| sample.expanded as f64)),
            seconds: Spread::of(solved().map(|sample| sample.seconds)),
            length: Spread::of(solved().filter_map(|sample| sample.length).map(f64::from)),
            above_optimum: Spread::of(with_optimum().map(|(length, optimum)| length - optimum)),
            above_best: Spread::of(solved().filter_map(|sample| {
                let best = optima.best_of_board(sample.board)?;
                Some(f64::from(sample.length?) - f64::from(best))
            })),
            relative_error: Spread::of(self.samples.iter().filter_map(|sample| {
                relative_error(sample.estimate?, optima.of_board(sample.board)?)
            })),
        };
        let mean = |spread: Option<Spread>| spread.map(|spread| spread.mean);
        let by_generated = solved()
            .filter_map(|sample| effective_branching_factor(sample.generated, sample.length?));
        let by_expanded = solved()
            .filter_map(|sample| effective_branching_factor(sample.expanded, sample.length?));
        Summary {
            boards: self.samples.len(),
            solved: solved().count(),
            proven: self
                .samples
                .iter()
                .filter(|sample| sample.status == StatusKind::Optimal)
                .count(),
            estimate: mean(estimates),
            estimate_error: estimates
                .and_then(|spread| Some(spread.sd? / (spread.count as f64).sqrt())),
            length: mean(spread.length),
            excess_max: excesses.max(),
            generated: mean(spread.generated),
            expanded: mean(spread.expanded),
            seconds: mean(spread.seconds),
            nodes_per_second: (seconds > 0.0).then(|| generated / seconds),
            memory_bytes: self.samples.iter().map(|s| s.memory_bytes).max().unwrap_or(0),
            branching: mean(Spread::of(by_generated)),
            branching_expanded: mean(Spread::of(by_expanded)),
            optimum: mean(Spread::of(with_optimum().map(|(_, optimum)| optimum))),
            spread,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{PairName, Sample};

    fn sample(board: usize, length: Option<u32>, lower_bound: u32, estimate: u32) -> Sample {
        Sample {
            board,
            status: match length {
                None => StatusKind::Limit,
                Some(length) if length == lower_bound => StatusKind::Optimal,
                Some(_) => StatusKind::Solved,
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

    fn row(samples: Vec<Sample>) -> Row {
        let name = PairName { heuristic: None, search: "test".to_owned() };
        Row { name, metric: None, table_bytes: 0, samples }
    }

    /// Returns the summary with the optima that the row itself proves.
    fn summary(row: &Row) -> Summary {
        row.summary(&Optima::of(std::slice::from_ref(row)))
    }

    #[test]
    fn summary_counts_statuses_and_averages_solved_boards() {
        let row = row(vec![
            sample(0, Some(10), 10, 6),
            sample(1, Some(14), 10, 8),
            sample(2, None, 20, 16),
        ]);
        let summary = summary(&row);
        assert_eq!((summary.boards, summary.solved, summary.proven), (3, 2, 1));
        assert_eq!((summary.estimate, summary.length), (Some(10.0), Some(12.0)));
        // Deviations of -4, -2 and 6: variance 28, over three boards.
        assert!((summary.estimate_error.unwrap() - (28.0f64 / 3.0).sqrt()).abs() < 1e-12);
        assert_eq!((summary.excess_max, summary.nodes_per_second), (Some(4), Some(200.0)));
        // Only the first board's distance is known.
        assert_eq!(
            (summary.optimum, summary.spread.relative_error.unwrap().count),
            (Some(10.0), 1)
        );
        let by_expanded =
            effective_branching_factor(50, 10).zip(effective_branching_factor(50, 14));
        let (a, b) = by_expanded.unwrap();
        assert!((summary.branching_expanded.unwrap() - f64::midpoint(a, b)).abs() < 1e-12);
        assert!(summary.branching > summary.branching_expanded);
    }

    #[test]
    fn row_without_solutions_has_no_means() {
        let empty = summary(&row(Vec::new()));
        assert_eq!((empty.boards, empty.length, empty.nodes_per_second), (0, None, None));
        assert_eq!((empty.spread.generated, empty.branching_expanded), (None, None));
        let unsolved = summary(&row(vec![sample(0, None, 20, 16)]));
        assert_eq!(
            (unsolved.solved, unsolved.estimate, unsolved.estimate_error),
            (0, Some(16.0), None)
        );
        assert_eq!((unsolved.generated, unsolved.optimum), (None, None));
        assert_eq!((unsolved.spread.seconds, unsolved.spread.relative_error), (None, None));
    }

    #[test]
    fn combines_the_proofs_of_rows() {
        let greedy = row(vec![
            sample(0, Some(10), 6, 6),
            sample(1, Some(30), 8, 8),
            sample(2, Some(9), 5, 5),
            sample(3, Some(0), 0, 0),
        ]);
        let other =
            row(vec![sample(0, None, 10, 8), sample(1, Some(24), 24, 12), sample(2, None, 7, 5)]);
        assert_eq!(summary(&greedy).optimum, Some(0.0));
        let optima = Optima::of(&[greedy.clone(), other]);
        let known = [0, 1, 2, 3, 4].map(|board| optima.of_board(board));
        assert_eq!(known, [Some(10), Some(24), None, Some(0), None]);
        let summary = greedy.summary(&optima);
        let above = summary.spread.above_optimum.unwrap();
        assert_eq!((above.count, above.mean, above.max), (3, 2.0, 6.0));
        assert_eq!(summary.optimum, Some(34.0 / 3.0));
        // The third board has no proved optimum, but a best solution.
        let above = summary.spread.above_best.unwrap();
        assert_eq!((above.count, above.mean, above.max), (4, 1.5, 6.0));
        // 4 / 10 and 16 / 24; a solved board has no error.
        let error = summary.spread.relative_error.unwrap();
        assert_eq!(error.count, 2);
        assert!((error.mean - f64::midpoint(0.4, 2.0 / 3.0)).abs() < 1e-12);
        assert_eq!([relative_error(0, 5), relative_error(5, 5)], [Some(1.0), Some(0.0)]);
        assert_eq!(relative_error(0, 0), None);
    }
}
