//! Answers.

use std::time::Duration;

use pdb_core::{Board, Direction, Goal, Unsolvable};
use pdb_lab::Engine;
use pdb_search::{BoundCount, LimitKind, Outcome, Status};

/// A board that was read.
pub(crate) enum GivenBoard {
    /// The board needs a search.
    Open(Board, Goal),
    /// Parity excludes a solution. No table is opened or built for such a board.
    Unsolvable(Answer),
}

/// Answer to a board: its status, and the cost of the search.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Answer {
    /// The board.
    pub board: Board,
    /// The goal.
    pub goal: Goal,
    /// The spec or heuristic of the search; `None` where no search was needed.
    pub spec: Option<String>,
    /// The result.
    pub status: Status,
    /// `false` if the answer rests on [trusted](crate::Builder::trust_tables) tables, whose digests
    /// were not checked.
    pub is_checked: bool,
    /// Number of moves of a shortest solution, for a search with a learned heuristic, which proves
    /// nothing itself. `None` for other searches, or if existing tables did not prove the number
    /// within the rest of the limits.
    pub optimum: Option<u32>,
    /// The heuristic's estimate for the board.
    pub initial_estimate: Option<u32>,
    /// Nodes generated: those whose estimate was computed, pruned or not.
    pub generated: u64,
    /// Nodes expanded: those whose children were generated.
    pub expanded: u64,
    /// Look-ups into tables, without those of the root.
    pub lookups: u64,
    /// Nodes within each bound, in order.
    pub bounds: Vec<BoundCount>,
    /// Time of the search, without the proof of the [optimum](Self::optimum).
    pub elapsed: Duration,
}

impl Answer {
    pub(crate) fn new(board: &Board, engine: &Engine, outcome: Outcome) -> Self {
        Self {
            board: *board,
            goal: *engine.goal(),
            spec: Some(engine.name().to_owned()),
            status: outcome.status,
            is_checked: !engine.is_trusted(),
            optimum: None,
            initial_estimate: outcome.initial_estimate,
            generated: outcome.generated,
            expanded: outcome.expanded,
            lookups: outcome.lookups,
            bounds: outcome.bounds,
            elapsed: outcome.elapsed,
        }
    }

    /// Makes the answer of a board that parity excludes. It takes no time worth a measurement.
    pub(crate) fn unsolvable(board: &Board, goal: &Goal, reason: Unsolvable) -> Self {
        Self {
            board: *board,
            goal: *goal,
            spec: None,
            status: Status::Unsolvable(reason),
            is_checked: true,
            optimum: None,
            initial_estimate: None,
            generated: 0,
            expanded: 0,
            lookups: 0,
            bounds: Vec::new(),
            elapsed: Duration::ZERO,
        }
    }

    /// Returns the solution, as directions of the tiles.
    pub fn moves(&self) -> Option<&[Direction]> {
        self.status.moves()
    }

    /// Returns the number of moves of the solution.
    pub fn length(&self) -> Option<usize> {
        self.moves().map(<[Direction]>::len)
    }

    /// Returns the proved lower bound of all solutions; `None` for a board without a solution.
    pub fn lower_bound(&self) -> Option<u32> {
        self.status.lower_bound()
    }

    /// Returns the limit that ended the search.
    pub fn limit(&self) -> Option<LimitKind> {
        self.status.limit()
    }

    /// Returns whether the board was solved, or its shard finished.
    pub fn is_good(&self) -> bool {
        !matches!(self.status, Status::Unsolvable(_) | Status::Limit { .. })
    }
}
