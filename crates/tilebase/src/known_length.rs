//! Words for the length of a solution, by what is proved of it.

use std::fmt;

use pdb_core::Metric;

/// Length of a board's shortest solutions, as far as it is known.
///
/// Every text for people takes its words for a length from here. So no text calls a solution a
/// shortest one that is not proved to be one, and each names both bounds.
///
/// ```
/// use tilebase::KnownLength;
///
/// let unproved = KnownLength { length: Some(124), lower_bound: 94, ..KnownLength::default() };
/// assert_eq!(unproved.to_string(), "124 moves (not proved: at least 94 are needed)");
/// assert_eq!(unproved.range(), "94 to 124 moves");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct KnownLength {
    /// Metric of lengths and bounds.
    pub metric: Metric,
    /// Length of the solution at hand.
    pub length: Option<u32>,
    /// Every solution has at least this many moves.
    pub lower_bound: u32,
    /// Length of a shortest solution that another search proved, which has not found its moves.
    pub optimum: Option<u32>,
}

impl KnownLength {
    /// Returns whether the solution at hand is proved to be a shortest one.
    pub fn is_proved(&self) -> bool {
        self.length.is_some_and(|length| length <= self.optimum.unwrap_or(self.lower_bound))
    }

    /// Returns the length of a shortest solution: `80`, `94 to 124`, `at least 94`.
    pub fn numbers(&self) -> String {
        let bound = self.optimum.unwrap_or(self.lower_bound);
        match self.optimum.or(self.length) {
            Some(length) if length <= bound => length.to_string(),
            Some(length) => format!("{bound} to {length}"),
            None => format!("at least {bound}"),
        }
    }

    /// Returns the same with its word: `80 moves`, `94 to 124 moves`, `at least 94 moves`.
    pub fn range(&self) -> String {
        let last = self.optimum.or(self.length).unwrap_or(self.lower_bound);
        format!("{} {}", self.numbers(), word(self.metric, last as usize))
    }
}

/// Returns a number of moves with their word: `1 move`, `80 moves`, `20 slides`.
pub fn counted(metric: Metric, count: usize) -> String {
    format!("{count} {}", word(metric, count))
}

fn word(metric: Metric, count: usize) -> String {
    format!("{}{}", metric.noun(), if count == 1 { "" } else { "s" })
}

/// The length of the solution at hand, and what is proved of it; or the lower bound.
impl fmt::Display for KnownLength {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let verb = |moves: u32| if moves == 1 { "is" } else { "are" };
        let Some(length) = self.length else {
            return write!(f, "{} {} needed", self.range(), verb(self.lower_bound));
        };
        f.write_str(&counted(self.metric, length as usize))?;
        match self.optimum {
            _ if self.is_proved() => Ok(()),
            Some(optimum) => write!(f, " (not a shortest solution, which has {optimum})"),
            None => {
                let bound = self.lower_bound;
                write!(f, " (not proved: at least {bound} {} needed)", verb(bound))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_claim_what_is_proved() {
        let known = |length, lower_bound, optimum| {
            let metric = Metric::SingleTile;
            KnownLength { metric, length, lower_bound, optimum }
        };
        for (known, text, range) in [
            (known(Some(80), 80, None), "80 moves", "80 moves"),
            (known(Some(1), 1, None), "1 move", "1 move"),
            (
                known(Some(61), 59, Some(59)),
                "61 moves (not a shortest solution, which has 59)",
                "59 moves",
            ),
            (known(Some(59), 50, Some(59)), "59 moves", "59 moves"),
            (known(Some(3), 1, None), "3 moves (not proved: at least 1 is needed)", "1 to 3 moves"),
            (known(None, 94, None), "at least 94 moves are needed", "at least 94 moves"),
            (known(None, 1, None), "at least 1 move is needed", "at least 1 move"),
        ] {
            assert_eq!((known.to_string().as_str(), known.range().as_str()), (text, range));
            let is_exact = !text.contains("not") && known.length.is_some();
            assert_eq!(known.is_proved(), is_exact, "{text}");
        }
        let slides = KnownLength { metric: Metric::MultiTile, ..known(Some(20), 18, None) };
        assert_eq!(slides.to_string(), "20 slides (not proved: at least 18 are needed)");
    }
}
