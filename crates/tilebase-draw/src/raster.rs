//! Raster images: PNG and GIF.
//!
//! Films have few colours and few changes. A frame is the smallest rectangle with all changes;
//! unchanged pixels within it are transparent. Shapes that rest are drawn once for each move.

use std::collections::BTreeMap;
use std::error::Error;

use self::canvas::{Canvas, DOTS_MAX, Dot, EDGE_MAX};
use crate::colour::Theme;
use crate::film::{Film, Timing};
use crate::sheet::Sheet;

mod canvas;

/// Largest number of pixels of all frames of a film.
const FILM_DOTS_MAX: f64 = 600e6;
/// Number of frames of a slide.
const SLIDE_FRAMES: u32 = 4;
/// Largest number of colours of a film, beside the transparent one.
const COLOURS_MAX: usize = 255;
/// Position of the transparent colour in the palette. Compressors are quickest with zeros.
const TRANSPARENT: u8 = 0;

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
    /// The caller stopped the work.
    #[error("the film was stopped before its end")]
    Stopped,
    /// The encoder failed.
    #[error("cannot encode the picture: {0}")]
    Encoding(#[source] Box<dyn Error + Send + Sync>),
}

/// Returns an error if the caller stops the work. Each step of the work asks for each frame, so
/// that it ends within the time of a frame.
fn check(is_stopped: &dyn Fn() -> bool) -> Result<(), RasterError> {
    if is_stopped() { Err(RasterError::Stopped) } else { Ok(()) }
}

fn encoding(error: impl Into<Box<dyn Error + Send + Sync>>) -> RasterError {
    RasterError::Encoding(error.into())
}

/// Encodes a picture as PNG, scaled by `scale`.
///
/// # Errors
/// [`RasterError::TooLarge`].
pub fn png(sheet: &Sheet, theme: Theme, scale: f64) -> Result<Vec<u8>, RasterError> {
    let canvas = Canvas::new(sheet, theme, scale)?;
    let mut bytes = Vec::new();
    let (width, height) = (canvas.width(), canvas.height());
    let mut encoder = png::Encoder::new(&mut bytes, width.into(), height.into());
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::High);
    let mut writer = encoder.write_header().map_err(encoding)?;
    let colours: Vec<[u8; 3]> = canvas.dots().iter().copied().map(rgb_of).collect();
    writer.write_image_data(colours.as_flattened()).map_err(encoding)?;
    writer.finish().map_err(encoding)?;
    Ok(bytes)
}

/// Encodes a film as GIF, scaled by `scale`. Ends soon after `is_stopped` returns true.
///
/// # Errors
/// [`RasterError::TooLarge`], [`RasterError::TooLong`], [`RasterError::Stopped`].
pub fn gif(
    film: &Film,
    theme: Theme,
    scale: f64,
    is_stopped: &dyn Fn() -> bool,
) -> Result<Vec<u8>, RasterError> {
    let frames = FilmFrames::of(film, theme, scale, is_stopped)?;
    let mut bytes = Vec::new();
    let FilmFrames { width, height, ref palette, .. } = frames;
    let mut encoder =
        gif::Encoder::new(&mut bytes, width, height, palette.as_flattened()).map_err(encoding)?;
    encoder.set_repeat(gif::Repeat::Infinite).map_err(encoding)?;
    for patch in &frames.patches {
        check(is_stopped)?;
        let frame = gif::Frame {
            delay: patch.hundredths,
            dispose: gif::DisposalMethod::Keep,
            transparent: Some(TRANSPARENT),
            left: patch.left,
            top: patch.top,
            width: patch.width,
            height: patch.height,
            buffer: patch.positions(&frames.positions).into(),
            ..gif::Frame::default()
        };
        encoder.write_frame(&frame).map_err(encoding)?;
    }
    drop(encoder);
    Ok(bytes)
}

/// A frame: the smallest rectangle with all changes.
struct Patch {
    left: u16,
    top: u16,
    width: u16,
    height: u16,
    /// Duration of the frame.
    hundredths: u16,
    /// Column and row in the picture of each pixel that changes, and the number of its colour.
    changes: Vec<(u16, u16, u32)>,
}

impl Patch {
    /// Creates a frame from all pixels that differ from those of the frame before, and enters them
    /// there. Returns `None` if none differs.
    fn new(
        canvas: &Canvas,
        before: &mut [Dot],
        hundredths: u16,
        colours: &mut ColourNumbers,
    ) -> Option<Self> {
        let width = usize::from(canvas.width());
        let rows = canvas.dots().chunks_exact(width).zip(before.chunks_exact_mut(width));
        let mut changes = Vec::new();
        for (y, (row, before)) in (0..).zip(rows).filter(|(_, (row, before))| row != before) {
            for (x, (&dot, before)) in (0..).zip(row.iter().zip(before)) {
                if *before != dot {
                    *before = dot;
                    changes.push((x, y, colours.of(dot)));
                }
            }
        }
        let (top, bottom) = (changes.first()?.1, changes.last()?.1 + 1);
        let left = changes.iter().map(|&(x, ..)| x).min()?;
        let right = changes.iter().map(|&(x, ..)| x + 1).max()?;
        let (width, height) = (right - left, bottom - top);
        Some(Self { left, top, width, height, hundredths, changes })
    }

    /// Returns the position in the palette of each pixel, row by row. `positions` are those of all
    /// colours.
    fn positions(&self, positions: &[u8]) -> Vec<u8> {
        let width = usize::from(self.width);
        let mut pixels = vec![TRANSPARENT; width * usize::from(self.height)];
        for &(x, y, number) in &self.changes {
            let place = usize::from(y - self.top) * width + usize::from(x - self.left);
            pixels[place] = positions[number as usize];
        }
        pixels
    }
}

/// All frames of a film, with a common palette.
struct FilmFrames {
    width: u16,
    height: u16,
    /// The transparent colour, and all others.
    palette: Vec<[u8; 3]>,
    /// Position in the palette of each colour's number.
    positions: Vec<u8>,
    patches: Vec<Patch>,
}

impl FilmFrames {
    fn of(
        film: &Film,
        theme: Theme,
        scale: f64,
        is_stopped: &dyn Fn() -> bool,
    ) -> Result<Self, RasterError> {
        let times = times(film);
        let (mut sheet, places) = film.still();
        film.add_resting(&mut sheet, &places, 0);
        let (mut resting_step, mut resting) = (0, Canvas::new(&sheet, theme, scale)?);
        let (width, height) = (resting.width(), resting.height());
        let frames = times.len();
        let dots = frames as f64 * resting.dots().len() as f64;
        if dots > FILM_DOTS_MAX {
            return Err(RasterError::TooLong { frames, dots });
        }
        let mut colours = ColourNumbers::default();
        let mut patches: Vec<Patch> = Vec::new();
        let mut canvas = resting.clone();
        // No pixel of a picture is transparent, so the first frame has all of them.
        let mut before = vec![[0; 4]; canvas.dots().len()];
        for (step, part, hundredths) in times {
            check(is_stopped)?;
            while resting_step < step {
                resting_step += 1;
                sheet.shapes.clear();
                film.add_rest_changes(&mut sheet, &places, resting_step);
                resting.draw(&sheet.shapes);
            }
            canvas.copy_from(&resting);
            sheet.shapes.clear();
            film.add_moving(&mut sheet, &places, step, part);
            canvas.draw(&sheet.shapes);
            let patch = Patch::new(&canvas, &mut before, hundredths, &mut colours);
            match (patch, patches.last_mut()) {
                (Some(patch), _) => patches.push(patch),
                // Without changes, the frame before lasts longer.
                (None, Some(last)) => last.hundredths = last.hundredths.saturating_add(hundredths),
                (None, None) => (),
            }
        }
        let mut counts = vec![0u64; colours.colours.len()];
        for (nth, patch) in patches.iter().enumerate() {
            check(is_stopped)?;
            // Most of the first picture is part of every frame.
            let weight = if nth == 0 { frames as u64 } else { 1 };
            patch.changes.iter().for_each(|&(.., number)| counts[number as usize] += weight);
        }
        let (palette, positions) = palette(&colours.colours, &counts);
        Ok(Self { width, height, palette, positions, patches })
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
        times.extend((1..frames).map(|frame| (nth, f64::from(frame) / f64::from(frames), each)));
        let rest = step.saturating_sub(each * (frames as u16 - 1)).max(2);
        times.push((nth + 1, 0.0, if nth + 1 == count { hundredths(pause) } else { rest }));
    }
    times
}

/// Numbers of all colours of a film, in the order in which they appear.
#[derive(Default)]
struct ColourNumbers {
    colours: Vec<Dot>,
    numbers: BTreeMap<Dot, u32>,
    /// The last colour and its number: neighbours mostly have the same colour.
    last: Option<(Dot, u32)>,
}

impl ColourNumbers {
    fn of(&mut self, colour: Dot) -> u32 {
        if let Some((last, number)) = self.last
            && last == colour
        {
            return number;
        }
        let number = *self.numbers.entry(colour).or_insert_with(|| {
            self.colours.push(colour);
            self.colours.len() as u32 - 1
        });
        self.last = Some((colour, number));
        number
    }
}

/// Returns the transparent colour with the most frequent ones, and the position of each colour or
/// of the one that is most similar.
fn palette(colours: &[Dot], counts: &[u64]) -> (Vec<[u8; 3]>, Vec<u8>) {
    let mut order: Vec<usize> = (0..colours.len()).collect();
    order.sort_unstable_by_key(|&number| (std::cmp::Reverse(counts[number]), colours[number]));
    order.truncate(COLOURS_MAX);
    let frequent = order.into_iter().map(|number| rgb_of(colours[number]));
    let palette: Vec<_> = std::iter::once([0; 3]).chain(frequent).collect();
    let positions = colours.iter().map(|&colour| nearest(&palette, rgb_of(colour))).collect();
    (palette, positions)
}

fn nearest(palette: &[[u8; 3]], colour: [u8; 3]) -> u8 {
    let distance = |other: &[u8; 3]| -> u32 {
        other.iter().zip(colour).map(|(a, b)| u32::from(a.abs_diff(b)).pow(2)).sum()
    };
    let others = usize::from(TRANSPARENT) + 1..palette.len();
    let nearest = others.min_by_key(|&number| distance(&palette[number]));
    nearest.unwrap_or(0) as u8
}

fn rgb_of([red, green, blue, _]: Dot) -> [u8; 3] {
    [red, green, blue]
}
