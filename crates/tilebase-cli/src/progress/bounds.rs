//! Each bound of a search, told when it is done.

use serde::Serialize;
use tilebase::{Answer, BoundState};

use super::Progress;
use crate::args::OutputFormat;
use crate::output::{count, seconds};

/// How bounds are told.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BoundLines {
    pub(crate) format: OutputFormat,
    /// There is a single board, and no need to say which.
    pub(crate) is_single: bool,
}

/// A bound, as an object for programs.
#[derive(Debug, Serialize)]
pub(super) struct BoundLine {
    board: String,
    bound: u32,
    generated: u64,
    expanded: u64,
    /// How many times as many nodes were generated as within the bound before.
    growth: Option<f64>,
    /// Since the search of the board began.
    seconds: f64,
    /// Whether the bound was searched in full.
    done: bool,
}

impl BoundLine {
    pub(super) fn new(state: &BoundState) -> Self {
        Self {
            board: state.board.to_string(),
            bound: state.bound.bound,
            generated: state.bound.generated,
            expanded: state.bound.expanded,
            growth: state.growth.map(rounded),
            seconds: state.elapsed.as_secs_f64(),
            done: true,
        }
    }
}

/// To three decimals.
fn rounded(growth: f64) -> f64 {
    (growth * 1e3).round() / 1e3
}

impl BoundLines {
    /// Tells of a bound.
    pub(super) fn tell(self, line: &BoundLine, progress: Progress) {
        if self.format == OutputFormat::Ndjson {
            let text = serde_json::to_string(line).expect("numbers and a name are JSON");
            return progress.tell(text);
        }
        let BoundLine { board, bound, generated, expanded, .. } = line;
        let board = if self.is_single { String::new() } else { format!("{board}: ") };
        let growth = line.growth.map(|growth| format!(", {growth:.2} times the bound before"));
        progress.tell(format_args!(
            "{board}bound {bound}: {} generated, {} expanded{}, {} in all{}",
            count(*generated),
            count(*expanded),
            growth.unwrap_or_default(),
            seconds(line.seconds),
            if line.done { "" } else { ", and the search ended within it" }
        ));
    }

    /// Tells of the bound within which a search ended.
    pub(crate) fn tell_last(self, answer: &Answer, progress: Progress) {
        let Some(bound) = answer.lower_bound() else { return };
        // A search in packets has counts of the bounds that are done; the rest belongs to this one.
        let before = answer.bounds.iter().filter(|count| count.bound < bound);
        let [generated, expanded] =
            before.fold([answer.generated, answer.expanded], |[generated, expanded], count| {
                [generated.saturating_sub(count.generated), expanded.saturating_sub(count.expanded)]
            });
        let line = BoundLine {
            board: answer.board.to_string(),
            bound,
            generated,
            expanded,
            // Part of a bound does not tell how much larger all of it is.
            growth: None,
            seconds: answer.elapsed.as_secs_f64(),
            done: false,
        };
        if generated > 0 {
            self.tell(&line, progress);
        }
    }
}
