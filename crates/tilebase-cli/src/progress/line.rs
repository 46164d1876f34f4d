//! One line of progress: what is said, and in how many columns.

use std::time::{Duration, Instant};

use tilebase::CrewState;

use crate::Place;
use crate::output::{bytes, count, metric};

/// A bar shorter than this says nothing.
const BAR_MIN: usize = 6;
/// What a bar takes beside its inside: two columns before it, two behind it.
const BAR_FRAME: usize = 4;
/// A name is not cut shorter than this.
const NAME_MIN: usize = 6;
/// Stands for what was cut off.
const CUT: &str = "..";

/// How much is done, in units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Amount {
    /// Nothing that could be counted; the time says that it goes on.
    Time,
    /// Something is done; of how much, nobody knows.
    Some { done: u64, unit: Unit },
    /// Something of a whole.
    Of { done: u64, total: u64, unit: Unit },
}

/// What is counted.
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

    /// Every digit.
    fn exact(self, quantity: u64) -> String {
        match self {
            Self::Bytes => bytes(quantity).to_string(),
            _ => count(quantity).to_string(),
        }
    }

    /// A few digits.
    fn short(self, quantity: u64) -> String {
        match self {
            Self::Bytes => bytes(quantity).to_string(),
            _ => metric(quantity as f64),
        }
    }
}

/// What a line says.
#[derive(Clone, Debug)]
pub(super) struct Line {
    /// What is worked on.
    pub(super) name: String,
    /// What is done with it; may be empty.
    pub(super) doing: String,
    pub(super) amount: Amount,
    /// How fast, in units of so many a second.
    pub(super) rate: Option<(f64, &'static str)>,
    /// When it was known how much time is left, and how much.
    pub(super) left: Option<(Instant, Duration)>,
    /// Since when this is done.
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
        let rest =
            self.begun.elapsed().as_secs_f64() / done as f64 * total.saturating_sub(done) as f64;
        let left = Duration::try_from_secs_f64(rest).ok();
        self.left = left.map(|left| (Instant::now(), left));
    }

    /// The line in at most so many columns.
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
            for fact in &facts {
                if head_length + 2 + fact.len() <= columns {
                    return format!("{head}, {fact}");
                }
            }
        }
        // Without a bar, and then with as much of the name as there is room for.
        let fact = facts.last().map(|fact| format!(", {fact}")).unwrap_or_default();
        let room = columns.saturating_sub(doing.chars().count() + fact.len());
        let line = format!("{}{doing}{fact}", cut(&self.name, room.max(NAME_MIN)));
        cut(&line, columns)
    }

    /// How much of the whole is done.
    fn share(&self) -> Option<f64> {
        match self.amount {
            Amount::Of { done, total, .. } => Some((done as f64 / total.max(1) as f64).min(1.0)),
            _ => None,
        }
    }

    /// The numbers, in fewer and fewer columns.
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
            Amount::Some { done, unit } => vec![
                format!("{}{}{}", unit.exact(done), unit.name(), rate(true)),
                format!("{}{}{}", unit.short(done), unit.name(), rate(false)),
                format!("{}{}", unit.short(done), unit.name()),
            ],
            Amount::Of { done, total, unit } => {
                // Complete work has no time left, though it may go on.
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

/// Who works, where others do too.
pub(super) fn crew() -> String {
    let Some(crew) = &Place::here().crew else { return String::new() };
    let CrewState { ranks, lost, bytes: exchanged } = crew.state();
    let lost = if lost > 0 { format!(" ({lost} lost)") } else { String::new() };
    format!("; {ranks} ranks{lost}, {} exchanged", bytes(exchanged))
}

/// The inside of a bar of so many columns.
fn bar(share: f64, columns: usize) -> String {
    let filled = ((share * columns as f64) as usize).min(columns);
    let head = if filled < columns { ">" } else { "" };
    format!("{:<columns$}", format!("{}{head}", "=".repeat(filled)))
}

/// The beginning of a text that has more than so many characters.
fn cut(text: &str, columns: usize) -> String {
    if text.chars().count() <= columns {
        return text.to_owned();
    }
    let kept: String = text.chars().take(columns.saturating_sub(CUT.len())).collect();
    format!("{kept}{}", &CUT[..CUT.len().min(columns)])
}

/// A time as a line has room for: 8 s, 3 min, 2 h 5 min, 4 d 3 h.
pub(super) fn time(time: Duration) -> String {
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
    fn a_line_says_less_in_fewer_columns() {
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
    fn line_of_a_batch_ends_with_the_time_that_is_left() {
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
        // The narrower forms tell it too.
        assert_eq!(line.text(33, known), "solving [=>    ] 25 %, 3 min left");
        // Nothing is left; the time that passes says that it goes on.
        line.set_boards(100, 100);
        assert!(
            line.text(80, begun + Duration::from_secs(70)).ends_with("100 of 100 boards, 70 s")
        );
    }

    #[test]
    fn every_line_fits_whatever_it_says() {
        let names = ["15/7-8", "4x4-00ff-r8-aware", "max(linear-conflict, walking-distance, 7-8)"];
        let amounts = [
            Amount::Time,
            Amount::Some { done: u64::MAX, unit: Unit::States },
            Amount::Of { done: 0, total: 0, unit: Unit::Packets },
            Amount::Of { done: 10, total: u64::MAX, unit: Unit::Bytes },
            Amount::Of { done: 99, total: 100, unit: Unit::Boards },
        ];
        for (name, amount) in names.into_iter().flat_map(|n| amounts.map(|amount| (n, amount))) {
            let line = Line { amount, name: name.to_owned(), ..building() };
            for columns in 0..200 {
                let text = text(&line, columns);
                assert!(text.chars().count() <= columns, "{columns}: {text}");
            }
            assert!(text(&line, 40).starts_with(&name[..4]));
        }
    }

    #[test]
    fn a_bar_is_as_full_as_the_work_is_done() {
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
