//! Answers as records for programs.

use std::time::Duration;

use pdb_core::notation::{MoveStyle, format_moves};
use serde::Serialize;

use super::solver::seconds;
use super::{Horizon, Outcome, Status, StopReason};

/// An answer as a record.
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
    /// Lower bound of the number of moves.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lower_bound: Option<u32>,
    /// The limit that stopped the solver.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<StopReason>,
    /// Reason why the board cannot be solved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The result of each horizon.
    pub horizons: Vec<Horizon>,
    /// The total time.
    #[serde(serialize_with = "seconds")]
    pub seconds: Duration,
    /// Whether a search confirms the answer. `None` if no search has finished.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agrees_with_search: Option<bool>,
}

impl SolveRecord {
    /// Creates the record of an answer.
    pub fn new(outcome: &Outcome, style: MoveStyle) -> Self {
        let moves = outcome.moves();
        let (mut limit, mut reason) = (None, None);
        let status = match &outcome.status {
            Status::Optimal(_) => "optimal",
            Status::Found(_) => "found",
            Status::Infeasible => "infeasible",
            Status::Limit(stop) => {
                limit = Some(*stop);
                "limit"
            }
            Status::Unsolvable(why) => {
                reason = Some(why.to_string());
                "unsolvable"
            }
        };
        Self {
            board: outcome.board.to_string(),
            goal: outcome.goal.board().to_string(),
            form: outcome.form.name(),
            solver: outcome.solver.clone(),
            status,
            length: moves.map(<[_]>::len),
            moves: moves.map(|moves| format_moves(&outcome.board, moves, style)),
            proved: outcome.is_proved(),
            lower_bound: outcome.lower_bound,
            limit,
            reason,
            horizons: outcome.horizons.clone(),
            seconds: outcome.elapsed,
            agrees_with_search: None,
        }
    }
}
