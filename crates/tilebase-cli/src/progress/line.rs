//! A line about one piece of work: drawn on a terminal, or plain at intervals.

use std::fmt::Display;
use std::sync::LazyLock;
use std::thread;
use std::time::{Duration, Instant};

use indicatif::style::ProgressTracker;
use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};
use tilebase::crew::CrewState;

use super::ProgressDisplay;
use crate::Surroundings;
use crate::output::{bytes, error_line, terminal_text};

/// Work that takes less time is not drawn.
const SLOW: Duration = Duration::from_secs(1);
/// Interval between redraws, so that the clock of a line advances.
const TICK: Duration = Duration::from_millis(100);
/// Shortest time between two plain lines.
const PLAIN_INTERVAL: Duration = Duration::from_secs(10);

/// Work without a known end.
const OPEN: &str = "{wide_msg} {elapsed} ";
/// Work with a known end.
const SHARED: &str = "{wide_msg} [{bar:10}] {percent} %, {eta} left ";
/// Boards of an unknown number.
pub(super) const COUNTED: &str = "{wide_msg} {human_pos} boards, {elapsed} ";
/// Boards of a known number.
pub(super) const BOARDS: &str =
    "{wide_msg} [{bar:10}] {human_pos} of {human_len} boards, {eta} left ";
/// The search of one board.
pub(super) const SEARCH: &str = "{wide_msg} {facts}, {elapsed} ";

/// All drawn lines of this process. Notes are printed above them.
static DRAWN: LazyLock<MultiProgress> = LazyLock::new(MultiProgress::new);

/// A line of progress, which is erased after its work.
#[derive(Debug)]
pub(super) struct Line {
    pub(super) progress: ProgressDisplay,
    pub(super) bar: ProgressBar,
    /// Time of the last plain line, or of the begin of the work.
    last: Instant,
}

impl Line {
    /// Creates a line, which is drawn if its work takes a second.
    pub(super) fn new(progress: ProgressDisplay, text: &str) -> Self {
        Self::after(SLOW, progress, text)
    }

    /// Creates a line, which is drawn if its work takes longer than `delay`.
    pub(super) fn after(delay: Duration, progress: ProgressDisplay, text: &str) -> Self {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        bar.set_style(style(OPEN));
        bar.set_message(terminal_text(text));
        if progress == ProgressDisplay::Bars {
            let drawn = bar.downgrade();
            // Without a thread, the line is not drawn.
            let _ = pdb_core::thread_builder().spawn(move || {
                thread::sleep(delay);
                if let Some(bar) = drawn.upgrade().filter(|bar| !bar.is_finished()) {
                    DRAWN.add(bar).enable_steady_tick(TICK);
                }
            });
        }
        Self { progress, bar, last: Instant::now() }
    }

    /// Creates a line without a text by a template, which has a key of its own.
    pub(super) fn with(
        progress: ProgressDisplay,
        template: &'static str,
        key: &'static str,
        value: impl ProgressTracker + 'static,
    ) -> Self {
        let line = Self::new(progress, "");
        line.bar.set_style(style(template).with_key(key, value));
        line
    }

    /// Shows a text, and the time since the begin.
    pub(super) fn show(&mut self, text: impl Display) {
        let text = format!("{text}{}", crew());
        self.bar.set_message(terminal_text(&text));
        if self.progress == ProgressDisplay::Lines && self.last.elapsed() >= PLAIN_INTERVAL {
            self.last = Instant::now();
            error_line(text);
        }
    }

    /// Shows a text, and the finished share of a step with the time that the rest takes.
    pub(super) fn show_share(&mut self, text: impl Display, done: u64, total: u64) {
        // Each step has a pace of its own.
        if self.bar.length() != Some(total) {
            self.bar.set_style(style(SHARED));
            self.bar.set_length(total);
            self.bar.set_position(done);
            self.bar.reset_eta();
        }
        self.bar.set_position(done);
        self.show(text);
    }

    /// Shows the text of a step without a known end.
    pub(super) fn show_open(&mut self, text: impl Display) {
        if self.bar.length().is_some() {
            self.bar.unset_length();
            self.bar.set_style(style(OPEN));
        }
        self.show(text);
    }
}

impl Drop for Line {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
        DRAWN.remove(&self.bar);
    }
}

pub(super) fn style(template: &str) -> ProgressStyle {
    let style = ProgressStyle::with_template(template).expect("the templates are fixed and right");
    style.progress_chars("=> ")
}

/// Runs work that may write to the terminal, with the lines erased.
pub(super) fn aside<T>(work: impl FnOnce() -> T) -> T {
    DRAWN.suspend(work)
}

/// Returns the state of the ranks, if there are several.
fn crew() -> String {
    let Some(crew) = &Surroundings::here().crew else { return String::new() };
    let CrewState { ranks, lost, bytes: exchanged } = crew.state();
    let lost = if lost > 0 { format!(" ({lost} lost)") } else { String::new() };
    format!("; {ranks} ranks{lost}, {} exchanged", bytes(exchanged))
}
