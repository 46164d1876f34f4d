//! `solve --resume`: boards without those that an earlier run has answered.

use std::fs;
use std::path::Path;

use anyhow::Context;
use serde::Deserialize;
use serde::de::IgnoredAny;
use tilebase::pdb_search::{StatusKind, Weight};
use tilebase::record::FailureKind;
use tilebase::sets::NamedBoards;
use tilebase::{Error, Metric, Mode, Tilebase};

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
    spec: Option<String>,
    /// Missing in records of other commands, such as `moves` and `check`.
    #[serde(rename = "initial_estimate")]
    _initial_estimate: IgnoredAny,
    /// Missing where each tile that moves counts.
    metric: Option<String>,
    limit: Option<IgnoredAny>,
    /// Only where solutions are counted.
    solution_count: Option<IgnoredAny>,
}

impl Answered {
    /// Returns how the answer differs from those of a run, if the record shows it. `are_counted`
    /// says whether the run counts solutions.
    fn difference(&self, tables: &Tilebase, are_counted: bool) -> Option<String> {
        let metric = self.metric.as_deref().unwrap_or(Metric::default().name());
        let expected = tables.metric().name();
        if metric != expected {
            return Some(format!(
                "in the metric {metric}, but the metric is {expected}: resume with the same metric"
            ));
        }
        if self.solution_count.is_some() != are_counted {
            let how = if are_counted { "without" } else { "with" };
            return Some(format!(
                "{how} the number of solutions: resume with the same of --count and --slack"
            ));
        }
        // A learned heuristic proves nothing.
        let is_learned = self.spec.as_deref().is_some_and(|spec| spec.contains("net:"));
        let is_unproved = self.status == StatusKind::Solved.name() && self.limit.is_none();
        (is_unproved && !is_learned && expects_proofs(tables)).then(|| {
            "without a proof, and no limit ended it: resume with the same --search and --within"
                .to_owned()
        })
    }
}

/// Returns whether only a limit ends a search without a proof.
fn expects_proofs(tables: &Tilebase) -> bool {
    let search = tables.search();
    let is_exact = match search.mode {
        Mode::By(name) => name.factor(Weight::ONE) == Some(Weight::ONE),
        _ => true,
    };
    is_exact && search.within.is_none()
}

/// Returns whether an answer of `solve` may have this status. A shard of a checkpoint is no answer.
fn is_of_answer(status: &str) -> bool {
    let found =
        [StatusKind::Optimal, StatusKind::Solved, StatusKind::Unsolvable, StatusKind::Limit];
    let not_found = [FailureKind::Invalid, FailureKind::Failed];
    found.map(StatusKind::name).contains(&status)
        || not_found.map(FailureKind::name).contains(&status)
}

/// Takes the boards away that the records of a file answer, one each in the order of the boards.
/// `are_counted` says whether solutions are counted.
///
/// # Errors
/// Those of reading the file; and a usage error where a line is no record of an answer, or a record
/// is not that of its board and goal.
pub(crate) fn skip_answered(
    named: &mut NamedBoards,
    tables: &Tilebase,
    are_counted: bool,
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
    for (place, (number, line)) in (1u64..).zip(lines) {
        let record = serde_json::from_str(line).ok();
        let record = record.filter(|record: &Answered| is_of_answer(&record.status));
        let record = record.ok_or_else(|| {
            usage(format!(
                "line {number} of {shown} is no record of an answer: --resume reads what solve \
                 --format ndjson wrote without --all and --best"
            ))
        })?;
        let answered = &record.board;
        let (given, goal) = match named.boards.next() {
            Some(Ok(given)) => {
                let goal = tables.goal(given.board.shape()).ok();
                (given.board.to_string(), goal.map(|goal| goal.board().to_string()))
            }
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
        if let (Some(goal), Some(answered)) = (goal, &record.goal) {
            let difference = if goal == *answered {
                record.difference(tables, are_counted)
            } else {
                Some(format!(
                    "for the goal {answered}, but the goal is {goal}: resume with the same goal"
                ))
            };
            if let Some(difference) = difference {
                return Err(usage(format!(
                    "line {number} of {shown} answers its board {difference}"
                )));
            }
        }
        named.count = named.count.map(|count| count.saturating_sub(1));
    }
    Ok(())
}
