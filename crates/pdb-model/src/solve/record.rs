//! Answers as records for programs.

use pdb_core::notation::{MoveStyle, format_moves};
use serde::Serialize;

use super::{HorizonStatus, Outcome, Status, Stop};

/// The answer to a question as a record.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct SolveRecord {
    /// The board.
    pub board: String,
    /// The goal.
    pub goal: String,
    /// The form of the models: `neos` or `flow`.
    pub form: &'static str,
    /// The solver's name.
    pub solver: String,
    /// `optimal`, `found`, `infeasible`, `limit` or `unsolvable`.
    pub status: &'static str,
    /// The number of moves.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub length: Option<usize>,
    /// The moves.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moves: Option<String>,
    /// Whether the solver has proved that no solution has fewer moves.
    pub proved: bool,
    /// A number of moves that every solution has at least.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lower_bound: Option<u32>,
    /// What stopped it: `time`, `interrupt`, `solver` or `size`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<&'static str>,
    /// Why the board cannot be solved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// What came of each horizon.
    pub horizons: Vec<HorizonRecord>,
    /// The time for all of it.
    pub seconds: f64,
    /// Whether a search says the same; nothing where none was made, or none has ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agrees_with_search: Option<bool>,
}

/// What came of one horizon as a record.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct HorizonRecord {
    /// The moves that there was room for.
    pub horizon: u32,
    /// `optimal`, `found`, `infeasible` or `limit`.
    pub status: &'static str,
    /// How many variables the model had.
    pub variables: usize,
    /// How many rows the model had.
    pub rows: usize,
    /// Nodes of branch and bound.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// No solution of the model has a smaller objective.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bound: Option<f64>,
    /// The gap between bound and best solution.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gap: Option<f64>,
    /// How long it took.
    pub seconds: f64,
}

impl SolveRecord {
    /// The record of an answer, with moves written in a style.
    pub fn new(outcome: &Outcome, style: MoveStyle) -> Self {
        let moves = outcome.moves();
        let reason = match &outcome.status {
            Status::Unsolvable(reason) => Some(reason.to_string()),
            _ => None,
        };
        let limit = match outcome.status {
            Status::Limit(stop) => Some(stop.name()),
            _ => None,
        };
        let horizons = outcome.horizons.iter().map(|one| HorizonRecord {
            horizon: one.horizon,
            status: one.status.name(),
            variables: one.variables,
            rows: one.rows,
            nodes: one.progress.nodes,
            bound: one.progress.bound,
            gap: one.progress.gap,
            seconds: one.progress.elapsed.as_secs_f64(),
        });
        Self {
            board: outcome.board.to_string(),
            goal: outcome.goal.board().to_string(),
            form: outcome.form.name(),
            solver: outcome.solver.clone(),
            status: outcome.status.name(),
            length: moves.map(<[_]>::len),
            moves: moves.map(|moves| format_moves(&outcome.board, moves, style)),
            proved: outcome.is_proved(),
            lower_bound: outcome.lower_bound,
            limit,
            reason,
            horizons: horizons.collect(),
            seconds: outcome.elapsed.as_secs_f64(),
            agrees_with_search: None,
        }
    }
}

impl Status {
    /// The word of a record.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Optimal(_) => "optimal",
            Self::Found(_) => "found",
            Self::Infeasible => "infeasible",
            Self::Limit(_) => "limit",
            Self::Unsolvable(_) => "unsolvable",
        }
    }
}

impl Stop {
    /// The word of a record.
    pub fn name(self) -> &'static str {
        match self {
            Self::Time => "time",
            Self::Watcher => "interrupt",
            Self::Solver => "solver",
            Self::Size => "size",
        }
    }
}

impl HorizonStatus {
    /// The word of a record.
    pub fn name(self) -> &'static str {
        match self {
            Self::Optimal => "optimal",
            Self::Found => "found",
            Self::Infeasible => "infeasible",
            Self::Limit => "limit",
        }
    }
}
