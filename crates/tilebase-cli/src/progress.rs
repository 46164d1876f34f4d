//! Progress and notes on standard error: bars on a terminal, a few plain lines elsewhere.

use std::fmt;
use std::io::{self, IsTerminal, Write};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{HumanDuration, ProgressBar, ProgressState, ProgressStyle};
use pdb_gen::{Event, Monitor};
use tilebase::PacketState;

use crate::interrupt;
use crate::output::{bytes, count, metric, seconds};

/// Plain lines about one piece of work follow each other no faster.
const LINE_INTERVAL: Duration = Duration::from_secs(1);
/// So do lines about a search that may take days.
const SEARCH_LINE_INTERVAL: Duration = Duration::from_secs(10);
/// A batch of boards that takes less is over before anybody looks.
const BOARDS_AFTER: Duration = Duration::from_secs(1);
/// How often a bar is drawn while nothing happens, so that its clock goes on.
const TICK: Duration = Duration::from_millis(100);

/// Counts pieces of work.
#[derive(Debug)]
pub(crate) struct Counter {
    progress: Progress,
    drawn: ProgressBar,
}

impl Counter {
    /// The next part of the work begins.
    pub(crate) fn begin(&self, name: &str) {
        self.drawn.set_message(name.to_owned());
        if self.progress == Progress::Lines {
            self.progress.note(name);
        }
    }

    /// One more piece is done.
    pub(crate) fn count(&self) {
        self.drawn.inc(1);
    }

    /// A part is done, and with it so many pieces in all.
    pub(crate) fn end_of_part(&self, done: u64) {
        self.drawn.set_position(done);
    }
}

impl Drop for Counter {
    fn drop(&mut self) {
        self.drawn.finish_and_clear();
    }
}

/// How far a batch of boards is; on a terminal, after a second.
#[derive(Debug)]
pub(crate) struct BoardProgress {
    drawn: ProgressBar,
}

impl BoardProgress {
    /// One more board is answered.
    pub(crate) fn count(&self) {
        self.drawn.inc(1);
    }

    /// Does something that writes to the terminal.
    pub(crate) fn aside<T>(&self, work: impl FnOnce() -> T) -> T {
        self.drawn.suspend(work)
    }

    /// There is no more to come.
    pub(crate) fn end(&self) {
        self.drawn.finish_and_clear();
    }
}

impl Drop for BoardProgress {
    fn drop(&mut self) {
        self.drawn.finish_and_clear();
    }
}

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

    /// Shows how many of `total` pieces of work are done.
    pub(crate) fn counter(self, total: u64) -> Counter {
        let drawn = match self {
            Self::Bars => ProgressBar::new(total),
            _ => ProgressBar::hidden(),
        };
        let style = ProgressStyle::with_template("{msg} [{wide_bar}] {pos}/{len}, {elapsed}");
        drawn.set_style(style.expect("the template is fixed and right").progress_chars("=> "));
        drawn.enable_steady_tick(TICK);
        Counter { progress: self, drawn }
    }

    /// Shows how many boards are answered, of so many if that is known.
    pub(crate) fn boards(self, total: Option<u64>) -> BoardProgress {
        let drawn = match (self, total) {
            (Self::Bars, Some(total)) => ProgressBar::new(total),
            (Self::Bars, None) => ProgressBar::no_length(),
            _ => ProgressBar::hidden(),
        };
        let text = move |state: &ProgressState| match total {
            _ if state.elapsed() < BOARDS_AFTER => String::new(),
            Some(1) => format!("searching, {}", HumanDuration(state.elapsed())),
            Some(total) => format!(
                "{} of {} boards, {}/s, {} left",
                count(state.pos()),
                count(total),
                metric(state.per_sec()),
                HumanDuration(state.eta())
            ),
            None => format!("{} boards, {}/s", count(state.pos()), metric(state.per_sec())),
        };
        let style =
            ProgressStyle::with_template("{text}").expect("the template is fixed and right");
        drawn.set_style(style.with_key(
            "text",
            move |state: &ProgressState, w: &mut dyn fmt::Write| {
                // Nothing can be done when that fails.
                let _ = w.write_str(&text(state));
            },
        ));
        drawn.enable_steady_tick(TICK);
        BoardProgress { drawn }
    }

    /// Shows a search in packets.
    pub(crate) fn packets(self) -> PacketProgress {
        let drawn = match self {
            Self::Bars => ProgressBar::new(0),
            _ => ProgressBar::hidden(),
        };
        let template = "{prefix} [{wide_bar}] {pos} of {len} packets, {msg}";
        let style = ProgressStyle::with_template(template);
        drawn.set_style(style.expect("the template is fixed and right").progress_chars("=> "));
        PacketProgress { progress: self, drawn, last: Instant::now() }
    }

    /// Shows what the library tells.
    pub(crate) fn watcher(self) -> impl Fn(&tilebase::Event<'_>) + Send + Sync + 'static {
        let shown = Mutex::new(Shown { progress: self, table: None, packets: None });
        move |event| locked(&shown).show(event)
    }

    /// Shows the progress of `work`, which is called `name`, and cancels it on an interrupt.
    pub(crate) fn watch<T>(self, name: &str, work: impl FnOnce(&Monitor<'_>) -> T) -> T {
        match self {
            Self::Quiet => work(&Monitor::new(&|_| (), interrupt::flag())),
            Self::Lines => {
                let lines = Mutex::new(Lines::new(name));
                work(&Monitor::new(&|event| locked(&lines).show(event), interrupt::flag()))
            }
            Self::Bars => {
                let bar = Mutex::new(Bar::new(name));
                let report = |event| locked(&bar).show(event);
                let result = work(&Monitor::new(&report, interrupt::flag()));
                locked(&bar).drawn.finish_and_clear();
                result
            }
        }
    }
}

/// ", 24 M/s, 3 minutes left in this bound".
fn pace_of(state: &PacketState) -> String {
    let left = state.left.map(|left| format!(", {} left in this bound", HumanDuration(left)));
    format!("{}/s{}", metric(state.rate), left.unwrap_or_default())
}

/// Shows a search in packets.
#[derive(Debug)]
pub(crate) struct PacketProgress {
    progress: Progress,
    drawn: ProgressBar,
    last: Instant,
}

impl PacketProgress {
    /// Shows how far the search is; as lines only now and then.
    pub(crate) fn show(&mut self, state: &PacketState) {
        let PacketState { bound, done, total, .. } = *state;
        self.drawn.set_length(total as u64);
        self.drawn.set_position(done as u64);
        self.drawn.set_prefix(format!("bound {bound}"));
        self.drawn.set_message(pace_of(state));
        if self.progress == Progress::Lines && self.last.elapsed() >= SEARCH_LINE_INTERVAL {
            self.last = Instant::now();
            let pace = pace_of(state);
            self.progress.note(format_args!("bound {bound}: {done} of {total} packets, {pace}"));
        }
    }
}

impl Drop for PacketProgress {
    fn drop(&mut self) {
        self.drawn.finish_and_clear();
    }
}

/// What is being shown of the library's work.
struct Shown {
    progress: Progress,
    table: Option<Table>,
    packets: Option<PacketProgress>,
}

/// A table that is being built.
enum Table {
    Lines(Lines),
    Bar(Bar),
}

impl Shown {
    fn show(&mut self, event: &tilebase::Event<'_>) {
        use tilebase::Event as Told;

        match event {
            Told::Fallback { reason, heuristic } => {
                self.progress.note(format_args!("note: {reason}: using {heuristic}"));
            }
            Told::Missing { name, folder, disk_bytes } => self.progress.note(format_args!(
                "building the tables of {name} in {}: {}",
                folder.display(),
                bytes(*disk_bytes)
            )),
            Told::TableBegins { table, description, streamed_bytes } => {
                if self.progress == Progress::Lines {
                    let how = streamed_bytes.map_or_else(String::new, |memory| {
                        format!(", streamed in {} of memory", bytes(memory))
                    });
                    self.progress.note(format_args!("building {table}: {description}{how}"));
                }
            }
            Told::Table { table, event } => match self.progress {
                Progress::Quiet => (),
                Progress::Lines | Progress::Bars => {
                    let is_drawn = self.progress == Progress::Bars;
                    let shown = self.table.get_or_insert_with(|| match is_drawn {
                        true => Table::Bar(Bar::new(table)),
                        false => Table::Lines(Lines::new(table)),
                    });
                    match shown {
                        Table::Lines(lines) => lines.show(*event),
                        Table::Bar(bar) => bar.show(*event),
                    }
                }
            },
            Told::TableEnds { .. } => {
                if let Some(Table::Bar(bar)) = self.table.take() {
                    bar.drawn.finish_and_clear();
                }
            }
            Told::Built(report) => self.progress.note(format_args!(
                "built {}: {} entries, {}, {}",
                report.path.display(),
                count(report.header.entry_count),
                bytes(report.header.file_bytes()),
                seconds(report.times.total().as_secs_f64())
            )),
            Told::Packets(state) => {
                let progress = self.progress;
                self.packets.get_or_insert_with(|| progress.packets()).show(state);
            }
            Told::PacketsEnd => self.packets = None,
            _ => (),
        }
    }
}

fn locked<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

/// How fast the states of the last level came. Levels grow and shrink too much for a mean over all.
struct Pace {
    last: Instant,
    done: u64,
}

impl Pace {
    fn new() -> Self {
        Self { last: Instant::now(), done: 0 }
    }

    /// ", 150 M/s, 8 s left" after a level.
    fn after(&mut self, done: u64, total: Option<u64>) -> String {
        let seconds = self.last.elapsed().as_secs_f64();
        let rate = (done - self.done.min(done)) as f64 / seconds.max(1e-9);
        *self = Self { last: Instant::now(), done };
        // The first levels are too small to tell anything.
        let left = total
            .filter(|total| done > total / 100)
            .map(|total| format!(", {:.0} s left", (total - done) as f64 / rate));
        format!(", {}/s{}", metric(rate), left.unwrap_or_default())
    }
}

struct Lines {
    name: String,
    pace: Pace,
    last: Instant,
}

impl Lines {
    fn new(name: &str) -> Self {
        Self { name: name.to_owned(), pace: Pace::new(), last: Instant::now() }
    }

    fn show(&mut self, event: Event) {
        let text = match event {
            Event::Resume { level, done, .. } => {
                self.pace = Pace { last: Instant::now(), done };
                // However soon it is after the last line.
                let text = format!("going on after level {level}, {} states", count(done));
                return Progress::Lines.note(format_args!("{}: {text}", self.name));
            }
            Event::Segment { level, done, total } => {
                format!("in level {level}, {} of {} states", count(done), count(total))
            }
            Event::Level { level, done, .. } => {
                let total = Phase::of(event).length();
                let of = total.map_or_else(String::new, |total| format!(" of {}", count(total)));
                let pace = self.pace.after(done, total);
                format!("level {level}, {}{of} states{pace}", count(done))
            }
            Event::Write { done, total } => {
                format!("written {} of {}", bytes(done), bytes(total))
            }
            Event::Check { done, total } => {
                format!("checked {} of {}", bytes(done), bytes(total))
            }
            Event::Pack => "packing".to_owned(),
            Event::Sync => "making the file durable".to_owned(),
            _ => return,
        };
        if self.last.elapsed() >= LINE_INTERVAL {
            self.last = Instant::now();
            Progress::Lines.note(format_args!("{}: {text}", self.name));
        }
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
            Event::Level { total, .. }
            | Event::Segment { total, .. }
            | Event::Resume { total, .. } => Self::States(total),
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
            Self::States(_) => "{prefix} [{wide_bar}] {human_pos} of {human_len} states{msg}",
            Self::StatesOfUnknown => "{prefix}, {human_pos} states{msg}",
            Self::Bytes(_) => "{prefix} [{wide_bar}] {decimal_bytes} of {decimal_total_bytes}",
            Self::Short => "{prefix}, {elapsed}",
        };
        ProgressStyle::with_template(template)
            .expect("the templates are fixed and right")
            .progress_chars("=> ")
    }
}

struct Bar {
    name: String,
    drawn: ProgressBar,
    phase: Phase,
    pace: Pace,
}

impl Bar {
    fn new(name: &str) -> Self {
        let phase = Phase::Short;
        let drawn = ProgressBar::no_length().with_style(phase.style()).with_prefix(name.to_owned());
        drawn.enable_steady_tick(TICK);
        Self { name: name.to_owned(), drawn, phase, pace: Pace::new() }
    }

    fn show(&mut self, event: Event) {
        let phase = Phase::of(event);
        // The last level is complete, which must not look like a total that nobody knows.
        let is_last_level =
            matches!((self.phase, phase), (Phase::States(_), Phase::StatesOfUnknown));
        if self.phase != phase && !is_last_level {
            self.phase = phase;
            self.drawn.set_style(phase.style());
            self.drawn.reset();
            if let Some(length) = phase.length() {
                self.drawn.set_length(length);
            }
        }
        let doing = match event {
            Event::Level { level, done, .. } => {
                self.drawn.set_position(done);
                self.drawn.set_message(self.pace.after(done, phase.length()));
                format!("level {level}")
            }
            Event::Segment { level, done, .. } => {
                self.drawn.set_position(done);
                format!("level {level}")
            }
            Event::Resume { level, done, .. } => {
                self.pace = Pace { last: Instant::now(), done };
                self.drawn.set_position(done);
                let text = format!("going on after level {level}, {} states", count(done));
                self.drawn.println(format!("{}: {text}", self.name));
                return;
            }
            Event::Write { done, .. } => {
                self.drawn.set_position(done);
                "writing".to_owned()
            }
            Event::Check { done, .. } => {
                self.drawn.set_position(done);
                "checking".to_owned()
            }
            Event::Pack => "packing".to_owned(),
            Event::Sync => "making the file durable".to_owned(),
            _ => return,
        };
        self.drawn.set_prefix(format!("{}: {doing}", self.name));
    }
}
