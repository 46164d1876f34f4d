//! A picture: size, title and shapes.

use crate::colour::{Colour, Theme};
use crate::glyphs;
use crate::shape::{Anchor, Label, Outline, Pen, Segment, Shape};
use crate::svg::Svg;

/// Width of the strokes of bold texts, in heights of capitals.
pub(crate) const BOLD: f64 = 0.19;

/// A picture: size, title and shapes.
#[derive(Clone, Debug, PartialEq)]
pub struct Sheet {
    /// Width in pixels.
    pub width: f64,
    /// Height in pixels.
    pub height: f64,
    /// Title.
    pub title: String,
    /// Description for screen readers.
    pub description: String,
    /// Shapes from bottom to top.
    pub shapes: Vec<Shape>,
}

impl Sheet {
    /// Creates an empty sheet.
    pub fn new(width: f64, height: f64, title: &str, description: String) -> Self {
        let mut sheet =
            Self { width, height, title: title.to_owned(), description, shapes: Vec::new() };
        sheet.rectangle([0.0, 0.0, width, height], 0.0, Colour::Paper);
        sheet
    }

    /// Adds a filled rectangle: left, top, width, height.
    pub fn rectangle(&mut self, place: [f64; 4], radius: f64, fill: Colour) {
        self.shapes.push(Shape::area(Outline::Rectangle(place, radius), fill));
    }

    /// Adds a filled circle.
    pub fn dot(&mut self, (x, y): (f64, f64), radius: f64, fill: Colour, opacity: f64) {
        let place = [x - radius, y - radius, 2.0 * radius, 2.0 * radius];
        let circle = Shape::area(Outline::Rectangle(place, radius), fill);
        self.shapes.push(Shape { opacity, ..circle });
    }

    /// Adds the outline of a rectangle.
    pub fn frame(&mut self, place: [f64; 4], radius: f64, pen: Pen) {
        self.shapes.push(Shape::line(Outline::Rectangle(place, radius), pen));
    }

    /// Adds a line through points.
    pub fn line(&mut self, points: &[(f64, f64)], pen: Pen) {
        let segment = |(nth, &at): (usize, &(f64, f64))| {
            if nth == 0 { Segment::Move(at) } else { Segment::Line(at) }
        };
        let segments = points.iter().enumerate().map(segment).collect();
        self.shapes.push(Shape::line(Outline::Path(segments), pen));
    }

    /// Adds a text on the baseline `y` with capitals of height `size`.
    pub fn text(&mut self, (x, y): (f64, f64), size: f64, text: &str, at: Anchor, colour: Colour) {
        self.shapes.extend(lettering((x, y), size, text, at, Pen::new(colour, size * 0.14)));
    }

    /// Adds a bold text.
    pub fn bold(&mut self, (x, y): (f64, f64), size: f64, text: &str, at: Anchor, colour: Colour) {
        self.shapes.extend(lettering((x, y), size, text, at, Pen::new(colour, size * BOLD)));
    }

    /// Adds a label.
    pub fn label(&mut self, label: Label, colour: Colour) {
        self.shapes.push(Shape::area(Outline::Label(label), colour));
    }

    /// Returns the picture as SVG.
    pub fn to_svg(&self, theme: Theme) -> String {
        let mut svg = Svg::new(self.width, self.height, theme);
        self.shapes.iter().for_each(|shape| svg.shape(shape));
        svg.document(&self.title, &self.description)
    }
}

/// Returns the width of a text with capitals of height `size`.
pub fn text_width(text: &str, size: f64) -> f64 {
    glyphs::width(text, size)
}

/// Returns the shape of a text, or `None` if it is blank.
pub(crate) fn lettering(
    at: (f64, f64),
    size: f64,
    text: &str,
    anchor: Anchor,
    pen: Pen,
) -> Option<Shape> {
    let segments = strokes(at, size, text, anchor);
    (!segments.is_empty()).then(|| Shape::line(Outline::Path(segments), pen))
}

/// Returns the strokes of a text.
pub(crate) fn strokes((x, y): (f64, f64), size: f64, text: &str, anchor: Anchor) -> Vec<Segment> {
    let wide = glyphs::width(text, size);
    let left = match anchor {
        Anchor::Start => x,
        Anchor::Middle => x - wide / 2.0,
        Anchor::End => x - wide,
    };
    glyphs::strokes(text, left, y, size)
}
