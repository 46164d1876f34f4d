//! Answers as records for programs: the objects of `--format ndjson`.

use std::time::Duration;

use pdb_core::notation::{MoveStyle, format_moves};
use pdb_search::LimitKind;
use serde::Serialize;

use crate::{Answer, Board, Status, goal_name, goals_of};

/// What became of a board, as an object for programs. The order of the fields is that of the JSON
/// keys.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Record {
    /// The board, or the text that is none.
    pub board: String,
    /// The goal, as a board.
    pub goal: Option<String>,
    /// The goal's name, or the goal as a board: for a text to read, which does not show the goal.
    #[serde(skip)]
    pub goal_name: Option<String>,
    /// The spec or heuristic that was searched with.
    pub spec: Option<String>,
    /// `optimal`, `solved`, `unsolvable`, `limit`, `shard`, `invalid` or `failed`.
    pub status: &'static str,
    /// `false` where the tables were taken as they are, so that they may be damaged; else it is left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tables_checked: Option<bool>,
    /// The number of moves.
    pub length: Option<usize>,
    /// The moves, as letters.
    pub moves: Option<String>,
    /// The heuristic's estimate for the board.
    pub initial_estimate: Option<u32>,
    /// Nodes generated.
    pub generated: Option<u64>,
    /// Nodes expanded.
    pub expanded: Option<u64>,
    /// How long the search took, in seconds.
    pub seconds: Option<f64>,
    /// Every solution has at least so many moves.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lower_bound: Option<u32>,
    /// What ended the search before it was done: `time`, `nodes`, `memory` or `interrupt`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<&'static str>,
    /// Why a board is unsolvable.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The goals with names that moves lead to, where they do not lead to this one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub solvable_with: Option<Vec<&'static str>>,
    /// What is wrong with an invalid text, or why there is nothing to search with.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// Seconds to the microsecond, which is as much as a clock is good for.
fn rounded(time: Duration) -> f64 {
    (time.as_secs_f64() * 1e6).round() / 1e6
}

fn limit_name(limit: LimitKind) -> &'static str {
    match limit {
        LimitKind::Time => "time",
        LimitKind::Nodes => "nodes",
        LimitKind::Memory => "memory",
        _ => "interrupt",
    }
}

impl Record {
    /// The record of an answer, with its moves written in a style.
    pub fn new(answer: &Answer, style: MoveStyle) -> Self {
        let searched = Self {
            board: answer.board.to_string(),
            goal: Some(answer.goal.board().to_string()),
            goal_name: Some(goal_name(&answer.goal)),
            spec: answer.spec.clone(),
            tables_checked: (!answer.is_checked).then_some(false),
            length: answer.length(),
            moves: answer.moves().map(|moves| format_moves(&answer.board, moves, style)),
            initial_estimate: answer.initial_estimate,
            generated: Some(answer.generated),
            expanded: Some(answer.expanded),
            seconds: Some(rounded(answer.elapsed)),
            lower_bound: answer.lower_bound(),
            ..Self::default()
        };
        match &answer.status {
            // The length says it.
            Status::Optimal { .. } => Self { status: "optimal", lower_bound: None, ..searched },
            Status::Solved { .. } => Self { status: "solved", ..searched },
            Status::Limit { kind, .. } => {
                Self { status: "limit", limit: Some(limit_name(*kind)), ..searched }
            }
            Status::ShardDone { .. } => Self { status: "shard", ..searched },
            Status::Unsolvable(reason) => Self {
                status: "unsolvable",
                reason: Some(reason.to_string()),
                solvable_with: Some(goals_of(&answer.board)),
                ..searched
            },
        }
    }

    /// The record of a board for which there is nothing to search with, and why.
    pub fn failed(board: &Board, problem: String) -> Self {
        let board = board.to_string();
        Self { board, status: "failed", error: Some(problem), ..Self::default() }
    }

    /// The record of a text that is no board, with what is wrong with it.
    pub fn invalid(text: String, problem: String) -> Self {
        Self { board: text, status: "invalid", error: Some(problem), ..Self::default() }
    }
}
