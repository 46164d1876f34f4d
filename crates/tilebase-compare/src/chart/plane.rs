//! Charts with two axes: lines and points with names.

use tilebase_draw::{Anchor, Colour, Pen, Sheet, Theme};

use super::Caption;
use super::axis::Axis;
use super::lines::{REFERENCE, sheet, shortened, width, write, write_upwards};

const WIDTH: f64 = 900.0;
const HEIGHT: f64 = 560.0;
const TOP: f64 = 44.0;
const LEFT: f64 = 78.0;
const BOTTOM: f64 = HEIGHT - 54.0;
/// Height of a name in a list of names.
const LINE: f64 = 17.0;

/// A chart with two axes.
#[derive(Debug)]
pub(super) struct Plane {
    sheet: Sheet,
    x: Axis,
    y: Axis,
    right: f64,
}

impl Plane {
    /// Creates a chart with room on the right for `names`.
    pub(super) fn new(
        caption: Caption<'_>,
        x: (&str, Axis),
        y: (&str, Axis),
        names: &[&str],
    ) -> Self {
        let names: Vec<String> = names.iter().map(|name| shortened(name)).collect();
        let right = WIDTH - 76.0 - width(names.iter().map(String::as_str));
        let height = HEIGHT.max(TOP + 20.0 + LINE * names.len() as f64);
        let (x, y) = ((x.0, x.1.between(LEFT, right)), (y.0, y.1.between(BOTTOM, TOP)));
        let mut sheet = sheet(WIDTH, height, caption.title, caption.about);
        for tick in x.1.ticks() {
            let at = x.1.place(tick);
            sheet.line(&[(at, TOP), (at, BOTTOM + 4.0)], Pen::new(Colour::Grid, 1.0));
            write(&mut sheet, (at, BOTTOM + 16.0), &x.1.label(tick), Anchor::Middle);
        }
        for tick in y.1.ticks() {
            let at = y.1.place(tick);
            sheet.line(&[(LEFT - 4.0, at), (right, at)], Pen::new(Colour::Grid, 1.0));
            write(&mut sheet, (LEFT - 8.0, at), &y.1.label(tick), Anchor::End);
        }
        let middle = f64::midpoint(LEFT, right);
        write(&mut sheet, (middle, BOTTOM + 38.0), x.0, Anchor::Middle);
        write_upwards(&mut sheet, (20.0, f64::midpoint(TOP, BOTTOM)), y.0);
        Self { sheet, x: x.1, y: y.1, right }
    }

    fn place(&self, (x, y): (f64, f64)) -> (f64, f64) {
        (self.x.place(x), self.y.place(y))
    }

    pub(super) fn line(&mut self, points: &[(f64, f64)], pen: Pen) {
        let places: Vec<_> = points.iter().map(|&point| self.place(point)).collect();
        self.sheet.line(&places, pen);
    }

    /// Draws a thin reference line.
    pub(super) fn mark(&mut self, from: (f64, f64), to: (f64, f64)) {
        let places = [self.place(from), self.place(to)];
        self.sheet.line(&places, REFERENCE);
    }

    pub(super) fn dot(&mut self, at: (f64, f64), radius: f64, colour: Colour, opacity: f64) {
        self.sheet.dot(self.place(at), radius, colour, opacity);
    }

    /// Draws a word above a point.
    pub(super) fn word(&mut self, at: (f64, f64), text: &str) {
        let (x, y) = self.place(at);
        write(&mut self.sheet, (x + 6.0, y - 9.0), &shortened(text), Anchor::Start);
    }

    /// Draws a legend from top to bottom.
    pub(super) fn names<'a>(&mut self, names: impl IntoIterator<Item = (&'a str, Pen)>) {
        for (number, (name, pen)) in names.into_iter().enumerate() {
            self.name_at(TOP + 8.0 + LINE * number as f64, name, pen);
        }
    }

    /// Draws names near the right ends of their lines, without overlap.
    pub(super) fn names_at_ends(&mut self, names: &[(&str, Pen, f64)]) {
        let mut names: Vec<_> =
            names.iter().map(|(name, pen, end)| (self.y.place(*end), *name, *pen)).collect();
        names.sort_by(|a, b| a.0.total_cmp(&b.0));
        // Moves names up from the bottom, then down from the top.
        let mut below = BOTTOM + LINE;
        for name in names.iter_mut().rev() {
            name.0 = name.0.min(below - LINE);
            below = name.0;
        }
        let mut above = TOP - LINE;
        for name in &mut names {
            name.0 = name.0.max(above + LINE);
            above = name.0;
        }
        for (y, name, pen) in names {
            self.name_at(y, name, pen);
        }
    }

    fn name_at(&mut self, y: f64, name: &str, pen: Pen) {
        self.sheet.line(&[(self.right + 24.0, y), (self.right + 48.0, y)], pen);
        write(&mut self.sheet, (self.right + 54.0, y), &shortened(name), Anchor::Start);
    }

    pub(super) fn to_svg(&self) -> String {
        self.sheet.to_svg(Theme::Light)
    }
}
