//! One piece of work on standard error: a line that is drawn, or plain lines at intervals.

use std::time::{Duration, Instant};

use super::Progress;
use super::bar::Bar;
use super::line::Line;

/// A line of progress, and how it is shown.
#[derive(Debug)]
pub(super) struct Shown {
    pub(super) progress: Progress,
    bar: Option<Bar>,
    /// Shortest time between two plain lines.
    interval: Duration,
    last: Instant,
}

impl Shown {
    /// Shows a line at once if it is drawn, and after `interval` otherwise.
    pub(super) fn new(progress: Progress, line: Line, interval: Duration) -> Self {
        let bar = (progress == Progress::Bars).then(|| Bar::new(line));
        Self { progress, bar, interval, last: Instant::now() }
    }

    /// Shows what has changed.
    pub(super) fn show(&mut self, line: &Line) {
        if let Some(bar) = &self.bar {
            bar.change(|shown| shown.clone_from(line));
        } else if self.last.elapsed() >= self.interval {
            self.last = Instant::now();
            self.progress.note(line.plain());
        }
    }
}
