//! One piece of work on standard error: a line that is drawn, or plain lines at intervals.

use std::time::{Duration, Instant};

use super::ProgressDisplay;
use super::bar::Bar;
use super::line::Line;

/// A line of progress, and how it is shown.
#[derive(Debug)]
pub(super) struct Shown {
    pub(super) progress: ProgressDisplay,
    bar: Option<Bar>,
    /// Shortest time between two plain lines.
    interval: Duration,
    last: Instant,
}

impl Shown {
    /// Shows a line at once if it is drawn, and after `interval` otherwise.
    pub(super) fn new(progress: ProgressDisplay, line: Line, interval: Duration) -> Self {
        Self::after(progress, Duration::ZERO, line, interval)
    }

    /// Shows a line that is drawn as soon as its work has taken `delay`.
    pub(super) fn after(
        progress: ProgressDisplay,
        delay: Duration,
        line: Line,
        interval: Duration,
    ) -> Self {
        let bar = (progress == ProgressDisplay::Bars).then(|| Bar::after(delay, line));
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
