//! Ratios of a row to a baseline, over the boards that both solved.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::row::{Row, Sample};
use crate::statistics::{Interval, bootstrap, resamples};

/// Ratio of a row to the baseline, combined over the boards in two ways.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Ratio {
    /// Geometric mean of the boards' ratios, in which all boards count equally. Skips boards where
    /// either number is 0.
    pub geometric_mean: Option<Interval>,
    /// Ratio of the sums, which hard boards dominate. It equals the ratio of the means. `None` if
    /// the baseline's sum is 0.
    pub of_sums: Option<Interval>,
}

/// Ratios of a row to the baseline, over the boards that both solved, with 95 % intervals of a
/// [`bootstrap`] over these boards.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Ratios {
    /// Number of boards that both solved.
    pub boards: usize,
    /// Number of resamples for the intervals.
    pub resamples: usize,
    /// Ratio of generated nodes.
    pub generated: Ratio,
    /// Ratio of expanded nodes.
    pub expanded: Ratio,
    /// Ratio of times.
    pub seconds: Ratio,
    /// Ratio of the solutions' lengths.
    pub length: Ratio,
}

/// A board's numbers: generated, expanded, seconds, length.
type Numbers = [f64; 4];

/// Sums over the drawn boards.
#[derive(Clone, Copy, Default)]
struct Sums {
    own: f64,
    baseline: f64,
    /// Sum of the logarithms of defined ratios, and their number.
    logarithms: f64,
    defined: f64,
}

impl Ratios {
    /// Computes the ratios of a row to the baseline.
    pub fn of(row: &Row, baseline: &Row) -> Self {
        let solved = |row: &Row| -> BTreeMap<usize, Numbers> {
            let numbers = |sample: &Sample| {
                let length = f64::from(sample.length?);
                let nodes = [sample.generated as f64, sample.expanded as f64];
                Some((sample.board, [nodes[0], nodes[1], sample.seconds, length]))
            };
            row.samples.iter().filter_map(numbers).collect()
        };
        let of_baseline = solved(baseline);
        let boards: Vec<[Sums; 4]> = solved(row)
            .into_iter()
            .filter_map(|(board, numbers)| {
                let beside = of_baseline.get(&board)?;
                Some(std::array::from_fn(|i| Sums::of_board(numbers[i], beside[i])))
            })
            .collect();
        let statistics = |drawn: &[usize]| -> [Option<f64>; 8] {
            let mut all = [Sums::default(); 4];
            for &place in drawn {
                for (sums, board) in all.iter_mut().zip(&boards[place]) {
                    sums.add(*board);
                }
            }
            std::array::from_fn(|i| {
                let sums = all[i / 2];
                if i % 2 == 0 { sums.geometric_mean() } else { sums.ratio() }
            })
        };
        let [a, b, c, d, e, f, g, h] = bootstrap(boards.len(), statistics);
        let ratio = |geometric_mean, of_sums| Ratio { geometric_mean, of_sums };
        Self {
            boards: boards.len(),
            resamples: resamples(boards.len()),
            generated: ratio(a, b),
            expanded: ratio(c, d),
            seconds: ratio(e, f),
            length: ratio(g, h),
        }
    }
}

impl Sums {
    fn of_board(own: f64, baseline: f64) -> Self {
        if own > 0.0 && baseline > 0.0 {
            Self { own, baseline, logarithms: (own / baseline).ln(), defined: 1.0 }
        } else {
            Self { own, baseline, ..Self::default() }
        }
    }

    fn add(&mut self, other: Self) {
        self.own += other.own;
        self.baseline += other.baseline;
        self.logarithms += other.logarithms;
        self.defined += other.defined;
    }

    fn geometric_mean(self) -> Option<f64> {
        (self.defined > 0.0).then(|| (self.logarithms / self.defined).exp())
    }

    fn ratio(self) -> Option<f64> {
        (self.baseline > 0.0).then(|| self.own / self.baseline)
    }
}

#[cfg(test)]
mod tests {
    use tilebase::pdb_search::StatusKind;

    use super::*;
    use crate::PairName;

    /// Creates a row from boards: number, generated nodes, and length if solved.
    fn row(boards: &[(usize, u64, Option<u32>)]) -> Row {
        let sample = |&(board, generated, length): &(usize, u64, Option<u32>)| Sample {
            board,
            status: if length.is_some() { StatusKind::Optimal } else { StatusKind::Limit },
            estimate: None,
            length,
            lower_bound: length.unwrap_or(0),
            generated,
            expanded: generated / 2,
            seconds: 0.0,
            memory_bytes: 0,
        };
        let samples = boards.iter().map(sample).collect();
        let name = PairName { heuristic: None, search: "test".to_owned() };
        Row { name, metric: None, table_bytes: 0, samples }
    }

    #[test]
    fn pairs_boards_that_both_rows_solved() {
        let baseline =
            row(&[(0, 100, Some(10)), (1, 400, Some(20)), (2, 7, None), (4, 9, Some(3))]);
        let own = row(&[(1, 100, Some(20)), (0, 100, Some(10)), (2, 7, Some(5)), (3, 9, Some(3))]);
        let ratios = Ratios::of(&own, &baseline);
        assert_eq!((ratios.boards, ratios.resamples), (2, 10_000));
        // 1 and 1/4: the geometric mean is 1/2; the sums are 200 and 500.
        let generated = ratios.generated;
        let mean = generated.geometric_mean.unwrap();
        assert!((mean.value - 0.5).abs() < 1e-12);
        assert!((generated.of_sums.unwrap().value - 0.4).abs() < 1e-12);
        // Resamples of two boards reach from one of them alone to the other.
        assert!(
            (mean.low.unwrap() - 0.25).abs() < 1e-12 && (mean.high.unwrap() - 1.0).abs() < 1e-12
        );
        let length = ratios.length.geometric_mean.unwrap();
        assert_eq!((length.value, length.low, length.high), (1.0, Some(1.0), Some(1.0)));
        // No clock ticked.
        assert_eq!((ratios.seconds.geometric_mean, ratios.seconds.of_sums), (None, None));
    }

    #[test]
    fn ratios_of_few_boards_and_zeros_are_defined() {
        let own = row(&[(0, 10, Some(4))]);
        let none = Ratios::of(&own, &row(&[(1, 10, Some(4))]));
        assert_eq!(
            (none.boards, none.generated.geometric_mean, none.length.of_sums),
            (0, None, None)
        );
        let one = Ratios::of(&own, &row(&[(0, 40, Some(4))])).generated.of_sums.unwrap();
        assert_eq!((one.value, one.low), (0.25, None));
        // A board at the goal has no length, and nothing is expanded for it.
        let baseline = row(&[(0, 1, Some(0)), (1, 8, Some(4))]);
        let zeros = Ratios::of(&row(&[(0, 1, Some(0)), (1, 4, Some(8))]), &baseline);
        let value = |interval: Option<Interval>| interval.unwrap().value;
        assert_eq!(zeros.boards, 2);
        assert!((value(zeros.length.of_sums) - 2.0).abs() < 1e-12);
        assert!((value(zeros.length.geometric_mean) - 2.0).abs() < 1e-12);
        assert!((value(zeros.expanded.geometric_mean) - 0.5).abs() < 1e-12);
        assert!((value(zeros.generated.of_sums) - 5.0 / 9.0).abs() < 1e-12);
    }
}
