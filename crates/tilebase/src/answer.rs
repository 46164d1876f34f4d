//! Answers.

use std::time::Duration;

use pdb_core::{Board, Direction, Goal, Unsolvable};
use pdb_lab::Engine;
use pdb_search::{BoundCount, LimitKind, Outcome};

/// How the search of a board ended.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Status {
    /// These moves lead to the goal, and no fewer do.
    Optimal {
        /// The directions in which the tiles move.
        moves: Vec<Direction>,
    },
    /// These moves lead to the goal; it is not proved that no fewer do.
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
        /// Which limit.
        kind: LimitKind,
        /// No solution has fewer moves than this.
        lower_bound: u32,
    },
    /// The packets of a shard are done, and the solution was not among them.
    ShardDone {
        /// No solution has fewer moves than this, as far as this shard's checkpoint tells.
        lower_bound: u32,
    },
}

/// What became of a board.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Answer {
    /// The board.
    pub board: Board,
    /// The goal that it was to be solved to.
    pub goal: Goal,
    /// The spec or heuristic that was searched with; nothing where no search was needed.
    pub spec: Option<String>,
    /// How the search ended.
    pub status: Status,
    /// Whether the tables that it rests on were held against their digests; so is an answer that rests on
    /// none. Only [trusted](crate::Builder::trust_tables) tables are not.
    pub is_checked: bool,
    /// The number of moves of a shortest solution, where a learned heuristic guided the search, which proves
    /// nothing, and tables that are there already told it in a moment, within what the search left of its
    /// limits.
    pub optimum: Option<u32>,
    /// The heuristic's estimate for the board.
    pub initial_estimate: Option<u32>,
    /// Nodes generated: those whose estimate was asked for, pruned or not.
    pub generated: u64,
    /// Nodes expanded: those whose children were asked for.
    pub expanded: u64,
    /// Look-ups into tables, those of the root left out.
    pub lookups: u64,
    /// What the search within each bound cost, in order.
    pub bounds: Vec<BoundCount>,
    /// How long the search took, without that of the tables that told the [optimum](Self::optimum).
    pub elapsed: Duration,
}

impl Answer {
    pub(crate) fn new(board: &Board, engine: &Engine, outcome: Outcome) -> Self {
        let status = match outcome.status {
            pdb_search::Status::Optimal { moves } => Status::Optimal { moves },
            pdb_search::Status::Solved { moves, lower_bound } => {
                Status::Solved { moves, lower_bound }
            }
            pdb_search::Status::Unsolvable(reason) => Status::Unsolvable(reason),
            pdb_search::Status::Limit { kind, lower_bound } => Status::Limit { kind, lower_bound },
            _ => unreachable!("a search ends in one of four ways"),
        };
        Self {
            board: *board,
            goal: *engine.goal(),
            spec: Some(engine.name().to_owned()),
            status,
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

    /// The moves that were found, in the directions of the tiles.
    pub fn moves(&self) -> Option<&[Direction]> {
        match &self.status {
            Status::Optimal { moves } | Status::Solved { moves, .. } => Some(moves),
            _ => None,
        }
    }

    /// The number of moves that were found.
    pub fn length(&self) -> Option<usize> {
        self.moves().map(<[Direction]>::len)
    }

    /// No solution has fewer moves than this, as far as the search has proved; nothing where there is
    /// no solution.
    pub fn lower_bound(&self) -> Option<u32> {
        match &self.status {
            Status::Optimal { moves } => Some(moves.len() as u32),
            Status::Solved { lower_bound, .. }
            | Status::Limit { lower_bound, .. }
            | Status::ShardDone { lower_bound } => Some(*lower_bound),
            Status::Unsolvable(_) => None,
        }
    }

    /// Whether the board was solved, or its shard done.
    pub fn is_good(&self) -> bool {
        !matches!(self.status, Status::Unsolvable(_) | Status::Limit { .. })
    }
}
