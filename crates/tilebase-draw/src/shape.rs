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

/// A shape.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// A rectangle with round corners.
    Rectangle {
        /// Left, top, width and height.
        place: [f64; 4],
        /// Radius of the corners.
        radius: f64,
        /// Colour of the area.
        fill: Option<Colour>,
        /// Pen of the edge.
        edge: Option<Pen>,
        /// Opacity from 0 to 1.
        opacity: f64,
    },
    /// A path of lines and curves with round ends.
    Path {
        /// The path.
        segments: Vec<Segment>,
        /// Colour of the area.
        fill: Option<Colour>,
        /// Pen of the path.
        edge: Option<Pen>,
        /// Opacity from 0 to 1.
        opacity: f64,
    },
}
