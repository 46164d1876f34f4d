//! The weight of an estimate against a move.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// Largest numerator of a weight in lowest terms.
const NUMERATOR_MAX: u32 = 10_000;

/// The weight of an estimate against a move: a ratio of at least 1.
///
/// It is kept in lowest terms, and searches scale by its denominator, so that all their arithmetic
/// is in whole numbers. It is written as a whole number, as a ratio or as a decimal.
///
/// ```
/// use pdb_search::Weight;
///
/// let weight: Weight = "1.5".parse()?;
/// assert_eq!(weight, Weight::new(3, 2)?);
/// assert_eq!(weight.to_string(), "3/2");
/// # Ok::<(), pdb_search::WeightError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Weight {
    numerator: u32,
    denominator: u32,
}

/// Error of a text or a ratio that is not a weight.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum WeightError {
    /// The text is neither a whole number nor a ratio nor a decimal, or divides by 0.
    #[error(
        "expected a weight such as 2, 3/2 or 1.5, found {found:?}: write a whole number, a ratio of \
         two or a decimal"
    )]
    Syntax {
        /// The text.
        found: String,
    },
    /// The ratio is smaller than 1, so that it bounds no solution.
    #[error(
        "expected a weight of at least 1, found {numerator}/{denominator}: take 1 for shortest \
         solutions, more for quicker searches"
    )]
    BelowOne {
        /// The numerator in lowest terms.
        numerator: u32,
        /// The denominator in lowest terms.
        denominator: u32,
    },
    /// The numerator is too large, even in lowest terms.
    #[error(
        "expected a weight whose numerator is at most {max} in lowest terms, found {found:?}: take \
         a simpler or a smaller ratio"
    )]
    TooLarge {
        /// The text.
        found: String,
        /// The largest numerator.
        max: u32,
    },
}

impl Weight {
    /// Estimates count as much as moves: shortest solutions.
    pub const ONE: Self = Self { numerator: 1, denominator: 1 };

    /// Returns b g + a h for the weight a/b.
    #[inline(always)]
    pub fn weigh(self, made: u32, left: u32) -> u64 {
        u64::from(self.denominator) * u64::from(made) + u64::from(self.numerator) * u64::from(left)
    }

    /// Makes the ratio of two numbers.
    ///
    /// # Errors
    /// [`WeightError`] when it is smaller than 1 or too fine.
    pub fn new(numerator: u32, denominator: u32) -> Result<Self, WeightError> {
        if denominator == 0 {
            return Err(WeightError::Syntax { found: format!("{numerator}/0") });
        }
        let divisor = greatest_common_divisor(numerator, denominator);
        let reduced = Self { numerator: numerator / divisor, denominator: denominator / divisor };
        if reduced.numerator < reduced.denominator {
            let Self { numerator, denominator } = reduced;
            return Err(WeightError::BelowOne { numerator, denominator });
        }
        if reduced.numerator > NUMERATOR_MAX {
            let found = format!("{numerator}/{denominator}");
            return Err(WeightError::TooLarge { found, max: NUMERATOR_MAX });
        }
        Ok(reduced)
    }

    /// Returns the weight of a move of an estimate. A move made has the weight
    /// [`denominator`](Self::denominator).
    pub fn numerator(self) -> u32 {
        self.numerator
    }

    /// Returns the weight of a move made.
    pub fn denominator(self) -> u32 {
        self.denominator
    }
}

impl Default for Weight {
    fn default() -> Self {
        Self::ONE
    }
}

impl FromStr for Weight {
    type Err = WeightError;

    fn from_str(text: &str) -> Result<Self, WeightError> {
        let too_large = || WeightError::TooLarge { found: text.to_owned(), max: NUMERATOR_MAX };
        let number = |digits: &str| {
            if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
                return Err(WeightError::Syntax { found: text.to_owned() });
            }
            digits.parse::<u32>().map_err(|_| too_large())
        };
        if let Some((numerator, denominator)) = text.split_once('/') {
            return Self::new(number(numerator)?, number(denominator)?);
        }
        let Some((whole, decimals)) = text.split_once('.') else {
            return Self::new(number(text)?, 1);
        };
        let (whole, fraction) = (number(whole)?, number(decimals)?);
        let denominator = 10u32.checked_pow(decimals.len() as u32).ok_or_else(too_large)?;
        let numerator = whole.checked_mul(denominator).and_then(|sum| sum.checked_add(fraction));
        Self::new(numerator.ok_or_else(too_large)?, denominator)
    }
}

impl fmt::Display for Weight {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.denominator {
            1 => write!(f, "{}", self.numerator),
            _ => write!(f, "{}/{}", self.numerator, self.denominator),
        }
    }
}

fn greatest_common_divisor(mut a: u32, mut b: u32) -> u32 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}
