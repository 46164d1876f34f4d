//! Tables that are built, checked, shipped or installed: on a line that is drawn, or in lines.

use std::path::Path;
use std::time::{Duration, Instant};

use pdb_gen::Event;

use super::Progress;
use super::bar::Bar;
use super::line::{Amount, Line, Unit, crew, time};
use crate::output::{bytes, count, metric};

/// Plain lines about one piece of work follow each other no faster.
const LINE_INTERVAL: Duration = Duration::from_secs(1);

/// Shows work on one table.
#[derive(Debug)]
pub(super) enum Shown {
    Nothing,
    Lines(Lines),
    Drawn(Drawn),
}

impl Shown {
    pub(super) fn new(progress: Progress, name: &str) -> Self {
        match progress {
            Progress::Quiet => Self::Nothing,
            Progress::Lines => Self::Lines(Lines::new(name)),
            Progress::Bars => Self::Drawn(Drawn::new(name)),
        }
    }

    pub(super) fn show(&mut self, event: Event) {
        match self {
            Self::Nothing => (),
            Self::Lines(lines) => lines.show(event),
            Self::Drawn(drawn) => drawn.show(event),
        }
    }
}

/// How fast the states of the last level came. Levels grow and shrink too much for a mean over all.
#[derive(Debug)]
struct Pace {
    last: Instant,
    done: u64,
}

impl Pace {
    fn at(done: u64) -> Self {
        Self { last: Instant::now(), done }
    }

    /// States a second after a level, and the time that is left.
    fn after(&mut self, done: u64, total: Option<u64>) -> (f64, Option<Duration>) {
        let seconds = self.last.elapsed().as_secs_f64();
        let rate = (done - self.done.min(done)) as f64 / seconds.max(1e-9);
        *self = Self::at(done);
        // The first levels are too small to tell anything.
        let left = total.filter(|total| done > total / 100 && rate > 0.0).and_then(|total| {
            Duration::try_from_secs_f64(total.saturating_sub(done) as f64 / rate).ok()
        });
        (rate, left)
    }
}

/// How many states there are, where that is known. Walking Distance does not know it before the end.
fn known(done: u64, total: u64) -> Option<u64> {
    (done != total).then_some(total)
}

/// Plain lines.
#[derive(Debug)]
pub(super) struct Lines {
    name: String,
    pace: Pace,
    last: Instant,
}

impl Lines {
    fn new(name: &str) -> Self {
        Self { name: name.to_owned(), pace: Pace::at(0), last: Instant::now() }
    }

    fn show(&mut self, event: Event) {
        let text = match event {
            Event::Resume { level, done, .. } => {
                self.pace = Pace::at(done);
                // However soon it is after the last line.
                return Progress::Lines.note(resumed(&self.name, level, done));
            }
            Event::Segment { level, done, total } => {
                format!("in level {level}, {} of {} states", count(done), count(total))
            }
            Event::Level { level, done, total } => {
                let total = known(done, total);
                let of = total.map_or_else(String::new, |total| format!(" of {}", count(total)));
                let (rate, left) = self.pace.after(done, total);
                let left = left.map_or_else(String::new, |left| format!(", {} left", time(left)));
                format!(
                    "level {level}, {}{of} states, {} states/s{left}",
                    count(done),
                    metric(rate)
                )
            }
            Event::Write { done, total } => format!("written {} of {}", bytes(done), bytes(total)),
            Event::Check { done, total } => format!("checked {} of {}", bytes(done), bytes(total)),
            Event::Pack => "packing".to_owned(),
            Event::Sync => "making the file durable".to_owned(),
            _ => return,
        };
        if self.last.elapsed() >= LINE_INTERVAL {
            self.last = Instant::now();
            Progress::Lines.note(format_args!("{}: {text}{}", self.name, crew()));
        }
    }
}

fn resumed(name: &str, level: u32, done: u64) -> String {
    format!("{name}: going on after level {level}, {} states", count(done))
}

/// A line that is drawn.
#[derive(Debug)]
pub(super) struct Drawn {
    name: String,
    bar: Bar,
    pace: Pace,
    /// Whether the states are counted of a number that is known.
    is_total_known: bool,
}

impl Drawn {
    fn new(name: &str) -> Self {
        // The folder and what all tables end with only take columns away.
        let path = Path::new(name);
        let is_table = path.extension().is_some_and(|extension| extension == "pdb");
        let short = path.file_stem().filter(|_| is_table).and_then(|stem| stem.to_str());
        let bar = Bar::new(Line::new(short.unwrap_or(name)));
        Self { name: name.to_owned(), bar, pace: Pace::at(0), is_total_known: false }
    }

    fn show(&mut self, event: Event) {
        match event {
            Event::Level { level, done, total } => {
                // The last level is complete, which must not look like a total that nobody knows.
                self.is_total_known |= done != total;
                let total = Some(total).filter(|_| self.is_total_known);
                let (rate, left) = self.pace.after(done, total);
                self.bar.change(|line| {
                    line.doing = format!("level {level}");
                    line.amount = states(done, total);
                    line.rate = Some((rate, "states"));
                    line.left = left.map(|left| (Instant::now(), left));
                });
            }
            Event::Segment { level, done, total } => self.bar.change(|line| {
                line.doing = format!("level {level}");
                line.amount = states(done, Some(total));
            }),
            Event::Resume { level, done, .. } => {
                self.pace = Pace::at(done);
                Progress::Bars.note(resumed(&self.name, level, done));
            }
            Event::Write { done, total } => self.show_bytes("writing", done, total),
            Event::Check { done, total } => self.show_bytes("checking", done, total),
            Event::Pack => self.begin("packing"),
            Event::Sync => self.begin("making it durable"),
            _ => (),
        }
    }

    /// Something begins of which only the time is known.
    fn begin(&self, doing: &str) {
        self.bar.change(|line| *line = begun(line, doing));
    }

    fn show_bytes(&self, doing: &str, done: u64, total: u64) {
        self.bar.change(|line| {
            if line.doing != doing {
                *line = begun(line, doing);
            }
            line.amount = Amount::Of { done, total, unit: Unit::Bytes };
            let seconds = line.begun.elapsed().as_secs_f64();
            let rate = done as f64 / seconds.max(1e-9);
            if done > 0 && seconds > 0.1 {
                line.rate = Some((rate, "B"));
                let left = Duration::try_from_secs_f64(total.saturating_sub(done) as f64 / rate);
                line.left = left.ok().map(|left| (Instant::now(), left));
            }
        });
    }
}

/// The same name with something else that begins now.
fn begun(line: &Line, doing: &str) -> Line {
    Line { doing: doing.to_owned(), ..Line::new(&line.name) }
}

fn states(done: u64, total: Option<u64>) -> Amount {
    match total {
        Some(total) => Amount::Of { done, total, unit: Unit::States },
        None => Amount::Some { done, unit: Unit::States },
    }
}
