//! Answers as records, and records as text.

use std::io::{self, Write};
use std::time::Duration;

use pdb_core::notation::{MoveStyle, format_moves};
use pdb_core::{Board, Unsolvable};
use pdb_search::packets::{Advance, Counts, Ledger, Stage};
use pdb_search::{LimitKind, Outcome, Status};
use serde::Serialize;

use crate::output::{count, seconds};

/// Seconds to the microsecond, which is as much as a clock is good for.
fn rounded(time: Duration) -> f64 {
    (time.as_secs_f64() * 1e6).round() / 1e6
}

/// How records are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Format {
    /// To read: a line for each of several boards, two for a single one
    #[default]
    Text,
    /// For programs: a JSON object a line
    Ndjson,
}

/// All that decides what a record looks like.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Style {
    pub(crate) format: Format,
    pub(crate) moves: MoveStyle,
    /// There is a single board, and no need to say which.
    pub(crate) is_single: bool,
}

/// What became of a board. The order of the fields is that of the JSON keys.
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct Record {
    board: String,
    spec: Option<String>,
    status: &'static str,
    length: Option<usize>,
    moves: Option<String>,
    initial_estimate: Option<u32>,
    generated: Option<u64>,
    expanded: Option<u64>,
    seconds: Option<f64>,
    /// Every solution has at least so many moves.
    #[serde(skip_serializing_if = "Option::is_none")]
    lower_bound: Option<u32>,
    /// What ended the search before it was done.
    #[serde(skip_serializing_if = "Option::is_none")]
    limit: Option<&'static str>,
    /// Why a board is unsolvable.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    /// What is wrong with an invalid line.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
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
    pub(crate) fn invalid(line: String, problem: String) -> Self {
        Self { board: line, status: "invalid", error: Some(problem), ..Self::default() }
    }

    /// No search was needed, so there is no spec either.
    pub(crate) fn unsolvable(board: &Board, reason: Unsolvable) -> Self {
        Self {
            board: board.to_string(),
            status: "unsolvable",
            generated: Some(0),
            expanded: Some(0),
            seconds: Some(0.0),
            reason: Some(reason.to_string()),
            ..Self::default()
        }
    }

    pub(crate) fn solved(board: &Board, spec: &str, outcome: &Outcome, style: MoveStyle) -> Self {
        let searched = Self {
            spec: Some(spec.to_owned()),
            initial_estimate: outcome.initial_estimate,
            generated: Some(outcome.generated),
            expanded: Some(outcome.expanded),
            seconds: Some(rounded(outcome.elapsed)),
            board: board.to_string(),
            ..Self::default()
        };
        match &outcome.status {
            Status::Optimal { moves } => Self {
                status: "optimal",
                length: Some(moves.len()),
                moves: Some(format_moves(moves, style)),
                ..searched
            },
            Status::Solved { moves, lower_bound } => Self {
                status: "solved",
                length: Some(moves.len()),
                moves: Some(format_moves(moves, style)),
                lower_bound: Some(*lower_bound),
                ..searched
            },
            Status::Limit { kind, lower_bound } => Self {
                status: "limit",
                lower_bound: Some(*lower_bound),
                limit: Some(limit_name(*kind)),
                ..searched
            },
            Status::Unsolvable(reason) => Self::unsolvable(board, *reason),
            _ => unreachable!("a search ends in one of four ways"),
        }
    }

    /// The answer of a search in packets, as far as its ledger has it; `end` says why it ended.
    pub(crate) fn of_ledger(
        ledger: &Ledger,
        initial_estimate: u32,
        end: Advance,
        elapsed: Duration,
        style: MoveStyle,
    ) -> Self {
        // What is to be searched again was generated too.
        let dropped = match end {
            Advance::Limit { dropped, .. } => dropped,
            _ => Counts::default(),
        };
        let counts = ledger.counts().plus(dropped);
        let searched = Self {
            board: ledger.subject.board.to_string(),
            spec: Some(ledger.subject.heuristic.clone()),
            initial_estimate: Some(initial_estimate),
            generated: Some(counts.generated),
            expanded: Some(counts.expanded),
            seconds: Some(rounded(elapsed)),
            ..Self::default()
        };
        match (&ledger.stage, end) {
            (Stage::Solved { moves, .. }, _) => Self {
                status: "optimal",
                length: Some(moves.len()),
                moves: Some(format_moves(moves, style)),
                ..searched
            },
            (_, Advance::Limit { kind, .. }) => Self {
                status: "limit",
                lower_bound: Some(ledger.lower_bound()),
                limit: Some(limit_name(kind)),
                ..searched
            },
            (_, _) => Self { status: "shard", lower_bound: Some(ledger.lower_bound()), ..searched },
        }
    }

    /// Whether the board is solved, or its shard done.
    pub(crate) fn is_good(&self) -> bool {
        matches!(self.status, "optimal" | "solved" | "shard")
    }

    pub(crate) fn write(&self, output: &mut impl Write, style: Style) -> io::Result<()> {
        match style.format {
            Format::Ndjson => {
                serde_json::to_writer(&mut *output, self)?;
                writeln!(output)
            }
            Format::Text if style.is_single => {
                writeln!(output, "{}", self.answer())?;
                self.write_cost(output)
            }
            Format::Text => writeln!(output, "{}: {}", self.board, self.answer()),
        }
    }

    fn answer(&self) -> String {
        if let (Some(length), Some(moves)) = (self.length, &self.moves) {
            return match (length, self.lower_bound) {
                (0, _) => "0 moves".to_owned(),
                (1, _) => format!("1 move: {moves}"),
                (_, None) => format!("{length} moves: {moves}"),
                (_, Some(bound)) => {
                    format!("{length} moves (at least {bound} are needed): {moves}")
                }
            };
        }
        if let (Some(limit), Some(bound)) = (self.limit, self.lower_bound) {
            let limit = match limit {
                "interrupt" => limit.to_owned(),
                "nodes" => "node limit".to_owned(),
                _ => format!("{limit} limit"),
            };
            return format!("limit: stopped by the {limit}, at least {bound} moves are needed");
        }
        if let ("shard", Some(bound)) = (self.status, self.lower_bound) {
            return format!("shard: its packets are done, at least {bound} moves are needed");
        }
        let why = self.reason.as_deref().or(self.error.as_deref()).unwrap_or_default();
        format!("{}: {why}", self.status)
    }

    /// A line that says what the search took, if there was one.
    fn write_cost(&self, output: &mut impl Write) -> io::Result<()> {
        let (Some(spec), Some(estimate)) = (&self.spec, self.initial_estimate) else {
            return Ok(());
        };
        writeln!(
            output,
            "initial estimate {estimate}, {} generated, {} expanded, {}, spec {spec}",
            count(self.generated.unwrap_or(0)),
            count(self.expanded.unwrap_or(0)),
            seconds(self.seconds.unwrap_or(0.0)),
        )
    }
}
