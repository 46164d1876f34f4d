//! Progress and notes on standard error: bars on a terminal, a few plain lines elsewhere.

use std::fmt::{self, Write as _};
use std::io::{self, IsTerminal, Write};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressState, ProgressStyle};
use pdb_gen::{Event, Monitor};

use crate::interrupt;
use crate::output::{bytes, count, metric};

/// Plain lines about one piece of work follow each other no faster.
const LINE_INTERVAL: Duration = Duration::from_secs(1);
/// How often a bar is drawn while nothing happens, so that its clock goes on.
const TICK: Duration = Duration::from_millis(100);

/// What becomes of progress and notes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Progress {
    /// Nothing is shown.
    Quiet,
    /// Plain lines.
    Lines,
    /// Bars, which are erased when they are done.
    Bars,
}

impl Progress {
    pub(crate) fn new(quiet: bool) -> Self {
        match quiet {
            true => Self::Quiet,
            false if io::stderr().is_terminal() => Self::Bars,
            false => Self::Lines,
        }
    }

    /// Prints one line; nothing can be done when that fails.
    pub(crate) fn note(self, text: impl fmt::Display) {
        if self != Self::Quiet {
            let _ = writeln!(io::stderr(), "{text}");
        }
    }

    /// Shows the progress of `work`, which is called `name`, and cancels it on an interrupt.
    pub(crate) fn watch<T>(self, name: &str, work: impl FnOnce(&Monitor<'_>) -> T) -> T {
        match self {
            Self::Quiet => work(&Monitor::new(&|_| (), interrupt::flag())),
            Self::Lines => {
                let lines = Lines {
                    name,
                    begun: Instant::now(),
                    last: Mutex::new(Instant::now()),
                };
                work(&Monitor::new(&|event| lines.show(event), interrupt::flag()))
            }
            Self::Bars => {
                let bar = Bar::new(name);
                let result = work(&Monitor::new(&|event| bar.show(event), interrupt::flag()));
                bar.bar.finish_and_clear();
                result
            }
        }
    }
}

struct Lines<'a> {
    name: &'a str,
    begun: Instant,
    last: Mutex<Instant>,
}

impl Lines<'_> {
    fn show(&self, event: Event) {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if last.elapsed() < LINE_INTERVAL {
            return;
        }
        *last = Instant::now();
        let mut line = format!("{}: ", self.name);
        let _ = match event {
            Event::Level { level, done, total } => {
                let rate = metric(done as f64 / self.begun.elapsed().as_secs_f64());
                let of = Phase::of(event)
                    .length()
                    .map_or_else(String::new, |_| format!(" of {}", count(total)));
                write!(line, "level {level}, {}{of} states, {rate}/s", count(done))
            }
            Event::Write { done, total } => {
                write!(line, "written {} of {}", bytes(done), bytes(total))
            }
            Event::Check { done, total } => {
                write!(line, "checked {} of {}", bytes(done), bytes(total))
            }
            Event::Pack => write!(line, "packing"),
            Event::Sync => write!(line, "making the file durable"),
            _ => return,
        };
        Progress::Lines.note(line);
    }
}

/// What a bar measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// States, of so many.
    States(u64),
    /// States, of nobody knows how many.
    StatesOfUnknown,
    /// Bytes, of so many.
    Bytes(u64),
    /// Nothing.
    Short,
}

impl Phase {
    fn of(event: Event) -> Self {
        match event {
            // Walking Distance does not know its total before the end.
            Event::Level { done, total, .. } if done == total => Self::StatesOfUnknown,
            Event::Level { total, .. } => Self::States(total),
            Event::Write { total, .. } | Event::Check { total, .. } => Self::Bytes(total),
            _ => Self::Short,
        }
    }

    fn length(self) -> Option<u64> {
        match self {
            Self::States(total) | Self::Bytes(total) => Some(total),
            Self::StatesOfUnknown | Self::Short => None,
        }
    }

    fn style(self) -> ProgressStyle {
        let template = match self {
            Self::States(_) => {
                "{prefix} {msg} [{wide_bar}] {human_pos} of {human_len} states, {rate}/s, {eta} left"
            }
            Self::StatesOfUnknown => "{prefix} {msg}, {human_pos} states, {rate}/s",
            Self::Bytes(_) => {
                "{prefix} {msg} [{wide_bar}] {decimal_bytes} of {decimal_total_bytes}"
            }
            Self::Short => "{prefix} {msg} {elapsed}",
        };
        ProgressStyle::with_template(template)
            .unwrap_or_else(|_| ProgressStyle::default_bar())
            .progress_chars("=> ")
            .with_key("rate", |state: &ProgressState, out: &mut dyn fmt::Write| {
                let _ = out.write_str(&metric(state.per_sec()));
            })
    }
}

struct Bar {
    bar: ProgressBar,
    phase: Mutex<Phase>,
}

impl Bar {
    fn new(name: &str) -> Self {
        let bar = ProgressBar::no_length().with_style(Phase::Short.style());
        bar.set_prefix(name.to_owned());
        bar.enable_steady_tick(TICK);
        Self {
            bar,
            phase: Mutex::new(Phase::Short),
        }
    }

    fn show(&self, event: Event) {
        let mut phase = self.phase.lock().unwrap_or_else(PoisonError::into_inner);
        let now = Phase::of(event);
        // The last level is complete, which must not look like a total that nobody knows.
        let is_last_level = matches!((*phase, now), (Phase::States(_), Phase::StatesOfUnknown));
        if *phase != now && !is_last_level {
            *phase = now;
            self.bar.set_style(now.style());
            self.bar.reset();
            if let Some(length) = now.length() {
                self.bar.set_length(length);
            }
        }
        match event {
            Event::Level { level, done, .. } => {
                self.bar.set_message(format!("level {level}"));
                self.bar.set_position(done);
            }
            Event::Write { done, .. } => {
                self.bar.set_message("writing");
                self.bar.set_position(done);
            }
            Event::Check { done, .. } => {
                self.bar.set_message("checking");
                self.bar.set_position(done);
            }
            Event::Pack => self.bar.set_message("packing"),
            Event::Sync => self.bar.set_message("making the file durable"),
            _ => (),
        }
    }
}
