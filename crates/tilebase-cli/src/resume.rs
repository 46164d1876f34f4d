//! `solve --resume`: boards without those that an earlier run has answered.

use std::fs;
use std::path::Path;

use anyhow::Context;
use serde::Deserialize;
use serde::de::IgnoredAny;
use tilebase::pdb_search::{LimitKind, StatusKind};
use tilebase::record::FailureKind;
use tilebase::sets::NamedBoards;
use tilebase::{Error, Metric, Tilebase};

use crate::failure::usage;
use crate::output::shown;

/// The part of a record of an answer that names its board and its search.
#[derive(Debug, Deserialize)]
struct Answered {
    board: String,
    /// Missing where the text is no board.
    goal: Option<String>,
    /// Records of other commands have none.
    status: String,
    /// Missing in records of other commands, such as `moves` and `check`.
    #[serde(rename = "initial_estimate")]
    _initial_estimate: IgnoredAny,
    /// Missing where each tile that moves counts.
    metric: Option<String>,
    limit: Option<String>,
}

/// Returns whether an answer of `solve` may have this status. A shard of a checkpoint is no answer.
fn is_of_answer(status: &str) -> bool {
    let found =
        [StatusKind::Optimal, StatusKind::Solved, StatusKind::Unsolvable, StatusKind::Limit];
    let not_found = [FailureKind::Invalid, FailureKind::Failed];
    found.map(StatusKind::name).contains(&status)
        || not_found.map(FailureKind::name).contains(&status)
}

/// Takes the boards away that the records of a file answer, one each in the order of the boards. A
/// search that was interrupted is no answer: its board is searched again.
///
/// # Errors
/// Those of reading the file; and a usage error where a line is no record of an answer, or a record
/// is not that of its board, goal and metric. Other options are not compared.
pub(crate) fn skip_answered(
    named: &mut NamedBoards,
    tables: &Tilebase,
    path: &Path,
) -> anyhow::Result<()> {
    let shown = shown(path);
    let text = fs::read_to_string(path).with_context(|| format!("cannot read {shown}"))?;
    if !text.is_empty() && !text.ends_with('\n') {
        return Err(usage(format!(
            "{shown} ends within a record: remove its last line, whose board is then solved again"
        )));
    }
    let text = text.trim_start_matches('\u{feff}');
    let lines = (1u64..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty());
    let mut place = 0u64;
    for (number, line) in lines {
        let record = serde_json::from_str(line).ok();
        let record = record.filter(|record: &Answered| is_of_answer(&record.status));
        let record = record.ok_or_else(|| {
            usage(format!(
                "line {number} of {shown} is no record of an answer: --resume reads what solve \
                 --format ndjson wrote without --all and --best"
            ))
        })?;
        if record.limit.as_deref() == Some(LimitKind::Interrupted.name()) {
            continue;
        }
        place += 1;
        let answered = &record.board;
        let (given, goal) = match named.boards.next() {
            Some(Ok(given)) => (given.board.to_string(), tables.goal(given.board.shape()).ok()),
            Some(Err(Error::Invalid { text, .. })) => (text, None),
            Some(Err(error)) => return Err(error.into()),
            None => {
                return Err(usage(format!(
                    "{shown} has more records than there are boards: its line {number} answers \
                     {answered}"
                )));
            }
        };
        if given != *answered {
            return Err(usage(format!(
                "line {number} of {shown} answers {answered}, but board {place} is {given}: resume \
                 with the same boards in the same order"
            )));
        }
        let metric = record.metric.as_deref().unwrap_or(Metric::default().name());
        if let (Some(goal), Some(answered)) = (goal, &record.goal)
            && (goal.board().to_string() != *answered || tables.metric().name() != metric)
        {
            return Err(usage(format!(
                "line {number} of {shown} answers its board for the goal {answered} in the metric \
                 {metric}: resume with the same goal and metric",
            )));
        }
        named.count = named.count.map(|count| count.saturating_sub(1));
    }
    Ok(())
}
