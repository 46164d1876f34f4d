//! Answers.

use std::time::Duration;

use pdb_core::{Board, Direction, Goal, Unsolvable};
use pdb_lab::Engine;
use pdb_search::{BoundCount, LimitKind, Outcome};
use serde::Serialize;

/// Result of the search of a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Status {
    /// A shortest solution.
    Optimal {
        /// The directions in which the tiles move.
        moves: Vec<Direction>,
    },
    /// A solution that is not proved to be a shortest one.
    Solved {
        /// The directions in which the tiles move.
        moves: Vec<Direction>,
        /// No solution has fewer moves than this.
        lower_bound: u32,
    },
    /// No moves lead to the goal.
    Unsolvable(Unsolvable),
    /// A limit ended the search.
    Limit {
        /// The limit.
        kind: LimitKind,
        /// No solution has fewer moves than this.
        lower_bound: u32,
    },
    /// The packets of a shard are done, and hold no solution.
    ShardDone {
        /// No solution has fewer moves than this, according to the shard's own checkpoint.
        lower_bound: u32,
    },
}

impl From<pdb_search::Status> for Status {
    fn from(status: pdb_search::Status) -> Self {
        match status {
            pdb_search::Status::Optimal { moves } => Self::Optimal { moves },
            pdb_search::Status::Solved { moves, lower_bound } => {
                Self::Solved { moves, lower_bound }
            }
            pdb_search::Status::Unsolvable(reason) => Self::Unsolvable(reason),
            pdb_search::Status::Limit { kind, lower_bound } => Self::Limit { kind, lower_bound },
        }
    }
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

    /// Returns the proved lower bound of all solutions; `None` for a board without a solution.
    pub fn lower_bound(&self) -> Option<u32> {
        match self {
            Self::Optimal { moves } => Some(moves.len() as u32),
            Self::Solved { lower_bound, .. }
            | Self::Limit { lower_bound, .. }
            | Self::ShardDone { lower_bound } => Some(*lower_bound),
            Self::Unsolvable(_) => None,
        }
    }
}

/// Kind of a [`Status`], as records name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
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
            status: outcome.status.into(),
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

    pub(crate) fn unsolvable(
        board: &Board,
        goal: &Goal,
        reason: Unsolvable,
        elapsed: Duration,
    ) -> Self {
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
            elapsed,
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
        match self.status {
            Status::Limit { kind, .. } => Some(kind),
            _ => None,
        }
    }

    /// Returns whether the board was solved, or its shard finished.
    pub fn is_good(&self) -> bool {
        !matches!(self.status, Status::Unsolvable(_) | Status::Limit { .. })
    }
}
