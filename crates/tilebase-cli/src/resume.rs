//! `solve --resume`: boards without those that an earlier run has answered.

use std::fs;
use std::path::Path;

use anyhow::Context;
use serde::Deserialize;
use serde::de::IgnoredAny;
use tilebase::moves::SolutionOptions;
use tilebase::pdb_search::{LimitKind, StatusKind, Weight};
use tilebase::record::FailureKind;
use tilebase::sets::NamedBoards;
use tilebase::text::{MoveNaming, MoveStyle, WrittenMoves, format_moves};
use tilebase::{Board, Error, Goal, Metric, Mode, Tilebase};

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
    moves: Option<String>,
    /// Present where tables were trusted.
    tables_checked: Option<IgnoredAny>,
    /// The lengths of solutions, only where they are counted.
    lengths: Option<Vec<IgnoredAny>>,
}

/// The options of a run that change its answers.
pub(crate) struct ResumedRun<'a> {
    pub(crate) tables: &'a Tilebase,
    /// The count of solutions, if they are counted.
    pub(crate) query: Option<&'a SolutionOptions>,
    pub(crate) style: MoveStyle,
    /// Whether a learned heuristic is searched, which proves nothing.
    pub(crate) is_learned: bool,
}

impl Answered {
    /// Returns how the answer to a board differs from that of a run, if the record shows it.
    fn difference(&self, run: &ResumedRun<'_>, board: &Board, goal: &Goal) -> Option<String> {
        let ResumedRun { tables, query, style, is_learned } = *run;
        let metric = self.metric.as_deref().unwrap_or(Metric::default().name());
        let expected = tables.metric().name();
        if metric != expected {
            return Some(format!(
                "in the metric {metric}, but the metric is {expected}: resume with the same metric"
            ));
        }
        if self.lengths.is_some() != query.is_some() {
            let how = if query.is_some() { "without" } else { "with" };
            return Some(format!(
                "{how} the number of solutions: resume with the same of --count and --slack"
            ));
        }
        if let (Some(lengths), Some(slack)) = (&self.lengths, query.and_then(|query| query.slack)) {
            // Parity excludes every other length of single tiles.
            let step = if tables.metric() == Metric::SingleTile { 2 } else { 1 };
            let expected = 1 + (slack / step) as usize;
            // A limit, parity or a board of one line leaves out longer solutions.
            let may_be_fewer = self.limit.is_some() || lengths.is_empty() || goal.shape().is_line();
            if lengths.len() > expected || lengths.len() < expected && !may_be_fewer {
                return Some(format!(
                    "with the solutions of {} lengths, but those of {expected} are counted: resume \
                     with the same --slack",
                    lengths.len()
                ));
            }
        }
        if self.tables_checked.is_some() && !tables.shelf().trusts_tables {
            return Some(
                "with tables that were not checked: resume with --trust-tables, or solve the boards \
                 again"
                    .to_owned(),
            );
        }
        let is_written_so = |text: &String| {
            let written = WrittenMoves::parse(text, style.naming == MoveNaming::Blank);
            let replay = written.map(|written| written.replay(board));
            replay.is_ok_and(|replay| {
                replay.board == *goal.board() && format_moves(board, &replay.moves, style) == *text
            })
        };
        if !self.moves.as_ref().is_none_or(is_written_so) {
            return Some(
                "with moves that do not solve it as they would be written: resume with the same \
                 --moves and --counted-moves"
                    .to_owned(),
            );
        }
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

/// Takes the boards away that the records of a file answer, one each in the order of the boards. A
/// search that was interrupted is no answer: its board is searched again.
///
/// # Errors
/// Those of reading the file; and a usage error where a line is no record of an answer, or a record
/// is not that of its board and goal.
pub(crate) fn skip_answered(
    named: &mut NamedBoards,
    run: &ResumedRun<'_>,
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
        let (given, problem) = match named.boards.next() {
            Some(Ok(given)) => {
                let goal = run.tables.goal(given.board.shape()).ok();
                (given.board.to_string(), goal.map(|goal| (given.board, goal)))
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
        if let (Some((board, goal)), Some(answered)) = (problem, &record.goal) {
            let expected = goal.board().to_string();
            let difference = if expected == *answered {
                record.difference(run, &board, &goal)
            } else {
                Some(format!(
                    "for the goal {answered}, but the goal is {expected}: resume with the same goal"
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
