//! Sizes in bytes, for people.

use std::fmt;

/// Size that displays in decimal units: 178.10 MB.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Bytes(pub u64);

impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let units = [(1e12, "TB"), (1e9, "GB"), (1e6, "MB"), (1e3, "kB")];
        let bytes = self.0 as f64;
        match units.into_iter().find(|(unit, _)| bytes >= *unit) {
            Some((unit, name)) => write!(f, "{:.2} {name}", bytes / unit),
            None => write!(f, "{} B", self.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_decimal_units() {
        for (bytes, text) in [
            (0, "0 B"),
            (999, "999 B"),
            (1000, "1.00 kB"),
            (178_100_000, "178.10 MB"),
            (10_920_000_000, "10.92 GB"),
            (u64::MAX, "18446744.07 TB"),
        ] {
            assert_eq!(Bytes(bytes).to_string(), text);
        }
    }
}
