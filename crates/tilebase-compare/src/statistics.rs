//! Statistics of samples: quantiles, distributions, and bootstrap intervals.
//!
//! Resamples come from a generator with a fixed seed, so the same sample gives the same interval on
//! every machine.

use serde::Serialize;
use tilebase::sets::Dice;

/// Confidence level of intervals.
pub const CONFIDENCE: f64 = 0.95;
/// Seed of the resamples.
const SEED: u64 = 1;
/// Number of resamples of a small sample.
const RESAMPLES: usize = 10_000;
/// Largest number of draws: large samples have fewer resamples.
const DRAWS_MAX: usize = 100_000_000;
/// Smallest number of resamples.
const RESAMPLES_MIN: usize = 200;

/// Returns the quantile of sorted values at a share from 0 to 1, or `None` without values.
///
/// Interpolates between the two values around the index `(n - 1) * share`. This is type 7 of R. J.
/// Hyndman and Y. Fan, "Sample quantiles in statistical packages", The American Statistician 50,
/// 1996, the default of R and `NumPy`.
pub fn quantile(sorted: &[f64], share: f64) -> Option<f64> {
    let last = sorted.len().checked_sub(1)?;
    let place = last as f64 * share.clamp(0.0, 1.0);
    let below = place.floor() as usize;
    let above = (below + 1).min(last);
    Some(sorted[below] + (place - below as f64) * (sorted[above] - sorted[below]))
}

/// Distribution of values: mean, standard deviation and the five numbers of a box plot.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Spread {
    /// Number of values, at least one.
    pub count: usize,
    /// Arithmetic mean.
    pub mean: f64,
    /// Standard deviation of the sample, with the divisor n - 1. `None` for a single value.
    pub sd: Option<f64>,
    /// Smallest value.
    pub min: f64,
    /// First quartile: see [`quantile`].
    pub q1: f64,
    /// Median.
    pub median: f64,
    /// Third quartile.
    pub q3: f64,
    /// Largest value.
    pub max: f64,
}

impl Spread {
    /// Returns the distribution of values, or `None` without values.
    pub fn of(values: impl IntoIterator<Item = f64>) -> Option<Self> {
        let mut sorted: Vec<f64> = values.into_iter().collect();
        sorted.sort_unstable_by(f64::total_cmp);
        let (min, max) = (*sorted.first()?, *sorted.last()?);
        let count = sorted.len();
        // Equal values must have no deviation, despite rounding.
        let mean = if min < max { sorted.iter().sum::<f64>() / count as f64 } else { min };
        let squares: f64 = sorted.iter().map(|value| (value - mean).powi(2)).sum();
        Some(Self {
            count,
            mean,
            sd: (count > 1).then(|| (squares / (count - 1) as f64).sqrt()),
            min,
            q1: quantile(&sorted, 0.25)?,
            median: quantile(&sorted, 0.5)?,
            q3: quantile(&sorted, 0.75)?,
            max,
        })
    }
}

/// A statistic with its confidence interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Interval {
    /// Value for the whole sample.
    pub value: f64,
    /// Lower end of the interval. `None` for a sample of one.
    pub low: Option<f64>,
    /// Upper end of the interval.
    pub high: Option<f64>,
}

/// Returns the number of resamples of a sample of `count` members. Large samples have fewer,
/// because their intervals are narrow.
pub fn resamples(count: usize) -> usize {
    (DRAWS_MAX / count.max(1)).clamp(RESAMPLES_MIN, RESAMPLES)
}

/// Returns bootstrap percentile intervals of several statistics of one sample (B. Efron and R. J.
/// Tibshirani, "An introduction to the bootstrap", 1993).
///
/// Draws [`resamples`] samples of `count` members with replacement. The middle [`CONFIDENCE`] of a
/// statistic's values is its interval. `statistics` receives the indices of the drawn members, and
/// returns `None` for an undefined statistic. Such resamples are skipped.
pub fn bootstrap<const N: usize>(
    count: usize,
    statistics: impl Fn(&[usize]) -> [Option<f64>; N],
) -> [Option<Interval>; N] {
    let all: Vec<usize> = (0..count).collect();
    let values = statistics(&all);
    let mut drawn_values: [Vec<f64>; N] = std::array::from_fn(|_| Vec::new());
    if count > 1 {
        let mut dice = Dice::new(SEED);
        let mut drawn = all;
        for _ in 0..resamples(count) {
            for place in &mut drawn {
                *place = dice.below(count);
            }
            for (values, value) in drawn_values.iter_mut().zip(statistics(&drawn)) {
                values.extend(value);
            }
        }
    }
    let mut drawn_values = drawn_values.into_iter();
    values.map(|value| {
        let mut drawn = drawn_values.next().expect("there is a list for each statistic");
        drawn.sort_unstable_by(f64::total_cmp);
        let tail = (1.0 - CONFIDENCE) / 2.0;
        Some(Interval {
            value: value?,
            low: quantile(&drawn, tail),
            high: quantile(&drawn, 1.0 - tail),
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_agree_with_r_and_numpy() {
        // R: quantile(1:10); NumPy: percentile([10, 7, 4, 3, 2, 1], 50).
        let to_ten: Vec<f64> = (1..=10).map(f64::from).collect();
        let quartiles = [0.0, 0.25, 0.5, 0.75, 1.0].map(|share| quantile(&to_ten, share));
        assert_eq!(quartiles, [1.0, 3.25, 5.5, 7.75, 10.0].map(Some));
        assert_eq!(quantile(&[1.0, 2.0, 3.0, 4.0, 7.0, 10.0], 0.5), Some(3.5));
        assert_eq!(quantile(&[], 0.5), None);
        assert_eq!([quantile(&[7.0], 0.25), quantile(&[7.0], 1.0)], [Some(7.0); 2]);
    }

    #[test]
    fn computes_the_sample_standard_deviation() {
        // Mean 5; squares 9, 1, 1, 1, 0, 0, 4 and 16 are 32, over 7.
        let spread = Spread::of([9.0, 2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0]).unwrap();
        assert_eq!((spread.count, spread.mean), (8, 5.0));
        assert!((spread.sd.unwrap() - (32.0f64 / 7.0).sqrt()).abs() < 1e-12);
        let five = [spread.min, spread.q1, spread.median, spread.q3, spread.max];
        assert_eq!(five.map(Some), [2.0, 4.0, 4.5, 5.5, 9.0].map(Some));
    }

    #[test]
    fn distributions_of_few_or_equal_values_are_defined() {
        assert_eq!(Spread::of([]), None);
        let one = Spread::of([3.0]).unwrap();
        assert_eq!((one.count, one.mean, one.sd, one.q1, one.max), (1, 3.0, None, 3.0, 3.0));
        // The sum of three times 0.1 is not 0.3.
        let equal = Spread::of([0.1; 3]).unwrap();
        assert_eq!((equal.mean, equal.sd, equal.min, equal.max), (0.1, Some(0.0), 0.1, 0.1));
    }

    fn mean_of(values: &[f64]) -> impl Fn(&[usize]) -> [Option<f64>; 1] {
        |drawn| [Some(drawn.iter().map(|&place| values[place]).sum::<f64>() / drawn.len() as f64)]
    }

    #[test]
    fn interval_of_a_mean_agrees_with_the_normal_distribution() {
        // 1 to 100: the mean of a resample has the deviation sqrt((100^2 - 1) / 12 / 100) = 2.8866,
        // and 1.96 of it lie on either side of 50.5.
        let values: Vec<f64> = (1..=100).map(f64::from).collect();
        let [interval] = bootstrap(100, mean_of(&values)).map(Option::unwrap);
        assert!((interval.value - 50.5).abs() < 1e-12);
        let (low, high) = (interval.low.unwrap(), interval.high.unwrap());
        assert!((low - 44.84).abs() < 0.25 && (high - 56.16).abs() < 0.25, "{low} to {high}");
        assert_eq!(bootstrap(100, mean_of(&values)), [Some(interval)]);
    }

    #[test]
    fn small_samples_have_no_interval() {
        let interval = |value, low, high| [Some(Interval { value, low, high })];
        assert_eq!(bootstrap(1, mean_of(&[4.0])), interval(4.0, None, None));
        let equal = [4.0; 6];
        assert_eq!(bootstrap(6, mean_of(&equal)), interval(4.0, Some(4.0), Some(4.0)));
        assert_eq!(bootstrap(5, |_| [None]), [None]);
        // Undefined resamples are skipped.
        let [interval] = bootstrap(2, |drawn| [drawn.contains(&0).then_some(1.0)]);
        assert_eq!(interval.unwrap().low, Some(1.0));
        assert_eq!([resamples(100), resamples(1_000_000)], [10_000, 200]);
    }
}
