//! Raster images: PNG, GIF and APNG.
//!
//! Films have few colours and few changes. A frame is the smallest rectangle with all changes;
//! unchanged pixels within it are transparent.

use std::collections::BTreeMap;
use std::error::Error;

use tiny_skia::{
    FillRule, LineCap, LineJoin, Paint, Path, PathBuilder, Pixmap, Stroke, StrokeDash, Transform,
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
    let dots = rasterise(sheet, theme, scale)?;
    let mut bytes = Vec::new();
    let encoder = png_encoder(&mut bytes, (dots.width, dots.height), png::ColorType::Rgb);
    let mut writer = encoder.write_header().map_err(encoding)?;
    writer.write_image_data(dots.colours.as_flattened()).map_err(encoding)?;
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

/// Pixels, row by row.
struct Bitmap {
    width: usize,
    height: usize,
    colours: Vec<[u8; 3]>,
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
        let picture = |step, part| rasterise(&film.frame(step, part), theme, scale);
        let first = picture(0, 0.0)?;
        let (frames, (width, height)) = (times.len(), (first.width, first.height));
        let dots = frames as f64 * (width * height) as f64;
        if dots > FILM_DOTS_MAX {
            return Err(RasterError::TooLong { frames, dots });
        }
        // Samples suffice, because all slides look alike.
        let mut counts = BTreeMap::new();
        for &(step, part, _) in times.iter().step_by(frames.div_ceil(SAMPLE_COUNT)) {
            for colour in picture(step, part)?.colours {
                *counts.entry(colour).or_insert(0u64) += 1;
            }
        }
        let palette = palette(counts);
        let mut numbers = PaletteIndex { palette: &palette, known: BTreeMap::new() };
        let mut patches: Vec<Patch> = Vec::new();
        let mut seen: Option<Bitmap> = None;
        for (step, part, hundredths) in times {
            let dots = picture(step, part)?;
            match (numbers.patch(seen.as_ref(), &dots, hundredths), patches.last_mut()) {
                (Some(patch), _) => patches.push(patch),
                // Without changes, the frame before lasts longer.
                (None, Some(last)) => last.hundredths = last.hundredths.saturating_add(hundredths),
                (None, None) => (),
            }
            seen = Some(dots);
        }
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
}

impl PaletteIndex<'_> {
    fn of(&mut self, colour: [u8; 3]) -> u8 {
        *self.known.entry(colour).or_insert_with(|| nearest(self.palette, colour))
    }

    /// Returns the smallest rectangle with all changes, or `None` without changes.
    fn patch(&mut self, before: Option<&Bitmap>, after: &Bitmap, hundredths: u16) -> Option<Patch> {
        let &Bitmap { width, height, ref colours } = after;
        let Some(before) = before else {
            let numbers = colours.iter().map(|&colour| self.of(colour)).collect();
            return Some(Patch { left: 0, top: 0, width, height, hundredths, numbers });
        };
        let differs = |at: usize| colours[at] != before.colours[at];
        let (mut left, mut right, mut top, mut bottom) = (width, 0, height, 0);
        for at in (0..colours.len()).filter(|&at| differs(at)) {
            let (row, col) = (at / width, at % width);
            (left, right) = (left.min(col), right.max(col + 1));
            (top, bottom) = (top.min(row), bottom.max(row + 1));
        }
        if left >= right {
            return None;
        }
        let transparent = self.palette.len() as u8;
        let dots = (top..bottom).flat_map(|row| (left..right).map(move |col| row * width + col));
        let number = |at| if differs(at) { self.of(colours[at]) } else { transparent };
        let numbers = dots.map(number).collect();
        let (width, height) = (right - left, bottom - top);
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

/// Draws a sheet.
fn rasterise(sheet: &Sheet, theme: Theme, scale: f64) -> Result<Bitmap, RasterError> {
    let (width, height) = ((sheet.width * scale).round(), (sheet.height * scale).round());
    let is_sheet = |edge: f64| (1.0..=EDGE_MAX).contains(&edge);
    let error = || RasterError::TooLarge { width, height };
    if !is_sheet(width) || !is_sheet(height) || width * height > DOTS_MAX {
        return Err(error());
    }
    let mut map = Pixmap::new(width as u32, height as u32).ok_or_else(error)?;
    let [red, green, blue] = rgb(Colour::Paper.on(theme));
    map.fill(tiny_skia::Color::from_rgba8(red, green, blue, 255));
    let transform = Transform::from_scale(scale as f32, scale as f32);
    for shape in &sheet.shapes {
        draw(&mut map, shape, theme, transform);
    }
    let colours = map.pixels().iter().map(|dot| [dot.red(), dot.green(), dot.blue()]).collect();
    Ok(Bitmap { width: width as usize, height: height as usize, colours })
}

fn draw(map: &mut Pixmap, shape: &Shape, theme: Theme, transform: Transform) {
    let Shape { outline, fill, edge, opacity } = shape;
    let path = match outline {
        Outline::Rectangle(place, radius) => path(&rounded(*place, *radius)),
        Outline::Path(segments) => path(segments),
    };
    // An empty path is invisible.
    let Some(path) = path else { return };
    let paint = |colour: Colour| {
        let [red, green, blue] = rgb(colour.on(theme));
        let mut paint = Paint::default();
        paint.set_color_rgba8(red, green, blue, (opacity * 255.0).round() as u8);
        paint
    };
    if let Some(fill) = fill {
        map.fill_path(&path, &paint(*fill), FillRule::Winding, transform, None);
    }
    if let Some(Pen { colour, width, dash }) = edge {
        let dash = dash.and_then(|(dash, gap)| StrokeDash::new(vec![dash as f32, gap as f32], 0.0));
        let stroke = Stroke {
            width: *width as f32,
            line_cap: LineCap::Round,
            line_join: LineJoin::Round,
            dash,
            ..Stroke::default()
        };
        map.stroke_path(&path, &paint(*colour), &stroke, transform, None);
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
