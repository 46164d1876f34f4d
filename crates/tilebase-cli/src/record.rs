//! Answers as they are printed.

use std::io::{self, Write};

use pdb_core::notation::MoveStyle;
use tilebase::{Answer, Record};

use crate::output::{count, seconds};

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

/// Writes an answer, or the record of a text that is no board.
pub(crate) fn write(output: &mut impl Write, record: &Record, style: Style) -> io::Result<()> {
    match style.format {
        Format::Ndjson => {
            serde_json::to_writer(&mut *output, record)?;
            writeln!(output)
        }
        Format::Text if style.is_single => {
            writeln!(output, "{}", answer(record))?;
            write_cost(output, record)
        }
        Format::Text => writeln!(output, "{}: {}", record.board, answer(record)),
    }
}

/// Writes an answer.
pub(crate) fn write_answer(
    output: &mut impl Write,
    answer: &Answer,
    style: Style,
) -> io::Result<()> {
    write(output, &Record::new(answer, style.moves), style)
}

fn answer(record: &Record) -> String {
    if let (Some(length), Some(moves)) = (record.length, &record.moves) {
        return match (length, record.lower_bound) {
            (0, _) => "0 moves".to_owned(),
            (1, _) => format!("1 move: {moves}"),
            (_, None) => format!("{length} moves: {moves}"),
            (_, Some(bound)) => {
                format!("{length} moves (at least {bound} are needed): {moves}")
            }
        };
    }
    if let (Some(limit), Some(bound)) = (record.limit, record.lower_bound) {
        let limit = match limit {
            "interrupt" => limit.to_owned(),
            "nodes" => "node limit".to_owned(),
            _ => format!("{limit} limit"),
        };
        return format!("limit: stopped by the {limit}, at least {bound} moves are needed");
    }
    if let ("shard", Some(bound)) = (record.status, record.lower_bound) {
        return format!("shard: its packets are done, at least {bound} moves are needed");
    }
    let why = record.reason.as_deref().or(record.error.as_deref()).unwrap_or_default();
    format!("{}: {why}", record.status)
}

/// A line that says what the search took, if there was one.
fn write_cost(output: &mut impl Write, record: &Record) -> io::Result<()> {
    let (Some(spec), Some(estimate)) = (&record.spec, record.initial_estimate) else {
        return Ok(());
    };
    writeln!(
        output,
        "initial estimate {estimate}, {} generated, {} expanded, {}, spec {spec}",
        count(record.generated.unwrap_or(0)),
        count(record.expanded.unwrap_or(0)),
        seconds(record.seconds.unwrap_or(0.0)),
    )
}
