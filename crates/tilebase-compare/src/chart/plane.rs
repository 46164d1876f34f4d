//! Charts with two axes: lines and points with names.

use tilebase_draw::Colour;
use tilebase_draw::svg::{Anchor, Style, Svg, shortened, width};

use super::axis::Axis;

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
    svg: Svg,
    x: Axis,
    y: Axis,
    right: f64,
    title: String,
}

impl Plane {
    /// Creates a chart with room on the right for `names`.
    pub(super) fn new(title: &str, x: (&str, Axis), y: (&str, Axis), names: &[&str]) -> Self {
        let names: Vec<String> = names.iter().map(|name| shortened(name)).collect();
        let right = WIDTH - 76.0 - width(names.iter().map(String::as_str));
        let height = HEIGHT.max(TOP + 20.0 + LINE * names.len() as f64);
        let (x, y) = ((x.0, x.1.between(LEFT, right)), (y.0, y.1.between(BOTTOM, TOP)));
        let mut svg = Svg::new(WIDTH, height, title);
        for tick in x.1.ticks() {
            let at = x.1.place(tick);
            svg.line(&[(at, TOP), (at, BOTTOM + 4.0)], Colour::Grid, 1.0, None);
            svg.text(at, BOTTOM + 16.0, &x.1.label(tick), Anchor::Middle, Colour::Ink);
        }
        for tick in y.1.ticks() {
            let at = y.1.place(tick);
            svg.line(&[(LEFT - 4.0, at), (right, at)], Colour::Grid, 1.0, None);
            svg.text(LEFT - 8.0, at, &y.1.label(tick), Anchor::End, Colour::Ink);
        }
        let middle = f64::midpoint(LEFT, right);
        svg.text(middle, BOTTOM + 38.0, x.0, Anchor::Middle, Colour::Ink);
        svg.upward_text(20.0, f64::midpoint(TOP, BOTTOM), y.0);
        Self { svg, x: x.1, y: y.1, right, title: title.to_owned() }
    }

    fn place(&self, (x, y): (f64, f64)) -> (f64, f64) {
        (self.x.place(x), self.y.place(y))
    }

    pub(super) fn line(&mut self, points: &[(f64, f64)], style: Style) {
        let places: Vec<_> = points.iter().map(|&point| self.place(point)).collect();
        self.svg.line(&places, style.colour, 2.0, style.dash);
    }

    /// Draws a thin reference line.
    pub(super) fn mark(&mut self, from: (f64, f64), to: (f64, f64)) {
        let places = [self.place(from), self.place(to)];
        self.svg.line(&places, Colour::Ink, 1.0, Some("4 3"));
    }

    pub(super) fn dot(&mut self, at: (f64, f64), radius: f64, style: Style, opacity: f64) {
        let (x, y) = self.place(at);
        self.svg.dot(x, y, radius, style.colour, opacity);
    }

    /// Draws a word above a point.
    pub(super) fn word(&mut self, at: (f64, f64), text: &str) {
        let (x, y) = self.place(at);
        self.svg.text(x + 6.0, y - 9.0, &shortened(text), Anchor::Start, Colour::Ink);
    }

    /// Draws a legend from top to bottom. Without style, the sample is a reference line.
    pub(super) fn names<'a>(&mut self, names: impl IntoIterator<Item = (&'a str, Option<Style>)>) {
        for (number, (name, style)) in names.into_iter().enumerate() {
            self.name_at(TOP + 8.0 + LINE * number as f64, name, style);
        }
    }

    /// Draws names near the right ends of their lines, without overlap.
    pub(super) fn names_at_ends(&mut self, names: &[(&str, Option<Style>, f64)]) {
        let mut names: Vec<_> =
            names.iter().map(|(name, style, end)| (self.y.place(*end), *name, *style)).collect();
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
        for (y, name, style) in names {
            self.name_at(y, name, style);
        }
    }

    fn name_at(&mut self, y: f64, name: &str, style: Option<Style>) {
        let line = [(self.right + 24.0, y), (self.right + 48.0, y)];
        match style {
            Some(style) => self.svg.line(&line, style.colour, 2.5, style.dash),
            None => self.svg.line(&line, Colour::Ink, 1.0, Some("4 3")),
        }
        self.svg.text(self.right + 54.0, y, &shortened(name), Anchor::Start, Colour::Ink);
    }

    pub(super) fn document(self, about: &str) -> String {
        self.svg.document(&self.title, about)
    }
}
