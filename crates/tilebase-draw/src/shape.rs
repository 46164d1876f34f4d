//! Shapes of pictures: rectangles and paths.

use crate::colour::Colour;

/// A part of a path. Coordinates are in pixels from the top left.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Segment {
    /// Moves the pen without drawing.
    Move((f64, f64)),
    /// Draws a line to a point.
    Line((f64, f64)),
    /// Draws a cubic Bézier curve: two control points and the end.
    Curve((f64, f64), (f64, f64), (f64, f64)),
    /// Draws a line back to the start.
    Close,
}

/// Style of a line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pen {
    /// Colour.
    pub colour: Colour,
    /// Width in pixels.
    pub width: f64,
    /// Lengths of dashes and gaps.
    pub dash: Option<(f64, f64)>,
}

impl Pen {
    /// Creates a pen without dashes.
    pub fn new(colour: Colour, width: f64) -> Self {
        Self { colour, width, dash: None }
    }
}

/// An outline with its colours.
#[derive(Clone, Debug, PartialEq)]
pub struct Shape {
    /// Outline.
    pub outline: Outline,
    /// Colour of the area.
    pub fill: Option<Colour>,
    /// Pen of the outline.
    pub edge: Option<Pen>,
    /// Opacity from 0 to 1.
    pub opacity: f64,
}

/// The outline of a shape.
#[derive(Clone, Debug, PartialEq)]
pub enum Outline {
    /// A rectangle with round corners: left, top, width and height, and the radius of the corners.
    Rectangle([f64; 4], f64),
    /// A path of lines and curves with round ends.
    Path(Vec<Segment>),
}

impl Shape {
    /// Creates an opaque area.
    pub fn area(outline: Outline, colour: Colour) -> Self {
        Self { outline, fill: Some(colour), edge: None, opacity: 1.0 }
    }

    /// Creates an opaque line along an outline.
    pub fn line(outline: Outline, pen: Pen) -> Self {
        Self { outline, fill: None, edge: Some(pen), opacity: 1.0 }
    }
}
