//! Shapes as pixels.
//!
//! A single picture draws each shape once. A film keeps the opacities of each shape's pixels from
//! frame to frame, so that a change needs no outline again ([`Canvas`]).

use std::collections::HashMap;
use std::rc::Rc;

use tiny_skia::{
    Color, FillRule, LineCap, LineJoin, Paint, Path, PathBuilder, Pixmap, PremultipliedColorU8,
    Stroke, StrokeDash, Transform,
};

use super::RasterError;
use crate::colour::{Colour, Theme, rgb};
use crate::shape::{Label, Outline, Pen, Segment, Shape};
use crate::sheet::{Sheet, strokes};

/// Largest number of pixels of a picture.
pub(super) const DOTS_MAX: f64 = 40e6;
/// Longest edge, in pixels.
pub(super) const EDGE_MAX: f64 = 16_000.0;
/// Largest size of the shapes that a film keeps beside those that it shows.
const KNOWN_BYTES_MAX: usize = 32 << 20;

/// Returns width and height of a sheet in pixels.
fn size(sheet: &Sheet, scale: f64) -> Result<(usize, usize), RasterError> {
    let (width, height) = ((sheet.width * scale).round(), (sheet.height * scale).round());
    let is_edge = |edge: f64| (1.0..=EDGE_MAX).contains(&edge);
    if !is_edge(width) || !is_edge(height) || width * height > DOTS_MAX {
        return Err(RasterError::TooLarge { width, height });
    }
    Ok((width as usize, height as usize))
}

/// Red, green, blue, and 255. Four bytes are faster to compare and to copy than three.
pub(super) type Dot = [u8; 4];

/// A picture, row by row.
pub(super) struct Picture {
    pub(super) width: usize,
    pub(super) height: usize,
    pub(super) colours: Vec<Dot>,
}

impl Picture {
    /// Draws a sheet.
    pub(super) fn new(sheet: &Sheet, theme: Theme, scale: f64) -> Result<Self, RasterError> {
        let (width, height) = size(sheet, scale)?;
        let mut map = pixmap(width, height);
        let [red, green, blue] = rgb(Colour::Paper.on(theme));
        map.fill(Color::from_rgba8(red, green, blue, 255));
        let transform = Transform::from_scale(scale as f32, scale as f32);
        for shape in &sheet.shapes {
            let Some(path) = outline(shape) else { continue };
            for (colour, stroke) in parts(shape) {
                draw(&mut map, &path, stroke.as_ref(), rgb(colour.on(theme)), shape, transform);
            }
        }
        let colours = map.pixels().iter().map(|dot| [dot.red(), dot.green(), dot.blue(), 255]);
        Ok(Self { width, height, colours: colours.collect() })
    }
}

/// A picture that changes from sheet to sheet.
pub(super) struct Canvas {
    theme: Theme,
    scale: f64,
    shapes: Vec<DrawnShape>,
    /// Shapes that were drawn before: tiles return to their places.
    known: HashMap<ShapeKey, Stencil>,
    known_bytes: usize,
    /// Transparent pixels, on which each shape is drawn alone.
    scratch: Pixmap,
    pub(super) picture: Picture,
}

/// A shape in the picture.
struct DrawnShape {
    shape: Shape,
    /// The pixels that it may touch.
    area: Area,
    /// The colours of the parts, in the order in which they are drawn.
    colours: Vec<Dot>,
    /// Opacity of each pixel of the area for each part, row by row.
    opacities: Rc<[Vec<u8>]>,
}

/// Outline, pen and opacity of a shape, as the bits of numbers.
type ShapeKey = Vec<u64>;

/// A shape that was drawn before.
struct Stencil {
    area: Area,
    opacities: Rc<[Vec<u8>]>,
}

/// Pixels in a rectangle. Those at the right and bottom end are not in it.
#[derive(Clone, Copy, Debug)]
struct Area {
    left: usize,
    top: usize,
    right: usize,
    bottom: usize,
}

impl Area {
    fn touches(&self, other: &Self) -> bool {
        self.left < other.right
            && other.left < self.right
            && self.top < other.bottom
            && other.top < self.bottom
    }

    fn with(&self, other: &Self) -> Self {
        Self {
            left: self.left.min(other.left),
            top: self.top.min(other.top),
            right: self.right.max(other.right),
            bottom: self.bottom.max(other.bottom),
        }
    }

    fn width(&self) -> usize {
        self.right - self.left
    }
}

/// Neighbouring pixels of a row that change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Run {
    pub(super) x: usize,
    pub(super) y: usize,
    pub(super) width: usize,
}

/// Returns the first place where two rows differ, or where they do not.
fn differ(row: &[Dot], other: &[Dot], is_wanted: bool) -> Option<usize> {
    row.iter().zip(other).position(|(one, other)| (one != other) == is_wanted)
}

/// Joins areas that touch each other, so that no pixel is in two.
fn joined(areas: Vec<Area>) -> Vec<Area> {
    let mut joined: Vec<Area> = Vec::new();
    for mut area in areas {
        while let Some(place) = joined.iter().position(|other| area.touches(other)) {
            area = area.with(&joined.swap_remove(place));
        }
        joined.push(area);
    }
    joined
}

impl Canvas {
    /// Creates an empty picture with the size of a sheet.
    pub(super) fn new(sheet: &Sheet, theme: Theme, scale: f64) -> Result<Self, RasterError> {
        let (width, height) = size(sheet, scale)?;
        let colours = vec![dot(Colour::Paper, theme); width * height];
        let picture = Picture { width, height, colours };
        let (known, scratch) = (HashMap::new(), pixmap(width, height));
        Ok(Self { theme, scale, shapes: Vec::new(), known, known_bytes: 0, scratch, picture })
    }

    /// Shows a sheet in place of the present one. Returns all pixels that change.
    pub(super) fn show(&mut self, sheet: &Sheet) -> Vec<Run> {
        let mut present = std::mem::take(&mut self.shapes).into_iter();
        let mut areas = Vec::new();
        for shape in &sheet.shapes {
            let drawn = match present.next() {
                Some(drawn) if drawn.shape == *shape => drawn,
                before => {
                    let drawn = self.prepare(shape);
                    areas.extend(before.iter().chain([&drawn]).map(|drawn| drawn.area));
                    drawn
                }
            };
            self.shapes.push(drawn);
        }
        areas.extend(present.map(|drawn| drawn.area));
        let mut changes = Vec::new();
        for area in joined(areas) {
            self.draw(area, &mut changes);
        }
        changes
    }

    fn prepare(&mut self, shape: &Shape) -> DrawnShape {
        let colours = parts(shape).map(|(colour, _)| dot(colour, self.theme)).collect();
        let key = key(shape);
        if !self.known.contains_key(&key) {
            let stencil = self.stencil(shape);
            self.known_bytes += stencil.opacities.iter().map(Vec::len).sum::<usize>();
            if self.known_bytes > KNOWN_BYTES_MAX {
                self.known.clear();
                self.known_bytes = 0;
            }
            self.known.insert(key.clone(), stencil);
        }
        let Stencil { area, opacities } = &self.known[&key];
        DrawnShape { shape: shape.clone(), area: *area, colours, opacities: Rc::clone(opacities) }
    }

    /// Draws a shape alone.
    fn stencil(&mut self, shape: &Shape) -> Stencil {
        let Self { scale, picture: Picture { width, height, .. }, ref mut scratch, .. } = *self;
        let Some(path) = outline(shape) else {
            let area = Area { left: 0, top: 0, right: 0, bottom: 0 };
            return Stencil { area, opacities: Rc::new([]) };
        };
        let edges = parts(shape).filter_map(|(_, stroke)| stroke).map(|stroke| stroke.width / 2.0);
        let edge = edges.fold(0.0, f32::max);
        let bounds = path.bounds();
        // A pixel more at each side, for rounding. Numbers below 0 become 0.
        let before = |at: f32| ((f64::from(at - edge) * scale).floor() - 1.0) as usize;
        let after = |at: f32| ((f64::from(at + edge) * scale).ceil() + 1.0) as usize;
        let (right, bottom) = (after(bounds.right()), after(bounds.bottom()));
        let (right, bottom) = (right.min(width), bottom.min(height));
        let (left, top) = (before(bounds.left()), before(bounds.top()));
        let area = Area { left: left.min(right), top: top.min(bottom), right, bottom };
        let transform = Transform::from_scale(scale as f32, scale as f32);
        let mut opacities = Vec::new();
        for (_, stroke) in parts(shape) {
            draw(scratch, &path, stroke.as_ref(), [255; 3], shape, transform);
            let mut own = Vec::with_capacity(area.width() * (bottom - area.top));
            for y in area.top..bottom {
                let row = &mut scratch.pixels_mut()[y * width + area.left..y * width + right];
                own.extend(row.iter().map(|dot| dot.alpha()));
                row.fill(PremultipliedColorU8::TRANSPARENT);
            }
            opacities.push(own);
        }
        Stencil { area, opacities: opacities.into() }
    }

    /// Draws all shapes again within an area.
    fn draw(&mut self, area: Area, changes: &mut Vec<Run>) {
        let Self { shapes, picture, theme, .. } = self;
        let paper = dot(Colour::Paper, *theme);
        let shapes: Vec<_> = shapes.iter().filter(|drawn| drawn.area.touches(&area)).collect();
        let mut row = vec![paper; area.width()];
        for y in area.top..area.bottom {
            row.fill(paper);
            for drawn in &shapes {
                drawn.draw_row(&mut row, area.left, y);
            }
            let start = y * picture.width + area.left;
            let before = &mut picture.colours[start..start + row.len()];
            let mut x = 0;
            while let Some(unchanged) = differ(&row[x..], &before[x..], true) {
                let from = x + unchanged;
                x = from + differ(&row[from..], &before[from..], false).unwrap_or(row.len() - from);
                changes.push(Run { x: area.left + from, y, width: x - from });
            }
            before.copy_from_slice(&row);
        }
    }
}

impl DrawnShape {
    /// Draws the shape's pixels of row `y` into a part of that row, which begins at `left`.
    fn draw_row(&self, row: &mut [Dot], left: usize, y: usize) {
        let Area { top, bottom, .. } = self.area;
        let (from, to) = (self.area.left.max(left), self.area.right.min(left + row.len()));
        if !(top..bottom).contains(&y) || from >= to {
            return;
        }
        let start = (y - top) * self.area.width() + from - self.area.left;
        for (colour, opacities) in self.colours.iter().zip(&*self.opacities) {
            let opacities = &opacities[start..start + to - from];
            for (dot, &opacity) in row[from - left..to - left].iter_mut().zip(opacities) {
                match opacity {
                    0 => (),
                    255 => *dot = *colour,
                    _ => *dot = blended(*dot, *colour, opacity),
                }
            }
        }
    }
}

/// Returns a colour over another one, rounded as in [`Picture`].
fn blended(below: Dot, own: Dot, opacity: u8) -> Dot {
    let part = |colour: u8, opacity: u8| (u16::from(colour) * u16::from(opacity) + 255) >> 8;
    std::array::from_fn(|i| (part(own[i], opacity) + part(below[i], 255 - opacity)) as u8)
}

fn dot(colour: Colour, theme: Theme) -> Dot {
    let [red, green, blue] = rgb(colour.on(theme));
    [red, green, blue, 255]
}

fn key(shape: &Shape) -> ShapeKey {
    let Shape { fill, edge, opacity, outline } = shape;
    let kind = match outline {
        Outline::Rectangle(..) => 0,
        Outline::Path(_) => 1,
        Outline::Label(_) => 2,
    };
    let has_parts = [fill.is_some(), edge.is_some()].map(u64::from);
    let mut key = vec![kind, has_parts[0], has_parts[1], opacity.to_bits()];
    let mut add = |numbers: &[f64]| key.extend(numbers.iter().map(|number| number.to_bits()));
    if let Some(Pen { width, dash, .. }) = edge {
        add(&[*width, dash.len() as f64]);
        add(dash);
    }
    match outline {
        Outline::Rectangle(place, radius) => {
            add(place);
            add(&[*radius]);
        }
        // The number before a segment is its kind.
        Outline::Path(segments) => segments.iter().for_each(|segment| match *segment {
            Segment::Move((x, y)) => add(&[0.0, x, y]),
            Segment::Line((x, y)) => add(&[1.0, x, y]),
            Segment::Curve(a, b, (x, y)) => add(&[2.0, a.0, a.1, b.0, b.1, x, y]),
            Segment::Close => add(&[3.0]),
        }),
        Outline::Label(Label { at, size, text, anchor, is_upward }) => {
            add(&[at.0, at.1, *size, f64::from(*anchor as u8), f64::from(u8::from(*is_upward))]);
            key.extend(text.chars().map(u64::from));
        }
    }
    key
}

fn pixmap(width: usize, height: usize) -> Pixmap {
    Pixmap::new(width as u32, height as u32).expect("the size is within the limits")
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

/// Draws the area of a path, or its stroke.
fn draw(
    map: &mut Pixmap,
    path: &Path,
    stroke: Option<&Stroke>,
    [red, green, blue]: [u8; 3],
    shape: &Shape,
    transform: Transform,
) {
    let mut paint = Paint::default();
    paint.set_color_rgba8(red, green, blue, (shape.opacity * 255.0).round() as u8);
    match stroke {
        None => map.fill_path(path, &paint, FillRule::Winding, transform, None),
        Some(stroke) => map.stroke_path(path, &paint, stroke, transform, None),
    }
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
