//! Numbers for people.

use pdb_core::numbers;

/// Cell of a missing value.
pub(crate) const NOTHING: &str = "-";

/// Groups digits by three: 1,234,567.
pub(crate) fn grouped(number: f64) -> String {
    numbers::grouped(format_args!("{:.0}", number.round()))
}

/// Formats a quantity with three digits, a prefix and the unit, which may be empty: 801 µs, 4.97
/// ms, 13.9 k.
pub(crate) fn quantity(value: f64, unit: &str) -> String {
    let (scaled, prefix) = scaled(value, unit);
    let decimals = match scaled {
        // Whole numbers below 1000 are exact.
        v if prefix.is_empty() && v.fract() < 1e-6 => 0,
        ..10.0 => 2,
        ..100.0 => 1,
        _ => 0,
    };
    format!("{scaled:.decimals$} {prefix}{unit}").trim_end().to_owned()
}

/// Formats a round quantity without trailing zeros: 10 µs, 0.5, 2 k.
pub(crate) fn round(value: f64, unit: &str) -> String {
    let (scaled, prefix) = scaled(value, unit);
    let number = format!("{scaled:.3}");
    let number = number.trim_end_matches('0').trim_end_matches('.');
    let number = if number == "-0" { "0" } else { number };
    format!("{number} {prefix}{unit}").trim_end().to_owned()
}

/// Returns a number below 1000 and the prefix of its unit. Numbers without unit have no prefix of
/// small quantities.
fn scaled(value: f64, unit: &str) -> (f64, &'static str) {
    // Tolerates rounding errors of powers of ten.
    let around = value * (1.0 + 1e-9);
    match around {
        v if v >= 1e9 => (around / 1e9, "G"),
        v if v >= 1e6 => (around / 1e6, "M"),
        v if v >= 1e3 => (around / 1e3, "k"),
        v if v >= 1.0 || v <= 0.0 || unit.is_empty() => (around, ""),
        v if v >= 1e-3 => (around * 1e3, "m"),
        _ => (around * 1e6, "µ"),
    }
}

pub(crate) fn duration(seconds: f64) -> String {
    quantity(seconds, "s")
}

pub(crate) fn size(bytes: u64) -> String {
    if bytes == 0 { NOTHING.to_owned() } else { quantity(bytes as f64, "B") }
}

/// Formats a factor with three digits: 0.0123, 1.23, 123.
pub(crate) fn factor(factor: f64) -> String {
    // Uses exponents for extreme factors.
    if factor != 0.0 && !(1e-6..1e6).contains(&factor) {
        return format!("{factor:.2e}");
    }
    let before = if factor > 0.0 { factor.log10().floor() as i32 } else { 0 };
    let decimals = (2 - before).clamp(0, 9) as usize;
    format!("{factor:.decimals$}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_have_their_prefixes() {
        let times = [2.5e-7, 801.4e-6, 0.004_97, 0.1, 3.0].map(|time| quantity(time, "s"));
        assert_eq!(times, ["0.25 µs", "801 µs", "4.97 ms", "100 ms", "3 s"]);
        let counts = [0.0, 466.0, 46.21, 1514.0, 13_935.0].map(|count| quantity(count, ""));
        assert_eq!(counts, ["0", "466", "46.2", "1.51 k", "13.9 k"]);
        let labels = [-0.0, 0.2, 5.0, 2000.0].map(|label| round(label, ""));
        assert_eq!(labels, ["0", "0.2", "5", "2 k"]);
    }

    #[test]
    fn formats_numbers() {
        assert_eq!(grouped(0.4), "0");
        assert_eq!([grouped(999.0), grouped(586.5)], ["999", "587"]);
        assert_eq!(grouped(401_189_630.2), "401,189,630");
        assert_eq!(
            [duration(12e-6), duration(0.0034), duration(2.0)],
            ["12.0 µs", "3.40 ms", "2 s"]
        );
        assert_eq!([size(0), size(12), size(4_200)], ["-", "12 B", "4.20 kB"]);
        assert_eq!([size(391_000_000), size(2_500_000_000)], ["391 MB", "2.50 GB"]);
        let factors = [0.0, 0.012_34, 0.5, 1.0, 12.345, 123.4, 2e-9].map(factor);
        assert_eq!(factors, ["0.00", "0.0123", "0.500", "1.00", "12.3", "123", "2.00e-9"]);
    }
}
