//! Shapes as pixels.

use tiny_skia::{
    Color, FillRule, LineCap, LineJoin, Paint, Path, PathBuilder, Pixmap, Stroke, StrokeDash,
    Transform,
};

use super::RasterError;
use crate::colour::{Colour, Theme, rgb};
use crate::shape::{Label, Outline, Pen, Segment, Shape};
use crate::sheet::{Sheet, strokes};

/// Largest number of pixels of a picture.
pub(super) const DOTS_MAX: f64 = 40e6;
/// Longest edge, in pixels.
pub(super) const EDGE_MAX: f64 = 16_000.0;

/// Red, green, blue, and 255. Four bytes are faster to compare and to copy than three.
pub(super) type Dot = [u8; 4];

/// A picture as pixels.
#[derive(Clone)]
pub(super) struct Canvas {
    theme: Theme,
    scale: f64,
    map: Pixmap,
}

impl Canvas {
    /// Draws a sheet.
    pub(super) fn new(sheet: &Sheet, theme: Theme, scale: f64) -> Result<Self, RasterError> {
        let (width, height) = ((sheet.width * scale).round(), (sheet.height * scale).round());
        let is_edge = |edge: f64| (1.0..=EDGE_MAX).contains(&edge);
        if !is_edge(width) || !is_edge(height) || width * height > DOTS_MAX {
            return Err(RasterError::TooLarge { width, height });
        }
        let map = Pixmap::new(width as u32, height as u32);
        let mut map = map.expect("the size is within the limits");
        let [red, green, blue] = rgb(Colour::Paper.on(theme));
        map.fill(Color::from_rgba8(red, green, blue, 255));
        let mut canvas = Self { theme, scale, map };
        canvas.draw(&sheet.shapes);
        Ok(canvas)
    }

    /// Adds shapes.
    pub(super) fn draw(&mut self, shapes: &[Shape]) {
        let transform = Transform::from_scale(self.scale as f32, self.scale as f32);
        for shape in shapes {
            let Some(path) = outline(shape) else { continue };
            for (colour, stroke) in parts(shape) {
                let [red, green, blue] = rgb(colour.on(self.theme));
                let mut paint = Paint::default();
                paint.set_color_rgba8(red, green, blue, (shape.opacity * 255.0).round() as u8);
                match stroke {
                    None => {
                        self.map.fill_path(&path, &paint, FillRule::Winding, transform, None);
                    }
                    Some(stroke) => {
                        self.map.stroke_path(&path, &paint, &stroke, transform, None);
                    }
                }
            }
        }
    }

    pub(super) fn width(&self) -> u16 {
        self.map.width() as u16
    }

    pub(super) fn height(&self) -> u16 {
        self.map.height() as u16
    }

    /// Takes the pixels of a picture of the same size.
    pub(super) fn copy_from(&mut self, other: &Self) {
        self.map.data_mut().copy_from_slice(other.map.data());
    }

    /// Returns all pixels, row by row.
    pub(super) fn dots(&self) -> &[Dot] {
        self.map.data().as_chunks().0
    }
}

/// Returns the colours of the area and of the edge, with the stroke of the edge.
fn parts(shape: &Shape) -> impl Iterator<Item = (Colour, Option<Stroke>)> {
    let Shape { fill, edge, .. } = *shape;
    let (fill, pen) = match &shape.outline {
        Outline::Label(label) => (None, fill.map(|colour| Pen::new(colour, label.size * 0.1))),
        _ => (fill, edge),
    };
    let stroke = |Pen { colour, width, dash }| {
        let stroke = Stroke {
            width: width as f32,
            line_cap: LineCap::Round,
            line_join: LineJoin::Round,
            // No lengths are no dashes.
            dash: StrokeDash::new(dash.iter().map(|&length| length as f32).collect(), 0.0),
            ..Stroke::default()
        };
        (colour, Some(stroke))
    };
    fill.map(|colour| (colour, None)).into_iter().chain(pen.map(stroke))
}

/// Returns the outline of a shape, or `None` if it is empty.
fn outline(shape: &Shape) -> Option<Path> {
    match &shape.outline {
        Outline::Rectangle(place, radius) => path(&rounded(*place, *radius)),
        Outline::Path(segments) => path(segments),
        Outline::Label(label) => path(&label_strokes(label)),
    }
}

/// Returns the strokes of a label.
fn label_strokes(label: &Label) -> Vec<Segment> {
    let Label { at: (x, y), size, text, anchor, is_upward } = label;
    // Capitals of most fonts have this height.
    let segments = strokes((0.0, 0.0), size * 0.72, text, *anchor);
    let place = |(right, down): (f64, f64)| match is_upward {
        true => (x + down, y - right),
        false => (x + right, y + down),
    };
    let placed = |segment| match segment {
        Segment::Move(to) => Segment::Move(place(to)),
        Segment::Line(to) => Segment::Line(place(to)),
        Segment::Curve(a, b, to) => Segment::Curve(place(a), place(b), place(to)),
        Segment::Close => Segment::Close,
    };
    segments.into_iter().map(placed).collect()
}

fn path(segments: &[Segment]) -> Option<Path> {
    let mut builder = PathBuilder::new();
    for segment in segments {
        match *segment {
            Segment::Move((x, y)) => builder.move_to(x as f32, y as f32),
            Segment::Line((x, y)) => builder.line_to(x as f32, y as f32),
            Segment::Curve((ax, ay), (bx, by), (x, y)) => {
                builder.cubic_to(ax as f32, ay as f32, bx as f32, by as f32, x as f32, y as f32);
            }
            Segment::Close => builder.close(),
        }
    }
    builder.finish()
}

/// Returns a rectangle with round corners, as in SVG.
fn rounded([x, y, width, height]: [f64; 4], radius: f64) -> Vec<Segment> {
    use Segment::{Close, Curve, Line, Move};
    let r = radius.min(width / 2.0).min(height / 2.0);
    let (right, bottom) = (x + width, y + height);
    if r <= 0.0 {
        return vec![
            Move((x, y)),
            Line((right, y)),
            Line((right, bottom)),
            Line((x, bottom)),
            Close,
        ];
    }
    // Length of the control points that fit a quarter of a circle best.
    let h = r * (1.0 - 0.552_284_75);
    vec![
        Move((x + r, y)),
        Line((right - r, y)),
        Curve((right - h, y), (right, y + h), (right, y + r)),
        Line((right, bottom - r)),
        Curve((right, bottom - h), (right - h, bottom), (right - r, bottom)),
        Line((x + r, bottom)),
        Curve((x + h, bottom), (x, bottom - h), (x, bottom - r)),
        Line((x, y + r)),
        Curve((x, y + h), (x + h, y), (x + r, y)),
        Close,
    ]
}
