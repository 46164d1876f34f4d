//! `solve --resume`: boards without those that an earlier run has answered.

use std::fs;
use std::path::Path;

use anyhow::Context;
use serde::Deserialize;
use tilebase::pdb_search::LimitKind;
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
    /// Missing where each tile that moves counts.
    metric: Option<String>,
    limit: Option<String>,
}

/// Takes the boards away that the records of a file answer, one each in the order of the boards. A
/// search that was interrupted is no answer: its board is searched again.
///
/// # Errors
/// Those of reading the file; and a usage error where a line is no record, or a record is not that
/// of its board, goal and metric. Other options are not compared.
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
    let lines = (1u64..).zip(text.trim_start_matches('\u{feff}').lines());
    for (number, line) in lines.filter(|(_, line)| !line.trim().is_empty()) {
        let record: Answered = serde_json::from_str(line).map_err(|_| {
            usage(format!(
                "line {number} of {shown} is no record of an answer: --resume reads what solve \
                 --format ndjson wrote without --all and --best"
            ))
        })?;
        if record.limit.as_deref() == Some(LimitKind::Interrupted.name()) {
            continue;
        }
        let (board, goal) = match named.boards.next() {
            Some(Ok(given)) => {
                let goal = tables.goal(given.board.shape()).ok();
                (given.board.to_string(), goal.map(|goal| goal.board().to_string()))
            }
            Some(Err(Error::Invalid { text, .. })) => (text, None),
            Some(Err(error)) => return Err(error.into()),
            None => {
                return Err(usage(format!("{shown} has more records than there are boards")));
            }
        };
        let metric = record.metric.as_deref().unwrap_or(Metric::default().name());
        let is_same_search = record.goal == goal && metric == tables.metric().name();
        if record.board != board || record.goal.is_some() && !is_same_search {
            return Err(usage(format!(
                "line {number} of {shown} does not answer the next board, {board}: resume with the \
                 same boards in the same order, and with the same goal and metric"
            )));
        }
        named.count = named.count.map(|count| count.saturating_sub(1));
    }
    Ok(())
}
