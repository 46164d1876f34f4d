//! Means, intervals and quantiles.

use serde::Serialize;

/// Number of standard deviations around the mean that contain 95 % of the normal distribution.
const DEVIATIONS: f64 = 1.959_963_985;

/// Mean estimated from a sample, with its 95 % confidence interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Interval {
    /// The mean.
    pub mean: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// Its upper end.
    pub high: f64,
}

impl Interval {
    /// Returns the mean of independent values, by the normal approximation. A single value has no
    /// interval.
    pub fn of_mean(values: impl Iterator<Item = f64> + Clone) -> Self {
        let count = values.clone().count() as f64;
        let mean = values.clone().sum::<f64>() / count;
        let variance = values.map(|value| (value - mean).powi(2)).sum::<f64>() / (count - 1.0);
        let deviation = (variance / count).sqrt();
        let half = if deviation.is_finite() { DEVIATIONS * deviation } else { 0.0 };
        Self { mean, low: mean - half, high: mean + half }
    }

    /// Returns the interval shifted by `more`.
    pub(crate) fn plus(self, more: f64) -> Self {
        Self { mean: self.mean + more, low: self.low + more, high: self.high + more }
    }
}
