//! Progress of several batches of boards.

use std::time::Duration;

use super::ProgressDisplay;
use super::bar::Bar;
use super::line::{Amount, Line, Unit};

/// Progress of several batches of boards.
#[derive(Debug)]
pub(crate) struct Counter {
    progress: ProgressDisplay,
    bar: Option<Bar>,
}

impl Counter {
    /// Shows the number of finished boards of `total`.
    pub(crate) fn new(progress: ProgressDisplay, total: u64) -> Self {
        let amount = Amount::Of { done: 0, total, unit: Unit::Boards };
        let line = Line { amount, ..Line::new("") };
        let bar = (progress == ProgressDisplay::Bars).then(|| Bar::after(Duration::ZERO, line));
        Self { progress, bar }
    }

    /// Begins the next batch.
    pub(crate) fn begin(&self, name: &str) {
        match &self.bar {
            Some(bar) => bar.change(|line| name.clone_into(&mut line.name)),
            None => self.progress.note(name),
        }
    }

    /// Counts a finished board.
    pub(crate) fn count(&self) {
        self.change(|done| *done += 1);
    }

    /// Sets the number of finished boards at the end of a batch.
    pub(crate) fn end_of_part(&self, boards: u64) {
        self.change(|done| *done = boards);
    }

    fn change(&self, change: impl FnOnce(&mut u64)) {
        if let Some(bar) = &self.bar {
            bar.change(|line| {
                if let Amount::Of { mut done, total, .. } = line.amount {
                    change(&mut done);
                    line.set_boards(done, total);
                }
            });
        }
    }
}
