//! Charts with a band for each pair or heuristic: bars, boxes and intervals.

use tilebase_draw::{Anchor, Colour, Outline, Pen, Shape, Sheet, Theme};

use super::axis::Axis;
use super::lines::{REFERENCE, sheet, shortened, width, write};

const WIDTH: f64 = 900.0;
const TOP: f64 = 44.0;
/// Height of a band.
const BAND: f64 = 22.0;
/// Room for numbers at the ends of bars.
const RIGHT: f64 = 78.0;

/// Content of a band.
#[derive(Clone, Copy, Debug)]
pub(super) enum Mark {
    /// A bar from the axis.
    Bar(f64),
    /// Minimum, quartiles, median and maximum, with the mean.
    Box { five: [f64; 5], mean: f64 },
    /// A value with its interval.
    Interval { value: f64, ends: Option<(f64, f64)> },
}

impl Mark {
    /// Returns all numbers, for the range of the axis.
    pub(super) fn numbers(&self) -> Vec<f64> {
        match *self {
            Self::Bar(value) => vec![value],
            Self::Box { five, mean } => [&five[..], &[mean]].concat(),
            Self::Interval { value, ends } => {
                ends.map_or_else(|| vec![value], |(low, high)| vec![low, value, high])
            }
        }
    }
}

/// A line of a chart.
#[derive(Clone, Debug)]
pub(super) struct Band {
    pub(super) name: String,
    pub(super) colour: Colour,
    pub(super) mark: Mark,
}

/// Draws bands with a common axis. A dashed line marks the number `at`.
pub(super) fn draw(
    title: &str,
    about: &str,
    axis: Axis,
    bands: &[Band],
    at: Option<f64>,
) -> String {
    let names: Vec<String> = bands.iter().map(|band| shortened(&band.name)).collect();
    let left = 24.0 + width(names.iter().map(String::as_str));
    let bottom = TOP + BAND * bands.len() as f64;
    let axis = axis.between(left, WIDTH - RIGHT);
    let mut sheet = sheet(WIDTH, bottom + 40.0, title, about);
    for tick in axis.ticks() {
        let x = axis.place(tick);
        sheet.line(&[(x, TOP), (x, bottom + 4.0)], Pen::new(Colour::Grid, 1.0));
        write(&mut sheet, (x, bottom + 16.0), &axis.label(tick), Anchor::Middle);
    }
    for (number, (band, name)) in bands.iter().zip(&names).enumerate() {
        let middle = TOP + BAND * (number as f64 + 0.5);
        write(&mut sheet, (left - 8.0, middle), name, Anchor::End);
        let right = mark(&mut sheet, &axis, middle, band);
        let value = match band.mark {
            Mark::Bar(value) | Mark::Interval { value, .. } => value,
            Mark::Box { five, .. } => five[2],
        };
        // Puts numbers to the right of all intervals.
        let right = if at.is_some() { WIDTH - RIGHT + 4.0 } else { right };
        write(&mut sheet, (right + 6.0, middle), &axis.number(value), Anchor::Start);
    }
    if let Some(at) = at {
        let x = axis.place(at);
        sheet.line(&[(x, TOP), (x, bottom)], REFERENCE);
    }
    sheet.to_svg(Theme::Light)
}

/// Draws the short lines at the ends of a range.
fn draw_ends(sheet: &mut Sheet, ends: [f64; 2], middle: f64, pen: Pen) {
    for end in ends {
        sheet.line(&[(end, middle - 4.0), (end, middle + 4.0)], pen);
    }
}

/// Draws a mark and returns its right end.
fn mark(sheet: &mut Sheet, axis: &Axis, middle: f64, band: &Band) -> f64 {
    let colour = band.colour;
    let pen = Pen::new(colour, 1.5);
    match band.mark {
        Mark::Bar(value) => {
            let (from, to) = (axis.place(axis.low), axis.place(value));
            sheet.rectangle([from, middle - 7.0, to - from, 14.0], 0.0, colour);
            to
        }
        Mark::Box { five, mean } => {
            let [min, q1, median, q3, max] = five.map(|value| axis.place(value));
            for (from, to) in [(min, q1), (q3, max)] {
                sheet.line(&[(from, middle), (to, middle)], pen);
            }
            draw_ends(sheet, [min, max], middle, pen);
            // Keeps the box visible if the quartiles are equal.
            let width = (q3 - q1).max(1.0);
            let place = [q1, middle - 7.0, width, 14.0];
            let area = Shape::area(Outline::Rectangle(place, 0.0), colour);
            sheet.shapes.push(Shape { opacity: 0.35, ..area });
            sheet.frame(place, 0.0, Pen::new(colour, 1.0));
            let pen = Pen::new(Colour::Ink, 2.0);
            sheet.line(&[(median, middle - 7.0), (median, middle + 7.0)], pen);
            sheet.dot((axis.place(mean), middle), 2.5, Colour::Ink, 1.0);
            max
        }
        Mark::Interval { value, ends } => {
            let place = axis.place(value);
            sheet.dot((place, middle), 4.0, colour, 1.0);
            let Some((low, high)) = ends else { return place + 4.0 };
            let (low, high) = (axis.place(low), axis.place(high));
            sheet.line(&[(low, middle), (high, middle)], pen);
            draw_ends(sheet, [low, high], middle, pen);
            high.max(place + 4.0)
        }
    }
}
