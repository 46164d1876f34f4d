//! Pictures and films of sliding-tile puzzles.
//!
//! [`pictures`] draws boards, partitions, search trees and the counts of heuristics; a [`Film`]
//! animates moves. This crate neither searches nor opens files. Letters are lines and curves, so a
//! picture needs no font and no other file. The same call gives the same bytes on every machine.
//!
//! ```
//! use pdb_core::{Goal, Shape};
//! use tilebase_draw::{Colouring, Theme, pictures};
//!
//! let goal = Goal::blank_last(Shape::new(4, 4)?);
//! let sheet = pictures::board(goal.board(), &goal, &Colouring::Rows, false, None);
//! assert!(sheet.to_svg(Theme::Auto).starts_with("<svg "));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The feature `raster` adds `png` and `gif`, which rasterise the same shapes.
//!
//! Read next: [`Sheet`], the type of all pictures; [`pictures`]; [`Film`].

mod colour;
mod film;
mod glyphs;
pub mod pictures;
#[cfg(feature = "raster")]
mod raster;
mod shape;
mod sheet;
mod svg;
mod text;
mod tiles;

pub use colour::{COLOURS, Colour, Theme};
pub use film::{Film, Panel, Timing};
#[cfg(feature = "raster")]
pub use raster::{RasterError, gif, png};
pub use shape::{Anchor, Label, Outline, Pen, Segment, Shape};
pub use sheet::{Sheet, text_width};
pub use text::xml;
pub use tiles::Colouring;
