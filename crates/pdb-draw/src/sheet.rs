//! A picture: its size, what it is called, and its shapes one above the other.

use crate::colour::{Colour, Theme};
use crate::glyphs;
use crate::shape::{Pen, Segment, Shape};
use crate::svg::{Anchor, Svg};

/// A picture: its size, what it is called, and its shapes one above the other.
///
/// All of it is arithmetic: the same call gives the same bytes everywhere.
#[derive(Clone, Debug, PartialEq)]
pub struct Sheet {
    /// In pixels.
    pub width: f64,
    /// In pixels.
    pub height: f64,
    /// What it shows, in a line.
    pub title: String,
    /// What is to be seen, for those who do not see it.
    pub description: String,
    /// The shapes, the lowest first.
    pub shapes: Vec<Shape>,
}

impl Sheet {
    /// An empty sheet of paper.
    pub fn new(width: f64, height: f64, title: &str, description: String) -> Self {
        let mut sheet =
            Self { width, height, title: title.to_owned(), description, shapes: Vec::new() };
        sheet.rectangle([0.0, 0.0, width, height], 0.0, Colour::Paper);
        sheet
    }

    /// A filled rectangle: left, top, width, height.
    pub fn rectangle(&mut self, place: [f64; 4], radius: f64, fill: Colour) {
        self.shapes.push(Shape::Rectangle {
            place,
            radius,
            fill: Some(fill),
            edge: None,
            opacity: 1.0,
        });
    }

    /// The edge of a rectangle.
    pub fn frame(&mut self, place: [f64; 4], radius: f64, pen: Pen) {
        self.shapes.push(Shape::Rectangle {
            place,
            radius,
            fill: None,
            edge: Some(pen),
            opacity: 1.0,
        });
    }

    /// A line through points.
    pub fn line(&mut self, points: &[(f64, f64)], pen: Pen) {
        let segment = |(nth, &at): (usize, &(f64, f64))| {
            if nth == 0 { Segment::Move(at) } else { Segment::Line(at) }
        };
        let segments = points.iter().enumerate().map(segment).collect();
        self.path(segments, pen);
    }

    /// A path of lines and curves.
    pub fn path(&mut self, segments: Vec<Segment>, pen: Pen) {
        self.shapes.push(Shape::Path { segments, fill: None, edge: Some(pen), opacity: 1.0 });
    }

    /// A text on the line `y`, whose capitals are `size` high.
    pub fn text(&mut self, (x, y): (f64, f64), size: f64, text: &str, at: Anchor, colour: Colour) {
        self.shapes.extend(lettering((x, y), size, text, at, Pen::new(colour, size * 0.14)));
    }

    /// A text drawn with a broad pen.
    pub fn bold(&mut self, (x, y): (f64, f64), size: f64, text: &str, at: Anchor, colour: Colour) {
        self.shapes.extend(lettering((x, y), size, text, at, Pen::new(colour, size * 0.19)));
    }

    /// The picture as SVG.
    pub fn to_svg(&self, theme: Theme) -> String {
        let mut svg = Svg::empty(self.width, self.height, theme);
        self.shapes.iter().for_each(|shape| svg.shape(shape));
        svg.document(&self.title, &self.description)
    }
}

/// How wide a text is whose capitals are `size` high.
pub fn text_width(text: &str, size: f64) -> f64 {
    glyphs::width(text, size)
}

/// The shape of a text; nothing where there is nothing to be seen.
pub(crate) fn lettering(
    (x, y): (f64, f64),
    size: f64,
    text: &str,
    at: Anchor,
    pen: Pen,
) -> Option<Shape> {
    let wide = glyphs::width(text, size);
    let left = match at {
        Anchor::Start => x,
        Anchor::Middle => x - wide / 2.0,
        Anchor::End => x - wide,
    };
    let segments = glyphs::strokes(text, left, y, size);
    let edge = Some(pen);
    (!segments.is_empty()).then_some(Shape::Path { segments, fill: None, edge, opacity: 1.0 })
}
