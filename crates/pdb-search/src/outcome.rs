//! The outcome of a search.

use std::time::Duration;

use pdb_core::{Direction, Metric, Unsolvable};

use crate::LimitKind;
use crate::progress::BoundCount;

/// Result status of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Status {
    /// The goal was reached in the fewest moves.
    Optimal {
        /// The directions in which the tiles move, from the board to the goal.
        #[cfg_attr(feature = "serde", serde(with = "crate::letters"))]
        moves: Vec<Direction>,
    },
    /// The goal was reached, perhaps in more moves than necessary. A search that proves a solution
    /// to be a shortest one says [`Optimal`](Self::Optimal) instead.
    Solved {
        /// The directions in which the tiles move, from the board to the goal.
        #[cfg_attr(feature = "serde", serde(with = "crate::letters"))]
        moves: Vec<Direction>,
        /// Every solution has at least this many moves. The solution that was found has more, or
        /// just as many if the estimates may be too large.
        lower_bound: u32,
        /// The limit that ended the search for a proof, if one did.
        limit: Option<LimitKind>,
    },
    /// Parity excludes every sequence of moves to the goal; nothing was searched.
    #[cfg_attr(feature = "serde", serde(skip))]
    Unsolvable(Unsolvable),
    /// A limit ended the search.
    Limit {
        /// The limit.
        kind: LimitKind,
        /// Every solution has at least this many moves.
        lower_bound: u32,
    },
    /// The [packets](crate::packets) of a shard are done, and hold no solution.
    ShardDone {
        /// Every solution has at least this many moves, according to the shard's own packets.
        lower_bound: u32,
    },
}

impl Status {
    /// Returns the kind of the status.
    pub fn kind(&self) -> StatusKind {
        match self {
            Self::Optimal { .. } => StatusKind::Optimal,
            Self::Solved { .. } => StatusKind::Solved,
            Self::Unsolvable(_) => StatusKind::Unsolvable,
            Self::Limit { .. } => StatusKind::Limit,
            Self::ShardDone { .. } => StatusKind::Shard,
        }
    }

    /// Returns the solution, as directions of the tiles.
    pub fn moves(&self) -> Option<&[Direction]> {
        match self {
            Self::Optimal { moves } | Self::Solved { moves, .. } => Some(moves),
            _ => None,
        }
    }

    /// Returns the proved lower bound of all solutions, of a search in the single-tile metric;
    /// `None` for a board without a solution.
    pub fn lower_bound(&self) -> Option<u32> {
        self.lower_bound_in(Metric::SingleTile)
    }

    /// Returns the same of a search in any metric.
    pub fn lower_bound_in(&self, metric: Metric) -> Option<u32> {
        match self {
            Self::Optimal { moves } => Some(metric.count(moves) as u32),
            Self::Solved { lower_bound, .. }
            | Self::Limit { lower_bound, .. }
            | Self::ShardDone { lower_bound } => Some(*lower_bound),
            Self::Unsolvable(_) => None,
        }
    }

    /// Returns the limit that ended the search.
    pub fn limit(&self) -> Option<LimitKind> {
        match self {
            Self::Limit { kind, .. } => Some(*kind),
            Self::Solved { limit, .. } => *limit,
            _ => None,
        }
    }
}

/// Kind of a [`Status`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StatusKind {
    /// [`Status::Optimal`].
    Optimal,
    /// [`Status::Solved`].
    Solved,
    /// [`Status::Unsolvable`].
    Unsolvable,
    /// [`Status::Limit`].
    Limit,
    /// [`Status::ShardDone`].
    Shard,
}

impl StatusKind {
    /// Returns the name in records and files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Optimal => "optimal",
            Self::Solved => "solved",
            Self::Unsolvable => "unsolvable",
            Self::Limit => "limit",
            Self::Shard => "shard",
        }
    }
}

/// The answer of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Outcome {
    /// The status.
    pub status: Status,
    /// The heuristic's estimate for the board, or the larger one for its [dual](pdb_core::Dual) if
    /// the dual was tried. `None` if parity decided, or without a heuristic.
    pub initial_estimate: Option<u32>,
    /// Nodes generated: those whose estimate was computed, pruned or not.
    pub generated: u64,
    /// Nodes expanded: those whose children were requested, even if a limit or a solution found
    /// elsewhere came before they were generated.
    pub expanded: u64,
    /// Look-ups into tables, without those of the root. On processors with suitable instructions,
    /// some tables are looked up in another way, with more look-ups.
    pub lookups: u64,
    /// The bounds in the order in which they were searched; the last one may be incomplete.
    pub bounds: Vec<BoundCount>,
    /// Peak memory of nodes, hash tables and open lists, in bytes; 0 for a depth-first search,
    /// which keeps none.
    pub memory_bytes: u64,
    /// The time from the call to the answer.
    pub elapsed: Duration,
}

impl Outcome {
    /// Makes the outcome of a search that generated nothing.
    pub fn of(status: Status, elapsed: Duration) -> Self {
        Self {
            status,
            initial_estimate: None,
            generated: 0,
            expanded: 0,
            lookups: 0,
            bounds: Vec::new(),
            memory_bytes: 0,
            elapsed,
        }
    }
}

/// The counts of the bounds of one depth-first search after another.
#[derive(Debug, Default)]
pub(crate) struct BoundCounts {
    pub(crate) bounds: Vec<BoundCount>,
    generated: u64,
    expanded: u64,
}

impl BoundCounts {
    /// Adds a bound, after which so many nodes were generated and expanded in all.
    pub(crate) fn push(&mut self, bound: u32, generated: u64, expanded: u64) {
        let (before, expanded_before) = (self.generated, self.expanded);
        (self.generated, self.expanded) = (generated, expanded);
        let (generated, expanded) = (generated - before, expanded - expanded_before);
        self.bounds.push(BoundCount { bound, generated, expanded });
    }

    /// Makes the outcome of a search that entered so many children.
    pub(crate) fn outcome(
        self,
        status: Status,
        initial_estimate: u32,
        (of_child, entered): ([u32; 2], u64),
        elapsed: Duration,
    ) -> Outcome {
        let Self { bounds, generated, expanded } = self;
        Outcome {
            initial_estimate: Some(initial_estimate),
            generated,
            expanded,
            // The root was not located.
            lookups: lookups(of_child, generated.saturating_sub(1), entered),
            bounds,
            ..Outcome::of(status, elapsed)
        }
    }
}

/// Returns the look-ups of all children, from those of one: the first for each that was located,
/// the second for each that was entered.
pub(crate) fn lookups(of_child: [u32; 2], located: u64, entered: u64) -> u64 {
    let [first, late] = of_child.map(u64::from);
    first * located + late * entered
}
