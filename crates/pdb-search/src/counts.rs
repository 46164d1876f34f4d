//! Counts of nodes.

use std::fmt;

use crate::BoundCount;

/// Nodes generated and expanded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Counts {
    /// Nodes whose estimate was computed.
    pub generated: u64,
    /// Nodes whose children were requested.
    pub expanded: u64,
}

impl Counts {
    /// Returns the sum, which saturates.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self {
            generated: self.generated.saturating_add(other.generated),
            expanded: self.expanded.saturating_add(other.expanded),
        }
    }

    /// Returns the counts as those of a bound.
    pub(crate) fn within(self, bound: u32) -> BoundCount {
        let Self { generated, expanded } = self;
        BoundCount { bound, generated, expanded }
    }
}

impl From<BoundCount> for Counts {
    fn from(BoundCount { generated, expanded, .. }: BoundCount) -> Self {
        Self { generated, expanded }
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} generated and {} expanded nodes", self.generated, self.expanded)
    }
}
