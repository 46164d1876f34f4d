//! A chart of both bounds of searches over time.

use std::time::Duration;

use tilebase_draw::Pen;

use super::Caption;
use super::axis::{Axis, Unit};
use super::lines::pen;
use super::plane::Plane;

/// Times since a search began, in ascending order, and numbers of moves that were known from then
/// on.
pub type Steps = Vec<(Duration, u32)>;

/// Both bounds of one board's search over time.
#[derive(Clone, Debug, Default)]
pub struct History {
    /// The length with which the bounds are compared: the optimum, or the best known length.
    pub known: u32,
    /// The lengths of better and better solutions.
    pub solutions: Steps,
    /// The lower bounds that are proved.
    pub lower_bounds: Steps,
}

/// The searches of the boards of a set.
#[derive(Clone, Debug)]
pub struct Histories {
    /// Name of the set.
    pub name: String,
    /// One history for each board.
    pub boards: Vec<History>,
}

const TITLE: &str = "Solutions and bounds over time";
const ABOUT: &str = "Above zero the mean number of moves of the best solution beyond the known length, below zero \
                     that of the proved bound. A line of solutions begins when each board has one.";
/// Points of a line, such as seconds and moves beyond the known length.
pub(super) type Points = Vec<(f64, f64)>;

/// Dashes and gaps of the lines of bounds.
const DASHES: &[f64] = &[6.0, 7.0];
/// Points of a line for each factor of ten.
const POINTS: i32 = 24;

/// Draws both bounds, as means over the boards of each set, from `from` to `to`. Returns the SVG
/// document, or `None` if no board has a history in that time.
pub fn bounds_over_time(sets: &[Histories], from: Duration, to: Duration) -> Option<String> {
    let times = times(from, to);
    let mut lines: Vec<(String, Pen, Points)> = Vec::new();
    for (number, set) in sets.iter().enumerate() {
        let dashed = Pen { dash: DASHES, ..pen(number) };
        let solutions: fn(&History) -> &Steps = |history| &history.solutions;
        let bounds: fn(&History) -> &Steps = |history| &history.lower_bounds;
        let kinds = [("solutions", pen(number), solutions), ("bounds", dashed, bounds)];
        for (kind, pen, steps) in kinds {
            let point =
                |&time: &Duration| Some((time.as_secs_f64(), mean(&set.boards, time, steps)?));
            let points = times.iter().filter_map(point).collect();
            lines.push((format!("{}: {kind}", set.name), pen, points));
        }
    }
    let points = || lines.iter().flat_map(|(.., points)| points);
    let x = Axis::around(points().map(|point| point.0), Unit::Seconds, true)?;
    let y = Axis::around(points().map(|point| point.1).chain([0.0]), Unit::Moves, false)?;
    let names: Vec<&str> = lines.iter().map(|(name, ..)| name.as_str()).collect();
    let caption = Caption { title: TITLE, about: ABOUT };
    let mut plane = Plane::new(caption, ("time", x), ("moves beyond the known length", y), &names);
    plane.mark((x.low, 0.0), (x.high, 0.0));
    for (_, pen, points) in &lines {
        plane.line(points, *pen);
    }
    plane.names(lines.iter().map(|(name, pen, _)| (name.as_str(), *pen)));
    Some(plane.to_svg())
}

/// Returns times with equal ratios.
fn times(from: Duration, to: Duration) -> Vec<Duration> {
    let step = 10f64.powf(1.0 / f64::from(POINTS));
    let mut times = vec![from];
    while let Some(last) = times.last().filter(|last| **last < to) {
        times.push(last.mul_f64(step).min(to));
    }
    times
}

/// Returns how far the solutions or the bounds at a time are from the known lengths, on the mean,
/// if all boards have one.
fn mean(boards: &[History], time: Duration, steps: fn(&History) -> &Steps) -> Option<f64> {
    let beyond = |history: &History| {
        let (_, length) = steps(history).iter().take_while(|(at, _)| *at <= time).last()?;
        Some(f64::from(*length) - f64::from(history.known))
    };
    let sum: Option<f64> = boards.iter().map(beyond).sum();
    Some(sum? / boards.len() as f64).filter(|mean| mean.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(milliseconds: u64, moves: u32) -> (Duration, u32) {
        (Duration::from_millis(milliseconds), moves)
    }

    #[test]
    fn a_mean_needs_a_number_of_each_board() {
        let first =
            History { known: 20, solutions: vec![at(10, 30), at(50, 24)], ..History::default() };
        let second =
            History { known: 22, solutions: vec![at(30, 28), at(50, 22)], ..History::default() };
        let mean = |milliseconds| {
            let boards = [first.clone(), second.clone()];
            mean(&boards, Duration::from_millis(milliseconds), |history| &history.solutions)
        };
        assert_eq!([mean(9), mean(29), mean(30), mean(60)], [None, None, Some(8.0), Some(2.0)]);
    }

    #[test]
    fn both_bounds_have_a_line_and_no_history_has_no_chart() {
        let (from, to) = (Duration::from_millis(10), Duration::from_secs(1));
        let mut set = Histories { name: "three & four".to_owned(), boards: Vec::new() };
        assert_eq!(bounds_over_time(&[set.clone()], from, to), None);
        let lower_bounds = vec![at(0, 18), at(100, 20)];
        set.boards.push(History { known: 20, solutions: vec![at(10, 30)], lower_bounds });
        let svg = bounds_over_time(&[set], from, to).unwrap();
        for name in ["three &amp; four: solutions", "three &amp; four: bounds"] {
            assert_eq!(svg.matches(name).count(), 1, "{name}");
        }
    }
}
