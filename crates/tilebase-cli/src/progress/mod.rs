//! Progress and notes on standard error: lines that are drawn on a terminal, and a few plain lines
//! elsewhere.

mod bar;
mod bounds;
#[cfg(feature = "research")]
mod counter;
#[cfg(feature = "model")]
mod horizons;
mod line;
mod search;
mod shown;
mod tables;

use std::env;
use std::fmt;
use std::io::{self, IsTerminal};
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use pdb_gen::Monitor;
use tilebase::event::PacketState;

use self::bar::Bar;
use self::bounds::BoundLine;
pub(crate) use self::bounds::BoundLines;
#[cfg(feature = "research")]
pub(crate) use self::counter::Counter;
use self::line::{Amount, Line, Unit};
use self::search::SearchState;
use self::shown::Shown;
#[cfg(feature = "play")]
pub(crate) use self::tables::TableLine;
#[cfg(not(feature = "play"))]
use self::tables::TableLine;
use crate::interrupt;
use crate::output::{bytes, count, error_line, seconds, shown};

/// Shortest time between plain lines about a search, which may take days.
const SEARCH_LINE_INTERVAL: Duration = Duration::from_secs(10);
/// Shortest time between plain lines about a table.
const TABLE_LINE_INTERVAL: Duration = Duration::from_secs(1);
/// Work that takes less time has no line.
const SLOW: Duration = Duration::from_secs(1);

/// How progress and notes are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ProgressDisplay {
    /// Not at all.
    Quiet,
    /// As plain lines.
    Lines,
    /// As lines that are drawn, and erased after the work.
    Bars,
}

impl ProgressDisplay {
    pub(crate) fn new(quiet: bool) -> Self {
        // A terminal of unknown type cannot be drawn on.
        let can_draw = env::var_os("TERM").is_some_and(|term| !term.is_empty() && term != "dumb");
        match quiet {
            true => Self::Quiet,
            false if can_draw && io::stderr().is_terminal() => Self::Bars,
            false => Self::Lines,
        }
    }

    /// Prints a line, unless the program is quiet.
    pub(crate) fn note(self, text: impl fmt::Display) {
        match self {
            Self::Quiet => (),
            Self::Lines => error_line(text),
            Self::Bars => bar::print(text),
        }
    }

    /// Prints a line that an option asks for, even if the program is quiet.
    fn print(self, text: impl fmt::Display) {
        if self == Self::Bars { bar::print(text) } else { error_line(text) }
    }

    /// Runs work that is usually fast. On a terminal, a line with `name` appears if it is not.
    pub(crate) fn slowly<T>(self, name: &str, work: impl FnOnce() -> T) -> T {
        let _shown = (self == Self::Bars).then(|| Bar::after(SLOW, Line::new(name)));
        work()
    }

    /// Shows the number of answered boards.
    pub(crate) fn boards(self, total: Option<u64>) -> BoardProgress {
        let bar = (self == Self::Bars).then(|| Bar::after(SLOW, Line::new("solving")));
        BoardProgress { bar, begun: Instant::now(), done: 0, total }
    }

    /// Returns a watcher that shows the events of the library.
    pub(crate) fn watcher(self) -> impl Fn(&tilebase::event::Event<'_>) + Send + Sync + 'static {
        self.watcher_with(None, None)
    }

    /// Returns a watcher that shows the events of the library; the bounds of searches, if they are
    /// wanted; and the search of a single board that counts its nodes in `generated`.
    pub(crate) fn watcher_with(
        self,
        bounds: Option<BoundLines>,
        generated: Option<Arc<AtomicU64>>,
    ) -> impl Fn(&tilebase::event::Event<'_>) + Send + Sync + 'static {
        let shown = Mutex::new(Watcher {
            progress: self,
            bounds,
            begun: Instant::now(),
            table: None,
            search: None,
            single: generated.map(SearchState::new),
            rated: None,
        });
        move |event| locked(&shown).show(event)
    }

    /// Shows the progress of `work`, which is called `name`, and cancels it on an interrupt.
    pub(crate) fn watch<T>(self, name: &str, work: impl FnOnce(&Monitor<'_>) -> T) -> T {
        let shown = Mutex::new(TableProgress::new(self, name));
        let show = |event| locked(&shown).show(event);
        interrupt::orderly(|| work(&Monitor::new(&show, interrupt::flag())))
    }
}

/// Progress of a batch of boards: a line on a terminal, after a second.
#[derive(Debug)]
pub(crate) struct BoardProgress {
    bar: Option<Bar>,
    begun: Instant,
    done: u64,
    total: Option<u64>,
}

impl BoardProgress {
    /// Counts an answered board.
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

    /// Runs work that may write to the terminal.
    pub(crate) fn aside<T>(&self, work: impl FnOnce() -> T) -> T {
        if self.bar.is_some() { bar::aside(work) } else { work() }
    }
}

/// Progress of work on a table.
struct TableProgress {
    shown: Shown,
    table: TableLine,
}

impl TableProgress {
    fn new(progress: ProgressDisplay, name: &str) -> Self {
        let name =
            if progress == ProgressDisplay::Bars { TableLine::short_name(name) } else { name };
        let shown = Shown::new(progress, Line::new(name), TABLE_LINE_INTERVAL);
        Self { shown, table: TableLine::new(name) }
    }

    fn show(&mut self, event: pdb_gen::Event) {
        match self.table.update(event) {
            Some(note) => {
                self.shown.progress.note(format_args!("{}: {note}", self.table.line.name));
            }
            None => self.shown.show(&self.table.line),
        }
    }
}

/// The state behind the watcher of a handle.
struct Watcher {
    progress: ProgressDisplay,
    bounds: Option<BoundLines>,
    begun: Instant,
    table: Option<TableProgress>,
    /// A search in packets, or a search for partitions.
    search: Option<Shown>,
    /// A single board.
    single: Option<SearchState>,
    rated: Option<Bar>,
}

impl Watcher {
    fn show(&mut self, event: &tilebase::event::Event<'_>) {
        use tilebase::event::{Event, Step, Task};

        let progress = self.progress;
        match event {
            Event::Fallback { reason, heuristic } => {
                progress.note(format_args!("note: {reason}: using {heuristic}"));
            }
            Event::Missing { name, folder, disk_bytes, seconds } => {
                // A quick build is over before its time is read.
                let time =
                    (*seconds >= 1.0).then(|| format!(", about {seconds:.0} s on two cores"));
                progress.note(format_args!(
                    "building the tables of {name} in {}: {}{}",
                    shown(folder),
                    bytes(*disk_bytes),
                    time.unwrap_or_default()
                ));
            }
            Event::Damaged { path } => {
                progress.note(format_args!("note: {} is damaged: building it again", shown(path)));
            }
            Event::Task(Task::Table(table), Step::Begin { description, streamed_bytes }) => {
                self.table = Some(TableProgress::new(progress, table));
                if progress == ProgressDisplay::Lines {
                    let how = streamed_bytes.map_or_else(String::new, |memory| {
                        format!(", streamed in {} of memory", bytes(memory))
                    });
                    progress.note(format_args!("building {table}: {description}{how}"));
                }
            }
            Event::Task(Task::Table(table), Step::Table(event)) => {
                self.table.get_or_insert_with(|| TableProgress::new(progress, table)).show(*event);
            }
            Event::Built(report) => progress.note(format_args!(
                "built {}: {} entries, {}, {}",
                shown(&report.path),
                count(report.header.entry_count),
                bytes(report.header.file_bytes()),
                seconds(report.times.total().as_secs_f64())
            )),
            Event::Bound(state) => {
                if let Some(bounds) = self.bounds {
                    bounds.show(&BoundLine::new(state), progress);
                }
                self.show_single(|single| single.add_bound(state));
            }
            Event::Solution(state) => {
                if let Some(bounds) = self.bounds {
                    bounds.show_solution(state, progress);
                }
                self.show_single(|single| single.add_solution(state));
            }
            Event::Task(_, Step::Packets(state)) => {
                let PacketState { bound, done, total, rate, left } = *state;
                let (done, total) = (done as u64, total as u64);
                let mut line = Line::new(&format!("bound {bound}"));
                line.amount = Amount::Of { done, total, unit: Unit::Packets };
                line.rate = Some((rate, "nodes"));
                line.set_left(left);
                self.show_search(&line);
            }
            Event::Task(_, Step::Boards { doing, done, total })
                if progress == ProgressDisplay::Bars =>
            {
                let bar = self.rated.get_or_insert_with(|| Bar::after(SLOW, Line::new("")));
                bar.change(|line| {
                    // Each phase has a pace of its own.
                    if line.name != *doing {
                        *line = Line::new(doing);
                    }
                    line.set_boards(*done, *total);
                });
            }
            Event::Task(_, Step::Partitions { start, starts, compared, best }) => {
                let mut line = Line::new(&format!("start {start} of {starts}"));
                line.begun = self.begun;
                let compared = count(*compared);
                line.doing = if *best > 0.0 {
                    format!("{compared} partitions compared, estimate {best:.2}")
                } else {
                    format!("{compared} partitions compared")
                };
                self.show_search(&line);
            }
            Event::Task(task, Step::End) => match task {
                Task::Table(_) => self.table = None,
                Task::Rating => self.rated = None,
                _ => self.search = None,
            },
            _ => (),
        }
    }

    fn show_single(&mut self, change: impl FnOnce(&mut SearchState)) {
        let Some(single) = &mut self.single else { return };
        change(single);
        let amount = Amount::Search(single.clone());
        let line = Line { amount, begun: self.begun, ..Line::new(&single.bounds()) };
        let begin = || Shown::after(self.progress, SLOW, line.clone(), SEARCH_LINE_INTERVAL);
        self.search.get_or_insert_with(begin).show(&line);
    }

    fn show_search(&mut self, line: &Line) {
        let begin = || Shown::new(self.progress, Line::new("searching"), SEARCH_LINE_INTERVAL);
        self.search.get_or_insert_with(begin).show(line);
    }
}

fn locked<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}
