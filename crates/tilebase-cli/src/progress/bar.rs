//! Lines that are drawn on a terminal, and erased after the work.

use std::fmt;
use std::io;
use std::sync::{Arc, LazyLock, Mutex};
use std::time::{Duration, Instant};

use indicatif::{MultiProgress, ProgressBar, ProgressState, ProgressStyle};
use terminal_size::{Width, terminal_size_of};

use super::line::Line;
use super::locked;
use crate::output::{error_line, terminal_text};

/// Interval between redraws, so that the clock of a line advances.
const TICK: Duration = Duration::from_millis(100);
/// Columns of a terminal that does not report its width.
const COLUMNS: u16 = 80;

/// All lines of this process. Notes are printed above them.
static DRAWN: LazyLock<MultiProgress> = LazyLock::new(MultiProgress::new);

/// A line on the terminal.
#[derive(Debug)]
pub(super) struct Bar {
    line: Arc<Mutex<Line>>,
    drawn: ProgressBar,
}

impl Bar {
    /// Draws a line as soon as its work has taken `delay`.
    pub(super) fn after(delay: Duration, line: Line) -> Self {
        let begun = line.begun;
        let line = Arc::new(Mutex::new(line));
        let shown = Arc::clone(&line);
        let write = move |_: &ProgressState, output: &mut dyn fmt::Write| {
            if begun.elapsed() >= delay {
                let text = locked(&shown).text(columns(), Instant::now());
                let _ = output.write_str(&terminal_text(&text));
            }
        };
        let style =
            ProgressStyle::with_template("{line}").expect("the template is fixed and right");
        let drawn = DRAWN.add(ProgressBar::no_length().with_style(style.with_key("line", write)));
        drawn.enable_steady_tick(TICK);
        Self { line, drawn }
    }

    /// Changes the contents of the line.
    pub(super) fn change(&self, change: impl FnOnce(&mut Line)) {
        change(&mut locked(&self.line));
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.drawn.finish_and_clear();
        DRAWN.remove(&self.drawn);
    }
}

/// Runs work that may write to the terminal, with the lines erased.
pub(super) fn aside<T>(work: impl FnOnce() -> T) -> T {
    DRAWN.suspend(work)
}

/// Prints a line above the drawn lines.
pub(super) fn print(text: impl fmt::Display) {
    aside(|| error_line(text));
}

/// Returns the greatest width of a line. A terminal wraps a line that fills its last column.
fn columns() -> usize {
    let width = terminal_size_of(io::stderr()).map_or(COLUMNS, |(Width(width), _)| width);
    usize::from(width.saturating_sub(1))
}
