//! Numbers for people.

/// Cell of a missing value.
pub(super) const NOTHING: &str = "-";

/// Groups digits by three: 1,234,567.
pub(super) fn grouped(number: f64) -> String {
    // Rounds halves up, as charts do.
    tilebase_draw::grouped(format_args!("{:.0}", number.round()))
}

pub(super) fn duration(seconds: f64) -> String {
    match seconds {
        s if s < 1e-3 => format!("{:.1} us", s * 1e6),
        s if s < 1.0 => format!("{:.2} ms", s * 1e3),
        s => format!("{s:.2} s"),
    }
}

pub(super) fn size(bytes: u64) -> String {
    if bytes == 0 { NOTHING.to_owned() } else { tilebase_draw::metric(bytes as f64, "B") }
}

/// Formats a factor with three digits: 0.0123, 1.23, 123.
pub(super) fn factor(factor: f64) -> String {
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
    fn formats_numbers() {
        assert_eq!(grouped(0.4), "0");
        assert_eq!([grouped(999.0), grouped(586.5)], ["999", "587"]);
        assert_eq!(grouped(401_189_630.2), "401,189,630");
        assert_eq!(
            [duration(12e-6), duration(0.0034), duration(2.0)],
            ["12.0 us", "3.40 ms", "2.00 s"]
        );
        assert_eq!([size(0), size(12), size(4_200)], ["-", "12 B", "4.2 kB"]);
        assert_eq!([size(391_000_000), size(2_500_000_000)], ["391 MB", "2.5 GB"]);
        let factors = [0.0, 0.012_34, 0.5, 1.0, 12.345, 123.4, 2e-9].map(factor);
        assert_eq!(factors, ["0.00", "0.0123", "0.500", "1.00", "12.3", "123", "2.00e-9"]);
    }
}
