//! Progress and notes on standard error: lines that are drawn on a terminal, and a few plain lines
//! elsewhere.

mod bounds;
#[cfg(feature = "model")]
mod horizons;
mod line;
mod search;
mod tables;

use std::env;
use std::fmt;
use std::io::{self, IsTerminal};
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex};

use indicatif::HumanDuration;
use pdb_core::lock;
use pdb_core::numbers::metric;
use pdb_gen::Monitor;
use tilebase::event::PacketState;
use tilebase::shelf::MissingTables;

use self::bounds::BoundLine;
pub(crate) use self::bounds::BoundLines;
use self::line::{BOARDS, COUNTED, Line, style};
use self::search::SearchLine;
use self::tables::TableLine;
#[cfg(feature = "play")]
pub(crate) use self::tables::step;
use crate::interrupt;
use crate::output::{bytes, count, error_line, shown};

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
        if self != Self::Quiet {
            self.print(text);
        }
    }

    /// Runs work that may write to the terminal.
    pub(crate) fn aside<T>(self, work: impl FnOnce() -> T) -> T {
        if self == Self::Bars { line::aside(work) } else { work() }
    }

    /// Prints a line that an option asks for, even if the program is quiet.
    fn print(self, text: impl fmt::Display) {
        self.aside(|| error_line(text));
    }

    /// Runs work that is usually fast. On a terminal, a line with `name` appears if it is not.
    pub(crate) fn slowly<T>(self, name: &str, work: impl FnOnce() -> T) -> T {
        let line = Line::new(self, name);
        let done = work();
        drop(line);
        done
    }

    /// Shows the number of answered boards.
    pub(crate) fn boards(self, total: Option<u64>) -> BoardProgress {
        let line = Line::new(self, "solving");
        line.bar.set_style(style(if total.is_some() { BOARDS } else { COUNTED }));
        total.inspect(|&total| line.bar.set_length(total));
        BoardProgress { line }
    }

    /// Returns a watcher that shows the events of the library.
    pub(crate) fn watcher(self) -> impl Fn(&tilebase::event::Event<'_>) + Send + Sync + 'static {
        self.watcher_with(None, None).0
    }

    /// Returns a watcher that shows the events of the library; the bounds of searches, if they are
    /// wanted; and the search of a single board that counts its nodes in `generated`. Also returns
    /// its lines, to erase them after the search.
    pub(crate) fn watcher_with(
        self,
        bounds: Option<BoundLines>,
        generated: Option<Arc<AtomicU64>>,
    ) -> (impl Fn(&tilebase::event::Event<'_>) + Send + Sync + 'static, ShownLines) {
        let watcher = Watcher {
            progress: self,
            bounds,
            is_for_search: false,
            tables: None,
            work: None,
            search: None,
            generated,
        };
        let shown = Arc::new(Mutex::new(watcher));
        let lines = ShownLines(Arc::clone(&shown));
        (move |event: &tilebase::event::Event<'_>| lock(&shown).show(event), lines)
    }

    /// Shows the progress of `work`, which is called `name`, and cancels it on an interrupt.
    pub(crate) fn watch<T>(self, name: &str, work: impl FnOnce(&Monitor<'_>) -> T) -> T {
        let shown = Mutex::new(TableLine::new(self, name));
        let show = |event| lock(&shown).show(event);
        interrupt::orderly(|| work(&Monitor::new(&show, interrupt::flag())))
    }
}

/// Progress of boards: a line on a terminal, after a second.
#[derive(Debug)]
pub(crate) struct BoardProgress {
    line: Line,
}

impl BoardProgress {
    /// Begins the next batch.
    #[cfg(feature = "research")]
    pub(crate) fn begin(&self, name: &str) {
        self.line.bar.set_message(name.to_owned());
        if self.line.progress == ProgressDisplay::Lines {
            self.line.progress.note(name);
        }
    }

    /// Counts a finished board.
    pub(crate) fn count(&self) {
        self.line.bar.inc(1);
    }

    /// Sets the number of finished boards at the end of a batch.
    #[cfg(feature = "research")]
    pub(crate) fn end_of_part(&self, boards: u64) {
        self.line.bar.set_position(boards);
    }
}

/// The lines of a watcher.
pub(crate) struct ShownLines(Arc<Mutex<Watcher>>);

impl ShownLines {
    /// Erases all lines. Later events draw new ones.
    pub(crate) fn erase(&self) {
        let mut shown = lock(&self.0);
        (shown.tables, shown.work, shown.search) = (None, None, None);
    }
}

/// The state behind the watcher of a handle.
struct Watcher {
    progress: ProgressDisplay,
    bounds: Option<BoundLines>,
    /// Whether a search needs the tables that are built.
    is_for_search: bool,
    tables: Option<TableLine>,
    /// A search in packets, a rating, or a search for partitions.
    work: Option<Line>,
    search: Option<SearchLine>,
    /// The number of nodes of a single board.
    generated: Option<Arc<AtomicU64>>,
}

impl Watcher {
    fn show(&mut self, event: &tilebase::event::Event<'_>) {
        use tilebase::event::{Event, Step, Task};

        let progress = self.progress;
        match event {
            Event::Fallback { reason, heuristic, better } => {
                let better = better.map(|name| format!("; build them with: tilebase build {name}"));
                let better = better.unwrap_or_default();
                progress.note(format_args!("note: {reason}: using {heuristic}{better}"));
            }
            Event::Missing { missing: MissingTables { name, disk_bytes, seconds, .. }, folder } => {
                self.is_for_search = true;
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
            Event::Stopped { name, built_count, table_count } => {
                self.tables = None;
                let kept = if *built_count > 0 { "; they are kept" } else { "" };
                progress.note(format_args!(
                    "note: {built_count} of {table_count} tables of {name} are built{kept}"
                ));
            }
            Event::Damaged { path } => {
                progress.note(format_args!("note: {} is damaged: building it again", shown(path)));
            }
            Event::Task(
                Task::Table(file),
                Step::Begin { description, place, table_count, streamed_bytes },
            ) => {
                if progress == ProgressDisplay::Lines && !self.is_for_search {
                    let how = streamed_bytes.map_or_else(String::new, |memory| {
                        format!(", streamed in {} of memory", bytes(memory))
                    });
                    progress.note(format_args!("building {file}: {description}{how}"));
                }
                let tables = self.tables.get_or_insert_with(|| TableLine::new(progress, file));
                tables.begin(*place, *table_count);
            }
            Event::Task(Task::Table(file), Step::Table(event)) => {
                self.tables.get_or_insert_with(|| TableLine::new(progress, file)).show(*event);
            }
            Event::Bound(state) => {
                if let Some(bounds) = self.bounds {
                    bounds.show(&BoundLine::new(state), progress);
                }
                if let Some(search) = self.search() {
                    search.add_bound(state);
                }
            }
            Event::Solution(state) => {
                if let Some(bounds) = self.bounds {
                    bounds.show_solution(state, progress);
                }
                if let Some(search) = self.search() {
                    search.add_solution(state);
                }
            }
            Event::Task(_, Step::Packets(state)) => {
                let PacketState { bound, done, total, rate, left } = *state;
                let left =
                    left.map(|left| format!(", {} left", HumanDuration(left))).unwrap_or_default();
                self.work().show(format_args!(
                    "bound {bound}: {done} of {total} packets, {} nodes/s{left}",
                    metric(rate)
                ));
            }
            Event::Task(_, Step::Boards { doing, done, total }) => {
                self.work().show_share(doing, *done, *total);
            }
            Event::Task(_, Step::Partitions { start, starts, compared, best }) => {
                let best = (*best > 0.0).then(|| format!(", estimate {best:.2}"));
                self.work().show(format_args!(
                    "start {start} of {starts}: {} partitions compared{}",
                    count(*compared),
                    best.unwrap_or_default()
                ));
            }
            // The next table goes on with the line.
            Event::Task(Task::Table(_), Step::End) => _ = self.tables.take_if(|line| line.is_last),
            Event::Task(_, Step::End) => self.work = None,
            _ => (),
        }
    }

    fn work(&mut self) -> &mut Line {
        self.work.get_or_insert_with(|| Line::new(self.progress, "searching"))
    }

    /// Returns the line about the search of a single board, if there is one.
    fn search(&mut self) -> Option<&mut SearchLine> {
        let generated = self.generated.clone()?;
        Some(self.search.get_or_insert_with(|| SearchLine::new(self.progress, generated)))
    }
}
