//! Answers as objects for programs, as `--format ndjson` prints them. The JSON keys are in the
//! order of the fields.

use std::time::Duration;

use pdb_core::{Board, Direction};
use pdb_search::{LimitKind, Outcome};
use serde::Serialize;

pub use crate::answer::StatusKind;
use crate::answer::{Answer, Status};
use crate::moves::{LengthCount, MoveCheck, MoveValue, MoveValues, SolutionSet};
use crate::names::{goal_name, goals_of};
use crate::text::{MoveStyle, format_moves};

/// First fields of each record: the board and the status of its search.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct RecordHead {
    /// The board, or the text that is not a board.
    pub board: String,
    /// The goal, as a board.
    pub goal: Option<String>,
    /// The goal's name, or the goal as a board: for output that does not show the goal.
    #[serde(skip)]
    pub goal_name: Option<String>,
    /// The spec or heuristic of the search.
    pub spec: Option<String>,
    /// `optimal`, `solved`, `unsolvable`, `limit`, `shard`, `invalid` or `failed`.
    pub status: &'static str,
    /// `false` if the digests of the tables were not checked, so that they may be damaged;
    /// otherwise left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tables_checked: Option<bool>,
}

/// Last fields of each record: why there is no optimum. Empty fields are left out.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct RecordTail {
    /// The limit that ended the search: `time`, `nodes`, `memory` or `interrupt`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<&'static str>,
    /// Why a board is unsolvable.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The named goals that can be reached, if this one cannot.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub solvable_with: Option<Vec<&'static str>>,
}

/// The answer to a board.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Record {
    /// The board and its status.
    #[serde(flatten)]
    pub head: RecordHead,
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
    /// Time of the search, in seconds.
    pub seconds: Option<f64>,
    /// No solution has fewer moves than this.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lower_bound: Option<u32>,
    /// Length of a shortest solution, if a learned heuristic guided the search and existing tables
    /// proved the optimum.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub optimum: Option<u32>,
    /// Why there is no optimum.
    #[serde(flatten)]
    pub tail: RecordTail,
    /// The error of an invalid text, or of a board that nothing can search.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// The value of each move of a board.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct MovesRecord {
    /// The board and its status: `optimal`, `limit` or `unsolvable`.
    #[serde(flatten)]
    pub head: RecordHead,
    /// The fewest moves from the board to the goal.
    pub distance: Option<usize>,
    /// The legal moves, those with the smallest distance first.
    pub moves: Vec<MoveRecord>,
    /// Nodes generated.
    pub generated: u64,
    /// Time of the search, in seconds.
    pub seconds: f64,
    /// No solution has fewer moves than this; left out where the distance is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lower_bound: Option<u32>,
    /// Why a distance is not known.
    #[serde(flatten)]
    pub tail: RecordTail,
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

/// One of many solutions of a board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct SolutionRecord {
    /// The board.
    pub board: String,
    /// The goal, as a board.
    pub goal: String,
    /// The number of moves.
    pub length: usize,
    /// The number of the solution, from 1.
    pub number: u64,
    /// The moves.
    pub moves: String,
}

/// The number of solutions of a board. Numbers that may be large are strings.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct SolutionsRecord {
    /// The answer to the board itself.
    #[serde(flatten)]
    pub of_board: Record,
    /// The number of solutions of all lengths.
    pub solution_count: String,
    /// The number of solutions of each length.
    pub lengths: Vec<LengthRecord>,
    /// Solutions that were listed.
    pub listed: u64,
    /// Whether nothing requested is missing.
    pub complete: bool,
    /// Nodes whose solutions were known from another path to the same board.
    pub merged: u64,
    /// Peak of the memory for boards, in bytes.
    pub memory_bytes: u64,
}

/// The solutions of one length in a [`SolutionsRecord`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct LengthRecord {
    /// Their number of moves.
    pub length: u32,
    /// Number of solutions found.
    pub count: String,
    /// Whether these are all solutions of that length.
    pub complete: bool,
}

/// The check of given moves.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct CheckRecord {
    /// The board and its status: `optimal` where its optimum is known, `limit` or `unsolvable`.
    #[serde(flatten)]
    pub head: RecordHead,
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
    /// The error of the first impossible move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub illegal: Option<String>,
    /// Why the optimum is not known.
    #[serde(flatten)]
    pub tail: RecordTail,
}

/// Total cost of a stream's searches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Totals {
    /// Number of searched boards.
    pub boards: u64,
    /// Nodes generated.
    pub generated: u64,
    /// Look-ups into tables, without those of the roots.
    pub lookups: u64,
    /// Elapsed time from the first board to the last answer of each run, in seconds.
    pub seconds: f64,
}

impl Totals {
    pub(crate) fn add(&mut self, outcome: &Outcome) {
        self.boards += 1;
        self.generated += outcome.generated;
        self.lookups += outcome.lookups;
    }
}

/// Returns the time in seconds, rounded to microseconds.
fn rounded(time: Duration) -> f64 {
    (time.as_secs_f64() * 1e6).round() / 1e6
}

fn limit_name(limit: LimitKind) -> &'static str {
    match limit {
        LimitKind::Time => "time",
        LimitKind::Nodes => "nodes",
        LimitKind::Memory => "memory",
        LimitKind::Interrupted => "interrupt",
    }
}

impl RecordHead {
    fn new(answer: &Answer) -> Self {
        Self {
            board: answer.board.to_string(),
            goal: Some(answer.goal.board().to_string()),
            goal_name: Some(goal_name(&answer.goal)),
            spec: answer.spec.clone(),
            status: answer.status.kind().name(),
            tables_checked: (!answer.is_checked).then_some(false),
        }
    }

    /// Returns the head of a board or text that was not searched.
    fn not_searched(board: String, status: &'static str) -> Self {
        Self { board, status, ..Self::default() }
    }
}

impl RecordTail {
    fn new(answer: &Answer, limit: Option<LimitKind>) -> Self {
        let limit = limit.map(limit_name);
        match &answer.status {
            Status::Unsolvable(reason) => Self {
                limit,
                reason: Some(reason.to_string()),
                solvable_with: Some(goals_of(&answer.board)),
            },
            _ => Self { limit, ..Self::default() },
        }
    }
}

/// Returns the lower bound of an answer, unless the answer's length is the bound.
fn lower_bound(answer: &Answer) -> Option<u32> {
    answer.lower_bound().filter(|_| !matches!(answer.status, Status::Optimal { .. }))
}

impl Record {
    /// Creates the record of an answer, with its moves written in a style.
    pub fn new(answer: &Answer, style: MoveStyle) -> Self {
        Self {
            head: RecordHead::new(answer),
            length: answer.length(),
            moves: answer.moves().map(|moves| format_moves(&answer.board, moves, style)),
            initial_estimate: answer.initial_estimate,
            generated: Some(answer.generated),
            expanded: Some(answer.expanded),
            seconds: Some(rounded(answer.elapsed)),
            lower_bound: lower_bound(answer),
            optimum: answer.optimum,
            tail: RecordTail::new(answer, answer.limit()),
            error: None,
        }
    }

    /// Returns the record as one line of JSON, without a line end.
    pub fn to_json(&self) -> Vec<u8> {
        serde_json::to_vec(self).expect("texts and numbers are JSON")
    }

    /// Creates the record of a board that nothing can search.
    pub fn failed(board: &Board, problem: String) -> Self {
        let head = RecordHead::not_searched(board.to_string(), "failed");
        Self { head, error: Some(problem), ..Self::default() }
    }

    /// Creates the record of a text that is not a board.
    pub fn invalid(text: String, problem: String) -> Self {
        let head = RecordHead::not_searched(text, "invalid");
        Self { head, error: Some(problem), ..Self::default() }
    }
}

impl MovesRecord {
    /// Creates the record of the moves of a board, written in a style.
    pub fn new(values: &MoveValues, style: MoveStyle) -> Self {
        let answer = &values.answer;
        let record = |value: &MoveValue| MoveRecord {
            written: format_moves(&answer.board, &[value.direction], style),
            tile: value.tile,
            distance: value.distance,
            optimal: value.is_optimal,
        };
        Self {
            head: RecordHead::new(answer),
            distance: answer.length(),
            moves: values.moves.iter().map(record).collect(),
            generated: values.generated,
            seconds: rounded(values.elapsed),
            lower_bound: lower_bound(answer),
            tail: RecordTail::new(answer, values.limit),
        }
    }
}

impl SolutionRecord {
    /// Creates the record of a solution, with its moves written in a style.
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

impl SolutionsRecord {
    /// Creates the record of the solutions of a board.
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
                tail: RecordTail::new(&set.answer, set.limit),
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

impl CheckRecord {
    /// Creates the record of a check, with the moves written in a style.
    pub fn new(checked: &MoveCheck, style: MoveStyle) -> Self {
        let answer = &checked.answer;
        Self {
            head: RecordHead::new(answer),
            moves: format_moves(&answer.board, &checked.moves, style),
            legal: checked.illegal.is_none(),
            solves: checked.solves,
            length: checked.moves.len(),
            optimum: checked.optimum(),
            optimal: checked.is_optimal(),
            leaves_optimum_at: checked.leaves_optimum_at,
            end: checked.end.to_string(),
            illegal: checked.illegal.as_ref().map(ToString::to_string),
            tail: RecordTail::new(answer, checked.limit),
        }
    }
}
