//! One line of progress, in a given number of columns.

use std::time::{Duration, Instant};

use tilebase::crew::CrewState;

use super::search::SearchState;
use crate::Surroundings;
use crate::output::{bytes, count, metric};

/// Shortest useful bar, in columns.
const BAR_MIN: usize = 6;
/// Columns around the inside of a bar: two on each side.
const BAR_FRAME: usize = 4;
/// Shortest name after a cut, in characters.
const NAME_MIN: usize = 6;
/// Text between two facts of a search.
const DOT: &str = " \u{b7} ";
/// Mark at the end of a text that was cut.
const CUT: &str = "..";

/// Amount of finished work.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Amount {
    /// Nothing is counted; the line shows the time.
    Time,
    /// The search of one board.
    Search(SearchState),
    /// The total is unknown.
    Some {
        done: u64,
        unit: Unit,
    },
    Of {
        done: u64,
        total: u64,
        unit: Unit,
    },
}

/// Unit of an amount.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unit {
    States,
    Bytes,
    Boards,
    Packets,
}

impl Unit {
    fn name(self) -> &'static str {
        match self {
            Self::States => " states",
            Self::Bytes => "",
            Self::Boards => " boards",
            Self::Packets => " packets",
        }
    }

    /// Returns a quantity with all digits.
    fn exact(self, quantity: u64) -> String {
        match self {
            Self::Bytes => bytes(quantity).to_string(),
            _ => count(quantity).to_string(),
        }
    }

    /// Returns a quantity with few digits.
    fn short(self, quantity: u64) -> String {
        match self {
            Self::Bytes => bytes(quantity).to_string(),
            _ => metric(quantity as f64),
        }
    }
}

/// Contents of a line.
#[derive(Clone, Debug)]
pub(super) struct Line {
    /// The piece of work.
    pub(super) name: String,
    /// The current step; may be empty.
    pub(super) doing: String,
    pub(super) amount: Amount,
    /// Units per second, and the unit.
    pub(super) rate: Option<(f64, &'static str)>,
    /// The estimated time left, and the time of the estimate.
    pub(super) left: Option<(Instant, Duration)>,
    /// Start of the work.
    pub(super) begun: Instant,
}

impl Line {
    pub(super) fn new(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            doing: String::new(),
            amount: Amount::Time,
            rate: None,
            left: None,
            begun: Instant::now(),
        }
    }

    /// Sets the number of finished boards, and estimates the time left from the mean pace so far.
    pub(super) fn set_boards(&mut self, done: u64, total: u64) {
        self.amount = Amount::Of { done, total, unit: Unit::Boards };
        let rate = done as f64 / self.begun.elapsed().as_secs_f64();
        self.set_left(time_left(total.saturating_sub(done), rate));
    }

    /// Sets the time that is left from now on.
    pub(super) fn set_left(&mut self, left: Option<Duration>) {
        self.left = left.map(|left| (Instant::now(), left));
    }

    /// Returns the whole line without a bar.
    pub(super) fn plain(&self) -> String {
        let fact = self.facts(Instant::now()).swap_remove(0);
        if let Amount::Search(_) = self.amount {
            return format!("{}{fact}", self.name);
        }
        match &*self.doing {
            "" => format!("{}: {fact}", self.name),
            doing => format!("{}: {doing}, {fact}", self.name),
        }
    }

    /// Returns the line in at most `columns` columns.
    pub(super) fn text(&self, columns: usize, now: Instant) -> String {
        let doing = match &*self.doing {
            "" => String::new(),
            doing => format!(": {doing}"),
        };
        let head = format!("{}{doing}", self.name);
        let head_length = head.chars().count();
        let facts = self.facts(now);
        if let Some(share) = self.share() {
            let room = |fact: &str| columns.checked_sub(head_length + BAR_FRAME + fact.len());
            for fact in &facts {
                if let Some(room) = room(fact).filter(|room| *room >= BAR_MIN) {
                    return format!("{head} [{}] {fact}", bar(share, room));
                }
            }
        } else {
            let between = if matches!(self.amount, Amount::Search(_)) { "" } else { ", " };
            for fact in &facts {
                if head_length + between.len() + fact.chars().count() <= columns {
                    return format!("{head}{between}{fact}");
                }
            }
        }
        // There is no room for a bar, and perhaps not for the whole name.
        let between = if matches!(self.amount, Amount::Search(_)) { "" } else { ", " };
        let fact = facts.last().map(|fact| format!("{between}{fact}")).unwrap_or_default();
        let room = columns.saturating_sub(doing.chars().count() + fact.len());
        let line = format!("{}{doing}{fact}", cut(&self.name, room.max(NAME_MIN)));
        cut(&line, columns)
    }

    /// Returns the finished share, from 0 to 1.
    fn share(&self) -> Option<f64> {
        match self.amount {
            Amount::Of { done, total, .. } => Some((done as f64 / total.max(1) as f64).min(1.0)),
            _ => None,
        }
    }

    /// Returns the numbers in several forms, each shorter than the one before.
    fn facts(&self, now: Instant) -> Vec<String> {
        let rate = |is_long: bool| match self.rate {
            Some((rate, "B")) => format!(", {}/s", bytes(rate as u64)),
            Some((rate, unit)) if is_long => format!(", {} {unit}/s", metric(rate)),
            Some((rate, _)) => format!(", {}/s", metric(rate)),
            None => String::new(),
        };
        let left = self.left.map(|(known, left)| left.saturating_sub(now - known));
        let left = left.map(|left| format!(", {} left", time(left))).unwrap_or_default();
        let elapsed = time(now.saturating_duration_since(self.begun));
        match self.amount {
            Amount::Time => vec![elapsed],
            Amount::Search(ref state) => {
                let mut facts = state.facts((now - self.begun).as_secs_f64());
                facts.push(elapsed);
                let from = |first: usize| format!("{DOT}{}", facts[first..].join(DOT));
                (0..facts.len()).map(from).collect()
            }
            Amount::Some { done, unit } => vec![
                format!("{}{}{}{}", unit.exact(done), unit.name(), rate(true), crew()),
                format!("{}{}{}", unit.short(done), unit.name(), rate(false)),
                format!("{}{}", unit.short(done), unit.name()),
            ],
            Amount::Of { done, total, unit } => {
                // Complete work has no time left, although it may continue.
                let tail = if done >= total { format!(", {elapsed}") } else { left.clone() };
                let (name, percent) = (unit.name(), 100 * done.min(total) / total.max(1));
                let exact = format!("{} of {}{name}", unit.exact(done), unit.exact(total));
                let short = format!("{} of {}{name}", unit.short(done), unit.short(total));
                vec![
                    format!("{exact}{}{tail}{}", rate(true), crew()),
                    format!("{exact}{}{tail}", rate(true)),
                    format!("{short}{}{tail}", rate(false)),
                    format!("{short}{tail}"),
                    format!("{short}{left}"),
                    format!("{percent} % of {}{name}{left}", unit.short(total)),
                    format!("{percent} %{left}"),
                ]
            }
        }
    }
}

/// Returns the state of the ranks, if there are several.
fn crew() -> String {
    let Some(crew) = &Surroundings::here().crew else { return String::new() };
    let CrewState { ranks, lost, bytes: exchanged } = crew.state();
    let lost = if lost > 0 { format!(" ({lost} lost)") } else { String::new() };
    format!("; {ranks} ranks{lost}, {} exchanged", bytes(exchanged))
}

/// Returns the inside of a bar.
fn bar(share: f64, columns: usize) -> String {
    let filled = ((share * columns as f64) as usize).min(columns);
    let head = if filled < columns { ">" } else { "" };
    format!("{:<columns$}", format!("{}{head}", "=".repeat(filled)))
}

/// Cuts a text to a number of columns.
fn cut(text: &str, columns: usize) -> String {
    if text.chars().count() <= columns {
        return text.to_owned();
    }
    let kept: String = text.chars().take(columns.saturating_sub(CUT.len())).collect();
    format!("{kept}{}", &CUT[..CUT.len().min(columns)])
}

/// Returns the time for the rest of the work, unless it is too long to tell.
pub(super) fn time_left(rest: u64, rate: f64) -> Option<Duration> {
    Duration::try_from_secs_f64(rest as f64 / rate).ok()
}

/// Returns a time in few columns: 8 s, 3 min, 2 h 5 min, 4 d 3 h.
fn time(time: Duration) -> String {
    let seconds = time.as_secs();
    let (minutes, hours, days) = (seconds / 60, seconds / 3600, seconds / 86_400);
    match seconds {
        0..100 => format!("{seconds} s"),
        100..6000 => format!("{minutes} min"),
        6000..172_800 => format!("{hours} h {} min", minutes % 60),
        _ => format!("{days} d {} h", hours % 24),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn building() -> Line {
        Line {
            doing: "level 23".to_owned(),
            amount: Amount::Of { done: 1_234_567_890, total: 2_882_880_000, unit: Unit::States },
            rate: Some((150e6, "states")),
            left: Some((Instant::now(), Duration::from_millis(11_900))),
            ..Line::new("4x4-00ff-r8-aware")
        }
    }

    fn text(line: &Line, columns: usize) -> String {
        line.text(columns, line.left.map_or(line.begun, |(known, _)| known))
    }

    #[test]
    fn shows_fewer_facts_in_fewer_columns() {
        let line = building();
        let long = "1,234,567,890 of 2,882,880,000 states, 150 M states/s, 11 s left";
        let bar = "==========>             ";
        let expected = format!("4x4-00ff-r8-aware: level 23 [{bar}] {long}");
        assert_eq!(text(&line, 119), expected);
        let expected = "4x4-00ff-r8-aware: level 23 [====>      ] 1.2 G of 2.9 G states, 11 s left";
        assert_eq!(text(&line, 74), expected);
        let expected = "4x4-00ff-r8-aware: level 23 [===>     ] 42 %, 11 s left";
        assert_eq!(text(&line, 55), expected);
        assert_eq!(text(&line, 39), "4x4-00ff-r..: level 23, 42 %, 11 s left");
    }

    #[test]
    fn line_of_a_batch_ends_with_the_time_left() {
        let begun = Instant::now().checked_sub(Duration::from_mins(1)).unwrap();
        let mut line = Line { begun, ..Line::new("solving") };
        line.set_boards(0, 100);
        assert_eq!(line.text(42, begun), "solving [>               ] 0 of 100 boards");
        line.set_boards(25, 100);
        let (known, left) = line.left.expect("some boards are done");
        assert!(left >= Duration::from_mins(3), "{left:?}");
        line.left = Some((known, Duration::from_mins(3)));
        let expected = "solving [==>       ] 25 of 100 boards, 3 min left";
        assert_eq!(line.text(expected.len(), known), expected);
        // The narrower forms have it too.
        assert_eq!(line.text(33, known), "solving [=>    ] 25 %, 3 min left");
        // With no time left, the line shows the elapsed time.
        line.set_boards(100, 100);
        assert!(
            line.text(80, begun + Duration::from_secs(70)).ends_with("100 of 100 boards, 70 s")
        );
    }

    #[test]
    fn every_line_fits_into_its_columns() {
        let names = ["15/7-8", "4x4-00ff-r8-aware", "max(linear-conflict, walking-distance, 7-8)"];
        let amounts = [
            Amount::Time,
            Amount::Some { done: u64::MAX, unit: Unit::States },
            Amount::Of { done: 0, total: 0, unit: Unit::Packets },
            Amount::Of { done: 10, total: u64::MAX, unit: Unit::Bytes },
            Amount::Of { done: 99, total: 100, unit: Unit::Boards },
        ];
        for (name, amount) in
            names.into_iter().flat_map(|n| amounts.clone().map(|amount| (n, amount)))
        {
            let line = Line { amount, name: name.to_owned(), ..building() };
            for columns in 0..200 {
                let text = text(&line, columns);
                assert!(text.chars().count() <= columns, "{columns}: {text}");
            }
            assert!(text(&line, 40).starts_with(&name[..4]));
        }
    }

    #[test]
    fn bar_is_filled_in_proportion_to_the_work() {
        assert_eq!(bar(0.0, 4), ">   ");
        assert_eq!(bar(0.5, 4), "==> ");
        assert_eq!(bar(1.0, 4), "====");
    }

    #[test]
    fn times_have_one_or_two_units() {
        for (seconds, expected) in
            [(0, "0 s"), (99, "99 s"), (100, "1 min"), (7500, "2 h 5 min"), (300_000, "3 d 11 h")]
        {
            assert_eq!(time(Duration::from_secs(seconds)), expected);
        }
    }
}
