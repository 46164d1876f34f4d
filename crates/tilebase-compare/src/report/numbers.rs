//! Numbers for people.

/// Cell of a missing value.
pub(super) const NOTHING: &str = "-";

/// Groups digits by three: 1,234,567.
pub(super) fn grouped(number: f64) -> String {
    // Rounds halves up, as charts do.
    tilebase_draw::grouped(format_args!("{:.0}", number.round()))
}

/// Formats a number with a prefix: 4.2 M, 123 k.
pub(super) fn scaled(number: f64) -> String {
    let (divisor, prefix) = match number {
        1e9.. => (1e9, " G"),
        1e6.. => (1e6, " M"),
        1e3.. => (1e3, " k"),
        _ => (1.0, " "),
    };
    let scaled = number / divisor;
    let decimals = usize::from(scaled < 10.0 && divisor > 1.0);
    format!("{scaled:.decimals$}{prefix}")
}

pub(super) fn duration(seconds: f64) -> String {
    match seconds {
        s if s < 1e-3 => format!("{:.1} us", s * 1e6),
        s if s < 1.0 => format!("{:.2} ms", s * 1e3),
        s => format!("{s:.2} s"),
    }
}

pub(super) fn size(bytes: u64) -> String {
    if bytes == 0 { NOTHING.to_owned() } else { format!("{}B", scaled(bytes as f64)) }
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
        assert_eq!([scaled(12.0), scaled(4_200.0)], ["12 ", "4.2 k"]);
        assert_eq!([scaled(163e6), scaled(2.5e9)], ["163 M", "2.5 G"]);
        assert_eq!(
            [duration(12e-6), duration(0.0034), duration(2.0)],
            ["12.0 us", "3.40 ms", "2.00 s"]
        );
        assert_eq!([size(0), size(391_000_000)], ["-", "391 MB"]);
        let factors = [0.0, 0.012_34, 0.5, 1.0, 12.345, 123.4, 2e-9].map(factor);
        assert_eq!(factors, ["0.00", "0.0123", "0.500", "1.00", "12.3", "123", "2.00e-9"]);
    }
}
