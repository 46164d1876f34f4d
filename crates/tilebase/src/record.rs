//! Answers as records for programs: the objects of `--format ndjson`.

use std::time::Duration;

use pdb_core::notation::{MoveStyle, format_moves};
use pdb_search::LimitKind;
use serde::Serialize;

use crate::{
    Answer, Board, Checked, Direction, LengthCount, MoveValue, MoveValues, SolutionSet, Status,
    goal_name, goals_of,
};

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
    /// The number of moves of a shortest solution, as tables at hand tell it beside an answer of a learned
    /// heuristic.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub optimum: Option<u32>,
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

/// The value of each move of a board, as an object for programs.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct MovesRecord {
    /// The board.
    pub board: String,
    /// The goal, as a board.
    pub goal: String,
    /// The spec or heuristic that was searched with.
    pub spec: Option<String>,
    /// That of the board: `optimal`, `limit` or `unsolvable`.
    pub status: &'static str,
    /// `false` where the tables were taken as they are; else it is left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tables_checked: Option<bool>,
    /// The fewest moves from the board to the goal.
    pub distance: Option<usize>,
    /// The legal moves, those with the smallest distance first.
    pub moves: Vec<MoveRecord>,
    /// Nodes generated.
    pub generated: u64,
    /// How long it took, in seconds.
    pub seconds: f64,
    /// Every solution has at least so many moves, where the distance is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lower_bound: Option<u32>,
    /// What ended the search before it was done.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<&'static str>,
    /// Why the board is unsolvable.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The goals with names that moves lead to, where they do not lead to this one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub solvable_with: Option<Vec<&'static str>>,
}

/// A move in a [`MovesRecord`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct MoveRecord {
    /// The move.
    #[serde(rename = "move")]
    pub written: String,
    /// The tile that moves.
    pub tile: u8,
    /// The fewest moves to the goal after it.
    pub distance: Option<u32>,
    /// Whether a shortest solution begins with it.
    pub optimal: Option<bool>,
}

impl MovesRecord {
    /// The record of the moves of a board, written in a style.
    pub fn new(values: &MoveValues, style: MoveStyle) -> Self {
        let MoveValues { answer, moves, limit, generated, elapsed } = values;
        let of_board = Record::new(answer, style);
        let record = |value: &MoveValue| MoveRecord {
            written: format_moves(&answer.board, &[value.direction], style),
            tile: value.tile,
            distance: value.distance,
            optimal: value.is_optimal,
        };
        Self {
            board: of_board.board,
            goal: answer.goal.board().to_string(),
            spec: of_board.spec,
            status: of_board.status,
            tables_checked: of_board.tables_checked,
            distance: of_board.length,
            moves: moves.iter().map(record).collect(),
            generated: *generated,
            seconds: rounded(*elapsed),
            lower_bound: of_board.lower_bound,
            limit: limit.map(limit_name),
            reason: of_board.reason,
            solvable_with: of_board.solvable_with,
        }
    }
}

/// One of many solutions of a board, as an object for programs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct SolutionRecord {
    /// The board.
    pub board: String,
    /// The goal, as a board.
    pub goal: String,
    /// The number of moves.
    pub length: usize,
    /// Which solution it is, from 1.
    pub number: u64,
    /// The moves.
    pub moves: String,
}

impl SolutionRecord {
    /// The record of a solution, with its moves written in a style.
    pub fn new(answer: &Answer, number: u64, moves: &[Direction], style: MoveStyle) -> Self {
        Self {
            board: answer.board.to_string(),
            goal: answer.goal.board().to_string(),
            length: moves.len(),
            number,
            moves: format_moves(&answer.board, moves, style),
        }
    }
}

/// The solutions of a board in numbers, as an object for programs. Numbers that may be large are texts.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct SolutionsRecord {
    /// What became of the board itself.
    #[serde(flatten)]
    pub of_board: Record,
    /// The solutions of all lengths together.
    pub solution_count: String,
    /// The solutions of each length.
    pub lengths: Vec<LengthRecord>,
    /// Solutions that were listed.
    pub listed: u64,
    /// Whether all that was asked for is there.
    pub complete: bool,
    /// Nodes whose solutions were known from another way to the same board.
    pub merged: u64,
    /// The most bytes that were used to remember boards.
    pub memory_bytes: u64,
}

/// The solutions of one length in a [`SolutionsRecord`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct LengthRecord {
    /// Their number of moves.
    pub length: u32,
    /// How many were found.
    pub count: String,
    /// Whether these are all of that length.
    pub complete: bool,
}

impl SolutionsRecord {
    /// The record of the solutions of a board.
    pub fn new(set: &SolutionSet, style: MoveStyle) -> Self {
        let record = |of_length: &LengthCount| LengthRecord {
            length: of_length.length,
            count: of_length.count.to_string(),
            complete: of_length.is_complete,
        };
        Self {
            of_board: Record {
                generated: Some(set.generated),
                expanded: Some(set.expanded),
                seconds: Some(rounded(set.elapsed)),
                limit: set.limit.map(limit_name),
                ..Record::new(&set.answer, style)
            },
            solution_count: set.count().to_string(),
            lengths: set.lengths.iter().map(record).collect(),
            listed: set.listed,
            complete: set.is_complete,
            merged: set.merged,
            memory_bytes: set.memory_bytes,
        }
    }
}

/// What is to be said of somebody's moves, as an object for programs.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct CheckRecord {
    /// The board.
    pub board: String,
    /// The goal, as a board.
    pub goal: String,
    /// The spec or heuristic that was searched with.
    pub spec: Option<String>,
    /// That of the board: `optimal` where its optimum is known, `limit` or `unsolvable`.
    pub status: &'static str,
    /// `false` where the tables were taken as they are; else it is left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tables_checked: Option<bool>,
    /// The moves that are legal.
    pub moves: String,
    /// Whether all moves are legal.
    pub legal: bool,
    /// Whether the moves end at the goal.
    pub solves: bool,
    /// The number of legal moves.
    pub length: usize,
    /// The fewest moves that solve the board.
    pub optimum: Option<u32>,
    /// Whether the moves are a shortest solution.
    pub optimal: Option<bool>,
    /// The number of the first move that is on no shortest solution.
    pub leaves_optimum_at: Option<usize>,
    /// The board after the legal moves.
    pub end: String,
    /// What is wrong with the first impossible move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub illegal: Option<String>,
    /// What ended the search before all was known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<&'static str>,
    /// Why the board is unsolvable.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The goals with names that moves lead to, where they do not lead to this one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub solvable_with: Option<Vec<&'static str>>,
}

impl CheckRecord {
    /// The record of moves that were checked, written in a style.
    pub fn new(checked: &Checked, style: MoveStyle) -> Self {
        let answer = &checked.answer;
        let of_board = Record::new(answer, style);
        Self {
            board: of_board.board,
            goal: answer.goal.board().to_string(),
            spec: of_board.spec,
            status: of_board.status,
            tables_checked: of_board.tables_checked,
            moves: format_moves(&answer.board, &checked.moves, style),
            legal: checked.illegal.is_none(),
            solves: checked.solves,
            length: checked.moves.len(),
            optimum: checked.optimum(),
            optimal: checked.is_optimal(),
            leaves_optimum_at: checked.leaves_optimum_at,
            end: checked.end.to_string(),
            illegal: checked.illegal.as_ref().map(ToString::to_string),
            limit: checked.limit.map(limit_name),
            reason: of_board.reason,
            solvable_with: of_board.solvable_with,
        }
    }
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
            optimum: answer.optimum,
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
