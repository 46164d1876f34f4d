//! Bounds of a search, printed as they end.

use serde::Serialize;
use tilebase::Answer;
use tilebase::event::{BoundState, SolutionState};

use super::ProgressDisplay;
use crate::choices::Format;
use crate::output::{count, seconds};

/// Style of the lines about bounds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BoundLines {
    pub(crate) format: Format,
    /// Whether there is a single board, so that lines need not name it.
    pub(crate) is_single: bool,
}

/// Record of a bound.
#[derive(Debug, Serialize)]
pub(super) struct BoundLine {
    board: String,
    bound: u32,
    generated: u64,
    expanded: u64,
    /// Factor by which generated nodes grew from the previous bound.
    growth: Option<f64>,
    /// Time since the search of the board began.
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
            growth: state.growth.map(|growth| (growth * 1e3).round() / 1e3),
            seconds: state.elapsed.as_secs_f64(),
            done: true,
        }
    }
}

/// Record of a better solution.
#[derive(Debug, Serialize)]
struct SolutionLine {
    event: &'static str,
    board: String,
    length: usize,
    lower_bound: u32,
    /// Time since the search of the board began.
    seconds: f64,
}

impl BoundLines {
    /// Prints a line about a better solution.
    pub(super) fn show_solution(self, state: &SolutionState<'_>, progress: ProgressDisplay) {
        let SolutionState { board, lower_bound, elapsed, .. } = *state;
        let (length, elapsed) = (state.length(), elapsed.as_secs_f64());
        let board = board.to_string();
        if self.format == Format::Ndjson {
            let line =
                SolutionLine { event: "solution", board, length, lower_bound, seconds: elapsed };
            let text = serde_json::to_string(&line).expect("numbers and names are JSON");
            return progress.print(text);
        }
        let board = if self.is_single { String::new() } else { format!("{board}: ") };
        progress.print(format_args!(
            "{board}{}, {} in total",
            state.known_length(),
            seconds(elapsed)
        ));
    }

    /// Prints a line about a bound.
    pub(super) fn show(self, line: &BoundLine, progress: ProgressDisplay) {
        if self.format == Format::Ndjson {
            let text = serde_json::to_string(line).expect("numbers and a name are JSON");
            return progress.print(text);
        }
        let BoundLine { board, bound, generated, expanded, .. } = line;
        let board = if self.is_single { String::new() } else { format!("{board}: ") };
        let growth = line.growth.map(|growth| format!(", {growth:.2} times the previous bound"));
        progress.print(format_args!(
            "{board}bound {bound}: {} generated, {} expanded{}, {} in total{}",
            count(*generated),
            count(*expanded),
            growth.unwrap_or_default(),
            seconds(line.seconds),
            if line.done { "" } else { ", and the search ended within it" }
        ));
    }

    /// Prints a line about the bound in which a search ended.
    pub(crate) fn show_last(self, answer: &Answer, progress: ProgressDisplay) {
        let Some(bound) = answer.lower_bound() else { return };
        // Only finished bounds have counts of their own; the remaining nodes belong to the last
        // bound.
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
            // The growth of an unfinished bound is unknown.
            growth: None,
            seconds: answer.elapsed.as_secs_f64(),
            done: false,
        };
        if generated > 0 {
            self.show(&line, progress);
        }
    }
}
