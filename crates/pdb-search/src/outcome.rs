//! What a search found out, and what it cost.

use std::time::Duration;

use pdb_core::{Direction, Unsolvable};

use crate::LimitKind;
use crate::progress::BoundCount;

/// How a search ended.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Status {
    /// The goal was reached, and not in one move more than necessary.
    Optimal {
        /// The directions in which the tiles move, from the board to the goal.
        moves: Vec<Direction>,
    },
    /// The goal was reached, perhaps in more moves than necessary; a search that proves that there
    /// are none too many says [`Optimal`](Self::Optimal) instead.
    Solved {
        /// The directions in which the tiles move, from the board to the goal.
        moves: Vec<Direction>,
        /// Every solution has at least this many moves: fewer than were found, or as many by a heuristic
        /// that may be wrong.
        lower_bound: u32,
    },
    /// Parity says that no sequence of moves leads to the goal; nothing was searched.
    Unsolvable(Unsolvable),
    /// A limit ended the search.
    Limit {
        /// Which limit.
        kind: LimitKind,
        /// Every solution has at least this many moves: nothing that could be shorter was left.
        lower_bound: u32,
    },
}

/// The answer of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// How it ended.
    pub status: Status,
    /// The heuristic's estimate for the board, or for its [dual](pdb_core::Dual) where that is looked at and larger;
    /// nothing where parity had answered already, or where
    /// there is no heuristic.
    pub initial_estimate: Option<u32>,
    /// Nodes generated: those whose estimate was asked for, pruned or not.
    pub generated: u64,
    /// Nodes expanded: those whose children were asked for, though a limit or a solution found
    /// elsewhere may have come before they were generated.
    pub expanded: u64,
    /// Look-ups into tables, those of the root left out. Some tables are looked up in another way, with more
    /// look-ups, where the processor has instructions for it.
    pub lookups: u64,
    /// The bounds in the order in which they were searched; the last one may be incomplete.
    pub bounds: Vec<BoundCount>,
    /// The most bytes that nodes, hash tables and open lists had at any time; 0 of a depth-first
    /// search, which keeps none.
    pub memory_bytes: u64,
    /// From the call to the answer.
    pub elapsed: Duration,
}

impl Outcome {
    /// The answer that parity gives, without a search.
    pub(crate) fn unsolvable(reason: Unsolvable, elapsed: Duration) -> Self {
        Self {
            status: Status::Unsolvable(reason),
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

/// The look-ups of so many children that were located, and so many that were entered, from those of
/// one.
pub(crate) fn lookups(of_child: [u32; 2], located: u64, entered: u64) -> u64 {
    let [first, late] = of_child.map(u64::from);
    first * located + late * entered
}
