//! Progress and notes on standard error: lines that are drawn on a terminal, a few plain ones
//! elsewhere.

mod bar;
mod bounds;
#[cfg(feature = "model")]
mod horizons;
mod line;
mod tables;

use std::env;
use std::fmt;
use std::io::{self, IsTerminal};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use pdb_gen::Monitor;
use tilebase::PacketState;

use self::bar::Bar;
use self::bounds::BoundLine;
pub(crate) use self::bounds::BoundLines;
use self::line::{Amount, Line, Unit, crew, time};
use crate::interrupt;
use crate::output::{bytes, count, error_line, metric, seconds};

/// Plain lines about a search that may take days follow each other no faster.
const SEARCH_LINE_INTERVAL: Duration = Duration::from_secs(10);
/// Work that takes no longer than this is not worth a line.
const SLOW: Duration = Duration::from_secs(1);

/// What becomes of progress and notes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Progress {
    /// Nothing is shown.
    Quiet,
    /// Plain lines.
    Lines,
    /// Lines that are drawn, and erased when the work is done.
    Bars,
}

impl Progress {
    pub(crate) fn new(quiet: bool) -> Self {
        // Nothing can be drawn on a terminal that does not say what it is.
        let can_draw = env::var_os("TERM").is_some_and(|term| !term.is_empty() && term != "dumb");
        match quiet {
            true => Self::Quiet,
            false if can_draw && io::stderr().is_terminal() => Self::Bars,
            false => Self::Lines,
        }
    }

    /// Prints one line.
    pub(crate) fn note(self, text: impl fmt::Display) {
        match self {
            Self::Quiet => (),
            Self::Lines => error_line(text),
            Self::Bars => bar::print(text),
        }
    }

    /// Prints one line that was asked for by name, even where nothing else is shown.
    fn tell(self, text: impl fmt::Display) {
        let is_drawn = self == Self::Bars;
        (if is_drawn { Self::Bars } else { Self::Lines }).note(text);
    }

    /// Does work that is usually done at once. On a terminal `name` says what takes so long if it
    /// does not.
    pub(crate) fn slowly<T>(self, name: &str, work: impl FnOnce() -> T) -> T {
        let _shown = (self == Self::Bars).then(|| Bar::after(SLOW, Line::new(name)));
        work()
    }

    /// Shows how many boards are answered, of so many if that is known.
    pub(crate) fn boards(self, total: Option<u64>) -> BoardProgress {
        let bar = (self == Self::Bars).then(|| Bar::after(SLOW, Line::new("solving")));
        BoardProgress { bar, begun: Instant::now(), done: 0, total }
    }

    /// Shows how many of `total` boards are done.
    pub(crate) fn counter(self, total: u64) -> Counter {
        let amount = Amount::Of { done: 0, total, unit: Unit::Boards };
        let bar = (self == Self::Bars).then(|| Bar::new(Line { amount, ..Line::new("") }));
        Counter { progress: self, bar }
    }

    /// Shows what the library tells.
    pub(crate) fn watcher(self) -> impl Fn(&tilebase::Event<'_>) + Send + Sync + 'static {
        self.watcher_of(None)
    }

    /// Shows what the library tells, and the bounds of searches if that is asked for.
    pub(crate) fn watcher_of(
        self,
        bounds: Option<BoundLines>,
    ) -> impl Fn(&tilebase::Event<'_>) + Send + Sync + 'static {
        let shown = Mutex::new(Shown {
            progress: self,
            table: None,
            packets: None,
            rated: None,
            last_line: Instant::now(),
            bounds,
        });
        move |event| locked(&shown).show(event)
    }

    /// Shows the progress of `work`, which is called `name`, and cancels it on an interrupt.
    pub(crate) fn watch<T>(self, name: &str, work: impl FnOnce(&Monitor<'_>) -> T) -> T {
        let shown = Mutex::new(tables::Shown::new(self, name));
        let show = |event| locked(&shown).show(event);
        interrupt::orderly(|| work(&Monitor::new(&show, interrupt::flag())))
    }
}

/// How far a batch of boards is; on a terminal, after a second.
#[derive(Debug)]
pub(crate) struct BoardProgress {
    bar: Option<Bar>,
    begun: Instant,
    done: u64,
    total: Option<u64>,
}

impl BoardProgress {
    /// One more board is answered.
    pub(crate) fn count(&mut self) {
        self.done += 1;
        let Some(bar) = &self.bar else { return };
        let Self { done, total, .. } = *self;
        let rate = done as f64 / self.begun.elapsed().as_secs_f64().max(1e-9);
        bar.change(|line| {
            match total {
                Some(total) => line.set_boards(done, total),
                None => line.amount = Amount::Some { done, unit: Unit::Boards },
            }
            line.rate = Some((rate, "boards"));
        });
    }

    /// Does something that may write to the terminal.
    pub(crate) fn aside<T>(&self, work: impl FnOnce() -> T) -> T {
        if self.bar.is_some() { bar::aside(work) } else { work() }
    }

    /// There is no more to come.
    pub(crate) fn end(&mut self) {
        self.bar = None;
    }
}

/// Counts boards.
#[derive(Debug)]
pub(crate) struct Counter {
    progress: Progress,
    bar: Option<Bar>,
}

impl Counter {
    /// The next part of the work begins.
    pub(crate) fn begin(&self, name: &str) {
        match &self.bar {
            Some(bar) => bar.change(|line| name.clone_into(&mut line.name)),
            None => self.progress.note(name),
        }
    }

    /// One more board is done.
    pub(crate) fn count(&self) {
        self.change(|done| *done += 1);
    }

    /// A part is done, and with it so many boards in all.
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

/// Shows a search in packets.
#[derive(Debug)]
struct PacketProgress {
    progress: Progress,
    bar: Option<Bar>,
    last: Instant,
}

impl PacketProgress {
    fn new(progress: Progress) -> Self {
        let bar = (progress == Progress::Bars).then(|| Bar::new(Line::new("searching")));
        Self { progress, bar, last: Instant::now() }
    }

    /// Shows how far the search is; as lines only now and then.
    fn show(&mut self, state: &PacketState) {
        let PacketState { bound, done, total, rate, left } = *state;
        if let Some(bar) = &self.bar {
            bar.change(|line| {
                line.name = format!("bound {bound}");
                let (done, total) = (done as u64, total as u64);
                line.amount = Amount::Of { done, total, unit: Unit::Packets };
                line.rate = Some((rate, "nodes"));
                line.left = left.map(|left| (Instant::now(), left));
            });
        } else if self.last.elapsed() >= SEARCH_LINE_INTERVAL {
            self.last = Instant::now();
            let left = left.map(|left| format!(", {} left in this bound", time(left)));
            self.progress.note(format_args!(
                "bound {bound}: {done} of {total} packets, {} nodes/s{}{}",
                metric(rate),
                left.unwrap_or_default(),
                crew()
            ));
        }
    }
}

/// What is being shown of the library's work.
struct Shown {
    progress: Progress,
    table: Option<tables::Shown>,
    packets: Option<PacketProgress>,
    rated: Option<Bar>,
    last_line: Instant,
    bounds: Option<BoundLines>,
}

impl Shown {
    fn show(&mut self, event: &tilebase::Event<'_>) {
        use tilebase::Event as Told;

        let progress = self.progress;
        match event {
            Told::Fallback { reason, heuristic } => {
                progress.note(format_args!("note: {reason}: using {heuristic}"));
            }
            Told::Missing { name, folder, disk_bytes } => progress.note(format_args!(
                "building the tables of {name} in {}: {}",
                folder.display(),
                bytes(*disk_bytes)
            )),
            Told::TableBegins { table, description, streamed_bytes } => {
                self.table = Some(tables::Shown::new(progress, table));
                if progress == Progress::Lines {
                    let how = streamed_bytes.map_or_else(String::new, |memory| {
                        format!(", streamed in {} of memory", bytes(memory))
                    });
                    progress.note(format_args!("building {table}: {description}{how}"));
                }
            }
            Told::Table { table, event } => {
                self.table.get_or_insert_with(|| tables::Shown::new(progress, table)).show(*event);
            }
            Told::TableEnds { .. } => self.table = None,
            Told::Built(report) => progress.note(format_args!(
                "built {}: {} entries, {}, {}",
                report.path.display(),
                count(report.header.entry_count),
                bytes(report.header.file_bytes()),
                seconds(report.times.total().as_secs_f64())
            )),
            Told::Bound(state) => {
                if let Some(bounds) = self.bounds {
                    bounds.tell(&BoundLine::new(state), progress);
                }
            }
            Told::Packets(state) => {
                self.packets.get_or_insert_with(|| PacketProgress::new(progress)).show(state);
            }
            Told::PacketsEnd => self.packets = None,
            Told::Rated { doing, done, total } if progress == Progress::Bars => {
                let bar = self.rated.get_or_insert_with(|| Bar::after(SLOW, Line::new("")));
                bar.change(|line| {
                    // The next phase has a pace of its own.
                    if line.name != *doing {
                        *line = Line::new(doing);
                    }
                    line.set_boards(*done, *total);
                });
            }
            Told::Partitions { start, starts, compared, best } => {
                let now =
                    format!("start {start} of {starts}, {} partitions compared", count(*compared));
                let best = match *best {
                    best if best > 0.0 => format!(", estimate {best:.2}"),
                    _ => String::new(),
                };
                self.show_search(&format!("{now}{best}"));
            }
            Told::RatedEnd | Told::PartitionsEnd => self.rated = None,
            _ => (),
        }
    }
}

impl Shown {
    /// Shows how far a search for partitions is; as lines only now and then.
    fn show_search(&mut self, text: &str) {
        if self.progress == Progress::Bars {
            let bar = self.rated.get_or_insert_with(|| Bar::after(SLOW, Line::new("")));
            bar.change(|line| text.clone_into(&mut line.name));
        } else if self.last_line.elapsed() >= SEARCH_LINE_INTERVAL {
            self.last_line = Instant::now();
            self.progress.note(text);
        }
    }
}

fn locked<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}
