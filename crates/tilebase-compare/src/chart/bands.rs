//! Charts with a band for each pair: the spread of its boards as a box.

use tilebase_draw::{Anchor, Colour, Outline, Pen, Shape, Sheet, Theme};

use super::axis::Axis;
use super::lines::{sheet, shortened, width, write};
use crate::statistics::Spread;

const WIDTH: f64 = 900.0;
const TOP: f64 = 44.0;
/// Height of a band.
const BAND: f64 = 22.0;
/// Room for numbers beside the largest values.
const RIGHT: f64 = 78.0;

/// A line of a chart.
#[derive(Clone, Debug)]
pub(super) struct Band {
    pub(super) name: String,
    pub(super) colour: Colour,
    pub(super) spread: Spread,
}

/// Draws bands with a common axis.
pub(super) fn draw(title: &str, about: &str, axis: Axis, bands: &[Band]) -> String {
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
        draw_box(&mut sheet, &axis, middle, band);
        let right = axis.place(band.spread.max) + 6.0;
        write(&mut sheet, (right, middle), &axis.number(band.spread.median), Anchor::Start);
    }
    sheet.to_svg(Theme::Light)
}

fn draw_box(sheet: &mut Sheet, axis: &Axis, middle: f64, band: &Band) {
    let Spread { min, q1, median, q3, max, mean, .. } = band.spread;
    let [min, q1, median, q3, max, mean] =
        [min, q1, median, q3, max, mean].map(|value| axis.place(value));
    let pen = Pen::new(band.colour, 1.5);
    for (from, to) in [(min, q1), (q3, max)] {
        sheet.line(&[(from, middle), (to, middle)], pen);
    }
    for end in [min, max] {
        sheet.line(&[(end, middle - 4.0), (end, middle + 4.0)], pen);
    }
    // Keeps the box visible if the quartiles are equal.
    let width = (q3 - q1).max(1.0);
    let place = [q1, middle - 7.0, width, 14.0];
    let area = Shape::area(Outline::Rectangle(place, 0.0), band.colour);
    sheet.shapes.push(Shape { opacity: 0.35, ..area });
    sheet.frame(place, 0.0, Pen::new(band.colour, 1.0));
    let pen = Pen::new(Colour::Ink, 2.0);
    sheet.line(&[(median, middle - 7.0), (median, middle + 7.0)], pen);
    sheet.dot((mean, middle), 2.5, Colour::Ink, 1.0);
}
