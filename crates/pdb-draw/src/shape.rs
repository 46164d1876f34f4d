//! What pictures are made of: rectangles and paths.

use crate::colour::Colour;

/// A part of a path; places are from the top left, in pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Segment {
    /// The pen goes to a place without drawing.
    Move((f64, f64)),
    /// A line to a place.
    Line((f64, f64)),
    /// A cubic curve: its two handles, and where it ends.
    Curve((f64, f64), (f64, f64), (f64, f64)),
    /// A line back to where the pen began.
    Close,
}

/// How a line is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pen {
    /// Its colour.
    pub colour: Colour,
    /// Its width, in pixels.
    pub width: f64,
    /// How long dashes and what is between them are, if it is dashed.
    pub dash: Option<(f64, f64)>,
}

impl Pen {
    /// A pen without dashes.
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
        /// The radius of its corners.
        radius: f64,
        /// What it is filled with.
        fill: Option<Colour>,
        /// What its edge is drawn with.
        edge: Option<Pen>,
        /// From 0, invisible, to 1.
        opacity: f64,
    },
    /// A path of lines and curves, drawn with round ends.
    Path {
        /// The path.
        segments: Vec<Segment>,
        /// What it is filled with.
        fill: Option<Colour>,
        /// What it is drawn with.
        edge: Option<Pen>,
        /// From 0, invisible, to 1.
        opacity: f64,
    },
}
