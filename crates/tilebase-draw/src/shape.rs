//! Shapes of pictures: rectangles, paths and labels.

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

impl Segment {
    /// Returns the segment wider by a factor, from a vertical axis.
    pub(crate) fn stretched(self, axis: f64, factor: f64) -> Self {
        let place = |(x, y): (f64, f64)| (axis + (x - axis) * factor, y);
        match self {
            Self::Move(at) => Self::Move(place(at)),
            Self::Line(at) => Self::Line(place(at)),
            Self::Curve(one, other, at) => Self::Curve(place(one), place(other), place(at)),
            Self::Close => Self::Close,
        }
    }
}

/// Style of a line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pen {
    /// Colour.
    pub colour: Colour,
    /// Width in pixels.
    pub width: f64,
    /// Lengths of dashes and gaps in turns. A line without lengths is solid.
    pub dash: &'static [f64],
}

impl Pen {
    /// Creates a pen without dashes.
    pub fn new(colour: Colour, width: f64) -> Self {
        Self { colour, width, dash: &[] }
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
    /// A text, filled like an area.
    Label(Label),
}

/// Alignment of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// The point is at the start.
    Start,
    /// The point is in the middle.
    Middle,
    /// The point is at the end.
    End,
}

/// A text of any characters. SVG keeps it as text in the reader's sans-serif font. Pixels show it
/// in the strokes of [`Sheet::text`](crate::Sheet::text).
#[derive(Clone, Debug, PartialEq)]
pub struct Label {
    /// The point of the anchor, on the baseline.
    pub at: (f64, f64),
    /// Font size.
    pub size: f64,
    /// Text.
    pub text: String,
    /// Alignment.
    pub anchor: Anchor,
    /// Whether the text is read upwards.
    pub is_upward: bool,
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
