//! Progress of work on tables: building, checking, shipping or installing them.

use std::time::Duration;

use pdb_gen::Event;

use super::ProgressDisplay;
use super::line::Line;
use crate::output::{bytes, count};

/// The line about tables, one after another.
#[derive(Debug)]
pub(super) struct TableLine {
    progress: ProgressDisplay,
    line: Line,
    /// The table, such as "table 3 of 10".
    name: String,
    /// Whether the number of all states is known. Walking Distance does not know it before the end.
    is_total_known: bool,
    /// Whether no other table follows.
    pub(super) is_last: bool,
}

impl TableLine {
    pub(super) fn new(progress: ProgressDisplay, name: &str) -> Self {
        let (line, name) = (Line::after(Duration::ZERO, progress, name), name.to_owned());
        Self { progress, line, name, is_total_known: false, is_last: true }
    }

    /// Begins the next table.
    pub(super) fn begin(&mut self, place: usize, table_count: usize) {
        self.name = format!("table {place} of {table_count}");
        (self.is_total_known, self.is_last) = (false, place == table_count);
    }

    pub(super) fn show(&mut self, event: Event) {
        let text = format!("{}: {}", self.name, step(event));
        match event {
            Event::Resume { .. } => self.progress.note(text),
            // At the last level, the total equals the number of states in any case.
            Event::Level { done, total, .. } if done == total && !self.is_total_known => {
                self.line.show_open(text);
            }
            Event::Level { done, total, .. } | Event::Segment { done, total, .. } => {
                self.is_total_known = true;
                self.line.show_share(text, done, total);
            }
            Event::Write { done, total } | Event::Check { done, total } => {
                self.line.show_share(text, done, total);
            }
            Event::Pack | Event::Sync => self.line.show_open(text),
        }
    }
}

/// Returns the step of the work on a table, such as "level 23, 1,234 of 5,520 states".
pub(crate) fn step(event: Event) -> String {
    match event {
        Event::Resume { level, done, .. } => {
            format!("resumed after level {level}, {} states", count(done))
        }
        Event::Level { level, done, total } if done == total => {
            format!("level {level}, {} states", count(done))
        }
        Event::Level { level, done, total } | Event::Segment { level, done, total } => {
            format!("level {level}, {} of {} states", count(done), count(total))
        }
        Event::Write { done, total } => format!("writing {} of {}", bytes(done), bytes(total)),
        Event::Check { done, total } => format!("checking {} of {}", bytes(done), bytes(total)),
        Event::Pack => "packing".to_owned(),
        Event::Sync => "making the file durable".to_owned(),
    }
}
