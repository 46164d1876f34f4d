//! Lines that are drawn on a terminal, and erased when the work is done.

use std::fmt;
use std::io;
use std::sync::{Arc, LazyLock, Mutex};
use std::time::{Duration, Instant};

use indicatif::{MultiProgress, ProgressBar, ProgressState, ProgressStyle};
use terminal_size::{Width, terminal_size_of};

use super::line::Line;
use super::locked;
use crate::output::{error_line, terminal_text};

/// How often a line is drawn while nothing happens, so that its clock goes on.
const TICK: Duration = Duration::from_millis(100);
/// Columns of a terminal that does not tell.
const COLUMNS: u16 = 80;

/// All lines of this process, so that notes are printed above them.
static DRAWN: LazyLock<MultiProgress> = LazyLock::new(MultiProgress::new);

/// A line on the terminal.
#[derive(Debug)]
pub(super) struct Bar {
    line: Arc<Mutex<Line>>,
    drawn: ProgressBar,
}

impl Bar {
    /// Draws a line once it has taken so long.
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

    pub(super) fn new(line: Line) -> Self {
        Self::after(Duration::ZERO, line)
    }

    /// Changes what the line says.
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

/// Does something that may write to the terminal, with the lines out of the way.
pub(super) fn aside<T>(work: impl FnOnce() -> T) -> T {
    DRAWN.suspend(work)
}

/// Prints a line above those that are drawn.
pub(super) fn print(text: impl fmt::Display) {
    aside(|| error_line(text));
}

/// Columns that a line may take. A terminal wraps what fills its last one.
fn columns() -> usize {
    let width = terminal_size_of(io::stderr()).map_or(COLUMNS, |(Width(width), _)| width);
    usize::from(width.saturating_sub(1))
}
