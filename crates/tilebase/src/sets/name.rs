//! Names of sets of boards, which define how the boards are made.

use std::fmt;
use std::str::FromStr;

use pdb_core::{Goal, Shape};

use crate::error::Error;
use crate::handle::Tilebase;
use crate::names::GoalChoice;

/// Largest number of boards in a set.
pub const BOARDS_MAX: usize = 1_000_000;
/// Largest number of steps of a walk. Boards are well mixed long before.
pub const STEPS_MAX: usize = 1_000_000;

/// Expected forms of names.
const FORMS: &str = "expected random:N:SEED, walk:STEPS:N:SEED, optimum:LO..HI:N:SEED, hardest, korf100 or \
    korf50, as in random:100:1";

/// Range of optimal lengths in moves, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Window {
    first: u32,
    last: u32,
}

impl Window {
    /// Creates the window from `first` to `last`; `None` if it would be empty.
    pub fn new(first: u32, last: u32) -> Option<Self> {
        (first <= last).then_some(Self { first, last })
    }

    /// Returns the smallest length.
    pub fn first(self) -> u32 {
        self.first
    }

    /// Returns the largest length.
    pub fn last(self) -> u32 {
        self.last
    }

    /// Returns whether a length is in the window.
    pub fn contains(self, length: u32) -> bool {
        (self.first..=self.last).contains(&length)
    }
}

/// Writes `20..25`, or `22` for a single length.
impl fmt::Display for Window {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.first == self.last {
            write!(f, "{}", self.first)
        } else {
            write!(f, "{}..{}", self.first, self.last)
        }
    }
}

/// Reads `20..25`, `20-25` or `22`.
impl FromStr for Window {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let ends = text.split_once("..").or_else(|| text.split_once('-')).unwrap_or((text, text));
        let window = number(ends.0.trim()).zip(number(ends.1.trim()));
        window
            .and_then(|(first, last)| Self::new(first, last))
            .ok_or_else(|| Error::Lengths { found: text.to_owned() })
    }
}

/// Name of a set of boards, which reads and displays as a text. The same name gives the same boards
/// on every machine.
///
/// ```
/// use tilebase::sets::SetName;
///
/// let name: SetName = "optimum:20-25:100:1".parse()?;
/// assert_eq!(name.to_string(), "optimum:20..25:100:1");
/// # Ok::<(), tilebase::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SetName {
    /// `korf100`: R. E. Korf's hundred random boards of the 15-puzzle (1985).
    Korf100,
    /// `korf50`: R. E. Korf's fifty random boards of the 24-puzzle (1996, 2002).
    Korf50,
    /// `hardest`: all boards at the greatest distance from the goal, if they are known.
    Hardest,
    /// `random:N:SEED`: boards drawn evenly from all solvable boards.
    Random {
        /// Number of boards.
        count: usize,
        /// The seed.
        seed: u64,
    },
    /// `walk:STEPS:N:SEED`: boards at the end of random walks of `STEPS` moves from the goal, in
    /// which no move takes back the one before.
    Walk {
        /// Number of moves of each walk.
        steps: usize,
        /// Number of boards.
        count: usize,
        /// The seed.
        seed: u64,
    },
    /// `optimum:LO..HI:N:SEED`: boards whose optimal length lies in a window.
    Optimum {
        /// The lengths.
        window: Window,
        /// Number of boards.
        count: usize,
        /// The seed.
        seed: u64,
    },
}

/// Reads a number that consists of digits only.
fn number<T: FromStr>(text: &str) -> Option<T> {
    let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| is_number)
}

impl SetName {
    /// Returns whether a text is meant as a set, though it may be wrong.
    pub fn is_name(text: &str) -> bool {
        let first = text.trim().split(':').next().unwrap_or_default();
        ["korf100", "korf50", "hardest", "random", "walk", "optimum"].contains(&first)
    }

    /// Returns the goal of a set that has a goal of its own.
    pub fn goal(&self) -> Option<Goal> {
        let side = match self {
            Self::Korf100 => 4,
            Self::Korf50 => 5,
            _ => return None,
        };
        Some(Goal::blank_first(Shape::new(side, side).expect("a square is a shape")))
    }

    /// Returns the goal of the boards: the set's own, or else that of a choice or of the tables.
    /// The shape is that of `shape`, the choice or the tables, or else 4x4.
    ///
    /// # Errors
    /// [`Error::Board`] when the choice or the tables have another shape.
    pub fn goal_for(
        &self,
        shape: Option<Shape>,
        choice: Option<GoalChoice>,
        tables: &Tilebase,
    ) -> Result<Goal, Error> {
        if let Some(own) = self.goal() {
            return Ok(own);
        }
        let drawn = choice.as_ref().and_then(GoalChoice::shape);
        let shape = shape.or(drawn).or(tables.shape()).unwrap_or_default();
        Ok(choice.map_or_else(|| tables.goal(shape), |choice| choice.goal(shape))?)
    }

    /// Returns the number of boards, if the name determines it.
    pub fn count(&self) -> Option<usize> {
        match *self {
            Self::Korf100 => Some(100),
            Self::Korf50 => Some(50),
            Self::Hardest => None,
            Self::Random { count, .. } | Self::Walk { count, .. } | Self::Optimum { count, .. } => {
                Some(count)
            }
        }
    }

    /// Reads the parts between the colons.
    fn of_parts(parts: &[&str]) -> Option<Self> {
        Some(match *parts {
            ["korf100"] => Self::Korf100,
            ["korf50"] => Self::Korf50,
            ["hardest"] => Self::Hardest,
            ["random", count, seed] => Self::Random { count: number(count)?, seed: number(seed)? },
            ["walk", steps, count, seed] => {
                Self::Walk { steps: number(steps)?, count: number(count)?, seed: number(seed)? }
            }
            ["optimum", window, count, seed] => Self::Optimum {
                window: window.parse().ok()?,
                count: number(count)?,
                seed: number(seed)?,
            },
            _ => return None,
        })
    }

    /// Returns the set if its numbers are in range.
    ///
    /// # Errors
    /// [`Error::Set`] when the set has no boards, too many boards or too many steps.
    pub fn checked(self) -> Result<Self, Error> {
        let expected = |expected| Error::Set { found: self.to_string(), expected };
        if !self.count().is_none_or(|count| (1..=BOARDS_MAX).contains(&count)) {
            return Err(expected("expected 1 to 1000000 boards"));
        }
        if matches!(self, Self::Walk { steps, .. } if steps > STEPS_MAX) {
            return Err(expected("expected at most 1000000 steps"));
        }
        Ok(self)
    }
}

impl fmt::Display for SetName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Korf100 => f.write_str("korf100"),
            Self::Korf50 => f.write_str("korf50"),
            Self::Hardest => f.write_str("hardest"),
            Self::Random { count, seed } => write!(f, "random:{count}:{seed}"),
            Self::Walk { steps, count, seed } => write!(f, "walk:{steps}:{count}:{seed}"),
            Self::Optimum { window, count, seed } => write!(f, "optimum:{window}:{count}:{seed}"),
        }
    }
}

impl FromStr for SetName {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let text = text.trim();
        let parts: Vec<&str> = text.split(':').collect();
        let name = Self::of_parts(&parts);
        let name = name.ok_or_else(|| Error::Set { found: text.to_owned(), expected: FORMS })?;
        name.checked()
    }
}
