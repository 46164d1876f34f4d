//! Axes: positions of numbers, and labels.

use crate::numbers;

/// Unit of an axis, which determines the format of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unit {
    /// Nodes, with prefixes: 12 k.
    Count,
    /// Seconds, with prefixes: 12 ms.
    Seconds,
    /// Bytes, with prefixes: 12 MB.
    Bytes,
    /// Whole moves.
    Moves,
}

impl Unit {
    fn symbol(self) -> &'static str {
        match self {
            Self::Count | Self::Moves => "",
            Self::Seconds => "s",
            Self::Bytes => "B",
        }
    }
}

/// An axis from `from` to `to` on the sheet.
#[derive(Clone, Copy, Debug)]
pub(super) struct Axis {
    pub(super) low: f64,
    pub(super) high: f64,
    is_logarithmic: bool,
    unit: Unit,
    from: f64,
    to: f64,
}

impl Axis {
    /// Creates an axis with room for all values, or `None` without values. A logarithmic axis
    /// ignores values that are not positive.
    pub(super) fn around(
        values: impl Iterator<Item = f64>,
        unit: Unit,
        is_logarithmic: bool,
    ) -> Option<Self> {
        let (low, high) = values
            .filter(|value| value.is_finite() && (!is_logarithmic || *value > 0.0))
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
                (low.min(value), high.max(value))
            });
        if low > high {
            return None;
        }
        let (low, high) = if is_logarithmic {
            // Tolerates rounding errors of powers of ten.
            let low = (low.log10() + 1e-9).floor();
            let high = (high.log10() - 1e-9).ceil();
            (10f64.powf(low), 10f64.powf(if high > low { high } else { low + 1.0 }))
        } else {
            let step = step(low, high);
            let (low, high) = ((low / step).floor() * step, (high / step).ceil() * step);
            (low, if high > low { high } else { low + step })
        };
        Some(Self { low, high, is_logarithmic, unit, from: 0.0, to: 1.0 })
    }

    /// Places the axis between two positions.
    pub(super) fn between(self, from: f64, to: f64) -> Self {
        Self { from, to, ..self }
    }

    /// Returns the position of a number.
    pub(super) fn place(&self, value: f64) -> f64 {
        let value = value.clamp(self.low, self.high);
        let share = if self.is_logarithmic {
            (value.log10() - self.low.log10()) / (self.high.log10() - self.low.log10())
        } else {
            (value - self.low) / (self.high - self.low)
        };
        self.from + share * (self.to - self.from)
    }

    /// Returns about ten numbers for labels.
    pub(super) fn ticks(&self) -> Vec<f64> {
        if !self.is_logarithmic {
            let step = step(self.low, self.high);
            let count = ((self.high - self.low) / step).round() as u32;
            return (0..=count).map(|number| self.low + f64::from(number) * step).collect();
        }
        let (low, high) = (self.low.log10().round() as i32, self.high.log10().round() as i32);
        let stride = 1 + (high - low) / 12;
        // Adds numbers between few powers of ten.
        let factors: &[f64] = match high - low {
            ..=1 => &[1.0, 2.0, 3.0, 5.0],
            2..=3 => &[1.0, 3.0],
            _ => &[1.0],
        };
        let power = |power: i32| factors.iter().map(move |factor| factor * 10f64.powi(power));
        let ticks = (low..=high).step_by(stride as usize).flat_map(power);
        ticks.filter(|tick| *tick <= self.high * (1.0 + 1e-9)).collect()
    }

    /// Formats the label of a number, without trailing zeros.
    pub(super) fn label(&self, value: f64) -> String {
        numbers::round(value, self.unit.symbol())
    }

    /// Formats a number with three digits.
    pub(super) fn number(&self, value: f64) -> String {
        numbers::quantity(value, self.unit.symbol())
    }
}

/// Returns the step between labels: 1, 2 or 5 times a power of ten.
fn step(low: f64, high: f64) -> f64 {
    let rough = (high - low).max(1e-9) / 8.0;
    let power = 10f64.powf(rough.log10().floor());
    let factor = [1.0, 2.0, 5.0].into_iter().find(|factor| factor * power >= rough);
    factor.unwrap_or(10.0) * power
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(values: [f64; 2], unit: Unit, is_logarithmic: bool) -> Vec<String> {
        let axis = Axis::around(values.into_iter(), unit, is_logarithmic).unwrap();
        axis.ticks().into_iter().map(|tick| axis.label(tick)).collect()
    }

    #[test]
    fn axes_have_round_labels() {
        assert_eq!(
            labels([3.0, 31.0], Unit::Moves, false),
            ["0", "5", "10", "15", "20", "25", "30", "35"]
        );
        assert_eq!(labels([7.0, 7.0], Unit::Moves, false).len(), 2);
        assert_eq!(
            labels([20.0, 40_000.0], Unit::Count, true),
            ["10", "100", "1 k", "10 k", "100 k"]
        );
        assert_eq!(
            labels([0.002, 0.005], Unit::Seconds, true),
            ["1 ms", "2 ms", "3 ms", "5 ms", "10 ms"]
        );
        assert_eq!(
            labels([1e-5, 0.01], Unit::Seconds, true),
            ["10 µs", "30 µs", "100 µs", "300 µs", "1 ms", "3 ms", "10 ms"]
        );
        let many = labels([1e-6, 1e9], Unit::Count, true);
        assert!(many.len() < 12, "{many:?}");
    }

    #[test]
    fn numbers_out_of_range_stay_on_the_axis() {
        let axis = Axis::around([0.0, 5.0, 50.0].into_iter(), Unit::Count, true).unwrap();
        let axis = axis.between(100.0, 200.0);
        let places = [0.0, 1.0, 1e9].map(|value| axis.place(value).to_string());
        assert_eq!(places, ["100", "100", "200"]);
        assert!((axis.place(10.0) - 150.0).abs() < 1e-9);
        assert!(Axis::around([0.0, f64::NAN].into_iter(), Unit::Count, true).is_none());
        assert!(Axis::around(std::iter::empty(), Unit::Moves, false).is_none());
    }
}
