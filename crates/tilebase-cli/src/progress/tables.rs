//! Progress of work on one table: building, checking, shipping or installing it.

use std::path::Path;
use std::time::{Duration, Instant};

use pdb_gen::Event;

use super::line::{Amount, Line, Unit, time_left};
use crate::output::count;

/// The line about a table, and the pace of its levels.
#[derive(Debug)]
pub(crate) struct TableLine {
    pub(super) line: Line,
    pace: Pace,
    /// Whether the number of all states is known. Walking Distance does not know it before the end.
    is_total_known: bool,
}

/// Pace of the states of the last level. Levels grow and shrink too much for a mean over all
/// levels.
#[derive(Debug)]
struct Pace {
    last: Instant,
    done: u64,
}

impl Pace {
    fn at(done: u64) -> Self {
        Self { last: Instant::now(), done }
    }

    /// Returns states per second of the level that has just ended, and the time left.
    fn after(&mut self, done: u64, total: Option<u64>) -> (f64, Option<Duration>) {
        let seconds = self.last.elapsed().as_secs_f64();
        let rate = done.saturating_sub(self.done) as f64 / seconds.max(1e-9);
        *self = Self::at(done);
        // The first levels are too small for an estimate.
        let total = total.filter(|total| done > total / 100);
        (rate, total.and_then(|total| time_left(total.saturating_sub(done), rate)))
    }
}

impl TableLine {
    pub(crate) fn new(name: &str) -> Self {
        Self { line: Line::new(name), pace: Pace::at(0), is_total_known: false }
    }

    /// Returns the whole line.
    #[cfg(feature = "play")]
    pub(crate) fn plain(&self) -> String {
        self.line.plain()
    }

    /// Returns the name of a table for a drawn line, where the folder and the extension only take
    /// columns.
    pub(super) fn short_name(name: &str) -> &str {
        let path = Path::new(name);
        let is_table = path.extension().is_some_and(|extension| extension == "pdb");
        path.file_stem().filter(|_| is_table).and_then(|stem| stem.to_str()).unwrap_or(name)
    }

    /// Updates the line. Returns a note if the event deserves one of its own.
    pub(crate) fn update(&mut self, event: Event) -> Option<String> {
        match event {
            Event::Resume { level, done, .. } => {
                self.pace = Pace::at(done);
                return Some(format!("resumed after level {level}, {} states", count(done)));
            }
            Event::Level { level, done, total } => {
                // At the last level, the total equals the number of states in any case.
                self.is_total_known |= done != total;
                let total = Some(total).filter(|_| self.is_total_known);
                let (rate, left) = self.pace.after(done, total);
                self.line.doing = format!("level {level}");
                self.line.amount = match total {
                    Some(total) => Amount::Of { done, total, unit: Unit::States },
                    None => Amount::Some { done, unit: Unit::States },
                };
                self.line.rate = Some((rate, "states"));
                self.line.set_left(left);
            }
            Event::Segment { level, done, total } => {
                self.line.doing = format!("level {level}");
                self.line.amount = Amount::Of { done, total, unit: Unit::States };
            }
            Event::Write { done, total } => self.set_bytes("writing", done, total),
            Event::Check { done, total } => self.set_bytes("checking", done, total),
            Event::Pack => self.begin("packing"),
            Event::Sync => self.begin("making the file durable"),
        }
        None
    }

    /// Begins a step whose length is unknown.
    fn begin(&mut self, doing: &str) {
        self.line = Line { doing: doing.to_owned(), ..Line::new(&self.line.name) };
    }

    fn set_bytes(&mut self, doing: &str, done: u64, total: u64) {
        if self.line.doing != doing {
            self.begin(doing);
        }
        self.line.amount = Amount::Of { done, total, unit: Unit::Bytes };
        let seconds = self.line.begun.elapsed().as_secs_f64();
        if done > 0 && seconds > 0.1 {
            let rate = done as f64 / seconds;
            self.line.rate = Some((rate, "B"));
            self.line.set_left(time_left(total.saturating_sub(done), rate));
        }
    }
}
