//! Raster images: PNG, GIF and APNG.
//!
//! Films have few colours and few changes. A frame is the smallest rectangle with all changes;
//! unchanged pixels within it are transparent. Only changed shapes, and the shapes that they touch,
//! are drawn again ([`Canvas`]).

use std::collections::BTreeMap;
use std::error::Error;

use tiny_skia::{
    FillRule, LineCap, LineJoin, Mask, Paint, Path, PathBuilder, Pixmap, Stroke, StrokeDash,
    Transform,
};

use crate::colour::{Colour, Theme, rgb};
use crate::film::{Film, Timing};
use crate::shape::{Outline, Pen, Segment, Shape};
use crate::sheet::Sheet;

/// Largest number of pixels of a picture.
const DOTS_MAX: f64 = 40e6;
/// Longest edge, in pixels.
const EDGE_MAX: f64 = 16_000.0;
/// Largest number of pixels of all frames of a film.
const FILM_DOTS_MAX: f64 = 600e6;
/// Number of frames that are sampled for the palette.
const SAMPLE_COUNT: usize = 64;
/// Number of frames of a slide.
const SLIDE_FRAMES: u32 = 4;
/// Largest number of colours of a film, beside the transparent one.
const COLOURS_MAX: usize = 255;

/// Reason why a raster image cannot be made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RasterError {
    /// The image is too large.
    #[error(
        "a picture of {width:.0} x {height:.0} dots: expected at most {EDGE_MAX} on an edge and {DOTS_MAX} \
         in all; write SVG, or make it smaller"
    )]
    TooLarge {
        /// Width in pixels.
        width: f64,
        /// Height in pixels.
        height: f64,
    },
    /// The film is too long.
    #[error(
        "a film of {frames} pictures with {dots:.0} dots in all: expected at most {FILM_DOTS_MAX}; write \
         SVG, or make it smaller or shorter"
    )]
    TooLong {
        /// Number of frames.
        frames: usize,
        /// Pixels of all frames.
        dots: f64,
    },
    /// The encoder failed.
    #[error("cannot encode the picture: {0}")]
    Encoding(#[source] Box<dyn Error + Send + Sync>),
}

fn encoding(error: impl Into<Box<dyn Error + Send + Sync>>) -> RasterError {
    RasterError::Encoding(error.into())
}

/// Encodes a picture as PNG, scaled by `scale`.
///
/// # Errors
/// [`RasterError::TooLarge`].
pub fn png(sheet: &Sheet, theme: Theme, scale: f64) -> Result<Vec<u8>, RasterError> {
    let mut canvas = Canvas::new(sheet, theme, scale)?;
    canvas.show(sheet);
    let mut bytes = Vec::new();
    let encoder = png_encoder(&mut bytes, (canvas.width, canvas.height), png::ColorType::Rgb);
    let mut writer = encoder.write_header().map_err(encoding)?;
    writer.write_image_data(canvas.colours.as_flattened()).map_err(encoding)?;
    writer.finish().map_err(encoding)?;
    Ok(bytes)
}

fn png_encoder(
    bytes: &mut Vec<u8>,
    (width, height): (usize, usize),
    colours: png::ColorType,
) -> png::Encoder<'_, &mut Vec<u8>> {
    let mut encoder = png::Encoder::new(bytes, width as u32, height as u32);
    encoder.set_color(colours);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::High);
    encoder
}

/// Encodes a film as GIF, scaled by `scale`.
///
/// # Errors
/// [`RasterError::TooLarge`], [`RasterError::TooLong`].
pub fn gif(film: &Film, theme: Theme, scale: f64) -> Result<Vec<u8>, RasterError> {
    let frames = FilmFrames::of(film, theme, scale)?;
    let palette: Vec<u8> = frames.palette.as_flattened().to_vec();
    let mut bytes = Vec::new();
    let (width, height) = (frames.width as u16, frames.height as u16);
    let mut encoder = gif::Encoder::new(&mut bytes, width, height, &palette).map_err(encoding)?;
    encoder.set_repeat(gif::Repeat::Infinite).map_err(encoding)?;
    for patch in &frames.patches {
        let frame = gif::Frame {
            delay: patch.hundredths,
            dispose: gif::DisposalMethod::Keep,
            transparent: Some(frames.transparent()),
            left: patch.left as u16,
            top: patch.top as u16,
            width: patch.width as u16,
            height: patch.height as u16,
            buffer: patch.numbers.as_slice().into(),
            ..gif::Frame::default()
        };
        encoder.write_frame(&frame).map_err(encoding)?;
    }
    drop(encoder);
    Ok(bytes)
}

/// Encodes a film as APNG, scaled by `scale`.
///
/// # Errors
/// [`RasterError::TooLarge`], [`RasterError::TooLong`].
pub fn apng(film: &Film, theme: Theme, scale: f64) -> Result<Vec<u8>, RasterError> {
    let frames = FilmFrames::of(film, theme, scale)?;
    let mut bytes = Vec::new();
    let size = (frames.width, frames.height);
    let mut encoder = png_encoder(&mut bytes, size, png::ColorType::Indexed);
    let mut palette = frames.palette.as_flattened().to_vec();
    palette.extend([0; 3]);
    encoder.set_palette(palette);
    let mut opacities = vec![255; frames.palette.len()];
    opacities.push(0);
    encoder.set_trns(opacities);
    encoder.set_animated(frames.patches.len() as u32, 0).map_err(encoding)?;
    encoder.set_blend_op(png::BlendOp::Over).map_err(encoding)?;
    encoder.set_dispose_op(png::DisposeOp::None).map_err(encoding)?;
    let mut writer = encoder.write_header().map_err(encoding)?;
    for patch in &frames.patches {
        writer.set_frame_delay(patch.hundredths, 100).map_err(encoding)?;
        writer.reset_frame_position().map_err(encoding)?;
        if patch.width < frames.width || patch.height < frames.height {
            let (width, height) = (patch.width as u32, patch.height as u32);
            writer.set_frame_dimension(width, height).map_err(encoding)?;
            writer.set_frame_position(patch.left as u32, patch.top as u32).map_err(encoding)?;
        } else {
            writer.reset_frame_dimension().map_err(encoding)?;
        }
        writer.write_image_data(&patch.numbers).map_err(encoding)?;
    }
    writer.finish().map_err(encoding)?;
    Ok(bytes)
}

/// A frame: the changed part of the picture, as indices of colours.
struct Patch {
    left: usize,
    top: usize,
    width: usize,
    height: usize,
    /// Duration of the frame.
    hundredths: u16,
    numbers: Vec<u8>,
}

/// All frames of a film, with a common palette.
struct FilmFrames {
    width: usize,
    height: usize,
    palette: Vec<[u8; 3]>,
    patches: Vec<Patch>,
}

impl FilmFrames {
    fn of(film: &Film, theme: Theme, scale: f64) -> Result<Self, RasterError> {
        let times = times(film);
        let first = film.frame(0, 0.0);
        let mut canvas = Canvas::new(&first, theme, scale)?;
        let frames = times.len();
        let dots = frames as f64 * canvas.colours.len() as f64;
        if dots > FILM_DOTS_MAX {
            return Err(RasterError::TooLong { frames, dots });
        }
        // Samples suffice, because all slides look alike.
        let mut counts = BTreeMap::new();
        for &(step, part, _) in times.iter().step_by(frames.div_ceil(SAMPLE_COUNT)) {
            canvas.show(&film.frame(step, part));
            for run in canvas.colours.chunk_by(|a, b| a == b) {
                *counts.entry(run[0]).or_insert(0u64) += run.len() as u64;
            }
        }
        let palette = palette(counts);
        let mut numbers = PaletteIndex::new(&palette);
        let mut canvas = Canvas::new(&first, theme, scale)?;
        let mut patches: Vec<Patch> = Vec::new();
        for (step, part, hundredths) in times {
            let changes = canvas.show(&film.frame(step, part));
            let patch = if patches.is_empty() {
                Some(numbers.whole(&canvas, hundredths))
            } else {
                numbers.patch(&canvas, &changes, hundredths)
            };
            match (patch, patches.last_mut()) {
                (Some(patch), _) => patches.push(patch),
                // Without changes, the frame before lasts longer.
                (None, Some(last)) => last.hundredths = last.hundredths.saturating_add(hundredths),
                (None, None) => (),
            }
        }
        let Canvas { width, height, .. } = canvas;
        Ok(Self { width, height, palette, patches })
    }

    /// Returns the index of the transparent colour.
    fn transparent(&self) -> u8 {
        self.palette.len() as u8
    }
}

/// Returns the frames of a film: moves made, part of the next move, and duration.
fn times(film: &Film) -> Vec<(usize, f64, u16)> {
    let Timing { lead, slide, pause, .. } = film.timing();
    let hundredths = |seconds: f64| (100.0 * seconds).round().clamp(2.0, 60_000.0) as u16;
    let step = hundredths(film.timing().step());
    // Viewers replace durations below two hundredths by a tenth of a second.
    let frames = (u32::from(hundredths(slide)) / 3).clamp(1, SLIDE_FRAMES);
    let each = hundredths(slide) / frames as u16;
    let mut times = vec![(0, 0.0, hundredths(lead))];
    let count = film.step_count();
    for nth in 0..count {
        for frame in 1..=frames {
            let is_last = frame == frames;
            let rest = step.saturating_sub(each * (frames as u16 - 1)).max(2);
            let seen = match is_last {
                true if nth + 1 == count => hundredths(pause),
                true => rest,
                false => each,
            };
            times.push((nth, f64::from(frame) / f64::from(frames), seen));
        }
    }
    times
}

/// Indices of colours in the palette.
struct PaletteIndex<'a> {
    palette: &'a [[u8; 3]],
    known: BTreeMap<[u8; 3], u8>,
    /// The last colour and its index: neighbours mostly have the same colour.
    last: ([u8; 3], u8),
}

impl<'a> PaletteIndex<'a> {
    fn new(palette: &'a [[u8; 3]]) -> Self {
        Self { palette, known: BTreeMap::new(), last: ([0; 3], nearest(palette, [0; 3])) }
    }

    fn of(&mut self, colour: [u8; 3]) -> u8 {
        if self.last.0 != colour {
            let number = self.known.entry(colour).or_insert_with(|| nearest(self.palette, colour));
            self.last = (colour, *number);
        }
        self.last.1
    }

    /// Returns the whole picture as a frame.
    fn whole(&mut self, canvas: &Canvas, hundredths: u16) -> Patch {
        let &Canvas { width, height, .. } = canvas;
        let numbers = canvas.colours.iter().map(|&colour| self.of(colour)).collect();
        Patch { left: 0, top: 0, width, height, hundredths, numbers }
    }

    /// Returns the smallest rectangle with all changes, or `None` without changes.
    fn patch(&mut self, canvas: &Canvas, changes: &[usize], hundredths: u16) -> Option<Patch> {
        let place = |&at: &usize| (at / canvas.width, at % canvas.width);
        let rows = || changes.iter().map(|at| place(at).0);
        let cols = || changes.iter().map(|at| place(at).1);
        let (top, bottom) = (rows().min()?, rows().max()? + 1);
        let (left, right) = (cols().min()?, cols().max()? + 1);
        let (width, height) = (right - left, bottom - top);
        let mut numbers = vec![self.palette.len() as u8; width * height];
        for at in changes {
            let (row, col) = place(at);
            numbers[(row - top) * width + col - left] = self.of(canvas.colours[*at]);
        }
        Some(Patch { left, top, width, height, hundredths, numbers })
    }
}

/// Returns the most frequent colours.
fn palette(counts: BTreeMap<[u8; 3], u64>) -> Vec<[u8; 3]> {
    let mut colours: Vec<([u8; 3], u64)> = counts.into_iter().collect();
    colours.sort_unstable_by_key(|&(colour, count)| (std::cmp::Reverse(count), colour));
    colours.truncate(COLOURS_MAX);
    colours.into_iter().map(|(colour, _)| colour).collect()
}

fn nearest(palette: &[[u8; 3]], colour: [u8; 3]) -> u8 {
    let distance = |other: &[u8; 3]| -> u32 {
        other.iter().zip(colour).map(|(a, b)| u32::from(a.abs_diff(b)).pow(2)).sum()
    };
    let nearest = (0..palette.len()).min_by_key(|&number| distance(&palette[number]));
    nearest.unwrap_or(0) as u8
}

/// A picture that changes from sheet to sheet.
struct Canvas {
    width: usize,
    height: usize,
    theme: Theme,
    scale: f64,
    map: Pixmap,
    /// Opaque where shapes are drawn.
    mask: Mask,
    shapes: Vec<DrawnShape>,
    /// Pixels, row by row.
    colours: Vec<[u8; 3]>,
}

/// A shape in the picture.
struct DrawnShape {
    shape: Shape,
    /// The outline; `None` for an empty one, which is invisible.
    path: Option<Path>,
    /// The pixels that it may touch.
    area: Area,
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
    fn new(sheet: &Sheet, theme: Theme, scale: f64) -> Result<Self, RasterError> {
        let (width, height) = ((sheet.width * scale).round(), (sheet.height * scale).round());
        let is_sheet = |edge: f64| (1.0..=EDGE_MAX).contains(&edge);
        let error = || RasterError::TooLarge { width, height };
        if !is_sheet(width) || !is_sheet(height) || width * height > DOTS_MAX {
            return Err(error());
        }
        let mut map = Pixmap::new(width as u32, height as u32).ok_or_else(error)?;
        let mask = Mask::new(width as u32, height as u32).ok_or_else(error)?;
        let paper = rgb(Colour::Paper.on(theme));
        map.fill(tiny_skia::Color::from_rgba8(paper[0], paper[1], paper[2], 255));
        let (width, height) = (width as usize, height as usize);
        let (shapes, colours) = (Vec::new(), vec![paper; width * height]);
        Ok(Self { width, height, theme, scale, map, mask, shapes, colours })
    }

    /// Shows a sheet in place of the present one. Returns the places of all pixels that change.
    fn show(&mut self, sheet: &Sheet) -> Vec<usize> {
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

    fn prepare(&self, shape: &Shape) -> DrawnShape {
        let path = match &shape.outline {
            Outline::Rectangle(place, radius) => path(&rounded(*place, *radius)),
            Outline::Path(segments) => path(segments),
        };
        let edge = shape.edge.map_or(0.0, |pen| pen.width / 2.0);
        let area = path.as_ref().map_or([0.0; 4], |path| {
            let bounds = path.bounds();
            let [left, top] = [bounds.left(), bounds.top()].map(|at| f64::from(at) - edge);
            let [right, bottom] = [bounds.right(), bounds.bottom()].map(|at| f64::from(at) + edge);
            [left, top, right, bottom].map(|at| at * self.scale)
        });
        // A pixel more at each side, for rounding. Numbers below 0 become 0.
        let [left, top] = [area[0], area[1]].map(|at| (at.floor() - 1.0) as usize);
        let [right, bottom] = [area[2], area[3]].map(|at| (at.ceil() + 1.0) as usize);
        let (right, bottom) = (right.min(self.width), bottom.min(self.height));
        DrawnShape { shape: shape.clone(), path, area: Area { left, top, right, bottom } }
    }

    /// Draws all shapes again within an area.
    fn draw(&mut self, area: Area, changes: &mut Vec<usize>) {
        let Self { width, theme, scale, ref mut map, ref mut mask, .. } = *self;
        let Area { left, top, right, bottom } = area;
        let rows = || (top..bottom).map(|row| row * width + left..row * width + right);
        let [red, green, blue] = rgb(Colour::Paper.on(theme));
        let paper = tiny_skia::ColorU8::from_rgba(red, green, blue, 255).premultiply();
        for row in rows() {
            map.pixels_mut()[row.clone()].fill(paper);
            mask.data_mut()[row].fill(255);
        }
        for drawn in self.shapes.iter().filter(|drawn| drawn.area.touches(&area)) {
            drawn.draw(map, theme, scale, mask);
        }
        for at in rows().flatten() {
            let dot = map.pixels()[at];
            let colour = [dot.red(), dot.green(), dot.blue()];
            if self.colours[at] != colour {
                self.colours[at] = colour;
                changes.push(at);
            }
        }
        rows().for_each(|row| mask.data_mut()[row].fill(0));
    }
}

impl DrawnShape {
    fn draw(&self, map: &mut Pixmap, theme: Theme, scale: f64, mask: &Mask) {
        let Some(path) = &self.path else { return };
        let Shape { fill, edge, opacity, .. } = &self.shape;
        let transform = Transform::from_scale(scale as f32, scale as f32);
        let paint = |colour: Colour| {
            let [red, green, blue] = rgb(colour.on(theme));
            let mut paint = Paint::default();
            paint.set_color_rgba8(red, green, blue, (opacity * 255.0).round() as u8);
            paint
        };
        if let Some(fill) = fill {
            map.fill_path(path, &paint(*fill), FillRule::Winding, transform, Some(mask));
        }
        if let Some(Pen { colour, width, dash }) = edge {
            let dash =
                dash.and_then(|(dash, gap)| StrokeDash::new(vec![dash as f32, gap as f32], 0.0));
            let stroke = Stroke {
                width: *width as f32,
                line_cap: LineCap::Round,
                line_join: LineJoin::Round,
                dash,
                ..Stroke::default()
            };
            map.stroke_path(path, &paint(*colour), &stroke, transform, Some(mask));
        }
    }
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

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test ends where something is not as it should be")]

    use pdb_core::{Direction, Goal, Shape as BoardShape};

    use super::{Canvas, times};
    use crate::{Colouring, Film, Panel, Theme, Timing};

    #[test]
    fn changed_picture_equals_one_that_is_drawn_anew() {
        use Direction::{Down, Left, Right, Up};
        let moves = [Down, Right, Up, Left, Down, Right, Up, Left, Down, Down, Up];
        for (rows, cols, scale, colouring, theme) in [
            (3, 3, 0.8, Colouring::Parity, Theme::Light),
            (2, 4, 0.37, Colouring::Distance, Theme::Dark),
        ] {
            let goal = Goal::blank_last(BoardShape::new(rows, cols).unwrap());
            let panel = |count: usize| {
                let moves: Vec<_> = moves.into_iter().cycle().take(8).take(count).collect();
                Panel::new(goal.board(), &goal, &moves, colouring.clone()).unwrap()
            };
            let values = vec![9, 10, 9, 100, 1, 0];
            let panels = vec![panel(8).count("estimate", values).caption("one"), panel(3)];
            let film = Film::new(panels, Timing::default()).caption("two boards");
            let first = film.frame(0, 0.0);
            let mut canvas = Canvas::new(&first, theme, scale).unwrap();
            for (step, part, _) in times(&film) {
                let sheet = film.frame(step, part);
                let before = canvas.colours.clone();
                let changes = canvas.show(&sheet);
                let mut anew = Canvas::new(&sheet, theme, scale).unwrap();
                anew.show(&sheet);
                assert!(canvas.colours == anew.colours, "{rows}x{cols}: {step}, {part}");
                let differ = (0..before.len()).filter(|&at| before[at] != canvas.colours[at]);
                let mut changes = changes;
                changes.sort_unstable();
                assert!(differ.eq(changes), "{rows}x{cols}: {step}, {part}");
            }
        }
    }
}
